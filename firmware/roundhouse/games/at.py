# SPDX-License-Identifier: MIT
"""Names the numbers of a match's state: offsets of fields and options, indexes of words.

Written by `make made` from the fields and the sheets. This module is not on the board: where a
module is compiled for it, the numbers take the place of the names.
"""

SET = 0  # the set's highest number
GAME = 1  # place in games.GAMES
VARIANTS = 2  # mask of the house's variant words
SHEET = 6  # place among the game's HOUSES
NAME = 7  # of a family's house, ASCII; zeros where it is a sheet's own
PHASE = 23  # place in constants.PHASES
ROUND = 24  # 0 in the lobby
STARTER = 25  # who started last
SEATS = 26  # mask of the seats that play
COMING = 28  # mask of those that join with the next round
TOTALS = 30  # points of the match, by seat
POINTS = 78  # of this round, after scoring of the last one; two bytes each
OPENING_TILE = 110  # the opening tile, or NONE. A round begins here
TURN = 111  # the seat to move; 0 outside play
BONEYARD = 112  # tiles left to draw
PASSED = 113  # mask of the seats that passed since the last tile, with an empty boneyard
DRAWN = 115  # a draw was declared in this turn, and no tile laid since
LAST = 116  # who laid last, until the next input
NOTICE = 117  # whether that seat has given notice of its last tile
OUT = 118  # who went out
OPEN = 119  # mask of the lines that carry a marker or are everybody's
BEGUN = 121  # mask of the lines with a tile
FORGOT = 123  # mask of the seats that forgot the notice and can be caught
DONE = 125  # mask of the seats that have counted
END = 127  # the number the next tile of a slot must match
END2 = 143  # a second one while it is undecided, or NONE
HANDS = 159  # tiles in hand, by seat
COUNTED = 175  # left-over tiles tapped, by seat
USED = 191  # tiles laid that show a number, by number
LAID = 210  # a bit for each tile on the table
READING = 234  # the journal's format under which the match began: see constants.FORMAT
KEPT = 235  # mask of the seats not at the table that have points in TOTALS
ENDED_AT = -37  # its slot; 0 if no tile did, or another input came since
ENDED_TILE = -36  # the tile
ENDED_DRAWN = -35  # DRAWN before it
ENDED_FORGOT = -34  # FORGOT before it
ENDED_POINTS = -32  # POINTS before it
OPTIONS = 237  # the game's: a byte for each of its rows
MEXICAN_OWED = 273  # what the double just laid asks for: nothing, a second tile, a third one
MEXICAN_OWN_DOUBLES = 274  # open doubles laid in this turn; they are the last in the line
MEXICAN_OPEN_DOUBLES = 275  # open doubles in all
MEXICAN_WHOLE = 276  # this first turn is a whole train
MEXICAN_LAP = 277  # mask of the seats that may still cover a last double
MEXICAN_FRESH = 279  # mask of the seats that had no turn yet
MEXICAN_DOUBLES = 281  # slots of the open doubles in closing order
MEXICAN_WAITING = 296  # mask of the open doubles that ended a first train, while a seat is FRESH
LINE_ROOM = 247  # places where a line may still begin
LINE_UNDECIDED = 248  # mask of the lines that began at a place of one of two numbers
LINE_PLACES = 250  # places where a line may still begin, by number
# game by game: option rows, bytes of its own
USES = b"\x24\x19\x0a\x16"
# game by game: houses, then values of each option row
VALUES = (
    b"\x07\x04\x15\x03\x02\x02\x02\x02\x03\x02\x03\x03\x02\x02\x02\x02\x02\x03\x02\x02"
    b"\x03\x02\x20\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x14\x02\x1f\x1f\x1f\x1f\x05\x04\x02"
    b"\x02\x02\x02\x02\x04\x03\x02\x03"
)
