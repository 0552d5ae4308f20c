# SPDX-License-Identifier: MIT
"""What can be wrong with a reader or a tag, injected at register level into the whole firmware.

Whatever it is: no wrong tile is accepted, the other slots keep their speed, and what was repaired
is back within two seconds without a restart. README's fault table says the same in words.
"""

import random

import ndef
import pytest
from reader_habits import habit  # noqa: F401

from host_sim.chips import machine
from host_sim.chips.mfrc522_chip import MFRC522Chip
from host_sim.chips.ntag import NTAG213, NTAG216, BusTicket, MifareClassic, Phone, message_tlv
from host_sim.hub.simulated_hub import SimulatedHub, configured, uid
from roundhouse import tags
from roundhouse.drivers.held_tag import HeldTag
from roundhouse.drivers.mfrc522 import MFRC522
from roundhouse.drivers.presence import Readers

BACK_MS = 2000
ANSWER_MS = 150

TILES = ("12-5", "12-4", "12-3", "12-2", "12-1", "12-0")


class Faults:
    """The faults, each a pair of functions of the chip: it begins, it ends."""

    @staticmethod
    def silent_low(chip):
        chip.dead = 0x00
        return lambda: setattr(chip, "dead", None)

    @staticmethod
    def silent_high(chip):
        chip.dead = 0xFF
        return lambda: setattr(chip, "dead", None)

    @staticmethod
    def no_version(chip):
        version, chip.version = chip.version, 0x00
        chip.forget()  # it is a power dip that brings this out
        return lambda: setattr(chip, "version", version)

    @staticmethod
    def no_irq(chip):
        chip.no_irq = True
        return lambda: setattr(chip, "no_irq", False)

    @staticmethod
    def held_in_reset(chip):
        chip.grounded = True
        chip.reset_pin(0)

        def ends():
            chip.grounded = False
            chip.reset_pin(1)

        return ends

    @staticmethod
    def forgets_again_and_again(chip):
        chip.noise = lambda: chip.forget() or 0
        return lambda: setattr(chip, "noise", None)

    @staticmethod
    def errors(chip, bits, often):
        chance = random.Random(bits)
        chip.noise = lambda: bits if chance.random() < often else 0
        return lambda: setattr(chip, "noise", None)


DEAD = ("silent_low", "silent_high", "no_version", "no_irq", "held_in_reset")
CRC, PARITY, PROTOCOL, COLLISION = 0x04, 0x02, 0x01, 0x08


def playing():
    board = SimulatedHub()
    for seat in ("1", "2", "3", "4"):
        board.press(seat)
    assert board.tap("12-12", "4")["verdict"] == "ok"
    assert board.inputs[-1]["turn"] == 4
    board.run(500)
    return board


def health(board, slot="4"):
    return [line["reader"] for line in board.lines if line.get("slot") == slot]


def others_are_quick(board):
    """Taps on other slots are answered in time; they are refused: it is seat 4's turn."""
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
    """Nothing was accepted on slot 4 but the tile that lay there."""
    for line in board.inputs[since:]:
        if line["input"].endswith(" 4"):
            assert line["input"] in ("tap %s 4" % text, "tap ? 4"), line["input"]


@pytest.mark.parametrize("name", DEAD)
def test_a_reader_that_does_not_work(name):
    board = playing()
    ends = getattr(Faults, name)(board.chips[board.place("4")])
    board.run(2000)
    assert health(board) == ["fault", "reset"]
    assert board.eyes.beside(4) == "v" or board.run_until(
        lambda: board.eyes.beside(4) == "v", 3000
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
    """Then no reader can be read; each is back when the line is free."""
    board = playing()
    machine.bus(0).held = held
    since = len(board.inputs)
    board.put("12-5", "4")
    board.run(3000)
    assert len(board.inputs) == since
    faulty = [line["slot"] for line in board.lines if line.get("reader") == "fault"]
    assert sorted(faulty) == sorted([*map(str, range(1, 11)), "M", "E"])
    assert board.press("1")["verdict"] == "not-your-turn", "buttons still work"
    machine.bus(0).held = None
    at = board.ms
    line = board.line_after(since + 1, 3000)
    assert (line["input"], line["verdict"]) == ("tap 12-5 4", "ok")
    assert board.ms - at <= BACK_MS
    board.run(2000)
    well = [line["slot"] for line in board.lines if line.get("reader") == "ok"]
    assert sorted(well) == sorted(faulty)


@pytest.mark.slow
@pytest.mark.parametrize("version", [0x12, 0x88, 0x91, 0xB2])
def test_another_version_works_and_the_self_test_names_it(version):
    board = playing()
    board.chips[3].version = version
    board.chips[3].forget()
    board.run(2000)
    assert board.tap("12-5", "4")["verdict"] == "ok"
    board.say("selftest")
    board.run(1500)
    assert {"slot": "4", "reader": "0x%02X" % version} in [
        {**line, "reader": line["reader"].replace("0x%02x" % version, "0x%02X" % version)}
        for line in board.lines
        if line.get("slot") == "4" and "reader" in line
    ]


def test_a_lost_configuration_is_back_in_two_seconds():
    for ms in range(0, 900, 97):
        board = playing()
        board.run(ms)
        board.chips[board.place("4")].forget()
        count, at = len(board.inputs), board.ms
        board.put("12-5", "4")
        assert board.line_after(count, 3000)["input"] == "tap 12-5 4"
        assert board.ms - at <= BACK_MS


@pytest.mark.parametrize("bits", [CRC, PARITY, PROTOCOL, COLLISION, CRC | PARITY])
@pytest.mark.parametrize(
    "often", [0.4, *(pytest.param(one, marks=pytest.mark.slow) for one in (0.1, 1.0))]
)
def test_errors_on_the_air(bits, often):
    board = playing()
    ends = Faults.errors(board.chips[board.place("4")], bits, often)
    since = len(board.inputs)
    board.put("12-5", "4")
    board.run(1500)
    only_this_tile(board, since)
    others_are_quick(board)
    only_this_tile(board, since)
    ends()
    board.run(BACK_MS)
    assert [line["verdict"] for line in board.inputs if line["input"] == "tap 12-5 4"] == ["ok"]


def test_a_chip_that_forgets_all_the_time():
    board = playing()
    ends = Faults.forgets_again_and_again(board.chips[board.place("4")])
    since = len(board.inputs)
    board.put("12-5", "4")
    board.run(2000)
    only_this_tile(board, since)
    others_are_quick(board)
    ends()
    board.run(BACK_MS)
    assert [line["verdict"] for line in board.inputs if line["input"] == "tap 12-5 4"] == ["ok"]


@pytest.mark.slow
def test_a_tag_that_leaves_at_every_byte():
    """Of WUPA, anticollision, SELECT and READ: no tap, or the tap that it was."""
    seen = set()
    board = playing()
    for count in range(150):
        tag = NTAG213(uid("12-5"), "12-5")
        tag.leave_after(count)
        since = len(board.inputs)
        board.put(tag, "4")
        board.run(250)
        said = [line["input"] for line in board.inputs[since:]]
        assert said in ([], ["tap 12-5 4"]), count
        seen.add(len(said))
        if said:
            assert board.say("undo")["verdict"] == "ok"
        board.remove("4")
        board.run(400)
    assert seen == {0, 1}


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
    assert {line["input"] for line in board.inputs[since:]} <= {said, "tap ? 4"}
    assert said in {line["input"] for line in board.inputs[since:]}
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


def test_a_card_with_a_random_uid_that_stays():
    """A phone under the table's cloth: one line, not one every sweep."""
    board = playing()
    since = len(board.inputs)
    board.put(Phone(), "4")
    board.run(10_000)
    assert len(board.inputs) - since <= 1
    others_are_quick(board)


class Dipping(MFRC522Chip):
    """A chip whose supply dips: its registers are back at their reset values just before byte
    `dips[0]` of those that are written to them or read from them; then it counts anew."""

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


class Bench:
    """Readers alone, with chips that dip. told: (slot, text) of each new tag, as it was told."""

    def __init__(self, count):
        self.clock = machine.power_up()
        self.chips = [Dipping(self.clock) for _ in range(count)]
        for i, chip in enumerate(self.chips):
            machine.attach(0, i, chip)
        selects = [machine.Pin(i, machine.Pin.OUT, value=1) for i in range(count)]
        chip = MFRC522(machine.SPI(0, baudrate=4_000_000), selects, None, self.clock)
        self.readers = Readers(chip, self.clock, tags.length, 2)
        self.told = []

    def run(self, ms):
        end = self.clock.us + 1000 * ms
        readers = self.readers
        while self.clock.us < end:
            slot = readers.step()
            if slot < 0:
                self.clock.us += 200
            for k in range(readers.new if slot >= 0 else 0):
                self.told.append((slot, tags.text(readers.images[k], readers.sizes[k])))


def long_tag(number, text):
    records = [ndef.TextRecord("a" * 150), ndef.TextRecord(text)]
    return NTAG216(number, message_tlv(b"".join(ndef.message_encoder(records))))


LAID = [
    [NTAG213(uid("12-7"), "12-7")],
    [NTAG213(uid("12-7"), "12-7", lock_tlv=True), Phone()],
    [NTAG213(uid("12-7"), "12-7"), NTAG213(uid("5-5"), "5-5")],
    [NTAG213(uid("12-7"), "12-7"), long_tag(uid("5-5"), "5-5")],
]


def dipped(lain, at=None):
    """Lay tags on a slot whose supply dips at that byte: what was told, sorted, and how many bytes
    there were until then."""
    bench = Bench(1)
    bench.run(20)
    (chip,) = bench.chips
    for tag in lain:
        chip.put(tag)
    chip.bytes, chip.dips = 0, () if at is None else (at,)
    took = 0
    for _ in range(12):
        bench.run(10)
        took = took or len(bench.told) == len(lain) and chip.bytes
    assert not chip.dips and bench.readers.healthy(0)
    for tag in lain:
        chip.take(tag)
    return sorted(bench.told, key=str), took


@pytest.mark.slow
@pytest.mark.parametrize("lain", LAID)
def test_a_dip_at_any_byte_while_a_new_tag_is_met(lain):
    """Whatever was read until then is told, or read again: each tag once."""
    texts, took = dipped(lain)
    assert len(texts) == len(lain)
    for at in range(0, took, len(lain)):
        assert dipped(lain, at)[0] == texts, at


@pytest.mark.parametrize("seed", range(5))
def test_dips_at_random_while_tiles_are_laid(seed):
    """Every tile that lies is told within two seconds, and once."""
    chance = random.Random(seed)
    bench = Bench(5)
    for n in range(10):
        slot = n % 5
        for chip in bench.chips:
            chip.bytes = 0
            chip.dips = [chance.randrange(chance.choice((40, 400))) for _ in range(3)]
        tag = NTAG213(uid("%d" % n), "12-%d" % n)
        bench.chips[slot].put(tag)
        bench.run(700)
        if not bench.told:  # its settings were lost: they are looked at now and then
            bench.run(1300)
        assert bench.told == [(slot, "12-%d" % n)], (n, slot)
        bench.told.clear()
        bench.chips[slot].take(tag)


def test_a_write_beside_a_half_read_tag_loses_nothing():
    """Of two new tags the short one is read; then the console wants the readers for itself."""
    bench = Bench(2)
    bench.run(20)
    # of two tags the one with a 1 where they differ first is met first
    bench.chips[0].put(NTAG213(b"\x04\x01abcde", "12-7"))
    bench.chips[0].put(long_tag(b"\x04\x02abcde", "5-5"))
    readers = bench.readers
    while not readers._part_new:
        readers.step()
        bench.clock.us += 100
    assert not bench.told
    held = HeldTag(readers)
    held.hold(1)
    held.let_go(1)
    bench.run(200)
    assert sorted(bench.told) == [(0, "12-7"), (0, "5-5")]


# ---- a cable that is too long for the bus's speed ----


def slow_words(board):
    return [line for line in board.lines if "reader" in line]


def test_a_reader_that_needs_it_slower_slows_the_bus_and_is_named():
    """At power-up: said with the slot, and every reader reads at that speed."""

    class Long(SimulatedHub):
        def _connect(self):
            super()._connect()
            self.chips[self.place("4")].most_baud = 2_000_000

    board = Long(configured(BAUD=4_000_000))
    assert slow_words(board) == [{"slot": "4", "reader": "slow"}]
    assert board.hub.reader.chip._spi.baudrate == 1_000_000
    for slot in ("1", "4", "M", "E"):
        assert board.tap("seat 4", slot)["verdict"] in ("ok", "not-now")
    board.run(3000)
    assert board.eyes.beside(4) == "", "it works"
    assert len(slow_words(board)) == 1


def test_a_reader_that_answers_at_no_speed_slows_nothing():
    board = SimulatedHub()
    board.fault("4")
    board.unplug()
    board.run(3000)
    assert [(line["slot"], line["reader"]) for line in slow_words(board)] == [("4", "fault")]
    assert board.hub.reader.chip._spi.baudrate == 4_000_000
    board.repair("4")
    board.run(2000)
    assert slow_words(board)[-1] == {"slot": "4", "reader": "ok"}


def test_a_cable_that_gets_worse_in_play_slows_the_bus_too():
    board = playing()
    board.chips[board.place("4")].most_baud = 2_000_000
    board.run(2000)
    assert health(board) == ["fault", "slow", "ok"]
    assert board.hub.reader.chip._spi.baudrate == 1_000_000
    before = len(board.inputs)
    board.put("12-5", "4")
    assert board.line_after(before)["input"] == "tap 12-5 4"
    board.chips[board.place("2")].most_baud = 500_000
    board.run(2000)
    said = [line["reader"] for line in board.lines if line.get("slot") == "2" and "reader" in line]
    assert said == ["fault", "reset"], "there is one step"
