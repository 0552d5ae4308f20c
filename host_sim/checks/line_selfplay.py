# SPDX-License-Identifier: MIT
"""Whole matches of the line games on the rules core alone, as fast as one process goes.

The players are honest and see what a person sees: their own tiles, the ends and the free sides.
They lay their heaviest tile.
"""

from host_sim.checks.selfplay_match import HonestMoveRefused, SelfPlay
from host_sim.games.line_games import bot as line_bots
from host_sim.games.line_games.bot import left_free, pips
from roundhouse import constants, tiles
from roundhouse.games.fields import BONEYARD, TURN


class LineSelfPlay(SelfPlay):
    """Matches of one line game at one table; `turns` and `rounds` count what was played."""

    def match(self):
        """Play one match, until somebody reaches the target."""
        t = self.table
        t.apply(constants.FORGET)
        for seat in range(1, self.players + 1):
            self.must(t.press(seat))
        while t.phase != constants.FINISHED:
            self.round()

    def round(self):
        """Deal and play one round, and count it."""
        t, s = self.table, self.table.state
        hands, stock = self.deal()
        while t.phase == constants.PLAY:
            turn = s[TURN]
            move = self.move(hands[turn])
            if move:
                self.must(t.tap(*move))
                hands[turn].remove(move[1])
            else:
                boneyard = s[BONEYARD]
                self.must(t.press(turn))
                if s[BONEYARD] < boneyard:
                    hands[turn].append(stock.pop())
            self.turns += s[TURN] != turn
        self.rounds += 1
        self.count(hands)

    def deal(self):
        """Return ({seat: hand}, stock) with the opening tile laid."""
        t = self.table
        if t.phase == constants.LOBBY:
            self.must(t.press(constants.E))
        stock = list(range(tiles.size(t.set)))
        self.random.shuffle(stock)
        seats = range(1, self.players + 1)
        hands = {seat: [stock.pop() for _ in range(t.hand(seat))] for seat in seats}
        opens = line_bots.who_opens(hands, self.options)
        if not opens:
            return self.deal()  # nobody has a double: mix and deal again
        tile, holder = opens
        hands[holder].remove(tile)
        self.must(t.tap(holder, tile))
        return hands, stock

    def move(self, hand):
        """Return (slot, tile) of the heaviest tile that fits somewhere, or None."""
        t = self.table
        places = []
        for slot in range(1, 12):
            if t.begun >> slot & 1:
                places += [(slot, end) for end in (t.end(slot), t.second_end(slot))]
        empty = next((slot for slot in range(1, 12) if not t.begun >> slot & 1), 0)
        places += [(empty, number) for number, _ in t.sides]
        total = line_bots.sum_of(self.options, t.set)
        for tile in sorted(hand, key=pips, reverse=True):
            for slot, end in places:
                if end != constants.NONE and left_free(tile, end, total):
                    return slot, tile
        return None

    def count(self, hands):
        """Every seat taps what it holds; the core's points must be the differences."""
        t = self.table
        before = {seat: t.total(seat) for seat in hands}
        out = [seat for seat, hand in hands.items() if not hand]
        left = {s: sum(pips(tile) or self.blank for tile in hand) for s, hand in hands.items()}
        points = line_bots.points_of(left, out, self.options["tie"])
        for seat, hand in hands.items():
            for tile in hand:
                self.must(t.tap(seat, tile))
        for seat, hand in hands.items():
            if hand:
                self.must(t.press(seat))
        for seat, gain in points.items():
            if t.total(seat) != before[seat] + 2 * gain:
                raise HonestMoveRefused("seat %d gained %s" % (seat, gain))
