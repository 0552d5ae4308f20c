# SPDX-License-Identifier: MIT
"""Decodes tags: memory to text, and text to meaning. tag_writer does the reverse.

Memory means the bytes of a Type 2 tag from page 3 on: a capability container (CC) of 4 bytes, then
the user area. The user area has TLV blocks (NFC Forum Type 2 Tag specification, 2.3), one of them
with an NDEF message. Anything malformed, torn or foreign gives None.

    >>> from roundhouse import tags
    >>> tags.parse(b"7-12"), tags.parse(tags.plain(b" Seat 3"))
    (('tile', 12, 7), ('seat', 3))
    >>> tags.parse(b"house goliath no-lock")
    ('house', 'goliath', ('no-lock',))
    >>> tags.parse(b"hello") is None
    True
"""

from roundhouse import tiles
from roundhouse.constants import MOST_SEATS, const

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    _Meaning = tuple[Any, ...]


_MAGIC = const(0xE1)  # CC byte 0

# Kinds of TLV blocks.
_NULL = const(0x00)
_NDEF = const(0x03)
_TERMINATOR = const(0xFE)

# The first byte of an NDEF record: flags, and below them its TNF (NFC Forum NDEF, 3.2).
_MB = const(0x80)  # the first record of the message
_ME = const(0x40)  # the last one
_CF = const(0x20)  # a chunk, which the next record continues
_SR = const(0x10)  # the payload's length is one byte, not four
_IL = const(0x08)  # the record has an ID
_TNF = const(0x07)
_START = const(0x100)  # in place of the record before the first one
_EMPTY = const(0)
_WELL_KNOWN = const(1)  # only TNF 1 to 4 have the name of a type
_MEDIA = const(2)
_UNCHANGED = const(6)  # a later chunk
_TEXT = const(0x54)  # the well-known type "T"

# Texts stay bytes until they are known: a new string takes the board 0.2 ms, because it is looked
# up among all interned ones.
_WORDS = (b"undo", b"override", b"next", b"totals", b"scores", b"quiet")
_LETTERS = b"-=0123456789 abcdefghijklmnopqrstuvwxyz"
# Dashes of a phone's keyboard, in UTF-8: hyphens, en and em dash, minus.
_LONG = const(0xE2)  # the first byte of each of them
_DASHES = const(
    b"\xe2\x80\x90\xe2\x80\x91\xe2\x80\x92\xe2\x80\x93\xe2\x80\x94\xe2\x80\x95\xe2\x88\x92"
)


def length(buf: bytes | bytearray, n: int) -> int:
    """Return how many bytes of a tag's memory must be read to know its text. buf: the first n
    bytes of the memory.

    If the result is more than n, read at least that many. Otherwise text(buf, n) is final.
    """
    if n > 5 and buf[4] == _NDEF and buf[5] + 6 <= n and buf[5] < 0xFF and buf[buf[5] + 5]:
        return n  # as most tags are, so their CC is not needed
    at = _find(buf, n)
    return -at if at < 0 else n


def text(buf: bytes | bytearray, n: int) -> str | None:
    """Return the text of a tag in the form of plain(), or None. buf: the first n bytes of its
    memory."""
    found = read(buf, n)
    return found and found[0].decode()


def read(
    buf: bytes | bytearray, n: int, heard: list[bytes | None] | None = None
) -> "tuple[bytes, _Meaning] | None":
    """Return the first text with a meaning in a tag's NDEF message, as (text in bytes, meaning as
    from `parse`), or None. buf: the first n bytes of the tag's memory.

    heard: a list to which the message's texts are added, in UTF-8, up to the returned one, and b""
    for each other record; if the message is malformed, None is added last.
    """
    at = _find(buf, n)
    if at <= 0:
        return None
    begin = _value_at(buf, n, at)
    return _message(buf, 4 + 8 * buf[2], begin, begin + _value_size(buf, at, begin), heard)


def _find(buf: bytes | bytearray, n: int) -> int:
    """Return the offset of the NDEF block (TLV) in a tag's memory, or 0. buf: the first n bytes of
    it.

    A result of -20 means that the first 20 bytes are needed.
    """
    if n < 4:
        return -4
    if buf[0] != _MAGIC or buf[1] >> 4 != 1:
        return 0
    end = 4 + 8 * buf[2]
    at = 4
    while at < end:
        begin = _value_at(buf, n, at)
        if begin > n:
            return -begin if begin <= end else 0
        kind = buf[at]
        after = begin + _value_size(buf, at, begin)
        if kind == _TERMINATOR or after > end:
            return 0
        if kind == _NDEF:
            if after <= n and not buf[after - 1] and after < end:
                after += 1  # see _message
            return at if after <= n else -after
        at = after
    return 0


def _value_at(buf: bytes | bytearray, n: int, at: int) -> int:
    """Return the offset of a block's (TLV) value. If this offset is greater than n, read the
    memory up to it and call this function again.

    n: the count of bytes read so far. at: the offset of the block.
    """
    if at >= n or buf[at] == _NULL or buf[at] == _TERMINATOR:
        return at + 1
    if at + 1 >= n or buf[at + 1] != 0xFF:
        return at + 2
    return at + 4


def _value_size(buf: bytes | bytearray, at: int, begin: int) -> int:
    """Return the size in bytes of the value of the block (TLV) at offset `at`. begin: the value's
    offset."""
    if begin == at + 4:  # some phones write small lengths like this, too
        return buf[at + 2] << 8 | buf[at + 3]
    return buf[at + 1] if begin == at + 2 else 0


def _message(
    buf: bytes | bytearray, limit: int, at: int, end: int, heard: list[bytes | None] | None
) -> "tuple[bytes, _Meaning] | None":
    """Return (text, meaning) of the first known text in the NDEF message buf[at:end], or None if
    there is none or any part of the message is malformed. limit: the end of the tag's memory;
    heard: None, or as in `read`."""
    found = None
    before = _START
    while at < end:
        record = None if before & _ME else _record_at(buf, at, end)
        if not record or not _well_formed(buf, record, before):
            before = 0
            break
        head, _, _, _, at = record
        if found is None and not (head | before) & _CF:  # our texts are never in chunks
            said = _record_text(buf, record)
            if heard is not None and (said or said is None and head & _TNF != _EMPTY):
                heard.append(said or b"")
            words: Any = said and plain(said)
            if said and not said[-1] and not (at < limit and buf[at]):
                before = 0  # the zeros are pages not yet written, or behind a password
                break
            meaning = words and parse(words)
            if meaning:
                found = words, meaning
        before = head
    if before & _ME:
        return found
    if heard is not None and before != _START:
        heard.append(None)
    return None


def _record_at(buf: bytes | bytearray, at: int, end: int) -> tuple[int, int, int, int, int] | None:
    """Return the NDEF record at buf[at] as (first byte, offset of its type, length of its type,
    offset of its payload, end of its payload); None if it does not end by `end`."""
    if at + 3 > end:
        return None
    head = buf[at]
    kind_size = buf[at + 1]
    at += 2
    sized = at + (1 if head & _SR else 4)
    if sized > end:
        return None
    size = 0
    while at < sized:
        size = size << 8 | buf[at]
        at += 1
    id_size = 0
    if head & _IL:
        if at >= end:
            return None
        id_size = buf[at]
        at += 1
    payload = at + kind_size + id_size
    if payload + size > end:
        return None
    return head, at, kind_size, payload, payload + size


def _well_formed(
    buf: bytes | bytearray, record: tuple[int, int, int, int, int], before: int
) -> bool:
    """Return whether a record conforms to the NDEF standard. before: the first byte of the
    preceding record."""
    head, kind, kind_size, _, after = record
    tnf = head & _TNF
    if (head & _MB != 0) != (before == _START):
        return False
    if (before & _CF != 0) != (tnf == _UNCHANGED):
        return False
    if tnf == _UNCHANGED and head & _IL:
        return False
    if (kind_size != 0) != (1 <= tnf <= 4):
        return False
    if tnf == _EMPTY and after > kind:
        return False
    if head & _CF and (head & _ME or tnf == _EMPTY):
        return False
    named = True
    for k in range(kind, kind + kind_size):  # names of types are ASCII
        named = named and 0x20 <= buf[k] < 0x7F
    return named


def _record_text(buf: bytes | bytearray, record: tuple[int, int, int, int, int]) -> bytes | None:
    """Return the text, in UTF-8, of a Text record (NFC Forum RTD Text, 3.2) or a text/plain
    record; None for any other record."""
    head, kind, kind_size, at, end = record
    if head & _TNF == _MEDIA:
        from roundhouse import tag_charsets

        return tag_charsets.media_text(buf[kind : kind + kind_size], buf[at:end])
    if head & _TNF != _WELL_KNOWN or kind_size != 1 or buf[kind] != _TEXT:
        return None
    if at >= end or buf[at] & 0x40:  # the reserved bit
        return None
    begin = at + 1 + (buf[at] & 0x3F)
    if begin > end:
        return None
    for k in range(at + 1, begin):  # the language's name is plain ASCII by the standard
        if buf[k] > 0x7E:
            return None
    if buf[at] & 0x80:
        from roundhouse import tag_charsets

        return tag_charsets.utf16(buf[begin:end])
    return bytes(buf[begin:end])


def plain(text: bytes) -> bytes:
    """Return a text, in UTF-8, in the form for comparing and printing: lower case, one kind of
    dash, nothing around it that cannot be seen, a tile as `12-7`; b"" if a character is on no
    card."""
    text = text.strip(b" \t\r\n")
    if text and not (0x20 < text[0] < 0x7F and 0x20 < text[-1] < 0x7F):
        from roundhouse import unseen_letters

        text = unseen_letters.trimmed(text)
    text = text.lower()
    if _LONG in text:
        for k in range(0, len(_DASHES), 3):
            text = text.replace(_DASHES[k : k + 3], b"-")
    if text[:1].isdigit():
        text = _typed_tile(text)
    for letter in text:
        if letter not in _LETTERS:
            return b""
    return text


def _typed_tile(text: bytes) -> bytes:
    """Return a typed tile, such as `12 - 7`, `12/7`, `12 7` or `06-03`, in the hub's form, such as
    `6-3`; return any other text unchanged."""
    for mark in (b"-", b"/", b" "):
        high, found, low = text.partition(mark)
        if found:
            high, low = high.strip(b" "), low.strip(b" ")
            if len(high) < 3 > len(low) and high.isdigit() and low.isdigit():
                return b"%d-%d" % (int(high), int(low))
            break
    return text


def _number(word: bytes) -> int:
    """Return the value of one or two ASCII digits without a leading zero, or -1."""
    if not word.isdigit() or len(word) > 2 or word[0] == 48 and len(word) > 1:
        return -1
    return int(word)


def parse(words: bytes) -> "_Meaning | None":
    """Return the meaning of a card's or tile's text, as from plain(), or None if it has none.

    The meaning is one of these tuples:
        ("tile", high, low) with 18 >= high >= low >= 0
        ("seat", 1..14)
        ("set", 6, 9, 12, 15 or 18)
        ("undo",), ("override",), ("next",), ("totals",), ("scores",), ("quiet",)
        ("house", name, (variant, ...)); whether the house exists is not checked
    """
    dash = words.find(b"-")
    if dash > 0:
        high = _number(words[:dash])
        low = _number(words[dash + 1 :])
        if 0 <= low <= tiles.HIGHEST >= high >= 0:
            return ("tile", high, low) if high >= low else ("tile", low, high)
    if words in _WORDS:
        return (words.decode(),)
    parts: list[Any] = words.split()
    if len(parts) < 2:
        return None
    word = parts[0]
    if word == b"house":
        _, name, *variants = words.decode().split()
        return ("house", name, tuple(variants))
    if len(parts) != 2:
        return None
    value = _number(parts[1])
    if word == b"seat" and 1 <= value <= MOST_SEATS:
        return ("seat", value)
    if word == b"set" and value in tiles.SETS:
        return ("set", value)
    return None
