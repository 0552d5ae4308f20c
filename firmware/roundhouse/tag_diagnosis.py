# SPDX-License-Identifier: MIT
"""Judges a tag without a tile or card: a wrong kind, a password, empty, torn, something else than
a text, or a text that the hub does not know.

Loaded only when such a tag was found, or for the console's `read`, `write` and `lock`.
"""

from roundhouse import tags
from roundhouse.console import quote
from roundhouse.drivers.reader import CLASSIC, FOREIGN, REFUSED, TORN
from roundhouse.drivers.tag_access import HeldTag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from roundhouse.drivers.presence import Readers


PASSWORD = 16  # besides the results of drivers.reader

_MOST = 20  # characters of a tag's text that are printed
_LARGEST = 892  # bytes from page 3 on of an NTAG216
_NO_CONTAINER = bytes(4)  # as some are delivered
_WORDS = {CLASSIC: "classic", FOREIGN: "kind", PASSWORD: "password"}


def why(reader: "Readers", place: int, wrong: str = "") -> str:
    """Return JSON keys that tell why what was just found at a place cannot be read. `images` of
    `reader` are changed. wrong: what is wrong with the text; "" if the hub does not know it."""
    word, said = cause(reader.images[0], reader.sizes[0])
    if wrong:
        return keys(word, said) + ', "wrong": ' + quote(wrong)
    if reader.new > 1:
        if cause(reader.images[1], reader.sizes[1]) != (word, said):
            word = "two"
    else:
        held = HeldTag(reader)
        error = held.hold(place)
        if not error:
            error, image = memory(held)
        held.let_go(place, error)
        if not error:
            word, said = cause(image, len(image))
        elif error in _WORDS:
            word = _WORDS[error]
    return keys(word, said)


def keys(word: str, said: str) -> str:
    """Return what `cause` returned as JSON keys."""
    more = ', "why": "%s"' % word
    return more + ', "text": "%s"' % said if word == "text" else more


def memory(held: "HeldTag") -> "tuple[int, Any]":
    """Return (0, the held tag's memory from page 3 to the end of its text); or (PASSWORD or a
    result of drivers.reader, None) if the memory cannot be read."""
    image = bytearray()
    want = 1
    while len(image) < want:
        error = TORN if len(image) > _LARGEST else held.read_page(3 + len(image) // 4)
        if error:
            return PASSWORD if error == REFUSED else error, None
        image.extend(held.page_data)
        want = tags.length(image, len(image))
    # of several pages that are read at once, those behind a password are zeros
    if not any(image[-4:]):
        error = held.read_page(2 + len(image) // 4)
        if error:
            return PASSWORD if error == REFUSED else error, None
    return 0, image


def cause(image: bytearray, size: int) -> tuple[str, str]:
    """Return (reason, text): why a tag cannot be read, and the text on the tag (see `_told`). The
    text is "" unless the reason is "text". image: the tag's memory from page 3 on; it is changed.
    size: the count of valid bytes in it."""
    if size < 4:
        return "kind", ""
    is_known = image[0] == 0xE1 and image[1] >> 4 == 1
    end = min(size, 4 + 8 * image[2]) if is_known else size
    if not any(image[4:end]) and (is_known or image[:4] == _NO_CONTAINER):
        return "empty", ""
    if not is_known:
        return "kind", ""
    heard: list[bytes | None] = []
    tags.read(image, size, heard)
    if None in heard:
        return "torn", ""
    for text in heard:
        said = _told(text)
        if said:
            return "text", said
    if b"" in heard:
        return "other", ""
    # a text that the tag's memory cannot hold in full?
    image[2] = 0xFF
    if not heard and (tags.length(image, size) > size or tags.read(image, size, heard) or heard):
        return "torn", ""
    return "empty", ""


def _told(text: "Any") -> str:
    """Return a text's first _MOST characters as the inside of a JSON string, and those that cannot
    be seen as `(U+200B)`. text: in UTF-8."""
    from roundhouse import unseen_letters

    text = unseen_letters.trimmed(text)
    try:
        text = text.decode()
    except UnicodeError:
        text = bytes([byte for byte in text if byte < 0x7F]).decode().strip()
    said = ""
    for letter in text[:_MOST]:
        code = ord(letter)
        if code != 0x20 and unseen_letters.is_unseen(letter):
            said += "(U+%04X)" % code
        elif code > 0xFFFF:
            code -= 0x10000
            said += "\\u%04x\\u%04x" % (0xD800 | code >> 10, 0xDC00 | code & 0x3FF)
        elif code > 0x7E:
            said += "\\u%04x" % code
        else:
            said += quote(letter)[1:-1]
    return said
