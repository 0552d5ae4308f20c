# SPDX-License-Identifier: MIT
"""How long a match takes people at a table: from the measured lengths in match_lengths.py, which
have no row for the house `free`."""

from host_sim.app.people import match_lengths

SECONDS_A_TURN = 12
SECONDS_A_COUNTING = 90  # of the tiles left at the end of a round
EVENING_S = 3600
QUARTER_S = 900  # durations are told in quarters of an hour


def round_s(house: str, set_: int, players: int) -> int | None:
    """Return the seconds that a round takes, or None if that was not measured.

    house: the name of the rule sheet, without variants
    """
    turns = _measured(match_lengths.TURNS, house, set_, players)
    return None if turns is None else turns * SECONDS_A_TURN + SECONDS_A_COUNTING


def match_rounds(house: str, set_: int, players: int) -> int | None:
    """Return the usual number of rounds of a match that is played for points, or None for any
    other match."""
    return _measured(match_lengths.ROUNDS, house, set_, players)


def _measured(table: match_lengths.Table, house: str, set_: int, players: int) -> int | None:
    row = table.get(house, {}).get(set_, ())
    return row[players - 2] if 2 <= players < 2 + len(row) else None


def evening_rounds(seconds: int) -> int:
    """Return how many rounds of this length people would still call an hour."""
    return int((EVENING_S + QUARTER_S / 2) // seconds)


def quarters(seconds: float) -> int:
    """Return a duration in quarters of an hour, one at least."""
    return max(1, round(seconds / QUARTER_S))
