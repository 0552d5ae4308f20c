# SPDX-License-Identifier: MIT
"""The tags that lie on the slots, so that each is told once and is missed when it has left."""

from roundhouse.drivers.iso14443 import ENTRY, RANDOM

try:
    from micropython import const
except ImportError:

    def const(x):
        return x


# An entry of the known tags is a `uid` of TypeA; its second byte counts misses.
_KNOWN = const(4)  # tags remembered a slot
_MISSES = const(1)
_UID = const(2)
_GONE_MISSES = const(3)  # times in a row it did not answer, and
_GONE_US = const(160000)  # this long unseen, until a tag counts as gone


class KnownTags:
    """The tags that lie on each of `count` slots, so that each is told once.

    clock: ticks_us, ticks_diff. count[i] says how many are known on slot i; its entries e are
    _KNOWN * i and the next, _KNOWN in all, and entry e is uids[ENTRY * e] and the next bytes; the
    first of them is 0 where the entry is free.
    """

    def __init__(self, count, clock):
        self.count = bytearray(count)
        self.uids = bytearray(count * _KNOWN * ENTRY)
        self._clock = clock
        self._seen_us = [0] * (count * _KNOWN)

    def find(self, i, uid):
        """Return the entry of this tag on slot i, or -1.

        Of the cards whose UID changes, one is as good as another.
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

    def learn(self, i, uid):
        """Remember a tag; a full slot forgets nothing and learns nothing.

        Returns a mask of one bit, by which `forget` knows it.
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

    def forget(self, i, mask):
        """Forget these tags of slot i, as if they had never been there."""
        for k in range(_KNOWN):
            if mask >> k & 1:
                self.uids[ENTRY * (_KNOWN * i + k)] = 0
                self.count[i] -= 1

    def seen(self, e):
        """A known tag has answered."""
        self.uids[ENTRY * e + _MISSES] = 0
        self._seen_us[e] = self._clock.ticks_us()

    def seen_all(self, i):
        """Nobody could look: the time that went by is no absence of what lies there."""
        now = self._clock.ticks_us()
        for e in range(_KNOWN * i, _KNOWN * i + _KNOWN):
            self.uids[ENTRY * e + _MISSES] = 0
            self._seen_us[e] = now

    def miss(self, i, e):
        """A known tag was silent: several times in a row, and for some time, and it has left."""
        uids = self.uids
        at = ENTRY * e
        if uids[at + _MISSES] < 255:
            uids[at + _MISSES] += 1
        clock = self._clock
        if uids[at + _MISSES] >= _GONE_MISSES and (
            clock.ticks_diff(clock.ticks_us(), self._seen_us[e]) >= _GONE_US
        ):
            uids[at] = 0
            self.count[i] -= 1

    def miss_all(self, i, random=False):
        """Every known tag of slot i was silent; with `random`, those whose UID changes were."""
        uids = self.uids
        for e in range(_KNOWN * i, _KNOWN * i + _KNOWN):
            at = ENTRY * e
            if uids[at] and (not random or uids[at + _UID] == RANDOM):
                self.miss(i, e)
