# SPDX-License-Identifier: MIT
"""The slot board: a reader's socket and its MISO gate, four pixels, a button, and the ribbon.

One design for the stations, M and E.
"""

from hardware.circuit import MIRRORED, READER, RIBBON, bought, decoupling, holes

PIXELS = 4
NETS = {"5V": "+5V", "3.3V": "+3V3"}  # others are called as their signals are


def parts():
    """Return the list of Parts of the slot board."""
    return list(_parts())


def _parts():
    ribbon = {n: NETS.get(signal, signal) for n, signal in enumerate(RIBBON, 1)}
    yield bought("J1", "box14h", (58.42, 53.34), ribbon, "ribbon to the hub")
    yield from _reader()
    yield bought("SW1", "push12", (63.5, 69.85), "BTN GND")
    yield from _pixels()
    yield from holes(2, 219.71, 53.34)


def _reader():
    # the gate's output looks to the ribbon
    pins = {1: "SDA", 2: "MISO_READER", 3: "GND", 4: "MISO_GATE", 5: "+3V3"}
    yield bought("U1", "74LVC1G125", (125.73, 90.17, 0, MIRRORED), pins)
    yield bought("R3", "r33", (102.87, 90.17, 270), "MISO_GATE MISO")
    nets = {"MISO": "MISO_READER", "IRQ": None, "3.3V": "+3V3"}
    reader = {n: nets.get(signal, signal) for n, signal in enumerate(READER, 1)}
    yield bought("J2", "socket8", (181.61, 55.88), reader, "RC522")
    yield bought("R1", "r10k", (106.68, 40.64), "+3V3 SDA")
    yield bought("R2", "r100k", (161.29, 96.52), "MISO_READER GND")
    yield decoupling("C5", 140.97, 78.74)
    yield decoupling("C6", 184.15, 77.47, key="c10u")


def _pixels():
    """The first is the one next to the hub."""
    yield bought("R4", "r100k", (45.72, 147.32), "PIX_IN GND")
    for i in range(PIXELS):
        into = "PIX_IN" if i == 0 else "PIX_%d" % i
        out = "PIX_LAST" if i == PIXELS - 1 else "PIX_%d" % (i + 1)
        x = 71.12 + 40.64 * i
        yield bought("D%d" % (i + 1), "pixel", (x, 142.24), "+5V %s GND %s" % (out, into))
        yield decoupling("C%d" % (i + 1), x + 16.51, 129.54, "+5V")
    yield bought("R5", "r100", (233.68, 142.24, 90), "PIX_LAST PIX_OUT")
    yield decoupling("C7", 222.25, 129.54, "+5V", "c10u")
