# SPDX-License-Identifier: MIT
"""Who holds which tiles, worked out from a round's deal and from what the hub has said since.

The deal of a round follows from the match's seed, and whatever is laid or drawn the hub's lines
tell. So nobody has to write down a hand: as long as the journal is right, the hands are.

lines: accepted inputs that still stand, oldest first, as the console said them.
"""

import random

from host_sim.games import are_trains, house_info, player_knowledge
from host_sim.games.line_games.bot import who_opens
from host_sim.games.player_knowledge import is_double
from roundhouse import tiles
from roundhouse.games import houses


def tile_number(text):
    """Return the tile of a text like `12-5`."""
    return tiles.tile(*map(int, text.split("-")))


def engine_of(set_, round_):
    """Return the double that a round asks for where they go down; 0-0 is followed by the set's."""
    return tiles.double(set_ - (max(1, round_) - 1) % (set_ + 1))


class Dealer:
    """Deals the rounds of one match, the same again for the same seed.

    options: {option: word} of the house; trains: whether it is Mexican Train; fixed: {round:
    ({seat: tiles}, stock)} that are not left to chance.
    """

    def __init__(self, seed, set_, options, trains, fixed=None):
        self.seed = seed
        self.set = set_
        self.options = options
        self.trains = trains
        self.fixed = fixed or {}

    @property
    def pulled(self):
        """Whether the opening tile is taken out before the deal."""
        return self.trains and player_knowledge.engine_is_pulled(self.options)

    def deal(self, round_, counts):
        """Return ({seat: tiles}, stock) of a round; counts: {seat: tiles to take}. The next tile
        drawn is the stock's last."""
        if round_ in self.fixed:
            hands, stock = self.fixed[round_]
            return {seat: list(hand) for seat, hand in hands.items()}, list(stock)
        chance = random.Random("%s, round %d" % (self.seed, round_))
        apart = {engine_of(self.set, round_)} if self.pulled else ()
        while True:
            stock = [tile for tile in range(tiles.size(self.set)) if tile not in apart]
            chance.shuffle(stock)
            hands = {seat: [stock.pop() for _ in range(n)] for seat, n in counts.items()}
            if self._can_open(hands):
                return hands, stock

    def _can_open(self, hands):
        """Return whether a round can begin with this deal; else the tiles are mixed again."""
        if not self.trains:
            return bool(who_opens(hands, self.options))
        if self.options["engine"] != "highest":
            return True
        return any(is_double(tile) for hand in hands.values() for tile in hand)

    def opening(self, round_, hands):
        """Return (tile, holder) that opens a round; holder: None where nobody has it yet, or
        where it is laid in the middle."""
        if not self.trains:
            return who_opens(hands, self.options)
        tile = engine_of(self.set, round_)
        if self.options["engine"] == "highest":
            tile = max(t for hand in hands.values() for t in hand if is_double(t))
        holders = [seat for seat, hand in hands.items() if tile in hand]
        return tile, holders[0] if holders else None


class RoundHands:
    """The tiles of one round: `hands` {seat: tiles in the order they came}, `stock`, and `left`
    {seat: tiles}, what of a hand nobody has counted yet."""

    def __init__(self, dealer, lines):
        first = lines[0]
        counts = {int(seat): count for seat, count in first["hands"].items()}
        self.hands, self.stock = dealer.deal(first["round"], counts)
        self.left = {}
        for before, line in zip(lines, lines[1:]):
            self._follow(before["hands"], line)
        counted = [
            tile_number(line["input"].split()[1]) for line in lines if line["did"] == "counted"
        ]
        for seat, hand in self.hands.items():
            self.left[seat] = [tile for tile in hand if tile not in counted]

    def _follow(self, before, line):
        """An input after the deal: a tile leaves a hand, or is drawn."""
        by, parts = line["by"], line["input"].split()
        if line["did"] in ("laid", "opened"):
            tile = tile_number(parts[1])
            # somebody else's tile may have been booked on a seat
            for seat in sorted(self.hands, key=lambda seat: seat != by):
                if tile in self.hands[seat]:
                    self.hands[seat].remove(tile)
                    break
        for seat in sorted(self.hands, key=lambda seat: seat != by):
            now, was = line["hands"].get(str(seat), 0), before.get(str(seat), 0)
            for _ in range(min(now - was, len(self.stock))):
                self.hands[seat].append(self.stock.pop())


def dealer_of(kept):
    """Return who deals a match; kept: what its folder keeps, with house, set and seed."""
    index, variants = houses.parse(kept["house"].split())
    trains = are_trains(house_info.game(index))
    return Dealer(kept["seed"], kept["set"], player_knowledge.options_of(index, variants), trains)


def hands_shown(dealer, lines):
    """Return {seat: [tile text, ...]} that people saw behind the last of some lines; a counted
    round's left-over tiles stay until the next one is dealt."""
    last = lines[-1]
    counted = last["phase"] == "engine" and last.get("did") in ("done", "round-over")
    here = lines_of_round(lines, last["round"] - counted)
    if not here:
        return {}
    return {
        seat: [tiles.text(tile) for tile in hand]
        for seat, hand in RoundHands(dealer, here).hands.items()
    }


def lines_of_round(lines, round_):
    """Return the lines of a round: the one with its deal first."""
    return [line for line in lines if line["round"] == round_ and line["phase"] != "lobby"]
