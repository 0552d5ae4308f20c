# SPDX-License-Identifier: MIT
"""Presence and health: which tags lie on which slot, and which readers work.

What the hub calls its reader. One pass asks one slot whose antenna is warm, or will be at once.
A tag is told once, when it has been read completely, and again only after it has left. What its
bytes mean is not known here, nor which chip it was.
"""

from roundhouse.drivers.iso14443 import ENTRY, RANDOM, REQA, WUPA, TypeA
from roundhouse.drivers.known_tags import KnownTags
from roundhouse.drivers.reader import DEAD, FAULT, NOTHING
from roundhouse.drivers.schedule import Schedule

try:
    from micropython import const
except ImportError:

    def const(x):
        return x


_IMAGE = const(896)  # bytes of an image: CC and the whole user memory of an NTAG216 (892)
_SECOND = const(256)  # of the second one, which is read to see whether it says the same
# Pages 3 on are the image, but the first READ is of pages 4 to 7: they have the text of most tags,
# so that the capability container (CC, page 3) need not be read. Until it is, the image begins
# with one that allows as much memory as a CC can say, believed as far as every Type 2 tag reaches.
_PRESUMED = const(b"\xe1\x10\xff\x00")
_SURE = const(36)  # bytes of an image: two READs from page 4 on
_READS = const(4)  # READ commands a poll, so that a long tag does not stop the loop
_CHECK_MASK = const(15)  # every 16th poll of a slot its settings are looked at: with one field on,
# when a sweep takes 80 ms, after 1.4 s

_KNOWN = const(4)  # tags remembered a slot: see known_tags
_UID = const(2)  # where in an entry the UID begins


class Readers:
    """All readers of a board, as reader.py says.

    chip: all slots' chips, as reader.py says. clock: ticks_us, ticks_diff, ticks_add, sleep_us
    (MicroPython's `time`). enough: (buf, n) -> bytes of tag memory, from page 3 on, needed before
    its text is known. fields: antennas on at once, 1..3 (see Schedule).

    known, tag, schedule: what held_tag.py needs of them, as it does `fail` and `break_off`.
    sick: how many do not work; reader_recovery.py, which tries them again, has more to do with.

    After step(): `new`, and for k < new (at most 2) images[k], the tag's memory from
    page 3 on, and sizes[k], how much of it is valid; 0 where it is no readable Type 2 tag.
    """

    def __init__(self, chip, clock, enough, fields=2):
        count = chip.count
        self.new = 0
        self.images = [bytearray(_IMAGE), bytearray(_SECOND)]
        self.sizes = [0, 0]
        self._came = chip.answer[:16]  # of a READ
        self.chip = chip
        self.works = bytearray(count)
        self.schedule = Schedule(chip, clock, self.works, fields)
        self.clock = clock
        self._enough = enough
        self.tag = TypeA(chip)
        self.known = KnownTags(count, clock)
        self._polls = bytearray(count)
        # readers that do not work: how many, which have been reset, alone and with all others, and
        # when each is tried again
        self.sick = 0
        self.was_reset = bytearray(count)
        self.was_all = bytearray(count)
        self.retry_us = [0] * count
        # a long tag that takes several polls
        self._part = -1
        self._part_size = 0
        self._part_new = 0
        self._told = -1  # a slot that had new tags, whose antenna is still on
        self._untold = 0  # those learnt since something was told, as KnownTags.learn names them
        for i in range(count):
            chip.reset(i)
        clock.sleep_us(chip.SETTLE_US)
        self.slowed = -1
        for i in range(count):
            if not self.set_up(i):
                self.sick += 1
        if self.sick:
            from roundhouse.drivers import reader_recovery

            reader_recovery.begin(self)

    # -- what the hub asks for

    def step(self):
        """Do the next bit of work; waits at most 0.7 ms for an antenna.

        Returns the slot that was polled, with `new` = 0, FAULT, RESET, SLOW or the number of new
        tags; or -1.
        """
        schedule = self.schedule
        if self._told >= 0:
            schedule.done(self._told)
            self._told = -1
        i = self._part
        if i >= 0:
            return self._asked(i, self._continue(i))
        if self.sick or schedule.hung:
            i = self._due()
            if i >= 0:
                from roundhouse.drivers import reader_recovery  # only while a reader does not work

                self.new = reader_recovery.attempt(self, i)
                return i
        if schedule.warm_count < schedule.fields:
            schedule.warm_ahead()
        if not schedule.warm_count:
            return -1
        i = schedule.warm[0]
        if not schedule.ready(i):
            # time to check up on the readers that are going to be asked
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
        return self._asked(i, self._ask(i))

    def _asked(self, i, new):
        """Slot i was asked; its antenna has done its work. Returns i."""
        self.new = new
        if self._part < 0:
            if new > 0:
                self._told = i  # whoever hears of it comes first
            else:
                self.schedule.done(i)
        return i

    def favour(self, mask):
        """Ask the slots whose bit is set in mask (bit i: slot i) more often; 0: none."""
        self.schedule.favoured = mask

    def while_waiting(self, call):
        """Use the time a tag takes to answer: `call` is called at least every 2 ms while a tag
        is read, and must take no longer than that."""
        self.chip.meanwhile = call

    def healthy(self, i):
        """Whether the reader of slot i works."""
        return self.works[i] == 1

    def is_there(self, i):
        """Whether anything answers on slot i, well or not; asks now. Without a cable it is not."""
        self.chip.holds(i)
        return 0 < self.version(i) < 255

    def version(self, i):
        """What the chip of slot i calls itself, as read at its last set-up; 0 or 0xFF: none."""
        return self.chip.versions[i]

    # -- health

    def set_up(self, i):
        """Set slot i up; whether its settings hold, and an exchange (with the antenna off, into
        nothing) comes to its end."""
        well = self.chip.set_up(i) and self.tag.wake(WUPA) != DEAD
        self.works[i] = well
        self.was_reset[i] = 0
        self.known.seen_all(i)
        return well

    def fail(self, i):
        """The reader of slot i does not work; the next step tries to set it up again."""
        if self.works[i]:
            self.sick += 1
            self.was_all[i] = 0
        self.works[i] = 0
        self.was_reset[i] = 0
        self.retry_us[i] = self.clock.ticks_us()
        self._drop(i)
        self.schedule.off(i)
        return FAULT

    def break_off(self):
        """Somebody needs the readers: a tag that is half read is read anew."""
        self._drop(self._part)

    def _drop(self, i):
        """Nobody will be told what was read on slot i just now: it is new again."""
        self.known.forget(i, self._untold)
        self._untold = 0
        self._part = -1

    def _due(self):
        """A slot whose reader does not work and is to be tried now, or -1."""
        clock = self.clock
        for i in range(len(self.works)):
            if self.works[i] and self.schedule.hung >> i & 1:
                self.fail(i)
            if not self.works[i] and clock.ticks_diff(clock.ticks_us(), self.retry_us[i]) >= 0:
                return i
        return -1

    def _check_up(self, i):
        """See whether the settings of slot i hold, best while its antenna warms."""
        self._polls[i] = 1
        if self.chip.holds(i):
            return True
        self.fail(i)
        return False

    # -- presence

    def poll(self, i):
        """Ask slot i for tags: 0 nothing new, FAULT, or the number of new tags.

        A slot whose antenna is not warm is not asked, and gives 0. An empty slot takes 8 SPI calls
        and 0.6 ms, a new tag 10 ms (`make bench`); a tag whose text needs more than _READS reads
        gives 0 until later polls have the rest.
        """
        return self._ask(i) if self.schedule.ready(i) else 0

    def _ask(self, i):
        self.chip.select(i)
        self.chip.not_before = self.schedule.warm_us[i]
        if not self._polls[i] and not self._check_up(i):
            return FAULT
        self._polls[i] = (self._polls[i] + 1) & _CHECK_MASK
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

    def _greet(self, i, heard):
        """Something answered on slot i: greet the known tags, then meet the new ones."""
        known = self.known
        tag = self.tag
        for e in range(_KNOWN * i, _KNOWN * i + _KNOWN):
            at = ENTRY * e
            if not known.uids[at] or known.uids[at + _UID] == RANDOM:
                continue
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

    def _meet(self, i, heard, new):
        """Identify every tag of slot i that still answers, and read those that are new.

        new: how many new tags this poll has met already. Returns how many there are, 0 while one
        is still being read, or FAULT.
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
            fresh = e < 0 and known.count[i] < _KNOWN
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
        # what a chip said last is only sure once it has answered after that
        if heard == DEAD:
            return self.fail(i)
        self._untold = 0
        self.chip.rest()
        # a card with changing UIDs is only ever met here; silence of all others is its absence
        if heard == NOTHING and not random and known.count[i]:
            known.miss_all(i, True)
        return new

    def _continue(self, i):
        """Read on in a long tag, then see what else is there."""
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
            self._untold = 0
            self.chip.rest()
            return new
        self.sizes[new] = size
        self._untold |= self.known.learn(i, tag.uid)
        tag.halt()
        return self._meet(i, tag.wake(REQA), new + 1)

    def _read(self, i, k, size):
        """Read the selected tag into images[k] from byte `size` on, 0: none of it is known.

        Returns the number of valid bytes, 0 where there is nothing to read, or < 0 where the
        tag has to be read from scratch. `_part` is the slot while more polls are needed.
        """
        self._part = -1
        tag = self.tag
        if tag.sak:  # Type 2 tags have SAK 0 (NTAG213 datasheet, 8.6)
            return 0
        image = self.images[k]
        came = self._came
        reads = _READS
        if size:
            want = self._enough(image, size)
        else:
            size = 4
            want = 5
            image[:4] = _PRESUMED
        while size < want:
            # by its size an image tells whether it began with page 3: if not, begin anew with it
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
            image[size : size + 16] = came
            size += 16
            want = self._enough(image, size)
        return size
