# SPDX-License-Identifier: MIT
"""Builds the hub from its parts, wired as config.py says, and starts it."""

import sys

from roundhouse import VERSION, console, tags
from roundhouse.constants import LOBBY, USUAL_STATIONS, E, slot_name
from roundhouse.drivers.buttons import Buttons
from roundhouse.drivers.expanders import Decoder, ShiftIn
from roundhouse.drivers.files import FlashFolder
from roundhouse.drivers.presence import Readers
from roundhouse.drivers.strip import Strip
from roundhouse.games.match import Match
from roundhouse.games.slot_masks import seats_of
from roundhouse.hub import Hub
from roundhouse.journal import Journal
from roundhouse.lights import Lights
from roundhouse.palettes import PALETTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


VSYS = 29  # ADC pin that every Pico wires to VSYS / 3
SLOW = '{"slot": "%s", "reader": "slow"}'


def build(
    config: "Any",
    machine: "Any",
    time: "Any",
    neopixel: "Any",
    port: "Any",
    random: "Callable[[], int]",
    files: "Any",
    folder: str,
) -> "Hub":
    """Build the Hub for a config that settings.check has accepted; return it.

    machine, time, neopixel: MicroPython's modules, or the simulator's.
    port: see Console.
    random: a function that returns 0..255.
    files: see Journal.
    folder: the path of the journal's folder, which must exist.
    """
    from roundhouse import line_keys
    from roundhouse.games import houses

    house, variants = houses.parse(config.HOUSE.lower().split())
    pins = config.PINS
    slots = config.SLOTS
    n = len(slots)

    def out(pin: int, level: int) -> "Any":
        return machine.Pin(pin, machine.Pin.OUT, value=level)

    def pulled_up(pin: int) -> "Any":
        return machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP)

    # the names of a board's pins decide how selects and buttons are wired: see boards.py
    if "selects" in pins:
        selects: Any = [out(pin, 1) for pin in pins["selects"]]
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
        from roundhouse import power_supply

        _, milliamps, most = power_supply.offer(machine.ADC(pins["sense"]))
        fields = min(fields, most)
    slow = config.BAUD // 4
    chips = chip_class(config.READER)(
        spi, selects, out(pins["reset"], 1), time, (config.BAUD, slow)
    )
    reader = Readers(chips, time, tags.length, fields)
    pixels = neopixel.NeoPixel(machine.Pin(pins["lights"]), 4 * n)
    order = ["RGB".index(letter) for letter in config.COLOR_ORDER]
    strip = Strip(pixels, milliamps, config.BRIGHTNESS, machine.ADC(VSYS), tuple(order))
    piezo = None
    if config.SOUND:
        from roundhouse.drivers.piezo import QUIET, Piezo

        piezo = Piezo(machine.PWM(machine.Pin(pins["piezo"])), time.ticks_diff, time.ticks_add)
        piezo.silence(QUIET in files.listdir(folder))
    is_large = n - 2 > USUAL_STATIONS
    line = console.Console(port, console.LARGE_RING if is_large else console.RING)
    if config.REMARK:
        line.put(console.remark(config.REMARK))
    stations = sum([1 << n for n in slots]) - 1
    table = Match(house, variants, config.SET, stations, config.ENGINE_SLOT)
    if getattr(files, "flash", None):
        files = FlashFolder(files, folder)
    hub = Hub(
        table=table,
        slots=slots,
        reader=reader,
        buttons=Buttons(levels, len(selects), time.ticks_diff),
        lights=Lights(slots, PALETTES[config.PALETTE], config.HINTS),
        strip=strip,
        journal=Journal(files, folder, table),
        console=line,
        time=time,
        random=random,
        piezo=piezo,
        config=(line_keys.house(table), table.rules),
    )
    hub.night(config.NIGHT_MINUTES, config.NIGHT_BRIGHTNESS)
    return hub


def begin(hub: "Hub", wrong: str | None = None) -> None:
    """Load the match from the journal and put the first line on the console. Start the self-test
    if a button is held down. wrong: why the journal cannot be kept, if that is known."""
    table, journal = hub.table, hub.journal
    lobby = bytes(table.state)
    if journal.resume() >= 0 and table.phase == LOBBY:
        from roundhouse import journal_undo

        journal_undo.resume(table, journal, lobby)
    hub.lights.show(table)
    wrong = wrong or journal.trouble
    if wrong:
        hub.put_line(console.error(wrong))
        hub.answer(E, "r")
    for seat in seats_of(table.joined):
        if seat not in hub.slots:
            text = "seat %d has no station here: say leave %d, or put it back into STATIONS"
            hub.put_line(console.error(text % (seat, seat)))
    if hub.reader.slowed >= 0:
        hub.put_line(SLOW % slot_name(hub.slots[hub.reader.slowed]))
    hub.put_state("power-up", more=', "version": "%s"' % VERSION)
    if hub.buttons.any_down():
        hub.start_test()


def chip_class(name: str) -> type:
    """Return the class of a reader chip; name: the name of its module, such as `mfrc522`."""
    module = "roundhouse.drivers." + name
    __import__(module)
    return getattr(sys.modules[module], name.upper())


def straight(pins: "Sequence[Any]") -> "Callable[[], int]":
    """Return a function like ShiftIn.levels for buttons that are wired straight to pins."""

    def levels() -> int:
        mask = 0
        bit = 1
        for pin in pins:
            if not pin():
                mask |= bit
            bit <<= 1
        return mask

    return levels
