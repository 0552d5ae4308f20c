# SPDX-License-Identifier: MIT
"""The results of a round or match: tiles left, points, places, and the points of all rounds."""

from collections.abc import Mapping

import htpy as h

from host_sim.app.page.components import has_points, place_text
from host_sim.app.page.elements import (
    button,
    button_row,
    close_button,
    points_text,
    seat_dot,
    signed_text,
    tile_faces,
)
from host_sim.app.page.viewer import Viewer
from host_sim.app.views.table_picture import SEAT_COLOURS
from host_sim.table.games import tile_rules
from host_sim.table.model import Round
from roundhouse import tiles
from roundhouse.games import houses

COUNTED_COLUMNS = ("points", "total", "rank")  # shown once a round's points are counted


def ending(viewer: Viewer) -> tuple[str, int] | None:
    """Return (kind, round number) for a round or match that has just ended, or None.

    The kind is `match`, `round`, or `scoring` while points are being counted.
    """
    state, rounds = viewer.state, viewer.table.sheet.rounds
    if not state or viewer.table.kind in ("empty", "replay"):
        return None  # a replay does not stop at the end of a round
    if state["phase"] == "finished":
        # a match that is ended between two rounds has no tile of the next one
        return "match", rounds[-1].number if rounds else state["round"]
    if state["phase"] == "scoring":  # people look at the last tile and the hands first
        is_begun = viewer.table.kind != "play" or state["did"] in ("counted", "done")
        return ("scoring", state["round"]) if is_begun else None
    if state["phase"] == "engine" and rounds:
        return "round", rounds[-1].number
    return None


def end(viewer: Viewer) -> h.Node:
    """Return the dialog shown at the end of a round or a match."""
    ended = ending(viewer)
    assert ended
    what, number = ended
    is_counting = what == "scoring"
    rounds = viewer.table.sheet.rounds
    result = counting_round(viewer) if is_counting else rounds[-1] if rounds else None
    about = viewer.translate("page.counting" if is_counting else "page.what_was_left")
    return h.div(".beside")[
        close_button(viewer),
        confetti(viewer) if what == "match" else None,
        h.h1[headline(viewer, what, number, result)],
        h.p[round_text(viewer, number), ". ", about],
        result_table(viewer, result, is_counting) if result else None,
        next_engine(viewer, number) if what == "round" else None,
        lesson_result(viewer, number),
        button_row(
            button(viewer.translate("page.rounds"), "open rounds") if rounds else None,
            next_button(viewer, what),
        ),
    ]


def options_of(viewer: Viewer) -> Mapping[str, str]:
    """Return {option: word} of the house that is played, or {} if this program does not know the
    house."""
    if viewer.table.kind == "play":
        return viewer.session.options
    model = viewer.table.model
    try:
        return tile_rules.options_of(*houses.parse(model.house.split()))
    except ValueError:  # a house of the table's own, or no house yet
        return {}


def round_text(viewer: Viewer, number: int) -> str:
    """Return `Round 3 of 13`, or `Round 3` if the match has no fixed number of rounds."""
    rounds = tile_rules.rounds_of(options_of(viewer), viewer.table.model.set)
    if rounds and number <= rounds:
        return viewer.translate("page.round_of", number=number, rounds=rounds)
    return "%s %d" % (viewer.translate("page.round_short"), number)


def next_engine(viewer: Viewer, number: int) -> h.Node:
    """Return a sentence that names the next round's engine, if the house prescribes it.

    number: the current round's number
    """
    options = options_of(viewer)
    if options.get("engine") not in tile_rules.PRESCRIBED:
        return None
    tile = tile_rules.engine_asked_for(options, viewer.table.model.set, number + 1)
    return h.p[viewer.translate("page.next_engine", tile=tiles.text(tile))]


def lesson_result(viewer: Viewer, number: int) -> h.Node:
    """Return the lesson's text for the end of its round, and a button for the next lesson. Return
    None if the round ends no lesson, or if the viewer is not the owner.

    number: the number of the round; a lesson is round 1
    """
    if viewer.table.kind != "play" or not viewer.rights.owner or number != 1:
        return None
    taught = viewer.played.lesson
    if not taught or not taught.done:
        return None
    more = button(viewer.translate("page.learn_more"), "learn forgotten")
    return [
        h.p(".learned")[taught.text(viewer.translate)],
        more if taught.topic == "round" else None,
    ]


def counting_round(viewer: Viewer) -> Round:
    """Return the results so far of the round that is being counted, as a Round without points."""
    state, sheet = viewer.state, viewer.table.sheet
    assert state
    out = next((rank.seat for rank in sheet.ranks() if rank.out), None)
    return Round(state["round"], state["engine"], {}, sheet.left_now, out)


def headline(viewer: Viewer, what: str, number: int, result: Round | None) -> str:
    """Return a sentence that names the match's winner, or who went out in the round.

    what, number: the kind and the round number, as `ending` returns them.
    """
    assert viewer.state
    winners = viewer.state["winner"] or []
    if what == "match" and [*map(str, winners)] == [viewer.you]:
        return viewer.translate("page.you_won")
    if what == "match" and winners:
        names = viewer.translate.joined("page.and", [viewer.seat_name(seat) for seat in winners])
        key = "page.won_together" if len(winners) > 1 else "page.won"
        return viewer.translate(key, name=names)
    if result and result.out:
        if str(result.out) == viewer.you:
            return viewer.translate("page.you_are_out")
        return viewer.translate("page.is_out", name=viewer.seat_name(result.out))
    return viewer.translate("page.round_over", number=number)


def confetti(viewer: Viewer) -> h.Node:
    assert viewer.state
    colours = [SEAT_COLOURS[str(seat)] for seat in viewer.state["winner"] or []] or ["#ffa62b"]
    pieces = [
        h.i(style="--n:%d;background:%s" % (n, colours[n % len(colours)] if n % 3 else "#ffe2b0"))
        for n in range(28)
    ]
    return h.div(".confetti", aria_hidden="true")[pieces]


def result_table(viewer: Viewer, result: Round, is_counting: bool) -> h.Node:
    rows = []
    for rank in viewer.table.sheet.ranks():
        cells: list[h.Node] = [
            h.td[seat_dot(rank.seat), viewer.seat_label(rank.seat)],
            h.td[left_over(viewer, result, rank.seat, is_counting)],
        ]
        if not is_counting:
            cells += [
                h.td[points_text(result.points.get(rank.seat))],
                h.td[h.b[points_text(rank.total)]],
                h.td(".rank")[place_text(viewer, rank)],
            ]
        is_best = rank.place == 1 and not is_counting and has_points(viewer)
        rows.append(h.tr(class_="best" if is_best else None)[cells])
    columns = ("player", "left_over", *(() if is_counting else COUNTED_COLUMNS))
    heads = [h.th(scope="col")[viewer.translate("page." + column)] for column in columns]
    return h.div(".wide")[h.table(".points")[h.thead[h.tr[heads]], h.tbody[rows]]]


def left_over(viewer: Viewer, result: Round, seat: int, is_counting: bool) -> h.Node:
    """Return pictures of the tiles that a seat had left, or a text if it had none or is still
    counting."""
    left = result.left.get(seat, [])
    shown = tile_faces(left) if left else None
    scores = viewer.table.model.scores
    if is_counting and seat not in scores.done:
        return [shown, h.span(".counts")[viewer.translate("page.still_counts")]]
    if shown:
        return shown
    is_known = is_counting or seat == result.out or not result.points.get(seat)
    return viewer.translate("page.nothing_left") if is_known else "–"


def history(viewer: Viewer) -> h.Node:
    """Return a table with a row for every round: the engine, and each seat's points and total."""
    ranks = sorted(viewer.table.sheet.ranks(), key=lambda rank: rank.seat)
    best = max if viewer.table.sheet.most_win else min
    totals = dict.fromkeys((rank.seat for rank in ranks), 0.0)
    rows = []
    for past in viewer.table.sheet.rounds:
        winning = best(past.points.values(), default=None)
        cells = []
        for rank in ranks:
            points = past.points.get(rank.seat)
            totals[rank.seat] += points or 0
            gained = h.b(".won")[points_text(points)] if points == winning else points_text(points)
            cells.append(h.td[gained, h.small[points_text(totals[rank.seat])]])
        engine = tile_faces([past.engine]) if past.engine else None
        rows.append(h.tr[h.th(scope="row")[past.number, " ", engine], cells])
    put_right = viewer.table.model.scores.put_right
    if put_right:
        cells = [h.td[signed_text(put_right.get(rank.seat, 0))] for rank in ranks]
        rows.append(h.tr[h.th(scope="row")[viewer.translate("page.put_right")], cells])
    return h.div(".wide")[
        h.table(".points.history")[
            h.thead[
                h.tr[
                    h.th(scope="col")[viewer.translate("page.round_short")],
                    [h.th(scope="col")[viewer.seat_label(rank.seat)] for rank in ranks],
                ]
            ],
            h.tbody[rows],
            h.tfoot[
                h.tr[
                    h.th(scope="row")[viewer.translate("page.total")],
                    [h.td[h.b[points_text(rank.total)]] for rank in ranks],
                ]
            ],
        ]
    ]


def next_button(viewer: Viewer, what: str) -> h.Node:
    """Return the buttons that begin the next round or a new match, or close the dialog; None if
    the viewer cannot do any of these now.

    what: the kind, as `ending` returns it.
    """
    if viewer.table.kind != "play" or not (viewer.seats.own() or viewer.rights.owner):
        return button(viewer.translate("page.close"), "close", "main")
    if what == "match":
        if not viewer.rights.owner or not viewer.app.store:
            return None
        return [
            button(viewer.translate("page.new"), "open new"),
            button(viewer.translate("page.rematch"), "rematch", "main", autofocus=True),
        ]
    if viewer.session.waits_for().kind != "round":
        return None
    if is_evening_over(viewer):
        return [
            button(viewer.translate("page.one_more_round"), "next"),
            button(viewer.translate("page.evening_over"), "end-match", "main", autofocus=True),
        ]
    taught = viewer.played.lesson
    text = viewer.translate("page.real_round" if taught else "page.next_round")
    end = None if taught else end_button(viewer)
    return [end, button(text, "next", "main", autofocus=True)]


def is_evening_over(viewer: Viewer) -> bool:
    """Return whether the rounds that people wanted to play have been played."""
    stops_after = viewer.session.stops_after
    return 0 < stops_after <= viewer.session.round_shown()


def may_end(viewer: Viewer) -> bool:
    """Return whether the viewer may end the match now, between two rounds."""
    if viewer.table.kind != "play" or not (viewer.seats.own() or viewer.rights.owner):
        return False
    return viewer.session.waits_for().kind == "round"


def end_button(viewer: Viewer, classes: str = "") -> h.Node:
    return button(viewer.translate("page.end_match"), "open end-match", classes)


def would_win(viewer: Viewer) -> str:
    """Return a sentence that names who would win if the match ended now."""
    best = [rank.seat for rank in viewer.table.sheet.ranks() if rank.place == 1]
    if [*map(str, best)] == [viewer.you]:
        return viewer.translate("page.you_would_win")
    names = viewer.translate.joined("page.and", [viewer.seat_name(seat) for seat in best])
    key = "page.would_win_together" if len(best) > 1 else "page.would_win"
    return viewer.translate(key, name=names)
