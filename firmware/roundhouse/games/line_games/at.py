# SPDX-License-Identifier: MIT
"""Names the numbers of this game's state: offsets of fields and options, indexes of words.

Written by `make made` from the fields and the sheets. This module is not on the board: where a
module is compiled for it, the numbers take the place of the names.
"""

from roundhouse.games.at import *  # noqa: F403

ROOM = 210  # places where a line may still begin
UNDECIDED = 211  # mask of the lines that began at a place of one of two numbers
PLACES = 213  # places where a line may still begin, by number
DOUBLES = 200  # C13
DOUBLES_EVERY = 0
DOUBLES_FIRST = 1
DOUBLES_TWO = 2
DOUBLES_ONE = 3
JOIN = 201  # C2
JOIN_EQUAL = 0
JOIN_SUM = 1
TOTAL = 202  # X2
TOTAL_SET = 0
TOTAL_TEN = 1
OPENING = 203  # X8
OPENING_DOUBLE = 0
OPENING_ANY = 1
DRAW = 204  # W4
DRAW_UNTIL = 0
DRAW_NONE = 1
AGAIN = 205  # W3
AGAIN_NO = 0
AGAIN_DOUBLE = 1
TARGET = 206  # T2
TARGET_100 = 0
TARGET_200 = 1
TARGET_61 = 2
TARGET_150 = 3
TIE = 207  # T1
TIE_NONE = 0
TIE_SHARED = 1
TIE_EACH = 2
HAND = 208  # X1
HAND_SHEET = 0
HAND_FIVE = 1
BLANK = 209  # T4
BLANK_0 = 0
BLANK_25 = 1
BLANK_50 = 2
