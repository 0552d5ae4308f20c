# SPDX-License-Identifier: MIT
"""How well bots play: easy ones lay almost anything, good ones get rid of heavy tiles, sharp ones
think ahead. Each game's `bot` module rates the moves."""

from collections.abc import Iterable
from random import Random
from typing import Protocol

from host_sim.table.games.tile_rules import Move, pips

STRENGTHS = ("easy", "good", "sharp")


class Players(Protocol):
    """The rating methods of a game's bots, one for each level above easy; a higher rating is
    better."""

    def good(self, seat: int, move: Move) -> float: ...
    def sharp(self, seat: int, move: Move) -> float: ...


def choose(
    players: Players, seat: int, moves: Iterable[Move], strength: str, chance: Random
) -> Move:
    """Return the one of `moves` that a bot of the given strength makes. Raises KeyError for an
    unknown strength.

    chance: decides between equally good moves
    """
    if strength == "easy":
        return min(chance.choices(sorted(moves), k=2), key=lambda move: pips(move[0]))
    worth = {"good": players.good, "sharp": players.sharp}[strength]
    return max(sorted(moves), key=lambda move: (worth(seat, move), chance.random()))
