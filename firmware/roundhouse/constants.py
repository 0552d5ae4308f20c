# SPDX-License-Identifier: MIT
"""Constants that the hub and all games share: slots, phases, verdicts, kinds of input.

Slots: 0 is the engine E, 1 to MOST_SEATS the stations, then comes the Mexican Train M. A seat has
its station's number. A mask has bit n set for slot n.
"""

# The board's compiler puts the value in place of `NAME = const(value)`.
try:
    from micropython import const
except ImportError:

    def const(value: object) -> object:  # type: ignore[misc]
        return value


MOST_SEATS = 14
SLOT_COUNT = 16  # MOST_SEATS, E and M
E, M, NONE = 0, SLOT_COUNT - 1, 255
USUAL_STATIONS = 10  # of a board
SEATS = range(1, MOST_SEATS + 1)
STATIONS = (1 << M) - 2  # mask of SEATS

PHASES = ("lobby", "engine", "play", "scoring", "finished")
LOBBY, ENGINE, PLAY, SCORING, FINISHED = range(5)

# A refused input gets the first of these that applies.
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

# Kinds of input, each with a slot and a value 0..65535: TAP and OVERRIDE have the tile (TAP
# + 256 * a random byte where the hub draws the starter), RULES the house as slot and the mask of
# variants, SET the highest number, HAND and BONEYARD a count, SCORE pips of a round, or with TOTAL
# set pips of the match. DRAW is a draw even when the boneyard is empty by our count. The journal
# keeps these numbers: never change them.
TAP, OVERRIDE, PRESS, DRAW, FORGET, RULES, SET = range(7)
JOIN, LEAVE, HAND, BONEYARD, TURN, MARKER, SCORE = range(7, 14)
TOTAL = 0x8000

# The journal's format. Raise it when the meaning of an input or the layout of the state changes. A
# match keeps the format under which it began, and with it the meaning of its inputs.
FORMAT = 7
SETS_OF_SEATS = 7  # the first format that keeps which seats have passed, not how many

SLOTS = (  # names, by number
    "E", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "M"
)  # fmt: skip


def slot_name(slot: int) -> str:
    """Return a slot's name: `E`, `1`, `2` .. `M`."""
    return SLOTS[slot]


def slot_number(name: str) -> int:
    """Return the slot with this name; ValueError lists the valid names."""
    if name not in SLOTS:
        raise ValueError("no slot %s; there are 1..%d, M and E" % (name, MOST_SEATS))
    return SLOTS.index(name)
