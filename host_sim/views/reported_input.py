# SPDX-License-Identifier: MIT
"""What the `input` of a console line was: a gesture, a card or a typed command.

Firmware older than `by` and `did` did not say what became of an input. `filled` reads that from
what has changed, as far as it can be seen; a line's keys themselves are never altered.
"""

from collections import namedtuple

# word: tile, override, tag, press, draw, hold, redo, forget, card, or the console's own; what: the
# tile's text or a command's words, or None; slot: the slot's name, or None
Gesture = namedtuple("Gesture", "word what slot")

ALIKE = {"undo": "hold", "next": "press", "totals": "press"}  # a card or a command -> the gesture
PRESSED = {"next": "E", "totals": "M"}
OF_A_SEAT = ("join", "leave", "hand", "turn", "marker", "score")  # a seat and perhaps a number
ALIKE_DONE = {  # what an input did whatever changed
    **dict.fromkeys(("hold", "undo"), "took-back"),
    **dict.fromkeys(("hand", "boneyard", "turn", "marker"), "corrected"),
    **dict.fromkeys(("house", "set"), "chose"),
    "redo": "put-back",
    "forget": "cleared",
    "join": "joined",
    "leave": "left",
    "draw": "drew",
}
TAPPED = {"lobby": "opened", "engine": "opened", "play": "laid", "scoring": "counted"}
OF_ENGINE = {
    "lobby": "dealt",
    "engine": "match-over",
    "play": "round-over",
    "scoring": "round-over",
    "finished": "cleared",
}
# what must be the same in two lines when nothing was missed between them
TABLE = ("phase", "round", "engine", "turn", "open", "doubles", "hands", "boneyard", "scores")


def parse(said):
    """Return the Gesture of an input's text: `tap 12-5 3`, `press 3`, `tap seat 3 7`, `undo`."""
    word, *rest = said.lower().split()
    if word == "override":
        return Gesture("override", rest[0], slot(rest[-1]))
    if word == "tap":
        where = slot(rest.pop())
        if rest and rest[0] == "?":
            return Gesture("tag", None, where)
        if len(rest) == 1 and rest[0][0].isdigit():
            return Gesture("tile", rest[0], where)
        return _card(rest, where)
    if word in ("press", "hold", "draw", "forget"):
        return Gesture(word, None, slot(rest[0]) if rest else None)
    if word in OF_A_SEAT:
        return Gesture(word, " ".join(rest[1:]), slot(rest[0]) if rest else None)
    if word in ALIKE:
        return Gesture(ALIKE[word], None, PRESSED.get(word))
    return Gesture(word, " ".join(rest), None)


def _card(rest, where):
    """Return the gesture that a card stands for."""
    word = rest[0] if rest else ""
    if word == "seat":
        return Gesture("press", None, slot(rest[-1]))
    if word in ALIKE:
        return Gesture(ALIKE[word], None, PRESSED.get(word, where))
    if word in ("house", "set"):
        return Gesture(word, " ".join(rest[1:]), None)
    return Gesture("card", word, where)


def slot(name):
    """Return a slot's name as the console writes it: `M` for `m`."""
    return name.upper()


def inputs_missed(line, before):
    """Return whether inputs were missed: a line changed nothing, and yet the table is another."""
    return line["did"] == "showed" and any(line[key] != before[key] for key in TABLE)


def round_ended(line, before):
    """Return whether a round was over and settled with a line: its points are in the totals."""
    return before["phase"] in ("play", "scoring") and line["phase"] in ("engine", "finished")


def fill_in(line, before):
    """Return a line with `by` and `did`, where it has none, read from what has changed.

    before: the input line before it, or None. `did` stays None where nothing can be told.
    """
    if "did" in line:
        return line
    by = did = None
    if line["verdict"] == "ok":
        gesture = parse(line["input"])
        did = _did(gesture, line, before)
        by = _by(gesture, did, line, before)
    return {**line, "by": by, "did": did}


def _did(gesture, line, before):
    word = gesture.word
    if word in ALIKE_DONE:
        return ALIKE_DONE[word]
    if word not in ("tile", "override", "press", "score"):
        return "showed"
    if before is None:
        return None
    phase = before["phase"]
    if word == "score":
        return "done" if phase == "scoring" else "corrected"
    if word == "press":
        return _pressed(gesture.slot, line, before)
    return TAPPED.get(phase)


def _pressed(slot, line, before):
    """Return what a button did, by the phase it was in and what it changed."""
    phase = before["phase"]
    if slot == "M":
        if line["hands"] != before["hands"]:
            return "caught"
        return "showed" if line["boneyard"] else None  # somebody may be caught for nothing
    if slot == "E":
        return OF_ENGINE[phase]
    if phase == "lobby":
        return "joined" if slot in line["scores"] else "left"
    if phase == "play":
        if slot == str(before["turn"]):
            taken = line["hands"].get(slot, 0) > before["hands"].get(slot, 0)
            return "drew" if taken else "passed"
        return "knocked" if line["phase"] == "play" else "out"
    return {"engine": "drew", "scoring": "done", "finished": "cleared"}[phase]


def _by(gesture, did, line, before):
    """Return the seat whose input it was, a number, or None for nobody's."""
    if did == "caught":
        gained = [s for s, n in line["hands"].items() if n > before["hands"].get(s, n)]
        return int(gained[0]) if gained else None
    if before and did in ("laid", "drew", "passed") and before["phase"] == "play":
        return before["turn"]
    if did == "opened" and gesture.slot == "E":
        return line["turn"]
    nobodys = (None, "took-back", "put-back", "chose", "showed", "round-over", "match-over")
    if did in nobodys or gesture.word == "forget" or not (gesture.slot or "").isdigit():
        return None
    return int(gesture.slot)
