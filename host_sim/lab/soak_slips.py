# SPDX-License-Identifier: MIT
"""Soak test with slips, players' mistakes with their hands: the hub must soon show each slip.

These are the slips:

- forget to tap a tile, while the next player continues
- tap late
- wave a tile over another slot
- lean on a button
- press twice
- count one tile too few
- deal one tile too many to each seat

For every slip, the inputs are counted until a lamp shows it. Then the players correct it by
ordinary gestures. The round must end with the points that they count.
"""

import collections
import random
from collections.abc import Mapping
from typing import Any

from host_sim.app.people import house_options
from host_sim.app.players.bot_match import BotMatch
from host_sim.app.players.dealt_hands import Dealer, Hands
from host_sim.board.hub.lamp_reader import LampReader
from host_sim.board.hub.simulated_hub import SimulatedHub
from host_sim.lab.soak_runner import Played
from host_sim.table.games import are_trains, house_info
from host_sim.table.games.line_games.sheets import HOUSES as LINE_HOUSES
from host_sim.table.games.tile_rules import Disagreement, fits
from roundhouse import constants, tiles
from roundhouse.constants import USUAL_STATIONS
from roundhouse.games import houses

# A slip, and how many inputs may pass before the hub shows it.
MOST = {
    "forgets to tap": 1,
    "taps late": 0,
    "waves over another slot": 0,
    "leans on a button": 0,
    "holds a button too short": 0,
    "presses twice": 0,
    "counts too few": 0,
    "deals one too many": 0,
}
SHOWN_MS = 700  # by then a light running round the rim has finished
STATIONS = USUAL_STATIONS


class CarelessDealer(Dealer):
    """A dealer who sometimes gives each seat one tile more than the hub expects.

    The dealer does not do so in houses where a seat must announce its last tile, because the hub
    would ask for the announcement too early.
    """

    def __init__(self, slip_rate: float, seed: int, set_: int, house: str) -> None:
        super().__init__(seed, set_, house)
        self.slip_rate = slip_rate
        self.dealt_more = False

    def deal(self, round_: int, counts: Mapping[int, int | None]) -> tuple[Hands, list[int]]:
        """Deal, and perhaps make the slip; see Dealer."""
        hands, stock = super().deal(round_, counts)
        notice = self.options.get("penalty", "none") != "none"
        slips = random.Random("%s, slip of round %d" % (self.seed, round_)).random()
        enough = len(stock) > 2 * len(hands)
        self.dealt_more = enough and not notice and slips < self.slip_rate
        if self.dealt_more:
            for hand in hands.values():
                hand.append(stock.pop())
        return hands, stock


class SlippingMatch(BotMatch):
    """A match of bots that make a slip in each turn with probability `slip_rate`. The lamps must
    show each slip.

    `passed`: [(slip, count of inputs until the lamps showed it), ...].
    """

    dealer: CarelessDealer

    def __init__(self, *args: Any, slip_rate: float = 0.25, **kwargs: Any) -> None:
        self.slip_rate = slip_rate
        super().__init__(*args, **kwargs)
        self.passed: list[tuple[str, int]] = []
        self.counted_too_few = False

    def _make_dealer(self) -> CarelessDealer:
        return CarelessDealer(self.slip_rate, self.seed, self.set, self.house)

    @property
    def stock(self) -> list[int]:
        round_tiles = self.round_tiles()
        return round_tiles.stock if round_tiles else []

    # ---- what the lamps show ----

    def tap(self, tile: int, slot: str, override: bool = False) -> bool:
        """Tap a tile and start a new record of the lamps; see PlayedMatch."""
        self.board.lamp_reader.reset(self.board.ms)
        return super().tap(tile, slot, override)

    def press(self, slot: int | str | None) -> bool:
        """Press a button and start a new record of the lamps; see PlayedMatch."""
        self.board.lamp_reader.reset(self.board.ms)
        return super().press(slot)

    def look(self) -> LampReader:
        """Wait until no light runs round the rim. Return the LampReader, which knows all that the
        lamps showed since the last input."""
        self.board.run(SHOWN_MS)
        self.board.settle()
        return self.board.lamp_reader

    def note_shown(self, slip: str, inputs: int, is_shown: bool) -> None:
        """Record that the lamps showed a slip after `inputs` further inputs. Raise Disagreement if
        `is_shown` is false, which means that the lamps have not shown the slip."""
        if not is_shown:
            raise Disagreement("%s: nothing shows it" % slip)
        self.passed.append((slip, inputs))

    def next_seat(self, seat: int) -> int:
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    # ---- slips ----

    def go_on(self, seat: int) -> None:
        """Continue a round that the hub has ended too early: on the seat's station, tap the tile
        that the seat still holds."""
        self.look()
        held = self.hands[seat][0]
        self.tap(held, str(seat))
        lamps = self.look()
        if (self.line["did"], self.line["phase"]) != ("corrected", "play"):
            raise Disagreement("a tile still held does not let the round go on")
        self.note_shown("deals one too many", 0, lamps.turn() == self.line["turn"])

    def bot_lays(self, seat: int, tile: int, slot: str) -> None:
        """Lay a tile, perhaps with a slip. If the hub then ends the round although the seat still
        holds a tile, continue the round."""
        self.lay_perhaps_wrongly(seat, tile, slot)
        if self.dealer.dealt_more and self.line["phase"] == "scoring" and self.hands[seat]:
            self.go_on(seat)

    def lay_perhaps_wrongly(self, seat: int, tile: int, slot: str) -> None:
        if self.random.random() >= self.slip_rate:
            super().bot_lays(seat, tile, slot)
            return
        slip = self.random.choice(
            (
                self.forget_tap,
                self.tap_late,
                self.wave_over_slot,
                self.lean_on_button,
                self.hold_by_mistake,
            )
        )
        slip(seat, tile, slot)

    def bot_draws(self, seat: int) -> None:
        """Draw or pass, perhaps with a slip: the button pressed twice quickly."""
        if not self.stock and self.line["boneyard"]:
            self.press("E")  # fewer tiles are left than the hub counts: the table ends the round
            return
        if self.random.random() >= self.slip_rate or not self.line["boneyard"]:
            super().bot_draws(seat)
            return
        count = len(self.board.inputs)
        self.board.run(SHOWN_MS)
        self.board.lamp_reader.reset(self.board.ms)
        for _ in range(2):
            self.board.press_down(str(seat))
            self.board.run(90)
            self.board.press_up(str(seat))
            self.board.run(120)
        lamps = self.look()
        if len(self.board.inputs) != count + 1:
            raise Disagreement("two quick presses were two inputs, or none")
        self._must(self._input("press %s, twice" % seat, self.board.inputs[-1]))
        shown = lamps.flashed() == seat if self.line["turn"] == seat else bool(lamps.ran())
        self.note_shown("presses twice", 0, shown or self.line["phase"] != "play")

    def tap_late(self, seat: int, tile: int, slot: str) -> None:
        self.board.run(4000)
        super().bot_lays(seat, tile, slot)
        self.passed.append(("taps late", 0))

    def forget_tap(self, seat: int, tile: int, slot: str) -> None:
        """Lay a tile without tapping it. When the next player continues, the lamps must show a
        refusal or a turn that players do not expect. Then the players correct the slip."""
        other = self.next_seat(seat)
        turn = self.line["turn"]
        self.board.lamp_reader.reset(self.board.ms)
        found = self.tile_of_another(other)  # else a press: perhaps "that was my last tile"
        taken = self.tap(*found) if found else self.press(other)
        lamps = self.look()
        if self.line["verdict"] == "ok":
            expected = self.next_seat(other) if found else other
            shown = lamps.turn() != expected or bool(lamps.flashed()) != (expected == other)
            shown = shown or self.line["phase"] != "play"  # no turn lamp at all
        else:
            shown = lamps.answer(constants.slot_number(found[1] if found else str(other))) == "r"
        self.note_shown("forgets to tap", 1, shown)
        if taken:
            self.take_back(other)
        if self.line["turn"] != turn:
            raise Disagreement("after taking back it is the turn of %s" % self.line["turn"])
        super().bot_lays(seat, tile, slot)

    def tile_of_another(self, seat: int) -> tuple[int, str] | None:
        """Return the move (tile, slot) that a seat would make in its turn, or None."""
        ends = self.line["ends"]
        for slot in (str(seat), "M"):
            for tile in self.hands[seat]:
                if slot in ends and fits(tile, _list(ends[slot])):
                    return tile, slot
        return None

    def wave_over_slot(self, seat: int, tile: int, slot: str) -> None:
        """Lay a tile, and then move it over another slot."""
        super().bot_lays(seat, tile, slot)
        if self.line["verdict"] != "ok" or self.line["phase"] != "play":
            return
        other = str(self.random.choice([s for s in range(1, STATIONS + 1) if str(s) != slot]))
        self.look()
        if self.tap(tile, other):
            raise Disagreement("a laid tile was accepted again")
        lamps = self.look()
        red = lamps.answer(constants.slot_number(other)) == "r"
        green = lamps.answer(constants.slot_number(slot)) == "g"
        self.note_shown("waves over another slot", 0, red and green)

    def lean_on_button(self, seat: int, tile: int, slot: str) -> None:
        """Lean on a button for three to five seconds, which the hub must ignore."""
        where = str(self.random.choice(self.seats))
        count = len(self.board.inputs)
        self.board.press_down(where)
        self.board.run(1500)
        white = self.board.lamp_reader.answer_now(int(where)) == "w"
        self.board.run(self.random.randint(1800, 3200))
        dark = self.board.lamp_reader.answer_now(int(where)) != "w"
        self.board.press_up(where)
        self.board.run(SHOWN_MS)
        if len(self.board.inputs) != count:
            raise Disagreement("a leaning elbow was an input")
        self.note_shown("leans on a button", 0, white and dark)
        super().bot_lays(seat, tile, slot)

    def hold_by_mistake(self, seat: int, tile: int, slot: str) -> None:
        """Take back a tile by mistake, check that its slot shows this, and tap it again."""
        super().bot_lays(seat, tile, slot)
        if self.line["verdict"] != "ok" or self.line["phase"] != "play":
            return
        if self.line["did"] != "laid":
            return  # notice of the last tile was given after it
        line = self.line
        self.board.run(SHOWN_MS)
        self.take_back(self.random.choice(self.seats))
        white = self.look().answer(constants.slot_number(slot)) == "w"
        self.note_shown("holds a button too short", 0, white)
        if not self.tap(tile, slot) or _table(line) != _table(self.line):
            raise Disagreement("tapped again, the tile leads to another table")

    def take_back(self, seat: int) -> None:
        """Take back the last input by holding a seat's button."""
        self.board.lamp_reader.reset(self.board.ms)
        self._must(self._input("hold %s" % seat, self.board.hold(str(seat))))

    def press_done(self, seat: int) -> None:
        """Press a seat's button to say "I have counted" while it still holds a tile."""
        self.look()
        if self.press(seat):
            raise Disagreement("too few tiles were counted, and the hub accepted it")
        red = self.look().answer(seat) == "r"
        self.note_shown("counts too few", 0, red)

    def _count_one(self) -> None:
        if not self.counted_too_few:
            self.counted_too_few = True
            for seat in self.seats:
                if self.hands[seat] and self.random.random() < self.slip_rate:
                    self.press_done(seat)
        super()._count_one()


def _table(line: Mapping[str, object]) -> list[object]:
    """Return a console line without the verdict and the lamps."""
    return [line[key] for key in ("turn", "ends", "hands", "open", "doubles")]


def _list(ends: int | list[int]) -> list[int]:
    return ends if isinstance(ends, list) else [ends]


def own_sheet(chance: random.Random, house: str, set_: int, seats: int) -> str:
    """Return a house of Mexican Train as the text of a `house` line, with up to three random
    variants: for the deal, the first engine and the count of rounds.

    set_: the highest number of the set
    seats: the count of seats
    """
    words = [house]
    firsts, _ = house_options.first_engines(house, set_)
    most = min(30, tiles.size(set_) // seats - 3)  # leaves a tile more for each seat, and some
    if most >= 3 and chance.random() < 0.5:
        words.append("deal-%d" % chance.randint(3, most))
    if firsts and chance.random() < 0.5:
        words.append("%s-%d" % (house_options.FIRST, chance.choice(firsts)))
    if chance.random() < 0.5:
        words.append("%s-%d" % (house_options.ROUNDS, chance.randint(1, 19)))
    return " ".join(words)


def play(seed: int) -> Played:
    """Play one round with players' slips. Return a Played; its `done` is {(slip, count of inputs
    until the lamps showed it): how often}."""
    chance = random.Random(seed)
    names = [name for name in houses.HOUSES if name != "free"]
    house = names[seed % len(names)]
    number = houses.HOUSES.index(house)
    set_ = house_info.own_set(number) if house in LINE_HOUSES else chance.choice((6, 9, 12))
    most = house_info.most_seats(number, set_)
    seats = sorted(chance.sample(range(1, STATIONS + 1), chance.randint(2, min(most, 6))))
    if are_trains(house_info.game(number)):
        house = own_sheet(chance, house, set_, len(seats))
    board = SimulatedHub(seed=seed)
    match = SlippingMatch(board, seats, house, set_, seed)
    story = None
    try:
        match.play(1)
    except Disagreement as error:
        inputs = [line["input"] for line in board.inputs[-8:]]
        told = "seed %d, %s, set %d, seats %s: %s: %s"
        story = told % (seed, house, set_, seats, ", ".join(inputs), error)
    return Played(collections.Counter(match.passed), story)
