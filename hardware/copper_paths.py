# SPDX-License-Identifier: MIT
"""How far it is on copper, and whether ground is whole. Read from a .kicad_pcb; lengths in mm.

From a chip's supply pin to its nearest capacitor, from the regulator to its own: along tracks and
vias, and straight across a pour.
"""

import heapq
import math

from hardware import pcb_reader, sexp

SUPPLY_PINS = {  # value: pins that want a capacitor near
    "74HC138": (16,),
    "74HC165": (16,),
    "74AHC244": (20,),
    "74AHCT1G125": (5,),
    "74LVC1G125": (5,),
    "WS2812B": (1,),
    "LF33CDT": (1, 3),
}
FAR = {"LF33CDT": 5.0}  # mm; others:
FAR_OTHERS = 10.0
BUS = ("SCK", "MOSI", "MISO", "CS_", "PIX", "USB_", "RESET", "LIGHTS", "A0", "A1", "A2", "A3")
CLEAR = 0.4  # mm around a pad or via, where a plane must give way
STEP = 0.25
TOUCH = 0.02


class Copper:
    """A board's pads, vias, tracks and filled pours."""

    def __init__(self, text):
        board = sexp.loads(text)
        names = {net[1]: net[2].removeprefix("/") for net in sexp.find(board, "net")}
        self.values = {}
        self.pads = {}  # "U1.3" -> [(net, x, y, layers, half its size)]
        for ref, part, place in pcb_reader.footprints(board):
            texts = {p[1]: p[2] for p in sexp.find(part, "property")}
            self.values[ref] = texts["Value"]
            for pad in sexp.find(part, "pad"):
                net = next((n[2].removeprefix("/") for n in sexp.find(pad, "net")), None)
                at = place(*map(float, sexp.one(pad, "at")[1:3]))
                layers = ("F.Cu",) if pad[2] == "smd" else None
                half = max(map(float, sexp.one(pad, "size")[1:3])) / 2
                name = "%s.%s" % (ref, pad[1])
                self.pads.setdefault(name, []).append((net, *at, layers, half))
        self.vias = [
            (names[sexp.one(via, "net")[1]], *_xy(via, "at")) for via in sexp.find(board, "via")
        ]
        self.tracks = [
            (
                names[sexp.one(track, "net")[1]],
                sexp.one(track, "layer")[1],
                _xy(track, "start"),
                _xy(track, "end"),
            )
            for track in sexp.find(board, "segment")
        ]
        self.fills = []  # (net, layer, corners)
        for zone in sexp.find(board, "zone"):
            net = sexp.one(zone, "net_name")[1].removeprefix("/")
            for filled in sexp.find(zone, "filled_polygon"):
                corners = [tuple(map(float, p[1:3])) for p in sexp.find(filled, "pts", "xy")]
                self.fills.append((net, sexp.one(filled, "layer")[1], _Polygon(corners)))

    def holes(self):
        """Yield (x, y, half width) of everything that goes through the board."""
        yield from ((x, y, 0.3) for _, x, y in self.vias)
        for pads in self.pads.values():
            yield from ((x, y, half) for _, x, y, layers, half in pads if layers is None)

    def lengths(self, net, start):
        """Return {pad: mm of copper from the pad `start`}, of a net's pads that copper joins."""
        graph = _Graph(self, net)
        return graph.lengths(start)


class _Polygon:
    def __init__(self, corners):
        self.edges = list(zip(corners, corners[1:] + corners[:1]))
        xs, ys = zip(*corners)
        self.box = min(xs), min(ys), max(xs), max(ys)
        # edges by the row they cross, so that a point asks few of them
        self.rows = {}
        for edge in self.edges:
            (_, y1), (_, y2) = edge
            for row in range(math.floor(min(y1, y2)), math.floor(max(y1, y2)) + 1):
                self.rows.setdefault(row, []).append(edge)

    def has(self, x, y):
        x0, y0, x9, y9 = self.box
        if not (x0 <= x <= x9 and y0 <= y <= y9):
            return False
        found = False
        for (x1, y1), (x2, y2) in self.rows.get(math.floor(y), ()):
            if (y1 > y) != (y2 > y) and x < x1 + (x2 - x1) * (y - y1) / (y2 - y1):
                found = not found
        return found


class _Graph:
    """Points of a net, and how far they are from each other."""

    def __init__(self, copper, net):
        self.net = net
        self.near = {}  # (layer, x, y) -> {other: mm}
        spots = []  # (x, y, layers or None, half, name)
        for name, pads in copper.pads.items():
            spots += [(x, y, on, half, name) for n, x, y, on, half in pads if n == net]
        spots += [(x, y, None, 0.3, None) for n, x, y in copper.vias if n == net]
        layers = {"F.Cu", "B.Cu", "In1.Cu", "In2.Cu"}
        points = {layer: {} for layer in layers}
        self.names = {}
        for x, y, on, half, name in spots:
            here = [(layer, round(x, 3), round(y, 3)) for layer in on or sorted(layers)]
            for a, b in zip(here, here[1:]):
                self._join(a, b, 0.0)
            for point in here:
                points[point[0]][point] = max(half, points[point[0]].get(point, 0))
            if name:
                self.names.setdefault(name, []).extend(here)
        tracks = [track for track in copper.tracks if track[0] == net]
        for _, layer, a, b in tracks:
            for x, y in (a, b):
                points[layer].setdefault((layer, round(x, 3), round(y, 3)), 0.0)
        for _, layer, a, b in tracks:
            self._track(a, b, points[layer])
        for n, layer, polygon in copper.fills:
            if n == net:
                self._pour(polygon, points[layer])

    def _join(self, a, b, length):
        self.near.setdefault(a, {})[b] = length
        self.near.setdefault(b, {})[a] = length

    def _track(self, a, b, points):
        """Join all points on a track, one after another."""
        length = math.dist(a, b)
        on = []
        for point in points:
            p = point[1:]
            along = ((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])) / length
            foot = [a[k] + (b[k] - a[k]) * along / length for k in (0, 1)]
            if -TOUCH <= along <= length + TOUCH and math.dist(p, foot) < TOUCH:
                on.append((along, point))
        on.sort()
        for (u, p), (v, q) in zip(on, on[1:]):
            self._join(p, q, max(0.0, v - u))

    def _pour(self, polygon, points):
        """Join all points that a pour touches; a pad's thermal relief is beside its middle."""
        touched = []
        for point, half in points.items():
            _, x, y = point
            around = [(0.0, 0.0)]
            if half:
                reach = half + 0.45
                turns = [math.tau * k / 16 for k in range(16)]
                around += [(reach * math.cos(t), reach * math.sin(t)) for t in turns]
            if any(polygon.has(x + dx, y + dy) for dx, dy in around):
                touched.append(point)
        for k, a in enumerate(touched):
            for b in touched[k + 1 :]:
                length = math.dist(a[1:], b[1:])
                if length < self.near.get(a, {}).get(b, math.inf):
                    self._join(a, b, length)

    def lengths(self, start):
        """Return {pad: mm} from a pad."""
        best = dict.fromkeys(self.names.get(start, ()), 0.0)
        queue = [(0.0, point) for point in best]
        heapq.heapify(queue)
        while queue:
            length, point = heapq.heappop(queue)
            if length > best[point]:
                continue
            for other, step in self.near.get(point, {}).items():
                if length + step < best.get(other, math.inf):
                    best[other] = length + step
                    heapq.heappush(queue, (length + step, other))
        return {
            name: min(best[p] for p in points if p in best)
            for name, points in self.names.items()
            if any(p in best for p in points)
        }


def supplies(copper):
    """Return (lines, mm): the supply pins that are too far from a capacitor, and the longest way
    that is not."""
    wrong, longest = [], 0.0
    for ref, value in sorted(copper.values.items()):
        for number in SUPPLY_PINS.get(value, ()):
            pin = "%s.%d" % (ref, number)
            net = copper.pads[pin][0][0]
            reached = copper.lengths(net, pin)
            near = [mm for name, mm in reached.items() if name[0] == "C"]
            far = FAR.get(value, FAR_OTHERS)
            length = min(near, default=math.inf)
            if length > far:
                wrong.append(
                    "%s (%s, %s): %.1f mm to a capacitor, more than %.0f"
                    % (pin, value, net, length, far)
                )
            else:
                longest = max(longest, length)
    return wrong, longest


def ground(copper, layer, gap=0.0):
    """Return what is wrong with the ground plane on a layer, a line each: more than one piece,
    tracks in a layer that is ground's alone, or a track of the bus that leaves it for more than
    `gap` mm: with two layers it must cross what else is on the lower one."""
    planes = [polygon for net, on, polygon in copper.fills if net == "GND" and on == layer]
    if len(planes) != 1:
        return ["ground on %s is in %d pieces" % (layer, len(planes))]
    wrong = [
        "%s has a track on %s, the ground's layer" % (net, layer)
        for net, on, _, _ in copper.tracks
        if on == layer and layer.startswith("In")
    ]
    holes = list(copper.holes())
    for net, on, a, b in copper.tracks:
        if on == layer or not net.startswith(BUS):
            continue
        bare = _longest_bare(planes[0], holes, a, b)
        if bare > gap:
            wrong.append("%s at %.1f, %.1f: %.1f mm without ground" % (net, *a, bare))
    return sorted(wrong)


def _longest_bare(plane, holes, a, b):
    """Return the longest stretch, mm, of a track that no ground lies under, but for what every
    hole takes out of it."""
    count = max(1, round(math.dist(a, b) / STEP))
    longest = bare = 0
    for k in range(count + 1):
        x, y = (a[i] + (b[i] - a[i]) * k / count for i in (0, 1))
        over = plane.has(x, y) or any(
            math.dist((x, y), hole[:2]) < hole[2] + CLEAR for hole in holes
        )
        bare = 0 if over else bare + 1
        longest = max(longest, bare)
    return longest * STEP


def _xy(item, word):
    return tuple(map(float, sexp.one(item, word)[1:3]))
