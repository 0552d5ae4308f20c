# SPDX-License-Identifier: MIT
"""Packs a match's state for the journal, and unpacks it, also from older firmware's formats.

A packed state begins with two bytes: the count of option values that follow (without trailing
zeros), and the count of bytes of the game's own fields. Bit 7 of the second byte is set if the
fields `fields.ENDED` are packed; these fields are left out if all are zero. This module is loaded
when a segment of the journal is begun or read.
"""

from roundhouse.constants import FORMAT, const
from roundhouse.games import at

# Formats 2 (1.0.0) and 3 had two bytes of variant words, and room for this many options and bytes
# of a game's own, used or not, in the middle of a state.
_ROWS = const(21)
_OWN = const(22)

_KEPT_SIZE = const(2)  # bytes of the field KEPT, which format 4 did not have
_ENDED = const(29)  # bytes of fields.ENDED
_HAS_ENDED = const(128)
_OWN_BITS = const(127)


def pack(state: bytes | bytearray) -> bytes:
    rows, own = _uses(state[at.GAME])
    kept = rows
    while kept and not state[at.OPTIONS + kept - 1]:
        kept -= 1
    ended = _ENDED if state[at.ENDED_AT] else 0
    uses = bytes((kept, own | (ended and _HAS_ENDED)))
    offset = at.OPTIONS + rows
    found = uses + state[: at.OPTIONS + kept] + state[offset : offset + own + ended]
    return found + bytes(size(uses, FORMAT) - len(found))


def size(uses: bytes, format_: int) -> int:
    """Return the length of a packed state in bytes.

    uses: the first two bytes of the packed state.
    format_: the format of the packed state, 2 or more.

    From format 4 on, the length is rounded up to 4, 9, 14, 19 and so on, so that all full segments
    (files) have the size journal.FULL.
    """
    shared = at.OPTIONS if format_ > 4 else at.OPTIONS - _KEPT_SIZE
    if format_ < 4:
        return shared - 2 + _ROWS + _OWN + format_ - 3
    return (shared + uses[0] + (uses[1] & _OWN_BITS) + _ended(uses) + 2) // 5 * 5 + 4


def unpack(found: bytes, format_: int) -> bytes:
    """Return a match's state from its packed form `found`; fields that the format does not have
    are 0.

    Raises ValueError, KeyError or IndexError for bytes that are not a packed state, or a state
    that no match can have.
    """
    state = unchecked(found, format_)
    from roundhouse.games import state_check

    if state_check.is_wrong(state):
        raise ValueError("no match is ever in this state")
    return state


def unchecked(found: bytes, format_: int) -> bytes:
    """Do the work of `unpack`, but also return a state that no match can have."""
    if format_ < 4:
        found = _as_format_4(found, format_)
    if format_ < 5:
        offset = 2 + at.KEPT
        found = found[:offset] + bytes(_KEPT_SIZE) + found[offset:]
    state = found[2 : 2 + at.OPTIONS]
    rows, own = _uses(state[at.GAME])
    offset = 2 + at.OPTIONS + found[0]
    state += _fit(found[2 + at.OPTIONS : offset], rows)
    end = offset + (found[1] & _OWN_BITS)
    return state + _fit(found[offset:end], own) + _fit(found[end : end + _ended(found)], _ENDED)


def _ended(uses: bytes) -> int:
    """Return the size in bytes of the fields ENDED in a packed state. uses: the first two bytes of
    the packed state."""
    return _ENDED if uses[1] & _HAS_ENDED else 0


def _uses(game: int) -> bytes:
    """Return (count of options, bytes of the game's own fields) of a game."""
    return at.USES[2 * game : 2 * game + 2]


def _fit(data: bytes, size: int) -> bytes:
    return data[:size] + bytes(size - len(data[:size]))


def _as_format_4(old: bytes, format_: int) -> bytes:
    i = at.VARIANTS + 2
    j = i + _ROWS + at.HANDS - at.SHEET
    state = old[:i] + bytes(2) + old[i + _ROWS : j] + old[j + _OWN :]
    if format_ == 2:
        state += b"\2"
    return bytes((_ROWS, _OWN)) + state + old[i : i + _ROWS] + old[j : j + _OWN]
