# SPDX-License-Identifier: MIT
"""The pixels' current, from the inlet to their terminals and back: wide copper all the way?

No rule of KiCad's measures how wide a pour is between two pins. Here the pour is painted onto a
grid, and a disc of the wanted width must be able to roll from pin to pin on it.
"""

import math

from hardware import pcb_file, sexp

STEP = 0.2  # mm, of the grid
WIDTH = 3.0  # mm: 3 A make it 3 K warmer (IPC-2221, 35 um, outer layer)
PATHS = (  # net, layer, the pins that the current passes
    ("VUSB", "F.Cu", ("J13.1", "F1.1")),
    ("+5V", "F.Cu", ("F1.2", "C1.1", "J14.1", "J15.1")),
    ("GND", "B.Cu", ("J13.2", "C1.2", "J14.3", "J15.2")),
)


def mistakes(text):
    """Return, a line each, which pin no copper of WIDTH joins to the first of its path.

    text: a .kicad_pcb with its pours filled.
    """
    board = sexp.loads(text)
    places = _places(board)
    return [line for path in PATHS for line in _path(board, places, *path)]


def _path(board, places, net, layer, pins):
    spans = {}  # row -> [(x1, x2)] of copper
    for zone in sexp.find(board, "zone"):
        if sexp.one(zone, "net_name")[1].removeprefix("/") == net:
            for filled in sexp.find(zone, "filled_polygon"):
                if sexp.one(filled, "layer")[1] == layer:
                    _paint(sexp.one(filled, "pts"), spans)
    reach = int(WIDTH / 2 / STEP)
    disc = {dy: int(math.sqrt(reach * reach - dy * dy)) for dy in range(-reach, reach + 1)}

    def fits(x, y):
        return all(
            any(a <= (x - dx) * STEP and (x + dx) * STEP <= b for a, b in spans.get(y + dy, ()))
            for dy, dx in disc.items()
        )

    # a pin is reached by a disc that covers its middle
    start, *others = [
        {(x + dx, y + dy) for dy, far in disc.items() for dx in range(-far, far + 1)}
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
        "no %.0f mm of %s on %s from %s to %s" % (WIDTH, net, layer, pins[0], pin)
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
        for ref, part, place in pcb_file.footprints(board)
        for pad in sexp.find(part, "pad")
    }
