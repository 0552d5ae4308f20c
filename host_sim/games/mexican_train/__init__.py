# SPDX-License-Identifier: MIT
"""Mexican Train, as others have to know it; see host_sim/games."""

TITLE = "Mexican Train"
NAMES = ("mexican-train",)
TRAINS = True
POINTS = ("A3", "A1", "A4")
HOUSES = ("puremco", "original", "quebec", "jassshop", "goliath")
LAST = ("free",)
MEASURED = {"mexican-train": "puremco"}


def sum_of(game, house, set_):
    """Equal numbers touch."""
    return
