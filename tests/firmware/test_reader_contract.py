# SPDX-License-Identifier: MIT
"""The interface between readers and a reader chip. PlainChip has no registers and no bus, only the
interface that reader.py requires.

So if a test fails, the mistake is in the driver's code for presence, schedule or ISO 14443-3.
"""

import ast
import re
import sys
import types
from pathlib import Path

import pytest
from test_mfrc522 import long_tag, uid

from host_sim.board.chips import machine
from host_sim.board.chips.clock import Clock
from host_sim.board.chips.ntag import NTAG213, MifareClassic, crc_a
from host_sim.board.pico import build_firmware
from roundhouse import hub_builder, tags
from roundhouse.drivers import reader, schedule
from roundhouse.drivers.iso14443 import WUPA, TypeA
from roundhouse.drivers.presence import Readers
from roundhouse.drivers.tag_access import HeldTag

PATIENCE_US = (250, 5000, 10000)


class Place:
    """A slot of a PlainChip: its antenna, the tags on it, and its faults."""

    def __init__(self):
        self.tags = []
        self.on = False
        self.ready_us = None  # reset at, and ready from then on
        self.settings = False
        self.dead = False

    def put(self, tag):
        tag.chip = self
        tag.unpower()
        self.tags.append(tag)

    def take(self, tag):
        self.tags.remove(tag)
        tag.unpower()


class PlainChip:
    """A chip that exchanges frames with tags. Each exchange takes the time `look_us` (see
    reader.py)."""

    SETTLE_US = 300

    def __init__(self, clock, count):
        self.clock = clock
        self.count = count
        self.meanwhile = None
        self.not_before = None
        self.versions = bytearray(count)
        self.wrong = bytearray(count)
        self.out = memoryview(bytearray(7))
        self.answer = memoryview(bytearray(18))
        self.bits = 0
        self.coll = 0
        self.places = [Place() for _ in range(count)]
        self.slot = 0
        self.exchanges = 0
        self.most_on = 0
        self.neighbours = 0

    def reset(self, i):
        self.select(i)
        place = self.places[i]
        place.ready_us = self.clock.us + self.SETTLE_US
        place.settings = place.on = False

    def slow(self, on):
        return False

    def reset_all(self):
        for i in range(self.count):
            self.reset(i)

    def set_up(self, i):
        self.select(i)
        place = self.places[i]
        place.settings = (
            not place.dead and place.ready_us is not None and self.clock.us >= place.ready_us
        )
        self.versions[i] = 0x32 if place.settings else 0
        return place.settings

    def holds(self, i):
        self.select(i)
        return self.places[i].settings and not self.places[i].dead

    def field(self, i, on):
        self.select(i)
        self.places[i].on = on
        for tag in self.places[i].tags:
            tag.unpower()
        lit = [k for k, place in enumerate(self.places) if place.on]
        self.most_on = max(self.most_on, len(lit))
        self.neighbours += any((k + 1) % self.count in lit for k in lit if self.count > 1)
        return not on

    def select(self, i):
        self.slot = i

    def rest(self):
        pass

    def exchange(self, size, framing, kind):
        crc, patience, look_us, limit_us = kind
        assert look_us > 0 and (look_us < limit_us or not limit_us)
        place = self.places[self.slot]
        self.exchanges += 1
        if self.not_before is not None:
            self.clock.us = max(self.clock.us, self.not_before)  # it does not wrap here
            self.not_before = None
        self.clock.us += look_us
        self.bits = self.coll = 0
        if place.dead:
            return reader.DEAD if limit_us else reader.NOTHING
        if self.meanwhile and look_us > 1000:
            self.meanwhile()
        frames = self._heard(place, size, framing & 7, crc, PATIENCE_US[patience])
        if not frames or not limit_us:
            return reader.NOTHING
        bits, count = frames[0]
        for other, _ in frames[1:]:
            if bits != other:
                first = ((bits ^ other) & -(bits ^ other)).bit_length() - 1
                bits, count = bits & ((1 << first) - 1), max(count, first)
                self.coll = first + (framing >> 4) + 1
        return self._arrived(bits, count, framing >> 4, crc)

    def _heard(self, place, size, last, crc, patience_us):
        """Return what the tags answer in time to the frame out[:size]: for each answer, an integer
        of the answer's bits."""
        data = bytes(self.out[:size])
        count = 8 * size - (8 - last if last else 0)
        bits = int.from_bytes(data, "little") & ((1 << count) - 1)
        if crc & 1:
            bits |= crc_a(data) << count
            count += 16
        answers = [tag.hear((bits, count)) for tag in tuple(place.tags)] if place.on else []
        return [answer[0] for answer in answers if answer and answer[1] <= patience_us]

    def _arrived(self, bits, count, align, crc):
        good = not self.coll
        if good and crc & 2:
            good = count % 8 == 0 and not crc_a(bits.to_bytes(count // 8, "little"))
            count -= 16 if good else 0
        bits = (bits & ((1 << count) - 1)) << align
        count += align
        size = (count + 7) // 8
        self.answer[:size] = bits.to_bytes(size, "little")
        self.bits = count % 8
        return size if good else reader.GARBLED


class Table:
    """A PlainChip with readers. Time passes only through the chip's exchanges and the hub's other
    work."""

    def __init__(self, count=12, fields=3, dead=()):
        self.clock = Clock()
        self.chip = PlainChip(self.clock, count)
        for i in dead:
            self.chip.places[i].dead = True
        self.readers = Readers(self.chip, self.clock, tags.length, fields)

    def run(self, ms):
        """Step for `ms` simulated ms. Return [(slot, new, texts), ...] for all steps that set
        `new`."""
        end = self.clock.us + 1000 * ms
        readers = self.readers
        events = []
        while self.clock.us < end:
            slot = readers.step()
            if slot < 0:
                self.clock.us += 200
            elif readers.new:
                texts = [
                    tags.text(readers.images[k], readers.sizes[k])
                    for k in range(min(readers.new, 2))
                ]
                events.append((slot, readers.new, texts))
                if readers.new == reader.FAULT:
                    assert not self.chip.places[slot].on, "its field is off at once"
        return events

    def put(self, slot, *lain):
        for tag in lain:
            self.chip.places[slot].put(tag)

    def take(self, slot):
        for tag in tuple(self.chip.places[slot].tags):
            self.chip.places[slot].take(tag)


def promised(part):
    """Return the names in a table of reader.py's docstring.

    part: 0 for the interface of the hub, 1 for that of a chip
    """
    table = reader.__doc__.split("\nframing:")[0].split("Readers use one chip object")[part]
    heads = [
        re.split(r"  +", line[4:])[0] for line in table.splitlines() if re.match(r" {4}\S", line)
    ]
    return {name for head in heads for name in re.findall(r"\w+", re.sub(r"\(.*\)", "", head))}


def test_everybody_offers_what_the_contract_says():
    clock = machine.power_up()
    pins = [machine.Pin(n, machine.Pin.OUT, value=1) for n in range(2)]
    kinds = [hub_builder.chip_class(name) for name in reader.CHIPS]
    table = Table()
    assert {"step", "is_there", "healthy", "images"} <= promised(0)
    assert {"SETTLE_US", "exchange", "out", "answer", "holds"} <= promised(1)
    for offers, names in (
        (table.readers, promised(0)),
        (table.chip, promised(1)),
        *((kind(machine.SPI(0), pins, None, clock), promised(1)) for kind in kinds),
    ):
        assert not {name for name in names if not hasattr(offers, name)}, offers


@pytest.mark.parametrize("chip", reader.CHIPS)
def test_a_chip_has_tests_of_its_own(chip):
    path = Path(__file__).with_name("test_%s.py" % chip)
    tree = ast.parse(path.read_text()) if path.is_file() else ast.Module([], [])
    imported = [node.module for node in tree.body if isinstance(node, ast.ImportFrom)]
    tests = [node.name for node in tree.body if getattr(node, "name", "").startswith("test_")]
    assert "roundhouse.drivers." + chip in imported and tests, "write %s" % path.name


def test_a_chip_may_derive_from_another(monkeypatch):
    """In the image, only what a chip's class defines itself is made machine code in its module."""
    kin = types.ModuleType("roundhouse.drivers.kin")
    kin.KIN = type("KIN", (hub_builder.chip_class("mfrc522"),), {"field": None})
    monkeypatch.setitem(sys.modules, kin.__name__, kin)
    monkeypatch.setattr(build_firmware, "CHIPS", ("mfrc522", "kin"))
    assert build_firmware.hot("roundhouse/drivers/kin.py") == ["field"]


def test_a_new_tag_is_told_once_and_again_after_it_left():
    table = Table()
    assert table.run(200) == []
    tag = NTAG213(uid(1), "12-7")
    for _ in range(3):
        table.put(7, tag)
        assert table.run(2000) == [(7, 1, ["12-7"])]
        table.take(7)
        assert table.run(300) == []


def test_two_tags_and_one_beside_a_known_one():
    table = Table()
    table.put(2, NTAG213(uid(1), "12-7"), NTAG213(uid(2), "6-5"))
    ((slot, new, texts),) = table.run(500)
    assert (slot, new, sorted(texts)) == (2, 2, ["12-7", "6-5"])
    table.put(2, NTAG213(uid(0x41), "seat 3"))
    assert table.run(500) == [(2, 1, ["seat 3"])]


class Mumbler(NTAG213):
    """A tag with a wrong check byte."""

    def _levels(self):
        super()._levels()
        self.levels[0] ^= 1 << 32


def test_a_wrong_check_byte_says_nothing_of_how_the_chip_counts():
    chip = Table(1).chip
    (place,) = chip.places
    place.settings = place.on = True
    tag = TypeA(chip)

    def found(*lain):
        place.tags.clear()
        for one in lain:
            place.put(one)
        assert tag.wake(WUPA) > 0 or chip.coll
        return tag.identify()

    alike = [NTAG213(uid(n), "12-7") for n in (1, 2, 7)]
    assert found(*alike) > 0
    assert found(Mumbler(uid(7), "12-7"), NTAG213(uid(1), "12-7")) == reader.GARBLED
    assert found(*alike) > 0, "as before"


@pytest.mark.parametrize("where", [33, 40])
def test_a_collision_where_a_uid_has_no_bit_ends_the_reading(where):
    chip = Table(1).chip
    chip.places[0].settings = chip.places[0].on = True
    for n in (1, 2, 7):
        chip.places[0].put(NTAG213(uid(n), "12-7"))
    tag = TypeA(chip)
    tag.wake(WUPA)
    exchange, collisions = chip.exchange, []

    def misplaced(*frame):
        size = exchange(*frame)
        if chip.coll:
            chip.coll = where
            collisions.append(where)
        return size

    chip.exchange = misplaced
    assert (tag.identify(), collisions) == (reader.GARBLED, [where])


def test_four_pages_are_read_at_once():
    chip = Table(1).chip
    chip.places[0].settings = chip.places[0].on = True
    tile = NTAG213(uid(1), "12-7")
    chip.places[0].put(tile)
    tag = TypeA(chip)
    tag.wake(WUPA)
    assert (tag.identify(), tag.read(4)) == (1, 16)
    assert chip.answer[:16] == tile.memory[16:32]


@pytest.mark.parametrize("place", [0, 4, 11])
def test_a_long_tag_takes_several_polls(place):
    table = Table()
    table.put(place, long_tag(uid(1), "12-7"))
    table.put(9, NTAG213(uid(2), "6-5"))
    worst = 0
    told = {}
    for _ in range(2000):
        exchanges = table.chip.exchanges
        slot = table.readers.step()
        worst = max(worst, table.chip.exchanges - exchanges)
        if slot < 0:
            table.clock.us += 200
        elif table.readers.new:
            told[slot] = tags.text(table.readers.images[0], table.readers.sizes[0])
    assert told == {place: "12-7", 9: "6-5"}
    assert worst < 16, "exchanges in one step"


def test_the_time_of_a_read_is_not_lost():
    table = Table()
    calls = []
    table.readers.while_waiting(lambda: calls.append(table.clock.us))
    table.put(4, NTAG213(uid(1), "12-7"))
    table.run(100)
    assert len(calls) >= 4


@pytest.mark.parametrize("count", range(7, 13))
def test_slots_that_follow_each_other_are_no_neighbours(count):
    order = list(schedule._spread(count))
    assert sorted(order) == list(range(count))
    for steps in (1, 2):
        for one, other in zip(order, order[steps:] + order[:steps]):
            assert (one - other) % count not in (1, count - 1), (order, steps)


def test_a_slot_whose_antenna_is_cold_is_not_asked():
    table = Table()
    table.put(4, NTAG213(uid(1), "12-7"))
    exchanges = table.chip.exchanges
    assert table.readers.poll(4) == 0
    assert table.chip.exchanges == exchanges


def test_a_dead_reader_is_a_fault_and_is_revived():
    table = Table()
    table.put(8, NTAG213(uid(1), "12-7"))
    table.run(300)
    table.chip.places[8].dead = True
    events = table.run(3000)
    assert {event[:2] for event in events} == {(8, reader.FAULT), (8, reader.RESET)}
    assert [event[1] for event in events].count(reader.RESET) == 1, "all are reset for it once"
    assert not table.readers.healthy(8) and not table.chip.places[8].on
    assert 5 <= len(events) <= 16, "tried about twice a second"
    table.chip.places[8].dead = False
    assert [event for event in table.run(2000) if event[1] != reader.FAULT] == [], "no new tap"
    assert table.readers.healthy(8)
    table.put(8, NTAG213(uid(2), "6-5"))
    assert table.run(300) == [(8, 1, ["6-5"])]
    table.chip.places[8].dead = True
    again = [event[1] for event in table.run(3000)]
    assert again.count(reader.RESET) == 1, "and once more the next time"


def test_lost_settings_are_found_and_a_missing_reader_is_awaited():
    table = Table(dead=(3,))
    assert table.readers.version(3) == 0 and table.readers.version(4) == 0x32
    assert {event[:2] for event in table.run(1500)} == {(3, reader.FAULT)}
    table.chip.places[3].dead = False
    table.run(1000)
    table.chip.places[5].settings = False
    assert table.run(2000)[0][:2] == (5, reader.FAULT)
    assert all(table.readers.healthy(i) for i in range(12))


def test_a_reader_that_is_put_in_late_is_reset_first():
    table = Table(dead=(3,))
    table.run(3000)
    place = table.chip.places[3]
    place.dead, place.ready_us = False, None  # it has never been reset
    table.put(3, NTAG213(uid(1), "12-7"))
    assert (3, 1, ["12-7"]) in table.run(3000)


def test_what_hold_and_the_pages_say():
    table = Table(dead=(11,))
    readers = table.readers
    held = HeldTag(readers)
    table.put(2, NTAG213(uid(1)), NTAG213(uid(2)))
    table.put(4, MifareClassic(b"\xde\xad\xbe\xef"))
    tag = NTAG213(uid(3), "12-7")
    table.put(6, tag)
    for slot, said in (
        (0, reader.NO_TAG),
        (2, reader.TWO_TAGS),
        (4, reader.CLASSIC),
        (11, reader.FAULT),
    ):
        assert held.hold(slot) == said
        assert held.let_go(slot, said) == said
    assert held.hold(6) == 0
    assert held.uid()[1:4] + held.uid()[4:] == tag.uid
    assert held.read_page(3) == 0
    assert bytes(held.page_data) == tag.memory[12:28]
    assert held.let_go(6) == 0
    assert held.hold(6) == 0
    assert held.read_page(200) == reader.REFUSED
    assert held.let_go(6, reader.REFUSED) == reader.REFUSED
    assert held.hold(6) == 0
    assert held.write_page(0, b"abcd") == reader.REFUSED
    held.let_go(6, reader.REFUSED)
    assert held.hold(6) == 0
    tag.leave_after(3)
    assert held.read_page(4) == reader.TORN
    held.let_go(6, reader.TORN)
    assert held.hold(4) == reader.CLASSIC
    table.chip.places[4].dead = True
    assert held.read_page(4) == reader.FAULT
    assert held.let_go(4, reader.FAULT) == reader.FAULT
    assert not readers.healthy(4)
