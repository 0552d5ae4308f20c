# SPDX-License-Identifier: MIT
"""Models of ISO 14443-3 type A tags in a reader's field: NTAG21x, and foreign cards.

Each tag computes only its own answer; the chip model overlays the answers of all tags.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Protocol

import ndef

from host_sim.board.chips.clock import Clock

# (bits, count): an int whose bit 0 went over the air first, and how many data bits, without parity
Frame = tuple[int, int]
Answer = tuple[Frame, int]  # and the extra delay in us

POWER_UP_US = 3000  # time in the field before a tag answers; the standard allows 5 ms
WRITE_US = 4100  # an NTAG213 programs a page before it acknowledges

IDLE, READY1, READY2, READY3, ACTIVE, HALT = range(6)
ACK, NAK_ARGUMENT, NAK_CRC = 0xA, 0x0, 0x1


def _crc_table() -> list[int]:
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ 0x8408 if byte & 1 else byte >> 1
        table.append(byte)
    return table


_CRC = _crc_table()


def crc_a(data: Iterable[int], preset: int = 0x6363) -> int:
    """Return the checksum CRC_A of ISO 14443-3 (annex B) as an int. In a frame its low byte is
    sent first."""
    crc = preset
    for byte in data:
        crc = crc >> 8 ^ _CRC[(crc ^ byte) & 0xFF]
    return crc


def with_crc(data: bytes) -> Frame:
    return _frame(bytes(data) + crc_a(data).to_bytes(2, "little"))


def _frame(data: bytes) -> Frame:
    return int.from_bytes(data, "little"), 8 * len(data)


def _data(frame: Frame) -> bytes:
    bits, count = frame
    return bits.to_bytes((count + 7) // 8, "little")


@lru_cache(maxsize=512)
def text_tlv(text: str, language: str = "en") -> bytes:
    """Return the memory of a tag with one Text record: an NDEF block, then the terminator."""
    return message_tlv(b"".join(ndef.message_encoder([ndef.TextRecord(text, language)])))


def message_tlv(message: bytes) -> bytes:
    """Return the memory of a tag with an NDEF message: an NDEF block, then the terminator."""
    size = len(message)
    head = bytes((3, size)) if size < 255 else bytes((3, 0xFF, size >> 8, size & 0xFF))
    return head + message + b"\xfe"


class Reader(Protocol):
    """The interface of the chip in whose field a tag is."""

    clock: Clock

    def take(self, tag: "Tag", /) -> None:
        """Take the tag out of the field."""


class Tag:
    """The common part of all type A tags: states, anticollision, SELECT and HLTA.

    uid: 4, 7 or 10 bytes. 0x88 where the standard forbids it (ISO 14443-3, 6.5.4) is allowed: some
        copies have it.
    """

    atqa = 0x0044
    sak = 0x00

    def __init__(self, uid: bytes) -> None:
        if len(uid) not in (4, 7, 10):
            raise ValueError("a UID has 4, 7 or 10 bytes")
        self.uid = bytes(uid)
        self.state = IDLE
        self.halted = False  # woken from HALT, and falls back to it
        self.placed_us = 0
        self.chip: Reader | None = None
        self.fuse: int | None = None  # bytes until it leaves the field
        self.heard = 0  # frames heard, for tests
        self._levels()

    def _levels(self) -> None:
        """Set `levels`: for each cascade level an int of five bytes, four of the UID and a check
        byte."""
        more = range(0, len(self.uid) - 4, 3)
        parts = [b"\x88" + self.uid[k : k + 3] for k in more] + [self.uid[-4:]]
        self.levels: list[int] = []
        for part in parts:
            check = part[0] ^ part[1] ^ part[2] ^ part[3]
            self.levels.append(int.from_bytes(part + bytes((check,)), "little"))

    def leave_after(self, count: int | None) -> None:
        """Leave the field after the tag and the reader have sent `count` more bytes in all. If
        `count` is None, stay."""
        self.fuse = count

    def unpower(self) -> None:
        """Forget everything except the memory, because the field is off."""
        self.state = IDLE
        self.halted = False

    def _fall(self) -> None:
        self.state = HALT if self.halted else IDLE

    def hear(self, frame: Frame) -> Answer | None:
        """Return the answer to a reader's frame, or None if the tag stays silent."""
        self.heard += 1
        fuse = self.fuse
        if fuse is None:
            return self._hear(frame)
        size = (frame[1] + 7) // 8
        if fuse <= size:  # it leaves before the frame has ended
            self._torn(frame)
            self._leave()
            return None
        self.fuse = fuse - size
        answer = self._hear(frame)
        if answer is None:
            return None
        (bits, count), delay = answer
        size = (count + 7) // 8
        if self.fuse < size:
            count = min(count, 8 * self.fuse)
            self._leave()
            return ((bits & ((1 << count) - 1), count), delay) if count else None
        self.fuse -= size
        return answer

    def _leave(self) -> None:
        assert self.chip is not None
        self.chip.take(self)

    def _torn(self, frame: Frame) -> None:
        """Called when the tag leaves the field during this frame."""

    def _hear(self, frame: Frame) -> Answer | None:
        bits, count = frame
        state = self.state
        if count == 7:
            if bits == 0x52 and state in (IDLE, HALT) or bits == 0x26 and state == IDLE:
                self.halted = state == HALT
                self.state = READY1
                return (self.atqa, 16), 0
            if state not in (IDLE, HALT):
                self._fall()
            return None
        if state == ACTIVE:
            return self._active(_data(frame))
        if state in (READY1, READY2, READY3):
            return self._ready(bits, count)
        return None

    def _ready(self, bits: int, count: int) -> Answer | None:
        level = self.state - READY1
        mine = self.levels[level]
        nvb = bits >> 8 & 0xFF
        known = (nvb >> 4) * 8 + (nvb & 7) - 16
        if count < 16 or bits & 0xFF != 0x93 + 2 * level or known < 0 or known > 40:
            self._fall()
            return None
        if known < 40:
            if count != 16 + known:
                self._fall()
            elif (bits >> 16) == mine & ((1 << known) - 1):
                return (mine >> known, 40 - known), 0
            return None
        data = bits.to_bytes((count + 7) // 8, "little")
        if count != 72 or crc_a(data) != 0 or (bits >> 16) & 0xFFFFFFFFFF != mine:
            self._fall()
            return None
        if level + 1 < len(self.levels):
            self.state += 1
            return with_crc(b"\x04"), 0
        self.state = ACTIVE
        return with_crc(bytes((self.sak,))), 0

    def _active(self, data: bytes) -> Answer | None:
        if len(data) < 3 or crc_a(data) != 0:
            return self._refuse(NAK_CRC)
        if data[:2] == b"\x50\x00" and len(data) == 4:
            self.state = HALT
            self.halted = False
            return None
        return self._command(data[:-2])

    def _refuse(self, code: int) -> Answer:
        self._fall()
        return (code, 4), 0

    def _command(self, data: bytes) -> Answer | None:
        self._fall()
        return None


class NTAG213(Tag):
    """An NTAG213 with 144 bytes for the user (NXP NTAG213/215/216 datasheet).

    content: the text of a Text record, or the memory from page 4 on. None gives a new tag, with a
        lock-control block and an empty message
    lock_tlv: whether the lock-control block comes before the Text record

    memory: all 45 pages of 4 bytes, as a bytearray
    """

    user_pages = 36
    locked_together = 2  # pages a dynamic lock bit
    cc = bytes((0xE1, 0x10, 0x12, 0x00))
    factory = bytes((0x01, 0x03, 0xA0, 0x0C, 0x34))
    version = bytes((0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x0F, 0x03))

    def __init__(
        self, uid: bytes, content: str | bytes | None = None, lock_tlv: bool = False
    ) -> None:
        super().__init__(uid)
        self.pages = 4 + self.user_pages + 5
        memory = bytearray(4 * self.pages)
        number = uid[:7].ljust(7, b"\0")
        memory[0:3] = number[0:3]
        memory[3] = 0x88 ^ number[0] ^ number[1] ^ number[2]
        memory[4:8] = number[3:7]
        memory[8] = number[3] ^ number[4] ^ number[5] ^ number[6]
        memory[9] = 0x48
        memory[12:16] = self.cc
        memory[-17:-16] = b"\xbd"  # after the dynamic lock bytes
        memory[-16:-12] = b"\x04\x00\x00\xff"  # CFG0: no password anywhere
        self.memory = memory
        if content is None:
            content = self.factory + b"\x03\x00\xfe"
        elif isinstance(content, str):
            content = (self.factory if lock_tlv else b"") + text_tlv(content)
        if len(content) > 4 * self.user_pages:
            raise ValueError("%d bytes do not fit this tag" % len(content))
        memory[16 : 16 + len(content)] = content

    def lock(self, page: int) -> None:
        """Lock one user page. From page 16 on, this also locks its neighbours."""
        if page < 16:
            self.memory[10 + (page >> 3)] |= 1 << (page & 7)
        else:
            bit = (page - 16) // self.locked_together
            self.memory[4 * (4 + self.user_pages) + (bit >> 3)] |= 1 << (bit & 7)

    def protect(self, page: int, reading: bool = False) -> None:
        """Require a password for writing to the pages from `page` on, and if `reading` is true
        also for reading them."""
        self.memory[-13] = page  # CFG0: AUTH0
        self.memory[-12] = 0x80 if reading else 0x00  # CFG1: ACCESS, PROT

    def _secret(self, page: int) -> bool:
        return self.memory[-12] & 0x80 != 0 and page >= self.memory[-13]

    def locked(self, page: int) -> bool:
        """Return whether the lock bits make a page read-only. page: 0 up to the last user page."""
        if page < 16:
            return bool(self.memory[10 + (page >> 3)] >> (page & 7) & 1)
        bit = (page - 16) // self.locked_together
        return bool(self.memory[4 * (4 + self.user_pages) + (bit >> 3)] >> (bit & 7) & 1)

    def _command(self, data: bytes) -> Answer | None:
        code = data[0]
        if code == 0x30 and len(data) == 2:  # READ: four pages, rolling over to page 0
            if data[1] >= self.pages or self._secret(data[1]):
                return self._refuse(NAK_ARGUMENT)
            four = [page % self.pages for page in range(data[1], data[1] + 4)]
            shown = [bytes(4) if self._secret(p) else self.memory[4 * p : 4 * p + 4] for p in four]
            return with_crc(b"".join(shown)), 0
        if code == 0xA2 and len(data) == 6:
            return self._write(data[1], data[2:])
        if code == 0x60 and len(data) == 1:
            return with_crc(self.version), 0
        return self._refuse(NAK_ARGUMENT)

    def _write(self, page: int, data: bytes) -> Answer:
        last_user = 3 + self.user_pages
        if page >= self.memory[-13]:
            return self._refuse(NAK_ARGUMENT)
        if page < 2 or page > last_user + 1 or 3 <= page <= last_user and self.locked(page):
            return self._refuse(NAK_ARGUMENT)
        at = 4 * page
        if page in (2, 3, last_user + 1):  # lock bytes and CC: bits can only be set
            for k in range(2 if page == 2 else 0, 4):
                self.memory[at + k] |= data[k]
        else:
            self.memory[at : at + 4] = data
        return (ACK, 4), WRITE_US

    def _torn(self, frame: Frame) -> None:
        """Called when the tag leaves the field during this frame: a page being written becomes
        half new, half old."""
        data = _data(frame)
        if self.state == ACTIVE and len(data) == 8 and data[0] == 0xA2 and data[1] > 3:
            half = bytes(data[2:4]) + bytes(self.memory[4 * data[1] + 2 : 4 * data[1] + 4])
            self._write(data[1], half)


class NTAG216(NTAG213):
    """An NTAG216, which has 888 bytes for the user."""

    user_pages = 222
    locked_together = 16
    cc = bytes((0xE1, 0x10, 0x6D, 0x00))
    factory = b""
    version = bytes((0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x13, 0x03))


class BusTicket(NTAG213):
    """A bus ticket: a Type 2 tag without capability container, with random-looking memory."""

    cc = bytes((0x00, 0x00, 0x00, 0x00))

    def __init__(self, uid: bytes) -> None:
        super().__init__(uid, bytes((37 * k + 11) & 0xFF for k in range(48)))


class Type1(Tag):
    """An NFC Forum Type 1 tag, such as a Topaz. It answers only WUPA and REQA (NFC Digital
    Protocol, 4.6 and 5)."""

    atqa = 0x0C00

    def _hear(self, frame: Frame) -> Answer | None:
        bits, count = frame
        return ((self.atqa, 16), 0) if count == 7 and bits in (0x52, 0x26) else None


class MifareClassic(Tag):
    """A MIFARE Classic 1K, which cannot be read without its keys."""

    atqa = 0x0004
    sak = 0x08

    def _command(self, data: bytes) -> Answer | None:
        return self._refuse(0x4)


class Phone(Tag):
    """A phone or bank card (ISO 14443-4). It has a new random UID whenever it enters a field."""

    atqa = 0x0004
    sak = 0x20

    def __init__(self, seed: int = 1) -> None:
        self._seed = seed
        super().__init__(self._next())

    def _next(self) -> bytes:
        self._seed = (self._seed * 1103515245 + 12345) & 0x7FFFFFFF
        return bytes((0x08,)) + (self._seed >> 4 & 0xFFFFFF).to_bytes(3, "little")

    def unpower(self) -> None:
        super().unpower()
        self.uid = self._next()
        self._levels()
