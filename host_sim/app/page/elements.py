# SPDX-License-Identifier: MIT
"""Small HTML elements that several parts of the page share."""

from collections.abc import Collection, Iterable

import htpy as h
from markupsafe import Markup, escape

from host_sim.app.page.seat_claims import SIGNS, Request
from host_sim.app.page.viewer import Viewer
from host_sim.app.views.story import plain
from host_sim.app.views.table_picture import SEAT_COLOURS, SQUARE
from host_sim.app.views.tile_faces import face
from host_sim.table.player_names import LONGEST


def button(content: h.Node, action: str, classes: str = "", **attributes: h.Attribute) -> h.Node:
    """Return a button that performs an action when clicked.

    action: the words that the browser sends
    """
    return h.button(type="button", class_=classes or None, data_do=action, **attributes)[content]


def close_button(viewer: Viewer) -> h.Node:
    return button("×", "close", "ghost close", aria_label=viewer.translate("page.close"))


def button_row(*buttons: h.Node) -> h.Node:
    return h.div(".foot")[buttons]


def choice_button(content: h.Node, action: str, is_chosen: bool) -> h.Node:
    """Return one button of a group of buttons, of which one is chosen at a time.

    action: the words that the browser sends
    """
    pressed = "true" if is_chosen else "false"
    return button(content, action, "on" if is_chosen else "", aria_pressed=pressed)


def form_error(viewer: Viewer) -> h.Node:
    """Return the sentence about what is wrong in the open form, or None."""
    return h.p(".error", role="alert")[viewer.dialog.error] if viewer.dialog.error else None


def request_sign(viewer: Viewer, request: Request) -> str:
    """Return the sign of a request for a seat as a picture and its name."""
    return "%s %s" % (SIGNS[request.sign], viewer.translate("signs." + request.sign))


def name_field(label: str, name: str, value: str, **attributes: h.Attribute) -> h.Node:
    """Return a labelled text field for a name.

    name: the field's name in the form
    """
    return h.label[
        label,
        h.input(
            name=name,
            value=value,
            maxlength=LONGEST,
            autocomplete="off",
            data_keep="1",
            **attributes,
        ),
    ]


def name_input(
    name: str, seat: int | str, value: str = "", offered: str = "", **attributes: h.Attribute
) -> h.Node:
    """Return a text field for a player's name, without a label.

    offered: the name to show in place of `value` if another player has that name; otherwise ""
    """
    return h.input(
        # a name that is offered has an element of its own: a browser keeps what is typed
        id="%s-name-%s" % ("offered" if offered else "typed", seat),
        name=name,
        list="people",
        maxlength=LONGEST,
        value=offered or value,
        data_keep="1",
        **attributes,
    )


def select(name: str, label: str, choices: Iterable[int], selected: int) -> h.Node:
    """Return a drop-down list of numbers.

    name: the form field's name
    """
    options = [h.option(value=str(n), selected=n == selected)[str(n)] for n in choices]
    return h.label[label, h.select(name=name)[options]]


def known_people(viewer: Viewer) -> h.Node:
    """Return a datalist with the names of all people who have played here, which a browser offers
    in fields with list=people. Return None if the viewer is not the owner."""
    kept = viewer.app.evenings
    names = kept.known_names() if kept and viewer.rights.owner else []
    return h.datalist("#people")[[h.option(value=name) for name in names]] if names else None


def qr_code(address: str) -> Markup:
    """Return the QR code of an address as SVG, which a style sheet may scale."""
    import segno

    return Markup(
        segno.make(address, micro=False).svg_inline(omitsize=True, light="#fff", border=3)
    )


def seat_dot(seat: int) -> h.Node:
    shape = ".square" if is_square(seat) else ""
    return h.span(".dot" + shape, style="background:" + SEAT_COLOURS[str(seat)])


def is_square(seat: int) -> bool:
    """Return whether the mark in a seat's colour is square, not round."""
    return str(seat) in SQUARE


def open_eye(text: str, colour: str = "currentColor", square: bool = False) -> Markup:
    """Return the picture of an open eye, which marks a hand that all see.

    text: what a screen reader says, or ""
    colour, square: of the pupil
    """
    pupil = 'rect x="8" y="4" width="8" height="8"' if square else 'circle cx="12" cy="8" r="4.5"'
    said = 'role="img" aria-label="%s"' % escape(text) if text else 'aria-hidden="true"'
    return Markup(
        '<svg class="eye" viewBox="0 0 24 16" %s><path d="M1 8Q12-5 23 8Q12 21 1 8z"/>'
        '<%s style="fill:%s"/></svg>' % (said, pupil, colour)
    )


def seat_eye(viewer: Viewer, seat: int) -> Markup:
    """Return what marks the open hand of a seat."""
    said, colour = viewer.translate("page.open_hand"), SEAT_COLOURS[str(seat)]
    return open_eye(said, colour, is_square(seat))


def open_hands_note(viewer: Viewer) -> h.Node:
    """Return the sentence that all see the viewer's tiles, if that is so; else None."""
    if not viewer.hands_are_open:
        return None
    return h.span(".open-hands")[open_eye(""), " ", viewer.translate("page.all_see")]


def tile_faces(tiles: Collection[str]) -> h.Node:
    """Return pictures of tiles, such as `6-5`, in a row, each lying on its side."""
    faces = []
    for tile in tiles:
        high, low = map(int, tile.split("-"))
        faces.append(Markup(face(high, low, lying=True)))
    return h.span(".faces")[faces]


def signed_text(points: float) -> str:
    """Return points with their sign, for example `+20` or `−80`, and "" for 0."""
    return ("+" if points > 0 else "−") + plain(abs(points)) if points else ""


def points_text(points: float | None) -> str:
    return "" if points is None else plain(points)
