# SPDX-License-Identifier: MIT
"""Writing tags: the console's `write` and `lock`, and the `scores` card.

Seldom wanted, so the hub loads it when it is. Pages and bits are those of the NFC Forum's Type 2
Tag specification and of the NTAG213/215/216 datasheet. Whether a tag can be written at all is
looked at before its first page changes: what is refused stays as it was.
"""

from roundhouse import console as text
from roundhouse import houses, tags, words
from roundhouse.drivers import reader as reader_says

LOCKED = 16  # beside what the reader says
TOO_BIG = 17
NO_TEXT = 18

ERRORS = {
    reader_says.FAULT: "the reader does not answer; check its wires",
    reader_says.NO_TAG: "no tag; lay one on the slot",
    reader_says.TWO_TAGS: "more than one tag; leave one on the slot",
    reader_says.FOREIGN: "not an NTAG for text; use an NTAG213, 215 or 216",
    reader_says.REFUSED: "the tag refused it; use another",
    reader_says.TORN: "the tag left or did not keep it; do it again",
    LOCKED: "the tag is locked; use another",
    TOO_BIG: "the text does not fit this tag",
    NO_TEXT: "nothing the hub knows is on the tag; write it first",
}
SURE_MS = 10000

_EMPTY = b"\x03\x00\xfe\x00"  # a message without a record
_CC = 12  # where the capability container is in pages 0 to 3
_STATIC = 10  # and the lock bits of pages 3 to 15
# Byte 2 of the CC (memory / 8) -> the page of the lock bits of pages from 16 on, and what it
# holds when all are locked and the locks themselves too. Behind it comes the page whose last byte
# says from which page on a password is wanted.
_NTAG = {
    0x12: (0x28, b"\xff\x0f\x3f\x00"),
    0x3E: (0x82, b"\xff\x00\x0f\x00"),
    0x6D: (0xE2, b"\xff\x3f\x7f\x00"),
}


# ---- what the hub is asked for ----


def command(hub, line):
    """Carry out `write TEXT [SLOT]` or `lock [SLOT]`; ValueError says why not."""
    word, _, said = line.partition(" ")
    said = said.strip()
    if word == "lock":
        slot = words.slot_number(said) if said else words.E
        image = None
    else:
        said, slot = _what(said)
        image = tags.message(said)
    if slot not in hub.slots:
        raise ValueError("this hub has no slot %s" % words.slot_name(slot))
    place = hub.slots.index(slot)
    error = write(hub.reader, place, image) if image else _lock(hub, place)
    if error is None:  # asked once
        return
    if error:
        hub.lights.answer(slot, "r", hub.time.ticks_ms())
        raise ValueError("slot %s: %s" % (words.slot_name(slot), ERRORS[error]))
    hub.lights.answer(slot, "g", hub.time.ticks_ms())
    hub.say(line, words.OK)


def scores(hub, line, place):
    """A `scores` card between rounds: its text becomes the totals, for any phone to show.

    A second record keeps it the card that it is.
    """
    table = hub.table
    slot = hub.slots[place]
    if table.phase == words.PLAY or table.phase == words.SCORING or not table.round:
        hub.refuse(line, words.NOT_NOW, slot)
        return
    seats = [n for n in range(1, 11) if table.joined >> n & 1]
    totals = ["%d=%s" % (n, text.points(table.total(n))) for n in seats]
    if write(hub.reader, place, tags.message("scores " + " ".join(totals), "scores")):
        hub.refuse(line, words.FAULT, slot)
        return
    hub.lights.answer(slot, "g", hub.time.ticks_ms())
    hub.say(line, words.OK)


def _what(said):
    """Split `TEXT [SLOT]`; `seat 3 7` is a text and a slot, `seat 3` a text for E."""
    slot = words.E
    meaning = tags.parse(said)
    first, _, last = said.rpartition(" ")
    if tags.parse(first) and (last in words.SLOTS or not meaning):
        said, slot = first, words.slot_number(last)
        meaning = tags.parse(said)
    if not meaning:
        raise ValueError("write TEXT [SLOT]: TEXT is a tile, `seat 3`, or a card's word")
    if meaning[0] == "house":
        houses.parse(meaning[1:2] + meaning[2])  # names the houses there are
    return said, slot


def _lock(hub, place):
    """Lock the tag on a place when asked a second time; the first time only say what it means."""
    reader, now = hub.reader, hub.time.ticks_ms()
    asked, hub.sure = hub.sure, None
    error = reader.hold(place)
    if error:
        return reader.let_go(place, error)
    said, uid = _text(reader), reader.uid()
    if said is None:
        return reader.let_go(place, NO_TEXT)
    if asked != (place, uid) or hub.time.ticks_diff(now, hub.sure_at) > SURE_MS:
        hub.sure, hub.sure_at = (place, uid), now
        slot = words.slot_name(hub.slots[place])
        hub.console.put(
            '{"lock": "%s", "slot": "%s", "sure": "it can never be written again; '
            'say lock %s once more"}' % (said, slot, slot)
        )
        return reader.let_go(place) or None
    return reader.let_go(place, _lock_pages(reader))


# ---- pages ----


def write(reader, place, image):
    """Write `image` (whole pages) from page 4 on to the one tag on a place, and read it back.

    About 10 ms and 8 ms a page. Pages 0 to 3 are never written. Page 4 is emptied first and
    written last, so that a tag that leaves in between holds no text rather than a mixture of two.
    Returns 0 or a key of ERRORS.
    """
    if len(image) & 3:
        raise ValueError("image must be whole pages")
    error = reader.hold(place)
    if not error:
        error = _refusal(reader, len(image)) or _write(reader, image)
    return reader.let_go(place, error)


def _refusal(reader, length):
    """Why so many bytes cannot be written to the held tag, or 0."""
    data = reader.page_data
    error = reader.read_page(0)
    if error:
        return reader_says.FOREIGN if error == reader_says.REFUSED else error
    # magic, version 1.x, bytes / 8, no write restriction
    if data[_CC] != 0xE1 or data[_CC + 1] >> 4 != 1:
        return reader_says.FOREIGN
    size = data[_CC + 2]
    last = 3 + length // 4
    pages = (2 << min(15, last)) - (1 << 4)
    if data[_CC + 3] & 0x0F or (data[_STATIC] | data[_STATIC + 1] << 8) & pages:
        return LOCKED
    if length > size << 3:
        return TOO_BIG
    if size in _NTAG:
        page, all_locked = _NTAG[size]
        error = reader.read_page(page)
        if error == reader_says.REFUSED or not error and data[7] <= last:  # a password
            return LOCKED
        if not error and last > 15 and (data[0] & all_locked[0] or data[1] & all_locked[1]):
            return LOCKED
    return error


def _write(reader, image):
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
            error = reader_says.TORN
        at += 16
    return error


def _text(reader):
    """The text of the held tag, or None."""
    image = bytearray()
    want = 1
    while len(image) < want:
        if len(image) > 892 or reader.read_page(3 + len(image) // 4):
            return None
        image.extend(reader.page_data)
        want = tags.length(image, len(image))
    return tags.text(image, len(image))


def _lock_pages(reader):
    """Set every lock there is, the one that everybody looks at last: 0 or a key of ERRORS."""
    data = reader.page_data
    error = reader.read_page(0)
    if error:
        return error
    cc = bytes(data[_CC : _CC + 3]) + b"\x0f"
    static = bytes(data[8:10]) + b"\xff\xff"
    steps = [(3, cc), (2, static)]
    if cc[2] in _NTAG:
        steps.insert(0, _NTAG[cc[2]])
    for page, bits in steps:
        error = reader.read_page(page)
        if not error and not _set(data, bits):  # else an earlier, torn try came so far
            error = reader.write_page(page, bits) or reader.read_page(page)
            if not error and not _set(data, bits):
                error = reader_says.TORN
        if error:
            return error
    return 0


def _set(data, bits):
    """Whether all these bits are set in the first page of data."""
    return all(data[k] & bits[k] == bits[k] for k in range(4))
