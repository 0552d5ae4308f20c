# SPDX-License-Identifier: MIT
"""The hub12 circuit: its parts, where they stand in the schematic, and what they connect.

A net is a name; `PARTS` says for each part which net each pin is on. Schematic and board are
drawn from this list, KiCad's own checks compare the two, and `hardware.netlist` compares what
comes out with the pin map.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from hardware import pinmap

SLOTS = pinmap.slots(pinmap.load()["hub12"])
READER = ("SDA", "SCK", "MOSI", "MISO", "IRQ", "GND", "RST", "3.3V")  # an RC522 board's own order
GROUPS = "ABCD"  # of three slots that share a driver for SCK and one for MOSI
PICO_GROUND = (3, 8, 13, 18, 23, 28, 38)
RUN, AGND = 30, 33
# GPIO -> pin of the Pico (its datasheet, figure 2): GP0..GP22 and GP26..GP28, around the others
PICO_PINS = dict(
    zip(
        (*range(23), 26, 27, 28),
        (pin for pin in range(1, 35) if pin not in (*PICO_GROUND, RUN, AGND)),
    )
)
GATES_125 = ((2, 1, 3), (5, 4, 6), (9, 10, 8), (12, 13, 11))  # input, /OE, output
GATES_244 = ((2, 18), (4, 16), (6, 14), (8, 12), (17, 3), (15, 5), (13, 7), (11, 9))
INPUTS_165 = (6, 5, 4, 3, 14, 13, 12, 11)  # D7 .. D0: D7 comes out first
OUTPUTS_138 = (15, 14, 13, 12, 11, 10, 9, 7)  # Y0 .. Y7

with open(Path(__file__).parent / "parts.toml", "rb") as _file:
    SHOP = tomllib.load(_file)  # what to buy: {"board": {key: ...}, "around": [...], "tags": ...}


@dataclass
class Part:
    """ref: R1; symbol, footprint: of KiCad's libraries; value: as printed; part: key into
    parts.toml, "" for what is only drawn; units: [(unit, x, y, angle)], mm in the schematic;
    pins: {number: net or None}."""

    ref: str
    symbol: str
    value: str
    footprint: str
    part: str
    units: list
    pins: dict
    dnp: bool = False


def parts(board=None):
    """Return the list of Parts of hub12, wired as the pin map says (board: another map)."""
    return list(_parts(board or pinmap.load()["hub12"]))


def group(slot):
    """Return the letter of the SCK and MOSI drivers of a slot, by its place 0..11."""
    return GROUPS[slot // 3]


def _parts(board):
    gpio = _signals(board)
    yield from _power()
    yield from _pico(gpio)
    yield from _selects()
    yield from _buttons()
    yield from _bus()
    yield from _misos()
    yield from _lights()
    yield from _slots()
    yield from _rest()


def _signals(board):
    """Return {GPIO: net}."""
    nets = {pin: "A%d" % i for i, pin in enumerate(board["address"])}
    for name in ("enable", "load", "clock", "data", "miso", "reset", "sck", "mosi", "piezo"):
        nets[board[name]] = name.upper()
    nets[board["sense"]] = "CC_SENSE"
    nets[board["lights"]] = "LIGHTS"
    return nets


def _part(ref, key, where, pins, value=None, dnp=False):
    """Return a Part that is bought.

    key: into parts.toml; where: (x, y) or (x, y, angle) in the schematic, or a list of units;
    pins: {number: net}, or the nets of pins 1, 2 and on in a text; value: of a connector; dnp: it
    is fitted only where it is needed.
    """
    item = SHOP["board"][key]
    if isinstance(where, tuple):
        x, y, angle = (*where, 0)[:3]
        where = [(1, x, y, angle)]
    if isinstance(pins, str):
        pins = dict(enumerate(pins.split(), 1))
    value = value or item["value"]
    return Part(ref, item["symbol"], value, item["footprint"], key, where, pins, dnp)


def _power():
    yield _part("J13", "terminal4", (35.56, 60.96), "VUSB GND CC1 CC2", "USB-C inlet")
    yield _part("F1", "polyfuse", (63.5, 45.72, 90), "VUSB +5V")
    yield _part("C1", "c1000u", (81.28, 55.88), "+5V GND")
    yield _part("D1", "schottky", (99.06, 45.72, 180), "VSYS +5V")
    yield _part("C2", "c100n", (114.3, 55.88), "VSYS GND")
    yield _part("U3", "regulator", (132.08, 45.72), "VSYS GND 3V3_READERS")
    yield _part("C3", "c100u", (152.4, 55.88), "3V3_READERS GND")
    for i, x in ((1, 50.8), (2, 81.28)):
        yield _part("R%d" % i, "r5k1", (x, 101.6), "CC%d GND" % i, dnp=True)
        yield _part("R%d" % (i + 2), "r100k", (x + 15.24, 101.6), "CC%d CC_SENSE" % i)
    yield _part("C4", "c100n", (116.84, 101.6), "CC_SENSE AGND")


def _pico(gpio):
    pins = dict.fromkeys(PICO_GROUND, "GND")
    for number, pin in PICO_PINS.items():
        pins[pin] = gpio.get(number, "GP%d" % number)
    pins.update({AGND: "AGND", RUN: "RUN", 35: None, 36: "+3V3", 37: None, 39: "VSYS", 40: None})
    yield _part("U1", "pico", (264.16, 91.44), pins)
    # the spare pins' headers stand beside the Pico's own pins, in their order
    for ref, first, count, y in (("J16", 11, 10, 71.12), ("J18", 26, 7, 109.22)):
        beside = {i + 1: pins[first + i] for i in range(count)}
        yield _part(ref, "header%d" % count, (337.82, y), beside, "spare pins")


def _selects():
    for chip in (0, 1):
        pins = {1: "A0", 2: "A1", 3: "A2", 4: "ENABLE", 8: "GND", 16: "+3V3"}
        # the first is chosen while A3 is low, the second while it is high
        pins.update({5: "A3", 6: "+3V3"} if chip == 0 else {5: "GND", 6: "A3"})
        for output, pin in enumerate(OUTPUTS_138):
            slot = 8 * chip + output
            pins[pin] = "CS_" + SLOTS[slot] if slot < len(SLOTS) else None
        yield _part("U%d" % (5 + chip), "74HC138", (411.48, 58.42 + 48.26 * chip), pins)
        yield _decoupling("C%d" % (5 + chip), 439.42, 48.26 + 48.26 * chip)
    yield _part("R5", "r10k", (381.0, 40.64), "+3V3 ENABLE")


def _buttons():
    """Place 0 is D7 of the last chip, whose Q7 goes to the Pico; place 8 D7 of the one before."""
    for chip in (0, 1):
        pins = {8: "GND", 16: "+3V3", 1: "LOAD", 2: "CLOCK", 15: "GND", 7: None}
        pins[9] = "DATA" if chip == 0 else "CHAIN"
        pins[10] = "CHAIN" if chip == 0 else "GND"
        for i, pin in enumerate(INPUTS_165):
            place = 8 * chip + i
            pins[pin] = "BTN_" + SLOTS[place] if place < len(SLOTS) else "SPARE%d" % (place - 11)
        x = 492.76 + 58.42 * chip
        yield _part("U%d" % (7 + chip), "74HC165", (x, 73.66), pins)
        yield _decoupling("C%d" % (7 + chip), x + 20.32, 48.26)
        pulled_up = {1: "+3V3", **dict(enumerate([pins[pin] for pin in INPUTS_165], 2))}
        yield _part("RN%d" % (1 + chip), "rn10k", (x, 119.38), pulled_up)


def _bus():
    pins = {1: "GND", 19: "GND", 10: "GND", 20: "+3V3"}
    for i, (into, out) in enumerate(GATES_244):
        signal, letter = ("SCK", "MOSI")[i // 4], GROUPS[i % 4]
        pins[into] = signal
        pins[out] = "%s_%s_DRIVER" % (signal, letter)
        nets = "%s %s_%s" % (pins[out], signal, letter)
        yield _part("R%d" % (6 + i), "r68", (111.76, 172.72 + 7.62 * i, 90), nets)
    yield _part("U12", "74HC244", (55.88, 200.66), pins)
    yield _decoupling("C12", 30.48, 236.22)


def _misos():
    for chip in range(3):
        pins = {7: "GND", 14: "+3V3"}
        y = 177.8 + 30.48 * chip
        units = []
        for gate, (into, enable, out) in enumerate(GATES_125):
            name = SLOTS[4 * chip + gate]
            pins.update({into: "MISO_" + name, enable: "CS_" + name, out: "MISO"})
            units.append((gate + 1, 187.96 + 43.18 * gate, y, 0))
        units.append((5, 345.44 + 15.24 * (chip % 2), y, 0))
        yield _part("U%d" % (9 + chip), "74HC125", units, pins)
        yield _decoupling("C%d" % (9 + chip), 373.38, y)
    yield _part("R14", "r10k", (160.02, 236.22), "+3V3 MISO")


def _lights():
    into, enable, out = GATES_125[0]
    pins = {into: "LIGHTS", enable: "GND", out: "LIGHTS_5V", 7: "GND", 14: "5V_LOGIC"}
    for into, enable, out in GATES_125[1:]:
        pins.update({into: "GND", enable: "5V_LOGIC", out: None})
    units = [(1, 420.37, 180.34, 0)]
    units += [(gate, 393.7 + 43.18 * (gate - 1), 223.52, 0) for gate in (2, 3, 4)]
    units.append((5, 556.26, 190.5, 0))
    yield _part("U4", "74AHCT125", units, pins)
    yield _decoupling("C13", 571.5, 190.5, "5V_LOGIC")
    yield _part("R17", "r10", (533.4, 167.64, 90), "+5V 5V_LOGIC")
    yield _part("R15", "r330", (468.63, 180.34, 90), "LIGHTS_5V PIXELS")
    yield _part("J14", "terminal3", (508.0, 180.34), "+5V PIXELS GND", "pixels")
    yield _part("J15", "terminal2", (530.86, 180.34), "+5V GND", "pixels' far end")
    yield _part("R16", "r220", (468.63, 203.2, 90), "PIEZO PIEZO_OUT")
    yield _part("J17", "header2", (508.0, 203.2), "PIEZO_OUT GND", "piezo")


def _slots():
    for i, name in enumerate(SLOTS):
        letter = group(i)
        nets = ("CS_" + name, "SCK_" + letter, "MOSI_" + letter, "MISO_" + name, None, "GND")
        nets += ("RESET", "3V3_READERS", "BTN_" + name, "GND")
        pins = dict(enumerate(nets, 1))
        yield _part("J%d" % (i + 1), "kk10", (38.1 + 45.72 * i, 309.88), pins, "slot " + name)


def _rest():
    point = "Connector:TestPoint", "TestPoint:TestPoint_THTPad_D2.0mm_Drill1.0mm"
    nets = ("GND", "+5V", "VSYS", "3V3_READERS", "+3V3", "SCK", "MOSI", "MISO", "RESET", "PIXELS")
    for i, net in enumerate(nets):
        units = [(1, 35.56 + 20.32 * i, 368.3, 0)]
        yield Part("TP%d" % (i + 1), point[0], net, point[1], "", units, {1: net})
    hole = "Mechanical:MountingHole", "MountingHole:MountingHole_3.2mm_M3"
    for i in range(4):
        units = [(1, 254.0 + 15.24 * i, 368.3, 0)]
        yield Part("H%d" % (i + 1), hole[0], "M3", hole[1], "", units, {})


def _decoupling(ref, x, y, net="+3V3"):
    return _part(ref, "c100n", (x, y), net + " GND")
