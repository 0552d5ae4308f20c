# SPDX-License-Identifier: MIT
"""Where the tiles of a train lie: straight outwards as long as there is room, then bent, within
the slot's own piece of the table.

A place is seen from the hub's middle: `out` along the slot's way outwards, `aside` to the right
of somebody who looks outwards. Headings turn to the right: outwards, right, inwards, left.
"""

from functools import lru_cache
from math import cos, pi, sin, tan

OUT, RIGHT, IN, LEFT = range(4)
_WAYS = ((1, 0), (0, 1), (-1, 0), (0, -1))
GAP = 0.1  # between tiles that touch, of a tile's width
APART = 0.3  # between a tile and those it does not touch
TRIES = (10, 2)  # tiles that are put down in search of one way: so many, and so many a tile
SHORT, LONG, LAST = 1, 2, 3  # a tile crosswise, a tile lengthwise, the place of the next one


class Piece:
    """A slot's own piece of the table: a wedge around its way outwards, within the room.

    degrees: of that way, clockwise from the top; half: degrees of the wedge on either side; room:
    (width, height) around the hub; hub: the radius where trains begin.
    """

    def __init__(self, degrees, half, room, hub):
        self.sin, self.cos = sin(degrees * pi / 180), cos(degrees * pi / 180)
        self.slope = tan(half * pi / 180) if half < 89 else None
        self.alone = half > 91
        self.wide, self.high = room[0] / 2, room[1] / 2
        self.hub = hub

    def holds(self, out, aside, deep, broad, rim):
        """Return whether a rectangle lies in it, with a rim to the neighbours: its middle and half
        of its sizes."""
        if self.slope is None:
            if not self.alone and out - deep < rim:
                return False
        elif (out - deep) * self.slope < abs(aside) + broad + rim:
            return False
        near = max(0, abs(aside) - broad)
        if max(0, abs(out) - deep) ** 2 + near * near < (self.hub - 1) ** 2:
            return False
        x, y = out * self.sin + aside * self.cos, aside * self.sin - out * self.cos
        s, c = abs(self.sin), abs(self.cos)
        return (
            abs(x) + deep * s + broad * c <= self.wide
            and abs(y) + deep * c + broad * s <= self.high
        )


class _Search:
    """One way of bending, tried with tiles of one width.

    sizes: see `laid`; kinds: SHORT, LONG or LAST, tile by tile. bend: (how many tiles lie straight
    before rows begin, 0: all that have room, and no rows; RIGHT or LEFT, where it bends first; how
    often it may bend). deepest: how many tiles it ever had down.
    """

    def __init__(self, piece, sizes, kinds, bend):
        self.piece, self.kinds = piece, kinds
        _, self.width, self.last = sizes
        self.straight, self.side, self.bends = bend
        self.deepest = 0
        self.tries = TRIES[0] + TRIES[1] * len(kinds)

    def run(self):
        """Return [(out, aside, heading), ...], or None."""
        start = (self.piece.hub + GAP * self.width, 0)
        return self._put(start, (OUT, self.side, 0, False), ())

    def _put(self, at, bent, down):
        """Put down the next tile and those behind it, at the end `at`.

        bent: (heading, side to which it bends next, how often it has, whether the last tile did).
        """
        n = len(down)
        self.deepest = max(self.deepest, n)
        if n == len(self.kinds):
            return [place[:3] for place in down]
        heading, _, bends, _ = bent
        for turned, side in self._ways(n, bent):
            self.tries -= 1
            if self.tries < 0:
                return None
            bows = turned != heading
            if bows and (not n or self.kinds[n] == SHORT or bends == self.bends):
                continue
            found = self._lie(n, at, heading, turned, down)
            if found:
                place, end = found
                done = self._put(end, (turned, side, bends + bows, bows), (*down, place))
                if done:
                    return done
        return None

    def _ways(self, n, bent):
        """The headings to try, with the side to which it bends next."""
        heading, side, bends, corner = bent
        other = LEFT if side == RIGHT else RIGHT
        if not self.straight:
            return ((heading, side), ((heading + (1 if side == RIGHT else 3)) % 4, side))
        if heading != OUT:
            return ((heading, side), (OUT, side))
        if corner or n >= self.straight:
            return ((side, other), (OUT, side))
        return ((OUT, side),)

    def _lie(self, n, at, heading, turned, down):
        """Return ((out, aside, heading, deep, broad), the end behind it) of a tile, or None."""
        w, kind = self.width, self.kinds[n]
        (a, b), (c, d) = _WAYS[heading], _WAYS[turned]
        out, aside = at
        length = {SHORT: w, LONG: 2 * w, LAST: self.last}[kind]
        if turned != heading:
            crosswise = n and self.kinds[n - 1] == SHORT
            # from a double's end it goes on, else around the corner of the last tile
            bow = (self.last if kind == LAST else w) / 2
            back, on = (-w / 2 - GAP * w, w + GAP * w) if crosswise else (bow, -bow)
            out, aside = out + a * back + c * on, aside + b * back + d * on
        out, aside = out + c * length / 2, aside + d * length / 2
        along, across = length / 2, {SHORT: w, LONG: w / 2, LAST: self.last / 2}[kind]
        deep, broad = (along, across) if turned in (OUT, IN) else (across, along)
        if not self.piece.holds(out, aside, deep, broad, APART * w / 2):
            return None
        gap = APART * w
        for other in down[:-1]:
            if (
                abs(other[0] - out) < other[3] + deep + gap
                and abs(other[1] - aside) < other[4] + broad + gap
            ):
                return None
        reach = length / 2 + GAP * w
        return (out, aside, turned, deep, broad), (out + c * reach, aside + d * reach)


HOOKS = 2
MANY = 40  # more tiles than any piece has room for
# The ways of bending, the plainest first: hooks, rows, a spiral.
_BENDS = (
    *((0, side, 2) for side in (RIGHT, LEFT)),
    *((n, side, 99) for n in (3, 2, 1) for side in (RIGHT, LEFT)),
    *((0, side, 99) for side in (RIGHT, LEFT)),
)


@lru_cache(maxsize=4096)
def laid(degrees, half, room, sizes, kinds):
    """Return [(out, aside, heading), ...], the places of a train's tiles, or None; see Piece for
    the first three, _Search for `kinds`.

    sizes: (radius where trains begin, a tile's width, that of the next tile's place).
    """
    piece = Piece(degrees, half, room, sizes[0])
    for n, bend in enumerate(_BENDS):
        if n == HOOKS and _length(kinds) > _capacity(degrees, half, room, sizes):
            return None
        places = _Search(piece, sizes, kinds, bend).run()
        if places:
            return places
    return None


def _length(kinds):
    """Return how many tiles lengthwise are as long."""
    return sum(0.5 if kind == SHORT else 1 for kind in kinds)


@lru_cache(maxsize=1024)
def _capacity(degrees, half, room, sizes):
    """Return how many tiles lengthwise have room at the most."""
    piece = Piece(degrees, half, room, sizes[0])
    searches = [_Search(piece, sizes, (LONG,) * MANY, bend) for bend in _BENDS]
    for search in searches:
        search.run()
    return 1 + max(search.deepest for search in searches)


def folded(degrees, half, room, sizes, kinds):
    """Return (places, which tiles they are) where not all have room: the first, then a place for
    the pile of those hidden (None), then the last ones and the place of the next."""
    for shown in range(min(_capacity(degrees, half, room, sizes), len(kinds) - 1), 1, -1):
        first = () if shown < 4 else (0,)
        last = range(len(kinds) - (shown - 1 - len(first)), len(kinds))
        picked = (*first, None, *last)
        some = tuple(LONG if n is None else kinds[n] for n in picked)
        places = laid(degrees, half, room, sizes, some)
        if places:
            return places, picked
    hub, width, _ = sizes
    return [(hub + width, 0, OUT), (hub + 2.6 * width, 0, OUT)], (None, len(kinds) - 1)
