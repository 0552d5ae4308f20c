# SPDX-License-Identifier: MIT
"""Measures how fast taps are answered in whole rounds, played by the soak test's players on the
emulated Pico."""

import random
import statistics
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from host_sim.board.hub.simulated_hub import configured, seating, uid
from host_sim.lab.benchmark import Probe, TimedTag, answered, p99
from host_sim.lab.hub_adapters import BoardHub
from host_sim.lab.refereed_evening import Evening
from host_sim.table.console_line import ConsoleLine
from roundhouse import tiles
from roundhouse.constants import slot_name

# House, highest number of the set, seats: a round of each is played.
ROUNDS = (
    ("puremco", 12, (1, 3, 6, 8)),
    ("original", 12, (1, 2, 4, 6, 8, 9)),
    ("jassshop", 12, (2, 5, 9)),
    ("quebec", 12, (1, 2, 3, 4, 5, 6, 7, 8)),
    ("goliath", 12, (1, 4, 6, 7, 10)),
    ("cardinal", 12, (1, 3, 5, 7)),
    ("classic", 9, (1, 4, 7, 9)),
    ("matador", 12, (2, 6, 8)),
    ("puremco", 15, tuple(range(1, 13))),
)
LARGE = len(ROUNDS) - 1  # the round at a board with fourteen stations
QUICK = 2  # the round that benchmark.measure_quickly plays
SAMPLE = (0, 5)  # the rounds also played with one field, with four, and at a quick table
MISCHIEF = 0.05  # how often a player does something odd before a tile is laid
PRESSED_MS = 100
PAUSE_MS = 450, 550  # from an answer to the next tap: faster than people
HASTE_MS = 70, 140  # the same at a quick table: work of idle times falls between


Row = tuple[float, ...]


class TapTimes(NamedTuple):
    """The measurements of a tap, or of a press between two rounds.

    Times are in ms from laying the tag or releasing the button.

    light: the time to the end of the first frame that shows the answer
    line: the time to the last byte of the console line
    read_us: see TimedTag; 0 for a press
    erases: the flash blocks erased meanwhile
    playable: whether the seat to move was allowed to play on the slot
    ends: whether it ended the round
    between: whether the input was made between two rounds
    opens: whether it opened the round
    """

    light: float
    line: float
    read_us: int
    erases: int
    accepted: bool
    playable: bool
    ends: bool
    between: bool = False
    opens: bool = False


class TimedHub(BoardHub):
    """A hub for an Evening that times every tap.

    taps: a TapTimes for each timed input, in order
    """

    board: Probe

    def __init__(
        self,
        board: Probe,
        house: str,
        set_: int,
        seats: Sequence[int],
        seed: int,
        pause_ms: tuple[int, int] = PAUSE_MS,
    ) -> None:
        self.board = board
        self.pause_ms = pause_ms
        self.taps: list[TapTimes] = []
        self._chance = random.Random(seed)
        for line in ("house " + house, "set %d" % set_):
            board.command(line)
        for seat in seats:
            board.press(str(seat))
        self.set_up = 2 + len(seats)

    def tap(self, slot: int, tile: int, override: bool = False) -> ConsoleLine | None:
        """Tap a tile, time the answer and remove the tag."""
        board, name = self.board, slot_name(slot)
        board.run(self._chance.uniform(*self.pause_ms))
        if override:
            board.press_down(name)
            board.run(100)
        tag = TimedTag(uid("%d %d" % (len(self.taps), tile)), tiles.text(tile))
        line = self._time(name, lambda: board.put(tag, name), lambda: tag.read_us)
        board.remove(name)
        if override:
            board.press_up(name)
            board.run(100)
        return line

    def press(self, slot: int) -> ConsoleLine | None:
        """Press a slot's button after a pause; between two rounds, time the answer."""
        board, name = self.board, slot_name(slot)
        board.run(self._chance.uniform(*self.pause_ms))
        if board.inputs[-1]["phase"] == "play":
            return super().press(slot)
        board.run(PRESSED_MS)  # in all more than half a second since this button was let go
        board.press_down(name)
        board.run(PRESSED_MS)
        return self._time(name, lambda: board.press_up(name), lambda: 0)

    def _time(
        self, name: str, act: Callable[[], object], read_us: Callable[[], int]
    ) -> ConsoleLine:
        """Make an input by `act` and time its answer. Return the console line.

        name: the slot of the input
        read_us: returns TapTimes.read_us after the answer
        """
        board = self.board
        was, place, before = board.inputs[-1], board.place(name), len(board.inputs)
        shown = board.frames[-1][1] if board.frames else bytes(12 * len(board.slots))
        board.frames.clear()
        erases, at = board.erases, board.clock.us
        act()
        line = board.line_after(before)
        if line is None:
            raise RuntimeError("%s was not answered" % name)
        line_us = board.clock.us - at
        is_lit, pixel = answered(shown, place), slice(12 * place + 9, 12 * place + 12)

        def begins(grb: bytes) -> bool:  # a lamp that is still lit goes dark first, or changes
            return grb[pixel] != shown[pixel] if is_lit else answered(grb, place)

        while not any(begins(grb) for _, grb in board.frames):
            board.run(5)
        light_us = next(us for us, grb in board.frames if begins(grb)) - at
        self.taps.append(
            TapTimes(
                light_us / 1000,
                line_us / 1000,
                read_us(),
                board.erases - erases,
                line["verdict"] == "ok",
                name in was["playable"],
                was["phase"] == "play" != line["phase"],
                was["phase"] != "play",
                was["phase"] != "play" == line["phase"],
            )
        )
        return line


def play(number: int, pause_ms: tuple[int, int] = PAUSE_MS, **changes: Any) -> list[TapTimes]:
    """Play one of ROUNDS on an emulated hub, count the hands, and open the next round.

    number: its index in ROUNDS
    changes: settings of config.py
    """
    board = Probe(seating(max(ROUNDS[number][2]), **changes))
    return play_on(board, number, pause_ms)


def play_on(board: Probe, number: int, pause_ms: tuple[int, int] = PAUSE_MS) -> list[TapTimes]:
    house, set_, seats = ROUNDS[number]
    hub = TimedHub(board, house, set_, seats, number, pause_ms)
    evening = Evening(hub, house, set_, seats, number, MISCHIEF, len(board.slots) - 2)
    evening.players.open()
    while evening.referee.phase == "play":
        evening.players.move()
    evening.players.count()
    if evening.referee.phase == "engine":
        evening.players.open()
    return hub.taps


# What a config.py may add: every 16th record, an exception is reported from within.
REPORTS = b"""
from roundhouse import boot as _boot, crash as _crash, journal as _journal
_record = _journal.Journal.record
_count = [0]
def _reporting(*args):
    _count[0] += 1
    if _count[0] % 16 == 0:
        _crash.report(ValueError("tried"), _boot.lamp, 28)
    return _record(*args)
_journal.Journal.record = _reporting
"""
STACK_SIZE = 0x2300  # as build-firmware.sh sets it
STACK = 0x20042000 - STACK_SIZE  # the end of the RP2040's RAM; it grows down
RARE = ("undo", "redo", "export", "position", "help", "selftest", "selftest end", "state")


class Reporting(Probe):
    """A hub that reports an exception now and then, in the middle of an input."""

    def _changes(self) -> bytes:
        return super()._changes() + REPORTS


def stack_left() -> int:
    """Return how many bytes of the C stack stay unused in a whole round, and in what is rare."""
    board = Reporting(configured())
    play_on(board, QUICK)
    for line in RARE:
        board.emulator.type(line.encode() + b"\r\n")
        board.run(3000)
    board.press_down("5")
    board.run(1500)  # takes the last input back
    board.press_up("5")
    board.run(1000)
    stack = board.emulator.read_memory(STACK, STACK_SIZE)
    return next(n for n, byte in enumerate(stack) if byte)


def figures(taps: Sequence[TapTimes]) -> dict[str, Any]:
    """Return {figure: (count of taps or presses, median, 99th percentile, worst)}, with times in
    ms. The key "erased" has the share of taps, 0 to 1, during which flash was erased."""

    def of(
        value: Callable[[TapTimes], float],
        which: Callable[[TapTimes], bool],
        between: bool = False,
    ) -> Row:
        values = [value(tap) for tap in taps if tap.between == between and which(tap)] or [0.0]
        found = statistics.median(values), p99(values), max(values)
        return (len(values), *(round(v, 1) for v in found))

    return {
        "opens_light": of(lambda tap: tap.light, lambda tap: tap.opens, True),
        "ends_light": of(lambda tap: tap.light, lambda tap: tap.ends),
        "between_light": of(lambda tap: tap.light, lambda tap: True, True),
        "between_line": of(lambda tap: tap.line, lambda tap: True, True),
        "light_playable": of(lambda tap: tap.light, lambda tap: tap.playable),
        "light": of(lambda tap: tap.light, lambda tap: True),
        "accepted": of(lambda tap: tap.line, lambda tap: tap.accepted and not tap.ends),
        "refused": of(lambda tap: tap.line, lambda tap: not tap.accepted),
        "ends": of(lambda tap: tap.line, lambda tap: tap.ends),
        "read": of(lambda tap: tap.read_us / 1000, lambda tap: True),
        "erased": round(sum(tap.erases > 0 for tap in taps) / len(taps), 2),
    }
