# SPDX-License-Identifier: MIT
"""Finds places for the tiles of a train: straight outwards, or bent within the slot's sector.

A place is (out, aside, heading):

out: the distance from the middle of the hub along the slot's axis
aside: the distance to the right of the axis, as seen from the hub
heading: the direction in which the train continues: OUT, RIGHT, IN or LEFT
"""

from collections.abc import Sequence
from functools import lru_cache
from math import cos, pi, sin, tan
from typing import Any, NamedTuple

OUT, RIGHT, IN, LEFT = range(4)
_WAYS = ((1, 0), (0, 1), (-1, 0), (0, -1))
GAP = 0.1  # between tiles that touch, in tile widths
APART = 0.3  # between a tile and those it does not touch
TRIES = (10, 2)  # tiles put down in one search: a fixed number, and more for each tile
SHORT, LONG, LAST = 1, 2, 3  # a crosswise tile, a lengthwise tile, the place of the next one


Room = tuple[float, float]
Sizes = tuple[float, float, float]
Kinds = tuple[int, ...]
Place = tuple[float, float, int]  # out, aside, heading
Box = tuple[float, float, int, float, float]  # out, aside, heading, deep, broad
Bent = tuple[int, int, int, bool]


class Piece:
    """A slot's sector of the table: a wedge around the slot's axis.

    degrees: the direction of the axis, clockwise from the top
    half: half of the angle of the wedge, in degrees
    room: (width, height) of the table, with the hub in the middle
    hub: the distance from the middle at which trains begin
    """

    def __init__(self, degrees: float, half: float, room: Room, hub: float) -> None:
        self.sin, self.cos = sin(degrees * pi / 180), cos(degrees * pi / 180)
        self.slope = tan(half * pi / 180) if half < 89 else None
        self.alone = half > 91
        self.wide, self.high = room[0] / 2, room[1] / 2
        self.hub = hub

    def holds(self, out: float, aside: float, deep: float, broad: float, rim: float) -> bool:
        """Return whether a rectangle is inside the sector.

        out, aside: the centre of the rectangle
        deep: half of the rectangle's size along the axis
        broad: half of the rectangle's size across the axis
        rim: the least distance to keep from the neighbouring sectors
        """
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
    """A search for places for all tiles of a train.

    sizes: (distance where trains begin, width of a tile, width of the next tile's place)
    kinds: SHORT for each crosswise tile, LONG for each lengthwise one, at the end LAST for the
        next tile
    bend: (count of straight tiles before the first row, or 0 for no rows; side of the first bend,
        RIGHT or LEFT; greatest count of bends)
    deepest: the most tiles placed so far
    """

    def __init__(self, piece: Piece, sizes: Sizes, kinds: Kinds, bend: tuple[int, int, int]):
        self.piece, self.kinds = piece, kinds
        _, self.width, self.last = sizes
        self.straight, self.side, self.bends = bend
        self.deepest = 0
        self.tries = TRIES[0] + TRIES[1] * len(kinds)

    def run(self, laid: Sequence[Place] = ()) -> list[Place] | None:
        """Return the places of all tiles, or None if the tiles do not fit.

        laid: the places of the first tiles, which stay where they are
        """
        at: tuple[float, float] = (self.piece.hub + GAP * self.width, 0)
        bent: Bent = (OUT, self.side, 0, False)
        down: tuple[Box, ...] = ()
        for n, place in enumerate(laid):
            heading = place[2]
            side = next((s for turned, s in self._ways(n, bent) if turned == heading), bent[1])
            bows = heading != bent[0]
            box, at = self._box(n, place)
            bent, down = (heading, side, bent[2] + bows, bows), (*down, box)
        return self._put(at, bent, down)

    def _box(self, n: int, place: Place) -> tuple[Box, tuple[float, float]]:
        """Return (box, new end of the train) for tile n at a place. A box is as in `_lie`."""
        out, aside, turned = place
        c, d = _WAYS[turned]
        w, kind = self.width, self.kinds[n]
        length = {SHORT: w, LONG: 2 * w, LAST: self.last}[kind]
        along, across = length / 2, {SHORT: w, LONG: w / 2, LAST: self.last / 2}[kind]
        deep, broad = (along, across) if turned in (OUT, IN) else (across, along)
        reach = length / 2 + GAP * w
        return (out, aside, turned, deep, broad), (out + c * reach, aside + d * reach)

    def _put(self, at: tuple[float, float], bent: Bent, down: tuple[Box, ...]) -> Any:
        """Return the places of all tiles, or None if the remaining ones do not fit.

        at: the end of the train so far
        bent: (heading, side of the next bend, count of bends, whether the last tile was a bend)
        down: the boxes of the tiles placed so far
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

    def _ways(self, n: int, bent: Bent) -> tuple[tuple[int, int], ...]:
        """Return the headings to try for tile n, as [(heading, side of the next bend), ...].

        bent: as in `_put`
        """
        heading, side, bends, corner = bent
        other = LEFT if side == RIGHT else RIGHT
        if not self.straight:
            return ((heading, side), ((heading + (1 if side == RIGHT else 3)) % 4, side))
        if heading != OUT:
            return ((heading, side), (OUT, side))
        if corner or n >= self.straight:
            return ((side, other), (OUT, side))
        return ((OUT, side),)

    def _lie(
        self, n: int, at: tuple[float, float], heading: int, turned: int, down: tuple[Box, ...]
    ) -> tuple[Box, tuple[float, float]] | None:
        """Return (box, new end of the train) for tile n, or None if the tile does not fit.

        heading, turned: the heading of tile n - 1, and that of tile n

        A box is (out, aside, heading, half of the size along the axis, half of the size across
        it).
        """
        w, kind = self.width, self.kinds[n]
        (a, b), (c, d) = _WAYS[heading], _WAYS[turned]
        out, aside = at
        length = {SHORT: w, LONG: 2 * w, LAST: self.last}[kind]
        if turned != heading:
            crosswise = n and self.kinds[n - 1] == SHORT
            # after a crosswise tile it continues from its end, else around the last corner
            bow = (self.last if kind == LAST else w) / 2
            back, on = (-w / 2 - GAP * w, w + GAP * w) if crosswise else (bow, -bow)
            out, aside = out + a * back + c * on, aside + b * back + d * on
        out, aside = out + c * length / 2, aside + d * length / 2
        box, end = self._box(n, (out, aside, turned))
        *_, deep, broad = box
        if not self.piece.holds(out, aside, deep, broad, APART * w / 2):
            return None
        gap = APART * w
        for other in down[:-1]:
            if (
                abs(other[0] - out) < other[3] + deep + gap
                and abs(other[1] - aside) < other[4] + broad + gap
            ):
                return None
        return box, end


HOOKS = 2
MANY = 40  # more tiles than a piece has room for
# The ways of bending, the simplest first: hooks, rows, a spiral.
_BENDS = (
    *((0, side, 2) for side in (RIGHT, LEFT)),
    *((n, side, 99) for n in (3, 2, 1) for side in (RIGHT, LEFT)),
    *((0, side, 99) for side in (RIGHT, LEFT)),
)


def laid(
    degrees: float, half: float, room: Room, sizes: Sizes, kinds: Kinds
) -> list[Place] | None:
    """Return the places of a train's tiles, [(out, aside, heading), ...], or None if they do not
    fit.

    degrees: the direction of the slot's axis, clockwise from the top
    half: half of the sector's angle, in degrees
    room: (width, height) of the table, with the hub in the middle
    sizes: (distance where trains begin, width of a tile, width of the next tile's place)
    kinds: SHORT for each crosswise tile, LONG for each lengthwise one, at the end LAST for the
        next tile
    """
    found = _bent(degrees, half, room, sizes, kinds)
    return found[1] if found else None


@lru_cache(maxsize=4096)
def _bent(
    degrees: float, half: float, room: Room, sizes: Sizes, kinds: Kinds
) -> tuple[int, list[Place]] | None:
    """Return (index in _BENDS, places of the tiles) for the first bend with which the tiles fit,
    or None. The arguments are those of `laid`."""
    piece = Piece(degrees, half, room, sizes[0])
    for n, bend in enumerate(_BENDS):
        if n == HOOKS and _length(kinds) > _capacity(degrees, half, room, sizes):
            return None
        places = _Search(piece, sizes, kinds, bend).run()
        if places:
            return n, places
    return None


class Fold(NamedTuple):
    """The way in which a train is folded into its sector.

    bend: the index in _BENDS
    kinds, places: the kind and the position of each tile; the last item is for the next tile
    """

    bend: int
    kinds: Kinds
    places: list[Place]


def extended(
    fold: Fold, degrees: float, half: float, room: Room, sizes: Sizes, kinds: Kinds
) -> Fold | None:
    """Return the Fold after a change at the train's end, or None if there is no room. Tiles that
    stay keep their places.

    fold: the train's previous Fold
    degrees, half, room, sizes, kinds: as for `laid`
    """
    if kinds == fold.kinds:
        return fold
    same = 0
    for old, new in zip(fold.kinds[:-1], kinds[:-1]):
        if old != new:
            break
        same += 1
    piece = Piece(degrees, half, room, sizes[0])
    places = _Search(piece, sizes, kinds, _BENDS[fold.bend]).run(fold.places[:same])
    return Fold(fold.bend, kinds, places) if places else None


def spacious(
    degrees: float, half: float, room: Room, sizes: Sizes, kinds: Kinds, spare: int
) -> Fold | None:
    """Return a new Fold of a train, or None if there is no room.

    degrees, half, room, sizes, kinds: as for `laid`
    spare: the count of further lengthwise tiles to leave room for
    """
    longer = (*kinds[:-1], *(LONG,) * spare, LAST)
    found = _bent(degrees, half, room, sizes, longer)
    return (
        extended(Fold(found[0], longer, found[1]), degrees, half, room, sizes, kinds)
        if found
        else None
    )


def _length(kinds: Kinds) -> float:
    """Return the length of a train in tile lengths; a crosswise tile counts half."""
    return sum(0.5 if kind == SHORT else 1 for kind in kinds)


@lru_cache(maxsize=1024)
def _capacity(degrees: float, half: float, room: Room, sizes: Sizes) -> int:
    """Return an upper bound for the count of lengthwise tiles in a slot's sector. The arguments
    are those of `laid`."""
    piece = Piece(degrees, half, room, sizes[0])
    searches = [_Search(piece, sizes, (LONG,) * MANY, bend) for bend in _BENDS]
    for search in searches:
        search.run()
    return 1 + max(search.deepest for search in searches)


def folded(
    degrees: float, half: float, room: Room, sizes: Sizes, kinds: Kinds
) -> tuple[list[Place], Sequence[int | None]]:
    """Return (places, indices) for a train that is too long to show all tiles. A picture of a pile
    stands for the tiles left out. `indices` has one item for each place: the index in `kinds` of
    the tile there, or None where the pile is. The arguments are those of `laid`."""
    for shown in range(min(_capacity(degrees, half, room, sizes), len(kinds) - 1), 1, -1):
        first = () if shown < 4 else (0,)
        last = range(len(kinds) - (shown - 1 - len(first)), len(kinds))
        picked = (*first, None, *last)
        some = tuple(LONG if n is None else kinds[n] for n in picked)
        places = laid(degrees, half, room, sizes, some)
        if places:
            return places, picked
    return pile(sizes, True).places, (None, len(kinds) - 1)


def pile(sizes: Sizes, is_train: bool) -> Fold:
    """Return the Fold of a train drawn only as a pile and the place of the next tile.

    sizes: as for `laid`
    is_train: whether the train has any tiles
    """
    hub, width, _ = sizes
    piled, last = (hub + width, 0, OUT), (hub + 2.6 * width, 0, OUT)
    return Fold(0, (LONG, LAST), [piled, last]) if is_train else Fold(0, (LAST,), [last])
