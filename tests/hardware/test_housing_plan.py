# SPDX-License-Identifier: MIT
"""Places in the housing, and the lengths of the ribbons."""

import math

import pytest
from kicad_copies import part, with_parts

from hardware import housing_plan, s_expressions, silkscreen_check
from hardware.kicad_files import HUB12, SLOT
from hardware.pinmap import SLOTS


@pytest.mark.parametrize("stations", housing_plan.STATIONS)
def test_headers_stand_in_the_order_of_the_sectors(stations):
    """The headers in use are in the sectors' order, so no ribbons cross."""
    plan = housing_plan.Plan(stations)
    slots = ["M", *map(str, range(1, stations + 1))]
    angles = [math.degrees(math.atan2(y, x)) for x, y in map(plan.header, slots)]
    turns = [(angles[0] - angle) % 360 for angle in angles]
    assert turns == sorted(turns), "clockwise from M"
    assert [plan.angle(slot) for slot in slots] == sorted(map(plan.angle, slots), reverse=True)


@pytest.mark.parametrize("stations", housing_plan.STATIONS)
def test_every_ribbon_reaches_with_slack(stations):
    plan = housing_plan.Plan(stations)
    for slot, length in plan.ribbons().items():
        x, y = plan.header(slot)
        if slot != "E":
            turn = math.radians(plan.angle(slot))
            a, b = plan.plug_at()
            end = (
                a * math.cos(turn) - b * math.sin(turn),
                a * math.sin(turn) + b * math.cos(turn),
            )
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


def test_lamps_go_from_left_to_right_at_the_rim():
    """As a player at the station sees them: the hub's left is their right."""
    lamps = housing_plan.lamps()
    steps = [b[1] - a[1] for a, b in zip(lamps, lamps[1:])]
    assert steps == pytest.approx([8.255] * 3), "the lids' holes and chambers"
    assert len({x for x, _ in lamps}) == 1
    assert lamps[0][0] > max(housing_plan.button()[0], housing_plan.antenna()[0]) + 10
    assert housing_plan.light()[1] < housing_plan.antenna()[1] - 20, "not under a right hand"
    assert silkscreen_check.LAMPS == ("turn", "open", "double", "answer")


@pytest.mark.parametrize("stations", housing_plan.STATIONS)
def test_the_drum_hides_no_lamp_from_a_seat(stations, monkeypatch):
    plan = housing_plan.Plan(stations)
    assert plan.hidden() == []
    assert min(math.hypot(*place) for place in plan.lamp_places().values()) >= 140
    monkeypatch.setattr(housing_plan, "HIGH", 90.0)
    assert len(plan.hidden()) > 0, "a higher drum is found"


def test_lamps_beside_the_drum_are_found(monkeypatch):
    """Of ten stations, 90 views are lost with lamps from 92 to 117 mm, from an eye 60 cm from the
    middle and 40 cm up."""
    plan = housing_plan.Plan(10)
    x, y = plan.slot_at
    monkeypatch.setattr(
        housing_plan, "lamps", lambda: [(r - x, 16.5 - y) for r in (92, 100, 108, 117)]
    )
    monkeypatch.setattr(housing_plan, "EYES", ((600.0, 400.0),))
    assert len(plan.hidden()) == 90


def test_a_hub_for_few_is_small():
    across = [2 * housing_plan.Plan(stations).outer for stations in housing_plan.STATIONS]
    assert max(across[:3]) <= 300
    assert across == sorted(across) and across[6] <= 371


def test_no_copper_is_under_a_readers_antenna():
    """The antenna is some 36 mm across. The slot board reaches below it, but its copper does
    not."""
    out, left = housing_plan.antenna()
    wide, high = SLOT.board.size

    def below(x: float, y: float) -> bool:
        a, b = housing_plan.on_slot(x, y)
        return abs(a - out) < 18 and abs(b - left) < 18

    places = [(x / 2, y / 2) for x in range(round(2 * wide)) for y in range(round(2 * high))]
    places = [place for place in places if below(*place)]
    assert len(places) > 500
    assert not any(pour.area.has(*place) for pour in SLOT.board.pours for place in places)
    assert not any(below(*at) for track in SLOT.board.tracks for at in (track.start, track.end))
