# SPDX-License-Identifier: MIT
"""The lights: what the table says as one letter per pixel, and the letters as colours over time.

A slot has four pixels, from the hub outwards: turn, open, double, answer. Pixel `4 * p + k` is
lamp `k` of the slot at place `p` of the board. `Lights.lamps` holds one ASCII letter a pixel;
lamps.py says how each of them looks and moves. This file says when it is shown.
"""

from roundhouse import constants
from roundhouse.lamps import (
    BEAT,
    CALLING_AT,
    LEAD,
    PULSES,
    PULSES_AT,
    REST,
    TICK_SHIFT,
    TICKS,
    TONE,
    const,
)

# The letters at rest, by what they say.
_DARK = const(46)  # .
_TURN = const(116)  # t
_DRAWN = const(100)  # d
_JOINED = const(106)  # j
_TO_COUNT = const(99)  # c
_COUNTS_NEXT = const(67)  # C
_TAKES = const(110)  # n
_ENGINE = const(101)  # e
_WINNER = const(87)  # W
_OPEN = const(111)  # o
_DUE = const(64)  # and the place in the closing order: A, B ...
_LATER = const(96)  # the same: a, b ...
_HINT = const(104)  # h
_FAULT = const(118)  # v
_PROGRESS = const(107)  # k
_LET_GO = const(117)  # u
_COVERED = const(42)  # *, on every lamp

_CALLS = const(1)  # instead of an answer's letter: the lamp calls attention
_BOOKED = const(98)  # b, on a slot that the light round the rim passes
_AGAIN_ITS = const(66)  # B, where that has nowhere to run: the same seat's turn
_RUN = const(13)  # ticks from the light's first slot to its last
_AHEAD = const(16)  # so many ticks at most before its time may such a letter be set
_NOWHERE = const(255)
_AGAIN = const(2)  # ticks of darkness before an answer that is already shown begins again
_HOLD_MS = const(1000)  # a hold that takes back
_TOO_LONG_MS = const(3000)  # one that does nothing,
_FORGET_MS = const(5000)  # or, as long as that, forgets a match


class Lights:
    """The lamps of one board.

    slots: the slot ids in board order (0 = E, 1..10 = stations, 11 = M), at most 24.
    palette: one of roundhouse.palettes. hint: whether playable slots glow at rest.

    A slot id that this board does not have is ignored by every method.

    runs: whether something is shown that only runs by: see `run` and `dim`.
    """

    def __init__(self, slots, palette, hint=True):
        self.hint = hint
        self._slots = bytes(slots)
        n = len(self._slots)
        self._place = bytearray(b"\xff" * 12)
        for place in range(n):
            self._place[self._slots[place]] = place
        self.lamps = bytearray(b"." * (4 * n))
        self._rest = bytearray(b"." * (4 * n))  # the steady letters
        self._next = bytearray(4 * n)  # those that come
        self._temp = bytearray(4 * n)  # the letter of a running answer, or _CALLS
        self._since = [0] * (4 * n)  # the tick at which that began
        self._temps = 0  # how many run
        self.runs = False  # some of them are of the light round the rim
        self._fault = 0  # bit = place
        self._held = 0  # slots lit by the hold, from place _held_at on; -1: it says let go
        self._held_at = 0

        from roundhouse import lamps  # not for long: boot.py gives its room back

        # letters by number, levels and R, G, B by tone, the first tones of the next kinds
        self._known, self._waves, self._hues, firsts = lamps.learned(palette)
        self._first_once, self._first_count, self._first_told = firsts
        self._call_ticks = len(self._wave(ord("r")))  # a call lasts as long as a refusal
        breath = self._waves[self._known[_DRAWN] & TONE]
        self._party = bytes(palette["party"]), breath
        self._animations = None  # loaded while there are some
        self._take = 0  # tiles each seat takes, while the engine is awaited
        self._taken = None  # and how they are told

        self._lit = bytearray(4 * n)  # the pixels that are not dark, _lit_count of them
        self._lit_count = 0
        self._wiped = bytearray(4 * n)  # those whose letter changed since the last frame
        self._wiped_count = 0
        self._tones = bytearray(4 * n)
        self._count = bytearray(4 * n)  # pulses of a double
        self._level = bytearray(4 * n)  # of the last frame

        self._tick = -1
        self._beat = 0  # the tick at which the doubles began to count
        self._cycle = REST
        self._restart = False  # of the doubles' count, after a pause
        self._counting = False  # it began with an answer that no frame has shown yet
        self._stale = True  # the letters must be put together again
        self.redraw()

    def _wave(self, letter, k=3):
        """Return the levels of an answer."""
        return self._waves[self._known[k << 7 | letter] & TONE]

    # What the lamps show

    def show(self, table):
        """Take the steady letters from the table.

        Reads phase, turn, drawn, joined, open_mask, playable, double(0), place(slot), due,
        wants, waiting, counts_next, winners, hand_size(); masks have bit n for slot n. Outside of
        play only lamp 0 says anything, and those of E tell the tiles to take.
        """
        most = 0
        if table.phase == constants.PLAY:
            most = self._show_play(table)
        else:
            self._show_seats(table)
        self._cycle = most * BEAT + REST
        rest = self._next
        if rest == self._rest:
            return
        self._stale = True
        if not self._counting:
            for i in range(2, len(rest), 4):
                if rest[i] != self._rest[i]:
                    self._restart = True
        self._next = self._rest
        self._rest = rest

    def _show_play(self, table):
        """Set the letters that come, in play; return the highest place of an open double."""
        rest = self._next
        whose = table.turn
        wants = table.wants
        due = table.due
        open_mask = table.open_mask
        playable = table.playable if self.hint else 0
        any_double = table.double(0) >= 0
        most = 0
        i = 0
        for slot in self._slots:
            rest[i] = _DARK
            if wants >> slot & 1:
                rest[i] = _ENGINE
            elif slot == whose:
                rest[i] = _DRAWN if table.drawn else _TURN
            rest[i + 1] = _OPEN if open_mask >> slot & 1 else _DARK
            rest[i + 2] = _DARK
            if any_double:
                place = table.place(slot)
                if place:
                    rest[i + 2] = place + (_DUE if slot == due else _LATER)
                    if place > most:
                        most = place
            rest[i + 3] = _HINT if playable >> slot & 1 else _DARK
            i += 4
        return most

    def _show_seats(self, table):
        """Set the letters that come, outside of play."""
        rest = self._next
        phase = table.phase
        mask = next_ = 0
        letter = _JOINED
        wants = table.wants
        if phase == constants.SCORING:
            mask = table.waiting
            next_ = table.counts_next
            letter = _TO_COUNT
        elif phase == constants.FINISHED:
            mask = table.winners
            letter = _WINNER
        elif phase == constants.LOBBY:
            mask = table.joined
        if phase != constants.ENGINE:
            self._take = 0
            self._taken = None
        elif not self._take:
            from roundhouse.animations import taken  # not needed in play

            self._take = table.hand_size()
            self._taken = taken
        i = 0
        for slot in self._slots:
            rest[i] = letter if mask >> slot & 1 else _DARK
            if wants >> slot & 1:
                rest[i] = _ENGINE
            elif slot and slot == next_:
                rest[i] = _COUNTS_NEXT
            told = _DARK if slot or not self._take else _TAKES
            rest[i + 1] = rest[i + 2] = rest[i + 3] = told
            i += 4

    def answer(self, slot, letter, now):
        """Answer an input at a slot: letter "g", "r" or "w", now in ms ticks.

        One that is still being answered in the same way goes dark first, so that both are seen.
        An accepted or taken back input ends a running animation and all calls for attention. One
        that was asked for since the last frame belongs to this input and stays.
        """
        place = self._place[slot]
        if place == _NOWHERE:
            return
        if letter != "r" and self._animations:
            self._animations.end()
        if self._temps:
            self.dim(letter != "r")
        i = 4 * place + 3
        again = self._temp[i] == ord(letter)
        if letter == "w" and self._held < 0 and self._held_at == place:
            again = True  # it is white already
        self._begin(i, ord(letter), now)
        if again:
            self._since[i] += _AGAIN
        # The doubles count from this answer on.
        self._beat = self._since[i]
        self._restart = False
        self._counting = True

    def why(self, slot, k, now):
        """Let lamp k (0 turn, 1 open, 2 double) of a slot call attention for a red blink's time.

        A lamp without an attention form (a later double) stays as it is; a turn lamp that was
        dark says that this seat was fined.
        """
        place = self._place[slot]
        if place != _NOWHERE:
            self._begin(4 * place + k, _CALLS, now)

    def run(self, first, last, now):
        """A light runs round the rim from one seat to another, past M and the stations there are,
        the shorter way; clockwise where both are as short. To the same seat: one long flash of its
        turn lamp. Over in 600 ms, or with the next answer; other answers and a fault go before it.
        """
        rim = len(self._slots) - 1  # E, in the middle, comes last
        first, last = self._place[first], self._place[last]
        if first > rim or last > rim:
            return
        way = (last - first) % rim
        self.runs = True
        if not way:
            self._pass(4 * first, _AGAIN_ITS, now)
            return
        step, way = (-1, rim - way) if 2 * way > rim else (1, way)
        for i in range(way + 1):
            place = (first + step * i) % rim
            self._pass(4 * place + 3, _BOOKED, now + (i * _RUN // way << TICK_SHIFT))

    def _pass(self, i, letter, now):
        """Light a lamp that has nothing else to say."""
        if not self._temp[i]:
            self._begin(i, letter, now)

    def dim(self, calls=False):
        """End what only runs by, and with `calls` what calls for attention too."""
        self.runs = False
        temp = self._temp
        for i in range(len(temp)):
            if temp[i] == _BOOKED or temp[i] == _AGAIN_ITS or calls and temp[i] == _CALLS:
                self._end(i)

    def fault(self, slot, on):
        """A slot's reader or button is faulty (on truthy), or works again."""
        place = self._place[slot]
        if place == _NOWHERE:
            return
        fault = self._fault & ~(1 << place)
        if on:
            fault |= 1 << place
        if fault != self._fault:
            self._fault = fault
            self._stale = True

    def count_up(self, slot, ms):
        """A slot's button has been down for ms; 0: it is up.

        From one second on its lamp 3 says to let go now, from three on it does not, and the lamps
        count up around the board to five.
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
            if held < 0:  # like an answer: the doubles count from here on
                self._restart = True
            self._held = held
            self._held_at = place
            self._stale = True

    def party(self):
        """Return the animations, which are loaded for as long as there are some; see endings."""
        if not self._animations:
            from roundhouse.animations import Animations  # no match has them in play

            self._animations = Animations(len(self._slots), *self._party)
        self._stale = True
        return self._animations

    def place(self, slot):
        """Return a slot's place on the board, or 255."""
        return self._place[slot]

    # Time

    def letters(self, now):
        """Bring `lamps` up to the time now: answers and animations that ended are gone."""
        self._advance((now >> TICK_SHIFT) & TICKS)

    def frame(self, now, out):
        """Bring `out` (R, G, B of every pixel) up to the time now; it must hold what the last call
        left in it, see `redraw`. Returns where it changed, a mask by place, as for Strip.show."""
        tick = (now >> TICK_SHIFT) & TICKS
        if tick == self._tick and not self._stale and not self._wiped_count:
            return 0
        self._tick = tick
        self._advance(tick)
        levels = self._level
        changed = 0
        lit = self._wiped
        for j in range(self._wiped_count):
            i = lit[j]
            levels[i] = 0
            changed |= 1 << (i >> 2)
            i *= 3
            out[i] = 0
            out[i + 1] = 0
            out[i + 2] = 0
        self._wiped_count = 0
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
            changed |= self._animations.paint(tick, out, self._temp)
        return changed

    def first(self, slot, letter, out):
        """Light the answer about to be given at a slot; where, as frame() says. 0: dark first."""
        place = self._place[slot]
        i = 4 * place + 3
        if place == _NOWHERE or self._temp[i] not in (0, _BOOKED):
            return 0
        tone = self._known[3 << 7 | ord(letter)] & TONE
        self._level[i] = self._waves[tone][0]
        self._paint(out, i, tone)
        return 1 << place

    def _paint(self, out, i, tone):
        level = self._level[i]
        for k in range(3):  # rounded up: a lit lamp never becomes a dark one
            out[3 * i + k] = (self._hues[3 * tone + k] * level + 255) >> 8

    def _covers(self):
        """Mask of the places that an animation lights."""
        return self._animations.covers if self._animations else 0

    def redraw(self):
        """Let the next frame write every pixel: its buffer was new, or used for something else."""
        for i in range(len(self._wiped)):
            self._wiped[i] = i
            if self._animations:
                self._animations.repaint(i >> 2)
        self._wiped_count = len(self._wiped)

    # Inside

    def _begin(self, i, letter, now):
        if not self._temp[i]:
            self._temps += 1
        self._temp[i] = letter
        self._since[i] = (now >> TICK_SHIFT) & TICKS
        self._stale = True

    def _end(self, i):
        self._temp[i] = 0
        self._temps -= 1
        self._stale = True

    def _advance(self, tick):
        if self._temps:
            temp = self._temp
            for i in range(len(temp)):
                if temp[i]:
                    ticks = self._call_ticks
                    if temp[i] != _CALLS:
                        ticks = len(self._wave(temp[i], i & 3))
                    if (tick - self._since[i] + _AHEAD) & TICKS >= ticks + _AHEAD:
                        self._end(i)
            if not self._temps:
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

    def _compose(self):
        """Put the letters together; list the pixels that are lit, and those that changed."""
        lamps = self.lamps
        rest = self._rest
        temp = self._temp
        special = self._covers() or self._held or self._fault
        lit = 0
        wiped = self._wiped_count
        for i in range(len(lamps)):
            letter = rest[i]
            if temp[i] or special:
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
                    self._wiped[wiped] = i
                    wiped += 1
                    if wiped == len(lamps):
                        # Perhaps some of them twice, without a frame between: then all.
                        self.redraw()
            if letter != _DARK and letter != _COVERED:
                self._lit[lit] = i
                lit += 1
        self._lit_count = lit
        self._wiped_count = wiped

    def _special(self, i, letter):
        """The letter of pixel i where more than the steady one is to be shown."""
        temp = self._temp[i]
        place = i >> 2
        if temp == _CALLS:
            # a later double and a dark turn lamp have no such form
            return self._known.get((i & 3) << 7 | letter, 0) >> CALLING_AT or letter
        if temp and temp != _BOOKED:
            return temp
        if self._covers() >> place & 1:
            return _COVERED
        if i & 3 == 3:
            if self._held < 0 and place == self._held_at:
                return _LET_GO
            if (place - self._held_at) % len(self._slots) < self._held:
                return _PROGRESS
            if self._fault >> place & 1:
                return _FAULT
            if temp:
                return temp
        return letter
