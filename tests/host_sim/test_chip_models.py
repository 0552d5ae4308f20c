# SPDX-License-Identifier: MIT
"""The simulated pins, clock, reader chip and tags, each against its datasheet."""

import ndef
import pytest
from chip_bench import Bench
from chip_kinds import each_habit, habit  # noqa: F401

from host_sim.board.chips import machine
from host_sim.board.chips.clock import PERIOD, Clock
from host_sim.board.chips.mfrc522_chip import (
    CollReg,
    ComIrqReg,
    CommandReg,
    CRCResultRegH,
    CRCResultRegL,
    DivIrqReg,
    ErrorReg,
    FIFODataReg,
    FIFOLevelReg,
    ModeReg,
    RFCfgReg,
    TModeReg,
    TReloadRegH,
    TxASKReg,
    TxControlReg,
    VersionReg,
)
from host_sim.board.chips.ntag import NTAG213, NTAG216, MifareClassic, Phone, crc_a, with_crc

UID = bytes.fromhex("04112233445566")
OTHER = bytes.fromhex("04112233445577")


def test_clock_wraps_like_micropython():
    clock = Clock(us=PERIOD - 5)
    start = clock.ticks_us()
    clock.sleep_us(100)
    end = clock.ticks_us()
    assert end < start
    assert clock.ticks_diff(end, start) == 102
    assert clock.ticks_diff(start, end) == -102
    assert clock.ticks_add(start, 102) == end


def test_pins_are_driven_and_watched():
    machine.power_up()
    button = machine.Pin(3, machine.Pin.IN, machine.Pin.PULL_UP)
    assert button() == 1 and button.value() == 1
    machine.wire(3).drive(0)
    assert button() == 0
    seen = []
    machine.wire(4).watchers.append(seen.append)
    led = machine.Pin(4, machine.Pin.OUT, value=0)
    led.on()
    led(1)
    led.value(0)
    assert seen == [1, 0]


def test_a_bus_costs_time_and_counts():
    bench = Bench()
    start, calls = bench.clock.us, bench.spi.bus.calls
    bench.put(TModeReg, 0x80)
    assert bench.clock.us - start == 20 + 4
    assert bench.spi.bus.calls - calls == 1
    nobody = bytearray(2)
    bench.spi.readinto(nobody)
    assert nobody == b"\xff\xff"


def test_registers_at_reset_and_after_soft_reset():
    bench = Bench()
    bench.put(TModeReg, 0x80)
    bench.put(VersionReg, 0x12)  # read-only
    assert bench.get(TModeReg, VersionReg, ModeReg) == b"\x80\x92\x3f"
    bench.put(CommandReg, 0x0F)
    assert bench.get(CommandReg) & 0x10 or bench.get(CommandReg) == 0x20
    bench.clock.sleep_ms(1)
    assert bench.get(CommandReg, TModeReg, TxControlReg, RFCfgReg) == b"\x20\x00\x80\x48"


@each_habit
def test_fifo_holds_64_bytes_and_is_flushed():
    bench = Bench()
    bench.put(FIFODataReg, *range(64))
    assert bench.get(FIFOLevelReg) == 64 and bench.get(ErrorReg) == 0
    bench.put(FIFODataReg, 1)
    assert bench.get(ErrorReg) == 0x10
    assert bench.get(FIFODataReg, FIFODataReg, FIFOLevelReg) == b"\x00\x01\x3e"
    bench.put(FIFOLevelReg, 0x80)
    assert bench.get(FIFOLevelReg) == 0 and bench.get(ErrorReg) == 0


def test_irq_bits_are_set_and_cleared_by_bit_7():
    bench = Bench()
    bench.put(ComIrqReg, 0x7F)
    assert bench.get(ComIrqReg) == 0
    bench.put(ComIrqReg, 0x80 | 0x21)
    assert bench.get(ComIrqReg) == 0x21
    bench.put(ComIrqReg, 0x01)
    assert bench.get(ComIrqReg) == 0x20


@each_habit
def test_crc_unit():
    assert crc_a(b"\x00\x00") == 0x1EA0  # ISO 14443-3, annex B
    assert crc_a(b"\x12\x34") == 0xCF26
    bench = Bench()
    bench.put(ModeReg, 0x3D)
    bench.put(FIFODataReg, 0x12, 0x34)
    bench.put(CommandReg, 0x03)
    assert bench.get(DivIrqReg) & 0x04
    assert bench.get(CRCResultRegL, CRCResultRegH) == b"\x26\xcf"


def test_timer_ends_an_empty_exchange():
    bench = Bench()
    bench.set_up()
    irq, error, data, _ = bench.talk(b"\x52", 7, wait_us=370)
    assert irq == 0x40 and not data  # sent (94 us), and the timer (309 us) still runs
    bench.clock.sleep_us(40)
    assert bench.get(ComIrqReg) == 0x41


def test_a_tag_answers_in_time():
    """A tag's answer to WUPA is complete 374 us after the start of WUPA."""
    bench = Bench()
    bench.set_up()
    bench.chip.put(NTAG213(UID))
    bench.clock.sleep_ms(5)
    irq, _, data, _ = bench.talk(b"\x52", 7, wait_us=300)
    assert irq == 0x40 and not data
    bench.clock.sleep_us(50)
    assert bench.get(ComIrqReg) == 0x60
    assert bench.get(FIFODataReg, FIFODataReg) == b"\x44\x00"


@pytest.mark.parametrize("missing", ["antenna", "ask", "warmth", "short frame", "mode"])
def test_a_tag_needs_all_of_it(missing):
    bench = Bench()
    bench.set_up()
    tag = NTAG213(UID)
    bench.chip.put(tag)
    if missing == "antenna":
        bench.put(TxControlReg, 0x80)
    if missing == "ask":
        bench.put(TxASKReg, 0x00)
    bench.clock.sleep_us(500 if missing == "warmth" else 5000)
    irq, _, data, _ = bench.talk(b"\x52", 0 if missing == "short frame" else 7)
    if missing == "mode":  # the wrong CRC preset: SELECT fails
        bench.talk(b"\x93\x20")
        bench.put(ModeReg, 0x3F)
        irq, _, data, _ = bench.talk(b"\x93\x70\x88" + UID[:3] + b"\xaf", 0, 0x80)
    assert irq == 0x41 and not data


def select(bench, uid=UID):
    if not bench.talk(b"\x52", 7)[2]:
        bench.talk(b"\x52", 7)  # an active tag falls back at the first
    first = b"\x88" + uid[:3]
    for level, part in ((0x93, first), (0x95, uid[3:])):
        check = part[0] ^ part[1] ^ part[2] ^ part[3]
        answer = bench.talk(bytes((level, 0x70)) + part + bytes((check,)), 0, 0x80)
    return answer


def test_anticollision_and_select_of_one_tag():
    bench = Bench()
    bench.set_up()
    bench.chip.put(NTAG213(UID))
    bench.clock.sleep_ms(5)
    bench.talk(b"\x26", 7)
    assert bench.talk(b"\x93\x20")[2] == bytes.fromhex("88041122bf")
    assert bench.talk(bytes.fromhex("937088041122bf"), 0, 0x80)[2] == b"\x04"
    assert bench.talk(b"\x95\x20")[2] == bytes.fromhex("3344556644")
    assert bench.talk(bytes.fromhex("95703344556645"), 0, 0x80)[0] == 0x41, "wrong BCC"
    assert select(bench)[2] == b"\x00"


def test_a_collision_has_a_place():
    bench = Bench()
    bench.set_up()
    bench.chip.put(NTAG213(UID))
    bench.chip.put(NTAG213(OTHER))
    bench.clock.sleep_ms(5)
    assert bench.talk(b"\x52", 7)[1] == 0, "equal ATQAs do not collide"
    bench.talk(bytes.fromhex("937088041122bf"), 0, 0x80)
    irq, error, data, _ = bench.talk(b"\x95\x20")
    assert irq & 0x22 == 0x22 and error == 0x08
    assert bench.get(CollReg) == 25  # 0x66 and 0x77 differ first in bit 0 of the fourth byte
    assert data[:3] == bytes.fromhex("334455") and data[3:] == b"\x00\x00"
    # 24 bits known and a 1: the tag with 0x77 goes on
    irq, error, data, _ = bench.talk(bytes.fromhex("955133445501"), 0x11)
    assert error == 0 and data == bytes((0x77 & 0xFE, 0x33 ^ 0x44 ^ 0x55 ^ 0x77))


def test_halt_request_and_field():
    bench = Bench()
    bench.set_up()
    tag = NTAG213(UID)
    bench.chip.put(tag)
    bench.clock.sleep_ms(5)
    select(bench)
    assert bench.talk(b"\x50\x00", 0, 0x80)[0] == 0x41
    assert bench.talk(b"\x26", 7)[0] == 0x41, "HALT is deaf to REQA"
    assert bench.talk(b"\x52", 7)[2] == b"\x44\x00"
    bench.put(TxControlReg, 0x80)
    bench.put(TxControlReg, 0x83)
    bench.clock.sleep_ms(5)
    assert bench.talk(b"\x26", 7)[2] == b"\x44\x00", "the field took the HALT with it"


def test_read_rolls_over_and_refuses():
    bench = Bench()
    bench.set_up()
    tag = NTAG213(UID, "12-7")
    bench.chip.put(tag)
    bench.clock.sleep_ms(5)
    select(bench)
    assert bench.talk(b"\x30\x03", 0, 0x80)[2] == bytes(tag.memory[12:28])
    assert bench.talk(b"\x30\x2b", 0, 0x80)[2] == bytes(tag.memory[172:180] + tag.memory[:8])
    irq, error, data, bits = bench.talk(b"\x30\x2d", 0, 0x80)
    assert data == b"\x00" and bits == 4, "NAK"
    assert bench.talk(b"\x30\x03", 0, 0x80)[0] == 0x41, "and it is not active any more"


def test_write_locks_and_one_way_bits():
    bench = Bench()
    bench.set_up()
    tag = NTAG213(UID)
    tag.lock(5)
    tag.lock(20)
    bench.chip.put(tag)
    bench.clock.sleep_ms(5)
    for page, taken in ((4, True), (5, False), (20, False), (22, True), (0, False), (45, False)):
        select(bench)
        bench.put(TReloadRegH, 4)
        frame = with_crc(bytes((0xA2, page)) + b"abcd")[0].to_bytes(8, "little")
        data, bits = bench.talk(frame, 0, 0, 14000)[2:]
        bench.put(TReloadRegH, 0)
        assert bits == 4 and data[0] == (0xA if taken else 0), page
        assert (tag.memory[4 * page : 4 * page + 4] == b"abcd") is taken
    select(bench)
    frame = with_crc(b"\xa2\x03\x00\x00\x00\x0f")[0].to_bytes(8, "little")
    bench.talk(frame, 0, 0, 14000)
    assert tag.memory[12:16] == b"\xe1\x10\x12\x0f"


def test_a_tag_can_leave_at_any_byte():
    bench = Bench()
    bench.set_up()
    for count in range(7):
        tag = NTAG213(UID)
        bench.chip.put(tag)
        bench.clock.sleep_ms(5)
        bench.talk(b"\x52", 7)
        tag.leave_after(count)
        irq, error, data, _ = bench.talk(b"\x93\x20")
        assert data == bytes.fromhex("88041122bf")[: max(0, count - 2)]
        assert bench.chip.tags == []


def test_memory_is_laid_out_as_from_the_factory():
    tag = NTAG213(UID)
    assert len(tag.memory) == 180
    assert tag.memory[:9] == bytes.fromhex("041122bf3344556644")
    assert tag.memory[12:24] == bytes.fromhex("e1101200 0103a00c 340300fe")
    written = NTAG213(UID, "7-12", lock_tlv=True).memory
    assert written[16:21] == bytes.fromhex("0103a00c34")
    size = written[22]
    record = next(ndef.message_decoder(bytes(written[23 : 23 + size])))
    assert record.text == "7-12"
    assert len(NTAG216(UID).memory) == 231 * 4


def test_other_cards():
    bench = Bench()
    bench.set_up()
    card = MifareClassic(bytes.fromhex("deadbeef"))
    bench.chip.put(card)
    bench.clock.sleep_ms(5)
    assert bench.talk(b"\x52", 7)[2] == b"\x04\x00"
    assert bench.talk(b"\x93\x20")[2] == bytes.fromhex("deadbeef22")
    assert bench.talk(bytes.fromhex("9370deadbeef22"), 0, 0x80)[2] == b"\x08"
    bench.chip.take(card)
    phone = Phone()
    before = phone.uid
    bench.chip.put(phone)
    assert phone.uid != before and phone.uid[0] == 0x08


@pytest.mark.parametrize("level", [0x00, 0xFF])
def test_a_dead_chip_shows_one_level(level):
    bench = Bench()
    bench.chip.dead = level
    assert bench.get(VersionReg, ComIrqReg) == bytes((level, level))


def test_errors_can_be_forced():
    bench = Bench()
    bench.set_up()
    bench.chip.put(NTAG213(UID))
    bench.clock.sleep_ms(5)
    bench.chip.spoil(0x02)
    irq, error, _, _ = bench.talk(b"\x52", 7)
    assert irq & 0x22 == 0x22 and error == 0x02
    bench.talk(b"\x26", 7)
    assert bench.talk(b"\x52", 7)[1] == 0


def test_reset_line_holds_the_chip():
    bench = Bench()
    bench.put(TModeReg, 0x80)
    bench.chip.reset_pin(0)
    assert bench.get(VersionReg) == 0
    bench.chip.reset_pin(1)
    assert bench.get(TModeReg, VersionReg) == b"\x00\x92"
