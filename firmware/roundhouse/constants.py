# SPDX-License-Identifier: MIT
"""The words that the hub and every game share: slots, phases, verdicts, kinds of input.

Nobody owns them. A slot is a number: 0 is the engine E, 1..10 the stations, 11 the Mexican Train
M; a seat's number is its station's number. A mask has bit n set for slot n.
"""

E, M, NONE = 0, 11, 255
STATIONS = 0x7FE  # mask of 1..10

PHASES = ("lobby", "engine", "play", "scoring", "finished")
LOBBY, ENGINE, PLAY, SCORING, FINISHED = range(5)

# A refusal is the first of these words that applies.
VERDICTS = (
    "ok",
    "not-now",
    "not-your-turn",
    "unreadable",
    "not-in-set",
    "on-table",
    "not-an-engine",
    "double-first",
    "cover-it",
    "own-first",
    "closed",
    "no-match",
    "no-second-double",
    "fault",
)
OK, NOT_NOW, NOT_YOUR_TURN, UNREADABLE, NOT_IN_SET, ON_TABLE, NOT_AN_ENGINE = range(7)
DOUBLE_FIRST, COVER_IT, OWN_FIRST, CLOSED, NO_MATCH, NO_SECOND_DOUBLE, FAULT = range(7, 14)

# Kinds of input, each with a slot 0..11 and a value 0..65535: TAP and OVERRIDE carry the tile (TAP
# + 256 * a random byte where the hub draws the starter), RULES the house as slot and the variant
# bits, SET the highest number, HAND and BONEYARD a count, SCORE pips. DRAW is a draw whatever the
# boneyard's counter says. The journal keeps these numbers: never renumber them.
TAP, OVERRIDE, PRESS, DRAW, FORGET, RULES, SET = range(7)
JOIN, LEAVE, HAND, BONEYARD, TURN, MARKER, SCORE = range(7, 14)

# The journal's format: it rises whenever what an input means, or what is kept, is another. A match
# keeps the one under which it began, and with it the meaning.
FORMAT = 4

SLOTS = ("E", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "M")  # names, by number


def slot_name(slot):
    """Return a slot's name: `E`, `1`..`10`, `M`."""
    return SLOTS[slot]


def slot_number(name):
    """Return the slot of a name, 0..11; ValueError with the names there are."""
    if name not in SLOTS:
        raise ValueError("no slot %s; there are 1..10, M and E" % name)
    return SLOTS.index(name)
