# SPDX-License-Identifier: MIT
"""Whole matches on the rules core alone, as fast as one process goes.

The players are honest and see what a person sees: their own tiles, the trains' ends and which
trains are open. A hand is one int with bit t set for tile t, so that the tiles that show a number
are one `&`.
"""

import json
import random
import sys
import time

from host_sim.checks.progress import Progress
from host_sim.games import are_trains, house_info, player_knowledge
from roundhouse import constants, tiles
from roundhouse.games import houses
from roundhouse.games.fields import BONEYARD, END, LAST, TURN
from roundhouse.games.match import Match

SHOWS = [0] * 256  # number -> mask of the tiles that show it; none for constants.NONE
DOUBLES = 0
for _t in range(tiles.size(tiles.HIGHEST)):
    SHOWS[tiles.HIGH[_t]] |= 1 << _t
    SHOWS[tiles.LOW[_t]] |= 1 << _t
    if tiles.HIGH[_t] == tiles.LOW[_t]:
        DOUBLES |= 1 << _t
SLOTS = [tuple(slot for slot in range(1, 12) if mask >> slot & 1) for mask in range(1 << 12)]
PIPS = [high + low for high, low in zip(tiles.HIGH, tiles.LOW)]


class HonestMoveRefused(Exception):
    """The core refused an honest player, or counted differently."""


class SelfPlay:
    """Matches of one house at one table; `turns` and `rounds` count what was played."""

    def __init__(self, house, variants, set_, players, seed):
        self.table = Match(house, variants, set_)
        self.players = players
        self.random = random.Random(seed)
        self.options = player_knowledge.options_of(house, variants)
        self.blank = int(self.options["blank"])
        self.turns = 0
        self.rounds = 0

    def match(self):
        """Play one match; where the house sets no number of rounds, 13."""
        t = self.table
        t.apply(constants.FORGET)
        for seat in range(1, self.players + 1):
            self.must(t.press(seat))
        for _ in range(t.set + 1 if self.options["rounds"] == "each" else 13):
            self.round()
        if t.phase == constants.ENGINE:
            self.must(t.press(constants.E))

    def must(self, verdict):
        if verdict:
            raise HonestMoveRefused(constants.VERDICTS[verdict])

    def round(self):
        """Deal and play one round, and count it."""
        t, s = self.table, self.table.state
        hands, stock = self.deal()
        turn = s[TURN]
        hand = hands[turn]
        own = 0  # doubles laid in this turn
        notice = self.options["penalty"] == "always"  # else nobody calls "caught!"
        while turn:
            for slot in SLOTS[t.playable]:
                fitting = hand & SHOWS[s[END + slot]]
                if fitting and own:
                    fitting = self.second_tile(fitting, hand, own)
                if fitting:
                    tile = fitting.bit_length() - 1
                    if t.tap(slot, tile) == 0:
                        hand ^= 1 << tile
                        own |= 1 << tile & DOUBLES
                        break
            else:
                boneyard = s[BONEYARD]
                self.must(t.press(turn))
                if s[BONEYARD] < boneyard:
                    hand |= 1 << stock.pop()
            if s[TURN] != turn:
                hands[turn] = hand
                self.turns += 1
                if notice and s[LAST] == turn and not hand & (hand - 1):
                    self.must(t.press(turn))
                turn = s[TURN]
                hand = hands.get(turn, 0)
                own = 0
        self.rounds += 1
        self.count(hands)

    def second_tile(self, fitting, hand, own):
        """Return those of the fitting tiles that the sheet lets follow on own doubles."""
        single = fitting & ~DOUBLES
        if single:
            return single
        tile = fitting.bit_length() - 1  # the one double of a train's end

        def has_third():
            numbers = SHOWS[tiles.HIGH[tile]] | SHOWS[tiles.HIGH[own.bit_length() - 1]]
            return hand & numbers & ~DOUBLES

        is_last = not hand & (hand - 1)
        drawn, doubles = self.table.drawn, own.bit_count()
        may = player_knowledge.may_follow(self.options, drawn, doubles, is_last, has_third)
        return fitting if may else 0

    def deal(self):
        """Return ({seat: hand}, stock) with the engine laid."""
        t = self.table
        stock = list(range(tiles.size(t.set)))
        self.random.shuffle(stock)
        engine = player_knowledge.engine_asked_for(t.set, t.round)
        pulled = player_knowledge.engine_is_pulled(self.options)
        if pulled:
            stock.remove(engine)
        if t.phase == constants.LOBBY:
            self.must(t.press(constants.E))
        hands = {}
        for seat in range(1, self.players + 1):
            count = t.hand(seat)
            hands[seat] = sum(1 << tile for tile in stock[:count])
            del stock[:count]
        if pulled:
            self.must(t.tap(constants.E, engine, self.random.randrange(256)))
            return hands, stock
        if self.options["engine"] == "highest":
            best = max(hand & DOUBLES for hand in hands.values())
            if not best:
                return self.deal()  # nobody has a double: mix and deal again
            engine = best.bit_length() - 1
        seat = 0
        while not any(hand >> engine & 1 for hand in hands.values()):
            seat = seat % self.players + 1
            self.must(t.press(seat))
            hands[seat] |= 1 << stock.pop()
        holder = next(seat for seat, hand in hands.items() if hand >> engine & 1)
        hands[holder] ^= 1 << engine
        self.must(t.tap(holder, engine))
        return hands, stock

    def count(self, hands):
        """Every seat taps what it holds; the core's points must be the pips."""
        t = self.table
        before = {seat: t.total(seat) for seat in hands}
        pips = {}
        for seat, hand in hands.items():
            held, pips[seat] = hand, 0
            while held:
                tile = held.bit_length() - 1
                held ^= 1 << tile
                pips[seat] += PIPS[tile] if tile else self.blank
                self.must(t.tap(seat, tile))
        for seat in hands:
            if t.waiting >> seat & 1:
                self.must(t.press(seat))
        if self.options["score"] == "penalty":
            for seat, points in pips.items():
                if t.total(seat) != before[seat] + 2 * points:
                    raise HonestMoveRefused("seat %d holds %d" % (seat, points))


def run(house, set_, players, games, seed, as_json=False, out=sys.stdout):
    """The command `selfplay`; set_: None for the house's own. Returns the exit status."""
    from host_sim.checks.line_selfplay import LineSelfPlay  # it needs the names above

    index, variants = houses.parse(house.split())
    set_ = set_ or house_info.own_set(index)
    most = house_info.most_seats(index, set_)
    if not 2 <= players <= most:
        print("%s with set %d: 2..%d players" % (house, set_, most), file=sys.stderr)
        return 2
    if houses.HOUSES[index] == "free":
        print("free enforces nothing: there is no honest play to count", file=sys.stderr)
        return 2
    trains = are_trains(house_info.game(index))
    game = (SelfPlay if trains else LineSelfPlay)(index, variants, set_, players, seed)
    start = time.perf_counter()
    try:
        with Progress("selfplay", "matches", games) as progress:
            for _ in range(games):
                game.match()
                progress.more()
    except HonestMoveRefused as error:
        print("selfplay: %s" % error, file=sys.stderr)
        return 1
    seconds = time.perf_counter() - start
    if as_json:
        result = {"rounds": game.rounds, "turns": game.turns, "seconds": round(seconds, 3)}
        print(json.dumps(result), file=out)
    else:
        print(
            "%d matches, %d rounds, %d turns in %.2f s: %d turns a second"
            % (games, game.rounds, game.turns, seconds, game.turns / seconds),
            file=out,
        )
    return 0
