# SPDX-License-Identifier: MIT
"""Presence and health: which tags are on which slot, and which readers work.

The hub's `reader` is a `Readers` object. Each `step` polls one slot whose antenna is warm:

    wake       WUPA, which also finds out whether the slot is empty
    greet      SELECT each known tag by its UID; one that is silent for long enough has left
    meet       identify tags that still answer, and read new ones, page by page

A tag is reported once, when it has been read completely, and again only after it has left. This
module depends neither on the meaning of a tag's bytes nor on the kind of chip.
"""

from roundhouse.drivers import const
from roundhouse.drivers.iso14443 import ENTRY, RANDOM, REQA, WUPA, TypeA
from roundhouse.drivers.reader import DEAD, FAULT, NOTHING
from roundhouse.drivers.schedule import Schedule
from roundhouse.drivers.tag_tracker import KnownTags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from roundhouse.drivers.reader_recovery import Recovery


_IMAGE = const(896)  # bytes of an image: CC and the whole user memory of an NTAG216 (892)
_SECOND = const(256)  # bytes of the second image, which is read only to compare its text
# An image begins with page 3, the capability container (CC). But the first READ is of pages 4 to
# 7, which hold the text of most tags, so that page 3 need not be read. Until page 3 is read, the
# image begins with the CC of the largest possible memory, but only as many bytes are trusted as
# every Type 2 tag has.
_PRESUMED = const(b"\xe1\x10\xff\x00")
_SURE = const(36)  # bytes of an image after two READs from page 4 on
_READS = const(4)  # READ commands per poll, so that a long tag does not stop the loop
# A chip's settings are checked every 16th poll of its slot: every 1.4 s with one field on, when a
# sweep takes 80 ms.
_CHECK_MASK = const(15)

_KNOWN = const(4)  # tags remembered per slot: see tag_tracker
_UID = const(2)  # offset of the UID in an entry


class Readers:
    """All readers of a board. The docstring of `reader` describes the interface.

    chip: the chips of all slots, see `reader`.
    clock: an object with ticks_us, ticks_diff, ticks_add and sleep_us.
    enough: enough(buf, n) returns how many bytes must be read to know a tag's text; buf has the
        first n bytes of the tag's memory from page 3 on.
    fields: the number of antennas that may be on at once, 1..4.

    step() sets `new`, the count of new tags. For the first two of them, images[k] is the tag's
    memory from page 3 on, and sizes[k] is the count of valid bytes in images[k], or 0 if the tag
    is not a readable Type 2 tag.

    works[i]: 1 if the reader of slot i works, else 0.
    sick: the count of readers that do not work.
    recovery: a reader_recovery.Recovery while it is needed, else None.
    """

    def __init__(
        self, chip: "Any", clock: "Any", enough: "Callable[[bytearray, int], int]", fields: int = 2
    ) -> None:
        count = chip.count
        self.new = 0
        self.images = [bytearray(_IMAGE), bytearray(_SECOND)]
        self.sizes = [0, 0]
        self._answer = chip.answer[:16]  # of a READ
        self.chip = chip
        self.works = bytearray(count)
        self.schedule: Any = Schedule(chip, clock, self.works, fields)
        self.clock = clock
        self._enough = enough
        self.tag: Any = TypeA(chip)
        self.known: Any = KnownTags(count, clock)
        self._polls = bytearray(count)
        self.sick = count
        self.recovery: Any = None
        # a long tag that takes several polls
        self._part = -1
        self._part_size = 0
        self._part_new = 0
        self._told = -1  # the slot whose new tags the last step reported; its antenna is still on
        # tags learnt but not reported yet, and those reported last: masks from KnownTags.learn
        self._untold = self._latest = 0
        for i in range(count):
            chip.reset(i)
        reset_us = clock.ticks_us()
        clock.sleep_us(chip.SETTLE_US)
        self.slowed = -1
        for i in range(count):
            self.set_up(i)
        if self.sick:
            self._recover().begin(reset_us)

    # ---- what the hub uses ----

    def step(self) -> int:
        """Do the next piece of work; wait at most 0.7 ms for an antenna.

        Returns the slot that was polled, or -1. `new` is then the slot's count of new tags, or
        FAULT, RESET or SLOW.
        """
        schedule = self.schedule
        if self._told >= 0:
            schedule.done(self._told)
            self._told = -1
        i = self._part
        if i >= 0:
            return self._polled(i, self._continue(i))
        if self.sick or schedule.hung:
            i = self._due()
            if i >= 0:
                new = self.recovery.attempt(i)
                if new is None:
                    return -1
                self.new = new
                return i
        if schedule.warm_count < schedule.fields:
            schedule.warm_ahead()
        if not schedule.warm_count:
            return -1
        i = schedule.warm[0]
        if not schedule.ready(i):
            # meanwhile check the settings of readers whose turn comes
            warm = schedule.warm
            polls = self._polls
            for k in range(schedule.warm_count):
                i = warm[k]
                if not polls[i]:
                    if self._check_up(i):
                        return -1
                    self.new = FAULT
                    return i
            return -1
        return self._polled(i, self._ask(i))

    def _polled(self, i: int, new: int) -> int:
        self.new = new
        if self._part < 0:
            if new > 0:
                self._told = i  # its antenna is switched off in the next step, after the answer
            else:
                self.schedule.done(i)
        return i

    def remember(self, i: int, ms: int) -> None:
        """Report the new tags of the last `step`, on slot i, again only after they were silent for
        `ms`, 160 to 2550."""
        self.known.remember(i, self._latest, ms)

    def while_waiting(self, call: "Callable[[], object]") -> None:
        """Set a function to be called at least every 2 ms while a tag is read. It must return
        within 2 ms."""
        self.chip.meanwhile = call

    def healthy(self, i: int) -> bool:
        return self.works[i] == 1

    def rests(self, i: int) -> bool:
        return self.recovery is not None and self.recovery.rests(i)

    def is_there(self, i: int) -> bool:
        """Return whether a chip answers on slot i. False means that the cable is unplugged."""
        self.chip.holds(i)
        return 0 < self.version(i) < 255

    def version(self, i: int) -> int:
        """Return the version of slot i's chip as last read; 0 or 0xFF: no chip."""
        return self.chip.versions[i]

    def register(self, i: int) -> int:
        """Return the register for which the last set-up of slot i's chip failed, or 0."""
        return self.chip.wrong[i]

    # ---- health ----

    def mark(self, i: int, works: bool) -> None:
        self.sick += self.works[i] - works
        self.works[i] = works

    def set_up(self, i: int) -> bool:
        """Set up the chip of slot i. Return whether it keeps its settings and completes a test
        exchange."""
        well = self.chip.set_up(i) and self.tag.wake(WUPA) != DEAD
        self.mark(i, well)
        if well:
            self.schedule.freed(i)
        self.known.seen_all(i)
        return well

    def fail(self, i: int) -> int:
        """Mark the reader of slot i as not working; return FAULT. The next `step` tries to set it
        up again, unless it rests."""
        self._recover().failed(i)
        self.mark(i, False)
        self._drop(i)
        self.schedule.off(i)
        return FAULT

    def break_off(self) -> None:
        """Stop reading a long tag, to free the readers for other work. Later it is read again from
        the start."""
        self._drop(self._part)

    def _drop(self, i: int) -> None:
        """Forget the tags on slot i that are not reported yet, so that the next poll finds them
        again."""
        self.known.forget(i, self._untold)
        self._untold = 0
        self._part = -1

    def _recover(self) -> "Recovery":
        if self.recovery is None:
            from roundhouse.drivers.reader_recovery import Recovery

            self.recovery = Recovery(self)
        return self.recovery

    def _due(self) -> int:
        """Return a slot whose reader does not work and should now be tried again, or -1."""
        for i in range(len(self.works)):
            if self.works[i] and self.schedule.hung >> i & 1:
                self.fail(i)
            if not self.works[i] and self.recovery.due(i):
                return i
        return -1

    def _check_up(self, i: int) -> bool:
        """Return whether the chip of slot i still has its settings."""
        self._polls[i] = 1
        if self.recovery is not None and self.recovery.is_over(i):
            self.recovery = None
        if self.chip.holds(i):
            return True
        self.fail(i)
        return False

    # ---- presence ----

    def poll(self, i: int) -> int:
        """Poll slot i for tags; return the count of new tags, or FAULT. If its antenna is not
        warm, do nothing and return 0.

        An empty slot takes 8 SPI calls and 0.6 ms; a new tag takes 10 ms (`make bench`). A tag
        whose text needs more than _READS reads takes several polls; only the last reports it.
        """
        return self._ask(i) if self.schedule.ready(i) else 0

    def _ask(self, i: int) -> int:
        self.chip.select(i)
        self.chip.not_before = self.schedule.warm_us[i]
        if not self._polls[i] and not self._check_up(i):
            return FAULT
        self._polls[i] = (self._polls[i] + 1) & _CHECK_MASK
        if self.known.count[i]:
            self.known.part(i)
        heard = self.tag.wake(WUPA)
        known = self.known.count[i]
        if heard >= 0 and not known:
            return self._meet(i, heard, 0)
        if heard == NOTHING:
            if known:
                self.known.miss_all(i)
            return 0
        if heard == DEAD:
            return self.fail(i)
        return self._greet(i, heard)

    def _greet(self, i: int, heard: int) -> int:
        """Find out which known tags of slot i are still there, then read the new tags. heard: the
        result of `wake`."""
        known = self.known
        tag = self.tag
        for e in range(_KNOWN * i, _KNOWN * i + _KNOWN):
            at = ENTRY * e
            if not known.uids[at] or known.uids[at + _UID] == RANDOM or known.lifted(e):
                continue  # if it is there, `_meet` finds it
            if heard == NOTHING:
                known.miss(i, e)
            else:
                heard = tag.greet(known.uids, at)
                if heard == DEAD:
                    return self.fail(i)
                if heard == NOTHING:
                    known.miss(i, e)
                else:
                    known.seen(e)
                    if heard >= 0:
                        tag.halt()
                heard = tag.wake(REQA)
        return self._meet(i, heard, 0)

    def _meet(self, i: int, heard: int, new: int) -> int:
        """Identify every tag on slot i that still answers, and read the new ones. heard: the
        result of the last `wake`; new: the count of tags read in this poll so far.

        Returns `new` plus the count of the new tags; 0 if a tag is only partly read; or FAULT.
        """
        known = self.known
        tag = self.tag
        random = False
        rounds = _KNOWN + 2
        while heard != NOTHING and heard != DEAD and rounds:
            rounds -= 1
            heard = tag.identify()
            if heard < 0:
                break
            random = random or tag.uid[_UID] == RANDOM
            e = known.find(i, tag.uid) if known.count[i] else -1
            fresh = e < 0 and known.room(i) >= 0
            if e >= 0:
                known.seen(e)
            elif fresh and new < 2:
                heard = self._read(i, new, 0)
                if self._part >= 0:
                    self.chip.rest()
                    return 0
                if heard < 0:
                    break
                self.sizes[new] = heard
            tag.halt()
            if fresh:
                self._untold |= known.learn(i, tag.uid)
                new += 1
            heard = tag.wake(REQA)
        # what a chip sent last is certain only once it has answered again
        if heard == DEAD:
            return self.fail(i)
        self._latest, self._untold = self._untold, 0
        self.chip.rest()
        # a card with changing UIDs is met only here: if nothing is left to answer, it is absent
        if heard == NOTHING and not random and known.count[i]:
            known.miss_all(i, True)
        return new

    def _continue(self, i: int) -> int:
        """Read more of a long tag on slot i; when it is complete, read the slot's other tags."""
        self.chip.select(i)
        new = self._part_new
        size = self._read(i, new, self._part_size)
        if self._part >= 0:
            self.chip.rest()
            return 0
        tag = self.tag
        if size < 0:
            if size == DEAD:
                return self.fail(i)
            self._latest, self._untold = self._untold, 0
            self.chip.rest()
            return new
        self.sizes[new] = size
        self._untold |= self.known.learn(i, tag.uid)
        tag.halt()
        return self._meet(i, tag.wake(REQA), new + 1)

    def _read(self, i: int, k: int, size: int) -> int:
        """Read the selected tag of slot i into images[k], beginning at byte `size`.

        Returns the count of valid bytes; 0 if there is nothing to read; or < 0 if the tag must be
        read again from byte 0. `_part` is set to i if another poll is needed.
        """
        self._part = -1
        tag = self.tag
        if tag.sak:  # Type 2 tags have SAK 0 (NTAG213 datasheet, 8.6)
            return 0
        image = self.images[k]
        answer = self._answer
        reads = _READS
        if size:
            want = self._enough(image, size)
        else:
            size = 4
            want = 5
            image[:4] = _PRESUMED
        while size < want:
            # the size shows whether reading began with page 3; if not, begin again with it
            if want > _SURE and size & 4:
                size = 0
            elif want > len(image):
                return 0
            if not reads:
                self._part = i
                self._part_size = size
                self._part_new = k
                return size
            reads -= 1
            result = tag.read(3 + (size >> 2))
            if result <= 0:
                return result
            image[size : size + 16] = answer
            size += 16
            want = self._enough(image, size)
        return size
