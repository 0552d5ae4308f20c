# SPDX-License-Identifier: MIT
"""Players of Mexican Train who see only their own tiles and what the hub shows."""

from collections.abc import Mapping, Sequence
from typing import Any

from host_sim.table.games import tile_rules
from host_sim.table.games.tile_rules import BotTable, Move, fits, is_double, pips
from roundhouse import tiles

_MOST_TRIED = 3000  # tiles that the search for the longest train tries


def other_half(tile: int, end: int) -> int:
    return tiles.LOW[tile] if tiles.HIGH[tile] == end else tiles.HIGH[tile]


def longest_train(hand: Sequence[int], end: int) -> list[int]:
    """Return the longest train from the tiles of a hand, starting at the number `end`; of equally
    long trains, the heaviest. The search stops early for a very large hand."""
    best: tuple[tuple[int, int], list[int]] = ((0, 0), [])
    tries = _MOST_TRIED

    def follow(rest: list[int], number: int, laid: list[int], weight: int) -> None:
        nonlocal best, tries
        if (len(laid), weight) > best[0]:
            best = ((len(laid), weight), list(laid))
        for tile in rest:
            if tries > 0 and fits(tile, (number,)):
                tries -= 1
                laid.append(tile)
                others = [one for one in rest if one != tile]
                follow(others, other_half(tile, number), laid, weight + pips(tile))
                laid.pop()

    follow(sorted(hand, key=pips, reverse=True), end, [], 0)
    return best[1]


def end_of(line: Mapping[str, Any], slot: int | str) -> int:
    """Return the number at the end of the train on a slot: the first number if two are possible,
    the engine's number if the train is empty."""
    end = line["ends"].get(str(slot))
    if end is None:
        end = int(line["engine"].split("-")[0])
    return end[0] if isinstance(end, list) else end


class Players:
    """The bots at a table: which moves they consider legal, and how they rate them."""

    SURE = False  # the hub may refuse what looks right

    def __init__(self, table: BotTable) -> None:
        self.table = table
        self.options = table.options

    # ---- a turn ----

    def moves(self, seat: int) -> list[Move]:
        """Return the moves (tile, slot) that look right: the tile matches, and the lamps show the
        train as open to the seat."""
        line, hand, own = self.table.line, self.table.hands[seat], self.table.own_doubles(seat)
        engine = int(line["engine"].split("-")[0])
        under_lock = len(line["doubles"]) > len(own) and self.options["lock"] == "yes"
        found = []
        for slot in line["playable"]:
            ends = line["ends"].get(slot, engine)
            ends = ends if isinstance(ends, list) else [ends]
            closing = slot in line["doubles"]
            for tile in hand:
                if not fits(tile, ends):
                    continue
                if is_double(tile) and own and not self._may_double(hand, tile, own):
                    continue
                if under_lock and not closing and not is_double(tile):
                    continue  # on other slots, only a drawn double may be laid
                found.append((tile, slot))
        return found

    def _may_double(self, hand: list[int], tile: int, own: list[str]) -> bool:
        """Return whether the rule sheet allows this double after the seat's doubles of this
        turn."""
        line = self.table.line

        def has_third() -> bool:
            numbers = [tiles.HIGH[tile], line["ends"][own[0]]]
            return any(fits(t, numbers) for t in hand if not is_double(t))

        is_last = len(hand) == 1
        return tile_rules.may_follow(self.options, line["drawn"], len(own), is_last, has_third)

    def good(self, seat: int, move: Move) -> float:
        """Return a rating of a move; higher is better. These moves get a high rating:

        - heavy tiles
        - doubles that the seat can cover
        - moves on trains other than the seat's own
        - moves on the seat's own train after which many tiles of the hand fit
        """
        tile, slot = move
        ends = (tiles.HIGH[tile], tiles.LOW[tile])
        follow = sum(fits(one, ends) for one in self.table.hands[seat] if one != tile)
        more = 3 * follow if slot == str(seat) else 6
        return pips(tile) + more + (8 if is_double(tile) and follow else 0)

    def sharp(self, seat: int, move: Move) -> float:
        """Return a rating of a move; higher is better. It is high if the rest of the hand can form
        a long train on the seat's own slot."""
        tile, slot = move
        line = self.table.line
        rest = [one for one in self.table.hands[seat] if one != tile]
        own = slot == str(seat)
        end = end_of(line, seat)
        train = longest_train(rest, other_half(tile, end) if own else end)
        others = [one for one in rest if one not in train]
        worth = -sum(map(pips, others)) - 5 * len(others) - 0.5 * sum(map(pips, train))
        if is_double(tile) and rest:
            covers = any(fits(one, (tiles.HIGH[tile],)) for one in rest)
            worth += 4 if covers else -12
        if own and str(seat) in line["open"]:
            worth += 6  # the marker is removed
        return worth

    def goes_on(self, seat: int, tile: int, slot: str) -> bool:
        """Return whether the seat could continue its own train after this tile."""
        left = other_half(tile, end_of(self.table.line, slot))
        rest = [one for one in self.table.hands[seat] if one != tile]
        return slot == str(seat) and any(fits(one, (left,)) for one in rest)

    def next_tiles(self, seat: int, hand: Sequence[int]) -> list[int]:
        """Return the tiles of the longest train in a hand, in the order in which they should be
        laid."""
        return longest_train(hand, end_of(self.table.line, seat))

    def wrong_moves(self, seat: int) -> list[Move]:
        """Return the moves (tile, slot) on trains that are closed to the seat."""
        t = self.table
        if self.options["enforce"] == "tiles":
            return []
        closed = [str(other) for other in t.seats if str(other) not in t.line["playable"]]
        return [(tile, slot) for slot in closed if slot != str(seat) for tile in t.hands[seat]]


def points(
    left: Mapping[int, int], out: Sequence[int], options: Mapping[str, str]
) -> Mapping[int, float]:
    """Return {seat: points} for a round.

    left: {seat: pips left in the hand}
    out: the seats that went out, none or one
    """
    if options["score"] == "penalty":
        return left
    low = min(left.values())
    winners = out or [seat for seat in left if left[seat] == low]
    others = sum(left[seat] for seat in left if seat not in winners)
    share = 2 * others // len(winners) / 2
    return {seat: share if seat in winners else 0 for seat in left}
