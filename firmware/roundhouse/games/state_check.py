# SPDX-License-Identifier: MIT
"""Checks a whole state of a match that was read from the journal: whether a match can be in it.

A state with a right check sum may still be one that no firmware wrote. A hub that took it would
stop, or hang, at a later input. This module is loaded when a segment is read.
"""

from roundhouse import tiles
from roundhouse.constants import FORMAT, LOBBY, NONE, PLAY, SCORING
from roundhouse.games.slot_masks import const, mask

# ---- numbers of the state, written by `make made` ----
_SET = const(0)  # the set's highest number
_GAME = const(1)  # place in games.GAMES
_SHEET = const(6)  # place among the game's HOUSES
_NAME = const(7)  # of a family's house, ASCII; zeros where it is a sheet's own
_PHASE = const(23)  # place in constants.PHASES
_STARTER = const(25)  # who started last
_SEATS = const(26)  # mask of the seats that play
_COMING = const(28)  # mask of those that join with the next round
_TOTALS = const(30)  # points of the match, by seat
_POINTS = const(66)  # of this round, after scoring of the last one; two bytes each
_OPENING_TILE = const(90)  # the opening tile, or NONE. A round begins here
_TURN = const(91)  # the seat to move; 0 outside play
_PASSES = const(93)  # passes in a row, with an empty boneyard
_LAST = const(95)  # who laid last, until the next input
_OUT = const(97)  # who went out
_OPEN = const(98)  # mask of the lines that carry a marker or are everybody's
_BEGUN = const(100)  # mask of the lines with a tile
_FORGOT = const(102)  # mask of the seats that forgot the notice and can be caught
_DONE = const(104)  # mask of the seats that have counted
_END = const(106)  # the number the next tile of a slot must match
_END2 = const(118)  # a second one while it is undecided, or NONE
_HANDS = const(130)  # tiles in hand, by seat
_COUNTED = const(142)  # left-over tiles tapped, by seat
_USED = const(154)  # tiles laid that show a number, by number
_LAID = const(173)  # a bit for each tile that lies on the table
_READING = const(197)  # the journal's format under which the match began: see constants.FORMAT
_KEPT = const(198)  # mask of the seats not at the table that have points in TOTALS
_ENDED_AT = const(-29)  # its slot; 0 if no tile did, or another input came since
_ENDED_TILE = const(-28)  # the tile
_ENDED_FORGOT = const(-26)  # FORGOT before it
_OPTIONS = const(200)  # the game's: a byte for each of its rows
_MEXICAN_OWED = const(232)
_MEXICAN_OWN_DOUBLES = const(233)
_MEXICAN_OPEN_DOUBLES = const(234)
_MEXICAN_LAP = const(236)
_MEXICAN_FRESH = const(237)
_MEXICAN_DOUBLES = const(239)
_MEXICAN_WAITING = const(250)
_LINE_ROOM = const(210)
_LINE_UNDECIDED = const(211)
_LINE_PLACES = const(213)
_USES = b"\x20\x14\x0a\x16"  # game by game: option rows, bytes of its own
# game by game: houses, then values of each option row
_VALUES = (
    b"\x07\x04\x15\x03\x02\x02\x02\x02\x03\x02\x03\x03\x02\x02\x02\x02\x02\x03\x02\x02"
    b"\x03\x02\x20\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x14\x02\x05\x04\x02\x02\x02\x02\x02"
    b"\x04\x03\x02\x03"
)
# ---- end of the numbers ----

_HALF = const(18)  # the highest number on a tile
_TILE = const(189)  # the highest tile
_PIPS = const(13680)  # points, doubled, of a seat for which all pips of double 18 count twice
_PLACED = const(64)  # more places than a line may begin at
# Offset of a byte in a state, and the highest value it may have.
_MOST = (
    _PHASE, 4, _STARTER, 10, _SEATS + 1, 7, _COMING + 1, 7, _TURN, 10, _PASSES, 10, _LAST, 10,
    _OUT, 10, _OPEN + 1, 15, _BEGUN + 1, 15, _FORGOT + 1, 7, _DONE + 1, 7, _READING, FORMAT,
    _KEPT + 1, 7,
)  # fmt: skip


def is_wrong(s):
    """Return whether no match can be in a state `s`. Raises UnicodeError for a name that is not
    UTF-8."""
    of_the_game = _is_wrong_line if s[_GAME] else _is_wrong_train
    return _is_wrong_byte(s, _USES[2 * s[_GAME]]) or _is_wrong_table(s) or of_the_game(s)


def _is_wrong_byte(s, rows):
    """Return whether a state has a byte that no match has. rows: the number of its options.

    Raises UnicodeError for a name that is not UTF-8.
    """
    name = bytes(s[_NAME:_PHASE]).rstrip(b"\0")
    name.decode()
    wrong = s[_SET] not in tiles.SETS or s[_READING] < 2 or min(name or b"-") <= 32
    for i in range(0, len(_MOST), 2):
        wrong = wrong or s[_MOST[i]] > _MOST[i + 1]
    values = s[_SHEET : _SHEET + 1] + s[_OPTIONS : _OPTIONS + rows]
    at = sum([_USES[2 * game] + 1 for game in range(s[_GAME])])
    for i in range(rows + 1):
        wrong = wrong or values[i] >= _VALUES[at + i]
    for i in range(_END, _HANDS):
        wrong = wrong or _HALF < s[i] < NONE
    wrong = wrong or max(s[_USED:_LAID]) > _HALF + 1 or sum(s[_COUNTED:_USED]) > _TILE + 1
    wrong = wrong or _TILE < s[_OPENING_TILE] < NONE
    return wrong or s[_ENDED_AT] > 11 or s[_ENDED_TILE] > _TILE or s[_ENDED_FORGOT + 1] > 7


def _is_wrong_table(s):
    """Return whether the seats, the turn or the points of a state do not go together."""
    phase, seats, turn, kept = s[_PHASE], mask(s, _SEATS), s[_TURN], mask(s, _KEPT)
    if (seats | s[_COMING] | kept) & 1 or seats & kept:
        return True
    if phase != LOBBY and not seats & seats - 1:  # it takes two
        return True
    if turn if phase != PLAY else not seats >> turn & 1 or s[_OPENING_TILE] == NONE:
        return True
    for seat in range(1, 11):
        if s[_TOTALS + 3 * seat + 2] > 127:
            return True
        if phase == SCORING and mask(s, _POINTS + 2 * seat) > _PIPS:
            return True
    return False


def _is_wrong_train(s):
    """Return whether no match of Mexican Train can be in a state, for what this game alone
    keeps."""
    own, count, owed = s[_MEXICAN_OWN_DOUBLES], s[_MEXICAN_OPEN_DOUBLES], s[_MEXICAN_OWED]
    if not own <= count <= 11 or owed > 2 or owed and s[_PHASE] == PLAY and not own:
        return True
    slots = s[_MEXICAN_DOUBLES : _MEXICAN_DOUBLES + count]
    for slot in slots:
        if not 0 < slot < 12 or slots.count(bytes((slot,))) > 1 or s[_END + slot] == NONE:
            return True
    return s[_MEXICAN_LAP] > 10 or s[_MEXICAN_FRESH + 1] > 7 or s[_MEXICAN_WAITING + 1] > 7


def _is_wrong_line(s):
    """Return whether no match of a line game can be in a state, for what these games alone
    keep."""
    if max(s[_LINE_PLACES:_ENDED_AT] + s[_LINE_ROOM:_LINE_UNDECIDED]) > _PLACED:
        return True
    for slot in range(12):
        if mask(s, _LINE_UNDECIDED) >> slot & 1 and max(s[_END + slot], s[_END2 + slot]) == NONE:
            return True
    return False
