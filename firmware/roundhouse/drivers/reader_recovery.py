# SPDX-License-Identifier: MIT
"""Recovers readers that do not work. Loaded while there is such a reader.

Such a reader is tried every half second. The first try resets the chip and sets it up, again and
again for 100 ms, because clones need up to 45 ms to start; the second only sets it up. If both
tries fail, the bus gets slower. If this does not help, all readers are reset, but only once for
each failure. After three failures in ten seconds a reader is tried only every five seconds.
`readers` is a presence.Readers.
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
_FALLS = const(3)
_FALLS_US = const(10000000)  # they are counted for this long


def begin(readers: "Readers") -> None:
    """Wait for readers that failed their self-check at power-up, then try the slower bus speed for
    those that still fail."""
    at = readers.clock.ticks_add(readers.clock.ticks_us(), _RETRY_US)
    _await(readers)
    if readers.sick:
        _slower(readers, True)
    for i in range(len(readers.works)):
        if not readers.works[i]:
            readers.was_all[i] = 1  # all have just been reset
            readers.retry_us[i] = at


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


def attempt(readers: "Readers", i: int) -> int | None:
    """Take the next of three steps to revive the reader of slot i: reset its chip, set the chip
    up, set the chip up again. If the last step fails, try the slower bus speed, then reset all
    readers, but only once for each failure of this reader.

    Returns 0 if the reader works again, SLOW if it works at the slower bus speed, RESET if all
    readers were reset, None if the chip may still be starting, otherwise FAULT.
    """
    clock = readers.clock
    now = clock.ticks_us()
    if not readers.was_reset[i]:
        readers.chip.reset(i)
        readers.was_reset[i] = 1
        readers.reset_us[i] = now
        readers.retry_us[i] = clock.ticks_add(now, readers.chip.SETTLE_US)
        return FAULT
    starts = readers.was_reset[i] == 1 and not _had_time(readers, i)
    if readers.set_up(i):
        _is_back(readers, i)
        return 0
    if starts:
        readers.was_reset[i] = 1
        readers.retry_us[i] = clock.ticks_add(now, _AGAIN_US)
        return None
    readers.retry_us[i] = clock.ticks_add(now, _REST_US if rests(readers, i) else _RETRY_US)
    if readers.was_reset[i] or readers.was_all[i]:
        return FAULT
    if readers.slowed < 0:
        _slower(readers)
        if readers.works[i]:
            return SLOW if readers.slowed >= 0 else 0
    _reset_all(readers)
    return RESET


def _had_time(readers: "Readers", i: int) -> bool:
    """Return whether the chip of slot i has had enough time since its reset to start."""
    clock = readers.clock
    return not within(clock.ticks_diff, clock.ticks_us(), readers.reset_us[i], _START_US)


def _await(readers: "Readers") -> None:
    """Set up the failed readers, again and again until the chips that were reset must have
    started."""
    failed = [i for i in range(len(readers.works)) if not readers.works[i]]
    while failed:
        readers.clock.sleep_us(_AGAIN_US)
        starting = []
        for i in failed:
            had_time = _had_time(readers, i)
            readers.was_reset[i] = 1
            if readers.set_up(i):
                _is_back(readers, i)
            elif not had_time:
                starting.append(i)
        failed = starting


def _is_back(readers: "Readers", i: int) -> None:
    readers.sick -= 1
    readers.schedule.freed(i)


def _slower(readers: "Readers", waits: bool = False) -> None:
    """Try all failed readers at the slower bus speed; keep that speed if any of these readers then
    works, but not at the normal speed. waits: whether there is time for chips that start slowly.
    """
    works, chip = readers.works, readers.chip
    if not chip.slow(1):
        return
    tried = _reset(readers, [i for i in range(len(works)) if not works[i]], waits)
    chip.slow(0)
    for i in tried:
        if not readers.set_up(i):  # else it had just started, or was just plugged in
            readers.slowed = i
    if readers.slowed >= 0:
        chip.slow(1)
        readers.sick += len(tried)
        _reset(readers, tried, waits)


def _reset(readers: "Readers", failed: list[int], waits: bool) -> list[int]:
    """Reset and set up these readers. Return those that work."""
    chip, clock = readers.chip, readers.clock
    for i in failed:
        chip.reset(i)
        readers.works[i] = 0
        readers.was_reset[i] = 1
        readers.reset_us[i] = clock.ticks_us()
    clock.sleep_us(chip.SETTLE_US)
    for i in failed:
        if readers.set_up(i):
            _is_back(readers, i)
    if waits:
        _await(readers)
    return [i for i in failed if readers.works[i]]


def _reset_all(readers: "Readers") -> None:
    """Reset all readers; later calls of `attempt` set them up. Known tags stay known."""
    readers.chip.reset_all()
    readers.schedule.all_off()
    clock = readers.clock
    now = clock.ticks_us()
    at = clock.ticks_add(now, readers.chip.SETTLE_US)
    readers.sick = len(readers.works)
    for i in range(readers.sick):
        readers.works[i] = 0
        readers.was_reset[i] = readers.was_all[i] = 1
        readers.reset_us[i] = now
        readers.retry_us[i] = at
