# SPDX-License-Identifier: MIT
"""The pixels' current, from the inlet to their headers and back: wide copper all the way?

No rule of KiCad's measures how wide a pour is between two pins. Here the pour is painted onto a
grid, and a disc of the wanted width must be able to roll from pin to pin on it.
"""

import math

from hardware import pcb_reader, sexp
from hardware.circuit import SLOTS

STEP = 0.2  # mm, of the grid
RELIEF = 1.6  # mm from a pin to the pour around its thermal relief
HEADERS = tuple("J%d.1" % (i + 1) for i in range(len(SLOTS)))
# net, layer, mm, the pins that the current passes. IPC-2221, 3 A in 35 um outside: 3 mm get 3 K
# warmer, 1.5 mm 9 K; inside 1.5 mm of 17 um carry 1 A each way around
PATHS = (
    ("VUSB", "F.Cu", 3.0, ("J13.1", "F1.1")),
    ("VFUSED", "F.Cu", 2.0, ("F1.2", "D2.1", "Q1.3")),
    ("VMID", "F.Cu", 1.5, ("Q1.2", "Q2.2")),
    ("+5V", "F.Cu", 2.0, ("Q2.3", "C1.1", "D1.2")),
    ("+5V", "In2.Cu", 1.5, ("C1.1", *HEADERS)),
    ("GND", "In1.Cu", 2.0, ("J13.2", "C1.2")),
)


def mistakes(text):
    """Return, a line each, which pin no copper of its width joins to the first of its path.

    text: a .kicad_pcb with its pours filled.
    """
    board = sexp.loads(text)
    places = _places(board)
    return [line for path in PATHS for line in _path(board, places, *path)]


def _path(board, places, net, layer, width, pins):
    spans = {}  # row -> [(x1, x2)] of copper
    for zone in sexp.find(board, "zone"):
        if sexp.one(zone, "net_name")[1].removeprefix("/") == net:
            for filled in sexp.find(zone, "filled_polygon"):
                if sexp.one(filled, "layer")[1] == layer:
                    _paint(sexp.one(filled, "pts"), spans)
    reach = int(width / 2 / STEP)
    disc = {dy: int(math.sqrt(reach * reach - dy * dy)) for dy in range(-reach, reach + 1)}

    def fits(x, y):
        return all(
            any(a <= (x - dx) * STEP and (x + dx) * STEP <= b for a, b in spans.get(y + dy, ()))
            for dy, dx in disc.items()
        )

    # a pin is reached by a disc that covers its middle, inside by one that its thermal relief lets
    near = int((width / 2 + (RELIEF if layer.startswith("In") else 0)) / STEP)
    disc_near = {dy: int(math.sqrt(near * near - dy * dy)) for dy in range(-near, near + 1)}
    start, *others = [
        {(x + dx, y + dy) for dy, far in disc_near.items() for dx in range(-far, far + 1)}
        for x, y in ((round(x / STEP), round(y / STEP)) for x, y in map(places.get, pins))
    ]
    found = {place for place in start if fits(*place)}
    edge = list(found)
    known = dict.fromkeys(found, True)
    while edge:
        x, y = edge.pop()
        for place in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if place not in known:
                known[place] = fits(*place)
                if known[place]:
                    found.add(place)
                    edge.append(place)
    return [
        "no %g mm of %s on %s from %s to %s" % (width, net, layer, pins[0], pin)
        for pin, reached in zip(pins[1:], others)
        if not reached & found
    ]


def _paint(points, spans):
    """Add a polygon's copper to the rows that it crosses."""
    corners = [tuple(map(float, point[1:3])) for point in sexp.find(points, "xy")]
    crossed = {}
    for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1]):
        if y1 > y2:
            x1, y1, x2, y2 = x2, y2, x1, y1
        # a row belongs to an edge from its upper end to before its lower one
        for row in range(math.ceil(y1 / STEP), math.ceil(y2 / STEP)):
            x = x1 + (x2 - x1) * (row * STEP - y1) / (y2 - y1)
            crossed.setdefault(row, []).append(x)
    for row, xs in crossed.items():
        xs.sort()
        parts = list(zip(xs[::2], xs[1::2]))
        # a hole hangs on the outline by a cut of no width
        whole = [parts[0]]
        for a, b in parts[1:]:
            if a - whole[-1][1] < 0.001:
                whole[-1] = (whole[-1][0], b)
            else:
                whole.append((a, b))
        spans.setdefault(row, []).extend(whole)


def _places(board):
    """Return {"J13.2": (x, y)} of a board's pads; mm on KiCad's sheet."""
    return {
        "%s.%s" % (ref, pad[1]): place(*map(float, sexp.one(pad, "at")[1:3]))
        for ref, part, place in pcb_reader.footprints(board)
        for pad in sexp.find(part, "pad")
    }
