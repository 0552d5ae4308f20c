# SPDX-License-Identifier: MIT
"""A small router for a board's two outer layers.

A grid of 0.635 mm; each pad has a node under its copper. What has a plane inside the board only
needs a via to it. Each net is routed by itself as
if it were alone; where two want the same place both pay for it, more with every round, until one
goes around (negotiated congestion, as PathFinder does it). The same board gives the same tracks.
"""

import heapq
import itertools
import math
from dataclasses import dataclass

GRID = 0.635
CLEARANCE = 0.2
THIN = 0.125  # half of a signal's track
VIA = 0.3  # half of a via
WIDE = 0.4  # half of a supply's track
KINDS = (THIN, VIA, WIDE)
VIA_COST = 5.0
IN_PAD = 0.4  # mm from a pad: no via there
STEPS = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
ROUNDS = 100


@dataclass(frozen=True)
class Pad:
    """Copper of a net (None: nothing may touch it), its middle, half its width and height; on
    the front alone, or a hole on both layers. joined: a pour joins it to the net's other such."""

    net: str
    x: float
    y: float
    hx: float
    hy: float
    hole: bool = True
    joined: bool = False


class Unroutable(Exception):
    """No way is left; the text names the nets."""


class Router:
    """width, height: of the board, mm. pads: Pads. closed: rectangles (layer, x1, y1, x2, y2, net)
    that only one net may cross. wide: names of nets with WIDE tracks. planes: {net: function of
    x and y}, whether a via reaches its plane there. back: how much dearer the back is.
    """

    def __init__(self, width, height, pads, closed=(), wide=(), planes=None, back=1.0):
        self.w = int(width / GRID) + 1
        self.h = int(height / GRID) + 1
        self.pads = pads
        self.wide = set(wide)
        self.planes = planes or {}
        self.dear = (1.0, back)
        self.names = sorted({pad.net for pad in pads if pad.net})
        size = 2 * self.w * self.h
        self.walls = {half: self._walls(half, width, height, closed) for half in KINDS}
        self.use = {half: [0] * size for half in KINDS}
        self.past = {half: [0.0] * size for half in KINDS}
        self.routes = {}  # net -> [path], a path is a list of nodes
        self.marks = {}  # net -> {half: set of nodes}
        radii = {mine + CLEARANCE + other for mine in KINDS for other in KINDS}
        self.discs = {radius: _disc(radius) for radius in radii}

    # ---- what stands there ----

    def _walls(self, half, width, height, closed):
        """For each node: "" free, a net's name where only that net may be, None where nobody."""
        reach = half + CLEARANCE + 0.005
        wall = [""] * (2 * self.w * self.h)

        def claim(node, net):
            wall[node] = net if wall[node] in ("", net) else None

        edge = 0.55 + half
        for j in range(self.h):
            for i in range(self.w):
                x, y = i * GRID, j * GRID
                if not (edge <= x <= width - edge and edge <= y <= height - edge):
                    claim(self.node(i, j, 0), None)
                    claim(self.node(i, j, 1), None)
        for pad in self.pads:
            self._claim(pad, half, reach, claim)
        for layer, x1, y1, x2, y2, net in closed:
            columns = range(max(0, math.ceil((x1 - reach) / GRID)), self.w)
            rows = range(max(0, math.ceil((y1 - reach) / GRID)), self.h)
            for i in itertools.takewhile(lambda i, x=x2 + reach: i * GRID <= x, columns):
                for j in itertools.takewhile(lambda j, y=y2 + reach: j * GRID <= y, rows):
                    claim(self.node(i, j, layer), net)
        return wall

    def _claim(self, pad, half, reach, claim):
        """Claim the nodes around a pad for its net."""
        for i, j, far in self._around(pad, reach):
            if far < reach:
                claim(self.node(i, j, 0), pad.net)
                if pad.hole:
                    claim(self.node(i, j, 1), pad.net)
            if half == VIA and far < IN_PAD:  # solder would run away through it
                claim(self.node(i, j, 0), None)

    def _around(self, pad, reach):
        """Yield (column, row, mm from the copper) of the nodes around a pad."""
        for i in range(
            max(0, int((pad.x - pad.hx - reach) / GRID)),
            min(self.w, int((pad.x + pad.hx + reach) / GRID) + 2),
        ):
            for j in range(
                max(0, int((pad.y - pad.hy - reach) / GRID)),
                min(self.h, int((pad.y + pad.hy + reach) / GRID) + 2),
            ):
                dx = max(0.0, abs(i * GRID - pad.x) - pad.hx)
                dy = max(0.0, abs(j * GRID - pad.y) - pad.hy)
                yield i, j, math.hypot(dx, dy)

    def foot(self, pad):
        """Return the column and row of the node that stands for a pad: under its copper, the
        nearest to its middle where its net may be."""
        wall = self.walls[WIDE if pad.net in self.wide else THIN]
        fits = [
            (math.hypot(i * GRID - pad.x, j * GRID - pad.y), i, j)
            for i, j, far in self._around(pad, 0)
            if far < 0.05 and wall[self.node(i, j, 0)] in ("", pad.net)
        ]
        if not fits:
            raise Unroutable("%s has no node at %.2f, %.2f" % (pad.net, pad.x, pad.y))
        return min(fits)[1:]

    def ends(self, pad):
        """Return the nodes at which a track may end at a pad."""
        i, j = self.foot(pad)
        return [self.node(i, j, layer) for layer in range(1 + pad.hole)]

    def node(self, i, j, layer):
        """Return the number of a node: column, row, 0 front or 1 back."""
        return (layer * self.h + j) * self.w + i

    def place(self, node):
        """Return (x mm, y mm, layer) of a node."""
        rest, i = divmod(node, self.w)
        layer, j = divmod(rest, self.h)
        return i * GRID, j * GRID, layer

    # ---- routing ----

    def route(self, say=None):
        """Return {net: [path]}; a path is a list of nodes, each next to the one before."""
        todo = sorted(self.names, key=self._size)
        pressure = 0.5
        for turn in range(ROUNDS):
            for net in todo:
                self._forget(net)
                self._connect(net, pressure)
            todo = self._quarrels()
            if say:
                say("round %d: %d nets in each other's way" % (turn + 1, len(todo)))
            if not todo:
                return self.routes
            pressure = min(pressure * 1.5, 100.0)
        raise Unroutable("no way for " + ", ".join(todo))

    def _size(self, net):
        points = [(pad.x, pad.y) for pad in self.pads if pad.net == net]
        xs, ys = zip(*points)
        plane = net in self.planes
        span = max(xs) - min(xs) + max(ys) - min(ys)
        return not plane, net not in self.wide, len(points), span, net

    def _connect(self, net, pressure):
        half = WIDE if net in self.wide else THIN
        pads = [pad for pad in self.pads if pad.net == net]
        plane = self.planes.get(net)
        if plane:
            paths = self._to_plane(net, half, pads, plane, pressure)
        else:
            paths = self._tree(net, half, pads, pressure)
        self.routes[net] = paths
        marks = {kind: set() for kind in KINDS}
        for path in paths:
            self._mark(path, half, marks)
        self.marks[net] = marks
        for kind, nodes in marks.items():
            use = self.use[kind]
            for node in nodes:
                use[node] += 1

    def _to_plane(self, net, half, pads, plane, pressure):
        """Return a path from each pad to a via, or to a pad that is on the plane already."""

        def there(pad):
            return pad.joined or pad.hole and plane(pad.x, pad.y)

        ready = {node for pad in pads if there(pad) for node in self.ends(pad)}
        paths = []
        for pad in pads:
            if there(pad):
                continue
            path = self._search(net, half, self.ends(pad)[:1], ready, None, pressure, plane)
            paths.append(path)
            ready.update(path)
        return paths

    def _tree(self, net, half, pads, pressure):
        """Return paths that join all pads of a net."""
        joined = [pad for pad in pads if pad.joined] or pads[:1]
        tree = {node for pad in joined for node in self.ends(pad)}
        known = [self.foot(pad) for pad in joined]
        left = [pad for pad in pads if pad not in joined]
        feet = {pad: self.foot(pad) for pad in left}
        near = {pad: min(_octile(feet[pad], at) for at in known) for pad in left}
        paths = []
        while left:
            pad = min(left, key=lambda p: (near[p], feet[p]))
            left.remove(pad)
            goals = self.ends(pad)
            path = self._search(net, half, tree, set(goals), feet[pad], pressure)
            paths.append(path)
            added = {(n % self.w, n // self.w % self.h) for n in path}
            tree.update(path, goals)
            for other in left:
                near[other] = min(near[other], min(_octile(feet[other], q) for q in added))
        return paths

    def _forget(self, net):
        for kind, nodes in self.marks.pop(net, {}).items():
            use = self.use[kind]
            for node in nodes:
                use[node] -= 1

    def _search(self, net, half, starts, goals, towards, pressure, plane=None):
        """Return the cheapest path from any node of `starts` to one of `goals`, its end first.

        towards: column and row of the goals, where they have one; plane: a via where this is so
        of its x and y is a goal too.
        """
        w, h = self.w, self.h
        wall, use, past = self.walls[half], self.use[half], self.past[half]
        mine = ("", net)
        best = dict.fromkeys(sorted(starts), (0.0, None))  # node -> (cost, the node before)
        queue = [(0.0, 0.0, s) for s in best]
        heapq.heapify(queue)
        done = set()

        def reach(to, total, place, node):
            if to not in best or total < best[to][0]:
                best[to] = (total, node)
                ahead = _octile(place, towards) if towards else 0.0
                heapq.heappush(queue, (total + ahead, total, to))

        while queue:
            _, cost, node = heapq.heappop(queue)
            if node in done:
                continue
            done.add(node)
            if node < 0:  # a via at ~node, which the plane is joined to
                return [_other_side(~node, w * h), *_way_back(best, ~node)]
            i, j = here = node % w, node // w % h
            layer = node // (w * h)
            if node in goals:
                return _way_back(best, node)
            for di, dj in STEPS:
                ni, nj = i + di, j + dj
                to = node + dj * w + di
                if not (0 <= ni < w and 0 <= nj < h) or to in done or wall[to] not in mine:
                    continue
                others = use[to]
                if di and dj:
                    # a slanted step passes both corners
                    a, b = node + di, node + dj * w
                    if wall[a] not in mine or wall[b] not in mine:
                        continue
                    step = 1.5
                    others += use[a] + use[b]
                else:
                    step = 1.0 if (dj == 0) == (layer == 0) else 1.35
                step *= self.dear[layer]
                reach(to, cost + (step + past[to]) * (1.0 + pressure * others), (ni, nj), node)
            other = _other_side(node, w * h)
            if other in done or wall[other] not in mine or not self._drillable(node, other, mine):
                continue
            others = self.use[VIA][node] + self.use[VIA][other]
            total = cost + (VIA_COST + past[other]) * (1.0 + pressure * others)
            there = plane and plane(i * GRID, j * GRID)
            reach(~node if there else other, total, here, node)
        x, y = towards or self.place(min(starts))[:2]
        raise Unroutable("%s cannot reach its pad at %.2f, %.2f" % (net, x, y))

    def _drillable(self, node, other, mine):
        """Whether a via may stand at a node and the one on the other layer."""
        wall = self.walls[VIA]
        return wall[node] in mine and wall[other] in mine

    # ---- who is in whose way ----

    def _mark(self, path, half, marks):
        w, layer_size = self.w, self.w * self.h
        for k, node in enumerate(path):
            self._stamp(node, half, marks)
            if k + 1 == len(path):
                break
            after = path[k + 1]
            if abs(after - node) == layer_size:
                self._stamp(node, VIA, marks)
                self._stamp(after, VIA, marks)
            elif abs(after - node) not in (1, w):
                # the middle of a slanted step is within reach of both its corners
                i, j = after % w - node % w, (after // w) - (node // w)
                for kind in marks:
                    marks[kind].update((node + i, node + j * w))

    def _stamp(self, node, half, marks):
        i, j, base = node % self.w, node // self.w % self.h, node // (self.w * self.h)
        for kind in marks:
            for di, dj in self.discs[half + CLEARANCE + kind]:
                if 0 <= i + di < self.w and 0 <= j + dj < self.h:
                    marks[kind].add(self.node(i + di, j + dj, base))

    def _quarrels(self):
        """Return the nets that run into others; where they do is dearer from now on."""
        names = set()
        for net in self.routes:
            half = WIDE if net in self.wide else THIN
            marks = self.marks[net]
            for path in self.routes[net]:
                for node, kind in self._touched(path, half):
                    if self.use[kind][node] > (node in marks[kind]):
                        names.add(net)
                        self.past[half][node] += 0.5
        return sorted(names, key=self._size)

    def _touched(self, path, half):
        """Yield (node, half width there) along a path: corners of slanted steps and vias too."""
        w, layer_size = self.w, self.w * self.h
        for k, node in enumerate(path):
            yield node, half
            if k + 1 == len(path):
                break
            after = path[k + 1]
            if abs(after - node) == layer_size:
                yield node, VIA
                yield after, VIA
            elif abs(after - node) not in (1, w):
                yield node + (after % w - node % w), half
                yield node + (after // w - node // w) * w, half


def _other_side(node, layer_size):
    return node - layer_size if node >= layer_size else node + layer_size


def _disc(radius):
    reach = int(radius / GRID) + 1
    return [
        (i, j)
        for i in range(-reach, reach + 1)
        for j in range(-reach, reach + 1)
        if math.hypot(i, j) * GRID < radius - 0.001
    ]


def _way_back(best, node):
    """Return the nodes from one back to where the search began; best: node -> (_, before)."""
    path = []
    while node is not None:
        path.append(node)
        node = best[node][1]
    return path


def _octile(a, b):
    dx, dy = abs(a[0] - b[0]), abs(a[1] - b[1])
    return max(dx, dy) + 0.4 * min(dx, dy)
