# SPDX-License-Identifier: MIT
"""The pieces of the page that are always there: head, table, scores, story, lesson."""

import htpy as h
from markupsafe import Markup

from host_sim.games import are_trains
from host_sim.page.table_models import PACES
from host_sim.views import guide_pictures, table_picture
from host_sim.views.story import plain
from host_sim.views.table_picture import SEAT_COLOURS
from host_sim.views.tile_faces import face

# signs on the tape's buttons, drawn: not every machine has letters for them
SIGNS = {
    "round-back": "M5 5h2v14H5zM19 5v14L8 12z",
    "back": "M17 5v14L6 12z",
    "run": "M7 4v16l13-8z",
    "stand": "M6 5h4v14H6zM14 5h4v14h-4z",
    "on": "M7 5v14l11-7z",
    "round-on": "M5 5v14l11-7zM17 5h2v14h-2z",
}
SPOKEN = 3  # sentences that a screen reader hears at once


def button(words, do, kind="", **more):
    """Return a button that does an action."""
    return h.button(type="button", class_=kind or None, data_do=do, **more)[words]


# ---- head ----


def head(view):
    """Return the top line: which game, whose turn, and what can be opened."""
    table = view.table
    return [
        h.b(".brand")["Roundhouse"],
        h.span(".house")[match_words(view)],
        h.span(".turn")[turn_words(view)],
        h.nav[
            seated_buttons(view) if view.seats() else None,
            button(
                view.say("page.sound_off" if view.quiet else "page.sound_on"),
                "sound",
                "ghost",
                aria_label=view.say("page.sound"),
                aria_pressed="false" if view.quiet else "true",
            ),
            button("?", "open legend", "ghost", aria_label=view.say("page.legend")),
            button(view.say("page.menu"), "open menu") if table.kind != "empty" else None,
        ],
    ]


def seated_buttons(view):
    """Return the buttons of whoever has a hand: a hint, and what a take-back would take back."""
    return [
        button(view.say("page.hint"), "hint", "ghost", disabled=not view.on_turn()),
    ]


def match_words(view):
    """Return which game and which round, in a line."""
    state, table = view.state, view.table
    if not state:
        return ""
    words = [view.say("games." + table.seen.game)]
    if state["round"]:
        words.append(view.say("page.round", number=state["round"]))
    if state["engine"] and are_trains(table.seen.game):
        words.append(view.say("page.engine", tile=state["engine"]))
    if state["phase"] == "play":
        words.append(view.say("page.boneyard", count=state["boneyard"]))
    return " · ".join(words)


def turn_words(view):
    """Return whose turn it is, or what the table waits for."""
    state = view.state
    if not state:
        return ""
    status = view.table.status()
    if status:
        key, values = status
        return h.span(".trouble")[view.say(key, **values)]
    seat = state["turn"]
    if state["phase"] != "play" or not seat:
        return view.say("page.phase_" + state["phase"]) if state["phase"] != "play" else ""
    dot = h.i(style="background:" + SEAT_COLOURS[str(seat)])
    if view.seats() == {seat} or view.seat() == seat:
        return [dot, view.say("page.your_turn", name=view.name(seat))]
    return [dot, view.say("page.turn_of", name=view.name(seat))]


# ---- table ----


def table(view):
    """Return the picture of the table; where the chosen tile fits is marked."""
    if not view.state:
        key, values = view.table.status() or ("page.no_table", {})
        return h.p(".empty")[view.say(key, **values)]
    marked = set()
    seat = view.seat()
    if seat and view.chosen and view.on_turn():
        marked = set(view.table.session.fits(seat).get(view.chosen, ()))
    wanted = view.wanted()
    if wanted and wanted.slot:
        marked.add(wanted.slot)
    sides = table_picture.sides(view.table.seen, view.say)
    return [Markup(view.picture(seat, frozenset(marked))), h.p(".sides")[sides] if sides else None]


# ---- scores ----


def scores(view):
    """Return the names by rank, with tiles and points."""
    state = view.state
    if not state:
        return ""
    rows = [score_row(view, row) for row in view.table.sheet.ranks()]
    return [h.h2[view.say("page.score")], h.ol(".scores")[rows]]


def figure(points):
    """Return points as text; a shared tie may give a half."""
    return "" if points is None else plain(points)


def score_row(view, row):
    """Return a seat's row: place, colour, name, tiles, points."""
    tiles = ""
    if view.state["phase"] == "play":
        tiles = view.say("page.one_tile" if row.hand == 1 else "page.tiles", count=row.hand)
    return h.li(class_="now" if str(view.state["turn"]) == str(row.seat) else None)[
        h.span(".rank")[row.place],
        h.span(".dot", style="background:" + SEAT_COLOURS[str(row.seat)]),
        h.span(".name")[view.name(row.seat)],
        h.small[tiles],
        h.b[figure(row.total)],
    ]


# ---- story ----


def story(view):
    """Return what happened, newest first."""
    items = [
        h.li(class_=said.kind + (" first" if n == 0 else ""))[said.text]
        for n, said in enumerate(reversed(view.said))
    ]
    return [h.h2[view.say("page.story")], h.ul(".story")[items]] if items else ""


def live(view):
    """Return what has just been said, for people who hear the page."""
    return " ".join(said.text for said in view.fresh[-SPOKEN:])


# ---- lesson, and the tape of a replay ----


def lesson(view):
    """Return the bar below the table: the lesson's step, or the tape of a replay."""
    if view.table.kind == "replay":
        return tape(view)
    taught = view.table.lesson if view.table.kind == "play" else None
    if not taught or not view.seats() or view.state["round"] > 1:
        return ""
    shows = taught.topic == "forgotten"
    return h.div(".lesson")[
        h.b[view.say("page.step", step=taught.step, steps=taught.steps)],
        h.p[taught.text(view.say)],
        Markup("".join(guide_pictures.forgotten(view.table.seen.set))) if shows else None,
        lesson_end(view, taught) if taught.done else None,
        button(view.say("page.leave_lesson"), "open new", "ghost"),
    ]


def lesson_end(view, taught):
    """Return what comes behind a lesson: the other one, or a match."""
    if taught.topic == "round":
        return button(view.say("page.learn_more"), "learn forgotten")
    return button(view.say("page.play"), "open new", "main")


def tape(view):
    """Return the buttons of a match that is looked back at."""
    table = view.table
    runs = table.tape.runs
    if not view.rights.owner:
        return ""
    return h.div(".tape")[
        tape_button(view, "round-back", "round_back"),
        tape_button(view, "back", "step_back"),
        tape_button(view, "run", "stand" if runs else "run", "stand" if runs else "run"),
        tape_button(view, "on", "step_on"),
        tape_button(view, "round-on", "round_on"),
        button(view.say("page.rounds"), "open rounds", "ghost") if table.sheet.rounds else None,
        h.span(".at")[view.say("page.tape_at", at=table.tape.at, of=table.tape.last)],
        h.progress(value=table.tape.at, max=max(1, table.tape.last)),
    ]


def tape_button(view, way, words, sign=""):
    """Return a button of the tape."""
    drawn = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="%s"/></svg>' % SIGNS[sign or way]
    kind = "main" if sign else ""
    return button(Markup(drawn), "tape " + way, kind, aria_label=view.say("page." + words))


def tiles(texts, lying=True):
    """Return faces of tiles in a row."""
    return h.span(".faces")[[Markup(face(*map(int, t.split("-")), lying=lying)) for t in texts]]


def paces(view):
    """Return the choice of how fast bots play."""
    return h.span(".paces", role="group", aria_label=view.say("page.pace"))[
        [
            button(
                view.say("page.pace_" + pace),
                "pace " + pace,
                "on" if view.app.pace == pace else "",
                aria_pressed="true" if view.app.pace == pace else "false",
            )
            for pace in PACES
        ]
    ]
