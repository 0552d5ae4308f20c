# SPDX-License-Identifier: MIT
"""The console lines of three matches, byte for byte: the same in CPython and the browser."""

import json
from collections.abc import Sequence

from host_sim.app.players.bot_match import BotMatch
from host_sim.board.hub import match_export
from host_sim.board.hub.simulated_hub import SimulatedHub, configured

# house, set, seats, seed: one of Mexican Train, two of the layout games
MATCHES = (
    ("puremco no-lock plus-points", 9, (2, 5, 9), 2),
    ("matador", 6, (1, 2, 3), 7),
    ("tiddle-a-wink", 6, (5, 6, 7), 9),
)


class Written(SimulatedHub):
    """A hub that records its lines as they were written."""

    texts: Sequence[str] = ()

    def _collect(self) -> None:
        self.texts = [*self.texts, *self.port.lines]
        super()._collect()


def played(house: str, set_: int, seats: Sequence[int], seed: int) -> str:
    """Return the lines that the hub writes in a round of a match, as one text."""
    board = Written(configured(), seed=seed)
    BotMatch(board, list(seats), house, set_, seed, 0.1).play(1)
    return "\n".join(board.texts)


def replayed(text: str) -> str:
    return "\n".join(map(json.dumps, match_export.read(text)))
