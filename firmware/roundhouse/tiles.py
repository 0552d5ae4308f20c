# SPDX-License-Identifier: MIT
"""Tiles as small ints, and as text.

Tile `a-b` with a >= b is a * (a + 1) / 2 + b: 0-0 is 0, 1-0 is 1, 1-1 is 2, 18-18 is 189. A set is
named by its highest pip number; its tiles are the ints below `size(set)`.
"""

SETS = (6, 9, 12, 15, 18)
HIGHEST = 18

HIGH = bytes([a for a in range(HIGHEST + 1) for b in range(a + 1)])  # tile -> its higher number
LOW = bytes([b for a in range(HIGHEST + 1) for b in range(a + 1)])  # tile -> its lower number


def size(set_: int) -> int:
    """Return the count of tiles in a set: 28, 55, 91, 136 or 190."""
    return (set_ + 1) * (set_ + 2) // 2


def tile(a: int, b: int) -> int:
    """Return the tile with the numbers a and b, 0..18, in either order."""
    return a * (a + 1) // 2 + b if a >= b else b * (b + 1) // 2 + a


def double(number: int) -> int:
    """Return the double tile with this number on both halves. number: 0..18."""
    return number * (number + 3) // 2


def text(t: int) -> str:
    """Return a tile's text, higher number first: `12-7`."""
    return "%d-%d" % (HIGH[t], LOW[t])
