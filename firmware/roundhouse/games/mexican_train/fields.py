# SPDX-License-Identifier: MIT
"""What Mexican Train keeps of its own in a match's state: rows of (name, bytes, what it says).

See `fields`. No board loads it.
"""

FIELDS = (
    ("OWED", 1, "what the double just laid asks for: nothing, a second tile, a third one"),
    ("OWN_DOUBLES", 1, "open doubles laid in this turn; they are the last in the line"),
    ("OPEN_DOUBLES", 1, "open doubles in all"),
    ("WHOLE", 1, "this first turn is a whole train"),
    ("LAP", 1, "turns left in which a last double may be covered"),
    ("FRESH", 2, "mask of the seats that had no turn yet"),
    ("DOUBLES", 11, "slots of the open doubles in closing order"),
)
