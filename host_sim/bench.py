# SPDX-License-Identifier: MIT
"""The performance table: the firmware on the emulated Pico, measured from outside.

Readers, pixels and USB are looked at where they meet the Pico's pins; what has no pin (the rules
core, the journal, the heap) is timed by a few lines of MicroPython on the same Pico. All times
are emulated, so that every run gives the same figures on any machine.
"""

import collections
import json
import random
import statistics
import sys

from host_sim import machine
from host_sim.board import configured, uid
from host_sim.ntag import NTAG213
from host_sim.pico import flash
from host_sim.pico.board import PicoBoard
from roundhouse import tiles
from roundhouse.console import slot_name

WUPA_US = 233  # a WUPA frame and no answer: what an empty poll takes on the air
TAPS = 300
GREEN, RED = (1, 0), (0, 1)  # bytes of a pixel, as they come


class Probe(PicoBoard):
    """A board that writes down who is selected when, and every frame."""

    def _connect(self):
        super()._connect()
        self.visits = []  # [slot's place, first us, last us, pulses, bytes, was asked]
        self.frames = []  # (us, bytes)
        n = self.config.STATIONS + 2
        hub12 = self.config.WIRING == "hub12"
        for place in range(n):
            name = ("select", place) if hub12 else self.config.PINS["selects"][place]
            machine.wire(name).watchers.append(lambda level, p=place: self._select(p, level))

    def _select(self, place, level):
        now = self.clock.us
        if level:
            self.visits[-1][2] = now
        elif self.visits and self.visits[-1][0] == place:
            self.visits[-1][3] += 1
        else:
            self.visits.append([place, now, now, 1, 0, False])

    def spi(self, byte):
        visit = self.visits[-1]
        visit[4] += 1
        visit[5] = visit[5] or byte == 0x52
        return super().spi(byte)

    def frame(self, grb):
        self.frames.append((self.clock.us, grb))
        super().frame(grb)


def in_play(fields=2, **changes):
    """Return a Probe with four seats in the middle of a round."""
    board = Probe(configured(FIELDS=fields, **changes))
    for seat in (1, 3, 6, 8):
        board.press(str(seat))
    board.tap("12-12", "3")
    board.tap("12-5", "3")
    board.run(700)
    return board


def empty_poll(board):
    """Return (SPI calls, bytes, us) of the polls of empty slots in a second of play."""
    board.visits.clear()
    board.run(1000)
    polls = [v for v in board.visits[1:-1] if v[5]]
    middle = [statistics.median_high(v[i] for v in polls) for i in (3, 4)]
    return (*middle, statistics.median_high(v[2] - v[1] for v in polls))


def sweep_ms(board):
    """Return how often each slot is asked: ms from one poll to the next, the mean of all slots."""
    board.visits.clear()
    board.run(2000)
    polls = [v for v in board.visits if v[5]]
    return round((polls[-1][1] - polls[0][1]) / 1000 * len(board.slots) / (len(polls) - 1), 1)


def answered(grb, place):
    """Whether a slot's answer pixel shows a green or a red answer in a frame's G, R, B bytes."""
    green, red, blue = grb[12 * place + 9 : 12 * place + 12]
    return max(green, red) > 3 * min(green, red) + blue


def taps(board, count, seed=1):
    """Return ([ms to the first light], [ms to the line]) of taps at random moments and places."""
    chance = random.Random(seed)
    lights, lines = [], []
    numbers = list(range(tiles.size(12)))
    chance.shuffle(numbers)
    for n in range(count):
        board.run(chance.uniform(450, 550))  # the answer before is over
        playable = board.inputs[-1]["playable"]
        slot = chance.choice(playable) if n % 2 and playable else slot_name(chance.choice(board.slots))
        place = board.place(slot)
        text = tiles.text(numbers[n % len(numbers)])
        tag = NTAG213(uid("%d %s" % (n, text)), text)
        board.frames.clear()
        before = len(board.inputs)
        at = board.clock.us
        board.put(tag, slot)
        if not board.line_after(before):
            raise RuntimeError("the tap of %s on %s was not answered" % (text, slot))
        lines.append((board.clock.us - at) / 1000)
        board.run_until(lambda: any(answered(grb, place) for _, grb in board.frames), 300)
        first = next(us for us, grb in board.frames if answered(grb, place))
        lights.append((first - at) / 1000)
        board.remove(slot)
        if board.inputs[-1]["phase"] != "play":
            break
    return lights, lines


class Snippet(PicoBoard):
    """A Pico that runs a few lines of MicroPython instead of the hub; `said` is what it prints."""

    def __init__(self, code, files=None, ms=60000):
        self.ms_allowed = ms
        super().__init__(files={**(files or {}), "main.py": code.encode()})

    def _booted(self, count):
        return self.run_until(lambda: self.said and "done" in self.said[-1], self.ms_allowed)


def p99(values):
    return sorted(values)[int(0.99 * (len(values) - 1) + 0.5)]
