# SPDX-License-Identifier: MIT
"""Checks whether a match can have the state that was read from the journal.

A state with a correct check sum may still be one that no firmware has written; a hub that used
this state would stop or hang later. This module is loaded when a segment of the journal is read.
"""

from roundhouse import tiles
from roundhouse.constants import (
    FORMAT,
    LOBBY,
    MOST_SEATS,
    NONE,
    PLAY,
    SCORING,
    SEATS,
    SETS_OF_SEATS,
    SLOT_COUNT,
    STATIONS,
    M,
    const,
)
from roundhouse.games import at
from roundhouse.games.slot_masks import mask

_HALF = const(18)  # the highest number on a tile
_TILE = const(189)  # the highest tile
_PIPS = const(13680)  # points, doubled, of a seat for which all pips of double 18 count twice
_PLACED = const(64)  # more places than a line may begin at
# Offset of a byte in a state, and the highest value it may have.
_MOST = (
    at.PHASE, 4, at.STARTER, MOST_SEATS, at.TURN, MOST_SEATS, at.LAST, MOST_SEATS,
    at.OUT, MOST_SEATS, at.ENDED_AT, M, at.ENDED_TILE, _TILE, at.READING, FORMAT,
)  # fmt: skip
# Offsets of masks of seats
_OF_SEATS = (at.SEATS, at.COMING, at.FORGOT, at.DONE, at.KEPT, at.ENDED_FORGOT)


def is_wrong(s: bytes | bytearray) -> bool:
    """Return True if no match can have the state `s`. Raises UnicodeError if the house's name in
    it is not UTF-8."""
    of_the_game = _is_wrong_line if s[at.GAME] else _is_wrong_train
    return _is_wrong_byte(s) or _is_wrong_table(s) or of_the_game(s)


def _is_wrong_byte(s: bytes | bytearray) -> bool:
    """Return True if a byte of a state is impossible.

    Raises UnicodeError if the house's name is not UTF-8.
    """
    name = bytes(s[at.NAME : at.PHASE]).rstrip(b"\0")
    name.decode()
    wrong = s[at.SET] not in tiles.SETS or s[at.READING] < 2 or min(name or b"-") <= 32
    for i in range(0, len(_MOST), 2):
        wrong = wrong or s[_MOST[i]] > _MOST[i + 1]
    for offset in _OF_SEATS:
        wrong = wrong or s[offset + 1] > STATIONS >> 8
    wrong = wrong or _is_wrong_set(s, at.PASSED)
    for i in range(at.END, at.HANDS):
        wrong = wrong or _HALF < s[i] < NONE
    wrong = wrong or max(s[at.USED : at.LAID]) > _HALF + 1
    wrong = wrong or sum(s[at.COUNTED : at.USED]) > _TILE + 1
    return wrong or _TILE < s[at.OPENING_TILE] < NONE


def _is_wrong_set(s: bytes | bytearray, offset: int) -> bool:
    """Return True if a mask of seats is impossible which was a count before SETS_OF_SEATS."""
    value = mask(s, offset)
    return value & ~STATIONS > 0 if s[at.READING] >= SETS_OF_SEATS else value > MOST_SEATS


def _is_wrong_table(s: bytes | bytearray) -> bool:
    """Return True if seats, turn and points of a state contradict each other."""
    phase, seats, turn, kept = s[at.PHASE], mask(s, at.SEATS), s[at.TURN], mask(s, at.KEPT)
    if (seats | s[at.COMING] | kept) & 1 or seats & kept:
        return True
    if phase != LOBBY and not seats & seats - 1:  # a match needs two seats
        return True
    if turn if phase != PLAY else not seats >> turn & 1 or s[at.OPENING_TILE] == NONE:
        return True
    for seat in SEATS:
        if s[at.TOTALS + 3 * seat + 2] > 127:
            return True
        if phase == SCORING and mask(s, at.POINTS + 2 * seat) > _PIPS:
            return True
    return False


def _is_wrong_train(s: bytes | bytearray) -> bool:
    own, count, owed = s[at.MEXICAN_OWN_DOUBLES], s[at.MEXICAN_OPEN_DOUBLES], s[at.MEXICAN_OWED]
    if not own <= count <= M or owed > 2 or owed and s[at.PHASE] == PLAY and not own:
        return True
    slots = s[at.MEXICAN_DOUBLES : at.MEXICAN_DOUBLES + count]
    for slot in slots:
        if not 0 < slot <= M or slots.count(bytes((slot,))) > 1 or s[at.END + slot] == NONE:
            return True
    for offset in (at.MEXICAN_FRESH, at.MEXICAN_WAITING):
        if s[offset + 1] > STATIONS >> 8:
            return True
    return _is_wrong_set(s, at.MEXICAN_LAP)


def _is_wrong_line(s: bytes | bytearray) -> bool:
    if max(s[at.LINE_PLACES : at.ENDED_AT] + s[at.LINE_ROOM : at.LINE_UNDECIDED]) > _PLACED:
        return True
    for slot in range(SLOT_COUNT):
        ends = s[at.END + slot], s[at.END2 + slot]
        if mask(s, at.LINE_UNDECIDED) >> slot & 1 and max(ends) == NONE:
            return True
    return False
