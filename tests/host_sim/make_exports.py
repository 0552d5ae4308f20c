# SPDX-License-Identifier: MIT
"""What a hub said in one round of each house, as a file for each house in exports/.

First the lines as firmware printed them that knew no `by` and no `did`, then what `export`
answered. To make them again, after the journal's format has changed:

    PYTHONPATH=.:firmware .venv/bin/python tests/host_sim/make_exports.py
"""

import json
from pathlib import Path

from host_sim.hub.simulated_hub import SimulatedHub
from host_sim.people.bots import BotMatch
from roundhouse.games import houses

FOLDER = Path(__file__).with_name("exports")
SEATS = (1, 3)
SET = 6
SEED = 4


def lines(house):
    """Return the lines of one round of bots, and of an export of it, as dicts."""
    board = SimulatedHub(seed=SEED)
    BotMatch(board, SEATS, house, SET, SEED, slips=0.3).play(1)
    older = [
        {key: value for key, value in line.items() if key not in ("by", "did")}
        for line in board.lines
    ]
    before = len(board.lines)
    board.say("export")
    while board.lines[-1].get("input") != "export":
        board.run(100)
    return older + board.lines[before:]


if __name__ == "__main__":
    for name in houses.HOUSES:
        text = "".join(json.dumps(line) + "\n" for line in lines(name))
        (FOLDER / (name + ".jsonl")).write_text(text)
