# SPDX-License-Identifier: MIT
"""Sets of slots as masks: bit n is set for slot n.

In a match's state `s` a mask takes two bytes, low byte first, and so do the points of a round.
"""

from roundhouse.constants import SEATS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def mask(s: bytes | bytearray, at: int) -> int:
    """Return the 16-bit number (a mask of slots, or points) at an offset of a match's state."""
    return s[at] | s[at + 1] << 8


def put(s: bytearray, at: int, value: int) -> None:
    """Store a 16-bit number (a mask of slots, or points) at an offset of a match's state."""
    s[at] = value & 255
    s[at + 1] = value >> 8


def has(s: bytes | bytearray, at: int, slot: int) -> int:
    """Return 1 if a slot is in the mask at an offset of a match's state, otherwise 0."""
    return s[at + (slot >> 3)] >> (slot & 7) & 1


def add(s: bytearray, at: int, slot: int) -> None:
    """Add a slot to the mask at an offset of a match's state."""
    s[at + (slot >> 3)] |= 1 << (slot & 7)


def drop(s: bytearray, at: int, slot: int) -> None:
    """Remove a slot from the mask at an offset of a match's state."""
    s[at + (slot >> 3)] &= ~(1 << (slot & 7)) & 255


def bits(mask: int) -> int:
    """Return the count of slots in a mask."""
    return bin(mask).count("1")


def seats_of(mask: int) -> "Iterator[int]":
    """Yield the seats of a mask."""
    for seat in SEATS:
        if mask >> seat & 1:
            yield seat


def lowest(seats: int, key: "Callable[[int], int]") -> int:
    """Return a mask of the seats with the lowest key(seat) among those in the mask `seats`."""
    low = min([key(seat) for seat in seats_of(seats)])
    return sum([1 << seat for seat in seats_of(seats) if key(seat) == low])
