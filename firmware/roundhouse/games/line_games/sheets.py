# SPDX-License-Identifier: MIT
"""The rule sheets of the line games, as data: one row per option.

The sheets are Classic dominoes, Matador and Tiddle-a-Wink (sheet 003), and Draw and Block, which
differ from Classic in a few rows. The code knows options, not houses. Each row names its rule
point (C: Classic, X: Matador, W: Tiddle-a-Wink, T: all). In a match's state the first value of a
row is 0, the next is 1, and so on.

Two rules that a hub cannot check are left out: a player who can lay a tile must, and the highest
double opens.
"""

HOUSES = ("classic", "matador", "tiddle-a-wink", "draw", "block")
GAMES = HOUSES
SETS = {"matador": 9}  # X2

# house -> seats at most with each of tiles.SETS (C15, C16, X1, W6)
SEATS = {
    "classic": (4, 6, 7, 7, 7),
    "matador": (4, 8, 8, 8, 8),
    "tiddle-a-wink": (5, 10, 10, 10, 10),
    "draw": (4, 6, 7, 7, 7),
    "block": (4, 6, 7, 7, 7),
}

_BY_SET = {6: (5,) * 3, 9: (7,) * 5, 12: (9,) * 6, 15: (9,) * 6, 18: (9,) * 6}
_MATADOR = (7, 7, 7, 7, 7, 5, 5)
_FIVE = (5,) * 9

# house -> set -> hands for 2, 3, ... seats (X1, W8)
HANDS = {
    "classic": _BY_SET,
    "matador": {6: (7, 6, 5), 9: _MATADOR, 12: _MATADOR, 15: _MATADOR, 18: _MATADOR},
    "tiddle-a-wink": {6: _FIVE, 9: _FIVE, 12: _FIVE, 15: _FIVE, 18: _FIVE},
    "draw": _BY_SET,
    "block": _BY_SET,
}

# "option, rule point: its values: each house with another value than the first, and that value"
OPTIONS = (
    # C1, C13, X9, W1 sides where lines may begin: four at every double; four at the opening double
    # alone; two at the opening tile; one at the opening tile
    "doubles C13: every first two one: matador two tiddle-a-wink two draw two block two",
    # C2, X2 a half joins its equal, or the half that makes the total with it
    "join C2: equal sum: matador sum",
    # X2 the total: the set's highest number and one, or ten with any set
    "total X2: set ten",
    # X8 a double opens the round, or any tile
    "opening X8: double any: matador any",
    # W4 a seat that cannot play draws until a tile fits, or passes at once
    "draw W4: until none: tiddle-a-wink none block none",
    # W3 a double earns another turn
    "again W3: no double: tiddle-a-wink double",
    # T2 points that end the match
    "target T2: 100 200 61 150: tiddle-a-wink 200",
    # T1 several lowest hands in a blocked round: none scores; the gain is split; each gets all of
    # it
    "tie T1: none shared each",
    # X1 tiles in hand: the sheet's number, or five each
    "hand X1: sheet five",
    # T4 pips of the double blank
    "blank T4: 0 25 50",
)

# "a word after the game's name: the option and the value it sets"
VARIANTS = (
    "every-double: doubles every",
    "first-double: doubles first",
    "two-ends: doubles two",
    "one-end: doubles one",
    "ten: total ten",
    "five-each: hand five",
    "no-draw: draw none",
    "tie-shared: tie shared",
    "tie-each: tie each",
    "blank-25: blank 25",
    "blank-50: blank 50",
    "to-61: target 61",
    "to-100: target 100",
    "to-150: target 150",
    "to-200: target 200",
)

MEANINGLESS = ()
