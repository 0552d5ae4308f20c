# SPDX-License-Identifier: MIT
"""Records exports/: for each house the lines that a hub prints in one round (`make recordings`).

Each file has the round's lines, then the answer to `export`. Record again after a change of the
journal's format.
"""

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "firmware")]

from host_sim.app.players.bot_match import BotMatch  # noqa: E402
from host_sim.board.hub.simulated_hub import SimulatedHub  # noqa: E402
from roundhouse.games import houses  # noqa: E402

FOLDER = ROOT / "tests" / "host_sim" / "exports"
SEATS = (1, 3)
SET = 6
SEED = 4


def lines(house: str) -> list[dict[str, Any]]:
    board = SimulatedHub(seed=SEED)
    BotMatch(board, SEATS, house, SET, SEED, slips=0.3).play(1)
    board.command("export")
    while board.lines[-1].get("input") != "export":
        board.run(100)
    return [dict(line) for line in board.lines]


def text(house: str) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines(house))


if __name__ == "__main__":
    for name in houses.HOUSES:
        file, now = FOLDER / (name + ".jsonl"), text(name)
        if not file.exists() or file.read_text() != now:
            file.write_text(now)
            print("%s changed" % file.relative_to(ROOT))
