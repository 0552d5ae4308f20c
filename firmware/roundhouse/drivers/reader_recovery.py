# SPDX-License-Identifier: MIT
"""Recovers readers that do not work. Loaded while there is such a reader.

Such a reader is tried every half second. The first try resets the chip and sets it up; the second
only sets it up, for clones that need 20 to 45 ms to start. If both tries fail, the bus gets
slower. If this does not help, all readers are reset, but only once for each failure. After three
failures in ten seconds a reader is tried only every five seconds. `readers` is a presence.Readers.
"""

from roundhouse.drivers import const, within
from roundhouse.drivers.reader import FAULT, RESET, SLOW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from roundhouse.drivers.presence import Readers


_RETRY_US = const(500000)  # between attempts to bring a dead reader back
_REST_US = const(5000000)  # the same for one that failed again and again
_FALLS = const(3)
_FALLS_US = const(10000000)  # they are counted for this long


def begin(readers: "Readers") -> None:
    """Try the slower bus speed for readers that failed their self-check at power-up."""
    clock = readers.clock
    _slower(readers)
    for i in range(len(readers.works)):
        if not readers.works[i]:
            readers.was_all[i] = 1  # all have just been reset
            readers.retry_us[i] = clock.ticks_add(clock.ticks_us(), _RETRY_US)


def fall(readers: "Readers", i: int) -> int:
    """Count a failure of the reader of slot i. Return the time in us until the next try."""
    clock, falls, fell_us = readers.clock, readers.falls, readers.fell_us
    now = clock.ticks_us()
    if not within(clock.ticks_diff, now, fell_us[i], _FALLS_US):
        falls[i] = 0
    if falls[i] < _FALLS:
        falls[i] += 1
    if falls[i] == 1 or falls[i] == _FALLS:
        fell_us[i] = now
    return _REST_US if falls[i] == _FALLS else 0


def rests(readers: "Readers", i: int) -> bool:
    clock = readers.clock
    if within(clock.ticks_diff, clock.ticks_us(), readers.fell_us[i], _FALLS_US):
        return readers.falls[i] == _FALLS
    readers.falls[i] = 0
    return False


def attempt(readers: "Readers", i: int) -> int:
    """Take the next of three steps to revive the reader of slot i: reset its chip, set the chip
    up, set the chip up again. If the last step fails, try the slower bus speed, then reset all
    readers, but only once for each failure of this reader.

    Returns 0 if the reader works again, SLOW if it works at the slower bus speed, RESET if all
    readers were reset, otherwise FAULT.
    """
    clock = readers.clock
    now = clock.ticks_us()
    if not readers.was_reset[i]:
        readers.chip.reset(i)
        readers.was_reset[i] = 1
        readers.retry_us[i] = clock.ticks_add(now, readers.chip.SETTLE_US)
        return FAULT
    if readers.set_up(i):
        readers.sick -= 1
        readers.schedule.freed(i)
        return 0
    readers.retry_us[i] = clock.ticks_add(now, _REST_US if rests(readers, i) else _RETRY_US)
    if readers.was_reset[i] or readers.was_all[i]:
        return FAULT
    if readers.slowed < 0:
        _slower(readers)
        if readers.works[i]:
            return SLOW
    _reset_all(readers)
    return RESET


def _slower(readers: "Readers") -> None:
    """Try all failed readers at the slower bus speed; keep that speed if any of these readers then
    works."""
    works, chip = readers.works, readers.chip
    if not chip.slow(1):
        return
    tried = [i for i in range(len(works)) if not works[i]]
    for i in tried:
        chip.reset(i)
        readers.was_reset[i] = 1
    readers.clock.sleep_us(chip.SETTLE_US)
    for i in tried:
        if readers.set_up(i):
            readers.slowed = i
            readers.sick -= 1
            readers.schedule.freed(i)
    if readers.slowed < 0:
        chip.slow(0)


def _reset_all(readers: "Readers") -> None:
    """Reset all readers; later calls of `attempt` set them up. Known tags stay known."""
    readers.chip.reset_all()
    readers.schedule.all_off()
    clock = readers.clock
    at = clock.ticks_add(clock.ticks_us(), readers.chip.SETTLE_US)
    readers.sick = len(readers.works)
    for i in range(readers.sick):
        readers.works[i] = 0
        readers.was_reset[i] = readers.was_all[i] = 1
        readers.retry_us[i] = at
