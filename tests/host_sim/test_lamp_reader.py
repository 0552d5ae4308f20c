# SPDX-License-Identifier: MIT
"""The lamp reader deduces what the lights show from the bytes on the wire. The whole chain is
used: lights, strip, the Adafruit package, bytes, lamp reader."""

import random

from test_lights import SLOTS, Table

from host_sim.board.chips.pixel_strip import NeoPixel
from host_sim.board.hub.lamp_reader import LampReader
from roundhouse import round_end_lights
from roundhouse.animations import MATCH, OUT, ROUND
from roundhouse.drivers.strip import Strip
from roundhouse.lights import Lights
from roundhouse.palettes import PALETTES

FRAME = 23  # ms


class Board:
    def __init__(self, brightness=64, milliamps=900, slots=SLOTS, start=1000):
        self.lights = Lights(slots, PALETTES["standard"])
        self.pixels = NeoPixel(0, 4 * len(slots))
        self.strip = Strip(self.pixels, milliamps, brightness)
        self.lamp_reader = LampReader(slots)
        self.now = start
        self.pixels.on_frame = self.on_frame
        self.rgb = bytearray(12 * len(slots))
        self.frames = 0
        self.run(60)
        self.lamp_reader.reset(self.now)

    def on_frame(self, grb):
        self.frames += 1
        self.lamp_reader.add_frame(self.now, grb)

    def frame(self):
        self.strip.show(self.rgb, self.lights.frame(self.now & 0x3FFFFFFF, self.rgb))
        self.now += FRAME

    def run(self, ms):
        end = self.now + ms
        while self.now < end:
            self.frame()

    def input(self, table, slot=1, letter="g", ask=None):
        """Show the hub's answer to an input; return the ms until the lamps can be read."""
        begin = self.now
        self.lamp_reader.reset(begin)
        self.run(2 * FRAME)
        self.lights.show(table)
        if ask:
            ask(self.lights)
        self.lights.answer(slot, letter, self.now & 0x3FFFFFFF)
        self.frame()
        return self.settle(begin)

    def settle(self, begin, most=9000):
        while not self.lamp_reader.settled(self.now):
            assert self.now < begin + most, "never settled"
            self.frame()
        return self.now - begin

    def check(self, table):
        eyes = self.lamp_reader
        play = table.phase == 2
        shown = (
            table,
            bytes(self.lights.lamps),
            "seen",
            eyes.turn(),
            eyes.open(),
            eyes.doubles(),
        )
        assert eyes.turn() == (table.turn if play else 0), shown
        opened = [s for s in SLOTS if play and table.open_mask >> s & 1]
        assert eyes.open() == opened, shown
        doubles = sorted(table.places, key=table.places.get) if play else []
        assert eyes.doubles() == doubles, shown


def some_table(chance, most=4):
    slots = chance.sample(SLOTS[:11], chance.choice((0, 0, 0, 1, 1, 2, 3, most)))
    places = {slot: i + 1 for i, slot in enumerate(slots)}
    return Table(
        turn=chance.randint(1, 10),
        drawn=chance.random() < 0.3,
        open_mask=chance.getrandbits(12) & chance.getrandbits(12) & 0xFFE,
        playable=chance.getrandbits(12) & 0xFFE,
        places=places,
        due=chance.choice(slots) if slots and chance.random() < 0.7 else -1,
    )


def test_every_input_is_read_from_the_bytes():
    for brightness, milliamps in ((255, 2000), (64, 900), (40, 500), (40, 100), (255, 100)):
        chance = random.Random(milliamps + brightness)
        board = Board(brightness, milliamps)
        for _ in range(40):
            table = some_table(chance)
            board.input(table, chance.randint(1, 10), chance.choice("ggwr"))
            board.check(table)
            board.run(chance.choice((0, 0, 300, 1500)))


def test_drawn_is_told_by_the_speed_of_the_breath():
    for brightness, milliamps in ((255, 2000), (64, 900), (40, 500), (40, 100)):
        for shift in range(0, 3200, 331):
            for drawn in (False, True):
                board = Board(brightness, milliamps, start=1000 + shift)
                table = Table(turn=4, drawn=drawn, open_mask=0x8A, places={3: 1}, due=3)
                board.input(table, 4)
                while board.lamp_reader.drawn() is None:
                    board.frame()
                assert board.lamp_reader.drawn() is drawn, (brightness, milliamps, shift)


def test_eleven_doubles_are_counted():
    places = {slot: place for place, slot in enumerate((5, 11, 1, 10, 2, 9, 3, 8, 4, 7, 6), 1)}
    for brightness, milliamps in ((64, 900), (40, 500)):
        for due in (5, -1):
            board = Board(brightness, milliamps)
            table = Table(turn=5, places=places, due=due, open_mask=0xFFE)
            board.input(table)
            board.check(table)


def test_answers_faults_and_hints_are_told_apart():
    for brightness, milliamps in ((255, 2000), (64, 900), (5, 900), (40, 60)):
        board = Board(brightness, milliamps)
        table = Table(turn=2, playable=1 << 5)
        for letter in "grw":
            board.input(table, 3, letter)
            assert board.lamp_reader.answer(3) == letter
            assert board.lamp_reader.answer(4) == ""
            board.run(900)
        assert board.lamp_reader.answer_now(5) == "h"
        assert board.lamp_reader.answer_now(3) == ""
        board.lights.set_fault(3, True)
        board.run(60)
        seen = set()
        for _ in range(120):
            board.frame()
            seen.add(board.lamp_reader.answer_now(3))
        assert seen == {"v", ""}


def test_an_animation_is_not_read_as_lamps():
    table = Table(turn=3, open_mask=0x82, places={7: 1, 2: 2}, due=7)
    for ask in (
        lambda lights: round_end_lights.celebrate(lights, OUT, (3,)),
        lambda lights: round_end_lights.celebrate(lights, ROUND, (3, 1, 2, 4, 5)),
        lambda lights: round_end_lights.celebrate(lights, MATCH, (3, 5)),
        lambda lights: (
            round_end_lights.points(lights, 1, 0),
            round_end_lights.points(lights, 2, 37),
            round_end_lights.points(lights, 3, 190),
        ),
    ):
        board = Board()
        assert board.input(table, ask=ask) > 1500
        board.check(table)
        # The same without an answer.
        begin = board.now
        board.lamp_reader.reset(begin)
        ask(board.lights)
        board.run(60)
        assert board.settle(begin) > 1900
        board.check(table)


def test_a_double_under_an_animation_is_read_after_it():
    for wait in range(0, 1600, 97):
        board = Board(start=1000 + wait)
        table = Table(turn=1, places={7: 1, 2: 2, 3: 3}, due=7)
        board.input(table)
        board.run(wait)
        board.lamp_reader.reset(board.now)
        round_end_lights.celebrate(board.lights, OUT, (3,))
        board.frame()
        board.settle(board.now)
        board.check(table)


def test_reading_is_quick():
    chance = random.Random(8)
    board = Board()
    plain, one = [], []
    for _ in range(60):
        table = some_table(chance)
        took = board.input(table, chance.randint(1, 10))
        if not table.places:
            plain.append(took)
        elif len(table.places) == 1:
            one.append(took)
    plain.sort()
    # From the tap to the reading, in ms of the hub's own time.
    assert plain[len(plain) // 2] <= 170, plain
    assert plain[-1] <= 250, plain
    assert max(one) <= 700, one
