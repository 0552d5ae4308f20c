# SPDX-License-Identifier: MIT
"""Matches in the middle, as a released firmware kept them: a file each in of_1_0_0/, among them
one of each house in each phase.

First config.py's settings that matter, then the journal's segments as `export` says them, then
what that firmware went on to say: the power-up line, and the lines of the inputs that came after
it, each with the keys that changed since the line before. Lamps and version are left out.

They are kept for good: every later firmware has to carry on from there and say the same. The
files were made by the code of 1.0.0 itself, in a checkout of its commit:

    git worktree add ../roundhouse-1.0.0 6846325
    cp tests/firmware/record_matches.py ../roundhouse-1.0.0
    (cd ../roundhouse-1.0.0 && PYTHONPATH=.:firmware python record_matches.py OUTPUT_FOLDER)
"""

import json
import random
import sys
import tempfile
from pathlib import Path

from host_sim.hub.simulated_hub import SimulatedHub, configured
from roundhouse import constants, tiles
from roundhouse.games.match import Match

LEFT_OUT = ("lamps", "version", "vsys")
OWN = {"ours": ("quebec", {"not-begun": "own"})}
BACK = ["undo"]
FORTH = ["redo"]
THREE = ["press 1", "press 4", "press 6"]

# name -> settings, what was played before the power went, what is played after it. A number is
# so many accepted inputs, drawn by chance.
SCENES = {
    "lobby": (
        {"HOUSE": "puremco"},
        [*THREE, "house jassshop no-lock", "set 9", "press 6", "press 7"],
        ["state", "hold 7", *BACK * 6, *FORTH * 7, "press E", "unplug", *BACK * 2],
    ),
    "engine": (
        {"HOUSE": "jassshop"},
        [*THREE, "press E", "press 4", "press 6"],
        ["press 1", "tap 12-12 E", "tap 12-12 6", 6, "unplug", *BACK * 14, *FORTH * 14],
    ),
    "first-turns": (
        {"HOUSE": "ours", "FAMILY": OWN},
        [*THREE, "tap 12-12 1", "tap 12-5 1"],
        ["tap 12-6 M", "tap 6-1 M", "press 1", "press 1", "tap 1-0 M", "tap 12-7 4", "tap 0-4 M"]
        + ["unplug", *BACK * 8, *FORTH * 8, "tap 4-0 4"],
    ),
    "first-turns-played": (
        {"HOUSE": "ours", "FAMILY": OWN},
        [*THREE, "tap 12-12 1", "tap 12-5 1", "tap 12-6 M", "tap 6-1 M", 60],
        ["state", 5, *BACK * 69, "tap 12-6 M", *BACK * 2],
    ),
    "long": (
        {"HOUSE": "quebec"},
        ["set 9", "press 1", "press 2", "press 5", "press 9", "tap 9-9 E", 110],
        ["state", 4, "hold 5", *BACK * 60, *FORTH * 12, 3, "unplug"],
    ),
    "scoring": (
        {"HOUSE": "goliath", "SET": 6},
        [*THREE, "tap 6-6 1", 18, "press E", "tap 0-0 1", "tap 3-3 4"],
        ["press M", "score 1 7", "score 4 9", "score 6 2", *BACK * 12, *FORTH * 12],
    ),
    "finished": (
        {"HOUSE": "matador"},
        ["press 2", "press 3", "press E", "tap 6-6 2", 5, "press E", "score 2 3", "score 3 8"]
        + ["press E", "press E"],
        ["state", "press E", "unplug", *BACK * 9, *FORTH * 9, "press 3"],
    ),
    "lines": (
        {"HOUSE": "classic"},
        ["press 2", "press 3", "press 8", "press E", "tap 6-6 2", 30],
        [4, *BACK * 20, *FORTH * 8, "unplug", 5],
    ),
    "forgotten": (
        {"HOUSE": "original", "SET": 12},
        [*THREE, "tap 12-12 4", 12, "forget", "press 2", "press 3", "house free", "press E"],
        ["tap 7-7 2", "override 7-1 2", "hand 3 9", *BACK * 12, *FORTH * 5, "unplug", *BACK * 2],
    ),
    "corrected": (
        {"HOUSE": "puremco"},
        [*THREE, "tap 12-12 4", 9, "override 7-1 1", "marker 4", "hand 6 3", "turn 1"]
        + ["boneyard 30", "leave 6", "join 8"],
        ["state", "tap 7-2 1", 3, *BACK * 16, *FORTH * 10],
    ),
}

HOUSES = "original quebec puremco jassshop goliath free classic matador tiddle-a-wink draw block"
for house in HOUSES.split():
    lobby = ["press 1", "press 4", "press 6"]
    play = [*lobby, "press E", 10]
    scoring = [*play, "press E", "score 1 7", "score 4 9"]
    for phase, before in (
        ("lobby", lobby),
        ("engine", [*lobby, "press E"]),
        ("play", play),
        ("scoring", scoring),
        ("finished", [*scoring, "score 6 2", "press E"]),
    ):
        after = ["state", 2, *BACK * 4, *FORTH * 3, "unplug"]
        SCENES["%s-%s" % (house, phase)] = ({"HOUSE": house, "SET": 6}, before, after)


def act(hub, step):
    """Do one step, as the console says it; return the line that answers it."""
    word, *rest = step.split()
    if word == "unplug":
        hub.unplug()
        return hub.inputs[-1]
    if word == "forget":
        hub.press("E", 5500)
        return hub.press("E")
    if word in ("tap", "override"):
        return getattr(hub, word)(" ".join(rest[:-1]), rest[-1])
    if word in ("press", "hold"):
        return getattr(hub, word)(rest[0])
    return hub.say(step)


def any_input(hub, chance):
    """Return a step that the hub will accept: a tile mostly, else a draw or a pass; where no round
    is played what leads to the next one."""
    t, scratch = hub.hub.table, Match()
    found = []
    opens = t.phase == constants.ENGINE
    for slot in range(12) if opens else range(1, 12):
        for tile in range(tiles.size(t.set)) if opens or t.playable >> slot & 1 else ():
            scratch.restore(t.state)
            if not scratch.apply(constants.TAP, slot, tile):
                found.append("tap %s %s" % (tiles.text(tile), constants.slot_name(slot)))
    if not t.turn:
        return chance.choice(found) if found else "press E"
    return chance.choice([*found[:12], "press %d" % t.turn, "press %d" % t.turn])


def steps(hub, told, chance):
    """Do all that is told; yield the lines."""
    for one in told:
        for _ in range(one if isinstance(one, int) else 1):
            yield act(hub, any_input(hub, chance) if isinstance(one, int) else one)


def record(name):
    """Yield what a file says, as objects."""
    changes, before, after = SCENES[name]
    chance = random.Random(name)
    with tempfile.TemporaryDirectory() as folder:
        config = configured(**{"SET": None, **changes})
        hub = SimulatedHub(config, folder)
        for line in steps(hub, before, chance):
            assert line["verdict"] == "ok", line
        yield {"config": changes}
        for file in sorted(Path(folder).glob("*.rhj")):
            yield {"segment": int(file.stem), "data": file.read_bytes().hex()}
        last = {}
        for line in steps(hub, ["unplug", *after], chance):
            kept = {key: value for key, value in line.items() if key not in LEFT_OUT}
            changed = {key: value for key, value in kept.items() if last.get(key) != value}
            yield {"input": kept["input"], **changed}
            last = kept


if __name__ == "__main__":
    for name in SCENES:
        text = "".join(json.dumps(said) + "\n" for said in record(name))
        Path(sys.argv[1], name + ".jsonl").write_text(text)
