# SPDX-License-Identifier: MIT
"""Animations, which light up whole slots for a moment.

The slot of a seat that laid its last tile breathes. Slots show points by flashes. After a round
the seats light up in turn, the best first. After a match a light circles while the winners' slots
shine. An accepted input ends all animations. The module is loaded only while one is requested or
runs.
"""

from roundhouse.constants import const
from roundhouse.lamp_letters import TICKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


# The kinds; when several wait they run in this order.
OUT = const(1)  # a seat laid its last tile
POINTS = const(2)  # points counted out in light
ROUND = const(4)  # rank order of a finished round
MATCH = const(8)  # winners of a finished match

_UNKNOWN = const(1)  # a level that no animation uses
_UNRANKED = const(255)

# Lengths in ticks.
_OUT_TICKS = const(64)
_ROUND_TICKS = const(72)
_ROUND_SPREAD = const(40)  # from the start of the first rank to that of the last, at most
_ROUND_FADE = const(16)
_MATCH_TICKS = const(76)
_MATCH_LAP = const(24)
_POINTS_TICKS = const(120)  # at most
_POINTS_UNIT = const(5)  # at most
_TAKE_UNIT = const(4)
_TAKE_TICKS = const(94)  # three seconds


def counted(n: int, unit: int, dark: int = 20) -> int:
    """Return a lamp's brightness, 0..255, at one moment while it flashes the number n, 0..999:
    long flashes for hundreds, medium for tens, short for ones.

    unit: the moment, in time units since the first flash began.
    dark: the brightness between flashes.
    """
    unit -= 2
    on = 4
    worth = 100
    while unit >= 0 and worth:
        digit = n // worth % 10
        if unit < digit * (on + 1):
            return 255 if unit % (on + 1) < on else dark
        unit -= digit * (on + 1)
        if digit:
            unit -= 2 if worth > 1 else 0
        on >>= 1
        worth //= 10
    return dark


def _units(n: int) -> int:
    """Return how many time units it takes to flash the number n, pauses included."""
    return 6 + n // 100 * 5 + n // 10 % 10 * 3 + n % 10 * 2


def taken(n: int, tick: int) -> int:
    """Return a lamp's brightness at a tick while it flashes the number n again and again."""
    return counted(n, tick % max(_TAKE_TICKS, _units(n) * _TAKE_UNIT) // _TAKE_UNIT, 0)


class Animations:
    """The animations of one board. A place is a slot's index in board order.

    hue: the colour of all animations at full brightness, as R, G, B.
    breath: the brightness levels, one per tick, for a seat that laid its last tile.

    covers: a mask of the places that the current animation lights up
    """

    def __init__(self, n: int, hue: "Sequence[int]", breath: "Sequence[int]") -> None:
        self.covers = 0
        self.waiting = 0  # mask of the kinds that were requested and have not begun
        self._fresh = 0  # those requested since the last frame
        self._kind = 0  # the one that runs; its first tick and length follow
        self._began = 0
        self._ticks = 0
        self._n = n
        self._hue = hue
        self._breath = breath
        self._shown = bytearray(n)  # level of each slot in the last frame
        self._out = 0
        self._ranks = bytearray(n)
        self._ranked = 0
        self._winners = 0
        self._points = [0] * n
        self._counted = 0
        self._unit = 1

    def ask(self, kind: int, places: "Sequence[int]") -> None:
        """Request an animation.

        kind: OUT (a seat has laid its last tile), ROUND (the round is over) or MATCH (the match is
            over).
        places: for OUT the seat's place; for ROUND the places of all seats, best first; for MATCH
            those of the winners.
        """
        mask = 0
        for place in places:
            mask |= 1 << place
        if kind == OUT:
            self._out = mask
        elif kind == MATCH:
            self._winners = mask
        else:
            self._ranked = len(places)
            for place in range(self._n):
                self._ranks[place] = _UNRANKED
            for rank in range(self._ranked):
                self._ranks[places[rank]] = rank
        self._wait(kind)

    def count_out(self, place: int, points: int) -> None:
        """Request that the slot at a place flash points, 0..999. All requests made before the next
        frame are shown together."""
        if not self.waiting & POINTS:
            self._counted = 0
        self._counted |= 1 << place
        self._points[place] = max(0, min(999, points))
        self._wait(POINTS)

    def _wait(self, kind: int) -> None:
        self.waiting |= kind
        self._fresh |= kind

    def end(self) -> None:
        """End all animations, except those requested since the last frame."""
        self.waiting &= self._fresh
        self._kind = 0
        self.covers = 0

    def step(self, tick: int) -> bool:
        """End the animation if its time is over; begin the next one if none runs. Return whether
        an animation ended or began."""
        changed = False
        if self._kind and (tick - self._began) & TICKS >= self._ticks:
            self._kind = 0
            self.covers = 0
            changed = True
        if self.waiting and not self._kind:
            self._begin(tick)
            changed = True
        self._fresh = 0
        return changed

    def _begin(self, tick: int) -> None:
        kind = self.waiting & -self.waiting
        self.waiting &= ~kind
        self._kind = kind
        self._began = tick
        if kind == OUT:
            self._ticks = _OUT_TICKS
            self.covers = self._out
        elif kind == ROUND:
            self._ticks = _ROUND_TICKS
            for place in range(self._n):
                if self._ranks[place] != _UNRANKED:
                    self.covers |= 1 << place
        elif kind == MATCH:
            self._ticks = _MATCH_TICKS
            self.covers = (1 << self._n) - 1
        else:
            self._begin_points()

    def _begin_points(self) -> None:
        units = 0
        for place in range(self._n):
            if self._counted >> place & 1:
                units = max(units, _units(self._points[place]))
        self._unit = max(1, min(_POINTS_UNIT, _POINTS_TICKS // units))
        self._ticks = units * self._unit
        self.covers = self._counted

    def repaint(self, place: int) -> None:
        """Make the next frame write the slot at a place even if the slot's light is unchanged."""
        self._shown[place] = _UNKNOWN

    def paint(self, tick: int, out: bytearray, others: bytes | bytearray) -> int:
        """Write the animation into `out`, which has R, G, B of every pixel. Return a mask of the
        places that changed.

        others: a byte per pixel; nonzero for a pixel that must stay as it is.
        """
        age = (tick - self._began) & TICKS
        hue = self._hue
        changed = 0
        for place in range(self._n):
            if not self.covers >> place & 1:
                continue
            level = self._level(place, age)
            if level == self._shown[place]:
                continue
            self._shown[place] = level
            changed |= 1 << place
            for i in range(4 * place, 4 * place + 4):
                if not others[i]:
                    out[3 * i] = (hue[0] * level + 255) >> 8
                    out[3 * i + 1] = (hue[1] * level + 255) >> 8
                    out[3 * i + 2] = (hue[2] * level + 255) >> 8
        return changed

    def _level(self, place: int, age: int) -> int:
        """Return the brightness of the slot at a place, `age` ticks after the animation began."""
        kind = self._kind
        if kind == OUT:
            return self._breath[(age + 8) % len(self._breath)]
        if kind == ROUND:
            return self._rank_level(self._ranks[place], age)
        if kind == POINTS:
            return counted(self._points[place], age // self._unit)
        if self._winners >> place & 1:
            return 90 if age % 6 > 2 else 255
        behind = (age * self._n // _MATCH_LAP - place) % self._n
        return 140 if not behind else 30 if behind == 1 else 0

    def _rank_level(self, rank: int, age: int) -> int:
        """Return the brightness of one slot in the animation ROUND, `age` ticks after it began.
        rank: 0 for the best."""
        begins = rank * (_ROUND_SPREAD // self._ranked)
        age -= begins
        if age < 0:
            return 0
        left = _ROUND_TICKS - age - begins
        if left < _ROUND_FADE:
            return 10 * left
        return 255 if age < 4 else 160
