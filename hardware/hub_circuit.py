# SPDX-License-Identifier: MIT
"""The hub12 circuit, revision 2: its parts, where they stand in the schematic, what they connect.

A ribbon goes to each slot; everything that a slot needs beside its reader is on the slot's own
board.
"""

from hardware import pinmap
from hardware.circuit import (
    AGND,
    GATES_244,
    INPUTS_165,
    OUTPUTS_138,
    PICO_GROUND,
    PICO_PINS,
    RIBBON,
    RUN,
    SLOTS,
    bought,
    decoupling,
    holes,
    test_points,
)

GROUPS = "ABCD"  # of three slots that share a driver for SCK and one for MOSI
POINTS = ("GND", "+5V", "VSYS", "3V3_READERS", "+3V3", "SCK", "MOSI", "MISO", "RESET", "PIX_E")


def parts(board=None):
    """Return the list of Parts of hub12, wired as the pin map says (board: another map)."""
    return list(_parts(board or pinmap.load()["hub12"]))


def group(slot):
    """Return the letter of the SCK and MOSI drivers of a slot, by its place 0..11."""
    return GROUPS[slot // 3]


def _parts(board):
    gpio = _signals(board)
    yield from _power()
    yield from _inlet()
    yield from _pico(gpio)
    yield from _selects()
    yield from _buttons()
    yield from _bus()
    yield from _lights()
    yield from _slots()
    yield from test_points(POINTS, 474.98, 297.18)
    yield from holes(4, 480.06, 353.06)


def _signals(board):
    """Return {GPIO: net}."""
    nets = {pin: "A%d" % i for i, pin in enumerate(board["address"])}
    for name in ("enable", "load", "clock", "data", "miso", "reset", "sck", "mosi", "piezo"):
        nets[board[name]] = name.upper()
    nets[board["reset"]] = "RESET_PICO"
    nets[board["sense"]] = "CC_SENSE"
    nets[board["lights"]] = "LIGHTS"
    return nets


def _power():
    """From left to right: inlet, fuse, clamp, two transistors, 5 V, VSYS, the readers' 3.3 V."""
    yield bought("J13", "terminal6", (35.56, 55.88), "VUSB GND CC1 CC2 USB_N USB_P", "inlet")
    yield bought("F1", "polyfuse", (55.88, 45.72, 90), "VUSB VFUSED")
    yield bought("D2", "tvs", (71.12, 58.42, 270), "VFUSED GND")
    yield bought("C6", "c1u", (86.36, 58.42), "VFUSED GND")
    # angle 90: drain left, source right; 270: source left, drain right
    yield bought("Q1", "pmos", (101.6, 48.26, 90), "SOFT VMID VFUSED")
    yield bought("Q2", "pmos", (144.78, 43.18, 270), "SOFT VMID +5V")
    yield bought("C7", "c1u", (116.84, 58.42), "VMID SOFT")
    yield bought("R11", "r1m", (129.54, 58.42), "VMID SOFT")
    yield bought("R12", "r100k", (106.68, 66.04), "SOFT GND")
    yield bought("C8", "c100n", (144.78, 58.42), "+5V SOFT")
    yield bought("C1", "c1000u", (162.56, 55.88), "+5V GND")
    yield bought("D1", "schottky", (180.34, 45.72, 180), "VSYS +5V")
    yield bought("C2", "c10u", (195.58, 55.88), "VSYS GND")
    yield bought("U3", "regulator", (213.36, 45.72), "VSYS GND 3V3_READERS")
    yield bought("C3", "c100u", (231.14, 55.88), "3V3_READERS GND")
    yield bought("C4", "c100n", (246.38, 55.88), "3V3_READERS GND")


def _inlet():
    """What the supply offers, and the data lines' way to the Pico's own socket."""
    yield bought("U10", "esd", (45.72, 111.76), "CC1 GND CC2 CC2 VFUSED CC1")
    for i, x in ((1, 78.74), (2, 109.22)):
        yield bought("R%d" % i, "r5k1", (x, 114.3), "CC%d GND" % i, dnp=True)
        yield bought("R%d" % (i + 2), "r100k", (x + 15.24, 114.3), "CC%d CC_SENSE" % i)
    yield bought("C9", "c100n", (142.24, 114.3), "CC_SENSE AGND")
    yield bought("U11", "esd", (185.42, 111.76), "USB_N GND USB_P USB_P VFUSED USB_N")
    yield bought("J14", "header4", (228.6, 111.76), "- USB_N USB_P GND", "USB to the Pico")


def _pico(gpio):
    pins = dict.fromkeys(PICO_GROUND, "GND")
    for number, pin in PICO_PINS.items():
        pins[pin] = gpio.get(number, "GP%d" % number)
    pins.update({AGND: "AGND", RUN: "RUN", 35: None, 36: "+3V3", 37: None, 39: "VSYS", 40: None})
    yield bought("U1", "pico", (325.12, 91.44), pins)
    # the spare pins' headers stand beside the Pico's own pins, in their order
    for ref, first, count, y in (("J15", 11, 10, 71.12), ("J16", 26, 7, 109.22)):
        beside = {i + 1: pins[first + i] for i in range(count)}
        yield bought(ref, "header%d" % count, (398.78, y), beside, "spare pins")
    yield bought("SW1", "push6", (340.36, 137.16), "RUN GND")
    yield bought("R10", "r100", (289.56, 137.16, 90), "RESET_PICO RESET")
    yield bought("R6", "r10k", (355.6, 137.16), "+3V3 MISO")


def _selects():
    for chip in (0, 1):
        pins = {1: "A0", 2: "A1", 3: "A2", 4: "ENABLE", 8: "GND", 16: "+3V3"}
        # the first is chosen while A3 is low, the second while it is high
        pins.update({5: "A3", 6: "+3V3"} if chip == 0 else {5: "GND", 6: "A3"})
        for output, pin in enumerate(OUTPUTS_138):
            slot = 8 * chip + output
            pins[pin] = "CS_" + SLOTS[slot] if slot < len(SLOTS) else None
        yield bought("U%d" % (5 + chip), "74HC138", (474.98, 58.42 + 48.26 * chip), pins)
        yield decoupling("C%d" % (12 + chip), 502.92, 48.26 + 48.26 * chip)
    yield bought("R5", "r10k", (444.5, 40.64), "+3V3 ENABLE")


def _buttons():
    """Place 0 is D7 of the last chip, whose Q7 goes to the Pico; place 8 D7 of the one before."""
    for chip in (0, 1):
        pins = {8: "GND", 16: "+3V3", 1: "LOAD", 2: "CLOCK", 15: "GND", 7: None}
        pins[9] = "DATA" if chip == 0 else "CHAIN"
        pins[10] = "CHAIN" if chip == 0 else "GND"
        for i, pin in enumerate(INPUTS_165):
            place = 8 * chip + i
            # as a button that nobody presses
            pins[pin] = "BTN_" + SLOTS[place] if place < len(SLOTS) else "+3V3"
        x = 459.74 + 60.96 * chip
        yield bought("U%d" % (7 + chip), "74HC165", (x, 195.58), pins)
        yield decoupling("C%d" % (14 + chip), x + 25.4, 180.34)
    for i, name in enumerate(SLOTS):
        where = (444.5 + 10.16 * i, 243.84)
        yield bought("R%d" % (61 + i), "r10k", where, "+3V3 BTN_" + name)


def _bus():
    pins = {1: "GND", 19: "GND", 10: "GND", 20: "+3V3"}
    for i, (into, out) in enumerate(GATES_244):
        signal, letter = ("SCK", "MOSI")[i // 4], GROUPS[i % 4]
        pins[into] = signal
        pins[out] = "%s_%s" % (signal, letter)
    yield bought("U2", "74HC244", (55.88, 203.2), pins)
    yield decoupling("C10", 30.48, 243.84)
    for i, name in enumerate(SLOTS):
        for signal, first, x in (("SCK", 21, 114.3), ("MOSI", 41, 177.8)):
            nets = "%s_%s %s_%s" % (signal, group(i), signal, name)
            yield bought("R%d" % (first + i), "r33", (x, 172.72 + 7.62 * i, 90), nets)


def _lights():
    pins = {1: "GND", 2: "LIGHTS", 3: "GND", 4: "LIGHTS_5V", 5: "5V_LOGIC"}
    yield bought("U4", "74AHCT1G125", (278.13, 193.04), pins)
    yield bought("R7", "r10", (251.46, 177.8, 90), "+5V 5V_LOGIC")
    yield decoupling("C11", 299.72, 177.8, "5V_LOGIC")
    yield bought("R8", "r330", (314.96, 193.04, 90), "LIGHTS_5V PIXELS")
    yield bought("R9", "r220", (271.78, 231.14, 90), "PIEZO PIEZO_OUT")
    yield bought("BZ1", "piezo", (304.8, 233.68), "PIEZO_OUT GND")


def _slots():
    """The ribbons' headers; the pixels' chain goes from slot to slot and ends at a test point."""
    chain = ["PIXELS", *("PIX_" + name for name in SLOTS)]
    for i, name in enumerate(SLOTS):
        nets = {
            "5V": "+5V",
            "GND": "GND",
            "PIX_IN": chain[i],
            "PIX_OUT": chain[i + 1],
            "SCK": "SCK_" + name,
            "MOSI": "MOSI_" + name,
            "MISO": "MISO",
            "SDA": "CS_" + name,
            "RST": "RESET",
            "BTN": "BTN_" + name,
            "3.3V": "3V3_READERS",
        }
        pins = {n: nets[signal] for n, signal in enumerate(RIBBON, 1)}
        where = (50.8 + 71.12 * (i % 6), 309.88 + 40.64 * (i // 6))
        yield bought("J%d" % (i + 1), "box14", where, pins, "slot " + name)
