# SPDX-License-Identifier: MIT
"""Fields of a match's state that only the line games keep: rows of (name, bytes, meaning).

See `games.fields`. This module is not on the board.
"""

FIELDS = (
    ("ROOM", 1, "places where a line may still begin"),
    ("UNDECIDED", 2, "mask of the lines that began at a place of one of two numbers"),
    ("PLACES", 19, "places where a line may still begin, by number"),
)
