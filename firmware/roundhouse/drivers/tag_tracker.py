# SPDX-License-Identifier: MIT
"""Remembers which tags are on each slot, to report each tag once and notice when it leaves."""

from roundhouse.drivers import const, within
from roundhouse.drivers.iso14443 import ENTRY, RANDOM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


# An entry is a TypeA.uid, whose second byte counts misses here.
_KNOWN = const(4)  # tags remembered per slot
_MISSES = const(1)
_UID = const(2)
_GONE_MISSES = const(3)  # a tag has left once it was silent this many times in a row,
_GONE = const(16)  # and for 160 ms, unless `remember` asked for more
_UNIT_US = const(10000)
_LONG_US = const(10000000)  # longer than any tag is remembered


class KnownTags:
    """The known tags of all slots.

    clock: an object with ticks_us and ticks_diff.

    count[i]: the count of known tags on slot i.
    uids: _KNOWN entries of ENTRY bytes for each slot, slot 0 first. The first byte of an unused
        entry is 0.
    """

    def __init__(self, count: int, clock: "Any") -> None:
        self.count = bytearray(count)
        self.uids = bytearray(count * _KNOWN * ENTRY)
        self._clock = clock
        self._seen_us = [0] * (count * _KNOWN)
        self._gone = bytearray(count * _KNOWN)  # in _UNIT_US; by entry

    def find(self, i: int, uid: bytes | bytearray) -> int:
        """Return the index of a tag's entry on slot i, or -1 if the tag is not known there.

        Random UIDs cannot be told apart, so a random UID matches every entry with a random UID.
        """
        uids = self.uids
        for e in range(_KNOWN * i, _KNOWN * i + _KNOWN):
            at = ENTRY * e
            if uids[at] != uid[0]:
                continue
            if uid[_UID] == RANDOM and uids[at + _UID] == RANDOM:
                return e
            k = _UID
            while k < ENTRY and uids[at + k] == uid[k]:
                k += 1
            if k == ENTRY:
                return e
        return -1

    def room(self, i: int) -> int:
        """Return the index of an entry for a new tag on slot i, or -1 if all are needed: an unused
        one, else that of the lifted tag that has been silent longest."""
        longest = found = -1
        for e in range(_KNOWN * i, _KNOWN * i + _KNOWN):
            if not self.uids[ENTRY * e]:
                return e
            if self.lifted(e) and self._silent_us(e) > longest:
                longest = self._silent_us(e)
                found = e
        return found

    def learn(self, i: int, uid: bytes | bytearray) -> int:
        """Remember a tag on slot i, if the slot has room for it.

        Returns the mask to pass to `forget` and `remember`; 0 if the tag was not remembered.
        """
        e = self.room(i)
        if e < 0:
            return 0
        at = ENTRY * e
        if not self.uids[at]:
            self.count[i] += 1
        self.uids[at : at + ENTRY] = uid
        self._gone[e] = _GONE
        self.seen(e)
        return 1 << e - _KNOWN * i

    def remember(self, i: int, mask: int, ms: int) -> None:
        """Let tags on slot i have left only when they have been silent for `ms`, at most 2550.
        mask: what `learn` returned for these tags."""
        for k in range(_KNOWN):
            if mask >> k & 1:
                self._gone[_KNOWN * i + k] = 1000 * ms // _UNIT_US

    def forget(self, i: int, mask: int) -> None:
        """Forget tags on slot i. mask: what `learn` returned for these tags."""
        for k in range(_KNOWN):
            if mask >> k & 1:
                self.uids[ENTRY * (_KNOWN * i + k)] = 0
                self.count[i] -= 1

    def seen(self, e: int) -> None:
        """Record that the tag of entry e has answered."""
        self.uids[ENTRY * e + _MISSES] = 0
        self._seen_us[e] = self._clock.ticks_us()

    def seen_all(self, i: int) -> None:
        """Clear the misses of all known tags on slot i, after other work kept the reader from
        polling."""
        now = self._clock.ticks_us()
        for e in range(_KNOWN * i, _KNOWN * i + _KNOWN):
            self.uids[ENTRY * e + _MISSES] = 0
            self._seen_us[e] = now

    def miss(self, i: int, e: int) -> None:
        """Record that the tag of entry e on slot i did not answer. After enough misses in a row,
        and enough time, the tag is forgotten."""
        at = ENTRY * e + _MISSES
        if self.uids[at] < 255:
            self.uids[at] += 1
        self._part(i, e)

    def part(self, i: int) -> None:
        """Forget the tags on slot i that were remembered for longer and have left, though one may
        answer now: where polls are rare, the next miss comes too late."""
        for e in range(_KNOWN * i, _KNOWN * i + _KNOWN):
            if self.lifted(e):
                self._part(i, e)

    def _part(self, i: int, e: int) -> None:
        if self._missing(e, self._gone[e]):
            self.uids[ENTRY * e] = 0
            self.count[i] -= 1

    def lifted(self, e: int) -> bool:
        """Return whether the tag of entry e would have left if it were not remembered for longer.
        It is not worth asking for by its UID: that would delay new tags."""
        return self._gone[e] > _GONE and self.uids[ENTRY * e] != 0 and self._missing(e, _GONE)

    def _missing(self, e: int, units: int) -> bool:
        clock, seen_us = self._clock, self._seen_us[e]
        misses = self.uids[ENTRY * e + _MISSES]
        return misses >= _GONE_MISSES and not within(
            clock.ticks_diff, clock.ticks_us(), seen_us, _UNIT_US * units
        )

    def _silent_us(self, e: int) -> int:
        clock = self._clock
        silent = clock.ticks_diff(clock.ticks_us(), self._seen_us[e])
        return silent if silent >= 0 else _LONG_US  # the ticks have wrapped since

    def miss_all(self, i: int, random: bool = False) -> None:
        """Record that no known tag of slot i answered. random: if true, record this only for tags
        with random UIDs."""
        uids = self.uids
        for e in range(_KNOWN * i, _KNOWN * i + _KNOWN):
            at = ENTRY * e
            if uids[at] and (not random or uids[at + _UID] == RANDOM):
                self.miss(i, e)
