# SPDX-License-Identifier: MIT
"""The lights: shows the table as one letter per pixel, and the letters as colours over time.

A slot has four lamps in a row: turn, open, double, answer. Pixel `4 * p + k` is lamp
`k` of the slot at place `p` of the board. lamp_letters.py defines how each letter looks and moves;
this module decides when it is shown. There are two steps:

    letters   `lamps` has the letter that each pixel shows. This is the pixel's steady letter,
              which `show` takes from the table and stores in `_rest`, unless something covers it:
              a brief letter in `_brief` (an answer, a call, the running light), an
              animation, a hold or a fault. `_compose` updates `lamps` if anything has changed.
    colours   `frame` works out the brightness of each lit pixel at the current tick, and writes
              R, G, B of the pixels that changed. This step makes no objects.

Times are ticks of 32 ms, which wrap (lamp_letters.TICKS).

    >>> from roundhouse.games.match import Match
    >>> from roundhouse.lights import Lights
    >>> from roundhouse.palettes import PALETTES
    >>> match, lights = Match(), Lights((1, 2, 0), PALETTES["standard"])
    >>> _ = match.press(1)  # seat 1 joins
    >>> lights.show(match)
    >>> changed = lights.frame(0, bytearray(3 * 4 * 3))  # three slots, four pixels, R, G, B
    >>> bytes(lights.lamps)
    b'j...........'
"""

from roundhouse import constants
from roundhouse.constants import SLOT_COUNT, const
from roundhouse.lamp_letters import (
    BEAT,
    CALLING_AT,
    LEAD,
    MOST_PULSES,
    PULSES,
    PULSES_AT,
    REST,
    TICK_SHIFT,
    TICKS,
    TONE,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from roundhouse.games.match import Match


# Letters at rest, by meaning.
_DARK = const(46)  # .
_TURN = const(116)  # t
_DRAWN = const(100)  # d
_JOINED = const(106)  # j
_TO_COUNT = const(99)  # c
_COUNTS_NEXT = const(67)  # C
_TAKES = const(110)  # n
_ENGINE = const(101)  # e
_LACKS = const(108)  # l
_WINNER = const(87)  # W
_OPEN = const(111)  # o
_DUE = const(64)  # + place in the closing order: A, B, ... K
_LATER = const(96)  # + place in the closing order: a, b, ... k
_HINT = const(104)  # h
_FAULT = const(118)  # v
_PROGRESS = const(107)  # k
_LET_GO = const(117)  # u
_COVERED = const(42)  # *, on every lamp

_CALLS = const(1)  # in place of a brief letter: the lamp calls for attention
_BOOKED = const(98)  # b, on a slot that the light round the rim passes
_AGAIN_ITS = const(66)  # B, instead of that light: it is the same seat's turn again
_RUN = const(13)  # ticks from the light's first slot to its last
_AHEAD = const(16)  # ticks by which a brief letter may at most be set before it begins
_NOWHERE = const(255)  # place of a slot that this board does not have
_AGAIN = const(2)  # ticks of darkness before an answer that is already shown begins again
_HOLD_MS = const(1000)  # from here on letting go takes back
_TOO_LONG_MS = const(3000)  # from here on it does nothing
_FORGET_MS = const(5000)  # from here on a press forgets the match


class Lights:
    """The lamps of one board.

    slots: the slots in board order, at most 24.
    palette: a palette of roundhouse.palettes.
    hint: whether slots where a tile may be laid glow faintly.

    lamps: the letter (see lamp_letters.py) that each pixel shows, as bytes.
    runs: whether the light started by `run` is still running.

    Every method ignores slots that this board does not have.
    """

    def __init__(
        self, slots: "Sequence[int]", palette: "Mapping[str, Any]", hint: bool = True
    ) -> None:
        self.hint = hint
        self._slots = bytes(slots)
        n = len(self._slots)
        self._place = bytearray(b"\xff" * SLOT_COUNT)
        for place in range(n):
            self._place[self._slots[place]] = place
        self.lamps = bytearray(b"." * (4 * n))
        self._rest = bytearray(b"." * (4 * n))  # the steady letters
        self._coming = bytearray(4 * n)  # buffer in which show() makes the next ones
        self._brief = bytearray(4 * n)  # brief letters, 0 or _CALLS
        self._since = [0] * (4 * n)  # the tick at which each of them began
        self._briefs = 0  # how many there are
        self.runs = False
        self._fault = 0  # mask by place
        self._held = 0  # slots lit by a hold, from place _held_at on; -1: let go now
        self._held_at = 0

        from roundhouse import lamp_letters  # boot.py gives its memory back

        # known: see lamp_letters.learned; levels and R, G, B by tone; first tones of ONCE, COUNTS,
        # TELLS
        self._known, self._waves, self._hues, firsts = lamp_letters.learned(palette)
        self._first_once, self._first_count, self._first_told = firsts
        self._call_ticks = len(self._wave(ord("r")))  # a call lasts as long as a refusal
        breath = self._waves[self._known[_DRAWN] & TONE]
        self._party = bytes(palette["party"]), breath
        self._animations: Any = None  # only while some run or wait
        self._take = 0  # tiles each seat takes, while the hub waits for the engine
        self._taken: Any = None  # the function that shows their number

        self._lit = bytearray(4 * n)  # indexes of the pixels that are lit, _lit_count of them
        self._lit_count = 0
        self._changed = bytearray(4 * n)  # indexes of those whose letter changed since a frame
        self._changed_count = 0
        self._tones = bytearray(4 * n)
        self._count = bytearray(4 * n)  # pulses of a double
        self._level = bytearray(4 * n)  # of each pixel in the last frame

        self._tick = -1  # of the last frame
        self._beat = 0  # the tick at which the doubles began to count
        self._cycle = REST  # ticks of their count
        self._restart = False  # their count is to begin again, after a pause
        self._counting = False  # it began with an answer that no frame has shown yet
        self._stale = True  # `lamps` must be composed again
        self.redraw()

    def _wave(self, letter: int, k: int = 3) -> bytes:
        """Return the brightness levels, one per tick, of a letter's light on lamp k."""
        return self._waves[self._known[k << 7 | letter] & TONE]

    # ---- letters ----

    def show(self, table: "Match") -> None:
        """Update the steady lights of all lamps from the table, a Match."""
        most = 0
        if table.phase == constants.PLAY:
            most = self._show_play(table)
        else:
            self._show_seats(table)
        self._cycle = most * BEAT + REST
        rest = self._coming
        if rest == self._rest:
            return
        self._stale = True
        if not self._counting:
            for i in range(2, len(rest), 4):
                if rest[i] != self._rest[i]:
                    self._restart = True
        self._coming = self._rest
        self._rest = rest

    def _show_play(self, table: "Match") -> int:
        """Update the steady lights of all lamps in play. Return the most pulses of a double."""
        rest = self._coming
        whose = table.turn
        inviting = table.inviting
        due = table.due
        open_mask = table.open_mask
        playable = table.playable if self.hint else 0
        any_double = table.open_double(0) >= 0
        most = 0
        i = 0
        for slot in self._slots:
            rest[i] = _DARK
            if inviting >> slot & 1:
                rest[i] = _ENGINE
            elif slot == whose:
                rest[i] = _DRAWN if table.drawn else _TURN
            rest[i + 1] = _OPEN if open_mask >> slot & 1 else _DARK
            rest[i + 2] = _DARK
            if any_double:
                place = table.rank(slot)
                if place > MOST_PULSES:  # from the eleventh on they count eleven
                    place = MOST_PULSES
                if place:
                    rest[i + 2] = place + (_DUE if slot == due else _LATER)
                    if place > most:
                        most = place
            rest[i + 3] = _HINT if playable >> slot & 1 else _DARK
            i += 4
        return most

    def _show_seats(self, table: "Match") -> None:
        """Update the steady lights of all lamps outside of play."""
        rest = self._coming
        phase = table.phase
        mask = next_ = 0
        letter = _JOINED
        inviting = table.inviting
        if phase == constants.SCORING:
            mask = table.to_count
            next_ = table.next_to_count
            letter = _TO_COUNT
        elif phase == constants.FINISHED:
            mask = table.winners
            letter = _WINNER
        elif phase == constants.LOBBY:
            mask = table.joined
        if phase != constants.ENGINE:
            self._take = 0
            self._taken = None
        elif not self._taken:
            from roundhouse.animations import taken

            take = table.hand_size()
            self._take = 0 if take == constants.NONE else take
            self._taken = taken
        i = 0
        for slot in self._slots:
            rest[i] = letter if mask >> slot & 1 else _DARK
            if inviting >> slot & 1:
                rest[i] = _ENGINE
            elif slot and slot == next_:
                rest[i] = _COUNTS_NEXT
            elif not slot and table.lacks_tiles:
                rest[i] = _LACKS
            number = _DARK if slot or not self._take else _TAKES
            rest[i + 1] = rest[i + 2] = rest[i + 3] = number
            i += 4

    def answer(self, slot: int, letter: str, now: int) -> None:
        """Show the answer to an input at a slot.

        letter: "g" for accepted, "r" for refused, "w" for taken back.
        now: the time in ms ticks.

        A repeated answer begins with darkness. "g" and "w" end all animations and blinking for
        attention begun before the last frame.
        """
        place = self._place[slot]
        if place == _NOWHERE:
            return
        if letter != "r" and self._animations:
            self._animations.end()
        if self._briefs:
            self.end_run(letter != "r")
        i = 4 * place + 3
        again = self._brief[i] == ord(letter)
        if letter == "w" and self._held < 0 and self._held_at == place:
            again = True  # the lamp of a hold is white already
        self._begin(i, ord(letter), now)
        if again:
            self._since[i] += _AGAIN
        # Doubles count from this answer on.
        self._beat = self._since[i]
        self._restart = False
        self._counting = True

    def call(self, slot: int, k: int, now: int) -> None:
        """Make a lamp of a slot blink for attention, if the letter on this lamp allows this.

        k: the lamp, 0 for turn, 1 for open, 2 for double.
        now: the time in ms ticks.
        """
        place = self._place[slot]
        if place != _NOWHERE:
            self._begin(4 * place + k, _CALLS, now)

    def run(self, first: int, last: int, now: int) -> None:
        """Let a light run round the rim from one seat to another, the shorter way (or clockwise).
        If both are the same seat, its turn lamp gives one long flash. now: the time in ms ticks.

        The run takes 600 ms; the next answer ends it earlier. It skips lamps that show answers or
        faults.
        """
        rim = len(self._slots) - 1  # E, in the middle, comes last
        first, last = self._place[first], self._place[last]
        if first > rim or last > rim:
            return
        steps = (last - first) % rim
        self.runs = True
        if not steps:
            self._light(4 * first, _AGAIN_ITS, now)
            return
        step, steps = (-1, rim - steps) if 2 * steps > rim else (1, steps)
        for i in range(steps + 1):
            place = (first + step * i) % rim
            self._light(4 * place + 3, _BOOKED, now + (i * _RUN // steps << TICK_SHIFT))

    def _light(self, i: int, letter: int, now: int) -> None:
        """Show a light briefly on lamp i, unless the lamp already shows a brief light."""
        if not self._brief[i]:
            self._begin(i, letter, now)

    def end_run(self, calls: bool = False) -> None:
        """End the light started by `run`; with `calls`, also all blinking started by `call`."""
        self.runs = False
        brief = self._brief
        for i in range(len(brief)):
            if brief[i] == _BOOKED or brief[i] == _AGAIN_ITS or calls and brief[i] == _CALLS:
                self._end(i)

    def set_fault(self, slot: int, on: bool) -> None:
        """Mark the reader or button of a slot as faulty (on) or as working again."""
        place = self._place[slot]
        if place == _NOWHERE:
            return
        fault = self._fault & ~(1 << place)
        if on:
            fault |= 1 << place
        if fault != self._fault:
            self._fault = fault
            self._stale = True

    def show_hold(self, slot: int, ms: int) -> None:
        """Show that a slot's button is held down. ms: for how long; 0 if it is up.

        From 1 s on, the slot's answer lamp asks to let go. From 3 s to 5 s the answer lamps of all
        slots light up one after another.
        """
        place = self._place[slot]
        if place == _NOWHERE:
            return
        n = len(self._slots)
        held = 0
        if ms >= _TOO_LONG_MS:
            held = min(n, (ms - _TOO_LONG_MS) * n // (_FORGET_MS - _TOO_LONG_MS))
        elif ms >= _HOLD_MS:
            held = -1
        if held != self._held or held and place != self._held_at:
            if held < 0:  # doubles count from here on, as from an answer
                self._restart = True
            self._held = held
            self._held_at = place
            self._stale = True

    def animations(self) -> "Any":
        """Return the Animations object, which exists only while an animation runs (see
        round_end_lights)."""
        if not self._animations:
            from roundhouse.animations import Animations

            self._animations = Animations(len(self._slots), *self._party)
        self._stale = True
        return self._animations

    def place(self, slot: int) -> int:
        """Return the place of a slot on the board, or 255 if the board does not have the slot."""
        return self._place[slot]

    # ---- colours ----

    def update(self, now: int) -> None:
        """Bring `lamps` up to date. now: the time in ms ticks."""
        self._update((now >> TICK_SHIFT) & TICKS)

    def frame(self, now: int, out: bytearray) -> int:
        """Update `out`, R, G, B of every pixel. Return a mask of the places that changed, for
        Strip.show. If `out` is not as the last call left it, call `redraw` first. now: the time in
        ms ticks."""
        tick = (now >> TICK_SHIFT) & TICKS
        if tick == self._tick and not self._stale and not self._changed_count:
            return 0
        self._tick = tick
        self._update(tick)
        levels = self._level
        changed = 0
        lit = self._changed
        for j in range(self._changed_count):
            i = lit[j]
            levels[i] = 0
            changed |= 1 << (i >> 2)
            i *= 3
            out[i] = 0
            out[i + 1] = 0
            out[i + 2] = 0
        self._changed_count = 0
        lit = self._lit
        tones = self._tones
        waves = self._waves
        first_once = self._first_once
        first_count = self._first_count
        first_told = self._first_told
        beat = ((tick - self._beat + _AGAIN) & TICKS) - _AGAIN
        if beat > 0:
            beat %= self._cycle
        beat -= LEAD
        for j in range(self._lit_count):
            i = lit[j]
            tone = tones[i]
            wave = waves[tone]
            if tone < first_once:
                level = wave[tick % len(wave)]
            elif tone < first_count:
                level = ((tick - self._since[i] + _AHEAD) & TICKS) - _AHEAD
                level = wave[level] if 0 <= level < len(wave) else 0
            elif tone >= first_told:
                level = self._taken(self._take, tick)
            else:
                pulse, level, dark = wave
                if 0 <= beat < self._count[i] * BEAT:
                    level = pulse if beat % BEAT >= dark else 0
            if level != levels[i]:
                levels[i] = level
                changed |= 1 << (i >> 2)
                self._paint(out, i, tone)
        if self._covers():
            changed |= self._animations.paint(tick, out, self._brief)
        return changed

    def flash(self, slot: int, letter: str, out: bytearray) -> int:
        """Write the beginning of a slot's answer into `out` at once, before the next frame: light,
        or darkness if the lamp still shows the same answer.

        Returns a mask of the places that changed.
        """
        place = self._place[slot]
        if place == _NOWHERE:
            return 0
        i = 4 * place + 3
        tone = self._known[3 << 7 | ord(letter)] & TONE
        self._level[i] = 0 if self._brief[i] == ord(letter) else self._waves[tone][0]
        self._paint(out, i, tone)
        return 1 << place

    def _paint(self, out: bytearray, i: int, tone: int) -> None:
        level = self._level[i]
        for k in range(3):  # rounded up: a lit lamp never becomes a dark one
            out[3 * i + k] = (self._hues[3 * tone + k] * level + 255) >> 8

    def _covers(self) -> int:
        return self._animations.covers if self._animations else 0

    def redraw(self) -> None:
        """Make the next frame write every pixel. Needed if `out` was used for something else."""
        for i in range(len(self._changed)):
            self._changed[i] = i
            if self._animations:
                self._animations.repaint(i >> 2)
        self._changed_count = len(self._changed)

    # ---- inside ----

    def _begin(self, i: int, letter: int, now: int) -> None:
        if not self._brief[i]:
            self._briefs += 1
        self._brief[i] = letter
        self._since[i] = (now >> TICK_SHIFT) & TICKS
        self._stale = True

    def _end(self, i: int) -> None:
        self._brief[i] = 0
        self._briefs -= 1
        self._stale = True

    def _update(self, tick: int) -> None:
        if self._briefs:
            brief = self._brief
            for i in range(len(brief)):
                if brief[i]:
                    ticks = self._call_ticks
                    if brief[i] != _CALLS:
                        ticks = len(self._wave(brief[i], i & 3))
                    if (tick - self._since[i] + _AHEAD) & TICKS >= ticks + _AHEAD:
                        self._end(i)
            if not self._briefs:
                self.runs = False
        animations = self._animations
        if animations:
            if (animations.covers or animations.waiting) and animations.step(tick):
                self._stale = True
            if not (animations.covers or animations.waiting):
                self._animations = None
        self._counting = False
        if self._restart:
            self._restart = False
            self._beat = tick - (self._cycle - REST + LEAD)
        if self._stale:
            self._stale = False
            self._compose()

    def _compose(self) -> None:
        """Update `lamps` and the lists of lit and changed pixels."""
        lamps = self.lamps
        rest = self._rest
        brief = self._brief
        special = self._covers() or self._held or self._fault
        lit = 0
        wiped = self._changed_count
        for i in range(len(lamps)):
            letter = rest[i]
            if brief[i] or special:
                letter = self._special(i, letter)
            if letter != lamps[i]:
                lamps[i] = letter
                if letter == _COVERED:
                    self._animations.repaint(i >> 2)
                elif letter != _DARK:
                    known = self._known[(i & 3) << 7 | letter]
                    self._tones[i] = known & TONE
                    self._count[i] = known >> PULSES_AT & PULSES
                if wiped < len(lamps):
                    self._changed[wiped] = i
                    wiped += 1
                    if wiped == len(lamps):
                        # Perhaps some are listed twice, without a frame between: take all.
                        self.redraw()
            if letter != _DARK and letter != _COVERED:
                self._lit[lit] = i
                lit += 1
        self._lit_count = lit
        self._changed_count = wiped

    def _special(self, i: int, letter: int) -> int:
        """Return the letter that pixel i shows now: `letter`, or that of a brief light, an
        animation, a held button or a fault."""
        brief = self._brief[i]
        place = i >> 2
        if brief == _CALLS:
            # some letters have no such form, and stay
            return self._known.get((i & 3) << 7 | letter, 0) >> CALLING_AT or letter
        if brief and brief != _BOOKED:
            return brief
        if self._covers() >> place & 1:
            return _COVERED
        if i & 3 == 3:
            if self._held < 0 and place == self._held_at:
                return _LET_GO
            if (place - self._held_at) % len(self._slots) < self._held:
                return _PROGRESS
            if self._fault >> place & 1:
                return _FAULT
            if brief:
                return brief
        return letter
