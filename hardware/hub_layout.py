# SPDX-License-Identifier: MIT
"""Where everything stands on the hub12 board. Lengths in mm, from its upper left corner.

The ribbons' headers stand around the board in the order of the sectors, clockwise as seen from
above: 1 on the left of the lower edge, the Pico's socket in the middle of the upper one, 10 on
the right of the lower. M is over the inlet, towards its sector; above it E, whose slot is over
the board.
Four layers: parts and tracks, ground, supplies, tracks.
"""

from hardware.circuit import SLOTS

SIZE = (99.06, 99.06)
LAYERS = 4
HOLE = 3.81  # of a mounting hole from both edges
W, H = SIZE

# ref -> x, y of its first pad (of an SMD part: its middle) and angle
PLACES = {
    "J1": (17.145, 93.98, 90),
    "J2": (5.08, 68.58, 0),
    "J3": (5.08, 41.275, 0),
    "J4": (5.08, 13.97, 0),
    "J5": (32.385, 5.08, 270),
    "J6": (81.915, 5.08, 270),
    "J7": (93.98, 30.48, 180),
    "J8": (93.98, 57.785, 180),
    "J9": (93.98, 85.09, 180),
    "J10": (66.675, 93.98, 90),
    "J11": (41.91, 80.01, 90),
    "J12": (41.91, 69.215, 90),
    "J13": (40.64, 93.345, 0),
    "U1": (40.64, 3.175, 0),
    "J14": (35.56, 15.24, 0),
    "J15": (35.56, 28.575, 0),
    "J16": (63.5, 38.735, 180),
    # inlet, fuse, the two transistors, 5 V
    "F1": (34.29, 86.36, 180),
    "D2": (22.5, 85.5, 180),
    "C6": (33.0, 80.0, 0),
    "Q1": (27.5, 79.5, 0),
    "Q2": (20.5, 79.5, 180),
    "C7": (24.5, 75.6, 0),
    "R11": (24.5, 73.5, 0),
    "R12": (29.2, 75.6, 0),
    "C8": (17.2, 82.1, 0),
    "C1": (17.145, 73.66, 90),
    # VSYS and the readers' regulator
    "D1": (28.5, 70.1, 180),
    "U3": (26.0, 58.0, 90),
    "C2": (23.72, 66.3, 270),
    "C4": (28.28, 66.3, 270),
    "C3": (31.75, 62.23, 0),
    # what the inlet says
    "R1": (44.0, 86.8, 90),
    "U10": (48.26, 86.995, 0),
    "R2": (52.5, 86.8, 90),
    "U11": (56.515, 86.995, 0),
    "R3": (61.0, 85.7, 90),
    "R4": (66.0, 85.0, 0),
    "C9": (63.3, 20.0, 0),
    # piezo, reset
    "BZ1": (20.955, 38.1, 0),
    "R9": (32.0, 30.0, 90),
    "SW1": (17.78, 18.415, 0),
    # pixels
    "U4": (65.405, 13.335, 0),
    "C11": (70.0, 13.2, 270),
    "R7": (66.0, 16.8, 0),
    "R8": (67.5, 19.2, 180),
    # bus, selects, buttons
    "U2": (75.5, 24.0, 0),
    "C10": (83.6, 18.3, 0),
    "U5": (69.5, 40.0, 0),
    "C12": (72.0, 33.2, 0),
    "U6": (82.0, 40.0, 0),
    "C13": (83.5, 33.2, 180),
    "R5": (67.6, 33.2, 0),
    "U7": (69.5, 53.5, 0),
    "C14": (72.0, 46.6, 180),
    "U8": (79.6, 53.5, 0),
    "C15": (82.0, 46.6, 180),
    "R6": (63.5, 44.5, 90),
    "R10": (63.6, 50.0, 90),
    "H1": (HOLE, HOLE, 0),
    "H2": (W - HOLE, HOLE, 0),
    "H3": (HOLE, H - HOLE, 0),
    "H4": (W - HOLE, H - HOLE, 0),
}
# the resistors of SCK and MOSI, beside their headers: slot -> x, y, angle of both, away from the
# header where they stand in line with its pins
_ENDS = {
    "1": ((13.35, 83.75, 180), (13.35, 86.75, 180)),
    "2": ((13.3, 77.9, 180), (13.3, 80.9, 180)),
    "3": ((13.3, 46.0, 180), (13.3, 49.2, 180)),
    "4": ((13.3, 19.05, 180), (13.3, 22.25, 180)),
    "5": ((27.305, 13.4, 90), (24.765, 13.4, 90)),
    "6": ((76.835, 13.4, 90), (74.295, 13.4, 90)),
    "7": ((85.7, 25.4, 0), (85.7, 22.2, 0)),
    "8": ((85.7, 53.0, 0), (85.7, 49.2, 0)),
    "9": ((85.7, 80.3, 0), (85.7, 77.1, 0)),
    "10": ((71.755, 85.7, 270), (74.295, 85.7, 270)),
    "M": ((65.0, 77.47, 180), (65.0, 80.01, 180)),
    "E": ((65.0, 66.675, 180), (65.0, 69.215, 180)),
}
for _i, _name in enumerate(SLOTS):
    PLACES["R%d" % (21 + _i)], PLACES["R%d" % (41 + _i)] = _ENDS[_name]
    PLACES["R%d" % (61 + _i)] = (65.7 + 1.905 * _i, 62.5, 270)
PLACES.update(
    {"TP%d" % (1 + i): (39.37 + 5.08 * (i % 5), 56.515 + 4.445 * (i // 5), 0) for i in range(10)}
)

# net class -> (track width, clearance, nets). IPC-2221: 35 um outside, 10 K warmer: 0.25 mm
# carries 0.9 A, 0.8 mm 2 A; what carries 3 A is poured.
CLASSES = {
    "Default": (0.25, 0.2, ()),
    "Inlet": (0.8, 0.2, ("VUSB", "VFUSED", "VMID", "+5V")),
    "Readers": (0.8, 0.2, ("VSYS", "3V3_READERS")),
}
THIN = ("+5V", "VFUSED", "VMID")  # poured; a track to a small part carries next to nothing


def _box(x1, y1, x2, y2):
    return ((x1, y1), (x2, y1), (x2, y2), (x1, y2))


# (net, layer, corners, priority, solid): copper that carries amperes, and the planes. The readers'
# supply lies within the ring of 5 V, the chips' within that; both rings pass between the two rows
# of a header's pins
POURS = (
    ("GND", "In1", _box(0.6, 0.6, W - 0.6, H - 0.6), 0, False),
    ("+5V", "In2", _box(0.6, 0.6, W - 0.6, H - 0.6), 0, False),
    (
        "3V3_READERS",
        "In2",
        (
            *((9.85, 6.35), (89.21, 6.35), (92.71, 9.85), (92.71, 89.21), (89.21, 92.71)),
            *((63.5, 92.71), (63.5, 78.74), (44.6, 78.74), (44.6, 67.945), (36.0, 67.945)),
            *((36.0, 67.3), (11.5, 67.3), (11.5, 89.4), (34.3, 89.4), (34.3, 92.71)),
            *((9.85, 92.71), (6.35, 89.21), (6.35, 9.85)),
        ),
        1,
        False,
    ),
    ("+3V3", "In2", _box(53.0, 11.6, 87.8, 64.0), 2, False),
    (
        "VUSB",
        "F",
        (
            *((32.6, 84.6), (38.0, 84.6), (42.4, 89.0), (42.4, 98.4), (36.8, 98.4)),
            *((34.0, 89.8), (32.6, 89.2)),
        ),
        3,
        True,
    ),
    (
        "VFUSED",
        "F",
        (
            (27.7, 77.8),
            (32.7, 77.8),
            (32.7, 82.6),
            (31.6, 82.6),
            (31.6, 87.8),
            (23.4, 87.8),
            (23.4, 83.6),
            (27.7, 83.6),
        ),
        3,
        True,
    ),
    (
        "VMID",
        "F",
        (
            (22.6, 74.8),
            (24.2, 74.8),
            (24.2, 77.6),
            (27.3, 77.6),
            (27.3, 81.6),
            (20.7, 81.6),
            (20.7, 77.6),
            (22.6, 77.6),
        ),
        3,
        True,
    ),
    (
        "+5V",
        "F",
        (
            (15.2, 71.4),
            (18.0, 71.4),
            (18.0, 68.9),
            (27.6, 68.9),
            (27.6, 72.2),
            (20.3, 72.2),
            (20.3, 83.4),
            (15.2, 83.4),
        ),
        3,
        True,
    ),
    ("GND", "F", _box(20.2, 49.6, 31.8, 60.8), 3, False),
)
# (net, x, y): vias that take a pour's current to its plane
STITCHES = (
    *(("GND", x, 50.8 + 1.905 * i) for x in (20.955, 30.48) for i in range(5)),
    *(("GND", 22.86 + 1.905 * i, 50.165) for i in range(4)),
    *(("+5V", 15.875 + 1.27 * i, 76.2) for i in range(3)),
)
# layer -> where no other net's track may cross: (x1, y1, x2, y2, net)
CLOSED = {
    0: (
        (32.8, 84.8, 38.0, 89.6, "VUSB"),
        (36.8, 88.0, 42.2, 98.2, "VUSB"),
        (28.0, 80.5, 31.6, 87.0, "VFUSED"),
        (15.4, 72.0, 20.1, 81.0, "+5V"),
        (18.2, 69.2, 27.0, 72.0, "+5V"),
        (22.4, 77.8, 25.6, 81.4, "VMID"),
        (22.8, 75.0, 24.0, 77.8, "VMID"),
        # the Pico's footprint wants no copper where a Pico W has its antenna
        (42.41, 44.3, 56.64, 53.31, None),
    ),
    1: ((42.41, 44.3, 56.64, 53.31, None),),
}

LABELS = {  # beside the pins of terminals
    "J13": ("5V", "GND", "CC1", "CC2", "D-", "D+"),
}
NAMES = (  # where the slots' names stand, in their order
    *((16.5, 84.4), (13.3, 64.8), (13.6, 54.6), (13.6, 27.3), (31.7, 13.6)),
    *((81.5, 13.6), (85.7, 28.2), (85.6, 57.8), (85.5, 73.7), (80.0, 85.5)),
    *((64.6, 74.6), (34.6, 67.6)),
)
POINTS = ("GND", "5V", "VSYS", "3V3R", "3V3", "SCK", "MOSI", "MISO", "RST", "PIX END")
HIDDEN = ("H", "TP", "J")  # references that a label says better
STACK = 1.6


def texts(places):
    """Yield (text, x, y, size, angle, side) of what is printed besides names and values."""
    for name, (x, y) in zip(SLOTS, NAMES):
        yield name, x, y, 1.8, 0, "F"
    for ref, names in LABELS.items():
        x, y, _ = places[ref]
        for i, name in enumerate(names):
            yield name, x + 3.5 * i, y - 2.6, 0.8, 0, "F"
    for i, name in enumerate(POINTS):
        x, y, _ = places["TP%d" % (i + 1)]
        yield name, x, y - 1.85, 0.8, 0, "F"
    x, y, _ = places["J14"]
    yield "USB: - D- D+ GND", x - 2.6, y + 3.81, 0.8, 90, "F"
    x, y, _ = places["U1"]
    yield "ROUNDHOUSE hub12", x + 7, y + 20, 1.8, 90, "F"
    yield "checked by tools, not yet built", x + 11, y + 20, 1.0, 90, "F"
