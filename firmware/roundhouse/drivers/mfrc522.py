# SPDX-License-Identifier: MIT
"""MFRC522 readers: all slots on one SPI bus, one chip select each, a shared reset line.

`step()` once a pass of the main loop does the next bit of work: it keeps antennas warming ahead,
polls a slot whose antenna is ready, and never waits for one. A tag is reported once, when it has
been read completely, and again only after it has left. What its bytes mean is not known here.

Register numbers and bits: NXP MFRC522 datasheet, tables 20 to 148. Frames: ISO 14443-3, and
the NTAG213/215/216 datasheet for READ and WRITE.
"""

try:
    from micropython import const
except ImportError:

    def const(x):
        return x


FAULT = const(-1)  # poll, hold, pages: the reader does not work

# what hold() and the pages say; 0 is success
NO_TAG = const(1)
TWO_TAGS = const(2)
FOREIGN = const(3)  # no Type 2 tag
REFUSED = const(4)  # the tag does not allow it
TORN = const(5)  # the tag left, or could not be understood

IMAGE = const(896)  # bytes of an image: CC and the whole user memory of an NTAG216 (892)
SECOND = const(256)  # of the second one, which is read to see whether it says the same
KNOWN = const(4)  # tags remembered a slot
WARM_US = const(5000)  # field on before the first frame (ISO 14443-3, 5 ms)
GONE_MISSES = const(3)  # clean timeouts in a row, and
GONE_US = const(160000)  # this long unseen, until a tag counts as gone
RETRY_US = const(500000)  # between attempts to bring a dead reader back
SETTLE_US = const(1000)  # after a soft reset, before registers are written
CHECK_MASK = const(31)  # a slot's registers are read back every 32nd poll
EXTRA = const(7)  # after so many turns one of the favoured slots is asked
READS = const(4)  # READ commands a poll, so that a long tag does not stop the loop

_COMMAND = const(0x01)
_BIT_FRAMING = const(0x0D)
_TX_MODE = const(0x12)
_RX_MODE = const(0x13)
_TX_CONTROL = const(0x14)
_T_RELOAD_H = const(0x2C)

_WRITE_FIFO = const(0x12)  # address byte: register 0x09 << 1
_READ_FIFO = const(0x92)
_SOFT_RESET = const(0x0F)
_START = const(0x80)  # BitFramingReg: StartSend

# Register, value: how a chip is set up. The timer starts by itself at the end of a frame; 0x43 is
# 10 us a tick. An answer's fifth bit, which stops the timer, comes 150 us after the frame, so
# 25 ticks are enough. Gain 5 of 7: the highest gave false removals.
_SETUP = (
    b"\x12\x00\x13\x00\x2a\x80\x2b\x43\x2c\x00\x2d\x19\x15\x40\x11\x3d\x26\x58\x0e\x00\x0d\x00"
    b"\x14\x80"
)
# What is read back, in one burst (an answer comes one byte after its address): VersionReg, TMode,
# TPrescaler, TReload, TxASK, RFCfg, TxMode, RxMode.
_CHECK = b"\xee\xd4\xd6\xd8\xda\xaa\xcc\xa4\xa6\x00"
_EXPECT = b"\x80\x43\x00\x19\x40\x58\x00\x00"

# TReloadReg's high byte stretches the wait: 0.25 ms, 5.4 ms (READ), 10.7 ms (WRITE)
_SHORT = const(0)
_LONG = const(2)
_LONGEST = const(4)

# results of an exchange below 0; from 0 on it is the number of bytes received
_NOTHING = const(-1)  # a clean timeout
_GARBLED = const(-2)  # something answered
_DEAD = const(-3)  # the chip does not

_WUPA = const(0x52)
_REQA = const(0x26)
_RANDOM = const(0x08)  # first byte of a UID that changes with every field (ISO 14443-3)

# states of a reader
_LOST = const(0)
_RESET = const(1)
_WELL = const(2)

# an entry of the known tags: cascade levels (0: free), misses, 4 bytes of UID a level
_ENTRY = const(14)


class MFRC522:
    """All readers of a board.

    spi: write(buf), readinto(buf), write_readinto(out, in), mode 0, at most 10 MHz.
    selects: selects[i] is a callable, 0 selects slot i and 1 deselects it (a machine.Pin), good
    until another is asked for; at most 30.
    reset: the shared NRSTPD line (a machine.Pin), or None.
    clock: ticks_us, ticks_diff, ticks_add, sleep_us (MicroPython's `time`).
    enough: (buf, n) -> bytes of tag memory, from page 3 on, needed before its text is known.
    fields: antennas on at once, the polled one included, 1..3; neighbours (slots i and i +- 1,
    around the board) never are.

    versions[i] is VersionReg of slot i (0x91, 0x92 NXP; others are clones; 0 or 0xFF none).
    meanwhile: None, or a callable for the time a tag takes to answer: it is called at least every
    2 ms while a tag is read, and must take no longer than that.
    After step() or poll(): `new`, and for k < new (at most 2) images[k], the tag's memory from
    page 3 on, and sizes[k], how much of it is valid; 0 where it is no readable Type 2 tag.
    """

    def __init__(self, spi, selects, reset, clock, enough, fields=2):
        count = len(selects)
        self.count = count
        self.new = 0
        self.images = [bytearray(IMAGE), bytearray(SECOND)]
        self.sizes = [0, 0]
        self.versions = bytearray(count)
        self.meanwhile = None
        self._spi = spi
        self._selects = selects
        self._clock = clock
        self._enough = enough
        self._fields = fields
        self._favoured = 0
        self._state = bytearray(count)
        self._retry_us = [0] * count
        self._sick = 0  # readers not in state _WELL
        self._framing = bytearray(count)  # what BitFramingReg holds
        self._polls = bytearray(count)
        # antennas: which are on and since when, oldest first; and when each slot had its turn
        self._on = bytearray(count)
        self._on_us = [0] * count
        self._warm = bytearray(4)
        self._warm_count = 0
        self._order = _spread(count)  # whose turn is next, and where in it
        self._at = 0
        self._turn = 0
        self._extra = 0  # the favoured slot that was asked last
        # known tags
        self._known = [bytearray(KNOWN * _ENTRY) for _ in range(count)]
        self._known_count = bytearray(count)
        self._seen_us = [0] * (count * KNOWN)
        # the exchange under way
        self._cs = None
        self._slot = 0
        self._crc = 0
        self._wait = _SHORT
        self._bits = 0  # of the last byte received, 0 = all 8
        self._coll = 0  # position of a collision, 1..32; 0 none, 33 somewhere
        self._two = bytearray(2)
        out = bytearray(10)
        out[0] = _WRITE_FIFO
        self._out = out  # the frame to be sent, from byte 1 on
        self._outs = [memoryview(out)[: n + 1] for n in range(10)]
        self._in = bytearray(20)  # the frame received, from byte 1 on
        self.page_data = memoryview(self._in)[1:17]  # after read_page
        self._ins = [memoryview(self._in)[: n + 1] for n in range(20)]
        fifo = bytearray(20)
        for k in range(20):
            fifo[k] = _READ_FIFO
        self._fifos = [memoryview(fifo)[: n + 1] for n in range(20)]
        # ComIrq, Error, FIFOLevel, Control, Coll in one burst
        self._ask = b"\x88\x8c\x94\x98\x9c\x00"
        self._told = bytearray(6)
        self._check = bytearray(len(_CHECK))
        # the tag being identified: levels and 4 bytes a level, as in an entry
        self._uid = bytearray(_ENTRY)
        self._sak = 0
        self._split = False  # the last anticollision met two tags
        self._from_uid = False  # CollPos counts from the UID's first bit, not the frame's
        # a long tag that takes several polls
        self._part = -1
        self._part_size = 0
        self._part_new = 0
        for i in range(count):
            selects[i](1)
        if reset:
            reset(0)
            clock.sleep_us(100)
            reset(1)
            clock.sleep_us(5000)  # crystal and 37.74 us (8.8.2), with much to spare
        for i in range(count):
            self._pick(i)
            self._put(_COMMAND, _SOFT_RESET)
        clock.sleep_us(SETTLE_US)
        for i in range(count):
            self._pick(i)
            if not self._set_up(i):
                self._sick += 1
                self._retry_us[i] = clock.ticks_add(clock.ticks_us(), RETRY_US)

    # -- the face of the driver

    def step(self):
        """Do the next bit of work; never waits for an antenna.

        Returns the slot that was polled, with `new` = 0, FAULT or the number of new tags; or -1.
        """
        if self._part >= 0:
            i = self._part
            self.new = self._continue(i)
            if self._part < 0:
                self._next(i)
            return i
        clock = self._clock
        if self._sick:
            for i in range(self.count):
                if (
                    self._state[i] != _WELL
                    and clock.ticks_diff(clock.ticks_us(), self._retry_us[i]) >= 0
                ):
                    self.new = 0 if self._revive(i) else FAULT
                    return i
        if self._warm_count < self._fields:
            self._warm_ahead()
            if not self._warm_count:
                return -1
        i = self._warm[0]
        if not self.ready(i):
            for k in range(self._warm_count):
                i = self._warm[k]
                if not self._polls[i]:
                    if self._check_up(i):
                        return -1
                    self.new = FAULT
                    return i
            return -1
        self.poll(i)
        if self._part < 0:
            self._next(i)
        return i

    def favour(self, mask):
        """Ask the slots whose bit is set in mask (bit i: slot i) more often; 0: none."""
        self._favoured = mask

    def ready(self, i):
        """Whether the field of slot i has been on long enough for its tags to answer."""
        clock = self._clock
        return self._on[i] and clock.ticks_diff(clock.ticks_us(), self._on_us[i]) >= WARM_US

    def healthy(self, i):
        """Whether the reader of slot i works."""
        return self._state[i] == _WELL

    def version(self, i):
        """VersionReg of slot i as read at its last set-up: 0x91, 0x92, a clone's, 0 or 0xFF."""
        return self.versions[i]

    def poll(self, i):
        """Ask slot i for tags: 0 nothing new, FAULT, or the number of new tags.

        A slot whose antenna is not warm yet is switched on and gives 0 at once. An empty slot
        takes 7 SPI calls and 0.5 ms, a new tag 7 ms (`make bench`); a tag whose text needs more
        than READS reads gives 0 until later polls have the rest.
        """
        self.new = self._poll(i)
        return self.new

    def hold(self, i):
        """Select the one tag on slot i, for read_page and write_page until let_go.

        Waits for antenna and tag, about 10 ms. The tag is known afterwards: no tap comes from it.
        Returns 0, FAULT, NO_TAG, TWO_TAGS, FOREIGN or TORN.
        """
        if self._state[i] != _WELL:
            return FAULT
        self._part = -1
        self._warm_up(i)
        clock = self._clock
        while not self.ready(i):
            clock.sleep_us(100)
        self._pick(i)
        return self._hold(i)

    def read_page(self, page):
        """READ four pages of the held tag into `page_data`: 0, REFUSED, TORN or FAULT."""
        size = self._read_page(page)
        if size > 0:
            return 0
        return FAULT if size == _DEAD else TORN if size else REFUSED

    def write_page(self, page, data, at=0):
        """WRITE data[at..at+3] to a page of the held tag: 0, REFUSED, TORN or FAULT."""
        out = self._out
        out[1] = 0xA2
        out[2] = page
        for k in range(4):
            out[3 + k] = data[at + k]
        self._crc_mode(1)  # an acknowledge of 4 bits has no CRC
        self._wait_for(_LONGEST)
        size = self._exchange(6, 0, 4500, 14000)
        if size == _DEAD:
            return FAULT
        if size != 1 or self._bits != 4:
            return TORN
        if self._in[1] & 0x0F == 0x0A:
            return 0
        return REFUSED if self._in[1] & 0x0F == 0 else TORN

    def uid(self):
        """The held tag's UID, as bytes: 4 a cascade level."""
        return bytes(self._uid[2 : 2 + 4 * self._uid[0]])

    def let_go(self, i, result=0):
        """Put the held tag to rest; returns `result`, what came of it, or FAULT."""
        if result == FAULT:
            self._fail(i)
        else:
            self._halt()
        if not self._rest(i):
            result = FAULT
        self._next(i)
        return result

    # -- antennas

    def _next(self, i):
        """Slot i has had its turn: off with its antenna, on with another."""
        if self._on[i]:
            self._field_off(i)
        if self._warm_count < self._fields:
            self._warm_ahead()

    def _warm_ahead(self):
        """Switch on the antennas of the slots whose turn comes next, no two neighbours."""
        while self._warm_count < self._fields:
            i = self._choose()
            if i < 0:
                return
            self._field_on(i)

    def _choose(self):
        """The slot whose turn is next, its antenna off and no neighbour's on; or -1."""
        count = self.count
        order = self._order
        at = self._at
        self._turn += 1
        if self._turn > EXTRA and self._favoured:
            # a turn for a favoured slot, unless that would block who is next
            i = self._extra
            for _ in range(count):
                i = i + 1 if i + 1 < count else 0
                if self._favoured >> i & 1 and self._free(i):
                    away = (i + count - order[at]) % count
                    if 1 < away < count - 1:
                        self._extra = i
                        self._turn = 0
                        return i
        for _ in range(count):
            i = order[at]
            if self._on[i] or self._state[i] != _WELL:
                at = at + 1 if at + 1 < count else 0  # has its turn, or cannot have it
            elif not self._beside(i):
                self._at = at + 1 if at + 1 < count else 0
                return i
            else:
                # beside an antenna that is on: the next in line goes first
                after = at + 1 if at + 1 < count else 0
                other = order[after]
                if not self._free(other):
                    break
                order[at] = other
                order[after] = i
        self._at = at
        return -1

    def _free(self, i):
        """Whether the antenna of slot i is off and could be switched on."""
        return self._state[i] == _WELL and not self._on[i] and not self._beside(i)

    def _beside(self, i):
        """Whether a neighbour's antenna is on."""
        return self._on[i - 1] or self._on[i + 1 - self.count]

    def _warm_up(self, i):
        """Switch on the antenna of slot i, and off what must not be on beside it."""
        if self._on[i]:
            return
        count = self.count
        if count > 1:
            if self._on[i - 1]:
                self._field_off((i + count - 1) % count)
            if self._on[i + 1 - count]:
                self._field_off((i + 1) % count)
        while self._warm_count >= self._fields:
            self._field_off(self._warm[0])
        self._field_on(i)

    def _field_on(self, i):
        self._pick(i)
        self._put(_TX_CONTROL, 0x83)
        clock = self._clock
        self._on_us[i] = clock.ticks_us()
        self._on[i] = 1
        self._warm[self._warm_count] = i
        self._warm_count += 1

    def _field_off(self, i):
        self._pick(i)
        self._put(_TX_CONTROL, 0x80)
        self._off(i)

    def _off(self, i):
        """Book the antenna of slot i as off."""
        if not self._on[i]:
            return
        self._on[i] = 0
        warm = self._warm
        k = 0
        while warm[k] != i:
            k += 1
        self._warm_count -= 1
        while k < self._warm_count:
            warm[k] = warm[k + 1]
            k += 1

    # -- health

    def _fail(self, i):
        """The reader of slot i does not work; the next step tries to set it up again."""
        if self._state[i] == _WELL:
            self._sick += 1
        self._state[i] = _LOST
        self._retry_us[i] = self._clock.ticks_us()
        self._part = -1
        self._pick(i)
        self._put(_TX_CONTROL, 0x80)
        self._off(i)
        return FAULT

    def _revive(self, i):
        """One attempt at a reader that does not work: reset it, and next time set it up."""
        clock = self._clock
        now = clock.ticks_us()
        if clock.ticks_diff(now, self._retry_us[i]) < 0:
            return False
        self._pick(i)
        if self._state[i] == _LOST:
            self._put(_COMMAND, _SOFT_RESET)
            self._state[i] = _RESET
            self._retry_us[i] = clock.ticks_add(now, SETTLE_US)
            return False
        if self._set_up(i):
            self._sick -= 1
            return True
        self._state[i] = _LOST
        self._retry_us[i] = clock.ticks_add(now, RETRY_US)
        return False

    def _set_up(self, i):
        """Write all registers of slot i, and read them back; whether they hold, and an exchange
        (with the antenna off, into nothing) comes to its end."""
        self._holds(i)
        well = self._there(i)
        if well:
            for k in range(0, len(_SETUP), 2):
                self._put(_SETUP[k], _SETUP[k + 1])
            well = self._holds(i)
        self._framing[i] = 0
        self._crc = 0
        self._wait = _SHORT
        well = well and self._wake(_WUPA) != _DEAD
        self._state[i] = _WELL if well else _LOST
        # what was known stays known; the time in which nobody looked is no absence
        now = self._clock.ticks_us()
        for e in range(KNOWN):
            self._known[i][e * _ENTRY + 1] = 0
            self._seen_us[i * KNOWN + e] = now
        return well

    def _check_up(self, i):
        """Read the registers of slot i back, best while its antenna warms; whether it is well."""
        self._pick(i)
        self._polls[i] = 1
        if self._holds(i):
            return True
        self._fail(i)
        return False

    def _there(self, i):
        """Whether anything drove the line when VersionReg was last read."""
        return self.versions[i] != 0 and self.versions[i] != 0xFF

    def _holds(self, i):
        """Whether a chip is there and its registers still hold what was written to them."""
        told = self._check
        self._cs(0)
        self._spi.write_readinto(_CHECK, told)
        self._cs(1)
        self.versions[i] = told[1]
        if not self._there(i):
            return False
        k = 0
        while k < len(_EXPECT) and told[k + 2] == _EXPECT[k]:
            k += 1
        return k == len(_EXPECT)

    # -- one slot

    def _poll(self, i):
        if self._state[i] != _WELL and not self._revive(i):
            return FAULT
        if self._part == i:
            return self._continue(i)
        self._part = -1  # another slot's long tag is read again from scratch
        if not self._on[i]:
            self._warm_up(i)
            return 0
        if not self.ready(i):
            return 0
        self._pick(i)
        if not self._polls[i] and not self._check_up(i):
            return FAULT
        self._polls[i] = (self._polls[i] + 1) & CHECK_MASK
        heard = self._wake(_WUPA)
        if heard == _NOTHING:
            if self._known_count[i]:
                self._miss_all(i)
            return 0
        if heard != _DEAD:
            return self._look(i, heard)
        return self._fail(i)

    def _look(self, i, heard):
        """Something answered on slot i: greet the known tags, then read the new ones."""
        if self._known_count[i]:
            known = self._known[i]
            for e in range(KNOWN):
                at = e * _ENTRY
                if not known[at] or known[at + 2] == _RANDOM:
                    continue
                if heard != _NOTHING:
                    heard = self._greet(known, at)
                    if heard == _DEAD:
                        return self._fail(i)
                    if heard >= 0:
                        self._seen(i, e)
                        self._halt()
                    elif heard == _GARBLED:
                        self._seen(i, e)
                    else:
                        self._miss(i, e)
                    heard = self._wake(_REQA)
                else:
                    self._miss(i, e)
        return self._meet(i, heard, 0)

    def _meet(self, i, heard, new):
        """Identify every tag of slot i that still answers, and read those that are new."""
        random = False
        rounds = KNOWN + 2
        while heard != _NOTHING and heard != _DEAD and rounds:
            rounds -= 1
            heard = self._identify()
            if heard < 0:
                break
            uid = self._uid
            random = random or uid[2] == _RANDOM
            e = self._find(i)
            if e >= 0:
                self._seen(i, e)
            elif self._known_count[i] < KNOWN:
                if new < 2:
                    size = self._read(i, new, 0)
                    if self._part >= 0:
                        return 0 if self._rest(i) else self._fail(i)
                    if size < 0:
                        heard = size
                        break
                    self.sizes[new] = size
                self._learn(i)
                new += 1
            self._halt()
            heard = self._wake(_REQA)
        if heard == _DEAD or not self._rest(i):
            return self._fail(i)
        # a card with changing UIDs is only ever met here; silence of all others is its absence
        if self._known_count[i] and heard == _NOTHING and not random:
            known = self._known[i]
            for e in range(KNOWN):
                if known[e * _ENTRY] and known[e * _ENTRY + 2] == _RANDOM:
                    self._miss(i, e)
        return new

    def _continue(self, i):
        """Read on in a long tag, then see what else is there."""
        self._pick(i)
        new = self._part_new
        size = self._read(i, new, self._part_size)
        if self._part >= 0:
            return 0 if self._rest(i) else self._fail(i)
        if size < 0:
            if size == _DEAD or not self._rest(i):
                return self._fail(i)
            return new
        self.sizes[new] = size
        self._learn(i)
        self._halt()
        return self._meet(i, self._wake(_REQA), new + 1)

    def _rest(self, i):
        """Leave the chip as the next poll of slot i expects it."""
        self._crc_mode(0)
        self._wait_for(_SHORT)
        return self._state[i] == _WELL

    # -- known tags

    def _find(self, i):
        """Entry of the identified tag among those known on slot i, or -1."""
        known = self._known[i]
        uid = self._uid
        for e in range(KNOWN):
            at = e * _ENTRY
            if known[at] != uid[0]:
                continue
            if uid[2] == _RANDOM and known[at + 2] == _RANDOM:
                return e
            k = 2
            while k < _ENTRY and known[at + k] == uid[k]:
                k += 1
            if k == _ENTRY:
                return e
        return -1

    def _learn(self, i):
        """Remember the identified tag; a full table forgets nothing and learns nothing."""
        known = self._known[i]
        for e in range(KNOWN):
            at = e * _ENTRY
            if not known[at]:
                for k in range(_ENTRY):
                    known[at + k] = self._uid[k]
                self._known_count[i] += 1
                self._seen(i, e)
                return

    def _seen(self, i, e):
        self._known[i][e * _ENTRY + 1] = 0
        self._seen_us[i * KNOWN + e] = self._clock.ticks_us()

    def _miss(self, i, e):
        """A clean timeout: several in a row, and some time, and the tag has left."""
        known = self._known[i]
        at = e * _ENTRY
        if known[at + 1] < 255:
            known[at + 1] += 1
        clock = self._clock
        if known[at + 1] >= GONE_MISSES and (
            clock.ticks_diff(clock.ticks_us(), self._seen_us[i * KNOWN + e]) >= GONE_US
        ):
            known[at] = 0
            self._known_count[i] -= 1

    def _miss_all(self, i):
        for e in range(KNOWN):
            if self._known[i][e * _ENTRY]:
                self._miss(i, e)

    # -- ISO 14443-3

    def _wake(self, code):
        """WUPA or REQA: bytes of ATQA, or _NOTHING, _GARBLED (several tags), _DEAD."""
        self._crc_mode(0)
        self._wait_for(_SHORT)
        self._out[1] = code
        return self._exchange(1, 7, 345, 800)

    def _halt(self):
        """HLTA: the selected tag is silent until WUPA or the end of the field."""
        self._crc_mode(3)
        self._wait_for(_SHORT)
        self._out[1] = 0x50
        self._out[2] = 0
        self._exchange(2, 0, 620, 1000)

    def _select(self, level):
        """SELECT with the UID in _out[3..6] (BCC is added): SAK in _sak and its size, or < 0."""
        out = self._out
        out[1] = 0x93 + 2 * level
        out[2] = 0x70
        out[7] = out[3] ^ out[4] ^ out[5] ^ out[6]
        self._crc_mode(3)
        size = self._exchange(7, 0, 1050, 1600)
        if size < 0:
            return size
        # some clones leave a checked CRC in the FIFO
        if self._bits or size != 1 and size != 3:
            return _GARBLED
        self._sak = self._in[1]
        return size

    def _greet(self, known, at):
        """SELECT the known tag of the entry at `at`: >= 0 it is there, or < 0."""
        out = self._out
        levels = known[at]
        at += 2
        for level in range(levels):
            for k in range(4):
                out[3 + k] = known[at + k]
            at += 4
            size = self._select(level)
            if size < 0:
                return size if level == 0 or size == _DEAD else _GARBLED
            if (self._sak >> 2 & 1) != (level < levels - 1):
                return _GARBLED
        return size

    def _identify(self):
        """Anticollision and SELECT through all cascade levels: UID in _uid, SAK in _sak.

        Returns >= 0, or _NOTHING, _GARBLED, _DEAD. Of several tags, one is selected.
        """
        uid = self._uid
        out = self._out
        self._split = False
        for k in range(_ENTRY):
            uid[k] = 0
        self._wait_for(_SHORT)
        for level in range(3):
            size = self._anticollision(level)
            if size < 0:
                return size
            for k in range(4):
                uid[2 + 4 * level + k] = out[3 + k]
            size = self._select(level)
            if size < 0:
                return size
            cascade = out[3] == 0x88
            if not self._sak & 0x04:
                if cascade:
                    return _GARBLED
                uid[0] = level + 1
                return size
            if not cascade:
                return _GARBLED
        return _GARBLED

    def _anticollision(self, level):
        """One UID CLn into _out[3..6], its BCC checked: >= 0, or < 0."""
        out = self._out
        came = self._in
        self._crc_mode(0)
        known = 0  # bits of UID CLn
        rounds = 33
        while rounds:
            rounds -= 1
            whole = known >> 3
            part = known & 7
            out[1] = 0x93 + 2 * level
            out[2] = 0x20 + (whole << 4) + part
            size = self._exchange(2 + whole + (1 if part else 0), part << 4 | part, 460, 1300)
            if size < 0 and not self._coll:
                if known:  # nobody has these bits: the position was counted the other way
                    self._from_uid = not self._from_uid
                return size
            # the bits that came go behind those that were sent
            if self._coll:
                self._split = True
                bits = self._coll
                if known and not self._from_uid:
                    bits += whole << 3
                if bits <= known or bits > 32:
                    self._from_uid = not self._from_uid
                    return _GARBLED
                size = ((bits + 7) >> 3) - whole
            elif whole + size != 5 or self._bits:
                return _GARBLED
            mask = (1 << part) - 1
            out[3 + whole] = out[3 + whole] & mask | came[1] & ~mask & 0xFF
            for k in range(1, size):
                out[3 + whole + k] = came[1 + k]
            if not self._coll:
                if out[3] ^ out[4] ^ out[5] ^ out[6] ^ out[7]:
                    if known:
                        self._from_uid = not self._from_uid
                    return _GARBLED
                return 5
            # of two tags, go on with the one that has a 1 here
            known = bits
            last = 3 + (bits - 1 >> 3)
            bit = bits - 1 & 7
            out[last] = out[last] & ((1 << bit) - 1) | 1 << bit
        return _GARBLED

    # -- Type 2 tags

    def _read(self, i, k, size):
        """Read the selected tag into images[k] from byte `size` on.

        Returns the number of valid bytes, 0 where there is nothing to read, or < 0 where the
        tag has to be read from scratch. `_part` is the slot while more polls are needed.
        """
        self._part = -1
        if self._sak:  # Type 2 tags have SAK 0 (NTAG213 datasheet, 8.6)
            return 0
        image = self.images[k]
        reads = READS
        want = 16 if not size else self._enough(image, size)
        while size < want:
            if want > len(image):
                return 0
            if not reads:
                self._part = i
                self._part_size = size
                self._part_new = k
                return size
            reads -= 1
            result = self._read_page(3 + (size >> 2))
            if result < 0:
                return result
            if not result:
                return 0
            came = self._in
            for b in range(16):
                image[size + b] = came[1 + b]
            size += 16
            want = self._enough(image, size)
        return size

    def _read_page(self, page):
        """READ four pages into _in[1..16]: 16, 0 for a refusal, or < 0. Tries twice."""
        tries = 2
        while tries:
            tries -= 1
            self._crc_mode(3)
            self._wait_for(_LONG)
            self._out[1] = 0x30
            self._out[2] = page
            size = self._exchange(2, 0, 1980, 9000)
            if size == _GARBLED and self._bits == 4:
                # a NAK; 0 is an invalid page, others are this frame's bad luck
                return 0 if self._in[1] & 0x0F == 0 else _GARBLED
            if size == 16 or size == 18:
                return 16
            if size < 0 and size != _GARBLED:
                return size
        return _GARBLED

    def _hold(self, i):
        heard = self._wake(_WUPA)
        if heard == _NOTHING:
            return NO_TAG
        if heard != _DEAD:
            heard = self._identify()
        if heard == _DEAD:
            return FAULT
        if heard < 0:
            return TORN
        self._halt()
        if self._split or self._wake(_REQA) != _NOTHING:
            return TWO_TAGS
        if self._wake(_WUPA) == _NOTHING or self._greet(self._uid, 0) < 0:
            return TORN
        if self._find(i) < 0:
            self._learn(i)
        return FOREIGN if self._sak else 0

    # -- the chip

    def _pick(self, i):
        """Speak to the reader of slot i from now on."""
        self._slot = i
        self._cs = self._selects[i]

    def _put(self, register, value):
        two = self._two
        two[0] = register << 1
        two[1] = value
        self._cs(0)
        self._spi.write(two)
        self._cs(1)

    def _crc_mode(self, crc):
        """The chip appends (bit 0) and checks (bit 1) CRC_A by itself."""
        if crc != self._crc:
            if (crc ^ self._crc) & 1:
                self._put(_TX_MODE, 0x80 if crc & 1 else 0)
            if (crc ^ self._crc) & 2:
                self._put(_RX_MODE, 0x80 if crc & 2 else 0)
            self._crc = crc

    def _wait_for(self, wait):
        """How long an answer may take: _SHORT, _LONG or _LONGEST."""
        if wait != self._wait:
            self._put(_T_RELOAD_H, wait)
            self._wait = wait

    def _exchange(self, n, framing, wait_us, limit_us):
        """Send _out[1..n], and receive into _in[1..].

        framing: RxAlign << 4 | TxLastBits. wait_us: when to look for the first time, from the
        start of the frame; limit_us: when even the chip's timer must have run out.
        Returns the number of bytes received, or _NOTHING, _GARBLED, _DEAD; sets _bits (of the
        last byte; 0: all) and _coll.
        """
        i = self._slot
        cs = self._cs
        spi = self._spi
        clock = self._clock
        two = self._two
        if self._framing[i] != framing:
            # StartSend must not be left over from another frame
            self._put(_BIT_FRAMING, framing)
            self._framing[i] = framing
        # written out, because calls cost more than bytes: this runs 400 times a second
        cs(0)
        spi.write(b"\x02\x00")  # CommandReg: idle
        cs(1)
        cs(0)
        spi.write(b"\x08\x7f")  # ComIrqReg: all off
        cs(1)
        cs(0)
        spi.write(b"\x14\x80")  # FIFOLevelReg: flush
        cs(1)
        cs(0)
        spi.write(self._outs[n])
        cs(1)
        cs(0)
        spi.write(b"\x02\x0c")  # CommandReg: transceive
        cs(1)
        two[0] = _BIT_FRAMING << 1
        two[1] = framing | _START
        cs(0)
        spi.write(two)
        cs(1)
        start = clock.ticks_us()
        if self.meanwhile and wait_us > 1000:
            self.meanwhile()
            wait_us -= clock.ticks_diff(clock.ticks_us(), start)
        if wait_us > 0:
            clock.sleep_us(wait_us)
        told = self._told
        self._coll = 0
        self._bits = 0
        while True:
            cs(0)
            spi.write_readinto(self._ask, told)
            cs(1)
            irq = told[1]
            if irq & 0x80:  # Set1 always reads 0: nobody drives the line
                return _DEAD
            if irq & 0x21:
                break
            if clock.ticks_diff(clock.ticks_us(), start) > limit_us:
                return _DEAD
        if not irq & 0x20:
            return _GARBLED if irq & 0x02 else _NOTHING
        error = told[2]
        size = told[3] & 0x7F
        self._bits = told[4] & 7
        if size and size < 20:
            cs(0)
            spi.write_readinto(self._fifos[size], self._ins[size])
            cs(1)
        if error & 0x08:
            self._coll = 33 if told[5] & 0x20 else ((told[5] - 1) & 0x1F) + 1
            return _GARBLED
        if error & 0x17 or not size or size > 19:
            return _GARBLED
        return size


def _spread(count):
    """Return all slots in an order in which those that follow each other are not neighbours."""
    stride = 1
    for step in range(2, count):
        # it visits all, and one and two steps on is no neighbour
        if _common(step, count) == 1 and 1 < 2 * step % count < count - 1 and step < count - 1:
            stride = step
    return bytearray([i * stride % count for i in range(count)])


def _common(a, b):
    """Return the greatest common divisor."""
    while b:
        a, b = b, a % b
    return a
