# SPDX-License-Identifier: MIT
"""How a journal keeps the state of a match, and how that of older firmware did. Loaded when a
segment is begun or read.

A state is packed behind two bytes that say how many option rows and bytes of its own its game has
in this firmware; in later firmware it may have more.
"""

from roundhouse.constants import FORMAT
from roundhouse.games.masks import const

# ---- numbers of the state, written by `make numbers` ----
_GAME = const(1)  # place in games.GAMES
_VARIANTS = const(2)  # mask of the house's variant words
_SHEET = const(6)  # place among the game's HOUSES
_HANDS = const(130)  # tiles in hand, by seat
_OPTIONS = const(198)  # the game's: a byte for each of its rows
_USES = b"\x15\x12\x0a\x16"  # game by game: option rows, bytes of its own
# ---- end of the numbers ----

# Formats 2 (1.0.0) and 3 had two bytes of variant words, and in the midst of a state room for so
# many option rows and bytes of a game's own.
_ROWS = const(21)
_OWN = const(22)


def packed(state):
    """Return a state packed."""
    uses = _uses(state[_GAME])
    found = uses + state
    return found + bytes(size(uses, FORMAT) - len(found))


def size(uses, format_):
    """Return to how many bytes a state is packed, by the first two of them and the firmware's
    format, 2 or more: with zeros at the end 5 n + 4, so that a full segment has always the same
    size (see journal.FULL). Format 2 did not keep under which format a match began, which was its
    own."""
    if format_ < 4:
        return _OPTIONS - 2 + _ROWS + _OWN + format_ - 3
    return (_OPTIONS + uses[0] + uses[1] + 2) // 5 * 5 + 4


def unpacked(found, format_):
    """Return the state that a firmware of this format has packed; what its game did not have then
    is 0. ValueError, KeyError or IndexError: none has packed it."""
    if format_ < 4:
        found = _as_today(found, format_)
    state = found[2 : 2 + _OPTIONS]
    rows, own = _uses(state[_GAME])
    at = 2 + _OPTIONS + found[0]
    state += _fit(found[2 + _OPTIONS : at], rows)
    return state + _fit(found[at : at + found[1]], own)


def _uses(game):
    """Return two bytes: the option rows of a game, and the bytes of its own."""
    return _USES[2 * game : 2 * game + 2]


def _fit(data, size):
    return data[:size] + bytes(size - len(data[:size]))


def _as_today(old, format_):
    """Return a state that format 2 or 3 packed, as format 4 packs it."""
    i = _VARIANTS + 2
    j = i + _ROWS + _HANDS - _SHEET
    state = old[:i] + bytes(2) + old[i + _ROWS : j] + old[j + _OWN :]
    if format_ == 2:
        state += b"\2"
    return bytes((_ROWS, _OWN)) + state + old[i : i + _ROWS] + old[j : j + _OWN]
