# SPDX-License-Identifier: MIT
"""Buttons: turns sampled levels into presses and holds.

Releasing a button gives PRESS, HOLD or LONG, depending on how long it was down; between HOLD and
LONG there is a gap that gives nothing. A button down too long gives STUCK, and FREE when released.
If most buttons change at once, a wire that they share is loose: that gives LOOSE, and RIGHT once
they have been right for a while. The limits are constants of `Buttons`.
"""

from roundhouse.drivers import const, within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


PRESS = 1  # let go within HOLD_MS
HOLD = 2  # let go from HOLD_MS on, before LEANT_MS
LONG = 3  # let go from LONG_MS on
STUCK = 4  # down for STUCK_MS: broken, or something leans on it; ignored until it is let go
FREE = 5  # a stuck button was let go
LOOSE = 6  # MANY buttons changed at once; all are ignored until RIGHT
RIGHT = 7  # they have been right for _RIGHT_MS

_RIGHT_MS = const(1000)


class Buttons:
    """The buttons of a board.

    levels: a function that returns a mask with bit i set while button i is down.
    ticks_diff: the function of MicroPython's `time`.

    which: the index of the button whose event `scan` returned last; of no meaning for LOOSE and
        RIGHT.
    stuck: a mask of the buttons that are stuck.
    loose: whether a wire that the buttons share is loose.
    """

    # A worn contact bounces, and opens while it is held, for up to 25 ms. After a longer pause of
    # the samples, while flash is erased or a module is loaded, a button that was down before it or
    # is down now counts at once: it was down for a part of the pause.
    DEBOUNCE_MS = 30
    TWICE_MS = 500  # presses of one button closer than this count as one
    HOLD_MS = 1000
    LEANT_MS = 3000  # held this long, but less than LONG_MS: an elbow, ignored
    LONG_MS = 5000
    STUCK_MS = 10000
    MANY = 7  # more than a table presses in one look; on a smaller board, all but one

    def __init__(
        self, levels: "Callable[[], int]", count: int, ticks_diff: "Callable[[int, int], int]"
    ) -> None:
        self.which = 0
        self.stuck = 0
        self.loose = False
        self.down = 0  # mask: debounced, and neither stuck nor used up
        self._levels = levels
        self._count = count
        self._diff = ticks_diff
        self._raw = 0
        self._looked = 0  # when `scan` was called last
        self._since = [0] * count  # when the raw level changed last
        self._pressed = [0] * count  # when it went down
        self._last = [0] * count  # the last press, of those in the mask _recent
        self._recent = 0
        self._held = 0  # mask: debounced
        self._used = 0  # mask: their release is ignored
        self._changed = 0  # when a level changed last; only while `loose`
        # a seat's button with E's, and E's with M's, are gestures: two are never too many
        self._many = self.MANY if count >= self.MANY else max(3, count - 1)

    def scan(self, now: int) -> int:
        """Sample all buttons; now: the time in ms ticks.

        Returns an event, such as PRESS, and sets `which` to the button's index; or returns 0. Call
        it again until it returns 0.
        """
        raw = self._levels()
        changed = raw ^ self._raw
        self._raw = raw
        away = self._diff(now, self._looked) > self.DEBOUNCE_MS
        self._looked = now
        if not (raw or changed or self._held or self.loose):
            return 0
        if self.loose or changed and _ones(changed) >= self._many:
            return self._wait_until_right(raw, changed, now)
        if changed:
            for i in range(self._count):
                bit = changed & 1 << i
                if bit:
                    self._since[i] = now
                    if away and not self._held & bit:
                        self._settle(i, bit, now)
        busy = raw ^ self._held | self._held & ~self.stuck
        for i in range(self._count):
            if busy >> i & 1:
                event = self._look(i, 1 << i, now)
                if event:
                    self.which = i
                    return event
        return 0

    def _look(self, i: int, bit: int, now: int) -> int:
        """Return the event of button i, which has changed or is down, or 0. bit: 1 << i."""
        if (self._raw ^ self._held) & bit:
            if self._diff(now, self._since[i]) >= self.DEBOUNCE_MS:
                return self._settle(i, bit, now)
        elif self._diff(now, self._pressed[i]) >= self.STUCK_MS:
            self.stuck |= bit
            self.down &= ~bit
            return STUCK
        return 0

    def _wait_until_right(self, raw: int, changed: int, now: int) -> int:
        """Ignore all buttons until nothing has changed for _RIGHT_MS. Return LOOSE at first, RIGHT
        at last, otherwise 0."""
        if changed:
            self._changed = now
        if not self.loose:
            self.loose = True
            self.down = self._used = 0
            self._held &= self.stuck
            return LOOSE
        if _ones(raw) >= self._many or self._diff(now, self._changed) < _RIGHT_MS:
            return 0
        self.loose = False
        # what is down now may have been pressed at any time: its release is ignored
        self._used = raw & ~self.stuck
        self._held |= raw
        for i in range(self._count):
            self._since[i] = now
            self._pressed[i] = now
        return RIGHT

    def any_down(self) -> bool:
        """Return whether any button is down now, without debouncing. If almost all are, that is a
        loose wire."""
        return 0 < _ones(self._levels()) < self._many

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
        used, stuck = self._used & bit, self.stuck & bit
        self._used &= ~bit
        self.stuck &= ~bit
        if stuck:
            return FREE
        if used:
            return 0
        held = self._diff(self._since[i], self._pressed[i])
        if held >= self.LONG_MS:
            return LONG
        if held >= self.HOLD_MS:
            return HOLD if held < self.LEANT_MS else 0
        twice = self._recent & bit and within(self._diff, now, self._last[i], self.TWICE_MS)
        self._recent |= bit
        self._last[i] = now
        return 0 if twice else PRESS


def _ones(mask: int) -> int:
    """Return how many bits are set in a mask."""
    ones = 0
    while mask:
        mask &= mask - 1
        ones += 1
    return ones
