# SPDX-License-Identifier: MIT
"""Buttons: turns sampled levels into presses and holds.

Releasing a button gives PRESS, HOLD or LONG, depending on how long it was down; between HOLD and
LONG there is a gap that gives nothing. A button down too long gives STUCK, and FREE when released.
The limits are constants of `Buttons`.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


PRESS = 1  # let go within HOLD_MS
HOLD = 2  # let go from HOLD_MS on, before LEANT_MS
LONG = 3  # let go from LONG_MS on
STUCK = 4  # down for STUCK_MS: broken, or something leans on it; ignored until it is let go
FREE = 5  # a stuck button was let go


class Buttons:
    """The buttons of a board.

    levels: a function that returns a mask with bit i set while button i is down.
    ticks_diff: the function of MicroPython's `time`.

    which: the index of the button whose event `scan` returned last.
    """

    DEBOUNCE_MS = 10  # the interval of the hub's samples: two equal ones in a row count
    AWAY_MS = 30  # after a longer pause, while flash is erased, one sample counts
    TWICE_MS = 500  # presses of one button closer than this count as one
    HOLD_MS = 1000
    LEANT_MS = 3000  # held this long, but less than LONG_MS: an elbow, ignored
    LONG_MS = 5000
    STUCK_MS = 10000

    def __init__(
        self, levels: "Callable[[], int]", count: int, ticks_diff: "Callable[[int, int], int]"
    ) -> None:
        self.which = 0
        self.down = 0  # mask: debounced, and neither stuck nor used up
        self._levels = levels
        self._count = count
        self._diff = ticks_diff
        self._raw = 0
        self._looked = 0  # when `scan` was called last
        self._since = [0] * count  # when the raw level changed last
        self._pressed = [0] * count  # when it went down
        self._last = [-(1 << 20)] * count  # the last press
        self._held = 0  # mask: debounced
        self._stuck = 0
        self._used = 0  # mask: their release is ignored

    def scan(self, now: int) -> int:
        """Sample all buttons; now: the time in ms ticks.

        Returns PRESS, HOLD, LONG, STUCK or FREE, and sets `which` to the button's index; or
        returns 0. Call it again until it returns 0.
        """
        raw = self._levels()
        changed = raw ^ self._raw
        self._raw = raw
        away = self._diff(now, self._looked) > self.AWAY_MS
        self._looked = now
        if not (raw or changed or self._held):
            return 0
        if changed:
            for i in range(self._count):
                bit = changed & 1 << i
                if bit:
                    if away and not (raw | self._held) & bit:
                        self._settle(i, bit, now)  # it was down for a part of that time
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

    def any_down(self) -> bool:
        """Return whether any button is down now, without debouncing."""
        return self._levels() != 0

    def use(self, i: int) -> None:
        """Mark button i, which is down, as used: `scan` ignores its release."""
        self._used |= 1 << i
        self.down &= ~(1 << i)

    def held_ms(self, i: int, now: int) -> int:
        """Return how long button i has been down, in ms; 0 if it is up, stuck or used."""
        return self._diff(now, self._pressed[i]) if self.down >> i & 1 else 0

    def _settle(self, i: int, bit: int, now: int) -> int:
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
