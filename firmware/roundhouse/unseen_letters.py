# SPDX-License-Identifier: MIT
"""Finds characters that cannot be seen. Loaded only for texts with such characters around them,
and to name them."""

# Characters that cannot be seen, as ranges of code points: controls and spaces, a soft hyphen,
# marks of direction, joiners, variation selectors, and the byte order mark.
_UNSEEN = (
    (0x00, 0x20),
    (0x7F, 0xA0),
    (0xAD, 0xAD),
    (0x61C, 0x61C),
    (0x180B, 0x180E),
    (0x2000, 0x200F),
    (0x2028, 0x202F),
    (0x205F, 0x206F),
    (0x3000, 0x3000),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
)


def is_unseen(letter: str) -> bool:
    """Return whether a character cannot be seen."""
    return any(first <= ord(letter) <= last for first, last in _UNSEEN)


def trimmed(text: bytes) -> bytes:
    """Return a text, in UTF-8, without what cannot be seen around it. Malformed UTF-8 is returned
    unchanged."""
    try:
        letters = text.decode()
    except UnicodeError:
        return text
    begin, end = 0, len(letters)
    while begin < end and is_unseen(letters[begin]):
        begin += 1
    while begin < end and is_unseen(letters[end - 1]):
        end -= 1
    return letters[begin:end].encode()
