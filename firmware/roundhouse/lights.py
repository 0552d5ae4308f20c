# SPDX-License-Identifier: MIT
"""The lights: what the table says as one letter a pixel, and the letters as colours over time.

A slot has four pixels, from the hub outwards: turn, open, double, answer. Pixel `4 * p + k` is
lamp `k` of the slot at place `p` of the board. `Lights.lamps` holds one ASCII letter a pixel;
lamps.py says how each of them looks and moves. This file says when it is shown.
"""

from roundhouse import words
from roundhouse.animations import Animations
from roundhouse.lamps import BEAT, LEAD, REST, TICK_SHIFT, TICKS, const

# The letters at rest, by what they say.
_DARK = const(46)  # .
_TURN = const(116)  # t
_DRAWN = const(100)  # d
_JOINED = const(106)  # j
_TO_COUNT = const(99)  # c
_ENGINE = const(101)  # e
_WINNER = const(87)  # W
_OPEN = const(111)  # o
_DUE = const(64)  # and the place in the closing order: A, B ...
_LATER = const(96)  # the same: a, b ...
_HINT = const(104)  # h
_FAULT = const(118)  # v
_PROGRESS = const(107)  # k
_COVERED = const(42)  # *, on every lamp

# What is known of a letter, in one number: its tone (it has rhythm and colour), how often a double
# pulses, and the letter by which it calls attention (0: it does not).
_TONE = const(0x1F)
_PULSES_AT = const(5)
_PULSES = const(0xF)
_CALLING_AT = const(9)

_CALLS = const(1)  # instead of an answer's letter: the lamp calls attention
_NOWHERE = const(255)
_AGAIN = const(2)  # ticks of darkness before an answer that is already shown begins again
_HOLD_MS = const(5000)  # the hold that forgets a match
_HOLD_SHOWN_MS = const(500)  # shorter ones are presses: no light for them


class Lights:
    """The lamps of one board.

    slots: the slot ids in board order (0 = E, 1..10 = stations, 11 = M), at most 24.
    palette: one of roundhouse.palettes. hint: whether playable slots glow at rest.

    A slot id that this board does not have is ignored by every method.
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
        self._fault = 0  # bit = place
        self._held = 0  # slots lit by the hold, from place _held_at on
        self._held_at = 0

        self._known = {}  # lamp << 7 | letter -> what is known of it
        self._waves = []  # by tone: levels, those of a rhythm that repeats first
        self._first_once = 0  # then those that run once
        self._first_count = 0  # then the doubles
        self._hues = b""  # by tone: R, G, B
        self._learn(palette)
        self._call_ticks = len(self._wave(ord("r")))  # a call lasts as long as a refusal
        breath = self._waves[self._known[_DRAWN] & _TONE]
        self._animations = Animations(n, bytes(palette["party"]), breath)

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

    def _learn(self, palette):
        """Take rhythm and colour of every letter from the language."""
        from roundhouse import lamps  # not for long: main.py gives its room back

        for kind in (lamps.REPEATS, lamps.ONCE, lamps.COUNTS):
            if kind == lamps.ONCE:
                self._first_once = len(self._waves)
            elif kind == lamps.COUNTS:
                self._first_count = len(self._waves)
            for (k, letters, _, colour, at_rest), (rhythm, levels), _ in lamps.LETTERS:
                if rhythm != kind:
                    continue
                for i in range(len(letters)):
                    self._add(k, letters[i], (i + 1) << _PULSES_AT | len(self._waves))
                    if at_rest:
                        self._add(k, at_rest[i], ord(letters[i]) << _CALLING_AT)
                self._waves.append(levels)
                self._hues += bytes(palette[colour])

    def _add(self, k, letter, bits):
        letter = k << 7 | ord(letter)
        self._known[letter] = self._known.get(letter, 0) | bits

    def _wave(self, letter):
        """Return the levels of an answer."""
        return self._waves[self._known[3 << 7 | letter] & _TONE]

    # What the lamps show

    def show(self, table):
        """Take the steady letters from the table.

        Reads phase, turn, drawn, joined, open_mask, playable, double(0), place(slot), due,
        wants, waiting, winners; masks have bit n for slot n. Outside of play only lamp 0 says
        anything.
        """
        most = 0
        if table.phase == words.PLAY:
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
        mask = 0
        letter = _JOINED
        wants = table.wants
        if phase == words.SCORING:
            mask = table.waiting
            letter = _TO_COUNT
        elif phase == words.FINISHED:
            mask = table.winners
            letter = _WINNER
        elif phase == words.LOBBY:
            mask = table.joined
        i = 0
        for slot in self._slots:
            rest[i] = letter if mask >> slot & 1 else _DARK
            if wants >> slot & 1:
                rest[i] = _ENGINE
            rest[i + 1] = rest[i + 2] = rest[i + 3] = _DARK
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
        if letter != "r":
            self._animations.end()
            if self._temps:
                for i in range(len(self._temp)):
                    if self._temp[i] == _CALLS:
                        self._end(i)
        i = 4 * place + 3
        again = self._temp[i] == ord(letter)
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
        """A slot's button has been down for ms: lamp 3 counts up around the board; 0: let go."""
        place = self._place[slot]
        if place == _NOWHERE:
            return
        n = len(self._slots)
        held = 0
        if ms >= _HOLD_SHOWN_MS:
            held = ms * n // _HOLD_MS if ms < _HOLD_MS else n
        if held != self._held or held and place != self._held_at:
            self._held = held
            self._held_at = place
            self._stale = True

    def celebrate(self, kind, who):
        """Ask for an animation of at most 2.5 s; who: the slots it is about.

        kind is one of roundhouse.animations. OUT: the one that laid its last tile; ROUND: all
        seats, best first; MATCH: the winners.
        """
        places = [self._place[slot] for slot in who if self._place[slot] != _NOWHERE]
        if places:
            self._animations.ask(kind, places)
            self._stale = True

    def points(self, slot, n):
        """Ask for a seat's points, 0..999, to be counted out on its slot: (hundreds,) tens, ones.

        Seats asked for before the next frame count together, in at most 4 s.
        """
        place = self._place[slot]
        if place != _NOWHERE:
            self._animations.count_out(place, n)
            self._stale = True

    # Time

    def letters(self, now):
        """Bring `lamps` up to the time now: answers and animations that ended are gone."""
        self._advance((now >> TICK_SHIFT) & TICKS)

    def frame(self, now, out):
        """Bring `out` (R, G, B of every pixel) up to the time now.

        Returns where that changed it, a mask by place, as Strip.show takes it. out must hold what
        the last call left in it; see `redraw`.
        """
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
        hues = self._hues
        first_once = self._first_once
        first_count = self._first_count
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
                level = ((tick - self._since[i] + _AGAIN) & TICKS) - _AGAIN
                level = wave[level] if 0 <= level < len(wave) else 0
            else:
                pulse, level, dark = wave
                if 0 <= beat < self._count[i] * BEAT:
                    level = pulse if beat % BEAT >= dark else 0
            if level != levels[i]:
                levels[i] = level
                changed |= 1 << (i >> 2)
                i *= 3
                tone *= 3
                # Rounded up: a lit lamp never becomes a dark one.
                out[i] = (hues[tone] * level + 255) >> 8
                out[i + 1] = (hues[tone + 1] * level + 255) >> 8
                out[i + 2] = (hues[tone + 2] * level + 255) >> 8
        animations = self._animations
        if animations.covers:
            changed |= animations.paint(tick, out, self._temp)
        return changed

    def first(self, slot, letter, out):
        """Light the answer that is going to be given at a slot, before anything else is worked
        out, in `out` as the last frame left it. Returns where, as frame() does; 0 where the lamp
        must go dark first."""
        place = self._place[slot]
        i = 4 * place + 3
        if place == _NOWHERE or self._temp[i]:
            return 0
        tone = self._known[3 << 7 | ord(letter)] & _TONE
        level = self._level[i] = self._waves[tone][0]
        for k in range(3):
            out[3 * i + k] = (self._hues[3 * tone + k] * level + 255) >> 8
        return 1 << place

    def redraw(self):
        """Let the next frame write every pixel: its buffer was new, or used for something else."""
        for i in range(len(self._wiped)):
            self._wiped[i] = i
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
                        ticks = len(self._wave(temp[i]))
                    if (tick - self._since[i] + _AGAIN) & TICKS >= ticks + _AGAIN:
                        self._end(i)
        animations = self._animations
        if (animations.covers or animations.waiting) and animations.step(tick):
            self._stale = True
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
        special = self._animations.covers or self._held or self._fault
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
                    self._tones[i] = known & _TONE
                    self._count[i] = known >> _PULSES_AT & _PULSES
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
            return self._known.get((i & 3) << 7 | letter, 0) >> _CALLING_AT or letter
        if temp:
            return temp
        if self._animations.covers >> place & 1:
            return _COVERED
        if i & 3 == 3:
            if (place - self._held_at) % len(self._slots) < self._held:
                return _PROGRESS
            if self._fault >> place & 1:
                return _FAULT
        return letter
