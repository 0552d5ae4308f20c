# SPDX-License-Identifier: MIT
"""ISO 14443-3 type A tags in a reader's field: NTAG21x and the cards that strangers bring.

A frame is (bits, count): an int whose bit 0 went over the air first, and the number of its data
bits (parity left out). A tag keeps to itself; the chip model puts the answers of several tags on
one another.
"""

from functools import lru_cache

import ndef

POWER_UP_US = 3000  # in the field before a tag answers; the standard allows 5 ms
WRITE_US = 4100  # NTAG213 programs a page, then acknowledges

IDLE, READY1, READY2, ACTIVE, HALT = range(5)
ACK, NAK_ARGUMENT, NAK_CRC = 0xA, 0x0, 0x1


def _crc_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ 0x8408 if byte & 1 else byte >> 1
        table.append(byte)
    return table


_CRC = _crc_table()


def crc_a(data, preset=0x6363):
    """Return CRC_A of ISO 14443-3 (annex B) as an int; on the air its low byte goes first."""
    crc = preset
    for byte in data:
        crc = crc >> 8 ^ _CRC[(crc ^ byte) & 0xFF]
    return crc


def with_crc(data):
    """Return the frame of `data` and its CRC_A."""
    return _frame(bytes(data) + crc_a(data).to_bytes(2, "little"))


def _frame(data):
    return int.from_bytes(data, "little"), 8 * len(data)


def _data(frame):
    bits, count = frame
    return bits.to_bytes((count + 7) // 8, "little")


@lru_cache(maxsize=512)
def text_tlv(text, language="en"):
    """Return the Type 2 TLVs (bytes) of one Text record, encoded by ndeflib, with terminator."""
    return message_tlv(b"".join(ndef.message_encoder([ndef.TextRecord(text, language)])))


def message_tlv(message):
    """Return an NDEF message (bytes) as a Type 2 TLV with terminator."""
    size = len(message)
    head = bytes((3, size)) if size < 255 else bytes((3, 0xFF, size >> 8, size & 0xFF))
    return head + message + b"\xfe"


class Tag:
    """What all type A tags share: states, anticollision, SELECT, HLTA.

    uid: 4 or 7 bytes. `atqa` and `sak` as the datasheets give them. `leave_after(n)` takes the
    tag away after n more bytes of any exchange, its own or the reader's.
    """

    atqa = 0x0044
    sak = 0x00

    def __init__(self, uid):
        if len(uid) not in (4, 7):
            raise ValueError("a UID has 4 or 7 bytes")
        if uid[3 if len(uid) == 7 else 0] == 0x88:
            raise ValueError("0x88 there is the cascade tag (ISO 14443-3, 6.5.4)")
        self.uid = bytes(uid)
        self.state = IDLE
        self.halted = False  # woken from HALT, and falls back to it
        self.placed_us = 0
        self.chip = None
        self.fuse = None
        self.heard = 0  # frames heard, for tests
        self._levels()

    def _levels(self):
        """UID CLn with its BCC as 40-bit ints, one a cascade level."""
        parts = [self.uid] if len(self.uid) == 4 else [b"\x88" + self.uid[:3], self.uid[3:]]
        self.levels = []
        for part in parts:
            check = part[0] ^ part[1] ^ part[2] ^ part[3]
            self.levels.append(int.from_bytes(part + bytes((check,)), "little"))

    def leave_after(self, count):
        """Leave the field after `count` more bytes have gone over the air (None: stay)."""
        self.fuse = count

    def unpower(self):
        """The field is gone: a tag forgets everything but its memory."""
        self.state = IDLE
        self.halted = False

    def _fall(self):
        self.state = HALT if self.halted else IDLE

    def hear(self, frame):
        """Answer a reader's frame: (frame, extra delay in us), or None for silence."""
        self.heard += 1
        fuse = self.fuse
        if fuse is None:
            return self._hear(frame)
        size = (frame[1] + 7) // 8
        if fuse <= size:  # even the last byte has no pause after it any more
            self._torn(frame)
            self.chip.take(self)
            return None
        self.fuse = fuse - size
        answer = self._hear(frame)
        if answer is None:
            return None
        (bits, count), delay = answer
        size = (count + 7) // 8
        if self.fuse < size:
            count = min(count, 8 * self.fuse)
            self.chip.take(self)
            return ((bits & ((1 << count) - 1), count), delay) if count else None
        self.fuse -= size
        return answer

    def _torn(self, frame):
        """The tag is taken away while it hears this frame."""

    def _hear(self, frame):
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
        if state in (READY1, READY2):
            return self._ready(bits, count)
        return None

    def _ready(self, bits, count):
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
            self.state = READY2
            return with_crc(b"\x04"), 0
        self.state = ACTIVE
        return with_crc(bytes((self.sak,))), 0

    def _active(self, data):
        if len(data) < 3 or crc_a(data) != 0:
            return self._refuse(NAK_CRC)
        if data[:2] == b"\x50\x00" and len(data) == 4:
            self.state = HALT
            self.halted = False
            return None
        return self._command(data[:-2])

    def _refuse(self, code):
        self._fall()
        return (code, 4), 0

    def _command(self, data):
        self._fall()


class NTAG213(Tag):
    """NTAG213 (NXP NTAG213/215/216 datasheet): 45 pages of 4 bytes, 144 bytes for the user.

    content: a str (one Text record), bytes (memory from page 4 on), or None: as it leaves the
    factory, with its lock-control TLV and an empty message. lock_tlv=True puts that TLV before a
    text. `memory` is the whole of it, a bytearray.
    """

    user_pages = 36
    locked_together = 2  # pages a dynamic lock bit
    cc = bytes((0xE1, 0x10, 0x12, 0x00))
    factory = bytes((0x01, 0x03, 0xA0, 0x0C, 0x34))
    version = bytes((0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x0F, 0x03))

    def __init__(self, uid, content=None, lock_tlv=False):
        super().__init__(uid)
        self.pages = 4 + self.user_pages + 5
        memory = bytearray(4 * self.pages)
        memory[0:3] = uid[0:3]
        memory[3] = 0x88 ^ uid[0] ^ uid[1] ^ uid[2]
        memory[4:8] = uid[3:7]
        memory[8] = uid[3] ^ uid[4] ^ uid[5] ^ uid[6]
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

    def lock(self, page):
        """Lock one user page, with its neighbours from page 16 on."""
        if page < 16:
            self.memory[10 + (page >> 3)] |= 1 << (page & 7)
        else:
            bit = (page - 16) // self.locked_together
            self.memory[4 * (4 + self.user_pages) + (bit >> 3)] |= 1 << (bit & 7)

    def protect(self, page, reading=False):
        """Ask for a password from a page on: to write, and with `reading` to read as well."""
        self.memory[-13] = page  # CFG0: AUTH0
        self.memory[-12] = 0x80 if reading else 0x00  # CFG1: ACCESS, PROT

    def _secret(self, page):
        return self.memory[-12] & 0x80 and page >= self.memory[-13]

    def locked(self, page):
        """Return whether the lock bits make a page, 0 up to the last of user memory, read-only."""
        if page < 16:
            return bool(self.memory[10 + (page >> 3)] >> (page & 7) & 1)
        bit = (page - 16) // self.locked_together
        return bool(self.memory[4 * (4 + self.user_pages) + (bit >> 3)] >> (bit & 7) & 1)

    def _command(self, data):
        code = data[0]
        if code == 0x30 and len(data) == 2:  # READ: four pages, rolling over to page 0
            if data[1] >= self.pages or self._secret(data[1]):
                return self._refuse(NAK_ARGUMENT)
            rest = [page % self.pages for page in range(data[1], data[1] + 4)]
            rest = [bytes(4) if self._secret(p) else self.memory[4 * p : 4 * p + 4] for p in rest]
            return with_crc(b"".join(rest)), 0
        if code == 0xA2 and len(data) == 6:
            return self._write(data[1], data[2:])
        if code == 0x60 and len(data) == 1:
            return with_crc(self.version), 0
        return self._refuse(NAK_ARGUMENT)

    def _write(self, page, data):
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

    def _torn(self, frame):
        """A tag taken away while it programs a page keeps half of each."""
        data = _data(frame)
        if self.state == ACTIVE and len(data) == 8 and data[0] == 0xA2 and data[1] > 3:
            half = bytes(data[2:4]) + bytes(self.memory[4 * data[1] + 2 : 4 * data[1] + 4])
            self._write(data[1], half)


class NTAG216(NTAG213):
    """NTAG216: 888 bytes for the user."""

    user_pages = 222
    locked_together = 16
    cc = bytes((0xE1, 0x10, 0x6D, 0x00))
    factory = b""
    version = bytes((0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x13, 0x03))


class BusTicket(NTAG213):
    """A Type 2 tag for something else: no capability container, random-looking memory."""

    cc = bytes((0x00, 0x00, 0x00, 0x00))

    def __init__(self, uid):
        super().__init__(uid, bytes((37 * k + 11) & 0xFF for k in range(48)))


class Type1(Tag):
    """An NFC Forum Type 1 tag, such as a Topaz: it is not part of ISO 14443-3's anticollision, and
    answers nothing of a reader's but WUPA and REQA (NFC Digital Protocol, 4.6 and 5)."""

    atqa = 0x0C00

    def _hear(self, frame):
        bits, count = frame
        return ((self.atqa, 16), 0) if count == 7 and bits in (0x52, 0x26) else None


class MifareClassic(Tag):
    """A MIFARE Classic 1K: it can be read only with its keys, so not here."""

    atqa = 0x0004
    sak = 0x08

    def _command(self, data):
        return self._refuse(0x4)


class Phone(Tag):
    """A phone or bank card: ISO 14443-4, with a new random UID in every field."""

    atqa = 0x0004
    sak = 0x20

    def __init__(self, seed=1):
        self._seed = seed
        super().__init__(self._next())

    def _next(self):
        self._seed = (self._seed * 1103515245 + 12345) & 0x7FFFFFFF
        return bytes((0x08,)) + (self._seed >> 4 & 0xFFFFFF).to_bytes(3, "little")

    def unpower(self):
        super().unpower()
        self.uid = self._next()
        self._levels()
