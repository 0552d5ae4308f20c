# SPDX-License-Identifier: MIT
"""The pieces of the page that are always there: head, table, scores, story, lesson."""

import htpy as h
from markupsafe import Markup

from host_sim.games import are_trains
from host_sim.page.shown_table import PACES
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
    """Return a button that does a deed."""
    return h.button(type="button", class_=kind or None, data_do=do, **more)[words]


# ---- head ----


def head(desk):
    """Return the top line: which game, whose turn, and what can be opened."""
    table = desk.table
    return [
        h.b(".brand")["Roundhouse"],
        h.span(".house")[match_words(desk)],
        h.span(".turn")[turn_words(desk)],
        h.nav[
            seated_buttons(desk) if desk.seats() else None,
            button(
                desk.say("page.sound_off" if desk.quiet else "page.sound_on"),
                "sound",
                "ghost",
                aria_label=desk.say("page.sound"),
                aria_pressed="false" if desk.quiet else "true",
            ),
            button("?", "open legend", "ghost", aria_label=desk.say("page.legend")),
            button(desk.say("page.menu"), "open menu") if table.kind != "empty" else None,
        ],
    ]


def seated_buttons(desk):
    """Return the buttons of whoever has a hand: a hint, and what a take-back would take back."""
    return [
        button(desk.say("page.hint"), "hint", "ghost", disabled=not desk.on_turn()),
    ]


def match_words(desk):
    """Return which game and which round, in a line."""
    state, table = desk.state, desk.table
    if not state:
        return ""
    words = [desk.say("games." + table.seen.game)]
    if state["round"]:
        words.append(desk.say("page.round", number=state["round"]))
    if state["engine"] and are_trains(table.seen.game):
        words.append(desk.say("page.engine", tile=state["engine"]))
    if state["phase"] == "play":
        words.append(desk.say("page.boneyard", count=state["boneyard"]))
    return " · ".join(words)


def turn_words(desk):
    """Return whose turn it is, or what the table waits for."""
    state = desk.state
    if not state:
        return ""
    status = desk.table.status()
    if status:
        key, values = status
        return h.span(".trouble")[desk.say(key, **values)]
    seat = state["turn"]
    if state["phase"] != "play" or not seat:
        return desk.say("page.phase_" + state["phase"]) if state["phase"] != "play" else ""
    dot = h.i(style="background:" + SEAT_COLOURS[str(seat)])
    if desk.seats() == {seat} or desk.seat() == seat:
        return [dot, desk.say("page.your_turn", name=desk.name(seat))]
    return [dot, desk.say("page.turn_of", name=desk.name(seat))]


# ---- table ----


def table(desk):
    """Return the picture of the table; where the chosen tile fits is marked."""
    if not desk.state:
        key, values = desk.table.status() or ("page.no_table", {})
        return h.p(".empty")[desk.say(key, **values)]
    marked = set()
    seat = desk.seat()
    if seat and desk.chosen and desk.on_turn():
        marked = set(desk.table.sitting.fits(seat).get(desk.chosen, ()))
    wanted = desk.wanted()
    if wanted and wanted.slot:
        marked.add(wanted.slot)
    sides = table_picture.sides(desk.table.seen, desk.say)
    return [Markup(desk.picture(seat, frozenset(marked))), h.p(".sides")[sides] if sides else None]


# ---- scores ----


def scores(desk):
    """Return the names by rank, with tiles and points."""
    state = desk.state
    if not state:
        return ""
    rows = [score_row(desk, row) for row in desk.table.sheet.ranks()]
    return [h.h2[desk.say("page.score")], h.ol(".scores")[rows]]


def figure(points):
    """Return points as text; a shared tie may give a half."""
    return "" if points is None else plain(points)


def score_row(desk, row):
    """Return a seat's row: place, colour, name, tiles, points."""
    tiles = ""
    if desk.state["phase"] == "play":
        tiles = desk.say("page.one_tile" if row.hand == 1 else "page.tiles", count=row.hand)
    return h.li(class_="now" if str(desk.state["turn"]) == str(row.seat) else None)[
        h.span(".rank")[row.place],
        h.span(".dot", style="background:" + SEAT_COLOURS[str(row.seat)]),
        h.span(".name")[desk.name(row.seat)],
        h.small[tiles],
        h.b[figure(row.total)],
    ]


# ---- story ----


def story(desk):
    """Return what happened, newest first."""
    items = [
        h.li(class_=said.kind + (" first" if n == 0 else ""))[said.text]
        for n, said in enumerate(reversed(desk.said))
    ]
    return [h.h2[desk.say("page.story")], h.ul(".story")[items]] if items else ""


def live(desk):
    """Return what has just been said, for people who hear the page."""
    return " ".join(said.text for said in desk.fresh[-SPOKEN:])


# ---- lesson, and the tape of a replay ----


def lesson(desk):
    """Return the bar below the table: the lesson's step, or the tape of a replay."""
    if desk.table.kind == "replay":
        return tape(desk)
    taught = desk.table.lesson if desk.table.kind == "play" else None
    if not taught or not desk.seats() or desk.state["round"] > 1:
        return ""
    shows = taught.topic == "forgotten"
    return h.div(".lesson")[
        h.b[desk.say("page.step", step=taught.step, steps=taught.steps)],
        h.p[taught.text(desk.say)],
        Markup("".join(guide_pictures.forgotten(desk.table.seen.set))) if shows else None,
        lesson_end(desk, taught) if taught.done else None,
        button(desk.say("page.leave_lesson"), "open new", "ghost"),
    ]


def lesson_end(desk, taught):
    """Return what comes behind a lesson: the other one, or a match."""
    if taught.topic == "round":
        return button(desk.say("page.learn_more"), "learn forgotten")
    return button(desk.say("page.play"), "open new", "main")


def tape(desk):
    """Return the buttons of a match that is looked back at."""
    table = desk.table
    runs = table.tape.runs
    if not desk.rights.owner:
        return ""
    return h.div(".tape")[
        tape_button(desk, "round-back", "round_back"),
        tape_button(desk, "back", "step_back"),
        tape_button(desk, "run", "stand" if runs else "run", "stand" if runs else "run"),
        tape_button(desk, "on", "step_on"),
        tape_button(desk, "round-on", "round_on"),
        button(desk.say("page.rounds"), "open rounds", "ghost") if table.sheet.rounds else None,
        h.span(".at")[desk.say("page.tape_at", at=table.tape.at, of=table.tape.last)],
        h.progress(value=table.tape.at, max=max(1, table.tape.last)),
    ]


def tape_button(desk, way, words, sign=""):
    """Return a button of the tape."""
    drawn = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="%s"/></svg>' % SIGNS[sign or way]
    kind = "main" if sign else ""
    return button(Markup(drawn), "tape " + way, kind, aria_label=desk.say("page." + words))


def tiles(texts, lying=True):
    """Return faces of tiles in a row."""
    return h.span(".faces")[[Markup(face(*map(int, t.split("-")), lying=lying)) for t in texts]]


def paces(desk):
    """Return the choice of how fast bots play."""
    return h.span(".paces", role="group", aria_label=desk.say("page.pace"))[
        [
            button(
                desk.say("page.pace_" + pace),
                "pace " + pace,
                "on" if desk.hall.pace == pace else "",
                aria_pressed="true" if desk.hall.pace == pace else "false",
            )
            for pace in PACES
        ]
    ]
