# SPDX-License-Identifier: MIT
"""How long a match takes, and the measured lengths behind it."""

import match_lengths as measured
import pytest

from host_sim.app.people import durations, match_lengths
from host_sim.app.people.house_options import HOUSES
from host_sim.table.games import house_info
from roundhouse import tiles
from roundhouse.constants import MOST_SEATS
from roundhouse.games import houses

CELLS = [
    ("puremco", 12, 4),
    ("puremco", 15, 14),
    ("goliath", 18, 10),
    ("quebec", 6, 2),
    ("classic", 6, 4),
    ("matador", 9, 3),
]


@pytest.mark.parametrize("house, set_, players", CELLS)
def test_the_lengths_are_what_is_measured(house, set_, players):
    turns, rounds = measured.cell(house, set_, players)
    assert match_lengths.TURNS[house][set_][players - 2] == turns, "make made"
    if measured.is_for_points(house):
        assert durations.match_rounds(house, set_, players) == rounds, "make made"


@pytest.mark.parametrize("house", sorted({*HOUSES} - {measured.ENFORCES_NOTHING}))
def test_every_table_that_can_play_has_its_length(house):
    index = houses.HOUSES.index(house)
    for set_ in tiles.SETS:
        most = house_info.most_seats(index, set_)
        known = [n for n in range(MOST_SEATS + 2) if durations.round_s(house, set_, n)]
        assert known == [*range(2, most + 1)], set_


def test_what_was_not_measured_has_no_length():
    assert durations.round_s(measured.ENFORCES_NOTHING, 12, 4) is None
    assert durations.match_rounds("puremco", 12, 4) is None


def test_a_round_is_its_turns_and_its_counting(monkeypatch):
    monkeypatch.setitem(match_lengths.TURNS, "puremco", {12: (50,)})
    assert durations.round_s("puremco", 12, 2) == 50 * 12 + 90
