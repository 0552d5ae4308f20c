# SPDX-License-Identifier: MIT
"""Figures of the benchmark, on the emulated Pico, agree with other measurements."""

import functools
import json

import pytest

from host_sim.__main__ import main
from host_sim.board.chips import flash_image
from host_sim.board.hub.simulated_hub import configured
from host_sim.board.pico.emulator import IMAGE
from host_sim.lab import (
    benchmark,
    benchmark_rounds,
    benchmark_table,
    board_benchmark,
    functions_in_ram,
)
from host_sim.lab.refereed_evening import Evening

needs_image = pytest.mark.skipif(
    not IMAGE.exists(), reason="no MicroPython image: `make micropython` builds it (on Debian)"
)


@pytest.mark.slow
@needs_image
def test_a_board_measures_by_itself_and_is_left_as_it_was(monkeypatch, capsys):
    """The benchmark over a serial line changes no journal and leaves no file behind."""
    from host_sim.board.pico.pty_port import HubOnPty

    board = HubOnPty()
    try:
        with board.lock:
            before = flash_image.unpack(board.emulator.read_files())
        of_one = functools.partial(board_benchmark.measure, games=("classic",))
        monkeypatch.setattr(board_benchmark, "measure", of_one)
        for name in ("RECORDS", "HEAP"):  # the other tests repeat what they measure as often
            code = getattr(benchmark, name)
            assert "300" in code
            for often, seldom in (("300", "30"), ("range(60)", "range(3)")):
                code = code.replace(often, seldom)
            monkeypatch.setattr(benchmark, name, code)
        assert main(["bench", "--port", board.port_name, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        with board.lock:
            after = flash_image.unpack(board.emulator.read_files())
        assert {k: v for k, v in after.items() if "journal" in k or "bench" in k} == {
            k: v for k, v in before.items() if "journal" in k
        }
        board.wait_for(lambda: board.inputs[-1]["input"] == "power-up")
    finally:
        board.close()
    assert 0 < found["games"]["classic"]["input_us"]["mean"] < 2000
    assert found["games"]["classic"]["heap"]["free"] > 100 * 1024
    said = dict(benchmark_table.board_rows(found))
    assert "KiB" in said["  heap free in play"] and "pins" in said["everything else"]


@pytest.fixture(scope="module")
def boards():
    """Return the list in which the fixture `board` keeps the board that all tests share."""
    return []


@pytest.fixture
def board(boards):
    """Return a board in the middle of a round, the same for all tests if possible."""
    if not boards or boards[0].emulator.world is not boards[0]:
        boards[:] = [benchmark.in_play()]
    else:
        boards[0].run(700)  # what the test before has lit goes out
    return boards[0]


@pytest.mark.slow
@needs_image
def test_a_tap_measured_in_two_ways(board):
    """The time to the light, measured by the answer pixel's colour, agrees within 0.1 ms with the
    time measured by the pixel's brightness.

    The time until the console line is read agrees within 20 ms with the time until the last byte
    of the line arrives.
    """
    for slot, text in (("5", "9-8"), ("9", "4-4")):
        place = board.place(slot)
        board.frames.clear()
        line_us = []
        usb = board.usb

        def noted(data, usb=usb, line_us=line_us):
            line_us.append(board.clock.us)
            usb(data)

        board.usb = noted
        before, at = len(board.inputs), board.clock.us
        board.put(text, slot)
        assert board.line_after(before)
        took = board.clock.us - at
        board.usb = usb
        first = next(us for us, grb in board.frames if benchmark.answered(grb, place)) - at
        levels = [grb[12 * place + 9 : 12 * place + 12] for _, grb in board.frames]
        seen = [us - at for (us, _), level in zip(board.frames, levels) if max(level) > 60]
        assert abs(seen[0] - first) < 100, "the answer's pixel, by its level alone"
        assert 0 <= took - (line_us[-1] - at) < 20000, "the line, by its last byte"
        assert first < line_us[0] - at, "light first"
        board.remove(slot)


@pytest.mark.slow
@needs_image
def test_taps_are_answered_in_time(board):
    found = benchmark.taps_on(board, 1, 4)
    assert len(found) == 4
    for light, line, read_us, _ in found:
        assert 0 < light < line < 150 and light < 60
        assert 8000 < read_us < 15000


@pytest.mark.slow
@needs_image
def test_a_new_tag_measured_in_two_ways(board):
    """The reading time of a new tag is longer on the bus than at the tag, by less than 2.5 ms."""
    for text, answers_us in (("12-7", benchmark.FDT_US), ("3-0", 2000)):
        tag = benchmark.TimedTag(benchmark.uid(text), text, answers_us)
        board.visits.clear()
        before = len(board.inputs)
        board.put(tag, "5")
        assert board.line_after(before)
        place = board.place("5")
        bus = max(last - first for at, first, last, *_ in board.visits if at == place)
        assert tag.read_us < bus < tag.read_us + 2500, (tag.read_us, bus)
        board.remove("5")


@pytest.mark.slow
@needs_image
def test_a_poll_and_a_sweep_measured_in_two_ways(board):
    """The average time between polls measured on the bus agrees with the time measured at the
    antennas."""
    lit = []
    for chip in board.chips:
        chip.on_field = lambda chip, on: lit.append(board.clock.us) if on else None
    assert board.config.FIELDS == 3
    swept = benchmark.sweep_of(board)
    for chip in board.chips:
        chip.on_field = None
    by_field = (lit[-1] - lit[0]) / 1000 * 12 / (len(lit) - 1)
    assert abs(by_field - swept["ms"]) < 1.5, (by_field, swept["ms"])
    assert swept["calls"] <= 12
    assert 0 < swept["bytes"] <= 40
    # the worst has a check of the chip and a frame of the lamps in between, which are bytecode
    assert swept["us"] <= 600 and swept["us"] <= swept["worst_us"] < 3000
    assert swept["ms"] <= 40 and swept["ms"] / 2 < swept["worst_ms"] < 80
    if benchmark.FROZEN:  # else the collector, which takes 9 ms, comes by itself every 1.7 s
        assert swept["worst_ms"] < swept["ms"] + 8


@pytest.mark.slow
@pytest.mark.skipif(not benchmark.FROZEN, reason="the image cannot be built here")
def test_the_stack_is_large_enough(monkeypatch):
    """A round has the row in `make bench`: here the rare things alone, after a few inputs."""
    monkeypatch.setattr(benchmark_rounds, "play_on", lambda board, number: few_inputs(board))
    assert benchmark_rounds.stack_left() >= 900


def few_inputs(board):
    for seat in ("1", "3", "6"):
        board.press(seat)
    board.tap("12-12", "3")
    for tile, slot in (("12-5", "3"), ("12-4", "6"), ("12-3", "1")):
        board.tap(tile, slot)
    table = board.inputs[-1]
    assert table["phase"] == "play"


class Heard(benchmark.Snippet):
    """A Snippet that also times the arrival of each line.

    heard_us: the microseconds from power-up to each line
    """

    def _connect(self):
        super()._connect()
        self.on_us = self.clock.us
        self.heard_us = []

    def _collect(self):
        self.heard_us += [self.clock.us - self.on_us] * len(self.port.lines)
        super()._collect()


@pytest.mark.slow
@needs_image
def test_the_boards_own_clock_is_the_one_outside():
    """The Pico's own clock agrees with the times at which its lines arrive."""
    code = """
t = Match()
print(json.dumps({"ms": time.ticks_ms()}))
at = time.ticks_us()
for i in range(40):
    t.apply(constants.PRESS, 1, 0)
    t.playable
took = time.ticks_diff(time.ticks_us(), at)
print(json.dumps({"figures": 1, "took": took}))
"""
    board = Heard(code)
    first, last = board.heard_us[-2:]
    assert abs(first / 1000 - board.lines[-2]["ms"]) < 25, "since power on, USB's start included"
    assert 0 <= last - first - board.result["took"] < 3000, "and a line of 30 bytes"


@pytest.mark.slow
@needs_image
def test_what_a_start_takes():
    light, line = (60, 450) if benchmark.FROZEN else (200, 1100)
    found = benchmark.start_up()
    for name, (first, last) in found.items():
        more = 100 if name == "dragged" else 0  # it makes its file system, and config.py
        assert 0 < first < light + more and first < last < line + more


def test_figures_of_whole_rounds():
    def tap(light, line, erases=0, accepted=True, playable=True, ends=False):
        return benchmark_rounds.TapTimes(light, line, 9000, erases, accepted, playable, ends)

    found = benchmark_rounds.figures(
        [tap(30, 50), tap(40, 60), tap(50, 95, erases=1, ends=True), tap(45, 55, 0, False, False)]
        + [tap(35, 80)._replace(between=True)]
    )
    assert found["between_light"] == (1, 35, 35, 35) and found["between_line"] == (1, 80, 80, 80)
    assert found["light_playable"] == (3, 40, 50, 50) and found["light"] == (4, 42.5, 50, 50)
    assert found["accepted"] == (2, 55, 60, 60) and found["refused"] == (1, 55, 55, 55)
    assert found["ends"] == (1, 95, 95, 95) and found["erased"] == 0.2


@pytest.mark.slow
@needs_image
@pytest.mark.parametrize(
    "pause_ms, fields", [(benchmark_rounds.PAUSE_MS, 3), (benchmark_rounds.HASTE_MS, 4)]
)
def test_taps_of_a_round_measured_in_two_ways(pause_ms, fields):
    """The benchmark's times of a round's first taps agree with the journal, and blocks are erased
    only between them."""
    board = benchmark.Probe(configured(FIELDS=fields))
    wrote = []
    flash = board.flash

    def noted(letter, address, length):
        wrote.append((letter, board.clock.us))
        flash(letter, address, length)

    board.flash = noted
    hub = benchmark_rounds.TimedHub(board, "puremco", 12, (1, 3, 6, 8), 1, pause_ms)
    evening = Evening(hub, "puremco", 12, (1, 3, 6, 8), 1, 0)
    evening.players.open()
    while len(hub.taps) < 9:
        began, before = len(wrote), len(hub.taps)
        at = board.clock.us
        evening.players.move()
        if len(hub.taps) != before + 1 or not hub.taps[-1].accepted:
            continue
        tap = hub.taps[-1]
        programmed = [us for letter, us in wrote[began:] if letter == "p"]
        assert programmed and not tap.erases
        laid = at + 1000 * pause_ms[0]
        assert laid + 1000 * tap.light - 1000 < programmed[-1] < board.clock.us
        assert tap.light < tap.line < 90
        assert tap.read_us < 10000
    assert "e" in {letter for letter, _ in wrote}


@pytest.mark.slow
@needs_image
def test_nothing_is_allocated_in_the_steady_loop(monkeypatch):
    """In the image, the steady loop allocates nothing, and enough heap stays free.

    `make bench`, which plays longer, has the goals for the heap.
    """
    shorter = benchmark.HEAP.replace("range(60)", "range(20)")
    assert shorter != benchmark.HEAP
    monkeypatch.setattr(benchmark, "HEAP", shorter)
    heap = benchmark.heap("puremco")
    assert heap["allocated"] == 0 or not benchmark.FROZEN
    # well below the goals, because any change to a module shifts the free heap by some bytes
    free, low = (172, 150) if benchmark.FROZEN else (140, 0)
    assert min(heap["free"], heap["behind"]) >= free * 1024
    assert heap["low"] >= low * 1024


@pytest.mark.slow
@pytest.mark.skipif(not benchmark.FROZEN, reason="the image cannot be built here")
def test_a_hub_that_polls_hardly_waits_for_flash():
    """A hub that polls its readers spends little time waiting for flash.

    If this fails, let `make inram` choose the functions in RAM again.
    """
    share, lines = functions_in_ram.waiting()
    assert 0 < share < functions_in_ram.LIMIT
    cycles = functions_in_ram.COUNTED_MS * 125e3  # and 50 of them for each miss
    assert share == pytest.approx(50 * sum(lines.values()) / cycles, rel=0.01)


def test_the_short_table_is_of_what_is_measured_for_it():
    """With QUICK=1, only some figures are measured, and the table has rows for these figures
    only."""
    tap = benchmark_rounds.TapTimes(30, 50, 9000, 0, True, True, False)
    polled = {"calls": 8, "bytes": 20, "us": 480, "worst_us": 900, "ms": 25, "worst_ms": 33}
    heap = {"free": 190_000, "low": 170_000, "behind": 189_000, "allocated": 0, "play": True}
    found = {
        "sweeps": [polled],
        "rounds": benchmark_rounds.figures([tap]),
        "haste": benchmark_rounds.figures([tap]),
        "games": {"puremco": {"heap": heap}},
        "start": {"dragged": (122, 477), "new": (39, 416), "resumed": (46, 370)},
    }
    names = [row[0] for row in benchmark_table.quick_rows(found)]
    assert "puremco: heap free in play" in names
