# SPDX-License-Identifier: MIT
"""Where everything stands on the slot board. Lengths in mm, from its upper left corner.

The upper edge lies towards the hub, the lower one under the end of the reader, whose antenna is
beyond the board: no copper is over or under it. The pixels stand in a line from the hub outwards.
Two layers; the lower one is ground.
"""

SIZE = (41.91, 40.005)
LAYERS = 2
W, H = SIZE
STACK = 1.6
PIXEL_X, PIXEL_Y, PIXEL_STEP = 37.465, 5.08, 8.255

PLACES = {
    "J1": (10.16, 13.97, 90),
    "J2": (12.065, 37.465, 90),
    "SW1": (8.255, 21.59, 0),
    "U1": (24.765, 28.575, 0),
    "C5": (29.3, 27.2, 0),
    "R3": (29.3, 30.3, 0),
    "R1": (12.0, 33.5, 0),
    "R2": (19.685, 33.5, 0),
    "C6": (34.3, 37.0, 180),
    "R4": (3.2, 23.4, 270),
    "R5": (38.6, 37.0, 0),
    "C7": (3.2, 18.2, 270),
    "C1": (32.2, 5.08, 270),
    "C2": (32.2, 13.335, 270),
    "C3": (32.2, 24.0, 270),
    "C4": (32.2, 33.2, 270),
    "H1": (3.175, 31.115, 0),
    "H2": (28.575, 19.685, 0),
    **{"D%d" % (i + 1): (PIXEL_X, PIXEL_Y + PIXEL_STEP * i, 0) for i in range(4)},
}
CLASSES = {"Default": (0.25, 0.2, ()), "Pixels": (0.8, 0.2, ("+5V",))}
THIN = ()
POURS = (("GND", "B", ((0.6, 0.6), (W - 0.6, 0.6), (W - 0.6, H - 0.6), (0.6, H - 0.6)), 0, False),)
STITCHES = ()
CLOSED = {0: (), 1: ()}
HIDDEN = ("H",)
READER = ("SDA", "SCK", "MOSI", "MISO", "IRQ", "GND", "RST", "3.3V")
LAMPS = ("turn", "open", "double", "answer")


def texts(places):
    """Yield (text, x, y, size, angle, side) of what is printed besides names and values."""
    x, y, _ = places["J2"]
    for i, name in enumerate(READER):
        yield name, x + 2.54 * i, y - 2.9, 0.8, 90, "B"
    yield "SDA", x - 3.4, y, 0.8, 0, "F"
    yield "3.3V", x + 21.3, y + 1.75, 0.8, 0, "F"
    for i, name in enumerate(LAMPS):
        yield name, PIXEL_X, PIXEL_Y + PIXEL_STEP * i + 3.6, 0.8, 0, "F"
    yield "TO THE HUB", 17.8, 16.0, 1.0, 0, "F"
    yield "ROUNDHOUSE slot", 14.0, 18.6, 1.0, 0, "B"
