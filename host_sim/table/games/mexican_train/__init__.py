# SPDX-License-Identifier: MIT
"""Declares Mexican Train for the simulator, in the form described in
host_sim/table/games/__init__.py."""

TITLE = "Mexican Train"
NAMES = ("mexican-train",)
TRAINS = True
POINTS = ("A3", "A1", "A4")
HOUSES = ("puremco", "original", "quebec", "cardinal", "jassshop", "goliath")
LAST = ("free",)
MEASURED = {"mexican-train": "puremco"}


def sum_of(game: str, house: str, set_: int) -> int | None:
    """Return None, which means that touching halves must be equal."""
    return None
