# SPDX-License-Identifier: MIT
"""The dialog in which the owner invites people outside, and withdraws what they were given."""

from collections.abc import Sequence

import htpy as h

from host_sim.app.page import dialogs
from host_sim.app.page.actions import OWNER, Fields, action
from host_sim.app.page.elements import button, button_row, close_button, name_field
from host_sim.app.page.viewer import Viewer
from host_sim.app.session.invitations import FAR, Invitation
from host_sim.table.player_names import clean_name


def may_invite(viewer: Viewer) -> bool:
    """Return whether the viewer may let people outside in to the match that is played."""
    app = viewer.app
    return viewer.rights.owner and app.invitations is not None and viewer.table.kind == "play"


def free_seats(viewer: Viewer) -> list[int]:
    """Return the seats to which a link can be made, bots' first: those that no phone in the room
    plays."""
    claims, people = viewer.played.seat_claims.seats, viewer.session.people
    seats = sorted(viewer.session.seats, key=lambda seat: (seat in people, seat))
    return [seat for seat in seats if claims.get(seat, FAR).startswith(FAR)]


@dialogs.dialog("invite", may_invite, "outside.title", dialogs.PLAY)
def invite_dialog(viewer: Viewer) -> h.Node:
    translate, app = viewer.translate, viewer.app
    assert app.invitations
    seats = [(str(seat), viewer.seat_label(seat)) for seat in free_seats(viewer)]
    choices = [*seats, ("0", translate("outside.only_look"))]
    link = viewer.dialog.form.get("link", "")
    return [
        close_button(viewer),
        h.h1[translate("outside.title")],
        h.p(".address")[translate("outside.how", address=app.outside_url)],
        new_link(viewer, link) if link else None,
        h.form(".invite", data_do="invite")[
            h.label[
                translate("outside.seat"),
                h.select(name="seat")[[h.option(value=seat)[name] for seat, name in choices]],
            ],
            name_field(translate("outside.name"), "name", ""),
            button_row(h.button(".main", type="submit")[translate("outside.make")]),
        ],
        [invited(viewer, one) for one in app.invitations.of(app.match_id)],
    ]


def new_link(viewer: Viewer, link: str) -> h.Node:
    """Return a link that was just made. It is shown this once."""
    return [
        h.p[viewer.translate("outside.once")],
        h.input(name="link", readonly=True, value=link, aria_label=viewer.translate("site.link")),
        button_row(
            h.button(type="button", data_copy=link)[viewer.translate("site.copy_link")],
        ),
    ]


def invited(viewer: Viewer, invitation: Invitation) -> h.Node:
    """Return the row of a link: who it is for, whether it was used, and how to withdraw it."""
    translate = viewer.translate
    where = viewer.seat_label(invitation.seat) if invitation.seat else ""
    state = "outside.is_used" if invitation.cookies else "outside.is_new"
    return h.p(".invited")[
        h.b[invitation.name or where or translate("outside.only_look")],
        " ",
        where if invitation.name else "",
        " ",
        h.small[translate(state)],
        " ",
        button(translate("outside.withdraw"), "withdraw " + invitation.id),
    ]


@action("invite", OWNER)
def invite(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Make a link to play a seat, or to watch."""
    if not may_invite(viewer) or not viewer.app.invitations:
        return False
    seat = fields.get("seat", "")
    if seat not in ("0", *map(str, free_seats(viewer))):
        return False
    name = clean_name(fields.get("name"))
    secret = viewer.app.invitations.invite(viewer.app.match_id, int(seat), name)
    link = "%s#join=%s" % (viewer.app.outside_url, secret)
    viewer.dialog.open("invite", form={"link": link})
    return True


@action("withdraw", OWNER, 1)
def withdraw(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """End a link, and shut out the people who came by it."""
    if not may_invite(viewer) or not viewer.app.invitations:
        return False
    viewer.app.invitations.withdraw(args[0])
    return True
