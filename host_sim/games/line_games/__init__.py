# SPDX-License-Identifier: MIT
"""The line games, as others have to know them; see host_sim/games."""

TITLE = "The line games"
NAMES = ("classic", "matador", "tiddle-a-wink", "draw", "block")
TRAINS = False
POINTS = ("X2", "C15", "X1")
HOUSES = ("classic", "draw", "block", "tiddle-a-wink", "matador")
LAST = ()
MEASURED = {name: name for name in NAMES}


def sum_of(game, house, set_):
    """In Matador halves that touch make the set's highest number and one, or ten (X2)."""
    if game != "matador":
        return None
    return 10 if "ten" in house.split() else set_ + 1
