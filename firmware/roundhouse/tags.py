# SPDX-License-Identifier: MIT
"""Tag memory to text, text to meaning, and back. Pure.

Memory is a Type 2 tag's from page 3 on: 4 bytes capability container (CC), then the user area
with its TLV blocks (NFC Forum Type 2 Tag specification, 2.3), one of which holds an NDEF message.
Whatever is malformed, torn or foreign is None: never an exception, never another text.
"""

from roundhouse import tiles

_NULL = 0x00
_NDEF = 0x03
_TERMINATOR = 0xFE
_MAGIC = 0xE1  # CC byte 0

_WORDS = ("undo", "override", "next", "scores")
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789-"


def length(buf, n):
    """Bytes of memory needed before the text is known, given the first n in buf.

    More than n: read on, at least up to there. Not more: text(buf, n) has its answer.
    """
    return _walk(buf, n, False)


def text(buf, n):
    """The text of the tag with n bytes of memory in buf, or None.

    The first Text record whose text parse() knows, wherever it stands in the message.
    """
    at = _walk(buf, n, True)
    if at < 0:
        return None
    size = buf[at + 1]
    at += 2
    if size == 0xFF:
        size = buf[at] << 8 | buf[at + 1]
        at += 2
    return _message_text(buf, at, at + size)


def _walk(buf, n, found):
    """Walk the TLVs of memory buf[:n]. found: where the complete NDEF TLV starts, or -1;
    otherwise the number of bytes needed."""
    none = -1 if found else n
    if n < 4:
        return -1 if found else 4
    if buf[0] != _MAGIC or buf[1] >> 4 != 1:
        return none
    end = 4 + 8 * buf[2]
    at = 4
    while at < end:
        want = at + 1
        if want <= n:
            kind = buf[at]
            if kind == _TERMINATOR:
                return none
            if kind == _NULL:
                at += 1
                continue
            want = at + 2
        if want <= n:
            size = buf[at + 1]
            if size == 0xFF:
                want = at + 4
                if want <= n:
                    size = buf[at + 2] << 8 | buf[at + 3]
                    if size < 0xFF:  # three bytes of length are for what one cannot hold
                        return none
            if want <= n:
                start = at
                at = want + size
                if at > end:
                    return none
                if kind != _NDEF:
                    continue
                # the first NDEF message is the tag's message
                if at <= n:
                    return start if found else at
                want = at
        return -1 if found or want > end else want
    return none


def _message_text(buf, at, end):
    """The first known text of the NDEF message in buf[at:end], the whole of it well-formed."""
    found = None
    first = True
    last = False
    chunked = False
    while at < end:
        if last or at + 3 > end:
            return None
        head = buf[at]
        kind = head & 7  # TNF
        if (head & 0x80 != 0) != first:  # MB: on the first record and nowhere else
            return None
        first = False
        last = head & 0x40 != 0  # ME
        type_size = buf[at + 1]
        at += 2
        if head & 0x10:  # SR
            size = buf[at]
            at += 1
        else:
            if at + 4 > end:
                return None
            size = buf[at] << 24 | buf[at + 1] << 16 | buf[at + 2] << 8 | buf[at + 3]
            at += 4
        id_size = 0
        if head & 0x08:  # IL
            if at >= end:
                return None
            id_size = buf[at]
            at += 1
        payload = at + type_size + id_size
        if payload + size > end:
            return None
        if chunked != (kind == 6):  # only later chunks are of the type "unchanged"
            return None
        if chunked and (type_size or id_size or head & 0x08):
            return None
        if kind == 0 and (type_size or id_size or size):
            return None
        if kind in (5, 7) and type_size:
            return None
        if 1 <= kind <= 4 and not type_size:
            return None
        for k in range(at, at + type_size):  # names of types are ASCII
            if not 0x20 < buf[k] < 0x7F:
                return None
        was_chunked = chunked
        chunked = head & 0x20 != 0  # CF
        if chunked and (last or kind == 0):
            return None
        if kind == 1 and type_size == 1 and buf[at] == 0x54 and not (chunked or was_chunked):
            words = _record_text(buf, payload, payload + size)
            if found is None and words is not None and parse(words) is not None:
                found = words
        at = payload + size
    return found if last and at == end else None


def _record_text(buf, at, end):
    """The text of a Text record's payload (NFC Forum RTD Text, 3.2), where it is plain ASCII.

    Anything else is a text, too, but none the hub knows.
    """
    if at >= end or buf[at] & 0xC0:  # UTF-16, or the reserved bit
        return None
    for k in range(at + 1, end):  # the language's name is plain ASCII by the standard
        if buf[k] > 0x7E:
            return None
    at += 1 + (buf[at] & 0x3F)
    if at > end:
        return None
    return bytes(buf[at:end]).decode()


def _number(word):
    """The value of one or two ASCII digits without leading zero, or -1."""
    size = len(word)
    if not 1 <= size <= 2 or (size == 2 and word[0] == "0"):
        return -1
    value = 0
    for letter in word:
        if not "0" <= letter <= "9":
            return -1
        value = 10 * value + ord(letter) - 48
    return value


def parse(words):
    """What a text means, or None.

    ("tile", high, low) with 18 >= high >= low >= 0, ("seat", 1..10), ("set", 6, 9, 12, 15 or
    18), ("undo",), ("override",), ("next",), ("scores",), ("house", name, (variant, ...)).
    White space around the text does not count. Whether the house exists is not looked at.
    """
    words = words.strip(" \t\r\n")
    for letter in words:
        if letter not in _LETTERS and letter != " ":
            return None
    if words in _WORDS:
        return (words,)
    dash = words.find("-")
    if dash >= 0 and "0" <= words[0] <= "9":
        high = _number(words[:dash])
        low = _number(words[dash + 1 :])
        if high < 0 or low < 0 or high > tiles.HIGHEST or low > tiles.HIGHEST:
            return None
        return ("tile", high, low) if high >= low else ("tile", low, high)
    parts = words.split()
    if len(parts) < 2:
        return None
    word = parts[0]
    if word == "house":
        return ("house", parts[1], tuple(parts[2:]))
    if len(parts) != 2:
        return None
    value = _number(parts[1])
    if word == "seat" and 1 <= value <= 10:
        return ("seat", value)
    if word == "set" and value in tiles.SETS:
        return ("set", value)
    return None


def _record(words, flags):
    body = words.encode()
    size = 3 + len(body)
    if size < 256:
        head = bytes((flags | 0x11, 1, size, 0x54))
    else:
        head = bytes((flags | 0x01, 1, 0, 0, size >> 8, size & 0xFF, 0x54))
    return head + b"\x02en" + body


def message(words, card=None):
    """What is written to a tag from page 4 on: the text as an NDEF message, in whole pages.

    card: the text of a second record behind it, so that a card that shows something to people
    (`scores`) keeps its meaning for the hub. At most 65,000 bytes of text in UTF-8.
    """
    last = b"" if card is None else _record(card, 0x40)
    records = _record(words, 0x80 if last else 0xC0) + last
    size = len(records)
    if size < 255:
        image = bytes((_NDEF, size)) + records
    else:
        image = bytes((_NDEF, 0xFF, size >> 8, size & 0xFF)) + records
    image += b"\xfe"
    return image + bytes(-len(image) & 3)
