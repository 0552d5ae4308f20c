# SPDX-License-Identifier: MIT
"""An independent reader driver (PyPI `mfrc522`) reads the same simulated chip and tags as ours.

So a test fails if our driver and our chip model share a misunderstanding of the datasheet.
"""

import importlib
import sys
import types

import pytest
from chip_bench import Bench
from chip_kinds import habit  # noqa: F401

from host_sim.board.chips.ntag import NTAG213, MifareClassic, crc_a
from roundhouse import tag_writer, tags
from roundhouse.drivers.mfrc522 import MFRC522
from roundhouse.drivers.presence import Readers

UID = bytes.fromhex("04112233445566")


def their_driver(bench, monkeypatch):
    """Return the package's MFRC522 object, set up on the bench's chip."""

    class SpiDev:
        def open(self, bus, device):
            pass

        def xfer2(self, out):
            into = bytearray(len(out))
            bench.cs(0)
            bench.spi.write_readinto(bytes(out), into)
            bench.cs(1)
            return list(into)

    gpio = types.ModuleType("RPi.GPIO")
    gpio.OUT = 0
    gpio.getmode = lambda: 10
    gpio.setup = gpio.output = lambda pin, value: None
    spidev = types.ModuleType("spidev")
    spidev.SpiDev = SpiDev
    package = types.ModuleType("RPi")
    package.GPIO = gpio
    for name, module in (("RPi", package), ("RPi.GPIO", gpio), ("spidev", spidev)):
        monkeypatch.setitem(sys.modules, name, module)
    for name in [name for name in sys.modules if name.split(".")[0] == "mfrc522"]:
        monkeypatch.delitem(sys.modules, name)
    driver = importlib.import_module("mfrc522").MFRC522()
    for name in [name for name in sys.modules if name.split(".")[0] == "mfrc522"]:
        monkeypatch.delitem(sys.modules, name)
    bench.clock.sleep_ms(5)
    return driver


@pytest.fixture
def bench():
    return Bench(1_000_000)


@pytest.fixture
def theirs(bench, monkeypatch):
    return their_driver(bench, monkeypatch)


def our_driver(bench):
    """Return the firmware's readers on the bench's chip."""
    chip = MFRC522(bench.spi, [bench.cs], None, bench.clock)
    return Readers(chip, bench.clock, tags.length, 1)


def select_both_levels(theirs):
    """Send REQA, then anticollision and SELECT on both cascade levels; return (UID, SAK)."""
    status, bits = theirs.MFRC522_Request(theirs.PICC_REQIDL)
    assert (status, bits) == (theirs.MI_OK, 0x10)
    status, first = theirs.MFRC522_Anticoll()
    assert status == theirs.MI_OK and first[0] == 0x88
    assert theirs.MFRC522_SelectTag(first) == 0x04
    theirs.Write_MFRC522(theirs.BitFramingReg, 0x00)
    status, second, bits = theirs.MFRC522_ToCard(theirs.PCD_TRANSCEIVE, [0x95, 0x20])
    assert (status, bits) == (theirs.MI_OK, 40)
    frame = [0x95, 0x70] + second
    status, answer, bits = theirs.MFRC522_ToCard(
        theirs.PCD_TRANSCEIVE, frame + theirs.CalulateCRC(frame)
    )
    assert (status, bits) == (theirs.MI_OK, 24)
    return bytes(first[1:4] + second[:4]), answer[0]


def test_their_crc_is_the_chips_and_the_tags(theirs):
    for data in ([0x12, 0x34], [0x30, 0x04], [0x93, 0x70, 0x88, 4, 0x11, 0x22, 0xBF]):
        crc = crc_a(data)
        assert theirs.CalulateCRC(data) == [crc & 0xFF, crc >> 8]


def test_they_find_an_empty_slot_empty(bench, theirs):
    calls = bench.spi.bus.calls
    status, _ = theirs.MFRC522_Request(theirs.PICC_REQIDL)
    assert status == theirs.MI_ERR
    # 2000 reads of one register: what such drivers were measured to take on real chips
    assert 2000 < bench.spi.bus.calls - calls < 2050


def test_they_read_a_classic_cards_uid(bench, theirs):
    bench.chip.put(MifareClassic(bytes.fromhex("deadbeef")))
    bench.clock.sleep_ms(5)
    assert theirs.MFRC522_Request(theirs.PICC_REQIDL) == (theirs.MI_OK, 0x10)
    status, serial = theirs.MFRC522_Anticoll()
    assert status == theirs.MI_OK and bytes(serial) == bytes.fromhex("deadbeef22")
    assert theirs.MFRC522_SelectTag(serial) == 0x08


def test_they_read_a_tiles_uid_and_memory(bench, theirs):
    tag = NTAG213(UID, "12-7", lock_tlv=True)
    bench.chip.put(tag)
    bench.clock.sleep_ms(5)
    assert select_both_levels(theirs) == (UID, 0x00)
    image = []
    for page in range(3, 39, 4):
        image += theirs.MFRC522_Read(page)
    assert bytes(image) == tag.memory[12 : 12 + len(image)]
    assert tags.text(image, len(image)) == "12-7"


def test_they_see_two_tags_as_a_collision(bench, theirs):
    bench.chip.put(MifareClassic(bytes.fromhex("deadbeef")))
    bench.chip.put(MifareClassic(bytes.fromhex("deadbe11")))
    bench.clock.sleep_ms(5)
    assert theirs.MFRC522_Request(theirs.PICC_REQIDL) == (theirs.MI_OK, 0x10)
    assert theirs.MFRC522_Anticoll()[0] == theirs.MI_ERR
    assert theirs.Read_MFRC522(theirs.ErrorReg) & 0x08


def test_they_write_what_we_read(bench, theirs):
    tag = NTAG213(UID)
    bench.chip.put(tag)
    bench.clock.sleep_ms(5)
    select_both_levels(theirs)
    image = tag_writer.message("6-5")
    for at in range(0, len(image), 4):
        frame = [0xA2, 4 + at // 4] + list(image[at : at + 4])
        status, answer, bits = theirs.MFRC522_ToCard(
            theirs.PCD_TRANSCEIVE, frame + theirs.CalulateCRC(frame)
        )
        assert (status, bits, answer[0] & 0x0F) == (theirs.MI_OK, 4, 0x0A)
    ours = our_driver(bench)
    while ours.step() < 0 or not ours.new:
        pass
    assert ours.new == 1 and tags.text(ours.images[0], ours.sizes[0]) == "6-5"


def test_we_write_what_they_read(bench, monkeypatch):
    bench.chip.put(NTAG213(UID))
    ours = our_driver(bench)
    image = tag_writer.message("11-4")
    assert tag_writer.write(ours, 0, image) == 0
    theirs = their_driver(bench, monkeypatch)
    assert select_both_levels(theirs) == (UID, 0x00)
    assert bytes(theirs.MFRC522_Read(4)[: len(image)]) == image[:16]
