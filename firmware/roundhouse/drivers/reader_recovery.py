# SPDX-License-Identifier: MIT
"""Readers that do not work, and how they are brought back; loaded while there are some.

An attempt every half second: reset it, set it up. Where that fails for the first time, the bus
goes a step slower, if that helps; else all readers are reset by the line they share. `readers` is
a presence.Readers.
"""

from roundhouse.drivers.reader import FAULT, RESET, SLOW

try:
    from micropython import const
except ImportError:

    def const(x):
        return x


_RETRY_US = const(500000)  # between attempts to bring a dead reader back


def begin(readers):
    """At power-up some readers failed their self-check: it may be the bus's speed."""
    clock = readers.clock
    _slower(readers)
    for i in range(len(readers.works)):
        if not readers.works[i]:
            readers.was_all[i] = 1  # all have just been reset
            readers.retry_us[i] = clock.ticks_add(clock.ticks_us(), _RETRY_US)


def attempt(readers, i):
    """Try the reader of slot i: reset it, next time set it up; where that fails go slower, or
    reset all, once. Returns 0, FAULT, RESET or SLOW."""
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
    readers.retry_us[i] = clock.ticks_add(now, _RETRY_US)
    if readers.was_all[i]:
        return FAULT
    if readers.slowed < 0:
        _slower(readers)
        if readers.works[i]:
            return SLOW
    _reset_all(readers)
    return RESET


def _slower(readers):
    """Try all that do not work at the bus's slower step; where one does then, all stay there."""
    works, chip = readers.works, readers.chip
    if not chip.slow(1):
        return
    tried = [i for i in range(len(works)) if not works[i]]
    for i in tried:
        chip.reset(i)
    readers.clock.sleep_us(chip.SETTLE_US)
    for i in tried:
        if readers.set_up(i):
            readers.slowed = i
            readers.sick -= 1
            readers.schedule.freed(i)
    if readers.slowed < 0:
        chip.slow(0)


def _reset_all(readers):
    """Reset all readers, to be set up one by one; what lies there stays known."""
    readers.chip.reset_all()
    readers.schedule.all_off()
    clock = readers.clock
    at = clock.ticks_add(clock.ticks_us(), readers.chip.SETTLE_US)
    readers.sick = len(readers.works)
    for i in range(readers.sick):
        readers.works[i] = 0
        readers.was_reset[i] = readers.was_all[i] = 1
        readers.retry_us[i] = at
