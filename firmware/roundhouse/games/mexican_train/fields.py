# SPDX-License-Identifier: MIT
"""Fields of a match's state that only Mexican Train keeps: rows of (name, bytes, meaning).

See `games.fields`. This module is not on the board.
"""

from roundhouse.constants import M

FIELDS = (
    ("OWED", 1, "what the double just laid asks for: nothing, a second tile, a third one"),
    ("OWN_DOUBLES", 1, "open doubles laid in this turn; they are the last in the line"),
    ("OPEN_DOUBLES", 1, "open doubles in all"),
    ("WHOLE", 1, "this first turn is a whole train"),
    ("LAP", 2, "mask of the seats that may still cover a last double"),
    ("FRESH", 2, "mask of the seats that had no turn yet"),
    ("DOUBLES", M, "slots of the open doubles in closing order"),
    ("WAITING", 2, "mask of the open doubles that ended a first train, while a seat is FRESH"),
)
