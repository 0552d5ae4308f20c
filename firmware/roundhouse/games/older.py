# SPDX-License-Identifier: MIT
"""How older firmware packed the state of a match. Loaded only where a journal has such a one."""

from roundhouse.games.masks import const

# ---- numbers of the state, written by `make numbers` ----
_VARIANTS = const(2)  # mask of the house's variant words
_SHEET = const(6)  # place among the game's HOUSES
_HANDS = const(130)  # tiles in hand, by seat
_OPTIONS = const(198)  # the game's: a byte for each of its rows
# ---- end of the numbers ----

# Formats 2 (1.0.0) and 3 had two bytes of variant words, and in the midst of a state room for so
# many option rows and bytes of a game's own.
_ROWS = const(21)
_OWN = const(22)


def size(format_):
    """Return to how many bytes format 2 or 3 packed a state: 2 did not keep under which format a
    match began, which was its own."""
    return _OPTIONS - 2 + _ROWS + _OWN + format_ - 3


def packed(old, format_):
    """Return a state that format 2 or 3 packed, as format 4 packs it."""
    i = _VARIANTS + 2
    j = i + _ROWS + _HANDS - _SHEET
    state = old[:i] + bytes(2) + old[i + _ROWS : j] + old[j + _OWN :]
    if format_ == 2:
        state += b"\2"
    return bytes((_ROWS, _OWN)) + state + old[i : i + _ROWS] + old[j : j + _OWN]
