# SPDX-License-Identifier: MIT
"""The schedule of a board's readers: which antennas are on, and whose turn is next.

A tag cannot answer until its antenna has been on for 5 ms, so other antennas warm up while one
slot is polled. Neighbours' fields overlap, so their antennas are never on together; therefore
consecutive slots in the order of turns are not neighbours.
"""

from roundhouse.drivers import const

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_WARM_US = const(5000)  # field on before the first frame (ISO 14443-3, 5 ms)
_EARLY_US = const(700)  # how long before the first frame it is prepared


class Schedule:
    """The antennas of all slots, off at first. Neighbours (slots i and i +- 1, around the board)
    are never on together.

    chip: an object with the method field(i, on), see `reader`.
    clock: an object with ticks_us, ticks_diff and ticks_add.
    works: a byte per slot, nonzero while the slot's reader works; Readers updates it.
    fields: the number of antennas that may be on at once, 1 to 4.

    warm[:warm_count]: the slots whose antenna is on, oldest first
    warm_us[i]: the time in us ticks at which tags on slot i begin to answer; valid while its
        antenna is on
    hung: a mask of the slots whose chip does not confirm that its antenna is off. Until `freed` is
        called, such an antenna counts as on, and `fields` is lower by one
    """

    def __init__(self, chip: "Any", clock: "Any", works: bytearray, fields: int) -> None:
        count = len(works)
        self.fields = fields
        self.hung = 0
        self.on = bytearray(count)
        self.warm = bytearray(4)
        self.warm_count = 0
        self._count = count
        self._chip = chip
        self._clock = clock
        self._works = works
        self.warm_us: list[int] = [0] * count
        self._order = _spread(count)
        self._at = 0  # index in the order of the slot whose turn is next

    def ready(self, i: int) -> int:
        """Return whether it is time to prepare the first frame for slot i, which is due at
        warm_us[i]."""
        clock = self._clock
        return self.on[i] and (clock.ticks_diff(self.warm_us[i], clock.ticks_us()) <= _EARLY_US)

    def done(self, i: int) -> None:
        """End the polling of slot i for now: switch its antenna off, and switch on the antennas of
        the next slots."""
        if self.on[i]:
            self.off(i)
        if self.warm_count < self.fields:
            self.warm_ahead()

    def warm_ahead(self) -> None:
        """Switch on the next slots' antennas, until `fields` antennas are on."""
        while self.warm_count < self.fields:
            i = self._choose()
            if i < 0:
                return
            self._switch_on(i)

    def warm_up(self, i: int) -> None:
        """Switch on the antenna of slot i out of turn. First switch off the antennas that must not
        be on at the same time. While any slot is in `hung`, the antenna of slot i stays off."""
        if self.on[i]:
            return
        count = self._count
        if count > 1:
            if self.on[i - 1]:
                self.off((i + count - 1) % count)
            if self.on[i + 1 - count]:
                self.off((i + 1) % count)
        while self.warm_count and self.warm_count >= self.fields:
            self.off(self.warm[0])
        if not self.hung:
            self._switch_on(i)

    def off(self, i: int) -> None:
        """Tell the chip to switch off the antenna of slot i, even if it counts as off."""
        sure = self._chip.field(i, False)
        if not self.on[i] or self.hung >> i & 1:
            return
        if sure:
            self.on[i] = 0
        else:
            self.hung |= 1 << i
            self.fields -= 1
        warm = self.warm
        k = 0
        while warm[k] != i:
            k += 1
        self.warm_count -= 1
        while k < self.warm_count:
            warm[k] = warm[k + 1]
            k += 1

    def freed(self, i: int) -> None:
        """Record that the antenna of slot i is off and no longer `hung`."""
        if self.hung >> i & 1:
            self.hung ^= 1 << i
            self.fields += 1
            self.on[i] = 0

    def all_off(self) -> None:
        """Record that all antennas are off, because their chips were reset."""
        for i in range(self._count):
            self.freed(i)
            self.on[i] = 0
        self.warm_count = 0

    def _switch_on(self, i: int) -> None:
        self._chip.field(i, True)
        clock = self._clock
        self.warm_us[i] = clock.ticks_add(clock.ticks_us(), _WARM_US)
        self.on[i] = 1
        self.warm[self.warm_count] = i
        self.warm_count += 1

    def _choose(self) -> int:
        """Return the next slot in turn whose antenna and neighbours' antennas are off, or -1."""
        count = self._count
        order = self._order
        at = self._at
        on = self.on
        for _ in range(count):
            i = order[at]
            after = at + 1 if at + 1 < count else 0
            if on[i] or not self._works[i]:
                at = after  # its turn has come already, or its reader does not work
            elif not (on[i - 1] or on[i + 1 - count]):
                self._at = after
                return i
            else:
                # a neighbour's antenna is on: swap with the slot after it
                other = order[after]
                if on[other] or on[other - 1] or on[other + 1 - count] or not self._works[other]:
                    break
                order[at] = other
                order[after] = i
        self._at = at
        return -1


def _spread(count: int) -> bytearray:
    """Return all slots as bytes, ordered so that consecutive slots are not neighbours."""
    stride = 1
    for step in range(2, count):
        # it visits all slots, and neither one nor two steps lead to a neighbour
        if _common(step, count) == 1 and 1 < 2 * step % count < count - 1 and step < count - 1:
            stride = step
    order = bytearray(count)
    for i in range(count):
        order[i] = i * stride % count
    return order


def _common(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a
