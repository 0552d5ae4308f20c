# SPDX-License-Identifier: MIT
"""Faults of a reader or a tag, injected at register level into the whole firmware.

In each case no wrong tile is accepted, and the other slots keep their speed. A repaired reader
works again within two seconds, or seven after repeated failures.
"""

import random

import pytest
from chip_kinds import HABITS, each_habit, habit  # noqa: F401
from hub_actions import quick_hub
from test_mfrc522 import APART_US, Board, long_tag

from host_sim.board.chips import machine
from host_sim.board.chips.mfrc522_chip import MFRC522Chip, TPrescalerReg
from host_sim.board.chips.ntag import NTAG213, BusTicket, MifareClassic, Phone
from host_sim.board.hub.simulated_hub import COARSE_PASS_US, PASS_US, SimulatedHub, configured, uid
from host_sim.commands.selftest import results
from roundhouse.drivers.tag_access import HeldTag

BACK_MS = 2000
REST_MS = 5000  # between attempts at a reader that has failed three times in ten seconds
ANSWER_MS = 150

TILES = ("12-5", "12-4", "12-3", "12-2", "12-1", "12-0")


def silent(level):
    def begins(chip):
        chip.dead = level
        return lambda: setattr(chip, "dead", None)

    return begins


def no_version(chip):
    version, chip.version = chip.version, 0x00
    chip.forget()  # it is a power dip that brings this out
    return lambda: setattr(chip, "version", version)


def no_irq(chip):
    chip.no_irq = True
    return lambda: setattr(chip, "no_irq", False)


def held_in_reset(chip):
    chip.grounded = True
    chip.reset_pin(0)

    def ends():
        chip.grounded = False
        chip.reset_pin(1)

    return ends


# each begins at a chip, and returns what ends it
DEAD = {
    "silent low": silent(0x00),
    "silent high": silent(0xFF),
    "no version": no_version,
    "no irq": no_irq,
    "held in reset": held_in_reset,
}
# CRC, parity, protocol, collision; CRC and parity at once
ERRORS = (0x04, 0x02, 0x01, 0x08, 0x06)


def playing():
    """Return a hub in play, on seat 4's turn, with slow passes of its loop."""
    board = quick_hub()
    for seat in ("1", "2", "3", "4"):
        board.press(seat)
    assert board.tap("12-12", "4")["verdict"] == "ok"
    assert board.inputs[-1]["turn"] == 4
    board.pass_us = PASS_US
    board.run(500)
    return board


def health(board, slot="4"):
    return [line["reader"] for line in board.lines if line.get("slot") == slot]


def others_are_quick(board):
    """Check that taps on other slots are answered in time."""
    for slot in ("1", "M", "3", "5", "E"):
        board.run(90)
        count, at = len(board.inputs), board.ms
        board.put("6-5", slot)
        line = board.line_after(count, 1000)
        assert line and line["input"] == "tap 6-5 " + slot
        assert board.ms - at <= ANSWER_MS, slot
        board.remove(slot)
        board.run(300)


def only_this_tile(board, since, text="12-5"):
    """Check that each input at slot 4, from the input `since` on, is a tap of the tile `text` or
    of an unreadable tag."""
    for line in board.inputs[since:]:
        if line["input"].endswith(" 4"):
            assert line["input"] in ("tap %s 4" % text, "tap ? 4"), line["input"]


@pytest.mark.parametrize("name", DEAD)
def test_a_reader_that_does_not_work(name):
    board = playing()
    ends = DEAD[name](board.chips[board.place("4")])
    board.pause(2000)
    assert health(board) == ["fault", "reset"]
    assert board.lamp_reader.answer_now(4) == "v" or board.run_until(
        lambda: board.lamp_reader.answer_now(4) == "v", 3000
    ), "the violet lamp"
    since = len(board.inputs)
    board.put("12-5", "4")
    board.run(1000)
    assert len(board.inputs) == since, "nothing is read there"
    others_are_quick(board)
    ends()
    at = board.ms
    assert board.run_until(lambda: health(board) == ["fault", "reset", "ok"], 3000)
    line = board.line_after(since + 5, 3000)
    assert board.ms - at <= BACK_MS
    assert (line["input"], line["verdict"]) == ("tap 12-5 4", "ok"), "the tile that lies there"


@pytest.mark.parametrize("held", [lambda b: 0x00, lambda b: 0xFF, lambda b: b & 0x0F])
def test_a_neighbour_that_holds_miso(held):
    """All readers work again once a reader no longer holds the MISO line."""
    board = playing()
    machine.bus(0).held = held
    since = len(board.inputs)
    board.put("12-5", "4")
    board.pause(3000)
    assert len(board.inputs) == since
    faulty = [line["slot"] for line in board.lines if line.get("reader") == "fault"]
    assert sorted(faulty) == sorted([*map(str, range(1, 11)), "M", "E"])
    assert board.press("1")["verdict"] == "not-your-turn", "buttons still work"
    machine.bus(0).held = None
    at = board.ms
    line = board.line_after(since + 1, 3000)
    assert (line["input"], line["verdict"]) == ("tap 12-5 4", "ok")
    assert board.ms - at <= BACK_MS
    board.pause(2000)
    well = [line["slot"] for line in board.lines if line.get("reader") == "ok"]
    assert sorted(well) == sorted(faulty)


def test_another_version_works_and_the_self_test_names_it():
    board = playing()
    board.chips[3].version = 0xB2
    board.chips[3].forget()
    board.pause(2000)
    assert board.tap("12-5", "4")["verdict"] == "ok"
    board.command("selftest")
    board.run(1500)
    assert "0xb2" in [reader.lower() for reader in health(board) if reader]


def test_a_lost_configuration_is_back_in_two_seconds():
    for ms in range(0, 900, 97):
        board = playing()
        board.run(ms)
        board.chips[board.place("4")].forget()
        count, at = len(board.inputs), board.ms
        board.put("12-5", "4")
        assert board.line_after(count, 3000)["input"] == "tap 12-5 4"
        assert board.ms - at <= BACK_MS


def dips(chip):
    """Make a chip lose its registers whenever its field is switched on; return a function that
    ends the losses."""
    chip.on_field = lambda chip, on: on and chip.forget()
    return lambda: setattr(chip, "on_field", None)


def test_a_reader_that_dips_at_every_field_on_rests_and_is_said_once():
    board = playing()
    ends = dips(board.chips[board.place("4")])
    board.pause(30000)
    assert health(board) == ["fault", "ok"] * 2 + ["fault"]
    assert board.lamp_reader.answer_now(4) == "v", "also while it is tried"
    others_are_quick(board)
    ends()
    count = len(board.inputs)
    board.put("12-5", "4")
    assert board.line_after(count, 5500)["input"] == "tap 12-5 4", "five seconds between attempts"
    board.pause(10000)
    assert health(board)[5:] == ["ok"], "it has held for ten seconds"
    board.chips[board.place("4")].forget()
    board.run(BACK_MS)
    assert health(board)[6:] == ["fault", "ok"], "as at the beginning"


def test_falls_that_are_far_apart_do_not_add_up():
    board = playing()
    for _ in range(6):
        board.chips[board.place("4")].forget()
        board.pause(5500)
    assert health(board) == ["fault", "ok"] * 6


def test_lines_of_health_leave_room_for_the_match():
    board = playing()
    board.port.open = False
    for slot in ("5", "6", "7") * 5:
        board.fault(slot)
        board.pause(1500)
        board.repair(slot)
        board.pause(1500)
    for tile, slot in (("12-7", "M"), ("12-5", "4"), ("12-6", "1"), ("12-8", "2")):
        board.tap(tile, slot)
    board.port.open = True
    before = len(board.lines)
    board.run(1000)
    taps = [line["input"] for line in board.lines[before:] if "input" in line]
    assert taps == ["tap 12-7 M", "tap 12-5 4", "tap 12-6 1", "tap 12-8 2"]
    assert any("dropped" in line for line in board.lines[before:]), "of health alone"


@pytest.mark.parametrize(
    "bits, often",
    [("forgets", 1.0), *((bits, 0.4) for bits in ERRORS)]
    + [
        pytest.param(bits, often, marks=pytest.mark.slow)
        for bits, often in zip(ERRORS, (0.1, 1, 0.1, 1, 1))
    ],
)
def test_errors_on_the_air_and_a_chip_that_forgets_all_the_time(bits, often):
    board = playing()
    chip, chance = board.chips[board.place("4")], random.Random(bits)
    if bits == "forgets":
        chip.noise = lambda: chip.forget() or 0
    else:
        chip.noise = lambda: bits if chance.random() < often else 0
    since = len(board.inputs)
    board.put("12-5", "4")
    board.run(1500)
    only_this_tile(board, since)
    others_are_quick(board)
    only_this_tile(board, since)
    chip.noise = None
    board.pause(REST_MS + BACK_MS)
    assert [line["verdict"] for line in board.inputs if line["input"] == "tap 12-5 4"] == ["ok"]


@pytest.mark.parametrize(
    "tags, said",
    [
        ([NTAG213(uid("a"), "12-5"), NTAG213(uid("b"), "12-5")], "tap 12-5 4"),
        ([NTAG213(uid("a"), "12-5"), NTAG213(uid("b"), "12-4")], "tap ? 4"),
        ([NTAG213(uid(t), t) for t in ("12-5", "12-4", "12-3")], "tap ? 4"),
        ([Phone()], "tap ? 4"),
        ([MifareClassic(b"\xde\xad\xbe\xef")], "tap ? 4"),
        ([BusTicket(uid("bus"))], "tap ? 4"),
        ([NTAG213(uid("blank"))], "tap ? 4"),
        ([BusTicket(uid("bus")), NTAG213(uid("a"), "12-5"), NTAG213(uid("b"), "12-4")], "tap ? 4"),
    ],
)
def test_what_strangers_lay_down(tags, said):
    board = playing()
    since = len(board.inputs)
    for tag in tags:
        board.put(tag, "4")
    board.run(1500)
    lines = [(line["input"], line["verdict"]) for line in board.inputs[since:]]
    assert lines == [(said, "unreadable" if said == "tap ? 4" else "ok")]
    others_are_quick(board)
    board.remove("4")
    board.run(600)
    if said == "tap ? 4":
        assert board.tap("12-2", "4")["verdict"] == "ok", "the slot works as before"


def test_a_tag_that_wants_a_password_to_be_read():
    board = playing()
    tag = NTAG213(uid("a"), "12-5")
    tag.protect(4, reading=True)
    assert board.tap(tag, "4")["verdict"] == "unreadable"
    open_ = NTAG213(uid("b"), "12-5")
    open_.protect(4)
    assert board.tap(open_, "4")["verdict"] == "ok"


class Dipping(MFRC522Chip):
    """A chip whose registers return to their reset values after `dips[0]` bytes, again after
    `dips[1]` more bytes, and so on."""

    dips = ()
    bytes = 0

    def _dip(self):
        self.bytes += 1
        if self.dips and self.bytes > self.dips[0]:
            self.bytes = 0
            self.dips = self.dips[1:]
            self.forget()

    def _put(self, reg, value):
        self._dip()
        super()._put(reg, value)

    def _get(self, reg):
        self._dip()
        return super()._get(reg)


def bench_of(count):
    """Return `count` simulated readers whose supply can dip, without a hub."""
    return Board(count, fields=2, kind=Dipping)


def told(bench, ms):
    """Run the readers for `ms` ms; return [(slot, text), ...] for the new tags."""
    return [(slot, text) for slot, _, texts in bench.run(ms) for text in texts]


LAID = [
    [NTAG213(uid("12-7"), "12-7")],
    [NTAG213(uid("12-7"), "12-7", lock_tlv=True), Phone()],
    [NTAG213(uid("12-7"), "12-7"), NTAG213(uid("5-5"), "5-5")],
    [NTAG213(uid("12-7"), "12-7"), long_tag(uid("5-5"), "5-5", 150)],
]


def dipped(lain, at=None):
    """Lay the tags `lain` on a slot. If `at` is given, the slot's supply dips at byte `at`. Return
    (sorted [(slot, text), ...], count of bytes until all tags were reported)."""
    bench = bench_of(1)
    bench.run(20)
    (chip,), found = bench.chips, []
    for tag in lain:
        chip.put(tag)
    chip.bytes, chip.dips = 0, () if at is None else (at,)
    took = 0
    for _ in range(12):
        found += told(bench, 10)
        took = took or len(found) == len(lain) and chip.bytes
    assert not chip.dips and bench.reader.healthy(0)
    for tag in lain:
        chip.take(tag)
    return sorted(found, key=str), took


@pytest.mark.slow
@each_habit
@pytest.mark.parametrize("lain", LAID)
def test_a_dip_at_any_byte_while_a_new_tag_is_met(lain, habit):  # noqa: F811
    """Every tag is reported once, even if the supply dips while it is read."""
    texts, took = dipped(lain)
    assert len(texts) == len(lain)
    for at in range(HABITS.index(habit) * len(lain), took, len(HABITS) * len(lain)):
        assert dipped(lain, at)[0] == texts, at


@pytest.mark.parametrize("habit, seed", list(zip(2 * HABITS, range(6))), indirect=["habit"])
def test_dips_at_random_while_tiles_are_laid(seed):
    """Every tile on a slot is reported within two seconds, and only once."""
    chance = random.Random(seed)
    bench = bench_of(5)
    for n in range(10):
        slot = n % 5
        for chip in bench.chips:
            chip.bytes = 0
            chip.dips = [chance.randrange(chance.choice((40, 400))) for _ in range(2)]
        tag = NTAG213(uid("%d" % n), "12-%d" % n)
        bench.chips[slot].put(tag)
        found = told(bench, 700)
        if not found:  # its settings were lost: they are looked at now and then
            found = told(bench, 1300)
        assert found == [(slot, "12-%d" % n)], (n, slot)
        bench.chips[slot].take(tag)
        bench.clock.us += APART_US


def test_a_write_beside_a_half_read_tag_loses_nothing():
    """Both new tags are reported even if a console command uses the readers when only one of the
    two tags has been read."""
    bench = bench_of(2)
    bench.run(20)
    # of two tags the one with a 1 where they differ first is met first
    bench.chips[0].put(NTAG213(b"\x04\x01abcde", "12-7"))
    bench.chips[0].put(long_tag(b"\x04\x02abcde", "5-5", 150))
    readers, early = bench.reader, 0
    while not readers._part_new:
        early += readers.step() >= 0 and readers.new
        bench.clock.us += 100
    assert not early
    held = HeldTag(readers)
    held.hold(1)
    held.let_go(1)
    assert sorted(told(bench, 200)) == [(0, "12-7"), (0, "5-5")]


# ---- a cable that is too long for the bus's speed ----


def slow_words(board):
    return [line for line in board.lines if "reader" in line]


def test_a_reader_that_needs_it_slower_slows_the_bus_and_is_named():
    """The hub names a reader that needs the slower bus speed, and polls all readers at this
    speed."""

    class Long(SimulatedHub):
        def _connect(self):
            super()._connect()
            self.chips[self.place("4")].most_baud = 2_000_000

    board = Long(configured(BAUD=4_000_000))
    assert slow_words(board) == [{"slot": "4", "reader": "slow"}]
    assert board.hub.reader.chip._spi.baudrate == 1_000_000
    for slot in ("1", "4", "M", "E"):
        assert board.tap("seat 4", slot)["verdict"] in ("ok", "not-now")
    board.pause(3000)
    assert board.lamp_reader.answer_now(4) == "", "it works"
    assert len(slow_words(board)) == 1


class StartsSlowly(SimulatedHub):
    """A hub whose readers are clones that start slowly; that of M is dead if `dead` is true."""

    start_ms = 0
    dead = False

    def _connect(self):
        super()._connect()
        for chip in self.chips:
            chip.start_us = 1000 * self.start_ms
        if self.dead:
            self.chips[self.place("M")].dead = 0


@pytest.mark.parametrize("dead", [False, True])
@pytest.mark.parametrize("start_ms", [6, 15, 25, 30, 35, 50, 75, 98, 110, 150, 210, 300])
def test_readers_that_start_slowly_are_not_called_slow(start_ms, dead, monkeypatch):
    monkeypatch.setattr(StartsSlowly, "start_ms", start_ms)
    monkeypatch.setattr(StartsSlowly, "dead", dead)
    board = StartsSlowly(pass_us=COARSE_PASS_US)
    board.run(2000)
    said = [(line["slot"], line["reader"]) for line in slow_words(board)]
    assert said == ([("M", "fault")] if dead else [])
    assert board.hub.reader.chip._spi.baudrate == 4_000_000
    assert board.tap("seat 4", "4")["verdict"] == "ok"


def test_a_reader_that_starts_slowly_and_needs_it_slower_is_both():
    class Both(StartsSlowly):
        start_ms = 30

        def _connect(self):
            super()._connect()
            self.chips[self.place("4")].most_baud = 2_000_000

    board = Both()
    board.run(2000)
    assert slow_words(board) == [{"slot": "4", "reader": "slow"}]
    assert board.tap("seat 4", "4")["verdict"] == "ok"


def test_a_reader_that_answers_at_no_speed_slows_nothing():
    board = SimulatedHub()
    board.fault("4")
    board.unplug()
    board.pause(3000)
    assert [(line["slot"], line["reader"]) for line in slow_words(board)] == [("4", "fault")]
    assert board.hub.reader.chip._spi.baudrate == 4_000_000
    board.repair("4")
    board.pause(2000)
    assert slow_words(board)[-1] == {"slot": "4", "reader": "ok"}


def test_a_cable_that_gets_worse_in_play_slows_the_bus_too():
    board = playing()
    board.chips[board.place("4")].most_baud = 2_000_000
    board.pause(2000)
    assert health(board) == ["fault", "slow", "ok"]
    assert board.hub.reader.chip._spi.baudrate == 1_000_000
    before = len(board.inputs)
    board.put("12-5", "4")
    assert board.line_after(before)["input"] == "tap 12-5 4"
    board.chips[board.place("2")].most_baud = 500_000
    board.pause(2000)
    said = [line["reader"] for line in board.lines if line.get("slot") == "2" and "reader" in line]
    assert said == ["fault", "reset"], "there is one step"


def test_a_chip_that_is_refused_is_said_with_its_register(monkeypatch):
    hub, plain = SimulatedHub(), MFRC522Chip._get

    def get(chip, register):
        spoilt = register == TPrescalerReg and chip is hub.chips[3]
        return plain(chip, register) ^ (0xFF if spoilt else 0)

    monkeypatch.setattr(MFRC522Chip, "_get", get)
    hub.unplug()
    hub.run(1000)
    wanted = {"slot": "4", "reader": "fault", "register": "0x2b"}
    assert [line for line in hub.lines if "reader" in line] == [wanted]
    hub.port.type("selftest")
    hub.run(4000)
    assert [line for line in hub.lines if line.get("slot") == "4"] == [wanted, wanted]
    assert results(wanted) == [("4", "reader", "fault 0x2b")]
