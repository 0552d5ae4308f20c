# SPDX-License-Identifier: MIT
"""Places in the housing, and the lengths of the ribbons."""

import math

import pytest
from kicad_copies import part, with_parts

from hardware import housing_plan, s_expressions, silkscreen_check
from hardware.kicad_files import HUB12, SLOT
from hardware.pinmap import SLOTS


@pytest.mark.parametrize("stations", range(4, 11))
def test_headers_stand_in_the_order_of_the_sectors(stations):
    """The headers in use are in the sectors' order, so no ribbons cross."""
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
        assert length <= 250, "longer than 33 Ohm and 4 MHz are computed for"


def test_a_ribbon_passes_its_opening():
    assert housing_plan.CABLE[0] >= housing_plan.RIBBON + 2


def test_a_header_elsewhere_needs_another_ribbon(monkeypatch):
    def change(tree):
        at = s_expressions.one(part(tree, "J3"), "at")
        at[1] = str(float(at[1]) + 60)

    before = housing_plan.Plan(10).ribbons()
    monkeypatch.setattr(housing_plan, "HUB12", with_parts(HUB12, change))
    after = housing_plan.Plan(10).ribbons()
    assert {slot for slot in SLOTS if before[slot] != after[slot]} == {"3"}
    assert after["3"] >= before["3"] + 50


def test_lamps_go_from_the_hub_outwards():
    lamps = housing_plan.lamps()
    assert [x for x, _ in lamps] == sorted(x for x, _ in lamps)
    assert len({y for _, y in lamps}) == 1
    steps = [b[0] - a[0] for a, b in zip(lamps, lamps[1:])]
    assert steps == pytest.approx([8.255] * 3), "the lids' holes and chambers"
    assert silkscreen_check.LAMPS == ("turn", "open", "double", "answer")


def test_no_copper_is_over_a_readers_antenna():
    """The slot board covers the pins of the reader, but not its antenna."""
    covered = SLOT.board.size[1] - housing_plan.reader_from()
    assert 0 < covered <= 2 * housing_plan.HEADER + 0.1
    antenna = housing_plan.ANTENNA - housing_plan.READER[0] / 2
    assert covered < antenna - 10
