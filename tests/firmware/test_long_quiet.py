# SPDX-License-Identifier: MIT
"""Timers after a long quiet time. MicroPython's ticks wrap after 12.4 days of ms, or 18 minutes of
us, and a difference of more than half of that has the wrong sign."""

import ast
from pathlib import Path
from types import SimpleNamespace

import pytest
from hub_actions import quick_hub

from host_sim.board.chips import machine
from host_sim.board.chips.clock import PERIOD, Clock
from host_sim.board.chips.ntag import NTAG213
from host_sim.board.hub.simulated_hub import configured, uid
from roundhouse.drivers import reader_recovery, within
from roundhouse.drivers.tag_tracker import KnownTags

FIRMWARE = Path(reader_recovery.__file__).parents[2]
DAYS = (3, 6.3, 7, 9, 12.3, 13, 19, 25)
MINUTES = (1, 8, 9, 10, 15, 17.5, 19, 27)
STEP_DAYS = 2

# Functions that compare times without `within`, and why none of these times lies long back.
YOUNG = {
    "selftest.SelfTest.step": "a frame is due every 20 ms; _show takes an age of either sign",
    "hub.Hub.step": "a frame is due every 20 ms; what is prepared, 100 ms after an input",
    "hub.Hub.scan": "buttons are sampled every 10 ms",
    "hub.Hub._frame": "once dimmed, the lamps stay so until an input; night comes within a day",
    "drivers.buttons.Buttons.scan": "the last sample",
    "drivers.buttons.Buttons._look": "a button that changes, or is down and not stuck yet",
    "drivers.buttons.Buttons._wait_until_right": "compared only for a second",
    "drivers.buttons.Buttons.held_ms": "a button that is down and not stuck yet",
    "drivers.buttons.Buttons._settle": "how long it was down, before it was stuck",
    "drivers.piezo.Piezo.step": "the end of a tone, in every frame",
    "drivers.reader_recovery.Recovery.due": "the next try, in every pass while it does not work",
    "drivers.tag_tracker.KnownTags._silent_us": "an age of either sign",
    "drivers.schedule.Schedule.ready": "an antenna that was just switched on",
    "drivers.mfrc522.MFRC522.exchange": "the exchange that is going on",
    "drivers.mfrc522.MFRC522._hold": "an antenna that was just switched on",
    "drivers.mfrc522.MFRC522._heard": "the exchange that is going on",
}


def wait(board, days):
    """Let days pass at the hub, in steps that the ticks of us do not see."""
    while days > 0:
        step = min(days, STEP_DAYS)
        board.clock.us += round(step * 86400e6 / PERIOD) * PERIOD
        board.run(60)
        days -= step


@pytest.fixture
def board():
    board = quick_hub(configured(STATIONS=2, NIGHT_MINUTES=15, NIGHT_BRIGHTNESS=10))
    for seat in ("1", "2"):
        board.press(seat)
    board.tap("12-12", "1")
    board.run(1000)
    return board


def dids(board, do):
    """Return what was accepted during `do` and the next second."""
    before = len(board.inputs)
    do()
    board.run(1000)
    return [line["did"] for line in board.inputs[before:]]


@pytest.mark.parametrize("days", DAYS)
def test_the_first_press_counts(board, days):
    assert dids(board, lambda: board.press("1")) == ["drew"]
    wait(board, days)
    assert dids(board, lambda: board.press("1")) == ["passed"]


@pytest.mark.parametrize("days", (0, *DAYS))
def test_a_long_hold_lets_forget_the_match_only_at_once(board, days):
    assert dids(board, lambda: board.press("E", 6000)) == []
    wait(board, days)
    assert dids(board, lambda: board.press("E")) == ["round-over" if days else "cleared"]


@pytest.mark.parametrize("days", (0, *DAYS))
def test_a_tag_is_locked_only_when_asked_twice_at_once(board, days):
    board.put(NTAG213(uid("12-7"), "12-7"), "E")
    board.run(500)
    assert "sure" in board.command("lock")
    wait(board, days)
    assert ("sure" in board.command("lock")) == bool(days)


@pytest.mark.parametrize("days", DAYS)
def test_the_night_lasts_until_an_input(board, days):
    day = board.hub.strip.brightness
    wait(board, days)
    board.run(100)
    assert board.hub.strip.brightness == 10
    board.press_down("2")
    board.run(100)
    assert board.hub.strip.brightness == day, "a held button's lamps are seen"


@pytest.mark.parametrize("days", DAYS)
def test_a_self_test_left_on(board, days):
    board.command("selftest")
    board.run(4000)
    wait(board, days)
    assert dids(board, lambda: board.press("1")) == []
    assert {"slot": "1", "button": "ok"} in board.lines
    assert not [line for line in board.lines if "error" in line]
    board.hold("2")
    assert board.lines[-1].get("selftest") == "end"
    board.run(1000)
    assert board.settle() and board.lamp_reader.turn() == 1


def test_a_tune_ends_in_a_self_test(board):
    machine.tones.clear()
    board.tap("12-5", "1")
    board.port.type("selftest")
    board.run(2000)
    assert machine.tones and machine.tones[-1][2] == 0


@pytest.mark.parametrize("minutes", MINUTES)
def test_a_reader_that_fails_now_and_then_is_tried_at_once(minutes):
    clock = Clock(PERIOD - 3_000_000)
    recovery = reader_recovery.Recovery(SimpleNamespace(clock=clock, works=b"\1\1"))
    for _ in range(6):
        recovery.failed(1)
        assert recovery.due(1) and not recovery.rests(1)
        clock.us += round(minutes * 60e6)
    for _ in range(2):
        recovery.failed(1)
        assert recovery.due(1)
    recovery.failed(1)
    assert recovery.rests(1)
    clock.us += 4_999_000
    assert not recovery.due(1)
    clock.us += 1_000
    assert recovery.due(1)
    clock.us += round(minutes * 60e6)
    assert not recovery.rests(1)


def test_a_failure_is_forgotten_before_its_time_comes_round_again():
    board = quick_hub(configured(STATIONS=2))
    readers = board.hub.reader
    for _ in range(2):
        board.fault("1")
        board.run(300)
        board.repair("1")
        board.run(2000)
    assert readers.recovery and not readers.sick
    board.run(12_000)
    assert not readers.recovery, "or a failure after 18 minutes would count as the third"


@pytest.mark.parametrize("minutes", MINUTES)
def test_a_tag_leaves_a_slot_that_was_not_polled_for_long(minutes):
    """As beside a reader whose antenna cannot be switched off."""
    clock = Clock()
    known = KnownTags(2, clock)
    known.learn(1, b"\1\0\4\1\2\3" + bytes(10))
    clock.us += round(minutes * 60e6)
    for _ in range(4):
        known.miss_all(1)
        clock.us += 80_000
    assert not known.count[1]


def test_within():
    for since in (0, 5, PERIOD // 2, PERIOD - 5):
        for passed, expected in ((0, True), (9, True), (10, False), (PERIOD // 2, False)):
            assert within(Clock.ticks_diff, Clock.ticks_add(since, passed), since, 10) == expected
        assert not within(Clock.ticks_diff, Clock.ticks_add(since, PERIOD - 11), since, 10)


def compared():
    """Return the names of the firmware's functions that subtract times themselves."""
    found = set()
    for path in (FIRMWARE / "roundhouse").rglob("*.py"):
        module = ".".join(path.relative_to(FIRMWARE / "roundhouse").with_suffix("").parts)
        for top in ast.parse(path.read_text()).body:
            classes = top.body if isinstance(top, ast.ClassDef) else [top]
            name = module + "." + getattr(top, "name", "")
            for function in classes:
                for node in ast.walk(function):
                    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in (
                        *("ticks_diff", "_diff"),
                    ):
                        own = "" if function is top else "." + getattr(function, "name", "")
                        found.add(name + own)
    return found


def test_each_comparison_of_times_is_safe_after_a_week():
    """Compare with `within`, or say in YOUNG why the time never lies long back."""
    assert compared() == YOUNG.keys()
