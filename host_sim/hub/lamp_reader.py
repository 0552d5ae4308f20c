# SPDX-License-Identifier: MIT
"""Reading the lamps back from the bytes on the wire, as a person does: by place and movement.

Nothing here knows what the firmware wanted to show. Levels are only ever compared with the same
pixel's, so brightness and budget do not matter; hues only tell the answers and the closed train's
blink apart. From roundhouse.lamps comes the language alone: the letters' hues and the rhythm in
which doubles count.
"""

from math import hypot, log

from roundhouse import constants, lamps
from roundhouse.palettes import PALETTES

_TICK = 1 << lamps.TICK_SHIFT
_LATE = 90  # ms a frame may come late
_DOUBLES = [levels for _, (moves, levels), _ in lamps.LETTERS if moves == lamps.COUNTS]
_DARK_MOST = max(dark for _, _, dark in _DOUBLES) * _TICK  # within a count
_LIT_MOST = max(lamps.BEAT - dark for _, _, dark in _DOUBLES) * _TICK
# A lamp lit for longer than a pulse has ended its count; one dark for longer is no double.
_COUNTED = _LIT_MOST + _LATE
_ABSENT = _DARK_MOST + _LATE

_GLANCE = 40  # two frames
_STILL = 800  # a turn lamp that has not moved by then is not breathing
_BREATH = 140  # enough of a breath to tell fast from slow
_FAST = 0.3  # change of the level's logarithm in that time, its largest step left out
_FLASH = 0.5  # a step no breath makes
_QUICK = 3  # blinks in the time that a slow lamp takes for one
_TEN = 190  # ms of a flash that stands for ten
_BETWEEN = 450  # ms of darkness between two times that a number is told
_LONG_FLASH = 300  # a turn lamp at its brightest for so long does not breathe
_SECOND_BLINK = (240, 360)  # ms from a refusal's first blink to its second


class LampReader:
    """slots: the slot ids in board order, four pixels each; palette: one of PALETTES.

    Feed every frame to `see`. Call `reset` before an input; what was seen before is forgotten, and
    once the input's line is out, wait for `settled`. The beginning of an answer (green, red or
    white) is looked for as well: the board starts its doubles anew there, so the reader does too.
    """

    def __init__(self, slots, palette=PALETTES["standard"]):
        self.slots = tuple(slots)
        self._order = sorted(range(len(self.slots)), key=lambda p: self.slots[p] or 99)
        self._trains_at = [p for p, slot in enumerate(self.slots) if slot != constants.E]
        self._turns = _hues(lamps.TURN, palette)
        self._answers = _hues(lamps.ANSWER, palette)
        self._trains = _hues(lamps.OPEN, palette)
        n = len(self.slots)
        self._grb = bytes(12 * n)
        self._red = [None] * n  # when the last red blink began
        self._shown = [""] * n  # letter on the answer pixel now
        self._seen = 0  # when the last frame came
        self._last = [""] * n  # last answer since reset
        self.reset(0)

    def reset(self, now):
        """Forget what was seen before now (ms), but for the picture itself."""
        self._last = [""] * len(self.slots)
        self._ran = []
        self._flashed = 0
        self._swings = [0] * len(self.slots)  # of an open lamp that stays lit
        self._forget(now)

    def _forget(self, now, marked=False):
        n = len(self.slots)
        self._base = self._now = now
        self._lit = [[] for _ in range(n)]  # of lamp 0: when it became lit
        self._told = []  # of E's lamp 1: (ms, lit) at each change
        self._top = [0] * n  # of lamp 0: the brightest it has been,
        self._level_since = [now] * n  # and since when it is as bright as it is
        self._moves = [[] for _ in range(n)]  # of lamp 0: (ms, change of the level's logarithm)
        self._open_since = [now] * n
        # Lamp 2: since when lit or dark, gaps counted, whether the count's beginning was seen,
        # and the place read.
        self._since = [now] * n
        self._gaps = [0] * n
        self._synced = [marked] * n
        self._read = [None] * n
        if marked:
            for p in range(n):
                if not any(self._grb[12 * p + 6 : 12 * p + 9]):
                    self._read[p] = 0
        self._turn_since = [now] * n
        self._animated = self._blocks()

    def _blocks(self):
        """An animation lights slots as whole blocks; lamps of three hues never look alike."""
        grb = self._grb
        for j in range(0, len(grb), 12):
            turn = grb[j : j + 3]
            if turn == grb[j + 3 : j + 6] == grb[j + 6 : j + 9] and any(turn):
                return True
        return False

    def see(self, now, grb):
        """A frame: now in ms, grb the 12 bytes of each slot."""
        late = now - self._seen > _LATE
        self._now = self._seen = now
        old = self._grb
        if grb == old:
            return
        self._grb = grb = bytes(grb)
        if self._blocks():
            self._animated = True
        elif self._animated:
            self._forget(now)
        mark = False
        for p in range(len(self.slots)):
            j = 12 * p
            if grb[j : j + 12] == old[j : j + 12]:
                continue
            if grb[j + 9 : j + 12] != old[j + 9 : j + 12] and self._see_answer(now, p):
                mark = True
            if not mark:
                self._see_lamps(now, p, old)
        if mark:
            # a turn lamp breathes: where frames were missing, the count may have gone on
            self._forget(now, marked=not (late and any(old[::12])))

    def _see_answer(self, now, p):
        """True when an answer begins."""
        before = self._shown[p]
        shown = self._shown[p] = _hue(self._grb[12 * p + 9 : 12 * p + 12], self._answers)
        if shown == before or not shown:
            return False
        if shown == "b":
            self._ran.append(self.slots[p])
        if shown not in lamps.ANSWERS:
            return False
        self._last[p] = shown
        if shown != "r":
            return True
        before, self._red[p] = self._red[p], now
        first, last = _SECOND_BLINK
        return before is None or not first <= now - before <= last

    def _see_lamps(self, now, p, old):
        j = 12 * p
        new = self._grb
        self._see_turn(now, p, old)
        was, level = sum(old[j + 3 : j + 6]), sum(new[j + 3 : j + 6])
        if was and level and not 1 - _FLASH < level / was < 1 + _FLASH:
            self._swings[p] += 1
        if any(old[j + 3 : j + 6]) != any(new[j + 3 : j + 6]):
            self._open_since[p] = now
            if self.slots[p] == constants.E:
                self._told.append((now, any(new[j + 3 : j + 6])))
        lit = any(new[j + 6 : j + 9])
        if lit == any(old[j + 6 : j + 9]):
            return
        length = now - self._since[p]
        self._since[p] = now
        if lit:
            if length >= _ABSENT or self._read[p] == 0:
                # A double that was not there: where in its count it is cannot be known yet.
                self._synced[p], self._gaps[p], self._read[p] = False, 0, None
        else:
            if length >= _COUNTED:
                if self._synced[p] and self._gaps[p]:
                    self._read[p] = self._gaps[p]
                self._synced[p], self._gaps[p] = True, 0
            self._gaps[p] += 1

    def _see_turn(self, now, p, old):
        j = 12 * p
        new = self._grb
        was, level = sum(old[j : j + 3]), sum(new[j : j + 3])
        if level != was:
            at_its_top = was >= self._top[p] and now - self._level_since[p] >= _LONG_FLASH
            if at_its_top and self.slots[p] != constants.E:
                self._flashed = self.slots[p]
            if not was:
                self._lit[p].append(now)
            self._level_since[p] = now
            self._top[p] = max(self._top[p], level)
            if was and level:
                self._moves[p].append((now, abs(log(level / was))))
            else:
                self._moves[p].clear()
                self._turn_since[p] = now

    # What is seen, as of the last call that told the time.

    def settled(self, now):
        """Whether turn, open lamps and doubles are sure by now (ms)."""
        self._now = now
        return (
            not self._animated
            and now - self._base >= _GLANCE
            and self._turn() is not None
            and all(self._is_open(p) is not None for p in self._trains_at)
            and all(self._place(p) is not None for p in self._trains_at)
        )

    def turn(self):
        """The seat whose turn lamp breathes or flashes, or 0."""
        return self._turn() or 0

    def drawn(self):
        """Whether it breathes fast; None while that is not sure (or the lamp calls attention)."""
        seat = self._turn()
        if not seat:
            return False
        p = self.slots.index(seat)
        now = self._now
        if now - self._turn_since[p] < _BREATH or now - self._base < _BREATH:
            return None
        if self._level(p) >= self._top[p] and now - self._level_since[p] >= 3 * _GLANCE:
            return None  # it flashes: how it breathes will be seen
        recent = [d for at, d in self._moves[p] if now - at <= _BREATH]
        if len(recent) > 1 and max(recent) > _FLASH and self._level(p) > 12:
            return None
        return bool(recent) and sum(recent) - max(recent) > _FAST

    def open(self):
        """The slots whose open lamp is lit steadily, in console order (1..10, M, E)."""
        return [self.slots[p] for p in self._order if self.slots[p] and self._is_open(p)]

    def doubles(self):
        """The slots with an open double, in closing order."""
        read = [(self._place(p), p) for p in self._order if self.slots[p]]
        return [self.slots[p] for place, p in sorted(read, key=lambda r: r[0] or 0) if place]

    def answer(self, slot):
        """The last answer at the slot since reset: g, r, w, or empty."""
        return self._last[self.slots.index(slot)]

    def ran(self):
        """The slots that a light round the rim has passed since reset, in its order."""
        return self._ran

    def flashed(self):
        """The seat whose turn lamp has given one long flash since reset, or 0."""
        return self._flashed

    def flashing(self):
        """The slots whose open lamp has flashed since reset, in console order."""
        return [self.slots[p] for p in self._order if self._swings[p] > 1]

    def calls(self, ms):
        """The seat whose turn lamp has blinked quickly for the last ms, or 0."""
        for p, slot in enumerate(self.slots):
            if sum(self._now - at <= ms for at in self._lit[p]) >= _QUICK:
                return slot
        return 0

    def takes(self):
        """The number that E's lamps have told, or 0."""
        number, whole = 0, False
        for (begin, lit), (end, _) in zip(self._told, self._told[1:]):
            length = end - begin
            if lit:
                number += 10 if length >= _TEN else 1
            elif length >= _BETWEEN:
                if whole and number:
                    return number
                number, whole = 0, True
        return 0

    def beside(self, slot):
        """The letter its answer lamp shows now: g, r, w, b, v, h, k, n, or empty when dark."""
        return self._shown[self.slots.index(slot)]

    # One lamp; None: not sure yet.

    def _level(self, p):
        return sum(self._grb[12 * p : 12 * p + 3])

    def _turn(self):
        seats = (p for p, slot in enumerate(self.slots) if slot not in (constants.E, constants.M))
        # one that was fined blinks in another hue
        lit = [
            p for p in seats if _hue(self._grb[12 * p : 12 * p + 3], self._turns) not in ("", "f")
        ]
        # A turn lamp is never dark, and there is never more than one.
        if len(lit) != 1:
            return 0
        p = lit[0]
        if len(self._moves[p]) > 1:
            return self.slots[p]
        since = max(self._base, self._turn_since[p])
        return 0 if self._now - since >= _STILL else None

    def _is_open(self, p):
        j = 12 * p + 3
        if not any(self._grb[j : j + 3]):
            return False
        if _hue(self._grb[j : j + 3], self._trains) == "o":
            return True
        # The closed train's blinks are short: whatever stays lit is open.
        if self._now - self._open_since[p] >= _COUNTED:
            return True
        return False if self._open_since[p] > self._base else None

    def _place(self, p):
        """Place of the slot's double in the closing order, 0: none."""
        lit = any(self._grb[12 * p + 6 : 12 * p + 9])
        length = self._now - self._since[p]
        if not lit and length >= _ABSENT:
            return 0
        if lit and length >= _COUNTED and self._synced[p] and self._gaps[p]:
            return self._gaps[p]
        return self._read[p]


def _unit(rgb):
    """R, G, B as a direction, in the wire's order."""
    r, g, b = rgb
    length = hypot(r, g, b)
    return g / length, r / length, b / length


def _hues(k, palette):
    """Return lamp k's hues: (letter, direction) pairs, the first letter of each colour."""
    found = {}
    for (lamp, letter, _, colour, _), _, _ in lamps.LETTERS:
        if lamp == k:
            found.setdefault(colour, (letter, _unit(palette[colour])))
    return list(found.values())


def _hue(grb, hues):
    """The name of the nearest hue; empty when dark. hues: (name, direction) pairs."""
    g, r, b = grb
    if not (g or r or b):
        return ""
    return max(hues, key=lambda hue: g * hue[1][0] + r * hue[1][1] + b * hue[1][2])[0]
