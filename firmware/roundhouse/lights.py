# SPDX-License-Identifier: MIT
"""The lights: what the table says as one letter a pixel, and the letters as colours over time.

A slot has four pixels, from the hub outwards: turn, open, double, answer. Pixel `4 * p + k` is
lamp `k` of the slot at place `p` of the board. `Lights.lamps` holds one ASCII letter a pixel:

    k  letter  means                                      moves
    0  .       dark
       t       this seat's turn                           breathes slowly, never dark
       d       its turn, and it has drawn                 breathes fast, never dark
       j       joined (lobby)                             steady, dim
       c       has still to count its tiles (scoring)     on and off, slowly
       e       the engine may be laid (slot E)            quick rise, slow fall
       W       won the match (finished)                   long on, two short winks
       T D E   t, d, e calling attention                  flashes between bright and half
    1  o       open                                       steady
       O       open, calling attention                    flashes between bright and half
       x       not open, calling attention                short red blinks, dark between
    2  A..K    open double, place 1..11, due now          n long bright pulses, then a glow
       a..k    later in the closing order, or not binding n short dim pulses, then a faint glow
       N..X    A..K calling attention                     as A..K, brighter, with a strong glow
    3  g       accepted                                   one flash
       r       refused                                    double blink
       w       taken back                                 one blink that fades away
       v       reader or button faulty                    long on, long off
       h       the seat whose turn it is may play here    steady, faint
       k       a button is held: counting up to 5 s       flickers
    *          covered by an animation

The place and the movement carry the meaning; no two letters of one place differ by colour only.
A double's pulses are parted by full darkness, so they can be counted at any brightness; between
two counts the lamp glows. All doubles count together, from 1. An answer starts the count anew.

Time is the board's millisecond ticks (they wrap at 2**30); all rhythms step every 32 ms.
"""

try:
    from micropython import const
except ImportError:

    def const(value):
        return value


# Phases of the table, in its own numbers.
LOBBY, ENGINE, PLAY, SCORING, FINISHED = range(5)

# Animations; when several wait they run in this order.
OUT = const(1)  # a seat laid its last tile
POINTS = const(2)  # points counted out in light
ROUND = const(4)  # rank order of a finished round
MATCH = const(8)  # winners of a finished match

TICK_SHIFT = const(5)  # 32 ms
_TICKS = const(0x1FFFFFF)  # 2**30 ms in ticks of 32 ms, less one
_NOWHERE = const(255)
_UNKNOWN = const(1)  # a level no animation has
_DARK = const(46)  # "."
_STAR = const(42)  # "*"
_AGAIN = const(2)  # ticks of darkness before an answer that is already shown begins again

# Rhythm of the doubles, in ticks: a count starts with LEAD ticks of glow (so that the first frame
# shows which lamps are lit), then n times darkness and pulse in BEAT ticks, then glow.
LEAD = const(2)
BEAT = const(10)
REST = const(20)  # glow between two counts, LEAD included

# due, later, calling: level of the pulse, of the glow, dark ticks of the beat.
DOUBLES = ((200, 24, 4), (64, 12, 7), (255, 112, 4))

HOLD_MS = const(5000)  # the hold that forgets a match
_HOLD_SHOWN_MS = const(500)  # shorter ones are presses: no light for them


def _swell(rise, fall, low):
    """Levels from `low` to 255 in `rise` ticks and back in `fall`: equal steps to the eye."""
    wave = bytearray(rise + fall)
    for i in range(rise):
        wave[i] = int(255 * (low / 255) ** (1 - i / rise))
    for i in range(fall):
        wave[rise + i] = int(255 * (low / 255) ** (i / fall))
    return bytes(wave)


def _steps(*pairs):
    """Levels from (level, ticks) pairs."""
    wave = b""
    for level, ticks in pairs:
        wave += bytes((level,)) * ticks
    return wave


_FAST = _swell(8, 8, 42)
_RED = _steps((255, 5), (0, 4), (255, 5), (0, 9))

# k, letter, palette name, level for every tick. The first ones repeat for ever.
_REPEATED = (
    (0, "t", "turn", _swell(48, 48, 42)),
    (0, "d", "turn", _FAST),
    (0, "j", "turn", _steps((40, 1))),
    (0, "c", "count", _steps((160, 20), (0, 20))),
    (0, "e", "engine", _swell(16, 80, 42)),
    (0, "W", "winner", _steps((200, 40), (0, 3), (200, 3), (0, 3))),
    (0, "T", "turn", _steps((255, 4), (110, 4))),
    (0, "D", "turn", _steps((255, 2), (110, 2))),
    (0, "E", "engine", _steps((255, 4), (110, 4))),
    (1, "o", "open", _steps((150, 1))),
    (1, "O", "open", _steps((255, 4), (110, 4))),
    (1, "x", "closed", _steps((255, 3), (0, 3))),
    (3, "v", "fault", _steps((160, 30), (0, 30))),
    (3, "h", "hint", _steps((28, 1))),
    (3, "k", "progress", _steps((220, 2), (90, 2))),
)
# These run once, from their input on.
_ANSWERS = (
    (3, "g", "accepted", _steps((255, 12))),
    (3, "r", "refused", _RED),
    (3, "w", "taken back", _steps((255, 4)) + _swell(0, 12, 8)),
)
TONES = _REPEATED + _ANSWERS
_FIRST_ANSWER = const(15)  # len(_REPEATED)
_FIRST_DOUBLE = const(18)  # len(TONES); due, later, calling

# Attention forms of lamps 0 and 1 (of a due double: 13 letters on).
_CALLING = (
    {ord("t"): ord("T"), ord("d"): ord("D"), ord("e"): ord("E")},
    {ord("o"): ord("O"), _DARK: ord("x")},
)

# Lengths of the animations, in ticks.
_OUT_TICKS = const(64)
_ROUND_TICKS = const(72)
_ROUND_FADE = const(16)
_MATCH_TICKS = const(76)
_MATCH_LAP = const(24)
_POINTS_TICKS = const(120)  # at most
_POINTS_UNIT = const(5)  # at most


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
        self._temp = bytearray(4 * n)  # the letter of a running answer; 1: calls attention
        self._since = [0] * (4 * n)  # the tick at which that began
        self._temps = 0  # how many run
        self._fault = 0  # bit = place
        self._held = 0  # slots lit by the hold, from place _held_at on
        self._held_at = 0

        self._tone = {}  # k << 7 | letter -> index into _waves and _hues
        self._waves = []
        hues = b""
        for k, letter, name, wave in TONES:
            self._tone[k << 7 | ord(letter)] = len(self._waves)
            self._waves.append(wave)
            hues += bytes(palette[name])
        for i in range(1, 12):
            self._tone[2 << 7 | 64 + i] = _FIRST_DOUBLE
            self._tone[2 << 7 | 96 + i] = _FIRST_DOUBLE + 1
            self._tone[2 << 7 | 77 + i] = _FIRST_DOUBLE + 2
        self._hues = hues + bytes(palette["double"]) * 3
        self._party_hue = bytes(palette["party"])

        self._lit = bytearray(4 * n)  # the pixels that are not dark, _lit_count of them
        self._lit_count = 0
        self._wiped = bytearray(4 * n)  # those whose letter changed since the last frame
        self._wiped_count = 0
        self._tones = bytearray(4 * n)
        self._count = bytearray(4 * n)  # pulses of a double
        self._level = bytearray(4 * n)  # of the last frame
        self._block = bytearray(n)  # level of an animated slot in the last frame

        self._tick = -1
        self._beat = 0  # the tick at which the doubles began to count
        self._cycle = REST
        self._restart = False  # of the doubles' count, after a pause
        self._counting = False  # it began with an answer that no frame has shown yet
        self._stale = True  # the letters must be put together again

        self._queue = 0  # animations that wait, and those of them no frame has seen
        self._fresh = 0
        self._party = 0  # the one that runs: its kind, first tick, length and places
        self._party_at = 0
        self._party_len = 0
        self._covers = 0
        self._out = 0
        self._ranks = bytearray(n)
        self._ranked = 0
        self._winners = 0
        self._points = [0] * n
        self._counted = 0
        self._unit = 1
        self.redraw()

    # What the lamps show

    def show(self, table):
        """Take the steady letters from the table.

        Reads phase, turn, drawn, joined, open_mask, playable, double(0), place(slot), due,
        waiting, winners; masks have bit n for slot n. Outside of play only lamp 0 says anything.
        """
        rest = self._rest
        phase = table.phase
        play = phase == PLAY
        whose = table.turn
        due = table.due
        open_mask = table.open_mask
        playable = table.playable if self.hint else 0
        any_double = play and table.double(0) >= 0
        most = 0
        doubles = False
        i = 0
        for slot in self._slots:
            bit = 1 << slot
            turn = opened = double = hint = _DARK
            if play:
                if slot and slot == whose:
                    turn = 100 if table.drawn else 116  # d, t
                if open_mask & bit:
                    opened = 111  # o
                if any_double:
                    n = table.place(slot)
                    if n:
                        double = n + (64 if slot == due else 96)
                        if n > most:
                            most = n
                if playable & bit:
                    hint = 104  # h
            elif phase == SCORING:
                if table.waiting & bit:
                    turn = 99  # c
            elif phase == FINISHED:
                if table.winners & bit:
                    turn = 87  # W
            elif not slot:
                # One double begins the round as soon as two have joined.
                if phase == ENGINE or table.joined & (table.joined - 1):
                    turn = 101  # e
            elif phase == LOBBY and table.joined & bit:
                turn = 106  # j
            if rest[i + 2] != double:
                doubles = True
            if (
                rest[i] != turn
                or rest[i + 1] != opened
                or rest[i + 2] != double
                or rest[i + 3] != hint
            ):
                rest[i] = turn
                rest[i + 1] = opened
                rest[i + 2] = double
                rest[i + 3] = hint
                self._stale = True
            i += 4
        self._cycle = most * BEAT + REST
        if doubles and not self._counting:
            self._restart = True

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
            self._queue &= self._fresh
            if self._party:
                self._party = 0
                self._covers = 0
            for i in range(len(self._temp)):
                if self._temp[i] == 1:
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

        A lamp without an attention form (a later double, a dark turn lamp) stays as it is.
        """
        place = self._place[slot]
        if place != _NOWHERE:
            self._begin(4 * place + k, 1, now)

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
            held = ms * n // HOLD_MS if ms < HOLD_MS else n
        if held != self._held or held and place != self._held_at:
            self._held = held
            self._held_at = place
            self._stale = True

    def celebrate(self, kind, who):
        """Ask for an animation of at most 2.5 s; who: the slots it is about.

        OUT: the one that laid its last tile; ROUND: all seats, best first; MATCH: the winners.
        """
        mask = 0
        if kind == ROUND:
            for i in range(len(self._ranks)):
                self._ranks[i] = _NOWHERE
            self._ranked = 0
        for slot in who:
            place = self._place[slot]
            if place == _NOWHERE:
                continue
            mask |= 1 << place
            if kind == ROUND:
                self._ranks[place] = self._ranked
                self._ranked += 1
        if not mask:
            return
        if kind == OUT:
            self._out = mask
        elif kind == MATCH:
            self._winners = mask
        self._ask(kind)

    def points(self, slot, n):
        """Ask for a seat's points, 0..999, to be counted out on its slot: (hundreds,) tens, ones.

        Seats asked for before the next frame count together, in at most 4 s.
        """
        place = self._place[slot]
        if place == _NOWHERE:
            return
        if not self._queue & POINTS:
            self._counted = 0
        self._counted |= 1 << place
        self._points[place] = max(0, min(999, n))
        self._ask(POINTS)

    # Time

    def letters(self, now):
        """Bring `lamps` up to the time now: answers and animations that ended are gone."""
        self._advance((now >> TICK_SHIFT) & _TICKS)

    def frame(self, now, out):
        """Bring `out` (R, G, B of every pixel) up to the time now; True when it changed.

        out must hold what the last call left in it; see `redraw`.
        """
        tick = (now >> TICK_SHIFT) & _TICKS
        if tick == self._tick and not self._stale and not self._wiped_count:
            return False
        self._tick = tick
        self._advance(tick)
        levels = self._level
        changed = self._wiped_count > 0
        lit = self._wiped
        for j in range(self._wiped_count):
            i = lit[j]
            levels[i] = 0
            i *= 3
            out[i] = 0
            out[i + 1] = 0
            out[i + 2] = 0
        self._wiped_count = 0
        lit = self._lit
        tones = self._tones
        hues = self._hues
        beat = ((tick - self._beat + _AGAIN) & _TICKS) - _AGAIN
        if beat > 0:
            beat %= self._cycle
        beat -= LEAD
        for j in range(self._lit_count):
            i = lit[j]
            tone = tones[i]
            if tone < _FIRST_ANSWER:
                wave = self._waves[tone]
                level = wave[tick % len(wave)]
            elif tone < _FIRST_DOUBLE:
                wave = self._waves[tone]
                level = ((tick - self._since[i] + _AGAIN) & _TICKS) - _AGAIN
                level = wave[level] if 0 <= level < len(wave) else 0
            else:
                pulse, level, dark = DOUBLES[tone - _FIRST_DOUBLE]
                if 0 <= beat < self._count[i] * BEAT:
                    level = pulse if beat % BEAT >= dark else 0
            if level != levels[i]:
                levels[i] = level
                changed = True
                i *= 3
                tone *= 3
                # Rounded up: a lit lamp never becomes a dark one.
                out[i] = (hues[tone] * level + 255) >> 8
                out[i + 1] = (hues[tone + 1] * level + 255) >> 8
                out[i + 2] = (hues[tone + 2] * level + 255) >> 8
        if self._party and self._paint((tick - self._party_at) & _TICKS, out):
            changed = True
        return changed

    def redraw(self):
        """Let the next frame write every pixel: its buffer was new, or used for something else."""
        for i in range(len(self._wiped)):
            self._wiped[i] = i
            self._block[i >> 2] = _UNKNOWN
        self._wiped_count = len(self._wiped)

    # Inside

    def _begin(self, i, letter, now):
        if not self._temp[i]:
            self._temps += 1
        self._temp[i] = letter
        self._since[i] = (now >> TICK_SHIFT) & _TICKS
        self._stale = True

    def _end(self, i):
        self._temp[i] = 0
        self._temps -= 1
        self._stale = True

    def _ask(self, kind):
        self._queue |= kind
        self._fresh |= kind
        self._stale = True

    def _advance(self, tick):
        if self._temps:
            temp = self._temp
            for i in range(len(temp)):
                if temp[i]:
                    wave = _RED
                    if temp[i] != 1:
                        wave = self._waves[self._tone[3 << 7 | temp[i]]]
                    if (tick - self._since[i] + _AGAIN) & _TICKS >= len(wave) + _AGAIN:
                        self._end(i)
        if self._party and (tick - self._party_at) & _TICKS >= self._party_len:
            self._party = 0
            self._covers = 0
            self._stale = True
        if self._queue and not self._party:
            self._start_party(tick)
        self._fresh = 0
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
        special = self._covers or self._held or self._fault
        lit = 0
        wiped = self._wiped_count
        for i in range(len(lamps)):
            letter = rest[i]
            if temp[i] or special:
                letter = self._special(i, letter)
            if letter != lamps[i]:
                lamps[i] = letter
                if letter == _STAR:
                    self._block[i >> 2] = _UNKNOWN
                elif letter != _DARK:
                    k = i & 3
                    self._tones[i] = self._tone[k << 7 | letter]
                    if k == 2:
                        self._count[i] = (letter & 31) - (13 if 77 < letter < 89 else 0)
                if wiped < len(lamps):
                    self._wiped[wiped] = i
                    wiped += 1
                    if wiped == len(lamps):
                        # Perhaps some of them twice, without a frame between: then all.
                        self.redraw()
            if letter != _DARK and letter != _STAR:
                self._lit[lit] = i
                lit += 1
        self._lit_count = lit
        self._wiped_count = wiped

    def _special(self, i, letter):
        """The letter of pixel i where more than the steady one is to be shown."""
        temp = self._temp[i]
        place = i >> 2
        if temp > 1:
            return temp
        if temp:
            k = i & 3
            if k < 2:
                return _CALLING[k].get(letter, letter)
            return letter + 13 if 64 < letter < 76 else letter
        if self._covers >> place & 1:
            return _STAR
        if i & 3 == 3:
            if (place - self._held_at) % len(self._slots) < self._held:
                return 107  # k
            if self._fault >> place & 1:
                return 118  # v
        return letter

    def _start_party(self, tick):
        kind = self._queue & -self._queue
        self._queue &= ~kind
        self._party = kind
        self._party_at = tick
        self._stale = True
        everywhere = (1 << len(self._slots)) - 1
        if kind == OUT:
            self._party_len = _OUT_TICKS
            self._covers = self._out
        elif kind == ROUND:
            self._party_len = _ROUND_TICKS
            self._covers = 0
            for place in range(len(self._ranks)):
                if self._ranks[place] != _NOWHERE:
                    self._covers |= 1 << place
        elif kind == MATCH:
            self._party_len = _MATCH_TICKS
            self._covers = everywhere
        else:
            units = 0
            for place in range(len(self._points)):
                if self._counted >> place & 1:
                    n = self._points[place]
                    n = 6 + n // 100 * 5 + n // 10 % 10 * 3 + n % 10 * 2
                    if n > units:
                        units = n
            self._unit = max(1, min(_POINTS_UNIT, _POINTS_TICKS // units))
            self._party_len = units * self._unit
            self._covers = self._counted

    def _paint(self, age, out):
        """Light the covered slots as whole blocks; True when something changed."""
        changed = False
        n = len(self._slots)
        for place in range(n):
            if not self._covers >> place & 1:
                continue
            if self._party == OUT:
                level = _FAST[(age + 8) % len(_FAST)]
            elif self._party == ROUND:
                level = self._rank_level(self._ranks[place], age)
            elif self._party == MATCH:
                if self._winners >> place & 1:
                    level = 90 if age % 6 > 2 else 255
                else:
                    behind = (age * n // _MATCH_LAP - place) % n
                    level = 140 if not behind else 30 if behind == 1 else 0
            else:
                level = self._points_level(self._points[place], age // self._unit)
            if level == self._block[place]:
                continue
            self._block[place] = level
            changed = True
            for i in range(4 * place, 4 * place + 4):
                if not self._temp[i]:
                    hue = self._party_hue
                    out[3 * i] = (hue[0] * level + 255) >> 8
                    out[3 * i + 1] = (hue[1] * level + 255) >> 8
                    out[3 * i + 2] = (hue[2] * level + 255) >> 8
        return changed

    def _rank_level(self, rank, age):
        """One slot after the other lights up, the best first; then all fade."""
        age -= rank * (40 // self._ranked)
        if age < 0:
            return 0
        left = _ROUND_TICKS - age - rank * (40 // self._ranked)
        if left < _ROUND_FADE:
            return 10 * left
        return 255 if age < 4 else 160

    def _points_level(self, points, unit):
        """Long flashes for hundreds, middle ones for tens, short ones for ones, on a glow."""
        unit -= 2
        on = 4
        worth = 100
        while unit >= 0 and worth:
            digit = points // worth % 10
            if unit < digit * (on + 1):
                return 255 if unit % (on + 1) < on else 20
            unit -= digit * (on + 1)
            if digit:
                unit -= 2 if worth > 1 else 0
            on >>= 1
            worth //= 10
        return 20
