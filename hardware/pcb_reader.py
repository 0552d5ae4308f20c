# SPDX-License-Identifier: MIT
"""What stands where on a board, read from its .kicad_pcb. Lengths in mm."""

import math
from dataclasses import dataclass

from hardware import sexp

# how high parts stand over the board, with socket, plug and bend of the cable: catalogue heights
# and some room; the first match counts
HEIGHTS = (
    ("IDC-Header_2x07_P2.54mm_Vertical", 20.0),
    ("IDC-Header_2x07_P2.54mm_Horizontal", 8.9),
    ("Module:", 15.0),
    ("CP_Radial_D10", 20.0),
    ("CP_Radial", 12.0),
    ("TerminalBlock", 11.0),
    ("Fuse", 12.0),
    ("PinSocket", 8.5),
    ("P2.54mm_Vertical", 14.0),  # with the plugs of jumper wires
    ("Buzzer", 7.0),
    ("SW_PUSH-12mm", 4.3),
    ("SW_PUSH_6mm", 4.3),
    ("_0805", 1.6),
    ("LED_WS2812B", 1.7),
    ("SOT-23", 1.6),
    ("", 3.0),
)
PINS_BELOW = 2.5


@dataclass
class BoardFile:
    """What the housing must know of the board: size (x, y, thick); holes [(x, y, diameter)];
    parts [(ref, height, x1, y1, x2, y2)]; pins, the same for what is soldered below it. The
    board's middle is the origin, y up."""

    size: tuple
    holes: list
    parts: list
    pins: list


def footprints(board):
    """Yield (reference, footprint, place) of a board's parts; place(x, y) says where on KiCad's
    sheet something is that stands so in the footprint."""
    for part in sexp.find(board, "footprint"):
        ref = next(p[2] for p in sexp.find(part, "property") if p[1] == "Reference")
        x, y, *turn = map(float, sexp.one(part, "at")[1:])
        angle = math.radians(turn[0] if turn else 0)
        c, s = math.cos(angle), math.sin(angle)

        def place(px, py, x=x, y=y, c=c, s=s):
            return x + px * c + py * s, y - px * s + py * c

        yield ref, part, place


def load(text):
    """Read a .kicad_pcb."""
    board = sexp.loads(text)
    ends = [
        [float(v) for v in point[1:]]
        for line in sexp.find(board, "gr_line")
        if sexp.one(line, "layer")[1] == "Edge.Cuts"
        for point in (sexp.one(line, "start"), sexp.one(line, "end"))
    ]
    xs, ys = zip(*ends)
    mx, my = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    thick = float(sexp.one(board, "general", "thickness")[1])
    found = BoardFile((max(xs) - min(xs), max(ys) - min(ys), thick), [], [], [])
    for ref, part, on_sheet in footprints(board):

        def place(px, py, on_sheet=on_sheet):
            x, y = on_sheet(px, py)
            return x - mx, my - y

        pads = list(sexp.find(part, "pad"))
        if "MountingHole" in part[1]:
            drill = float(sexp.one(pads[0], "drill")[1])
            found.holes.append((*place(0, 0), drill))
            continue
        height = next(h for name, h in HEIGHTS if name in part[1])
        found.parts.append((ref, height, *_around(place(*p) for p in _drawn(part, "F.CrtYd"))))
        if all(pad[2] == "smd" for pad in pads):
            continue
        middles = (map(float, sexp.one(pad, "at")[1:3]) for pad in pads)
        x1, y1, x2, y2 = _around(place(*p) for p in middles)
        found.pins.append((ref, PINS_BELOW, x1 - 0.8, y1 - 0.8, x2 + 0.8, y2 + 0.8))
    return found


def outline(part, layer):
    """Return (x1, y1, x2, y2) of what a footprint has on a layer, None where that is nothing."""
    points = list(_drawn(part, layer))
    return _around(points) if points else None


def _drawn(part, layer):
    for kind in ("fp_line", "fp_rect", "fp_poly", "fp_circle", "fp_arc"):
        for shape in sexp.find(part, kind):
            if sexp.one(shape, "layer")[1] != layer:
                continue
            if kind == "fp_circle":
                cx, cy = map(float, sexp.one(shape, "center")[1:])
                ex, ey = map(float, sexp.one(shape, "end")[1:])
                r = math.hypot(ex - cx, ey - cy)
                yield from ((cx - r, cy - r), (cx + r, cy + r), (cx - r, cy + r), (cx + r, cy - r))
            elif kind == "fp_poly":
                for point in sexp.find(shape, "pts", "xy"):
                    yield tuple(map(float, point[1:]))
            else:
                for end in ("start", "end"):
                    yield tuple(map(float, sexp.one(shape, end)[1:]))


def _around(points):
    xs, ys = zip(*points)
    return min(xs), min(ys), max(xs), max(ys)
