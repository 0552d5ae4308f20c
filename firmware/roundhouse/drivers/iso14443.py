# SPDX-License-Identifier: MIT
"""Tags in a reader's field: ISO 14443-3 type A, and READ and WRITE of Type 2 tags.

ISO 14443-3 defines the frames and a tag's states. The NTAG213/215/216 datasheet defines READ and
WRITE and the 4-bit answers to them. The chip object determines which slot these commands use;
presence.py decides whether a tag is new.
"""

from roundhouse.drivers import const
from roundhouse.drivers.reader import DEAD, GARBLED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


WUPA = const(0x52)  # wakes all tags
REQA = const(0x26)  # wakes all except those that were halted

ENTRY = const(14)  # bytes of `uid`
RANDOM = const(0x08)  # first byte of a UID that changes with every field

_SELECT_CL1 = const(0x93)  # then 0x95 and 0x97: one per cascade level
_NVB_UID = const(0x70)  # the whole UID CLn and its BCC follow
# SAK: more levels to come. The cascade tag 0x88 is the same as the first byte of a UID CLn, but an
# ordinary byte in the UIDs of some copies; so only SAK, which has a CRC, is believed.
_NOT_COMPLETE = const(0x04)
_HLTA = const(0x50)
_GET_VERSION = const(0x60)
_READ = const(0x30)
_WRITE = const(0xA2)
_ACK = const(0x0A)
_NAK_ARGUMENT = const(0x00)

_NO_MORE = const(b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00")  # for levels that a UID lacks

_NO_CRC = const(0)
_SENT_CRC = const(1)
_BOTH_CRC = const(3)

# How each frame is exchanged: its `kind` (see reader.py). With 9.44 us a bit, 9 bits a byte, and
# 91 us from a frame to its answer, the first look is when both are complete, less the time of a
# look. For WUPA and REQA, which mostly get no answer, it is when the wait for one is over. HLTA
# has no answer and is complete after 368 us.
_WAKING = const((_NO_CRC, 0, 320, 800))
_ANTICOLLIDING = const((_NO_CRC, 0, 650, 1300))
_SELECTING = const((_BOTH_CRC, 0, 1072, 1600))
_HALTING = const((_BOTH_CRC, 0, 400, 0))
_READING = const((_BOTH_CRC, 1, 1920, 9000))
_WRITING = const((_SENT_CRC, 2, 4500, 14000))  # an answer of 4 bits has no CRC


class TypeA:
    """Commands to tags on the slot that a reader chip has selected. chip: the chip, see reader.py.

    identify() sets `uid` (ENTRY bytes: the count of cascade levels, a zero, 4 bytes per level),
    `sak` (0: a Type 2 tag) and `split` (true: more than one tag answered).
    """

    def __init__(self, chip: "Any") -> None:
        self.uid = bytearray(ENTRY)
        self.sak = 0
        self.split = False
        self._chip = chip
        self._came = chip.answer[:5]  # a UID CLn and its BCC as received, and as sent
        self._sent = chip.out[2:7]
        self._cln = chip.out[2:6]
        self._from_uid = False  # `coll` counts from the UID's first bit, not the frame's

    def wake(self, code: int) -> int:
        """Send WUPA or REQA. Return the size of the answer (ATQA) in bytes, or NOTHING, GARBLED
        (several tags answered) or DEAD."""
        chip = self._chip
        chip.out[0] = code
        return chip.exchange(1, 7, _WAKING)

    def halt(self) -> None:
        """Send HLTA: the selected tag stays silent until WUPA or the field is switched off."""
        chip = self._chip
        chip.out[0] = _HLTA
        chip.out[1] = 0
        chip.exchange(2, 0, _HALTING)

    def greet(self, entry: bytes | bytearray, at: int) -> int:
        """Select the tag whose UID is entry[at:], in the form of the attribute `uid`. Return >= 0
        if the tag answers, else < 0."""
        out = self._chip.out
        levels = entry[at]
        at += 2
        for level in range(levels):
            out[0] = _SELECT_CL1 + 2 * level
            for k in range(4):
                out[2 + k] = entry[at + k]
            out[6] = out[2] ^ out[3] ^ out[4] ^ out[5]
            at += 4
            heard = self._select()
            if heard < 0:
                return heard if level == 0 or heard == DEAD else GARBLED
            if (self.sak & _NOT_COMPLETE != 0) != (level < levels - 1):
                return GARBLED
        return heard

    def identify(self) -> int:
        """Find and select one tag, by anticollision; set uid, sak and split. Return >= 0, or
        NOTHING, GARBLED or DEAD."""
        uid = self.uid
        chip = self._chip
        out = chip.out
        self.split = False
        for level in range(3):
            out[0] = _SELECT_CL1 + 2 * level
            out[1] = 0x20
            size = chip.exchange(2, 0, _ANTICOLLIDING)
            if chip.coll:
                size = self._split(chip.coll)
            elif size == 5 and not chip.bits:
                self._sent[:] = self._came
            elif size >= 0:
                return GARBLED
            if size < 0:
                return size
            if out[2] ^ out[3] ^ out[4] ^ out[5] != out[6]:
                return GARBLED
            at = 2 + 4 * level
            uid[at : at + 4] = self._cln
            size = self._select()
            if size < 0:
                return size
            if not self.sak & _NOT_COMPLETE:
                uid[0] = level + 1
                uid[at + 4 :] = _NO_MORE[at:]
                return size
        return GARBLED

    def _select(self) -> int:
        """Send a SELECT frame and set `sak`. Return the size of the answer, or < 0.

        The caller has put the command code into out[0], the UID part of this cascade level into
        out[2..5] and the check byte BCC into out[6].
        """
        chip = self._chip
        chip.out[1] = _NVB_UID
        size = chip.exchange(7, 0, _SELECTING)
        if size < 0:
            return size
        # some chips leave a checked CRC in the answer
        if chip.bits or size != 1 and size != 3:
            return GARBLED
        self.sak = chip.answer[0]
        return size

    def _split(self, coll: int) -> int:
        """Single out one of several tags that answered together: put the part of its UID for this
        cascade level into out[2..5] and the check byte BCC into out[6]. Return >= 0, or < 0 on
        failure.

        coll: the position of the first bit in which the answers differ.
        """
        chip = self._chip
        out = chip.out
        came = chip.answer
        self.split = True
        known = 0  # bits of UID CLn
        rounds = 33
        while rounds:
            rounds -= 1
            whole = known >> 3
            part = known & 7
            if known:
                out[1] = 0x20 + (whole << 4) + part
                size = 2 + whole + (1 if part else 0)
                size = chip.exchange(size, part << 4 | part, _ANTICOLLIDING)
                coll = chip.coll
                if size < 0 and not coll:
                    # no tag has these bits: the chip counts positions the other way
                    self._from_uid = not self._from_uid
                    return size
            if coll:
                if known and not self._from_uid:
                    coll += whole << 3
                if coll <= known or coll > 32:
                    self._from_uid = not self._from_uid
                    return GARBLED
                size = ((coll + 7) >> 3) - whole
            elif whole + size != 5 or chip.bits:
                return GARBLED
            # put the bits received after those that were sent
            mask = (1 << part) - 1
            out[2 + whole] = out[2 + whole] & mask | came[0] & ~mask & 0xFF
            out[3 + whole : 2 + whole + size] = came[1:size]
            if not coll:
                if out[2] ^ out[3] ^ out[4] ^ out[5] == out[6]:
                    return 5
                return GARBLED
            # go on with the tag that has a 1 here
            known = coll
            last = 2 + (coll - 1 >> 3)
            bit = coll - 1 & 7
            out[last] = out[last] & ((1 << bit) - 1) | 1 << bit
        return GARBLED

    # ---- Type 2 tags ----

    def read(self, page: int) -> int:
        """Read four pages from `page` on into answer[:16], in at most two tries. Return 16, or 0
        if the tag refuses, or < 0 on failure."""
        chip = self._chip
        tries = 2
        while tries:
            tries -= 1
            chip.out[0] = _READ
            chip.out[1] = page
            size = chip.exchange(2, 0, _READING)
            if size == GARBLED and chip.bits == 4:
                # a NAK; any other than this one means a transmission error
                return 0 if chip.answer[0] & 0x0F == _NAK_ARGUMENT else GARBLED
            if size == 16 or size == 18:
                return 16
            if size < 0 and size != GARBLED:
                return size
        return GARBLED

    def version(self) -> int:
        """Read the eight bytes that say what an NTAG is into `answer` (NTAG213 datasheet, 10.1).
        Return whether the tag has them, else it must be woken and selected again; or < 0 on
        failure."""
        chip = self._chip
        chip.out[0] = _GET_VERSION
        size = chip.exchange(1, 0, _READING)
        return size if size == DEAD else size >= 8

    def write(self, page: int, data: bytes | bytearray, at: int) -> int:
        """Write data[at..at+3] to a page. Return 1 if the tag acknowledges, 0 if it refuses, or <
        0 on failure."""
        chip = self._chip
        out = chip.out
        out[0] = _WRITE
        out[1] = page
        for k in range(4):
            out[2 + k] = data[at + k]
        size = chip.exchange(6, 0, _WRITING)
        if size < 0:
            return size
        if size != 1 or chip.bits != 4:
            return GARBLED
        ack = chip.answer[0] & 0x0F
        return 1 if ack == _ACK else 0 if ack == _NAK_ARGUMENT else GARBLED
