# SPDX-License-Identifier: MIT
"""Masks: sets of slots. A mask has bit n set for slot n; in a match's state `s` it takes two
bytes, low byte first, and so do the points of a round."""

try:
    from micropython import const
except ImportError:

    def const(value):
        return value


def mask(s, at):
    """Return the mask, or the points of a round, at a place of the state `s`."""
    return s[at] | s[at + 1] << 8


def put(s, at, value):
    """Write a mask, or points of a round."""
    s[at] = value & 255
    s[at + 1] = value >> 8


def add(s, at, slot):
    """Put a slot into a mask."""
    s[at + (slot >> 3)] |= 1 << (slot & 7)


def drop(s, at, slot):
    """Take a slot out of a mask."""
    s[at + (slot >> 3)] &= ~(1 << (slot & 7)) & 255


def bits(mask):
    """Return how many bits of a mask are set."""
    return bin(mask).count("1")


def seats_of(mask):
    """Yield the seats 1..10 of a mask."""
    for seat in range(1, 11):
        if mask >> seat & 1:
            yield seat


def lowest(seats, key):
    """Return the mask of those of the seats whose key is lowest."""
    low = min([key(seat) for seat in seats_of(seats)])
    return sum([1 << seat for seat in seats_of(seats) if key(seat) == low])
