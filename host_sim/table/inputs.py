# SPDX-License-Identifier: MIT
"""Parses the input that a console line reports: a gesture, a card or a typed command."""

from collections.abc import Mapping
from typing import NamedTuple

from host_sim.table.console_line import ConsoleLine


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
OF_A_SEAT = ("join", "leave", "hand", "turn", "marker", "score", "total")  # and perhaps a number
# Which gesture an accepted input may have been: {did: {the gesture's word: where it was made}}.
# Where: S at a station, M, E, or - for no slot. `showed` may be anything.
GESTURES: dict[str, Mapping[str, str]] = {
    "joined": {"press": "S", "join": "S"},
    "left": {"press": "S", "leave": "S"},
    "dealt": {"press": "E"},
    "opened": {"tile": "SE"},
    "laid": {"tile": "SM", "override": "SM"},
    "drew": {"press": "S", "draw": "S"},
    "passed": {"press": "S"},
    "knocked": {"press": "S"},
    "out": {"press": "S"},
    "caught": {"press": "M"},
    "counted": {"tile": "S"},
    "done": {"press": "S", "score": "S"},
    "round-over": {"press": "E"},
    "match-over": {"press": "E"},
    "cleared": {"press": "SE", "forget": "SME"},
    "took-back": {"hold": "SME-"},
    "put-back": {"redo": "-"},
    "chose": {"house": "-", "set": "-"},
    "corrected": {
        **dict.fromkeys(("tile", "hand", "turn", "marker", "score", "total"), "S"),
        "boneyard": "-",
    },
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


def fits(did: str | None, gesture: Gesture) -> bool:
    """Return whether GESTURES lists this gesture for `did`."""
    if did not in GESTURES:
        return True
    return place(gesture) in GESTURES[did].get(gesture.word, "")


def place(gesture: Gesture) -> str:
    """Return where a gesture was made, as in GESTURES."""
    return gesture.slot if gesture.slot in ("M", "E") else "S" if gesture.slot else "-"


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
