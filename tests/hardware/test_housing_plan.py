# SPDX-License-Identifier: MIT
"""Where things stand in the housing, and whether the ribbons reach."""

import math

import pytest

from hardware import housing_plan, hub_layout, slot_layout
from hardware.circuit import SLOTS


@pytest.mark.parametrize("stations", range(4, 11))
def test_headers_stand_in_the_order_of_the_sectors(stations):
    """No two ribbons cross: the headers that are used follow one another as the sectors do."""
    plan = housing_plan.Plan(stations)
    slots = ["M", *map(str, range(1, stations + 1))]
    angles = [math.degrees(math.atan2(y, x)) for x, y in map(housing_plan.header, slots)]
    turns = [(angles[0] - angle) % 360 for angle in angles]
    assert turns == sorted(turns), "clockwise from M"
    assert [plan.angle(slot) for slot in slots] == sorted(map(plan.angle, slots), reverse=True)


@pytest.mark.parametrize("stations", range(4, 11))
def test_every_ribbon_reaches_with_slack(stations):
    plan = housing_plan.Plan(stations)
    for slot, length in plan.ribbons().items():
        x, y = housing_plan.header(slot)
        if slot != "E":
            turn = math.radians(plan.angle(slot))
            end = plan.slot_from * math.cos(turn), plan.slot_from * math.sin(turn)
            assert length >= math.dist((x, y), end) + housing_plan.BENDS + housing_plan.SLACK
        assert length <= 250, "longer than 33 Ohm and 4 MHz are reckoned for"


def test_a_ribbon_passes_its_opening():
    assert housing_plan.CABLE[0] >= housing_plan.RIBBON + 2


def test_a_header_elsewhere_wants_another_ribbon(monkeypatch):
    before = housing_plan.Plan(10).ribbons()
    x, y, turn = hub_layout.PLACES["J3"]
    monkeypatch.setitem(hub_layout.PLACES, "J3", (x + 60, y, turn))
    after = housing_plan.Plan(10).ribbons()
    assert {slot for slot in SLOTS if before[slot] != after[slot]} == {"3"}
    assert after["3"] >= before["3"] + 50


def test_lamps_go_from_the_hub_outwards():
    lamps = housing_plan.lamps()
    assert [x for x, _ in lamps] == sorted(x for x, _ in lamps)
    assert len({y for _, y in lamps}) == 1
    assert slot_layout.LAMPS == ("turn", "open", "double", "answer")


def test_no_copper_is_over_a_readers_antenna():
    """The slot board ends where the reader has its pins."""
    covered = slot_layout.H - housing_plan.reader_from()
    assert 0 < covered <= 2 * housing_plan.HEADER + 0.1
    antenna = housing_plan.ANTENNA - housing_plan.READER[0] / 2
    assert covered < antenna - 10
