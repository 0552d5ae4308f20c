# SPDX-License-Identifier: MIT
"""Packs a match's state for the journal, and unpacks it, also from older firmware's formats.

A packed state:

    2  count of the bytes of the runs below
    1  count of the options   1  bytes of the game's own fields, both as this firmware has them
    n  runs: a count of zeros, a count of bytes, and these bytes; again and again. Zeros at the end
       are left out
    z  0 to 4 zeros, so that the length is a multiple of 5: a full segment has at most journal.FULL
       bytes

A later firmware may add options and own fields at the end without a new format. Before format 7 a
packed state had no runs: see `_widened`. This module is loaded when a segment of the journal is
begun or read.
"""

from roundhouse.constants import NONE, M, const
from roundhouse.games import at
from roundhouse.tiles import HIGH

_RUNS = const(7)  # the first format with runs of zeros, and with fourteen stations
_ENDED = const(37)  # bytes of fields.ENDED
_HEAD = const(4)  # bytes before the runs

# Before format 7: where a state's fields had other places
_OLD_SHARED = const(200)  # bytes of fields.SHARED
_OLD_OWN = b"\x14\x16"  # bytes of each game's own fields
_OLD_ENDED = const(29)
_OLD_HANDS = const(130)  # offset of HANDS
_HAS_ENDED = const(128)  # flag in the count of own bytes: fields.ENDED are packed
_OWN_BITS = const(127)
_OLD_M = const(11)
_KEPT_SIZE = const(2)  # bytes of the field KEPT, which format 4 did not have
# Formats 2 (1.0.0) and 3 had two bytes of variant words, and room for this many options and bytes
# of a game's own, used or not, in the middle of a state.
_ROWS = const(21)
_OWN = const(22)
# Bytes of successive fields before format 7, and since: TOTALS, POINTS, up to BONEYARD, PASSED,
# up to DONE, END, END2, HANDS, COUNTED, and the rest
_SIZES = b"\x24\x30\x18\x20\x03\x03\x01\x02\x0c\x0c\x0c\x10\x0c\x10\x0c\x10\x0c\x10\x2e\x2e"
# ... and of Mexican Train's own: up to WHOLE, LAP, FRESH, DOUBLES, WAITING
_TRAIN_SIZES = b"\x04\x04\x01\x02\x02\x02\x0b\x0f\x02\x02"


class Newer(ValueError):
    """Raised for a state with a game, an option or a value that this firmware does not know."""


def pack(state: bytes | bytearray) -> bytes:
    data = bytes(state).rstrip(b"\0")
    runs = bytearray()
    i = 0
    while i < len(data):
        zeros = min(255, len(data) - i - len(data[i:].lstrip(b"\0")))
        i += zeros
        end = data.find(b"\0\0\0", i)
        end = min(len(data) if end < 0 else end, i + 255)
        runs += bytes((zeros, end - i)) + data[i:end]
        i = end
    head = bytes((len(runs) & 255, len(runs) >> 8)) + _uses(state[at.GAME])
    return head + runs + bytes(size(head, _RUNS) - _HEAD - len(runs))


def size(head: bytes, format_: int) -> int:
    """Return the length of a packed state in bytes.

    head: the first four bytes of the packed state; before format 7, the first two are enough.
    format_: the format of the packed state, 2 or more.
    """
    if format_ >= _RUNS:
        return (_HEAD + (head[0] | head[1] << 8) + 4) // 5 * 5
    shared = _OLD_SHARED if format_ > 4 else _OLD_SHARED - _KEPT_SIZE
    if format_ < 4:
        return shared - 2 + _ROWS + _OWN + format_ - 3
    return (shared + head[0] + (head[1] & _OWN_BITS) + _ended(head) + 2) // 5 * 5 + 4


def unpack(found: bytes, format_: int) -> bytes:
    """Return a match's state from its packed form `found`; fields that the format does not have
    are 0.

    Raises Newer, or ValueError, KeyError or IndexError for bytes that are not a packed state, or a
    state that no match can have.
    """
    state = unchecked(found, format_)
    from roundhouse.games import state_check

    if state_check.is_wrong(state):
        raise ValueError("no match is ever in this state")
    return state


def unchecked(found: bytes, format_: int) -> bytes:
    """Do the work of `unpack`, but also return a state that no match can have."""
    if format_ >= _RUNS:
        state, rows, own = _expanded(found), found[2], found[3]
    else:
        state, rows, own = _widened(found, format_)
    if 2 * state[at.GAME] >= len(at.USES):
        raise Newer("another game")
    known_rows, known_own = _uses(state[at.GAME])
    offset = at.OPTIONS + rows
    options = state[at.OPTIONS : offset]
    if own > known_own or any(options[known_rows:]):
        raise Newer("another field or option")
    first = sum([at.USES[2 * game] + 1 for game in range(state[at.GAME])])
    values = state[at.SHEET : at.SHEET + 1] + options[:known_rows]
    for i in range(len(values)):
        if values[i] >= at.VALUES[first + i]:
            raise Newer("another house or value")
    end = offset + own
    own_fields = _fit(state[offset:end], known_own)
    return state[: at.OPTIONS] + _fit(options, known_rows) + own_fields + state[end:]


def _expanded(found: bytes) -> bytes:
    """Return the state in a packed one, with the options and own fields of the firmware that
    packed it. Raises ValueError if its runs are not such a state."""
    i, end = _HEAD, _HEAD + (found[0] | found[1] << 8)
    length = at.OPTIONS + found[2] + found[3] + _ENDED
    state = b""
    while i < end:
        state += bytes(found[i]) + found[i + 2 : i + 2 + found[i + 1]]
        i += 2 + found[i + 1]
    if i != end or len(state) > length or any(found[end:]):
        raise ValueError("another length")
    return state + bytes(length - len(state))


def _widened(found: bytes, format_: int) -> tuple[bytes, int, int]:
    """Return (state, count of its options, bytes of its own fields) of a packed state from before
    format 7, which had ten stations: M was slot 11."""
    if format_ < 4:
        found = _as_format_4(found, format_)
    if format_ < 5:
        offset = 2 + _OLD_SHARED - _KEPT_SIZE
        found = found[:offset] + bytes(_KEPT_SIZE) + found[offset:]
    rows, own = found[0], found[1] & _OWN_BITS
    offset = 2 + _OLD_SHARED
    end = offset + rows + own
    shared = bytearray(found[2 : 2 + at.TOTALS] + _resized(found[2 + at.TOTALS : offset], _SIZES))
    game, opening = shared[at.GAME], shared[at.OPENING_TILE]
    for mask in (at.OPEN, at.BEGUN):
        _move_bit(shared, mask)
    begins = NONE if game or opening == NONE else HIGH[opening]
    for ends, at_first in ((at.END, begins), (at.END2, NONE)):
        shared[ends + M] = shared[ends + _OLD_M]
        for i in range(ends + _OLD_M, ends + M):
            shared[i] = at_first
    own_fields = _widened_own(game, found[offset + rows : end])
    ended = bytearray(_fit(found[end : end + _ended(found)], _ENDED))
    ended[0] = moved(ended[0])
    state = shared + found[offset : offset + rows] + own_fields + ended
    return bytes(state), rows, len(own_fields)


def _widened_own(game: int, old: bytes) -> bytearray:
    """Return the bytes of a game's own fields from those before format 7."""
    if game >= len(_OLD_OWN):
        return bytearray(old)
    own = bytearray(_fit(old, _OLD_OWN[game]))
    if game:
        _move_bit(own, at.LINE_UNDECIDED - at.LINE_ROOM)
        return own
    own = bytearray(_resized(own, _TRAIN_SIZES))
    waiting = at.MEXICAN_WAITING - at.MEXICAN_OWED
    for i in range(at.MEXICAN_DOUBLES - at.MEXICAN_OWED, waiting):
        own[i] = moved(own[i])
    _move_bit(own, waiting)
    return own


def moved(slot: int) -> int:
    """Return today's number of a slot from before format 7."""
    return M if slot == _OLD_M else slot


def _move_bit(s: bytearray, offset: int) -> None:
    """Move M's bit in a mask of slots from before format 7."""
    if s[offset + 1] & 8:
        s[offset + 1] ^= 8 | 128


def _resized(data: bytes | bytearray, sizes: bytes) -> bytes:
    """Return successive fields with other lengths. sizes: the lengths of each before and after."""
    out, i = b"", 0
    for n in range(0, len(sizes), 2):
        out += _fit(data[i : i + sizes[n]], sizes[n + 1])
        i += sizes[n]
    return out + bytes(data[i:])


def _ended(head: bytes) -> int:
    """Return the size in bytes of the fields ENDED in a packed state from before format 7. head:
    the first two bytes of the packed state."""
    return _OLD_ENDED if head[1] & _HAS_ENDED else 0


def _uses(game: int) -> bytes:
    """Return (count of options, bytes of the game's own fields) of a game."""
    return at.USES[2 * game : 2 * game + 2]


def _fit(data: bytes | bytearray, size: int) -> bytes:
    return bytes(data[:size]) + bytes(size - len(data[:size]))


def _as_format_4(old: bytes, format_: int) -> bytes:
    i = at.VARIANTS + 2
    j = i + _ROWS + _OLD_HANDS - at.SHEET
    state = old[:i] + bytes(2) + old[i + _ROWS : j] + old[j + _OWN :]
    if format_ == 2:
        state += b"\2"
    return bytes((_ROWS, _OWN)) + state + old[i : i + _ROWS] + old[j : j + _OWN]
