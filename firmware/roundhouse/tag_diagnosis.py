# SPDX-License-Identifier: MIT
"""Finds out why a tag cannot be read: wrong kind, two tags, torn or empty, or unknown words.

Loaded only when such a tag was found.
"""

from roundhouse import tags
from roundhouse.console import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from roundhouse.drivers.presence import Readers


_MOST = 20  # characters of a tag's text that are printed


def why(reader: "Readers") -> str:
    """Return JSON keys that tell why the tag just found cannot be read. reader: a
    presence.Readers; its `images` are changed."""
    word, said = _cause(reader.images[0], reader.sizes[0])
    if reader.new > 1 and _cause(reader.images[1], reader.sizes[1]) != (word, said):
        word = "two"
    more = ', "why": "%s"' % word
    return more + ', "text": "%s"' % said if word == "text" else more


def _cause(image: bytearray, size: int) -> tuple[str, str]:
    """Return (reason, text): why a tag cannot be read, and the text on the tag (see `_told`). The
    text is "" unless the reason is "text"."""
    if size < 4 or image[0] != 0xE1 or image[1] >> 4 != 1:  # no container for a text
        return "kind", ""
    heard: list[bytes | None] = []
    tags.read(image, size, heard)
    if None in heard:
        return "torn", ""
    for text in heard:
        said = _told(text)
        if said:
            return "text", said
    # a text that the tag's memory cannot hold in full?
    image[2] = 0xFF
    if not heard and (tags.length(image, size) > size or tags.read(image, size, heard) or heard):
        return "torn", ""
    return "empty", ""


def _told(text: "Any") -> str:
    """Return a text's first _MOST printable characters as the inside of a JSON string. text: in
    UTF-8."""
    try:
        text = text.decode().strip()
    except UnicodeError:
        text = bytes([byte for byte in text if byte < 0x7F]).decode().strip()
    said, count = "", 0
    for letter in text:
        code = ord(letter)
        if code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000:
            continue
        if code > 0xFFFF:
            code -= 0x10000
            said += "\\u%04x\\u%04x" % (0xD800 | code >> 10, 0xDC00 | code & 0x3FF)
        elif code > 0x7E:
            said += "\\u%04x" % code
        else:
            said += quote(letter)[1:-1]
        count += 1
        if count == _MOST:
            break
    return said
