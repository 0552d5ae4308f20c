# SPDX-License-Identifier: MIT
"""The wires of a schematic: from short texts to lines, dots where they meet, labels and flags.

A way is a text of steps, the first of them a pin. Lengths are in mm, on a grid of 1.27.

    U1.4        to that pin: along first, then up or down
    |U1.4       to that pin: up or down first, then along
    (R2.1)      along to above or below that pin, and a branch to it
    >2 <2 ^2 v2 right, left, up, down, in steps of 2.54
    x50.8 y63.5 along to that x, up or down to that y
    *           the net's name is here, a label or a supply's symbol, on in the same direction
    +           a supply's symbol is here, upright
    !           a flag is here: the net is fed, though KiCad cannot see it
"""

from collections import Counter

STEP = 2.54
MOVES = {">": (1, 0), "<": (-1, 0), "^": (0, -1), "v": (0, 1)}
OUT = {(1, 0): 0, (0, -1): 90, (-1, 0): 180, (0, 1): 270}


class Ways:
    """The wires of one net, from its ways.

    ends: {"U1.4": (x, y, ...)} of all pins. `names`: [(x, y, angle or None)] of
    labels and symbols, `flags`: [(x, y)].
    Raises ValueError where a way leads nowhere.
    """

    def __init__(self, ways, ends):
        self.ends = ends
        self.names = []
        self.flags = []
        self.pins = set()
        self._pieces = set()
        for way in ways:
            self._walk(way.split())

    def _walk(self, steps):
        first, *steps = steps
        at = self._pin(first)
        toward = (1, 0)
        for step in steps:
            if step in ("*", "+"):
                self.names.append((*at, OUT[toward] if step == "*" else None))
                continue
            if step == "!":
                self.flags.append(at)
                continue
            branch = step[0] == "("
            stops = self._stops(step, at)
            if branch and stops[0] != stops[1]:
                self._line(*stops)
                stops.pop()
            for there in stops:
                if there != at:
                    toward = self._line(at, there)
                    at = there

    def _stops(self, step, at):
        """Return the places that a step leads to, one after another."""
        x, y = at
        if step[0] in MOVES:
            dx, dy = MOVES[step[0]]
            far = STEP * float(step[1:])
            return [_place(x + dx * far, y + dy * far)]
        if step[0] in "xy" and step[1:2].isdigit():
            to = float(step[1:])
            return [_place(to, y) if step[0] == "x" else _place(x, to)]
        if step[0] == "|":
            px, py = self._pin(step[1:])
            return [_place(x, py), (px, py)]
        px, py = self._pin(step.strip("()"))
        return [_place(px, y), (px, py)]

    def _pin(self, name):
        if name not in self.ends:
            raise ValueError("no pin %s" % name)
        self.pins.add(name)
        return _place(*self.ends[name][:2])

    def _line(self, a, b):
        """Keep a straight line; return its direction."""
        self._pieces.add((min(a, b), max(a, b)))
        return ((b[0] > a[0]) - (b[0] < a[0]), (b[1] > a[1]) - (b[1] < a[1]))

    def drawn(self):
        """Return (lines, dots): lines between places where something ends, turns or meets, and
        where three or more meet."""
        places = {end for piece in self._pieces for end in piece}
        # a flag or a supply's symbol is connected only where a line ends
        ends = [_place(*self.ends[name][:2]) for name in self.pins] + self.flags
        ends += [(x, y) for x, y, out in self.names if out is None]
        places |= set(ends)
        short = set()
        for a, b in self._pieces:
            on = sorted(p for p in places if _between(a, p, b))
            short |= set(zip(on, on[1:]))
        meeting = Counter(end for piece in short for end in piece)
        meeting.update(set(ends))
        return _joined(short, meeting), sorted(p for p, n in meeting.items() if n > 2)


def _joined(short, meeting):
    """Return the lines, those made one that go on straight where nothing else is."""
    lines = set(short)
    for place, count in meeting.items():
        if count != 2:
            continue
        here = [line for line in lines if place in line]
        if len(here) == 2 and len({_upright(line) for line in here}) == 1:
            lines -= set(here)
            ends = sorted({end for line in here for end in line} - {place})
            lines.add(tuple(ends))
    return sorted(lines)


def _upright(line):
    return line[0][0] == line[1][0]


def _between(a, p, b):
    """Return whether p is on the straight line from a to b, its ends included."""
    return a[0] <= p[0] <= b[0] and a[1] <= p[1] <= b[1]


def _place(x, y):
    return round(x, 2), round(y, 2)
