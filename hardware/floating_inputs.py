# SPDX-License-Identifier: MIT
"""Every CMOS input has a level, whatever is plugged in: nothing floats.

A net has a level where it is a supply, where an output that is always on drives it, or where a
resistor leads to a net that has one.
"""

from hardware.circuit import PICO_PINS

SUPPLIES = ("GND", "+3V3", "+5V", "3V3_READERS", "5V_LOGIC", "VSYS")
INPUTS = {  # value: pins
    "74HC138": (1, 2, 3, 4, 5, 6),
    "74HC165": (1, 2, 10, 15, 11, 12, 13, 14, 3, 4, 5, 6),
    "74AHC244": (1, 19, 2, 4, 6, 8, 17, 15, 13, 11),
    "74AHCT1G125": (1, 2),
    "74LVC1G125": (1, 2),
    "WS2812B": (4,),
    "RC522": (1, 2, 3, 7),
}
OUTPUTS = {
    "74HC138": (15, 14, 13, 12, 11, 10, 9, 7),
    "74HC165": (9,),
    "74AHC244": (18, 16, 14, 12, 3, 5, 7, 9),
    "WS2812B": (2,),
}
ENABLED = {"74AHC244": (1, 19), "74AHCT1G125": (1,), "74LVC1G125": (1,)}
TRI_STATE = {"74AHCT1G125": (4,), "74LVC1G125": (4,)}
PICO_DRIVES = ("enable", "load", "clock", "reset", "sck", "mosi", "piezo", "lights")
PICO_HEARS = ("data", "miso")
# what a slot board gets from the hub; its pixels come from another slot, which may be absent
FROM_HUB = ("SDA", "SCK", "MOSI", "RST")


def floating(pins, values, board=None, given=()):
    """Return the inputs without a level, a line each.

    pins, values: as netlist.load returns them; board: the pin map's section, where the Pico is
    on it; given: nets that have a level from elsewhere.
    """
    level = {*SUPPLIES, *given}
    wanted = {}
    for ref, value in values.items():
        for pin in INPUTS.get(value, ()):
            wanted["%s.%d" % (ref, pin)] = pins.get("%s.%d" % (ref, pin))
        level |= {pins.get("%s.%d" % (ref, n)) for n in OUTPUTS.get(value, ())}
    if board:
        numbers = [board[name] for name in PICO_DRIVES] + list(board["address"])
        level |= {pins.get("U1.%d" % PICO_PINS[number]) for number in numbers}
        for name in PICO_HEARS:
            pin = "U1.%d" % PICO_PINS[board[name]]
            wanted[pin] = pins.get(pin)
    for ref, value in values.items():
        if all(pins.get("%s.%d" % (ref, n)) == "GND" for n in ENABLED.get(value, ())):
            level |= {pins.get("%s.%d" % (ref, n)) for n in TRI_STATE.get(value, ())}
    level.discard(None)
    _through_resistors(pins, values, level)
    return [
        "%s (%s) floats: nothing gives %s a level" % (pin, values[pin.split(".")[0]], net)
        for pin, net in sorted(wanted.items())
        if net not in level
    ]


def _through_resistors(pins, values, level):
    """Add the nets to which a resistor leads from one with a level."""
    ends = [(pins.get(ref + ".1"), pins.get(ref + ".2")) for ref in values if ref[0] == "R"]
    grown = True
    while grown:
        found = {b for pair in ends for a, b in (pair, pair[::-1]) if a in level and b}
        grown = not found <= level
        level |= found
