# SPDX-License-Identifier: MIT
"""What a hub said in one round of each house, as a file for each house in exports/.

First the lines as firmware printed them that knew no `by` and no `did`, then what `export`
answered. After the journal's format has changed `make recordings` makes them anew, with the same
bytes each time. What a released version kept is made by its own code: see record_matches.py.
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "firmware")]

from host_sim.hub.simulated_hub import SimulatedHub  # noqa: E402
from host_sim.session.bot_match import BotMatch  # noqa: E402
from roundhouse.games import houses  # noqa: E402

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


def text(house):
    """Return a house's file."""
    return "".join(json.dumps(line) + "\n" for line in lines(house))


if __name__ == "__main__":
    for name in houses.HOUSES:
        (FOLDER / (name + ".jsonl")).write_text(text(name))
