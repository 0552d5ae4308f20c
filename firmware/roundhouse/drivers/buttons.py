# SPDX-License-Identifier: MIT
"""The buttons: levels, sampled, into presses and holds.

A button acts when it is let go; how long it was down decides what that means. The times are class
constants. Nothing here knows what a press is for.
"""

PRESS = 1  # let go within HOLD_MS
HOLD = 2  # let go from HOLD_MS on, before LEANT_MS
LONG = 3  # down for LONG_MS
STUCK = 4  # down for STUCK_MS: broken, or something leans on it; no input until it is let go
FREE = 5  # a stuck button was let go


class Buttons:
    """`count` buttons; `levels()` returns a mask, bit i set while button i is down.

    After `scan` has returned something, `which` is the button it is about.
    """

    DEBOUNCE_MS = 15
    TWICE_MS = 500  # presses of one button closer than this are one
    HOLD_MS = 1000
    LEANT_MS = 3000  # from here to LONG_MS somebody leans on it: no input
    LONG_MS = 5000
    STUCK_MS = 10000

    def __init__(self, levels, count, ticks_diff):
        self.which = 0
        self.down = 0  # mask: debounced, and neither stuck nor used up
        self._levels = levels
        self._count = count
        self._diff = ticks_diff
        self._raw = 0
        self._since = [0] * count  # when the raw level changed last
        self._pressed = [0] * count  # when it went down
        self._last = [-(1 << 20)] * count  # the last press
        self._held = 0  # mask: debounced
        self._stuck = 0
        self._used = 0  # its release is no input

    def scan(self, now):
        """Sample all buttons at `now` (ms ticks).

        Returns PRESS, HOLD, LONG, STUCK or FREE, of the button `which`; 0 for nothing. One event
        a call: call again for more.
        """
        raw = self._levels()
        changed = raw ^ self._raw
        self._raw = raw
        if not (raw or changed or self._held):
            return 0
        if changed:
            for i in range(self._count):
                if changed >> i & 1:
                    self._since[i] = now
        for i in range(self._count):
            bit = 1 << i
            if (raw ^ self._held) & bit:
                if self._diff(now, self._since[i]) >= self.DEBOUNCE_MS:
                    event = self._settle(i, bit, now)
                    if event:
                        self.which = i
                        return event
            elif (
                self._held & bit
                and not self._stuck & bit
                and self._diff(now, self._pressed[i]) >= self.STUCK_MS
            ):
                self._stuck |= bit
                self.down &= ~bit
                self.which = i
                return STUCK
        return 0

    def any_down(self):
        """Return whether any button is down at this moment, bounces and all."""
        return self._levels() != 0

    def use(self, i):
        """Button i has done its work while it is down: letting go of it is no input."""
        self._used |= 1 << i
        self.down &= ~(1 << i)

    def held_ms(self, i, now):
        """Return for how many ms button i has been down; 0 when it is up, stuck or used."""
        return self._diff(now, self._pressed[i]) if self.down >> i & 1 else 0

    def _settle(self, i, bit, now):
        self._held ^= bit
        if self._held & bit:
            self._pressed[i] = self._since[i]
            self.down |= bit
            return 0
        self.down &= ~bit
        used, stuck = self._used & bit, self._stuck & bit
        self._used &= ~bit
        self._stuck &= ~bit
        if stuck:
            return FREE
        if used:
            return 0
        held = self._diff(self._since[i], self._pressed[i])
        if held >= self.LONG_MS:
            return LONG
        if held >= self.HOLD_MS:
            return HOLD if held < self.LEANT_MS else 0
        twice = self._diff(now, self._last[i]) < self.TWICE_MS
        self._last[i] = now
        return 0 if twice else PRESS
