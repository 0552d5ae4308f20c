# SPDX-License-Identifier: MIT
"""The hand that a viewer sees: its tiles, and the buttons below them."""

from collections.abc import Collection, Mapping

import htpy as h
from markupsafe import Markup

from host_sim.app.page import round_results
from host_sim.app.page.elements import (
    button,
    open_hands_note,
    seat_dot,
    seat_eye,
    tile_faces,
)
from host_sim.app.page.viewer import Viewer
from host_sim.app.players import dealt_hands
from host_sim.app.session.lesson import Wanted
from host_sim.app.session.match_session import Undo
from host_sim.app.views.i18n import Said, in_sentences
from host_sim.app.views.tile_faces import face

SHOWN = ("draw", "pass", "knock", "done", "over")  # meanings of a press that have a button
ENDS = ("pass", "done", "over")  # of these, what ends a turn or the round
THEN = ("draw", "pass")  # what the advice says to do if no tile fits
OVER = ("scoring", "finished")  # phases in which the hands are turned up
COUNTED = ("done", "round-over")  # values of `did` that end a round

Fits = Mapping[str, Collection[str]]  # {tile: slots where it fits}


def panel(viewer: Viewer) -> h.Node:
    content = "" if viewer.rights.television else hand(viewer)
    if not content:
        return ""
    label = "page.all_hands" if viewer.table.kind == "replay" else "page.your_place"
    return [h.h2("#hand-label.heard")[viewer.translate(label)], content]


def hand(viewer: Viewer) -> h.Node:
    """Return the viewer's hand or, for a viewer without a seat, how to take a seat."""
    table = viewer.table
    if table.kind == "replay" and viewer.replayed.dealer:
        return past_hands(viewer)
    if table.kind != "play":
        return ""
    is_over = viewer.state and (viewer.state["phase"] in OVER or viewer.model is not table.model)
    if not viewer.seats.own():
        return [turned_up(viewer) if is_over else None, looking_on(viewer)]
    seat = viewer.seats.hand()
    if not seat:  # the same parts as below, so that nothing moves at the curtain
        return [h.div(".whose"), h.div(".tiles"), h.div(".act")[h.p(".hint")]]
    if is_over:
        return [turned_up(viewer), h.div(".act")[choices(viewer, seat, {}, False, None)]]
    tiles = viewer.player_view.hand(seat)
    on_turn = viewer.seats.is_on_turn()
    fits: Fits = viewer.player_view.fits(seat) if on_turn else {}
    goal = viewer.lesson_goal()
    next_order, beside = viewer.played.next_order(seat), viewer.played.beside_train(seat)
    count_key = "page.one_tile" if len(tiles) == 1 else "page.tiles"
    return [
        h.div(".whose")[
            seat_eye(viewer, seat) if viewer.hands_are_open else None,
            h.b[viewer.seat_label(seat)],
            h.small[viewer.translate(count_key, count=len(tiles))],
            button(viewer.translate("page.sort_" + next_order), "sort", "ghost"),
        ],
        h.div(
            ".tiles",
            data_drop="hand:end",
            role="group",
            style=in_rows(len(tiles)),
            aria_label=viewer.translate("page.hand"),
        )[[tile_button(viewer, tile, fits.get(tile, ()), goal, tile == beside) for tile in tiles]],
        h.div(".act")[choices(viewer, seat, fits, on_turn, goal)],
    ]


def in_rows(tiles: int) -> str:
    """Return a style that says how many tiles are in a row, if the hand has 1, 2 or 3 rows."""
    rows = ("one", "two", "three")
    counts = (max(1, -(-tiles // n)) for n in range(1, len(rows) + 1))
    return ";".join("--in-%s:%d" % row for row in zip(rows, counts))


def looking_on(viewer: Viewer) -> h.Node:
    """Return what a viewer without a seat sees instead of a hand."""
    waits = viewer.rights.owner and viewer.session.waits_for().kind == "round"
    may_sit = bool(viewer.rights.browser_id)
    may_have_sat = may_sit and not viewer.rights.owner and bool(viewer.played.seat_claims.seats)
    is_second_tab = viewer.rights.local and not viewer.rights.owner
    return h.div(".looking")[
        h.p[
            viewer.translate("page.looking"),
            h.small[" ", viewer.translate("page.looking_here")] if is_second_tab else None,
            " ",
            open_hands_note(viewer),
        ],
        button(viewer.translate("page.next_round"), "next", "main") if waits else None,
        round_results.end_button(viewer) if waits else None,
        button(viewer.translate("page.take_seat"), "open seats") if may_sit else None,
        h.small[viewer.translate("page.looking_back")] if may_have_sat else None,
    ]


def turned_up(viewer: Viewer) -> h.Node:
    """Return the hands of all players, face up."""
    nothing = viewer.translate("page.nothing_left")
    return h.div(".past.turned-up")[
        [
            h.p[
                h.b[seat_dot(seat), viewer.seat_label(seat)],
                tile_faces(held) if held else nothing,
            ]
            for seat in viewer.session.seats
            for held in [viewer.player_view.hand(seat)]
        ]
    ]


def past_hands(viewer: Viewer) -> h.Node:
    """Return all players' hands at the current moment of a replay; "" in a round that was not
    finished."""
    recording = viewer.replayed.recording
    now, last = viewer.state, recording.lines[-1]
    assert now
    unfinished = last["phase"] in ("engine", "play") and last.get("did") not in COUNTED
    if unfinished and now["round"] == last["round"] and now.get("did") not in COUNTED:
        return ""
    dealer = viewer.replayed.dealer
    assert dealer
    hands = dealt_hands.visible_hands(dealer, viewer.table.moments)
    return h.div(".past")[
        [
            h.p[h.b[viewer.seat_label(seat)], tile_faces(tiles)]
            for seat, tiles in sorted(hands.items())
            if tiles
        ]
    ]


def tile_button(
    viewer: Viewer, tile: str, slots: Collection[str], goal: Wanted | None, is_beside: bool
) -> h.Node:
    """Return a button for a tile of the hand.

    goal: the move that a lesson asks for, or None
    is_beside: whether a gap before the tile ends the train with which the hand begins
    """
    label = [tile]
    if slots:
        words, seat = viewer.story.words, viewer.seats.hand()
        places = [words.train_of(slot, seat) for slot in slots]
        label.append(viewer.translate("page.fits", places=places))
    classes = ["tile-button"] + ["fits"] * bool(slots) + ["chosen"] * (tile == viewer.chosen_tile)
    classes += ["wanted"] * bool(goal and goal.tile == tile) + ["beside"] * is_beside
    first, second = map(int, tile.split("-"))
    return h.button(
        type="button",
        class_=" ".join(classes),
        data_do="pick " + tile,
        data_drag=tile,
        data_drop="hand:" + tile,
        data_tile=tile,
        aria_label=", ".join(label),
        aria_pressed="true" if tile == viewer.chosen_tile else "false",
    )[Markup(face(first, second))]


# ---- what can be done ----


def choices(
    viewer: Viewer, seat: int, fits: Fits, on_turn: bool, goal: Wanted | None
) -> list[h.Node]:
    """Return the buttons below a hand, followed by a line of advice. The button that ends a turn
    has its own column, so that no double click on another button can hit it.

    fits: {tile: slots where the tile fits}
    """
    translate, session = viewer.translate, viewer.session
    waits = session.waits_for()
    meaning = viewer.player_view.button(seat)
    undo = session.next_undo(seat)
    button_class = "main" if goal and goal.button or not fits else ""
    nodes: list[h.Node] = []
    if meaning in SHOWN:
        column = "ends" if meaning in ENDS else "acts"
        classes = pointed((column + " " + button_class).strip(), goal and goal.button)
        nodes.append(button(translate("page." + meaning), "button", classes))
    if on_turn and session.is_free and session.line["boneyard"] != 0:
        # in a house that enforces nothing, the seat's button passes
        nodes.append(button(translate("page.draw"), "draw", "acts"))
    if waits == ("knock", seat) and not goal:
        nodes.append(button(translate("page.no_knock"), "wait", "ends"))
    if waits.kind == "round":
        nodes.append(button(translate("page.next_round"), "next", "acts main"))
        nodes.append(round_results.end_button(viewer, "ends"))
    if undo:
        classes = pointed("back", goal and goal.back)
        nodes.append(button(undo_text(viewer, undo), "back", classes))
    nodes.append(catch_button(viewer, seat) or redo_button(viewer))
    return [*nodes, h.p(".hint")[advice(viewer, seat, fits, on_turn)]]


def catch_button(viewer: Viewer, seat: int) -> h.Node:
    """Return the button that says that another player forgot to knock, or None."""
    forgetful = viewer.session.catchable()
    if forgetful in (None, seat):
        return None
    text = viewer.translate("page.catch", name=viewer.seat_name(forgetful))
    return button(text, "catch", "caught main")


def redo_button(viewer: Viewer) -> h.Node:
    """Return the button that puts back the inputs that were taken back last, or None."""
    found = viewer.session.next_redo()
    if not found or viewer.lesson_goal():
        return None
    text = viewer.translate("page.redo", what=moves_text(viewer, found))
    return button(text, "redo", "caught")


def moves_text(viewer: Viewer, undo: Undo) -> str:
    """Return a text that names the moves taken back or put back, such as `6-0 and 5 more
    moves`."""
    did = undo.did if undo.did in ("drew", "passed") else "last"
    what = undo.tile or viewer.translate("page.back_what_" + did)
    if not undo.more:
        return what
    return viewer.translate("page.back_more", what=what, count=undo.more)


def pointed(classes: str, is_goal: object) -> str:
    """Return the CSS classes of a button, with `wanted` added if a lesson asks for this button."""
    return (classes + " wanted").strip() if is_goal else classes


def way_out(viewer: Viewer, tile: str) -> Said | None:
    """Return a sentence on what to do instead of laying a tile of the hand that was refused, or
    None."""
    seat = viewer.seats.hand()
    fits = viewer.player_view.fits(seat) if seat else {}
    if tile in fits:
        places = [viewer.story.words.train_of(slot, seat) for slot in fits[tile]]
        return viewer.translate("page.fits_elsewhere", places=places)
    if seat and not fits:
        meaning = viewer.player_view.button(seat)
        return viewer.translate("page.then_" + meaning) if meaning in THEN else None
    return some_fit(viewer, fits)


def some_fit(viewer: Viewer, fits: Fits) -> Said:
    """Return a sentence that counts the tiles that fit."""
    key = "page.some_fit" if viewer.session.trains else "page.some_fit_lines"
    return viewer.translate(key, count=len(fits))


def leads_back(viewer: Viewer, undo: Undo) -> bool:
    """Return whether taking back an input leads to a round that is over."""
    line = viewer.session.line
    return undo.round > 0 and (line["phase"] in OVER or line["round"] != undo.round)


def undo_text(viewer: Viewer, undo: Undo) -> str:
    """Return the text on the button that takes back an input. The text names the input, or the
    finished round to which taking it back leads."""
    if leads_back(viewer, undo):
        return viewer.translate("page.back_round", number=undo.round)
    if undo.tile and undo.slot:
        return viewer.translate("page.back_tile", tile=undo.tile)
    return viewer.translate(
        "page.back_" + (undo.did if undo.did in ("drew", "passed") else "last")
    )


def advice(viewer: Viewer, seat: int, fits: Fits, on_turn: bool) -> str:
    """Return a line of advice on what to do now, or the hint if the viewer asked for one."""
    if viewer.advice.hint:
        return viewer.advice.hint.text(viewer.story.words)
    waits = viewer.session.waits_for()
    if waits.kind == "knock" and waits.seat == seat:
        return viewer.translate("page.knock_now")
    if not on_turn:
        turn = (viewer.state or {}).get("turn")
        if not turn:
            return ""
        whose = viewer.translate("page.turn_of", name=viewer.seat_name(turn))
        away = viewer.away_text(turn)
        return in_sentences(whose, away) if away else whose
    lay_it = "page.lay_it" if viewer.session.trains else "page.lay_it_lines"
    if viewer.chosen_tile:
        fit = fits.get(viewer.chosen_tile)
        return viewer.translate(lay_it if fit else "page.does_not_fit")
    if not fits:
        return viewer.translate("page.nothing_fits")
    return some_fit(viewer, fits)
