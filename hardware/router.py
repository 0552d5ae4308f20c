# SPDX-License-Identifier: MIT
"""A small router for two layers of through-hole parts.

A grid of 0.635 mm, on which every pad's centre or nearly so lies. Each net is routed by itself as
if it were alone; where two want the same place both pay for it, more with every round, until one
goes around (negotiated congestion, as PathFinder does it). The same board gives the same tracks.
"""

import heapq
import math

GRID = 0.635
CLEARANCE = 0.2
THIN = 0.125  # half of a signal's track
VIA = 0.3  # half of a via
WIDE = 0.4  # half of a supply's track
KINDS = (THIN, VIA, WIDE)
VIA_COST = 5.0
STEPS = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
ROUNDS = 100


class Unroutable(Exception):
    """No way is left; the text names the nets."""


class Router:
    """width, height: of the board, mm. pads: (net or None, x, y, half width, half height) of
    holes with copper on both layers; None: a hole that nothing may touch. closed: rectangles
    (layer, x1, y1, x2, y2, net) that only one net may cross. wide: names of nets with WIDE tracks.
    """

    def __init__(self, width, height, pads, closed=(), wide=()):
        self.w = int(width / GRID) + 1
        self.h = int(height / GRID) + 1
        self.pads = pads
        self.wide = set(wide)
        self.names = sorted({pad[0] for pad in pads if pad[0]})
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

        edge = 0.35 + half
        for j in range(self.h):
            for i in range(self.w):
                x, y = i * GRID, j * GRID
                if not (edge <= x <= width - edge and edge <= y <= height - edge):
                    claim(self.node(i, j, 0), None)
                    claim(self.node(i, j, 1), None)
        for net, x, y, hx, hy in self.pads:
            for i in range(int((x - hx - reach) / GRID), int((x + hx + reach) / GRID) + 2):
                for j in range(int((y - hy - reach) / GRID), int((y + hy + reach) / GRID) + 2):
                    dx = max(0.0, abs(i * GRID - x) - hx)
                    dy = max(0.0, abs(j * GRID - y) - hy)
                    if math.hypot(dx, dy) < reach and 0 <= i < self.w and 0 <= j < self.h:
                        claim(self.node(i, j, 0), net)
                        claim(self.node(i, j, 1), net)
        for layer, x1, y1, x2, y2, net in closed:
            for i in range(
                max(0, int((x1 - reach) / GRID)), min(self.w, int((x2 + reach) / GRID) + 2)
            ):
                for j in range(
                    max(0, int((y1 - reach) / GRID)), min(self.h, int((y2 + reach) / GRID) + 2)
                ):
                    claim(self.node(i, j, layer), net)
        return wall

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
        points = [(x, y) for n, x, y, *_ in self.pads if n == net]
        xs, ys = zip(*points)
        return net not in self.wide, len(points), max(xs) - min(xs) + max(ys) - min(ys), net

    def _connect(self, net, pressure):
        points = [self.nearest(x, y) for n, x, y, *_ in self.pads if n == net]
        half = WIDE if net in self.wide else THIN
        tree = {self.node(*points[0], 0), self.node(*points[0], 1)}
        left = points[1:]
        near = {p: _octile(p, points[0]) for p in left}
        paths = []
        while left:
            goal = min(left, key=lambda p: (near[p], p))
            left.remove(goal)
            path = self._search(net, half, tree, goal, pressure)
            paths.append(path)
            added = {(n % self.w, n // self.w % self.h) for n in path}
            tree.update(path)
            tree |= {self.node(*goal, 0), self.node(*goal, 1)}
            for p in left:
                near[p] = min(near[p], min(_octile(p, q) for q in added))
        self.routes[net] = paths
        marks = {kind: set() for kind in KINDS}
        for path in paths:
            self._mark(path, half, marks)
        self.marks[net] = marks
        for kind, nodes in marks.items():
            use = self.use[kind]
            for node in nodes:
                use[node] += 1

    def _forget(self, net):
        for kind, nodes in self.marks.pop(net, {}).items():
            use = self.use[kind]
            for node in nodes:
                use[node] -= 1

    @staticmethod
    def nearest(x, y):
        """Return the column and row of the node that stands for a pad at x, y mm."""
        return round(x / GRID), round(y / GRID)

    def _search(self, net, half, starts, goal, pressure):
        """Return the cheapest path from any of the nodes `starts` to a pad, its end first."""
        w, h = self.w, self.h
        wall, use, past = self.walls[half], self.use[half], self.past[half]
        mine = ("", net)
        best = dict.fromkeys(sorted(starts), (0.0, None))  # node -> (cost, the node before)
        queue = [(_octile((s % w, s // w % h), goal), 0.0, s) for s in best]
        heapq.heapify(queue)
        done = set()

        def reach(to, total, place, node):
            if to not in best or total < best[to][0]:
                best[to] = (total, node)
                heapq.heappush(queue, (total + _octile(place, goal), total, to))

        while queue:
            _, cost, node = heapq.heappop(queue)
            if node in done:
                continue
            done.add(node)
            i, j = here = node % w, node // w % h
            if here == goal:
                return _way_back(best, node)
            layer = node // (w * h)
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
                reach(to, cost + (step + past[to]) * (1.0 + pressure * others), (ni, nj), node)
            other = node + w * h * (1 - 2 * layer)
            if other not in done and wall[other] in mine and self._drillable(node, other, mine):
                others = self.use[VIA][node] + self.use[VIA][other]
                total = cost + (VIA_COST + past[other]) * (1.0 + pressure * others)
                reach(other, total, here, node)
        x, y = goal[0] * GRID, goal[1] * GRID
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
