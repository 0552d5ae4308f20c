# SPDX-License-Identifier: MIT
"""Parses the input that a console line of the hub reports: a gesture, a card or a typed command.

Lines of older firmware lack the keys `by` (who) and `did` (what was done). `with_did` deduces them
from the changes on the table.
"""

from collections.abc import Mapping
from typing import NamedTuple

from host_sim.console_line import ConsoleLine


class Gesture(NamedTuple):
    """An input, split into its parts. A part that the input lacks is "".

    word: tile, override, tag, press, draw, hold, redo, forget, card, or a console command
    what: the tile's text, the card's word, or the arguments of the command
    """

    word: str = ""
    what: str = ""
    slot: str = ""

    @property
    def tile(self) -> str:
        """The text of the tapped tile, or "" if no tile was tapped."""
        return self.what if self.word in ("tile", "override") else ""


ALIKE = {"undo": "hold", "next": "press", "totals": "press"}  # a card or a command -> the gesture
PRESSED = {"next": "E", "totals": "M"}
OF_A_SEAT = ("join", "leave", "hand", "turn", "marker", "score")  # a seat and perhaps a number
ALIKE_DONE = {  # what an input did, regardless of what changed
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
PRESSED_E = {
    "lobby": "dealt",
    "engine": "match-over",
    "play": "round-over",
    "scoring": "round-over",
    "finished": "cleared",
}
# what must be the same in two lines when nothing was missed between them
TABLE = ("phase", "round", "engine", "turn", "open", "doubles", "hands", "boneyard", "scores")


def parse(text: str) -> Gesture:
    """Return the Gesture for the text of an input, like `tap 12-5 3`, `press 3`, `tap seat 3 7` or
    `undo`."""
    word, *rest = text.lower().split()
    if word == "override":
        return Gesture("override", rest[0], rest[-1].upper())
    if word == "tap":
        slot = rest.pop().upper()
        if rest and rest[0] == "?":
            return Gesture("tag", "", slot)
        if len(rest) == 1 and rest[0][0].isdigit():
            return Gesture("tile", rest[0], slot)
        return _card(rest, slot)
    if word in ("press", "hold", "draw", "forget"):
        return Gesture(word, "", rest[0].upper() if rest else "")
    if word in OF_A_SEAT:
        return Gesture(word, " ".join(rest[1:]), rest[0].upper() if rest else "")
    if word in ALIKE:
        return Gesture(ALIKE[word], "", PRESSED.get(word, ""))
    return Gesture(word, " ".join(rest))


def _card(rest: list[str], slot: str) -> Gesture:
    word = rest[0] if rest else ""
    if word == "seat":
        return Gesture("press", "", rest[-1].upper())
    if word in ALIKE:
        return Gesture(ALIKE[word], "", PRESSED.get(word, slot))
    if word in ("house", "set"):
        return Gesture(word, " ".join(rest[1:]))
    return Gesture("card", word, slot)


def missed(line: ConsoleLine, before: ConsoleLine) -> bool:
    """Return whether inputs are missing between two console lines: the table has changed, but not
    by the later line's input."""
    now: Mapping[str, object] = line
    was: Mapping[str, object] = before
    return now["did"] == "showed" and any(now[key] != was[key] for key in TABLE)


def gained(line: ConsoleLine, before: ConsoleLine) -> list[str]:
    """Return the seats whose counted hands have grown since an earlier console line."""
    counts = [(seat, n, before["hands"].get(seat, n)) for seat, n in line["hands"].items()]
    return [seat for seat, n, was in counts if n is not None and was is not None and n > was]


def is_still_held(line: ConsoleLine, before: ConsoleLine) -> bool:
    """Return whether an input resumed a round that seemed to be over, by correcting the hand of
    the seat that seemed to be out."""
    return (before["phase"], line["phase"], line["did"]) == ("scoring", "play", "corrected")


def round_ended(line: ConsoleLine, before: ConsoleLine) -> bool:
    return before["phase"] in ("play", "scoring") and line["phase"] in ("engine", "finished")


def with_did(line: ConsoleLine, before: ConsoleLine | None) -> ConsoleLine:
    """Return a console line with the keys `by` (who) and `did` (what was done). Missing values are
    deduced from the changes since the line `before`. A value that cannot be deduced is None."""
    if "did" in line:
        return line
    by = did = None
    if line["verdict"] == "ok":
        gesture = parse(line["input"])
        did = _did(gesture, line, before)
        by = _by(gesture, did, line, before)
    return {**line, "by": by, "did": did}


def _did(gesture: Gesture, line: ConsoleLine, before: ConsoleLine | None) -> str | None:
    word = gesture.word
    if word in ("house", "set") and not gesture.what:
        return "showed"
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


def _pressed(slot: str, line: ConsoleLine, before: ConsoleLine) -> str | None:
    phase = before["phase"]
    if slot == "M":
        if line["hands"] != before["hands"]:
            return "caught"
        return None if line["boneyard"] == 0 else "showed"  # perhaps caught, with no tile to draw
    if slot == "E":
        return PRESSED_E[phase]
    if phase == "lobby":
        return "joined" if slot in line["scores"] else "left"
    if phase == "play":
        if slot == str(before["turn"]):
            return "drew" if slot in gained(line, before) else "passed"
        return "knocked" if line["phase"] == "play" else "out"
    return {"engine": "drew", "scoring": "done", "finished": "cleared"}[phase]


def _by(
    gesture: Gesture, did: str | None, line: ConsoleLine, before: ConsoleLine | None
) -> int | None:
    if before and did == "caught":
        caught = gained(line, before)
        return int(caught[0]) if caught else None
    if before and did in ("laid", "drew", "passed") and before["phase"] == "play":
        return before["turn"]
    if did == "opened" and gesture.slot == "E":
        return line["turn"]
    of_no_seat = (None, "took-back", "put-back", "chose", "showed", "round-over", "match-over")
    if did in of_no_seat or gesture.word == "forget" or not gesture.slot.isdigit():
        return None
    return int(gesture.slot)
