# SPDX-License-Identifier: MIT
"""How a round and a match end: what was left over, points, places, and every round's points."""

import htpy as h

from host_sim.page.components import button, figure, lesson_end, tiles
from host_sim.views.table_picture import SEAT_COLOURS

POINTS = ("points", "total", "rank")  # columns of a round that is counted


def ending(view):
    """Return what has ended and waits to be looked at, (what, round); None: nothing has."""
    state, rounds = view.state, view.table.sheet.rounds
    if not state or view.table.kind in ("empty", "replay"):
        return None  # who looks back goes on past an end as past anything else
    if state["phase"] == "finished":
        return "match", state["round"]
    if state["phase"] == "scoring":
        return "scoring", state["round"]
    if state["phase"] == "engine" and rounds:
        return "round", rounds[-1]["round"]
    return None


def end(view):
    """Return the dialog at the end of a round or a match."""
    what, number = ending(view)
    current = what == "scoring"
    rounds = view.table.sheet.rounds
    last = counted(view) if current else rounds[-1] if rounds else None
    return [
        button("×", "close", "ghost close", aria_label=view.say("page.close")),
        celebration(view) if what == "match" else None,
        h.h1[headline(view, what, last)],
        h.p[view.say("page.counting" if current else "page.what_was_left")],
        points(view, last, current) if last else None,
        lesson_words(view, number),
        h.div(".foot")[
            button(view.say("page.rounds"), "open rounds") if rounds else None,
            next_button(view, what),
        ],
    ]


def lesson_words(view, number):
    """Return what a lesson says at its end, and what else there is to learn."""
    taught = view.table.lesson if view.table.kind == "play" and view.rights.owner else None
    if not taught or not taught.done or number != 1:
        return None
    return [h.p(".learned")[taught.text(view.say)], lesson_end(view, taught)]


def counted(view):
    """Return what is known of the round that is being counted, as a finished one has it."""
    out = [row.seat for row in view.table.sheet.ranks() if row.out]
    return {"left": view.table.sheet.left_now, "points": {}, "out": out[0] if out else None}


def headline(view, what, last):
    """Return who has won the match, or who went out in the round."""
    winners = view.state["winner"] or []
    if what == "match" and winners:
        first, *others = [view.name(seat) for seat in winners]
        for name in others:
            first = view.say("page.and", first=first, last=name)
        return view.say("page.won_together" if others else "page.won", name=first)
    if last and last["out"]:
        return view.say("page.is_out", name=view.name(last["out"]))
    return view.say("page.round_over", number=view.state["round"])


def celebration(view):
    """Return confetti: a winner is celebrated."""
    colours = [SEAT_COLOURS[str(seat)] for seat in view.state["winner"] or []] or ["#ffa62b"]
    pieces = [
        h.i(style="--n:%d;background:%s" % (n, colours[n % len(colours)] if n % 3 else "#ffe2b0"))
        for n in range(28)
    ]
    return h.div(".confetti", aria_hidden="true")[pieces]


def points(view, last, current):
    """Return the table of a round: what each seat had left, its points and its total.

    current: it is still being counted, and nobody has points yet.
    """
    rows = []
    for row in view.table.sheet.ranks():
        left = last["left"].get(row.seat, [])
        rows.append(
            h.tr(class_="best" if row.place == 1 and not current else None)[
                h.td[
                    h.span(".dot", style="background:" + SEAT_COLOURS[str(row.seat)]),
                    view.name(row.seat),
                ],
                h.td[tiles(left) if left else view.say("page.nothing_left")],
                None
                if current
                else [
                    h.td[figure(last["points"].get(row.seat))],
                    h.td[h.b[figure(row.total)]],
                    h.td(".rank")[view.say("page.place", number=row.place)],
                ],
            ]
        )
    heads = ("player", "left_over") if current else ("player", "left_over", *POINTS)
    return h.div(".wide")[
        h.table(".points")[
            h.thead[h.tr[[h.th(scope="col")[view.say("page." + head)] for head in heads]]],
            h.tbody[rows],
        ]
    ]


def history(view):
    """Return the points of every round, one column per seat."""
    seats = [row.seat for row in view.table.sheet.ranks()]
    totals = {row.seat: row.total for row in view.table.sheet.ranks()}
    body = [
        h.tr[
            h.th(scope="row")[past["round"]],
            [h.td[figure(past["points"].get(seat))] for seat in seats],
        ]
        for past in view.table.sheet.rounds
    ]
    return h.div(".wide")[
        h.table(".points.history")[
            h.thead[
                h.tr[
                    h.th(scope="col")[view.say("page.round_short")],
                    [h.th(scope="col")[view.name(seat)] for seat in seats],
                ]
            ],
            h.tbody[body],
            h.tfoot[
                h.tr[
                    h.th(scope="row")[view.say("page.total")],
                    [h.td[h.b[figure(totals[s])]] for s in seats],
                ]
            ],
        ]
    ]


def next_button(view, what):
    """Return what goes on from here."""
    if view.table.kind != "play" or not (view.seats() or view.rights.owner):
        return button(view.say("page.close"), "close", "main")
    if what == "match":
        new = view.rights.owner and view.app.store
        return button(view.say("page.new"), "open new", "main") if new else None
    if view.table.session.waits_for().kind != "round":
        return None
    return button(view.say("page.next_round"), "next", "main", autofocus=True)
