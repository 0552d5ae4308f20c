# SPDX-License-Identifier: MIT
"""The hands of a match, worked out from its deal and the hub's lines.

A round's deal follows from the match's seed, and the lines show which tiles are laid and drawn. So
only the hub's journal need be saved.

Here `moments` are Moments (table/model.py) of accepted inputs that were not taken back, oldest
first.
"""

import random
from collections.abc import Iterable, Mapping, Sequence

from host_sim.table.games import are_trains, house_info, tile_rules
from host_sim.table.games.line_games.layout import who_opens
from host_sim.table.games.tile_rules import is_double
from host_sim.table.model import Moment
from roundhouse import tiles
from roundhouse.constants import MOST_SEATS
from roundhouse.games import houses

Hands = dict[int, list[int]]  # seat -> its tiles, in the order they came


def parse_tile(text: str) -> int:
    """Return the tile index for a text like `12-5`."""
    return tiles.tile(*map(int, text.split("-")))


class Dealer:
    """Deals the rounds of one match, always the same for a seed.

    house: as typed on the console, like "jassshop no-lock"
    fixed: {round: (hands, stock)} of the rounds that are not dealt at random
    """

    def __init__(
        self,
        seed: int,
        set_: int,
        house: str,
        fixed: Mapping[int, tuple[Hands, list[int]]] | None = None,
    ) -> None:
        self.seed = seed
        self.set = set_
        index, chosen = houses.parse(house.split())
        self.options = tile_rules.options_of(index, chosen)
        self.trains = are_trains(house_info.game(index))
        self.by_sheet = {
            seats: house_info.hand_size(index, set_, seats) for seats in range(2, MOST_SEATS + 1)
        }
        self.fixed = fixed or {}

    @property
    def engine_is_pulled(self) -> bool:
        """Whether the engine is put on the table before the deal, so that no hand can get it."""
        return self.trains and tile_rules.engine_is_pulled(self.options)

    def deal(self, round_: int, counts: Mapping[int, int | None]) -> tuple[Hands, list[int]]:
        """Return (hands, stock) of a round. The last tile of the stock is drawn first.

        counts: {seat: count of tiles to deal, or None for the rule sheet's count}
        """
        if round_ in self.fixed:
            hands, stock = self.fixed[round_]
            return {seat: list(hand) for seat, hand in hands.items()}, list(stock)
        chance = random.Random("%s, round %d" % (self.seed, round_))
        by_sheet = self.by_sheet[len(counts)]
        dealt = {seat: by_sheet if n is None else n for seat, n in counts.items()}
        apart = {self.engine(round_)} if self.engine_is_pulled else ()
        while True:
            stock = [tile for tile in range(tiles.size(self.set)) if tile not in apart]
            chance.shuffle(stock)
            hands = {seat: [stock.pop() for _ in range(n)] for seat, n in dealt.items()}
            if self._can_open(hands):
                return hands, stock

    def engine(self, round_: int) -> int:
        """Return the engine of a round, in houses that prescribe one."""
        return tile_rules.engine_asked_for(self.options, self.set, round_)

    def _can_open(self, hands: Hands) -> bool:
        if not self.trains:
            return bool(who_opens(hands, self.options))
        if self.options["engine"] != "highest":
            return True
        return any(is_double(tile) for hand in hands.values() for tile in hand)

    def opening(self, round_: int, hands: Hands) -> tuple[int, int | None]:
        """Return (opening tile, seat that holds it or None) for a round."""
        if not self.trains:
            opening = who_opens(hands, self.options)
            assert opening, "deal() mixes again until there is one"
            return opening
        tile = self.engine(round_)
        if self.options["engine"] == "highest":
            tile = max(t for hand in hands.values() for t in hand if is_double(t))
        holders = [seat for seat, hand in hands.items() if tile in hand]
        return tile, holders[0] if holders else None


class RoundTiles:
    """The tiles of one round after the last of the given moments.

    moments: the moments of the round, beginning with its deal
    stock: the tiles to be drawn, the last one first
    uncounted: {seat: tiles in hand that are not yet counted at the end of the round}
    """

    def __init__(self, dealer: Dealer, moments: Sequence[Moment]) -> None:
        first = moments[0].line
        counts = {int(seat): count for seat, count in first["hands"].items()}
        self.hands, self.stock = dealer.deal(first["round"], counts)
        self.uncounted: Hands = {}
        for before, moment in zip(moments, moments[1:]):
            self._follow(before.line["hands"], moment)
        counted = [parse_tile(m.gesture.tile) for m in moments if m.line["did"] == "counted"]
        for seat, hand in self.hands.items():
            self.uncounted[seat] = [tile for tile in hand if tile not in counted]

    def _follow(self, before: Mapping[str, int | None], moment: Moment) -> None:
        """Apply an input to the hands: remove a laid tile, or add drawn tiles."""
        line, tapped = moment.line, moment.gesture.tile
        by = line["by"]
        if line["did"] in ("laid", "opened"):
            tile = parse_tile(tapped)
            # the hub may believe that a seat other than the tile's holder laid it
            for seat in sorted(self.hands, key=lambda seat: seat != by):
                if tile in self.hands[seat]:
                    self.hands[seat].remove(tile)
                    break
        if line["did"] == "corrected" and tapped:
            assert by is not None
            self._give(parse_tile(tapped), by)
            return
        for seat in sorted(self.hands, key=lambda seat: seat != by):
            now, was = line["hands"].get(str(seat), 0), before.get(str(seat), 0)
            if now is None or was is None:  # the hub does not count tiles
                drawn = int(line["did"] == "drew" and seat == by)
            else:
                drawn = now - was
            for _ in range(min(drawn, len(self.stock))):
                self.hands[seat].append(self.stock.pop())

    def _give(self, tile: int, seat: int) -> None:
        """Move a tile to the hand of the seat that holds it according to the hub's line."""
        for rest in (self.stock, *self.hands.values()):
            if tile in rest:
                rest.remove(tile)
        self.hands[seat].append(tile)


def visible_hands(dealer: Dealer, moments: Sequence[Moment]) -> dict[int, list[str]]:
    """Return the hands that people see after the last of `moments`, as {seat: [tile text, ...]}.
    Tiles left over stay visible until the next deal."""
    last = moments[-1].line
    counted = last["phase"] == "engine" and last.get("did") in ("done", "round-over")
    here = moments_of_round(moments, last["round"] - counted)
    if not here:
        return {}
    return {
        seat: [tiles.text(tile) for tile in hand]
        for seat, hand in RoundTiles(dealer, here).hands.items()
    }


def moments_of_round(moments: Iterable[Moment], round_: int) -> list[Moment]:
    """Return the moments that belong to one round, beginning with its deal."""
    return [m for m in moments if m.line["round"] == round_ and m.line["phase"] != "lobby"]
