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
_GONE_US = const(160000)  # and for this long


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

    def learn(self, i: int, uid: bytes | bytearray) -> int:
        """Remember a tag on slot i, if the slot has an unused entry.

        Returns the mask to pass to `forget`; 0 if the tag was not remembered.
        """
        uids = self.uids
        for k in range(_KNOWN):
            e = _KNOWN * i + k
            at = ENTRY * e
            if not uids[at]:
                uids[at : at + ENTRY] = uid
                self.count[i] += 1
                self.seen(e)
                return 1 << k
        return 0

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
        uids = self.uids
        at = ENTRY * e
        if uids[at + _MISSES] < 255:
            uids[at + _MISSES] += 1
        clock = self._clock
        if uids[at + _MISSES] >= _GONE_MISSES and not within(
            clock.ticks_diff, clock.ticks_us(), self._seen_us[e], _GONE_US
        ):
            uids[at] = 0
            self.count[i] -= 1

    def miss_all(self, i: int, random: bool = False) -> None:
        """Record that no known tag of slot i answered. random: if true, record this only for tags
        with random UIDs."""
        uids = self.uids
        for e in range(_KNOWN * i, _KNOWN * i + _KNOWN):
            at = ENTRY * e
            if uids[at] and (not random or uids[at + _UID] == RANDOM):
                self.miss(i, e)
