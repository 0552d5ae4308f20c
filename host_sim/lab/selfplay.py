# SPDX-License-Identifier: MIT
"""Plays whole matches on the rules core alone, as fast as one process can.

The players are honest and see what a person sees: their own tiles, the ends of the lines, and
which lines are open. A hand is an int with bit t set for tile t.
"""

import json
import math
import random
import sys
import time
from typing import TextIO

from host_sim.command_line.progress import Progress
from host_sim.table import games
from host_sim.table.games import house_info, tile_rules
from roundhouse import constants, tiles
from roundhouse.constants import SLOT_COUNT
from roundhouse.games import houses
from roundhouse.games.fields import BONEYARD, END, LAST, TURN
from roundhouse.games.match import Match

FREE_ROUNDS = 13  # played where the house sets no number of rounds
SHOWS = [0] * 256  # number -> mask of the tiles that show it; none for constants.NONE
DOUBLES = 0
for _t in range(tiles.size(tiles.HIGHEST)):
    SHOWS[tiles.HIGH[_t]] |= 1 << _t
    SHOWS[tiles.LOW[_t]] |= 1 << _t
    if tiles.HIGH[_t] == tiles.LOW[_t]:
        DOUBLES |= 1 << _t
SLOTS = [
    tuple(slot for slot in range(1, SLOT_COUNT) if mask >> slot & 1)
    for mask in range(1 << SLOT_COUNT)
]
PIPS = [high + low for high, low in zip(tiles.HIGH, tiles.LOW)]
BY_WEIGHT = sorted(range(len(PIPS)), key=lambda tile: (PIPS[tile], tile), reverse=True)

Hands = dict[int, int]  # seat -> mask of its tiles


class Unfair(Exception):
    """Raised if the firmware's rules refuse an input that the players think is legal, or count
    points differently from the players."""


class SelfPlay:
    """Some matches of one house, played by bots on the firmware's rules.

    turns, rounds: how many have been played
    """

    def __init__(self, house: int, variants: int, set_: int, players: int, seed: int) -> None:
        stations = house_info.stations(players)
        self.core = Match(house, variants, set_, slots=(2 << stations) - 2)
        self.set = set_
        self.house = house
        self.seats = range(1, players + 1)
        self.random = random.Random(seed)
        self.options = tile_rules.options_of(house, variants)
        game = house_info.game(house)
        self.points = games.part(game, "bot").points
        self.lay = self._lay_on_a_train if games.are_trains(game) else self._lay_on_a_line
        self.turns = 0
        self.rounds = 0

    def match(self) -> None:
        core = self.core
        core.apply(constants.FORGET)
        for seat in self.seats:
            self._accepted(core.press(seat))
        endless = self.options.get("rounds") == "free"
        last = self.rounds + FREE_ROUNDS if endless else math.inf
        while core.phase != constants.FINISHED and self.rounds < last:
            self.round()
        if core.phase == constants.ENGINE:
            self._accepted(core.press(constants.E))

    def _accepted(self, verdict: int) -> None:
        if verdict:
            raise Unfair(constants.VERDICTS[verdict])

    def round(self) -> None:
        """Deal and play one round, and count the hands."""
        core, state = self.core, self.core.state
        hands, stock = self._deal()
        turn = state[TURN]
        hand = hands[turn]
        own = 0  # doubles laid in this turn
        passes = 0  # passes since the last tile
        notice = self.options.get("penalty") == "always"  # in other houses no seat is ever caught
        while turn:
            tile = self.lay(hand, own)
            if tile is not None:
                hand ^= 1 << tile
                own |= 1 << tile & DOUBLES
                passes = 0
            else:
                boneyard = state[BONEYARD]
                self._accepted(core.press(turn))
                passes += core.did == "passed"
                if state[BONEYARD] < boneyard or boneyard == constants.NONE and core.drawn:
                    hand |= 1 << stock.pop() if stock else 0
            if state[BONEYARD] == constants.NONE:
                self._end_uncounted(turn, hand, passes)
            if state[TURN] != turn:
                hands[turn] = hand
                self.turns += 1
                if notice and state[LAST] == turn and not hand & (hand - 1):
                    self._accepted(core.press(turn))
                turn = state[TURN]
                hand = hands.get(turn, 0)
                own = 0
        self.rounds += 1
        self._count(hands)

    def _end_uncounted(self, seat: int, hand: int, passes: int) -> None:
        """Press buttons to tell the hub that a seat is out or the round is blocked. This is needed
        if the hub does not count tiles (O10).

        passes: the count of passes in a row
        """
        core = self.core
        if core.turn == seat and not hand or passes == 2 * len(self.seats):
            self._accepted(core.press(constants.E))  # after a double its turn would go on
        while not hand and core.phase == constants.PLAY:
            self._accepted(core.press(seat))  # notice, and out

    def _lay_on_a_train(self, hand: int, own: int) -> int | None:
        """Lay a tile on a train; return the tile, or None if no tile fits.

        hand: a mask of the tiles in the hand
        own: a mask of the doubles laid in this turn
        """
        core = self.core
        state = core.state
        for slot in SLOTS[core.playable]:
            fitting = hand & SHOWS[state[END + slot]]
            if fitting and own:
                fitting = fitting & ~DOUBLES or self._second_double(fitting, hand, own)
            if fitting:
                tile = fitting.bit_length() - 1
                if not core.tap(slot, tile):
                    return tile
        return None

    def _second_double(self, double: int, hand: int, own: int) -> int:
        """Return `double` if it may be laid as the second double of this turn, else 0. If the
        house requires a third tile to cover one of the doubles, the hand must hold such a tile.
        double, hand, own: masks."""
        if self.options["second-double"] != "third" or not hand & (hand - 1):
            return double
        numbers = (tiles.HIGH[mask.bit_length() - 1] for mask in (double, own))
        return double if any(hand & SHOWS[number] & ~DOUBLES for number in numbers) else 0

    def _lay_on_a_line(self, hand: int, _own: int) -> int | None:
        """Lay the heaviest playable tile of a hand on a line; return the tile, or None."""
        core = self.core
        slots = SLOTS[core.playable & core.begun] + SLOTS[core.playable & ~core.begun][:1]
        for tile in BY_WEIGHT:
            if hand >> tile & 1 and any(not core.tap(slot, tile) for slot in slots):
                return tile
        return None

    def _deal(self) -> tuple[Hands, list[int]]:
        """Deal, and lay the opening tile; return (hands, stock)."""
        core = self.core
        stock = list(range(tiles.size(core.set)))
        self.random.shuffle(stock)
        how = self.options.get("engine", "highest")
        pulled = how in ("pulled", "any")
        if how != "highest":
            tile = tile_rules.engine_asked_for(self.options, core.set, core.round)
        if pulled:
            stock.remove(tile)
        if core.phase == constants.LOBBY:
            self._accepted(core.press(constants.E))
        hands = {}
        counts = {seat: core.hand(seat) for seat in self.seats}
        if core.boneyard == constants.NONE:
            size = house_info.hand_size(self.house, core.set, len(self.seats))
            counts = dict.fromkeys(self.seats, size)
        for seat, count in counts.items():
            hands[seat] = sum(1 << tile for tile in stock[:count])
            del stock[:count]
        if pulled:
            self._accepted(core.tap(constants.E, tile, self.random.randrange(256)))
            return hands, stock
        if how == "in-hand":
            self._draw_for(tile, hands, stock)
        else:
            held = sum(hands.values())
            tile = (held & DOUBLES).bit_length() - 1 if held & DOUBLES else _heaviest(held)
        holder = next(seat for seat, hand in hands.items() if hand >> tile & 1)
        verdict = core.tap(holder, tile)
        if verdict == constants.NOT_AN_ENGINE:  # no double is held: mix and deal again
            return self._deal()
        self._accepted(verdict)
        hands[holder] ^= 1 << tile
        return hands, stock

    def _draw_for(self, engine: int, hands: Hands, stock: list[int]) -> None:
        """Let the seats draw in turn until one of them has the engine."""
        seat = 0
        while not any(hand >> engine & 1 for hand in hands.values()):
            seat = seat % len(self.seats) + 1
            self._accepted(self.core.press(seat))
            hands[seat] |= 1 << stock.pop()

    def _count(self, hands: Hands) -> None:
        """Tap the tiles left in each hand, and check the points."""
        core = self.core
        before = {seat: core.total(seat) for seat in hands}
        left = dict.fromkeys(hands, 0)
        for seat, hand in hands.items():
            while hand:
                tile = hand.bit_length() - 1
                hand ^= 1 << tile
                left[seat] += tile_rules.left_over(tile, self.options)
                self._accepted(core.tap(seat, tile))
        for seat in hands:
            if core.to_count >> seat & 1:
                self._accepted(core.press(seat))
        out = [seat for seat, hand in hands.items() if not hand]
        for seat, points in self.points(left, out, self.options).items():
            if core.total(seat) != before[seat] + 2 * points:
                raise Unfair("seat %d gained %s" % (seat, points))


def _heaviest(held: int) -> int:
    return next(tile for tile in BY_WEIGHT if held >> tile & 1)


def run(
    house: str,
    set_: int | None,
    players: int,
    matches: int,
    seed: int,
    as_json: bool = False,
    out: TextIO = sys.stdout,
) -> int:
    """Carry out the command `selfplay`; return the exit status. set_: None for the house's own
    set."""
    index, variants = houses.parse(house.split())
    set_ = set_ or house_info.own_set(index)
    most = house_info.most_seats(index, set_, variants)
    if not 2 <= players <= most:
        print("%s with set %d: 2..%d players" % (house, set_, most), file=sys.stderr)
        return 2
    if houses.HOUSES[index] == "free":
        print("free enforces nothing: there is no honest play to count", file=sys.stderr)
        return 2
    play = SelfPlay(index, variants, set_, players, seed)
    start = time.perf_counter()
    try:
        with Progress("selfplay", "matches", matches) as progress:
            for _ in range(matches):
                play.match()
                progress.more()
    except Unfair as error:
        print("selfplay: %s" % error, file=sys.stderr)
        return 1
    seconds = time.perf_counter() - start
    if as_json:
        result = {"rounds": play.rounds, "turns": play.turns, "seconds": round(seconds, 3)}
        print(json.dumps(result), file=out)
    else:
        print(
            "%d matches, %d rounds, %d turns in %.2f s: %d turns a second"
            % (matches, play.rounds, play.turns, seconds, play.turns / seconds),
            file=out,
        )
    return 0
