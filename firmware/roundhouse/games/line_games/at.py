# SPDX-License-Identifier: MIT
"""Names the numbers of this game's state: offsets of fields and options, indexes of words.

Written by `make made` from the fields and the sheets. This module is not on the board: where a
module is compiled for it, the numbers take the place of the names.
"""

from roundhouse.games.at import *  # noqa: F403

ROOM = 247  # places where a line may still begin
UNDECIDED = 248  # mask of the lines that began at a place of one of two numbers
PLACES = 250  # places where a line may still begin, by number
DOUBLES = 237  # C13
DOUBLES_EVERY = 0
DOUBLES_FIRST = 1
DOUBLES_TWO = 2
DOUBLES_ONE = 3
JOIN = 238  # C2
JOIN_EQUAL = 0
JOIN_SUM = 1
TOTAL = 239  # X2
TOTAL_SET = 0
TOTAL_TEN = 1
OPENING = 240  # X8
OPENING_DOUBLE = 0
OPENING_ANY = 1
DRAW = 241  # W4
DRAW_UNTIL = 0
DRAW_NONE = 1
AGAIN = 242  # W3
AGAIN_NO = 0
AGAIN_DOUBLE = 1
TARGET = 243  # T2
TARGET_100 = 0
TARGET_200 = 1
TARGET_61 = 2
TARGET_150 = 3
TIE = 244  # T1
TIE_NONE = 0
TIE_SHARED = 1
TIE_EACH = 2
HAND = 245  # X1
HAND_SHEET = 0
HAND_FIVE = 1
BLANK = 246  # T4
BLANK_0 = 0
BLANK_25 = 1
BLANK_50 = 2
