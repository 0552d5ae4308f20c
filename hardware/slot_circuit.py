# SPDX-License-Identifier: MIT
"""The slot board: a reader's socket and its MISO gate, four pixels, a button, and the ribbon.

One design for the stations, M and E.
"""

from hardware.circuit import READER, RIBBON, bought, decoupling, holes

PIXELS = 4
NETS = {"5V": "+5V", "3.3V": "+3V3"}  # others are called as their signals are


def parts():
    """Return the list of Parts of the slot board."""
    return list(_parts())


def _parts():
    ribbon = {n: NETS.get(signal, signal) for n, signal in enumerate(RIBBON, 1)}
    yield bought("J1", "box14h", (45.72, 50.8), ribbon, "ribbon to the hub")
    yield from _reader()
    yield from _button()
    yield from _pixels()
    yield from holes(2, 205.74, 60.96)


def _reader():
    pins = {1: "SDA", 2: "MISO_READER", 3: "GND", 4: "MISO_GATE", 5: "+3V3"}
    yield bought("U1", "74LVC1G125", (124.46, 66.04), pins)
    yield bought("R3", "r33", (149.86, 66.04, 90), "MISO_GATE MISO")
    nets = {"MISO": "MISO_READER", "IRQ": None, "3.3V": "+3V3"}
    reader = {n: nets.get(signal, signal) for n, signal in enumerate(READER, 1)}
    yield bought("J2", "socket8", (109.22, 43.18), reader, "RC522")
    yield bought("R1", "r10k", (132.08, 40.64), "+3V3 SDA")
    yield bought("R2", "r100k", (96.52, 69.85), "MISO_READER GND")
    yield decoupling("C5", 154.94, 43.18)
    yield decoupling("C6", 144.78, 43.18, key="c10u")


def _button():
    yield bought("SW1", "push12", (190.5, 40.64), "BTN GND")


def _pixels():
    """The first is the one next to the hub."""
    yield bought("R4", "r100k", (40.64, 124.46), "PIX_IN GND")
    for i in range(PIXELS):
        into = "PIX_IN" if i == 0 else "PIX_%d" % i
        out = "PIX_LAST" if i == PIXELS - 1 else "PIX_%d" % (i + 1)
        x = 63.5 + 35.56 * i
        yield bought("D%d" % (i + 1), "pixel", (x, 116.84), "+5V %s GND %s" % (out, into))
        yield decoupling("C%d" % (i + 1), x + 15.24, 134.62, "+5V")
    yield bought("R5", "r100", (193.04, 116.84, 90), "PIX_LAST PIX_OUT")
    yield decoupling("C7", 203.2, 134.62, "+5V", "c10u")
