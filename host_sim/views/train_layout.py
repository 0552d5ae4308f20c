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
TRIES = 260  # tiles that are put down in search of one way
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

    last: size of the next tile's place; kinds: SHORT, LONG or LAST, tile by tile; side: RIGHT or LEFT, where it bends first; rows: to
    and fro in rows, else around its own beginning; deepest: how many tiles it ever had down.
    """

    def __init__(self, piece, width, last, kinds, side, rows):
        self.piece, self.width, self.kinds = piece, width, kinds
        self.last = last
        self.side, self.rows = side, rows
        self.deepest = 0
        self.tries = TRIES

    def run(self):
        """Return [(out, aside, heading), ...], or None."""
        start = (self.piece.hub + GAP * self.width, 0)
        return self._put(0, start, OUT, self.side, False, ())

    def _put(self, n, at, heading, side, corner, down):
        """Put down the tiles from the n-th on, at the end `at`; corner: the last one bent."""
        self.deepest = max(self.deepest, n)
        if n == len(self.kinds):
            return [place[:3] for place in down]
        for turned, next_side in self._ways(heading, side, corner):
            self.tries -= 1
            if self.tries < 0:
                return None
            if turned != heading and (not n or self.kinds[n] == SHORT):
                continue
            found = self._lie(n, at, heading, turned, down)
            if found:
                place, end = found
                done = self._put(n + 1, end, turned, next_side, turned != heading, (*down, place))
                if done:
                    return done
        return None

    def _ways(self, heading, side, corner):
        """The headings to try, with the side to which it bends next."""
        other = LEFT if side == RIGHT else RIGHT
        if not self.rows:
            turn = (heading + (1 if self.side == RIGHT else 3)) % 4
            return ((heading, side), (turn, side))
        if heading == OUT:
            ways = ((side, other), (OUT, side))
            return ways if corner else ways[::-1]
        return ((heading, side), (OUT, side))

    def _lie(self, n, at, heading, turned, down):
        """Return ((out, aside, heading, deep, broad), the end behind it) of a tile, or None."""
        w, kind = self.width, self.kinds[n]
        (a, b), (c, d) = _WAYS[heading], _WAYS[turned]
        out, aside = at
        length = {SHORT: w, LONG: 2 * w, LAST: self.last}[kind]
        if turned != heading:
            crosswise = n and self.kinds[n - 1] == SHORT
            # from a double's end it goes on, else around the corner of the last tile
            back, on = (-w / 2 - GAP * w, w + GAP * w) if crosswise else (w / 2, -w / 2)
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


@lru_cache(maxsize=4096)
def laid(degrees, half, room, sizes, kinds):
    """Return the places of a train's tiles: ([(out, aside, heading), ...] or None, how many have
    room at the most); see Piece for the first three, _Search for `kinds`.

    sizes: (radius where trains begin, a tile's width, that of the next tile's place).
    """
    hub, width, last = sizes
    piece = Piece(degrees, half, room, hub)
    deepest = 0
    for rows, side in ((False, RIGHT), (False, LEFT), (True, LEFT), (True, RIGHT)):
        search = _Search(piece, width, last, kinds, side, rows)
        places = search.run()
        if places:
            return places, len(kinds)
        deepest = max(deepest, search.deepest)
    return None, deepest


def folded(degrees, half, room, sizes, kinds):
    """Return (places, which tiles they are) where not all have room: the first, then a place for
    the pile of those hidden (None), then the last ones and the place of the next."""
    _, deepest = laid(degrees, half, room, sizes, kinds)
    for shown in range(min(deepest, len(kinds) - 2), 1, -1):
        first = () if shown < 4 else (0,)
        last = range(len(kinds) - (shown - 1 - len(first)), len(kinds))
        picked = (*first, None, *last)
        some = tuple(LONG if n is None else kinds[n] for n in picked)
        places, _ = laid(degrees, half, room, sizes, some)
        if places:
            return places, picked
    hub, width, _ = sizes
    places = [(hub + width, 0, OUT), (hub + 2.6 * width, 0, OUT)]
    return places, (None, len(kinds) - 1)
