# SPDX-License-Identifier: MIT
"""Finds out what the lamps show from the bytes sent to the pixels. Like a person, it uses the
places of the lamps and how their brightness changes, but not what the firmware meant to show.

It uses colours only to tell answers from each other, and an open train's lamp from a closed
train's blinking lamp.

The lamps' letters, colours and rhythms come from roundhouse.lamp_letters.
"""

from collections.abc import Mapping, Sequence
from math import hypot, log

from roundhouse import constants, lamp_letters
from roundhouse.palettes import PALETTES

RGB = tuple[int, int, int]
Hue = tuple[str, tuple[float, float, float]]  # a letter, and its colour as a direction in G, R, B

_TICK = 1 << lamp_letters.TICK_SHIFT
_LATE = 90  # ms a frame may come late
_DOUBLES = [
    levels for _, (moves, levels), _ in lamp_letters.LETTERS if moves == lamp_letters.COUNTS
]
_LONGEST_DARK = max(dark for _, _, dark in _DOUBLES) * _TICK  # within a count
_LONGEST_LIT = max(lamp_letters.BEAT - dark for _, _, dark in _DOUBLES) * _TICK
# A lamp lit for longer than a pulse has ended its count; one dark for longer is not a double.
_COUNTED = _LONGEST_LIT + _LATE
_ABSENT = _LONGEST_DARK + _LATE

_GLANCE = 40  # ms: two frames
_STILL = 800  # ms after which a turn lamp that has not moved is not breathing
_FAINT = 24  # sum of a lamp's bytes up to which the steps of a breath are far apart
_STILL_IF_FAINT = 3200  # ms instead of _STILL: a whole breath
_BREATH = 140  # ms: enough of a breath to tell fast from slow
_FAST = 0.3  # change of the level's logarithm in _BREATH, its largest step left out
_FLASH = 0.5  # a larger step than any breath makes
_QUICK = 3  # blinks in the time a slow lamp takes for one
_TEN = 190  # ms of a flash that stands for ten
_BETWEEN = 450  # ms of darkness between two counts of a number
_LONG_FLASH = 300  # ms at its brightest after which a turn lamp is not breathing
_SURE = lamp_letters.MOST_PULSES - 1  # doubles whose count is theirs alone
_SECOND_BLINK = (240, 360)  # ms from a refusal's first blink to its second


def counted(doubles: Sequence[int]) -> list[int]:
    """Return open doubles, given in closing order, as `LampReader.doubles` does."""
    return [*doubles[:_SURE], *sorted(doubles[_SURE:])]


class LampReader:
    """Finds out from a board's frames what its lamps mean, as a player would by looking.

    Pass every frame to `add_frame`. Call `reset` before an input. After the console line for the
    input, wait until `settled` returns True; then the other methods return what the lamps show.

    The lamp of an open double shows the double's place in the closing order as a number of blinks.
    After an answer (green, red or white) the lamp begins to blink again, and this class begins to
    count again.

    slots: the slot numbers in board order, four pixels each
    palette: a palette of PALETTES
    """

    def __init__(
        self, slots: Sequence[int], palette: Mapping[str, RGB] = PALETTES["standard"]
    ) -> None:
        self.slots = tuple(slots)
        self._order = sorted(range(len(self.slots)), key=lambda p: self.slots[p] or 99)
        self._trains_at = [p for p, slot in enumerate(self.slots) if slot != constants.E]
        self._turns = _hues(lamp_letters.TURN, palette)
        self._answers = _hues(lamp_letters.ANSWER, palette)
        self._trains = _hues(lamp_letters.OPEN, palette)
        n = len(self.slots)
        self._grb = bytes(12 * n)
        self._red_since: list[int | None] = [None] * n  # when the last red blink began
        self._shown = [""] * n  # letter on the answer pixel now
        self._frame_ms = 0  # when the last frame came
        self._answered = [""] * n  # last answer since reset
        self.reset(0)

    def reset(self, now: int) -> None:
        """Forget everything seen before the time `now` (in ms), except the latest frame."""
        self._answered = [""] * len(self.slots)
        self._ran: list[int] = []
        self._flashed = 0
        self._swings = [0] * len(self.slots)  # large changes of an open lamp that stays lit
        self._forget(now)

    def _forget(self, now: int, counts_start: bool = False) -> None:
        n = len(self.slots)
        self._base = self._now = now
        self._lit_at: list[list[int]] = [[] for _ in range(n)]  # turn lamp: when it lit up
        self._number: list[tuple[int, bool]] = []  # E's open lamp: (ms, lit) at each change
        self._top = [0] * n  # turn lamp: the brightest it has been,
        self._level_since = [now] * n  # and since when it has had its level
        # turn lamp: (ms, change of the level's logarithm)
        self._moves: list[list[tuple[int, float]]] = [[] for _ in range(n)]
        self._open_since = [now] * n
        # Double's lamp: since when lit or dark, gaps counted, whether the count's start was seen,
        # and the place read.
        self._since = [now] * n
        self._gaps = [0] * n
        self._synced = [counts_start] * n
        self._read: list[int | None] = [None] * n
        if counts_start:
            for p in range(n):
                if not any(self._grb[12 * p + 6 : 12 * p + 9]):
                    self._read[p] = 0
        self._turn_since = [now] * n
        self._animated = self._blocks()

    def _blocks(self) -> bool:
        """Return whether an animation is running."""
        grb = self._grb
        for j in range(0, len(grb), 12):
            turn = grb[j : j + 3]
            if turn == grb[j + 3 : j + 6] == grb[j + 6 : j + 9] and any(turn):
                return True
        return False

    def add_frame(self, now: int, grb: bytes) -> None:
        """Take a frame. now: the time in ms; grb: 12 bytes for each slot."""
        late = now - self._frame_ms > _LATE
        self._now = self._frame_ms = now
        old = self._grb
        if grb == old:
            return
        self._grb = grb = bytes(grb)
        if self._blocks():
            self._animated = True
        elif self._animated:
            self._forget(now)
        begins = False  # an answer
        for p in range(len(self.slots)):
            j = 12 * p
            if grb[j : j + 12] == old[j : j + 12]:
                continue
            if grb[j + 9 : j + 12] != old[j + 9 : j + 12] and self._answer_begins(now, p):
                begins = True
            if not begins:
                self._follow_lamps(now, p, old)
        if begins:
            # a turn lamp breathes: where frames were missing, the count may have gone on
            self._forget(now, counts_start=not (late and any(old[::12])))

    def _answer_begins(self, now: int, p: int) -> bool:
        before = self._shown[p]
        shown = self._shown[p] = _hue(self._grb[12 * p + 9 : 12 * p + 12], self._answers)
        if shown == before or not shown:
            return False
        if shown == "b":
            self._ran.append(self.slots[p])
        if shown not in lamp_letters.ANSWERS:
            return False
        self._answered[p] = shown
        if shown != "r":
            return True
        since, self._red_since[p] = self._red_since[p], now
        first, last = _SECOND_BLINK
        return since is None or not first <= now - since <= last

    def _follow_lamps(self, now: int, p: int, old: bytes) -> None:
        j = 12 * p
        new = self._grb
        self._follow_turn(now, p, old)
        was, level = sum(old[j + 3 : j + 6]), sum(new[j + 3 : j + 6])
        if was and level and not 1 - _FLASH < level / was < 1 + _FLASH:
            self._swings[p] += 1
        if any(old[j + 3 : j + 6]) != any(new[j + 3 : j + 6]):
            self._open_since[p] = now
            if self.slots[p] == constants.E:
                self._number.append((now, any(new[j + 3 : j + 6])))
        lit = any(new[j + 6 : j + 9])
        if lit == any(old[j + 6 : j + 9]):
            return
        length = now - self._since[p]
        self._since[p] = now
        if lit:
            if length >= _ABSENT or self._read[p] == 0:
                # A double that was not there: its place in the count cannot be known yet.
                self._synced[p], self._gaps[p], self._read[p] = False, 0, None
        else:
            if length >= _COUNTED:
                if self._synced[p] and self._gaps[p]:
                    self._read[p] = self._gaps[p]
                self._synced[p], self._gaps[p] = True, 0
            self._gaps[p] += 1

    def _follow_turn(self, now: int, p: int, old: bytes) -> None:
        j = 12 * p
        new = self._grb
        was, level = sum(old[j : j + 3]), sum(new[j : j + 3])
        if level != was:
            at_its_top = was >= self._top[p] and now - self._level_since[p] >= _LONG_FLASH
            if at_its_top and self.slots[p] != constants.E:
                self._flashed = self.slots[p]
            if not was:
                self._lit_at[p].append(now)
            self._level_since[p] = now
            self._top[p] = max(self._top[p], level)
            if was and level:
                self._moves[p].append((now, abs(log(level / was))))
            else:
                self._moves[p].clear()
                self._turn_since[p] = now

    # ---- what the lamps show ----

    def settled(self, now: int) -> bool:
        """Return whether the turn, the open lamps and the doubles have been seen long enough. now:
        the time in ms."""
        self._now = now
        return (
            not self._animated
            and now - self._base >= _GLANCE
            and self._turn() is not None
            and all(self._is_open(p) is not None for p in self._trains_at)
            and all(self._place(p) is not None for p in self._trains_at)
        )

    def turn(self) -> int:
        """Return the seat whose turn lamp breathes or flashes; 0 if there is none."""
        return self._turn() or 0

    def drawn(self) -> bool | None:
        """Return whether the seat to move has drawn, which its turn lamp shows by breathing fast.

        Return None while this is uncertain.
        """
        seat = self._turn()
        if not seat:
            return False
        p = self.slots.index(seat)
        now = self._now
        if now - self._turn_since[p] < _BREATH or now - self._base < _BREATH:
            return None
        if self._level(p) >= self._top[p] and now - self._level_since[p] >= 3 * _GLANCE:
            return None  # it flashes, and breathes again later
        recent = [d for at, d in self._moves[p] if now - at <= _BREATH]
        if len(recent) > 1 and max(recent) > _FLASH and self._level(p) > 12:
            return None
        return bool(recent) and sum(recent) - max(recent) > _FAST

    def open(self) -> list[int]:
        """Return the slots whose open lamp is lit steadily, in the order 1, 2 ..., M."""
        return [self.slots[p] for p in self._order if self.slots[p] and self._is_open(p)]

    def doubles(self) -> list[int]:
        """Return the slots with an open double, in the order in which they must be closed; from
        the eleventh on, where all lamps count eleven, in the order of `open`."""
        read = [(self._place(p), p) for p in self._order if self.slots[p]]
        return [self.slots[p] for place, p in sorted(read, key=lambda r: r[0] or 0) if place]

    def answer(self, slot: int) -> str:
        """Return the last answer at a slot since `reset`: "g", "r", "w", or ""."""
        return self._answered[self.slots.index(slot)]

    def ran(self) -> list[int]:
        """Return the slots that a light on the rim has passed since `reset`, in the order of
        passing."""
        return self._ran

    def flashed(self) -> int:
        """Return the seat whose turn lamp has given one long flash since `reset`, or 0."""
        return self._flashed

    def flashing(self) -> list[int]:
        """Return the slots whose open lamp has flashed since `reset`, in the order 1, 2 ..., M,
        E."""
        return [self.slots[p] for p in self._order if self._swings[p] > 1]

    def calls(self, ms: int) -> int:
        """Return the seat whose turn lamp has blinked quickly for at least the last `ms`
        milliseconds, or 0."""
        for p, slot in enumerate(self.slots):
            if sum(self._now - at <= ms for at in self._lit_at[p]) >= _QUICK:
                return slot
        return 0

    def takes(self) -> int:
        """Return the number that E's lamp has counted out in blinks, or 0."""
        number, whole = 0, False
        for (begin, lit), (end, _) in zip(self._number, self._number[1:]):
            length = end - begin
            if lit:
                number += 10 if length >= _TEN else 1
            elif length >= _BETWEEN:
                if whole and number:
                    return number
                number, whole = 0, True
        return 0

    def answer_now(self, slot: int) -> str:
        """Return the letter that the answer lamp of a slot shows now; "" if the lamp is dark."""
        return self._shown[self.slots.index(slot)]

    # ---- one lamp; None: not certain yet ----

    def _level(self, p: int) -> int:
        return sum(self._grb[12 * p : 12 * p + 3])

    def _turn(self) -> int | None:
        seats = (p for p, slot in enumerate(self.slots) if slot not in (constants.E, constants.M))
        # a seat that was fined blinks in another hue
        lit = [
            p for p in seats if _hue(self._grb[12 * p : 12 * p + 3], self._turns) not in ("", "f")
        ]
        # A turn lamp is never dark, and there is at most one.
        if len(lit) != 1:
            return 0
        p = lit[0]
        if len(self._moves[p]) > 1:
            return self.slots[p]
        since = max(self._base, self._turn_since[p])
        still = _STILL if self._level(p) > _FAINT else _STILL_IF_FAINT
        return 0 if self._now - since >= still else None

    def _is_open(self, p: int) -> bool | None:
        j = 12 * p + 3
        if not any(self._grb[j : j + 3]):
            return False
        if _hue(self._grb[j : j + 3], self._trains) == "o":
            return True
        # A closed train's blinks are short: a lamp that stays lit is open.
        if self._now - self._open_since[p] >= _COUNTED:
            return True
        return False if self._open_since[p] > self._base else None

    def _place(self, p: int) -> int | None:
        """Return the place of a slot's open double in the closing order: 1 for the first.

        Return 0 if the slot has no open double, None while the double's place is unknown.
        """
        lit = any(self._grb[12 * p + 6 : 12 * p + 9])
        length = self._now - self._since[p]
        if not lit and length >= _ABSENT:
            return 0
        if lit and length >= _COUNTED and self._synced[p] and self._gaps[p]:
            return self._gaps[p]
        return self._read[p]


def _unit(rgb: RGB) -> tuple[float, float, float]:
    """Return a colour as a vector (G, R, B) of length 1."""
    r, g, b = rgb
    length = hypot(r, g, b)
    return g / length, r / length, b / length


def _hues(lamp: int, palette: Mapping[str, RGB]) -> list[Hue]:
    """Return [(letter, colour), ...] for the colours that a lamp (0..3) can show, each colour
    once."""
    found: dict[str, Hue] = {}
    for (other, letter, _, colour, _), _, _ in lamp_letters.LETTERS:
        if other == lamp:
            found.setdefault(colour, (letter, _unit(palette[colour])))
    return list(found.values())


def _hue(grb: bytes, hues: Sequence[Hue]) -> str:
    """Return the letter whose colour is nearest to grb; "" if the pixel is dark."""
    g, r, b = grb
    if not (g or r or b):
        return ""
    return max(hues, key=lambda hue: g * hue[1][0] + r * hue[1][1] + b * hue[1][2])[0]
