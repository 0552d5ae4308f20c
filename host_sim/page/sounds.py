# SPDX-License-Identifier: MIT
"""What is heard behind a console line: the tune that the hub's piezo plays."""

from roundhouse.drivers.piezo import TUNES

ROUND = ("play", "scoring", "finished")  # phases whose end is heard
SILENT = ("state", "power-up", "export", "help")


def tune_for(line, before):
    """Return which of the piezo's tunes an input's line sounds like; None: none.

    before: the input's line before it, or None.
    """
    if before is None or line.get("input", "state") in SILENT:
        return None
    if line["verdict"] != "ok":
        return "no"
    phase, did = line["phase"], line.get("did")
    if did in ("took-back", "put-back"):
        return "yes"
    if phase == before["phase"]:
        if did == "knocked":
            return "knock"
        return "turn" if line["turn"] not in (None, before["turn"]) else "yes"
    if phase == "finished":
        return "match"
    if before["phase"] in ROUND:
        return "out" if went_out(line, before) else "round"
    return "turn" if line["turn"] else "yes"


def went_out(line, before):
    """Whether a seat has gone out with an input."""
    hands = before["hands"]
    none_left = [seat for seat, count in line["hands"].items() if count == 0 != hands.get(seat)]
    return line["phase"] != "lobby" and (line.get("did") == "out" or bool(none_left))


def tones(tune):
    """Return a tune as [Hz, ms, Hz, ms, ...]."""
    return list(TUNES[tune])
