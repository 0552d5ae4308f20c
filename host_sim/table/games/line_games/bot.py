# SPDX-License-Identifier: MIT
"""Players of the line games who see only their own tiles and what the hub shows.

The hub's console line shows the ends of lines, the free sides of doubles and whether a new line
may begin. The players know the rule sheet, so the hub must accept every tile that they lay.
"""

from collections.abc import Mapping, Sequence

from host_sim.table.games.line_games.layout import left_free, pips
from host_sim.table.games.line_games.sheets import sum_of
from host_sim.table.games.tile_rules import BotTable, Move, is_double


class Players:
    """The bots at a table: which moves they consider legal, and how they rate them."""

    SURE = True  # the hub must accept what fits

    def __init__(self, table: BotTable) -> None:
        self.table = table
        self.options = table.options
        self.total = sum_of(table.options, table.set)

    # ---- a turn ----

    def moves(self, seat: int) -> list[Move]:
        """Return the moves (tile, slot) that fit. If a new line may begin, only one empty slot is
        used: the seat's own slot if it is playable, otherwise the first playable one."""
        t = self.table
        begun, empty = self._open_slots()
        slots = begun + sorted(empty, key=lambda slot: slot != str(seat))[:1]
        return [
            (tile, slot) for slot in slots for tile in t.hands[seat] if self._leaves(tile, slot)
        ]

    def _open_slots(self) -> tuple[list[str], list[str]]:
        """Return two lists: the playable slots with a line, and the playable empty slots."""
        line = self.table.line
        begun = [slot for slot in line["playable"] if slot in line["ends"]]
        return begun, [slot for slot in line["playable"] if slot not in line["ends"]]

    def _leaves(self, tile: int, slot: str) -> set[int]:
        """Return the halves of a tile that may be left free when the tile is laid on a slot."""
        line = self.table.line
        ends = line["ends"].get(slot, [int(number) for number in line["sides"]])
        ends = ends if isinstance(ends, list) else [ends]
        return set[int]().union(*(left_free(tile, end, self.total) for end in ends))

    def good(self, seat: int, move: Move) -> float:
        """Return a rating of a move; higher is better. A heavy tile is rated high, because the
        winner gets the others' pips."""
        return pips(move[0])

    def sharp(self, seat: int, move: Move) -> float:
        """Return a rating of a move; higher is better. Heavy tiles and moves that let many tiles
        of the hand follow are rated high."""
        tile, slot = move
        line = self.table.line
        rest = [one for one in self.table.hands[seat] if one != tile]
        sides = [int(side) for side in line["sides"]]
        ends = [end for other, end in line["ends"].items() if other != slot]
        ends = [n for end in ends for n in (end if isinstance(end, list) else [end])]
        ends += [*sides, *self._leaves(tile, slot)]
        follow = sum(any(left_free(one, end, self.total) for end in set(ends)) for one in rest)
        return pips(tile) + 3 * follow + (4 if is_double(tile) else 0)

    def goes_on(self, seat: int, tile: int, slot: str) -> bool:
        """Return whether another tile of the seat's hand could follow this tile."""
        rest = [one for one in self.table.hands[seat] if one != tile]
        ends = self._leaves(tile, slot)
        return any(left_free(one, end, self.total) for one in rest for end in ends)

    def next_tiles(self, seat: int, hand: Sequence[int]) -> list[int]:
        """Return the tiles of a hand that can be laid now; none if it is not the seat's turn."""
        if self.table.line["turn"] != seat:
            return []
        fitting = {tile for tile, _ in self.moves(seat)}
        return [tile for tile in hand if tile in fitting]

    def wrong_moves(self, seat: int) -> list[Move]:
        """Return the moves (tile, slot) that the hub must refuse."""
        t = self.table
        playable = t.line["playable"]
        slots = sorted({*playable, *map(str, t.seats), "M", "E"})
        return [
            (tile, slot)
            for slot in slots
            for tile in t.hands[seat]
            if slot not in playable or not self._leaves(tile, slot)
        ]


def points(
    left: Mapping[int, int], out: Sequence[int], options: Mapping[str, str]
) -> dict[int, float]:
    """Return {seat: points}: from each other seat, the winner gets the difference between the pips
    in the two hands. The option `tie` decides what each of several winners gets.

    left: {seat: pips left in hand}
    out: the seats that went out, none or one
    """
    low = min(left.values())
    winners = out or [seat for seat in left if left[seat] == low]
    gain: float = sum(left.values()) - low * len(left)
    if len(winners) > 1:
        gain = {"none": 0, "shared": 2 * gain // len(winners) / 2, "each": gain}[options["tie"]]
    return {seat: gain if seat in winners else 0 for seat in left}
