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
    MIRRORED,
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
    yield from test_points(POINTS, 482.6, 48.26)
    yield from holes(4, 485.14, 109.22)


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
    pins = "VUSB GND CC1 CC2 USB_N USB_P"
    yield bought("J13", "terminal6", (27.94, 50.8, 0, MIRRORED), pins, "inlet")
    yield bought("F1", "polyfuse", (50.8, 45.72, 90), "VUSB VFUSED")
    yield bought("D2", "tvs", (58.42, 58.42, 270), "VFUSED GND")
    yield bought("C6", "c1u", (76.2, 58.42), "VFUSED GND")
    # drain left and source right; mirrored, the other way round
    yield bought("Q1", "pmos", (92.71, 48.26, 90), "SOFT VMID VFUSED")
    yield bought("Q2", "pmos", (130.81, 48.26, 90, MIRRORED), "SOFT VMID +5V")
    yield bought("C7", "c1u", (106.68, 58.42), "VMID SOFT")
    yield bought("R11", "r1m", (118.11, 58.42), "VMID SOFT")
    yield bought("R12", "r100k", (92.71, 72.39), "SOFT GND")
    yield bought("C8", "c100n", (143.51, 58.42), "+5V SOFT")
    yield bought("C1", "c1000u", (156.21, 55.88), "+5V GND")
    yield bought("D1", "schottky", (176.53, 45.72, 180), "VSYS +5V")
    yield bought("C2", "c10u", (187.96, 55.88), "VSYS GND")
    yield bought("U3", "regulator", (203.2, 45.72), "VSYS GND 3V3_READERS")
    yield bought("C3", "c100u", (214.63, 55.88), "3V3_READERS GND")
    yield bought("C4", "c100n", (232.41, 55.88), "3V3_READERS GND")


def _inlet():
    """What the supply offers, and the data lines' way to the Pico's own socket."""
    yield bought("U10", "esd", (63.5, 114.3), "CC1 GND CC2 CC2 VFUSED CC1")
    for i, y in ((1, 114.3), (2, 134.62)):
        yield bought("R%d" % i, "r5k1", (83.82, y + 7.62), "CC%d GND" % i, dnp=True)
        yield bought("R%d" % (i + 2), "r100k", (101.6, y, 90), "CC%d CC_SENSE" % i)
    yield bought("C9", "c100n", (127.0, 118.11), "CC_SENSE AGND")
    yield bought("U11", "esd", (63.5, 160.02), "USB_N GND USB_P USB_P VFUSED USB_N")
    yield bought("J14", "header4", (99.06, 160.02), "- USB_N USB_P GND", "USB to the Pico")


def _pico(gpio):
    pins = dict.fromkeys(PICO_GROUND, "GND")
    for number, pin in PICO_PINS.items():
        pins[pin] = gpio.get(number, "GP%d" % number)
    pins.update({AGND: "AGND", RUN: "RUN", 35: None, 36: "+3V3", 37: None, 39: "VSYS", 40: None})
    # what chooses a slot is on its right, where the chips stand
    yield bought("U1", "pico", (302.26, 101.6, 0, MIRRORED), pins)
    # the spare pins' headers stand beside the Pico's own pins, in their order
    for ref, first, count, y in (("J15", 11, 10, 121.92), ("J16", 26, 7, 158.75)):
        beside = {i + 1: pins[first + i] for i in range(count)}
        yield bought(ref, "header%d" % count, (363.22, y), beside, "spare pins")
    yield bought("SW1", "push6", (340.36, 78.74), "RUN GND")
    yield bought("R10", "r100", (259.08, 91.44, 270), "RESET_PICO RESET")
    yield bought("R6", "r10k", (271.78, 81.28), "+3V3 MISO")


def _selects():
    for chip in (0, 1):
        pins = {1: "A0", 2: "A1", 3: "A2", 4: "ENABLE", 8: "GND", 16: "+3V3"}
        # the first is chosen while A3 is low, the second while it is high
        pins.update({5: "A3", 6: "+3V3"} if chip == 0 else {5: "GND", 6: "A3"})
        for output, pin in enumerate(OUTPUTS_138):
            slot = 8 * chip + output
            pins[pin] = "CS_" + SLOTS[slot] if slot < len(SLOTS) else None
        y = 53.34 + 57.15 * chip
        yield bought("U%d" % (5 + chip), "74HC138", (429.26, y), pins)
        yield decoupling("C%d" % (12 + chip), 457.2, y - 13.97)
    yield bought("R5", "r10k", (388.62, 33.02), "+3V3 ENABLE")


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
        x = 556.26 - 106.68 * chip
        yield bought("U%d" % (7 + chip), "74HC165", (x, 187.96), pins)
        yield decoupling("C%d" % (14 + chip), x + 12.7, 158.75)
    for i, name in enumerate(SLOTS):
        x = 474.98 + 7.62 * i if i < 8 else 393.7 + 7.62 * (i - 8)
        yield bought("R%d" % (61 + i), "r10k", (x, 160.02), "+3V3 BTN_" + name)


def _bus():
    pins = {1: "GND", 19: "GND", 10: "GND", 20: "+3V3"}
    for i, (into, out) in enumerate(GATES_244):
        signal, letter = ("SCK", "MOSI")[i // 4], GROUPS[i % 4]
        pins[into] = signal
        pins[out] = "%s_%s" % (signal, letter)
    yield bought("U2", "74AHC244", (60.96, 238.76), pins)
    yield decoupling("C10", 45.72, 213.36)
    for i, name in enumerate(SLOTS):
        for signal, first, x in (("SCK", 21, 121.92), ("MOSI", 41, 175.26)):
            nets = "%s_%s %s_%s" % (signal, group(i), signal, name)
            y = 207.01 + 20.32 * (i // 3) + 5.08 * (i % 3)
            yield bought("R%d" % (first + i), "r33", (x, y, 90), nets)


def _lights():
    pins = {1: "GND", 2: "LIGHTS", 3: "GND", 4: "LIGHTS_5V", 5: "5V_LOGIC"}
    yield bought("U4", "74AHCT1G125", (304.8, 228.6), pins)
    yield bought("R7", "r10", (287.02, 210.82, 90), "+5V 5V_LOGIC")
    yield decoupling("C11", 322.58, 214.63, "5V_LOGIC")
    yield bought("R8", "r330", (336.55, 228.6, 90), "LIGHTS_5V PIXELS")
    yield bought("R9", "r220", (287.02, 259.08, 90), "PIEZO PIEZO_OUT")
    yield bought("BZ1", "piezo", (314.96, 261.62), "PIEZO_OUT GND")


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
        where = (58.42 + 71.12 * (i % 6), 322.58 + 43.18 * (i // 6))
        yield bought("J%d" % (i + 1), "box14", where, pins, "slot " + name)
