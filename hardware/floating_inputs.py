# SPDX-License-Identifier: MIT
"""Checks that every CMOS input has a defined level, whether or not slots and readers are plugged
in.

A net has a defined level if it is a supply, if an output that is always enabled drives it, or if a
resistor connects it to such a net.
"""

from collections.abc import Iterable

from hardware.netlist import Names
from hardware.pinmap import Pins
from hardware.pinouts import AHC244, GATE, HC138, HC165, HC165_INPUTS, PICO_PINS, PIXEL

SUPPLIES = ("GND", "+3V3", "+5V", "3V3_READERS", "5V_LOGIC", "VSYS")
_INTO, _ENABLE, _OUT = GATE
INPUTS = {  # value: pins
    "74HC138": (*HC138[0], *HC138[1], *HC138[2]),
    "74HC165": (*(HC165[name] for name in ("load", "clock", "serial", "inhibit")), *HC165_INPUTS),
    "74AHC244": (1, 19, *(into for into, _ in AHC244)),
    "74AHCT1G125": (_ENABLE, _INTO),
    "74LVC1G125": (_ENABLE, _INTO),
    "WS2812B": (PIXEL["in"],),
    "RC522": (1, 2, 3, 7),
}
OUTPUTS = {
    "74HC138": HC138[3],
    "74HC165": (HC165["data"],),
    "74AHC244": tuple(out for _, out in AHC244),
    "WS2812B": (PIXEL["out"],),
}
ENABLES = {"74AHC244": (1, 19), "74AHCT1G125": (_ENABLE,), "74LVC1G125": (_ENABLE,)}
TRI_STATE = {"74AHCT1G125": (_OUT,), "74LVC1G125": (_OUT,)}
PICO_DRIVES = ("enable", "load", "clock", "reset", "sck", "mosi", "piezo", "lights")
PICO_READS = ("data", "miso")
# driven by the hub on a slot board; the pixels' data comes from another slot, which may be absent
FROM_HUB = ("SDA", "SCK", "MOSI", "RST")


def floating(
    pins: Names, values: Names, board: Pins | None = None, given: Iterable[str] = ()
) -> list[str]:
    """Return the inputs without a defined level, one line of text each.

    pins, values: the net of each pin and the value of each part.
    board: the board's section of the pin map, or None for a board without the Pico.
    given: the nets that are driven from outside the board.
    """
    level: set[str | None] = {*SUPPLIES, *given}
    inputs: dict[str, str | None] = {}
    for ref, value in values.items():
        for number in INPUTS.get(value, ()):
            inputs["%s.%d" % (ref, number)] = pins.get("%s.%d" % (ref, number))
        level |= {pins.get("%s.%d" % (ref, number)) for number in OUTPUTS.get(value, ())}
    if board:
        gpios = [board[name] for name in PICO_DRIVES] + list(board["address"])
        level |= {pins.get("U1.%d" % PICO_PINS[gpio]) for gpio in gpios}
        for name in PICO_READS:
            pin = "U1.%d" % PICO_PINS[board[name]]
            inputs[pin] = pins.get(pin)
    for ref, value in values.items():
        if all(pins.get("%s.%d" % (ref, number)) == "GND" for number in ENABLES.get(value, ())):
            level |= {pins.get("%s.%d" % (ref, number)) for number in TRI_STATE.get(value, ())}
    level.discard(None)
    _through_resistors(pins, values, level)
    return [
        "%s (%s) floats: nothing gives %s a level" % (pin, values[pin.split(".")[0]], net)
        for pin, net in sorted(inputs.items())
        if net not in level
    ]


def _through_resistors(pins: Names, values: Names, level: set[str | None]) -> None:
    """Add to the set `level` all nets that resistors connect, directly or through other nets, to a
    net in the set."""
    ends = [(pins.get(ref + ".1"), pins.get(ref + ".2")) for ref in values if ref[0] == "R"]
    grown = True
    while grown:
        found = {b for pair in ends for a, b in (pair, pair[::-1]) if a in level and b}
        grown = not found <= level
        level |= found
