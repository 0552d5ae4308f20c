# SPDX-License-Identifier: MIT
"""Writes tags: the console's `write`, `lock` and `read`, and the `scores` card. Loaded only then.

Pages and bits are those of the NFC Forum's Type 2 Tag specification and the NTAG213/215/216
datasheet. A refused tag stays unchanged.
"""

import binascii

from roundhouse import console, constants, tag_diagnosis, tags
from roundhouse.drivers.reader import CLASSIC, FAULT, FOREIGN, NO_TAG, REFUSED, TORN, TWO_TAGS
from roundhouse.drivers.tag_access import HeldTag
from roundhouse.games.slot_masks import seats_of
from roundhouse.tag_diagnosis import PASSWORD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from roundhouse.drivers.presence import Readers
    from roundhouse.hub import Hub


LOCKED = 17  # these and PASSWORD besides the results of drivers.reader
TOO_BIG = 18
NO_TEXT = 19

ERRORS: dict[int, str] = {
    FAULT: "the reader does not answer; check its wires",
    NO_TAG: "no tag; lay one on the slot",
    TWO_TAGS: "more than one tag; leave one on the slot",
    FOREIGN: "not an NTAG for text; use an NTAG213, 215 or 216",
    CLASSIC: "a MIFARE Classic, like those sold with readers; use an NTAG213, 215 or 216",
    REFUSED: "the tag refused it; use another",
    TORN: "the tag left or did not keep it; do it again",
    LOCKED: "the tag is locked; use another",
    TOO_BIG: "the text does not fit this tag",
    NO_TEXT: "nothing the hub knows is on the tag; write it first",
    PASSWORD: "the tag has a password; remove it with the app that set it, or use another",
}
SURE_MS = 10000  # within this time `lock` has to be repeated

# Kinds of TLV blocks; and the first byte of an NDEF record of a well-known type, with its length
# in one byte or in four (NFC Forum NDEF, 3.2).
_MESSAGE, _END = 0x03, 0xFE
_FIRST, _LAST = 0x80, 0x40  # record of its message
_SHORT, _LONG = 0x11, 0x01
_TEXT = 0x54  # type "T"

_EMPTY = bytes((_MESSAGE, 0, _END, 0))  # a message without a record
_CC = 12  # offset of the capability container in pages 0 to 3
_STATIC = 10  # offset of the lock bits of pages 3 to 15
# Byte 2 of the CC (memory / 8) -> (page with the lock bits of pages from 16 on, its bytes when all
# pages and the locks themselves are locked). The last byte of the page after it is the first page
# that needs a password.
_NTAG = {
    0x12: (0x28, b"\xff\x0f\x3f\x00"),
    0x3E: (0x82, b"\xff\x00\x0f\x00"),
    0x6D: (0xE2, b"\xff\x3f\x7f\x00"),
}


# ---- commands and cards ----


def command(hub: "Hub", line: str) -> None:
    """Carry out the command `write TEXT [SLOT]`, `lock [SLOT]` or `read [SLOT]`. Raise ValueError
    with the reason if it fails."""
    word, _, said = line.partition(" ")
    said = said.strip()
    if word != "write":
        slot = constants.slot_number(said) if said else hub.wired[-1]
        image = None
    else:
        said, slot = _what(said, hub.wired[-1])
        image = message(said)
    if slot not in hub.wired:
        what = "reader at" if slot in hub.slots else "slot"
        raise ValueError("this hub has no %s %s" % (what, constants.slot_name(slot)))
    place = hub.slots.index(slot)
    if image:
        error: int | None = write(hub.reader, place, image)
    else:
        error = _lock(hub, place) if word == "lock" else _read(hub, place)
    if error is None:  # a first `lock`, or a `read`
        return
    if error:
        hub.answer(slot, "r")
        raise ValueError("slot %s: %s" % (constants.slot_name(slot), ERRORS[error]))
    hub.accept(line, slot)


def scores(hub: "Hub", line: str, place: int) -> None:
    """Between rounds, write the totals onto a `scores` card, so that any phone can show them. A
    second record keeps the card's meaning for the hub."""
    table = hub.table
    slot = hub.slots[place]
    if table.phase == constants.PLAY or table.phase == constants.SCORING or not table.round:
        hub.refuse(line, constants.NOT_NOW, slot)
        return
    seats = list(seats_of(table.joined))
    totals = ["%d=%s" % (n, console.points(table.total(n))) for n in seats]
    if write(hub.reader, place, message("scores " + " ".join(totals), "scores")):
        hub.refuse(line, constants.FAULT, slot)
        return
    hub.accept(line, slot)


def _what(said: str, slot: int) -> tuple[str, int]:
    """Split `TEXT [SLOT]`; return (text as from tags.plain, slot). `seat 3 7` means the text
    `seat 3` and slot 7; `seat 3` means the text `seat 3` and the slot given."""
    meaning = tags.parse(tags.plain(said.encode()))
    first, _, last = said.rpartition(" ")
    if tags.parse(tags.plain(first.encode())) and (last in constants.SLOTS or not meaning):
        said, slot = first, constants.slot_number(last)
        meaning = tags.parse(tags.plain(said.encode()))
    if not meaning:
        raise ValueError("write TEXT [SLOT]: TEXT is a tile, `seat 3`, or a card's word")
    if meaning[0] == "house":
        from roundhouse.games import houses

        houses.parse(meaning[1:2] + meaning[2])  # names the houses there are
    return tags.plain(said.encode()).decode(), slot


def _lock(hub: "Hub", place: int) -> int | None:
    """Lock the tag at a place if this is the second request in a row; at the first request, only
    print a warning.

    Returns None after the warning; otherwise 0, or a key of ERRORS.
    """
    reader = HeldTag(hub.reader)
    error = reader.hold(place)
    image: Any = None
    if not error:
        error, image = tag_diagnosis.memory(reader)
    said = None if error else tags.text(image, len(image))
    if said is None:
        hub.confirmed(None, 0)
        return reader.let_go(place, error or NO_TEXT)
    if not hub.confirmed((place, reader.uid()), SURE_MS):
        slot = constants.slot_name(hub.slots[place])
        hub.put_line(
            '{"lock": "%s", "slot": "%s", "sure": "it can never be written again; '
            'say lock %s once more"}' % (said, slot, slot)
        )
        return reader.let_go(place) or None
    return reader.let_go(place, _lock_pages(reader))


def _read(hub: "Hub", place: int) -> int | None:
    """Print what is on the tag at a place: its text, "" for none, or "?" and the reason for what
    the hub does not know. Return None, or a key of ERRORS."""
    reader = HeldTag(hub.reader)
    error = reader.hold(place)
    if not error:
        error, image = tag_diagnosis.memory(reader)
    if error:
        return reader.let_go(place, error)
    text, more = tags.text(image, len(image)), ""
    if not text:
        word, said = tag_diagnosis.cause(image, len(image))
        text = "" if word == "empty" else "?"
        if text:
            more = tag_diagnosis.keys(word, said)
    levels = reader.uid()
    uid = levels[-4:]
    for at in range(len(levels) - 8, -1, -4):  # the first byte of each says that one follows
        uid = levels[at + 1 : at + 4] + uid
    hub.put_line(
        '{"slot": "%s", "tag": "%s"%s, "uid": "%s"}'
        % (constants.slot_name(hub.slots[place]), text, more, binascii.hexlify(uid).decode())
    )
    return reader.let_go(place) or None


# ---- the memory of a tag ----


def message(text: str, card: str | None = None) -> bytes | bytearray:
    """Return a text as an NDEF message: the bytes for a tag from page 4 on, in whole pages.

    card: a second text, which the hub reads in place of `text`; None if the hub reads `text`.

    Both texts together must have at most 65,000 bytes in UTF-8.
    """
    last = b"" if card is None else _record(card, _LAST)
    records = _record(text, _FIRST if last else _FIRST | _LAST) + last
    size = len(records)
    if size < 255:
        image = bytes((_MESSAGE, size)) + records
    else:
        image = bytes((_MESSAGE, 0xFF, size >> 8, size & 0xFF)) + records
    image += bytes((_END,))
    return image + bytes(-len(image) & 3)


def _record(text: str, flags: int) -> bytes:
    """Return an NDEF Text record. flags: bits to set in its first byte."""
    body = text.encode()
    size = 3 + len(body)
    if size < 256:
        head = bytes((flags | _SHORT, 1, size, _TEXT))
    else:
        head = bytes((flags | _LONG, 1, 0, 0, size >> 8, size & 0xFF, _TEXT))
    return head + b"\x02en" + body


# ---- pages ----


def write(readers: "Readers", place: int, image: bytes | bytearray) -> int:
    """Write `image` (whole pages) to the only tag at a place, from page 4 on, and check it by
    reading. Return 0 on success, or a key of ERRORS.

    Takes about 10 ms plus 8 ms per page. Page 4 is emptied first and written last, so a tag that
    is taken away too early has no text.
    """
    if len(image) & 3:
        raise ValueError("image must be whole pages")
    reader = HeldTag(readers)
    error = reader.hold(place)
    if not error:
        error = _refusal(reader, len(image)) or _write(reader, image)
    return reader.let_go(place, error)


def _refusal(reader: "HeldTag", length: int) -> int:
    """Return 0 if `length` bytes can be written to the held tag, else a key of ERRORS. A tag that
    was delivered without a capability container, and nothing else on it, gets one."""
    error, image = tag_diagnosis.memory(reader)
    if error:
        return error
    is_new = not any(image[:16])
    # magic, version 1.x
    if not is_new and (image[0] != 0xE1 or image[1] >> 4 != 1):
        return FOREIGN
    size = reader.capacity() if is_new else image[2]
    if size < 0:
        return TORN
    data = reader.page_data
    error = reader.read_page(0)
    if error:
        return PASSWORD if error == REFUSED else error
    last = 3 + length // 4
    pages = (2 << min(15, last)) - (1 << 4)
    if (data[_STATIC] | data[_STATIC + 1] << 8) & pages:
        return LOCKED
    if size in _NTAG:
        error = _locks(reader, size, last)
        all_locked = _NTAG[size][1]
        if not error and last > 15 and (data[0] & all_locked[0] or data[1] & all_locked[1]):
            return LOCKED
    if error:
        return error
    if image[3] & 0x0F:  # some libraries note a password here, too
        return LOCKED
    if length > size << 3:
        return TOO_BIG
    return reader.write_page(3, bytes((0xE1, 0x10, size, 0))) if is_new else 0


def _locks(reader: "HeldTag", size: int, last: int) -> int:
    """Read the page with the lock bits of the held tag, and the page after it, into page_data.
    size: byte 2 of the CC, a key of _NTAG; last: the last page to be written.

    Returns 0, PASSWORD if a page up to `last` needs a password, or another key of ERRORS.
    """
    error = reader.read_page(_NTAG[size][0])
    if error == REFUSED or not error and reader.page_data[7] <= last:
        return PASSWORD
    return error


def _write(reader: "HeldTag", image: bytes | bytearray) -> int:
    length = len(image)
    error = reader.write_page(4, _EMPTY)
    at = 4
    while not error and at < length:
        error = reader.write_page(4 + (at >> 2), image, at)
        at += 4
    error = error or reader.write_page(4, image)
    at = 0
    while not error and at < length:
        error = reader.read_page(4 + (at >> 2))
        part = image[at : at + 16]
        if not error and bytes(reader.page_data[: len(part)]) != part:
            error = TORN
        at += 16
    return error


def _lock_pages(reader: "HeldTag") -> int:
    """Set all lock bits of the held tag, those on page 2 last. Return 0, or a key of ERRORS."""
    data = reader.page_data
    error = reader.read_page(0)
    if error:
        return error
    cc = bytes(data[_CC : _CC + 3]) + b"\x0f"
    static = bytes(data[8:10]) + b"\xff\xff"
    steps = [(3, cc), (2, static)]
    if cc[2] in _NTAG:
        steps.insert(0, _NTAG[cc[2]])
        error = _locks(reader, cc[2], steps[0][0])
        if error:
            return error
    for page, bits in steps:
        error = reader.read_page(page)
        if not error and not _set(data, bits):  # set already by an earlier, torn try
            error = reader.write_page(page, bits) or reader.read_page(page)
            if not error and not _set(data, bits):
                error = TORN
        if error:
            return error
    return 0


def _set(data: memoryview, bits: bytes) -> bool:
    """Return whether all bits that are 1 in the page `bits` are 1 in the first page of `data`."""
    return all(data[k] & bits[k] == bits[k] for k in range(4))
