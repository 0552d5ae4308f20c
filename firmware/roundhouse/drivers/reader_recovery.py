# SPDX-License-Identifier: MIT
"""Recovers readers that do not work. Loaded while there is such a reader.

Such a reader is tried every half second. The first try resets the chip and sets it up, again and
again for 100 ms, because clones need up to 45 ms to start; the second only sets it up. If both
tries fail, the bus gets slower. If this does not help, all readers are reset, but only once for
each failure. After three failures in ten seconds a reader is tried only every five seconds.
"""

from roundhouse.drivers import const, within
from roundhouse.drivers.reader import FAULT, RESET, SLOW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from roundhouse.drivers.presence import Readers


_START_US = const(100000)  # after a reset, before a chip counts as absent or slow
_AGAIN_US = const(10000)  # between two looks whether it has started
_RETRY_US = const(500000)  # between attempts to bring a dead reader back
_REST_US = const(5000000)  # the same for one that failed again and again
_TRIES = const(2)
_FALLS = const(3)
_FALLS_US = const(10000000)  # they are counted for this long


class Recovery:
    """What is known of the readers that do not work, or failed in the last ten seconds."""

    def __init__(self, readers: "Readers") -> None:
        count = len(readers.works)
        self._readers = readers
        self._clock = readers.clock
        self._falls = bytearray(count)  # failures in the last ten seconds, at most _FALLS
        self._fell_us = [0] * count  # the first of them; from the third on, the last one
        self._tries = bytearray(count)  # how often each is still set up before its next reset
        self._reset_us = [0] * count
        self._retry_us = [0] * count  # when each is tried again
        self._was_all = bytearray(count)  # which were reset with all others

    def begin(self, reset_us: int) -> None:
        """Wait for readers that failed their self-check at power-up, then try the slower bus speed
        for those that still fail. reset_us: when all were reset."""
        for i in self._sick():
            self._reset_us[i] = reset_us
            self._tries[i] = 1
            self._was_all[i] = 1
            self._retry_in(i, _RETRY_US)
        self._await()
        if self._readers.sick:
            self._slower(True)

    def failed(self, i: int) -> None:
        """Count a failure of the reader of slot i, if it worked until now. It is due at once,
        unless it rests."""
        wait = 0
        if self._readers.works[i]:
            if not self.rests(i):
                self._falls[i] += 1
            if self._falls[i] == 1 or self._falls[i] == _FALLS:
                self._fell_us[i] = self._clock.ticks_us()
            if self._falls[i] == _FALLS:
                wait = _REST_US
            else:
                self._was_all[i] = 0
        self._tries[i] = 0
        self._retry_in(i, wait)

    def rests(self, i: int) -> bool:
        """Return whether the reader of slot i rests. A reader that has failed three times within
        ten seconds rests for the next ten seconds."""
        clock = self._clock
        if not within(clock.ticks_diff, clock.ticks_us(), self._fell_us[i], _FALLS_US):
            self._falls[i] = 0
        return self._falls[i] == _FALLS

    def is_over(self, i: int) -> bool:
        """Forget the failures of the reader of slot i if they were long ago. Return whether there
        is nothing left to recover or to remember."""
        return not self.rests(i) and not self._readers.sick and not any(self._falls)

    def due(self, i: int) -> bool:
        """Return whether the reader of slot i, which does not work, is to be tried now."""
        clock = self._clock
        return clock.ticks_diff(clock.ticks_us(), self._retry_us[i]) >= 0

    def attempt(self, i: int) -> int | None:
        """Take the next of three steps to revive the reader of slot i: reset its chip, set the
        chip up, set the chip up again. If the last step fails, try the slower bus speed, then
        reset all readers, but only once for each failure of this reader.

        Returns 0 if the reader works again, SLOW if it works at the slower bus speed, RESET if all
        readers were reset, None if the chip may still be starting, otherwise FAULT.
        """
        readers = self._readers
        if not self._tries[i]:
            self._retry_in(i, readers.chip.SETTLE_US)
            self._reset(i, _TRIES)
            return FAULT
        starts = self._tries[i] == _TRIES and self._may_start(i)
        wait = _REST_US if self.rests(i) else _RETRY_US
        self._retry_in(i, _AGAIN_US if starts else wait)
        if readers.set_up(i):
            return 0
        if starts:
            return None
        self._tries[i] -= 1
        if self._tries[i] or self._was_all[i]:
            return FAULT
        if readers.slowed < 0:
            self._slower()
            if readers.works[i]:
                return SLOW if readers.slowed >= 0 else 0
        self._reset_all()
        return RESET

    def _sick(self) -> list[int]:
        works = self._readers.works
        return [i for i in range(len(works)) if not works[i]]

    def _may_start(self, i: int) -> bool:
        """Return whether the chip of slot i may still be starting after its reset."""
        clock = self._clock
        return within(clock.ticks_diff, clock.ticks_us(), self._reset_us[i], _START_US)

    def _retry_in(self, i: int, us: int) -> None:
        self._retry_us[i] = self._clock.ticks_add(self._clock.ticks_us(), us)

    def _await(self) -> None:
        """Set up the readers that do not work, again and again until the chips that were reset
        must have started."""
        failed = self._sick()
        while failed:
            self._clock.sleep_us(_AGAIN_US)
            starting = []
            for i in failed:
                starts = self._may_start(i)
                if not self._readers.set_up(i) and starts:
                    starting.append(i)
            failed = starting

    def _slower(self, waits: bool = False) -> None:
        """Try all readers that do not work at the slower bus speed; keep that speed if any of them
        then works, but not at the normal speed. waits: whether there is time for chips that start
        slowly."""
        readers = self._readers
        if not readers.chip.slow(1):
            return
        tried = self._try(self._sick(), waits)
        readers.chip.slow(0)
        for i in tried:
            if not readers.set_up(i):  # else it had just started, or was just plugged in
                readers.slowed = i
        if readers.slowed >= 0:
            readers.chip.slow(1)
            self._try(tried, waits)

    def _try(self, slots: list[int], waits: bool) -> list[int]:
        """Reset and set up the readers of these slots. Return those that work."""
        readers = self._readers
        for i in slots:
            self._reset(i, _TRIES - 1)
        self._clock.sleep_us(readers.chip.SETTLE_US)
        for i in slots:
            readers.set_up(i)
        if waits:
            self._await()
        return [i for i in slots if readers.works[i]]

    def _reset(self, i: int, tries: int) -> None:
        self._readers.chip.reset(i)
        self._was_reset(i, tries)

    def _reset_all(self) -> None:
        """Reset all readers; later calls of `attempt` set them up. Known tags stay known."""
        readers = self._readers
        readers.chip.reset_all()
        readers.schedule.all_off()
        for i in range(len(readers.works)):
            self._was_reset(i, _TRIES)
            self._was_all[i] = 1
            self._retry_in(i, readers.chip.SETTLE_US)

    def _was_reset(self, i: int, tries: int) -> None:
        self._readers.mark(i, False)
        self._tries[i] = tries
        self._reset_us[i] = self._clock.ticks_us()
