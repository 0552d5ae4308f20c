# SPDX-License-Identifier: MIT
"""Declares the line games for the simulator, in the form described in
host_sim/table/games/__init__.py."""

TITLE = "The line games"
NAMES = ("classic", "matador", "tiddle-a-wink", "draw", "block")
TRAINS = False
POINTS = ("X2", "C15", "X1")
HOUSES = ("classic", "draw", "block", "tiddle-a-wink", "matador")
LAST: tuple[str, ...] = ()
MEASURED = {name: name for name in NAMES}


def sum_of(game: str, house: str, set_: int) -> int | None:
    """Return the sum that touching halves must make (rule point X2), or None if they must be
    equal. In Matador, it is 10 with the variant `ten`, otherwise the highest number of the set
    plus one."""
    if game != "matador":
        return None
    return 10 if "ten" in house.split() else set_ + 1
