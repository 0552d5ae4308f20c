# SPDX-License-Identifier: MIT
"""What the line games keep of their own in a match's state: rows of (name, bytes, what it says).

See `fields`. No board loads it.
"""

FIELDS = (
    ("ROOM", 1, "places where a line may still begin"),
    ("UNDECIDED", 2, "mask of the lines that began at a place of one of two numbers"),
    ("PLACES", 19, "places where a line may still begin, by number"),
)
