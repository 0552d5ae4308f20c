# SPDX-License-Identifier: MIT
"""The rule sheets of Mexican Train by their names, and whom they deal how many tiles.

What else they say stands in `mexican_train_options`, which is read when rules are chosen.
"""

GAME = "mexican-train"
HOUSES = ("original", "quebec", "jassshop", "goliath", "puremco", "free")

# house -> seats at most with each of tiles.SETS (A1, A6, M1, M17)
SEATS = {
    "original": (4, 4, 8, 8, 8),
    "quebec": (4, 4, 8, 8, 8),
    "jassshop": (10, 10, 10, 10, 10),
    "goliath": (8, 8, 8, 8, 8),
    "puremco": (4, 4, 8, 10, 10),
    "free": (10, 10, 10, 10, 10),
}

# house -> set -> hands for 2, 3, ... seats (A4, A5); what is not here is worked out by
# houses.hand_size
HANDS = {
    "original": {12: (16, 16, 15, 14, 12, 10, 9), 9: (15, 13, 10)},
    "quebec": {12: (16, 16, 15, 14, 12, 10, 9), 9: (15, 13, 10)},
    "jassshop": {12: (15, 15, 15, 12, 12, 10, 10, 8, 8)},
    "goliath": {12: (15, 15, 15, 11, 11, 8, 8)},
    "puremco": {12: (16, 15, 14, 12, 11, 10, 9)},
}
