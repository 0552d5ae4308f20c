# SPDX-License-Identifier: MIT
"""Evenings of people whose hands slip: does the hub show it at once?

They forget to tap a tile and the next player goes on, tap late, wave a tile over another slot,
lean on a button, press twice, count a tile too few. For every slip it is counted how many inputs
pass until something shows it that anybody at the table can see: a red, green or white answer, the
light that runs round the rim, the turn lamp. Then they put it right by the ordinary gestures, and
the round must end with the points that the people count.
"""

import collections
import random

from host_sim.checks import worker_pool
from host_sim.games import house_info
from host_sim.games.line_games.sheets import HOUSES as LINE_HOUSES
from host_sim.games.player_knowledge import Disagreement, fits
from host_sim.hub.simulated_hub import SimulatedHub
from host_sim.session.bot_match import BotMatch
from roundhouse import constants
from roundhouse.games import houses

# What can slip, and how many inputs may pass before the hub shows it.
MOST = {
    "forgets to tap": 1,
    "taps late": 0,
    "waves over another slot": 0,
    "leans on a button": 0,
    "holds a button too short": 0,
    "presses twice": 0,
    "counts too few": 0,
}
SHOWN_MS = 700  # a light that runs is over by then
STATIONS = 10


class SlippingMatch(BotMatch):
    """A match of bots whose hands slip, often.

    passed: {what slipped: [inputs until it was shown, ...]}.
    """

    def __init__(self, board, seats, house, set_, seed=1, often=0.25):
        super().__init__(board, seats, house, set_, seed)
        self.often = often
        self.passed = collections.defaultdict(list)

    # ---- what anybody sees ----

    def tap(self, tile, slot, must=True):
        """Tap, with eyes that look for what it is answered with."""
        self.board.eyes.reset(self.board.ms)
        return super().tap(tile, slot, must)

    def press(self, slot, must=True):
        """Press, with eyes that look for what it is answered with."""
        self.board.eyes.reset(self.board.ms)
        return super().press(slot, must)

    def look(self):
        """Look at the hub until nothing runs any more; return its eyes."""
        self.board.run(SHOWN_MS)
        self.board.settle()
        return self.board.eyes

    def shown(self, slip, passed, is_shown):
        """Note that a slip was shown after so many inputs, or Disagreement."""
        if not is_shown:
            raise Disagreement("%s: nothing shows it" % slip)
        self.passed[slip].append(passed)

    def next_of(self, seat):
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    # ---- slips ----

    def lay(self, seat, tile, slot):
        """Lay a tile, and perhaps something slips."""
        if self.random.random() >= self.often:
            super().lay(seat, tile, slot)
            return
        slip = self.random.choice((self.forget, self.late, self.wave, self.lean, self.hold))
        slip(seat, tile, slot)

    def draw(self, seat):
        """Draw or pass, perhaps with two presses at once."""
        if self.random.random() >= self.often or not self.line["boneyard"]:
            super().draw(seat)
            return
        before, count = self.line["boneyard"], len(self.board.inputs)
        self.board.run(SHOWN_MS)
        self.board.eyes.reset(self.board.ms)
        for _ in range(2):
            self.board.press_down(str(seat))
            self.board.run(90)
            self.board.press_up(str(seat))
            self.board.run(120)
        eyes = self.look()
        if len(self.board.inputs) != count + 1:
            raise Disagreement("two presses at once are two, or none")
        self.do("press %s, twice" % seat, self.board.inputs[-1])
        if self.line["boneyard"] < before:
            self.hands[seat].append(self.stock.pop())
        told = eyes.flashed() == seat if self.line["turn"] == seat else bool(eyes.ran())
        self.shown("presses twice", 0, told or self.line["phase"] != "play")

    def late(self, seat, tile, slot):
        """A tile lies, and is tapped after a while: nobody has done anything meanwhile."""
        self.board.run(4000)
        super().lay(seat, tile, slot)
        self.passed["taps late"].append(0)

    def forget(self, seat, tile, slot):
        """A tile is laid and not tapped. The next player goes on, and sees that the hub takes it
        for somebody else's; then it is put right."""
        other = self.next_of(seat)
        turn = self.line["turn"]
        self.board.eyes.reset(self.board.ms)
        found = self.of_another(other)  # else a press: it may say "that was my last tile"
        taken = self.tap(*found, must=False) if found else self.press(other, must=False)
        eyes = self.look()
        if self.line["verdict"] == "ok":
            expected = self.next_of(other) if found else other
            told = eyes.turn() != expected or bool(eyes.flashed()) != (expected == other)
            told = told or self.line["phase"] != "play"  # no turn lamp at all
        else:
            told = eyes.answer(constants.slot_number(found[1] if found else str(other))) == "r"
        self.shown("forgets to tap", 1, told)
        if taken:
            self.back(other)
        if self.line["turn"] != turn:
            raise Disagreement("taken back: it is the turn of %s" % self.line["turn"])
        super().lay(seat, tile, slot)

    def of_another(self, seat):
        """Return (tile, slot) that somebody lays who thinks it is their turn, or None."""
        ends = self.line["ends"]
        for slot in (str(seat), "M"):
            for tile in self.hands[seat]:
                if slot in ends and fits(tile, _list(ends[slot])):
                    return tile, slot
        return None

    def wave(self, seat, tile, slot):
        """A tile passes over another slot after it was laid."""
        super().lay(seat, tile, slot)
        if self.line["verdict"] != "ok" or self.line["phase"] != "play":
            return
        other = str(self.random.choice([s for s in range(1, STATIONS + 1) if str(s) != slot]))
        self.look()
        if self.tap(tile, other, must=False):
            raise Disagreement("a tile that lies was taken again")
        eyes = self.look()
        red = eyes.answer(constants.slot_number(other)) == "r"
        green = eyes.answer(constants.slot_number(slot)) == "g"
        self.shown("waves over another slot", 0, red and green)

    def lean(self, seat, tile, slot):
        """An elbow rests on a button for three to five seconds: nothing happens."""
        where = str(self.random.choice(self.seats))
        count = len(self.board.inputs)
        self.board.press_down(where)
        self.board.run(1500)
        white = self.board.eyes.beside(int(where)) == "w"
        self.board.run(self.random.randint(1800, 3200))
        dark = self.board.eyes.beside(int(where)) != "w"
        self.board.press_up(where)
        self.board.run(SHOWN_MS)
        if len(self.board.inputs) != count:
            raise Disagreement("a leaning elbow was an input")
        self.shown("leans on a button", 0, white and dark)
        super().lay(seat, tile, slot)

    def hold(self, seat, tile, slot):
        """A hold that nobody meant: the slot it takes back from says so, and the tile is tapped
        again."""
        super().lay(seat, tile, slot)
        if self.line["verdict"] != "ok" or self.line["phase"] != "play":
            return
        if self.line["did"] != "laid":
            return  # the last tile's notice came behind it
        before = {key: self.line[key] for key in ("turn", "ends", "hands", "open", "doubles")}
        self.board.run(SHOWN_MS)
        self.back(self.random.choice(self.seats))
        white = self.look().answer(constants.slot_number(slot)) == "w"
        self.shown("holds a button too short", 0, white)
        if not self.tap(tile, slot) or before != {key: self.line[key] for key in before}:
            raise Disagreement("tapped again it is another table")

    def back(self, seat):
        """Take back what was done last."""
        self.board.eyes.reset(self.board.ms)
        self.do("hold %s" % seat, self.board.hold(str(seat)))

    def press_done(self, seat):
        """A seat says that it has counted, with a tile still in its hand."""
        self.look()
        if self.press(seat, must=False):
            raise Disagreement("too few tiles were counted, and nobody asked")
        red = self.look().answer(seat) == "r"
        self.shown("counts too few", 0, red)

    def count(self):
        for seat in self.seats:
            if self.hands[seat] and self.random.random() < self.often:
                self.press_done(seat)
        super().count()


def _list(ends):
    return ends if isinstance(ends, list) else [ends]


def soak(rounds, seed, progress):
    """Play so many rounds, several at a time; progress(played, of) is called after each.

    Returns ({what slipped: [inputs until it was shown, ...]}, the stories of what was not shown,
    or not put right).
    """
    passed, stories = collections.defaultdict(list), []
    numbers = range(seed * 100_000, seed * 100_000 + rounds)
    with worker_pool.pool() as pool:
        for n, (slipped, story) in enumerate(pool.map(play, numbers), 1):
            for what, inputs in slipped.items():
                passed[what] += inputs
            if story:
                stories.append(story)
            progress(n, rounds)
    return passed, stories


def play(seed):
    """Play a round; return (as `soak` does, for this one, None or the story)."""
    chance = random.Random(seed)
    names = [name for name in houses.HOUSES if name != "free"]
    house = names[seed % len(names)]
    number = houses.HOUSES.index(house)
    set_ = house_info.own_set(number) if house in LINE_HOUSES else chance.choice((6, 9, 12))
    most = house_info.most_seats(number, set_)
    seats = sorted(chance.sample(range(1, STATIONS + 1), chance.randint(2, min(most, 6))))
    board = SimulatedHub(seed=seed)
    match = SlippingMatch(board, seats, house, set_, seed)
    try:
        match.play(1)
    except Disagreement as error:
        said = [line["input"] for line in board.inputs[-8:]]
        story = "seed %d, %s, set %d, seats %s: %s: %s"
        return dict(match.passed), story % (seed, house, set_, seats, ", ".join(said), error)
    return dict(match.passed), None
