# SPDX-License-Identifier: MIT
"""The piezo's tunes as the page plays them: which tune an input has, and the tones of each
tune."""

from dataclasses import dataclass

from host_sim.table.model import Moment
from roundhouse.drivers.piezo import TUNES

ROUND = ("play", "scoring", "finished")  # phases whose end has a sound
SILENT = ("state", "power-up", "export", "help")
SPOKEN = ("off", "turns", "everything", "scores")  # what the browser says aloud


@dataclass
class SoundSettings:
    """What a viewer hears.

    volume: in percent
    spoken: one of SPOKEN
    """

    muted: bool = False
    volume: int = 100
    spoken: str = "off"


def tune(moment: Moment) -> str | None:
    """Return the name of the tune that the hub plays at a Moment, or None for silence."""
    line, before = moment.line, moment.before
    if moment.first or moment.gesture.word in ("", *SILENT):
        return None
    if line["verdict"] != "ok":
        return "no"
    phase, did = line["phase"], line["did"]
    if did in ("took-back", "put-back"):
        return "yes"
    if phase == before["phase"]:
        if did == "knocked":
            return "knock"
        return "turn" if line["turn"] not in (None, before["turn"]) else "yes"
    if phase == "finished":
        return "match"
    if before["phase"] in ROUND and phase != "play":  # otherwise the round goes on (O12)
        return "out" if _went_out(moment) else "round"
    return "turn" if line["turn"] else "yes"


def _went_out(moment: Moment) -> bool:
    """Return whether a seat laid its last tile with the input of this Moment."""
    line, hands = moment.line, moment.before["hands"]
    none_left = [seat for seat, count in line["hands"].items() if count == 0 != hands.get(seat)]
    return line["phase"] != "lobby" and (line["did"] == "out" or bool(none_left))


def tones(name: str) -> list[int]:
    """Return the tones of a tune as [frequency in Hz, duration in ms, frequency, duration,
    ...]."""
    return list(TUNES[name])
