# SPDX-License-Identifier: MIT
"""Tag memory to text, and text to meaning. Pure. (`writing` has the way back.)

Memory is a Type 2 tag's from page 3 on: 4 bytes capability container (CC), then the user area
with its TLV blocks (NFC Forum Type 2 Tag specification, 2.3), one of which holds an NDEF message.
Whatever is malformed, torn or foreign is None: never an exception, never another text.
"""

from roundhouse import tiles

try:
    from micropython import const
except ImportError:

    def const(value):
        return value


_MAGIC = const(0xE1)  # CC byte 0

# Kinds of TLV blocks.
_NULL = const(0x00)
_NDEF = const(0x03)
_TERMINATOR = const(0xFE)

# The first byte of an NDEF record: flags, and below them its TNF (NFC Forum NDEF, 3.2).
_MB = const(0x80)  # the message's first
_ME = const(0x40)  # its last
_CF = const(0x20)  # a chunk, which the next record continues
_SR = const(0x10)  # the payload's length is one byte, not four
_IL = const(0x08)  # the record has an ID
_TNF = const(0x07)
_START = const(0x100)  # in place of the record before the first
_EMPTY = const(0)
_WELL_KNOWN = const(1)  # TNF 1 to 4 come with the name of a type, no other does
_UNCHANGED = const(6)  # a later chunk
_TEXT = const(0x54)  # the well-known type "T"

# All of it is bytes until it is known: on the board a new string takes 0.2 ms, because its letters
# are looked for among all names.
_WORDS = (b"undo", b"override", b"next", b"totals", b"scores", b"quiet")
_LETTERS = b"-0123456789 abcdefghijklmnopqrstuvwxyz"
# What a phone's keyboard writes for a dash, in UTF-8: hyphens, en and em dash, minus.
_LONG = const(0xE2)  # how each of them begins
_DASHES = const(
    b"\xe2\x80\x90\xe2\x80\x91\xe2\x80\x92\xe2\x80\x93\xe2\x80\x94\xe2\x80\x95\xe2\x88\x92"
)


def length(buf, n):
    """Bytes of memory needed before the text is known, given the first n in buf.

    More than n: read on, at least up to there. Not more: text(buf, n) has its answer.
    """
    if n > 5 and buf[4] == _NDEF and buf[5] + 6 <= n and buf[5] < 0xFF:
        return n  # as most tags are, whatever their CC allows
    at = _find(buf, n)
    return -at if at < 0 else n


def text(buf, n):
    """The text of the tag with n bytes of memory in buf, as plain() has it, or None."""
    found = read(buf, n)
    return found and found[0].decode()


def read(buf, n):
    """The text of the tag with n bytes of memory in buf, as bytes, and what parse() says of it;
    or None.

    The first Text record whose text parse() knows, wherever it stands in the message.
    """
    at = _find(buf, n)
    if at <= 0:
        return None
    begin = _value_at(buf, n, at)
    return _message(buf, begin, begin + _value_size(buf, at, begin))


def _find(buf, n):
    """Where the TLV with the tag's message starts, the first NDEF one, in memory buf[:n].

    0 where there is none; less where so many bytes must be known first: -20 for 20.
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
            return at if after <= n else -after
        at = after
    return 0


def _value_at(buf, n, at):
    """Where the value of the TLV at `at` begins; more than n: so many bytes are needed to tell."""
    if at >= n or buf[at] == _NULL or buf[at] == _TERMINATOR:
        return at + 1
    if at + 1 >= n or buf[at + 1] != 0xFF:
        return at + 2
    return at + 4


def _value_size(buf, at, begin):
    """How long the value of the TLV at `at` is that begins at `begin`."""
    if begin == at + 4:  # also of what one byte could hold, as some phones write it
        return buf[at + 2] << 8 | buf[at + 3]
    return buf[at + 1] if begin == at + 2 else 0


def _message(buf, at, end):
    """The first known text of the NDEF message in buf[at:end], the whole of it well-formed, and
    what it means."""
    found = None
    before = _START
    while at < end:
        record = None if before & _ME else _record_at(buf, at, end)
        if not record or not _well_formed(buf, record, before):
            return None
        head, kind, kind_size, payload, at = record
        # a text in chunks is none of ours
        if (
            found is None
            and head & _TNF == _WELL_KNOWN
            and kind_size == 1
            and buf[kind] == _TEXT
            and not (head | before) & _CF
        ):
            words = _record_text(buf, payload, at)
            meaning = words and _meaning(words)
            if meaning:
                found = words, meaning
        before = head
    return found if before & _ME else None


def _record_at(buf, at, end):
    """The NDEF record at buf[at]: its first byte, where its type begins and how long that is,
    where its payload begins and where it ends; or None where it does not end by `end`."""
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


def _well_formed(buf, record, before):
    """Whether this is a record by the standard, after one whose first byte is `before`."""
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
        named = named and 0x20 < buf[k] < 0x7F
    return named


def _record_text(buf, at, end):
    """The text of a Text record's payload (NFC Forum RTD Text, 3.2) as plain() has it, in bytes,
    or None where it is none."""
    if at >= end or buf[at] & 0xC0:  # UTF-16, or the reserved bit
        return None
    begin = at + 1 + (buf[at] & 0x3F)
    if begin > end:
        return None
    for k in range(at + 1, begin):  # the language's name is plain ASCII by the standard
        if buf[k] > 0x7E:
            return None
    return _plain(bytes(buf[begin:end]))


def plain(text):
    """A text as it is compared and said: small letters, one dash, no white space around it; ""
    where a letter is none that a card has."""
    return _plain(text.encode()).decode()


def _plain(text):
    """The same of bytes, UTF-8."""
    text = text.strip(b" \t\r\n").lower()
    if _LONG in text:
        for k in range(0, len(_DASHES), 3):
            text = text.replace(_DASHES[k : k + 3], b"-")
    for letter in text:
        if letter not in _LETTERS:
            return b""
    return text


def _number(word):
    """The value of one or two ASCII digits without leading zero, or -1."""
    if not word.isdigit() or len(word) > 2 or word[0] == 48 and len(word) > 1:
        return -1
    return int(word)


def parse(words):
    """What a text means, or None.

    ("tile", high, low) with 18 >= high >= low >= 0, ("seat", 1..10), ("set", 6, 9, 12, 15 or
    18), ("undo",), ("override",), ("next",), ("totals",), ("scores",), ("quiet",),
    ("house", name, (variant, ...)).
    Whether the house exists is not looked at.
    """
    return _meaning(_plain(words.encode()))


def _meaning(words):
    """The same of bytes, as _plain() has them."""
    dash = words.find(b"-")
    if dash > 0:
        high = _number(words[:dash])
        low = _number(words[dash + 1 :])
        if 0 <= low <= tiles.HIGHEST >= high >= 0:
            return ("tile", high, low) if high >= low else ("tile", low, high)
    if words in _WORDS:
        return (words.decode(),)
    parts = words.split()
    if len(parts) < 2:
        return None
    word = parts[0]
    if word == b"house":
        parts = words.decode().split()
        return ("house", parts[1], tuple(parts[2:]))
    if len(parts) != 2:
        return None
    value = _number(parts[1])
    if word == b"seat" and 1 <= value <= 10:
        return ("seat", value)
    if word == b"set" and value in tiles.SETS:
        return ("set", value)
    return None
