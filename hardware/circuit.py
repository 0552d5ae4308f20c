# SPDX-License-Identifier: MIT
"""What the circuits are made of: parts, nets, and the ribbon that joins the two boards.

A net is a name; a circuit says for each part which net each pin is on. Schematic and board are
drawn from that list, KiCad's own checks compare the two, and `hardware.netlist` compares what
comes out with the pin map. The circuits: `hub_circuit.py`, `slot_circuit.py`.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from hardware import pinmap

SLOTS = pinmap.slots(pinmap.load()["hub12"])
MIRRORED = "mirrored"
READER = ("SDA", "SCK", "MOSI", "MISO", "IRQ", "GND", "RST", "3.3V")  # an RC522 board's own order
# of the 2x7 ribbon, pins 1..14: pixels in and out on 3 and 4, so that a jumper across the two rows
# bridges a slot that is not there; ground beside whatever is fast
RIBBON = (
    *("5V", "GND", "PIX_IN", "PIX_OUT", "GND", "SCK", "GND"),
    *("MOSI", "MISO", "GND", "SDA", "RST", "BTN", "3.3V"),
)
PICO_GROUND = (3, 8, 13, 18, 23, 28, 38)
RUN, AGND = 30, 33
# GPIO -> pin of the Pico (its datasheet, figure 2): GP0..GP22 and GP26..GP28, around the others
PICO_PINS = dict(
    zip(
        (*range(23), 26, 27, 28),
        (pin for pin in range(1, 35) if pin not in (*PICO_GROUND, RUN, AGND)),
    )
)
GATES_125 = ((2, 1, 3), (5, 4, 6), (9, 10, 8), (12, 13, 11))  # 74HC125: input, /OE, output
GATES_244 = ((2, 18), (4, 16), (6, 14), (8, 12), (17, 3), (15, 5), (13, 7), (11, 9))
INPUTS_165 = (6, 5, 4, 3, 14, 13, 12, 11)  # D7 .. D0: D7 comes out first
OUTPUTS_138 = (15, 14, 13, 12, 11, 10, 9, 7)  # Y0 .. Y7

with open(Path(__file__).parent / "parts.toml", "rb") as _file:
    SHOP = tomllib.load(_file)  # what to buy: {"board": {key: ...}, "around": [...], "tags": ...}


@dataclass
class Part:
    """ref: R1; symbol, footprint: of KiCad's libraries; value: as printed; part: key into
    parts.toml, "" for what is only drawn; units: [(unit, x, y, angle)], mm in the schematic, with
    MIRRORED behind what has left and right exchanged; pins: {number: net or None}."""

    ref: str
    symbol: str
    value: str
    footprint: str
    part: str
    units: list
    pins: dict
    dnp: bool = False


def bought(ref, key, where, pins, value=None, dnp=False):
    """Return a Part that is bought.

    key: into parts.toml; where: (x, y), (x, y, angle) or (x, y, angle, MIRRORED) in the
    schematic, or a list of units; pins: {number: net}, or the nets of pins 1, 2 and on in a text
    ("-" for none); value: of a connector; dnp: it is fitted only where it is needed.
    """
    item = SHOP["board"][key]
    if isinstance(where, tuple):
        where = [(1, *where, *((0,) if len(where) == 2 else ()))]
    if isinstance(pins, str):
        nets = (None if net == "-" else net for net in pins.split())
        pins = dict(enumerate(nets, 1))
    value = value or item["value"]
    return Part(ref, item["symbol"], value, item["footprint"], key, where, pins, dnp)


def test_points(nets, x, y):
    """Yield a test point for each net, five in a row of the schematic."""
    point = "Connector:TestPoint", "TestPoint:TestPoint_THTPad_D2.0mm_Drill1.0mm"
    for i, net in enumerate(nets):
        units = [(1, x + 20.32 * (i % 5), y + 25.4 * (i // 5), 0)]
        yield Part("TP%d" % (i + 1), point[0], net, point[1], "", units, {1: net})


def holes(count, x, y):
    """Yield the mounting holes."""
    hole = "Mechanical:MountingHole", "MountingHole:MountingHole_3.2mm_M3"
    for i in range(count):
        units = [(1, x + 15.24 * i, y, 0)]
        yield Part("H%d" % (i + 1), hole[0], "M3", hole[1], "", units, {})


def decoupling(ref, x, y, net="+3V3", key="c100n"):
    """Return a capacitor from a supply to ground."""
    return bought(ref, key, (x, y), net + " GND")
