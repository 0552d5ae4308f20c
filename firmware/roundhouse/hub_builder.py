# SPDX-License-Identifier: MIT
"""A hub from its parts, as config.py says they are wired; and its first line."""

import sys

from roundhouse import VERSION, console, tags
from roundhouse.constants import LOBBY, E, slot_name
from roundhouse.drivers.buttons import Buttons
from roundhouse.drivers.expanders import Decoder, ShiftIn
from roundhouse.drivers.presence import Readers
from roundhouse.drivers.strip import Strip
from roundhouse.games.match import Match
from roundhouse.hub import Hub
from roundhouse.journal import Journal
from roundhouse.lights import Lights
from roundhouse.palettes import PALETTES

VSYS = 29  # a third of it; every Pico wires that itself
SLOW = '{"slot": "%s", "reader": "slow"}'


def build(config, machine, time, neopixel, port, chance, files, folder):
    """Return the Hub that config describes; settings.check has passed it.

    machine, time, neopixel: MicroPython's modules (or the simulator's); port: as Console needs
    it; chance: callable, 0..255; files: as Journal needs them; folder: an existing one for the
    journal.
    """
    from roundhouse import report  # the rest of the hub rarely needs it
    from roundhouse.games import houses

    house, variants = houses.parse(config.HOUSE.lower().split())
    pins = config.PINS
    slots = config.SLOTS
    n = len(slots)

    def out(pin, level):
        return machine.Pin(pin, machine.Pin.OUT, value=level)

    def pulled_up(pin):
        return machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP)

    # how selects and buttons are wired: the names of a board's pins say it, see boards.py
    if "selects" in pins:
        selects = [out(pin, 1) for pin in pins["selects"]]
    else:
        address = [out(pin, 0) for pin in pins["address"]]
        selects = Decoder(address, out(pins["enable"], 1), config.LINES)
    if "buttons" in pins:
        levels = straight([pulled_up(pin) for pin in pins["buttons"]])
    else:
        chain = out(pins["load"], 1), out(pins["clock"], 0), pulled_up(pins["data"])
        levels = ShiftIn(*chain, config.LINES).levels
    spi = machine.SPI(
        0,
        baudrate=config.BAUD,
        sck=machine.Pin(pins["sck"]),
        mosi=machine.Pin(pins["mosi"]),
        miso=machine.Pin(pins["miso"]),
    )
    milliamps, fields = config.MILLIAMPS, config.FIELDS
    if milliamps == "usb":
        from roundhouse import power  # its room stays free where nobody asks

        _, milliamps, most = power.offer(machine.ADC(pins["sense"]))
        fields = min(fields, most)
    slow = config.BAUD // 4
    chips = chip_class(config.READER)(
        spi, selects, out(pins["reset"], 1), time, (config.BAUD, slow)
    )
    reader = Readers(chips, time, tags.length, fields)
    pixels = neopixel.NeoPixel(machine.Pin(pins["lights"]), 4 * n)
    strip = Strip(pixels, milliamps, config.BRIGHTNESS, machine.ADC(VSYS))
    piezo = None
    if config.SOUND:
        from roundhouse.drivers.piezo import QUIET, Piezo  # its room stays free where it is off

        piezo = Piezo(machine.PWM(machine.Pin(pins["piezo"])), time.ticks_diff, time.ticks_add)
        piezo.silence(QUIET in files.listdir(folder))
    line = console.Console(port)
    if config.REMARK:
        line.put(console.error(config.REMARK))
    table = Match(house, variants, config.SET, slots=sum([1 << n for n in slots]) - 1)
    hub = Hub(
        table,
        slots,
        reader,
        Buttons(levels, n, time.ticks_diff),
        Lights(slots, PALETTES[config.PALETTE], config.HINTS),
        strip,
        Journal(files, folder, table),
        line,
        time,
        chance,
        piezo,
        (report.house(table), table.rules),
    )
    hub.night(config.NIGHT_MINUTES, config.NIGHT_BRIGHTNESS)
    return hub


def begin(hub):
    """Carry on where the journal ends, and say so; a held button asks for the self-test."""
    table, journal = hub.table, hub.journal
    lobby = bytes(table.state)
    if journal.resume() >= 0 and table.phase == LOBBY:
        from roundhouse import history

        history.resume(table, journal, lobby)
    hub.lights.show(table)
    hub.favour()
    if journal.trouble:
        hub.tell(console.error(journal.trouble))
        hub.answer(E, "r")
    for seat in range(1, 11):
        if table.joined >> seat & 1 and seat not in hub.slots:
            said = "seat %d has no station here: say leave %d, or put it back into STATIONS"
            hub.tell(console.error(said % (seat, seat)))
    if hub.reader.slowed >= 0:
        hub.tell(SLOW % slot_name(hub.slots[hub.reader.slowed]))
    hub.show("power-up", more=', "version": "%s"' % VERSION)
    if hub.buttons.any_down():
        hub.begin_test()


def chip_class(name):
    """Return the class of a reader chip, by the name of its module: `mfrc522` has MFRC522."""
    module = "roundhouse.drivers." + name
    __import__(module)
    return getattr(sys.modules[module], name.upper())


def straight(pins):
    """Return a callable that reads buttons wired straight to pins, as ShiftIn.levels does."""

    def levels():
        mask = 0
        bit = 1
        for pin in pins:
            if not pin():
                mask |= bit
            bit <<= 1
        return mask

    return levels
