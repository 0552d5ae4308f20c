# SPDX-License-Identifier: MIT
"""The schedule of a board's readers: which antennas are on, and whose turn is next.

A tag answers 5 ms after its antenna was switched on, so others warm up while one is asked.
Neighbours' fields would reach into each other and are never on at once.
"""

try:
    from micropython import const
except ImportError:

    def const(x):
        return x


_WARM_US = const(5000)  # field on before the first frame (ISO 14443-3, 5 ms)
_EARLY_US = const(700)  # so long before that, the first frame is made ready
_EXTRA = const(14)  # after so many turns one of the favoured slots is asked


class Schedule:
    """The antennas of all slots, off at first.

    chip: field(i, on), as reader.py says. clock: ticks_us, ticks_diff, ticks_add.
    works: a byte per slot, not 0 where its reader works; who knows that keeps it up to date.
    fields: antennas on at once, the one in use included, 1..3; neighbours (slots i and i +- 1,
    around the board) never are.

    hung: a mask of the slots whose chip does not say that its antenna is off, although it should
    be: it counts as on until somebody says `freed`, and `fields` is one less.
    warm_us[i]: when the tags on slot i can answer, where its antenna is on.
    warm[:warm_count] are the slots whose antenna is on, the oldest first.
    favoured: a mask, bit i for slot i, of the slots that are asked more often.
    """

    def __init__(self, chip, clock, works, fields):
        count = len(works)
        self.fields = fields
        self.favoured = 0
        self.hung = 0
        self.on = bytearray(count)
        self.warm = bytearray(4)
        self.warm_count = 0
        self._count = count
        self._chip = chip
        self._clock = clock
        self._works = works
        self.warm_us = [0] * count
        self._order = _spread(count)  # whose turn is next, and where in it
        self._at = 0
        self._turn = 0
        self._extra = 0  # the favoured slot that was asked last

    def ready(self, i):
        """Whether the first frame on slot i can be made ready: its field will soon have been on
        long enough for its tags to answer, at warm_us[i]."""
        clock = self._clock
        return self.on[i] and (clock.ticks_diff(self.warm_us[i], clock.ticks_us()) <= _EARLY_US)

    def done(self, i):
        """Slot i has had its turn: off with its antenna, on with another."""
        if self.on[i]:
            self.off(i)
        if self.warm_count < self.fields:
            self.warm_ahead()

    def warm_ahead(self):
        """Switch on the antennas of the slots whose turn comes next, no two neighbours."""
        while self.warm_count < self.fields:
            i = self._choose()
            if i < 0:
                return
            self._switch_on(i)

    def warm_up(self, i):
        """Switch on the antenna of slot i out of turn, and off what must not be on beside it.

        Not while one is hung, which may be beside it."""
        if self.on[i]:
            return
        count = self._count
        if count > 1:
            if self.on[i - 1]:
                self.off((i + count - 1) % count)
            if self.on[i + 1 - count]:
                self.off((i + 1) % count)
        while self.warm_count and self.warm_count >= self.fields:
            self.off(self.warm[0])
        if not self.hung:
            self._switch_on(i)

    def off(self, i):
        """Switch off the antenna of slot i, even if it should be off already."""
        sure = self._chip.field(i, False)
        if not self.on[i] or self.hung >> i & 1:
            return
        if sure:
            self.on[i] = 0
        else:
            self.hung |= 1 << i
            self.fields -= 1
        warm = self.warm
        k = 0
        while warm[k] != i:
            k += 1
        self.warm_count -= 1
        while k < self.warm_count:
            warm[k] = warm[k + 1]
            k += 1

    def freed(self, i):
        """The antenna of slot i is off, whatever was known of it."""
        if self.hung >> i & 1:
            self.hung ^= 1 << i
            self.fields += 1
            self.on[i] = 0

    def all_off(self):
        """All antennas are off: their chips were reset."""
        for i in range(self._count):
            self.freed(i)
            self.on[i] = 0
        self.warm_count = 0

    def _switch_on(self, i):
        self._chip.field(i, True)
        clock = self._clock
        self.warm_us[i] = clock.ticks_add(clock.ticks_us(), _WARM_US)
        self.on[i] = 1
        self.warm[self.warm_count] = i
        self.warm_count += 1

    def _choose(self):
        """The slot whose turn is next, its antenna off and no neighbour's on; or -1."""
        count = self._count
        order = self._order
        at = self._at
        on = self.on
        self._turn += 1
        if self._turn > _EXTRA and self.favoured:
            # a turn for a favoured slot, unless that would block who is next
            i = self._extra
            for _ in range(count):
                i = i + 1 if i + 1 < count else 0
                if self.favoured >> i & 1 and self._free(i):
                    away = (i + count - order[at]) % count
                    if 1 < away < count - 1:
                        self._extra = i
                        self._turn = 0
                        return i
        for _ in range(count):
            i = order[at]
            after = at + 1 if at + 1 < count else 0
            if on[i] or not self._works[i]:
                at = after  # has its turn, or cannot have it
            elif not (on[i - 1] or on[i + 1 - count]):
                self._at = after
                return i
            else:
                # beside an antenna that is on: the next in line goes first
                other = order[after]
                if not self._free(other):
                    break
                order[at] = other
                order[after] = i
        self._at = at
        return -1

    def _free(self, i):
        """Whether the antenna of slot i is off and could be switched on."""
        on = self.on
        return self._works[i] and not (on[i] or on[i - 1] or on[i + 1 - self._count])


def _spread(count):
    """Return all slots in an order in which those that follow each other are not neighbours."""
    stride = 1
    for step in range(2, count):
        # it visits all, and one and two steps on is no neighbour
        if _common(step, count) == 1 and 1 < 2 * step % count < count - 1 and step < count - 1:
            stride = step
    order = bytearray(count)
    for i in range(count):
        order[i] = i * stride % count
    return order


def _common(a, b):
    """Return the greatest common divisor."""
    while b:
        a, b = b, a % b
    return a
