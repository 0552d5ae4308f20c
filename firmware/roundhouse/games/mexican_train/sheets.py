# SPDX-License-Identifier: MIT
"""The rule sheets of Mexican Train, as data: one row per option.

A row lists the values of its option. A house has the first value, unless the row names the house
with another value. A variant word changes one option. The code knows options, not houses. Each row
names its rule point (A to L of the rule matrix, M for a contradiction inside one sheet). In a
match's state the first value of a row is 0, the next is 1, and so on.

Rules that a hub cannot check are left out: the duties to play from the hand and to play a drawn
tile (F1, F2, F4). Rules on which all sheets agree are left out, too: one draw each time a seat
cannot play (F3), a marker for a pass (E1), one open double closed in a turn (H7), everything
clockwise (B8).
"""

HOUSES = ("original", "quebec", "jassshop", "goliath", "puremco", "free", "cardinal")
GAMES = ("mexican-train",) * 7
SETS: dict[str, int] = {}  # double 12, as nearly everywhere

# house -> seats at most with each of tiles.SETS (A1, A6, M1, M17)
SEATS = {
    "original": (4, 4, 8, 8, 8),
    "quebec": (4, 4, 8, 8, 8),
    "jassshop": (10, 10, 10, 10, 10),
    "goliath": (10, 10, 10, 10, 10),
    "puremco": (4, 4, 8, 14, 14),
    "free": (14, 14, 14, 14, 14),
    "cardinal": (8, 8, 8, 8, 8),
}

# house -> set -> hands for 2, 3, ... seats (A4, A5); houses.hand_size works out the others
HANDS = {
    "original": {12: (16, 16, 15, 14, 12, 10, 9), 9: (15, 13, 10)},
    "quebec": {12: (16, 16, 15, 14, 12, 10, 9), 9: (15, 13, 10)},
    "jassshop": {12: (15, 15, 15, 12, 12, 10, 10, 8, 8)},
    "goliath": {12: (15, 15, 15, 11, 11, 8, 8, 8, 8)},
    "puremco": {12: (16, 15, 14, 12, 11, 10, 9)},
    "cardinal": {12: (15, 15, 15, 12, 12, 11, 11)},
}

# "option, rule point: its values: each house with another value than the first, and that value"
OPTIONS = (
    # B1 the engine is pulled out before dealing; the required double comes from a hand; the
    # highest double of all hands does; any double at all. Who lays it from a hand starts (B5);
    # otherwise the start goes round (B6)
    "engine B1: pulled in-hand highest any: jassshop in-hand cardinal in-hand goliath highest"
    " free any",
    # B4, O3 a round for every double of the set, as many as the table likes, or a number
    "rounds B4: each free 1..19: goliath free free free",
    # C1 a seat's first turn: any train; its own train for the starter; its own train for everybody
    "first-turn C1: any starter-own own: quebec starter-own jassshop own",
    # C2, M11 tiles in a seat's first turn: one, or as many as follow on its own train
    "first-train C2: one whole",
    # M10, M15 where a seat may play while its own train is not begun
    "not-begun M10: any own: jassshop own goliath own",
    # D1 one Mexican Train, or bonus tracks in the empty stations too
    "mexican D1: one bonus: goliath bonus",
    # E1, M15 a marker for a pass while one's own train is not begun
    "marker-opening M15: yes no: goliath no",
    # E5, E6 what takes a marker off: the owner's tile there; anybody's; the owner's tile anywhere
    "marker-off E5: own-tile any-tile any-play",
    # H4 a marker for a pass under an open double
    "marker-locked H4: yes no",
    # G3, M4 the second tile: on any eligible train; on the double or an open train; on the double
    "second-tile G3: any open double: jassshop double goliath double cardinal double",
    # G4, G6, M7, M24 a second double in one turn: if it was drawn; from the hand, if a third tile
    # covers one of the two; never
    "second-double G4: drawn third no: jassshop no goliath no puremco third cardinal no",
    # G9, M8 two doubles as the last two tiles
    "last-two G9: no yes: original yes puremco yes free yes",
    # G8, M9 a double as the last tile: out at once; out after one lap in which it may be covered
    "last-double G8: out lap",
    # H2 an open double closes every other train
    "lock H2: yes no: free no",
    # H5, M2 a double drawn under an open double may be laid elsewhere
    "drawn-elsewhere H5: no yes: quebec yes",
    # H8, M32 a double whose number is used up no longer binds
    "lift H8: no yes: original yes",
    # I2 a tile for a seat that forgot the notice: if caught, or always
    "penalty I2: none caught always: goliath caught",
    # J3, M33 an empty boneyard ends the round after the turn
    "boneyard-ends J3: no yes: quebec yes",
    # K1, K6 left-over pips count against their holder, or for the seat that went out
    "score K1: penalty plus",
    # K2 pips of the double blank
    "blank K2: 0 25 50",
    # enforce all of these, or only that tiles belong to the set and are laid once
    "enforce -: all tiles: free tiles",
    # O1, O2 tiles dealt to each of 2, 3 ... 10 seats, a row each; 11 to 14 seats have the rows at
    # the end. The last number given holds for more seats. `any`: the hub does not know the deal,
    # and its counts decide nothing
    "deal O1: sheet any 1..30",
    "deal O1: - 1..30",
    "deal O1: - 1..30",
    "deal O1: - 1..30",
    "deal O1: - 1..30",
    "deal O1: - 1..30",
    "deal O1: - 1..30",
    "deal O1: - 1..30",
    "deal O1: - 1..30",
    # O4 the first engine: the set's highest double, or the double of a number
    "first-engine O4: highest 0..18",
    # O5 engines fall or rise from round to round
    "engines O5: down up",
    # O1, O2 the deal for 11, 12, 13 and 14 seats
    "deal O1: - 1..30",
    "deal O1: - 1..30",
    "deal O1: - 1..30",
    "deal O1: - 1..30",
)

# "a word after the house's name: the option and the value it sets", where the word ends in -N the
# option alone (jassshop's own V0-V5 first)
VARIANTS = (
    "laid-out: engine pulled",  # V0
    "one-foreign-tile: marker-off any-tile",  # V1
    "free-after-any-play: marker-off any-play",  # V2
    "no-marker-when-locked: marker-locked no",  # V3
    "no-lock: lock no",  # V4
    "plus-points: score plus",  # V5
    "lift: lift yes",  # M32
    "whole-first-train: first-train whole",  # M11
    "cover-on-double: second-tile double",  # G3
    "blank-25: blank 25",
    "blank-50: blank 50",
    "open-second-tile: second-tile open",  # M4
    "last-double-lap: last-double lap",  # M9
    "penalty-always: penalty always",  # I2
    "upward: engines up",  # O5
    "deal-N: deal",  # O1, O2
    "rounds-N: rounds",  # O3
    "first-N: first-engine",  # O4
)

# "options: an option and its values with which those options mean nothing" (O8)
MEANINGLESS = ("first-engine engines: engine highest any",)
