# SPDX-License-Identifier: MIT
"""The parts of the housing: the checks find what does not fit or cannot be printed. `make
hardware` checks that the whole housing fits and can be printed."""

import dataclasses
import math
from importlib.util import find_spec

import pytest

from hardware import guide_tables, housing_plan, pinmap
from hardware.kicad_files import HUB12, HUB16, SLOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not find_spec("build123d"), reason="`make tools` installs it"),
]


@pytest.fixture(scope="module", autouse=True)
def geometry():
    """Import the slow modules only when a test runs."""
    global Box, Cylinder, Pos, Rot, Housing, solid_checks
    from build123d import Box, Cylinder, Pos, Rot

    from hardware import solid_checks
    from hardware.housing import Housing


@pytest.fixture(scope="module")
def board():
    return housing_plan.envelope(HUB12.board)


@pytest.fixture(scope="module")
def slot():
    return housing_plan.envelope(SLOT.board)


@pytest.fixture(scope="module")
def housing(board, slot):
    return Housing(board, slot, pinmap.stations(pinmap.load()["hub12"]))


def changed(housing, board, slot, name):
    """Return a housing in which only the solid `name` is made for `board` and `slot`. All other
    solids are those of `housing`, to save time."""
    made = Housing(board, slot)
    made.parts = housing.parts  # printed already
    other = {name: made.contents[name]}
    made.on_board = {**housing.on_board, **(other if name in housing.on_board else {})}
    made.contents = {**housing.contents, **other}
    return made


def test_the_board_files_are_read(board, slot):
    assert max(board.size[:2]) <= 99.9
    assert sorted(hole[:2] for hole in board.holes) == [
        pytest.approx((x, y)) for x in (-45.72, 45.72) for y in (-45.72, 45.72)
    ]
    boxes = {ref: box for ref, _, box in board.parts}
    assert boxes["J7"][0] > 0 > boxes["J3"][2], "station 3 is on the left, 7 on the right"
    assert boxes["J13"][3] < -39 < 39 < boxes["U1"][3], "the inlet is below, the Pico above"
    assert "H1" not in boxes
    assert len(slot.holes) == 2
    assert {ref for ref, *_ in slot.pins} == {"J1", "J2", "SW1"}, (
        "the others are not soldered below"
    )


def test_the_guide_lists_what_to_print(housing):
    text = guide_tables.FILE.read_text()
    whole = 0.0
    for name, (solid, count, _) in housing.parts.items():
        volume = solid.volume / 1000
        whole += count * volume
        each = max(0.1, volume / housing_plan.AN_HOUR)
        assert "\n| %s | %d | %.1f | %.1f |" % (name, count, volume, each) in text
    assert "All of it is %.0f cm³" % whole in text
    hours = "a guess, %g cm³ an hour: %.0f in\nall." % (
        housing_plan.AN_HOUR,
        whole / housing_plan.AN_HOUR,
    )
    assert hours in text
    assert "grooves of %g mm" % solid_checks.DEEP in text


@pytest.mark.parametrize(("stations", "plastic"), [(4, 454), (6, 471)])
def test_fewer_stations(board, slot, stations, plastic):
    """plastic: cm3, two thirds of what hubs of one size for any number took."""
    housing = Housing(board, slot, stations)
    counts = {name: count for name, (_, count, _) in housing.parts.items()}
    assert counts["station"] == stations
    assert counts["floor"] == stations + 1
    assert housing.clashes() + housing.unprintable() == []
    assert sum(n * solid.volume for solid, n, _ in housing.parts.values()) / 1000 < plastic


def test_fourteen_stations(slot):
    """The drum holds a hub16, and M's inlet has room beside its slot board."""
    housing = Housing(housing_plan.envelope(HUB16.board), slot, 14)
    assert housing.clashes() + housing.unprintable() == []
    plastic = sum(n * solid.volume for solid, n, _ in housing.parts.values()) / 1000
    words = 2 * housing.outer, plastic, plastic / housing_plan.AN_HOUR
    said = "%.0f mm across, %.0f cm³ of plastic, %.0f hours" % words
    assert said in " ".join(guide_tables.FILE.read_text().split())


@pytest.mark.parametrize("stations", [3, 15])
def test_no_housing_for_other_numbers(stations):
    with pytest.raises(ValueError, match="4 to 14 stations"):
        housing_plan.Plan(stations)


def test_a_part_on_the_back_is_refused(monkeypatch):
    monkeypatch.setattr(SLOT.board["R3"], "layer", "B.Cu")
    with pytest.raises(ValueError, match="R3 is on the back"):
        housing_plan.envelope(SLOT.board)


def test_a_hole_off_its_stand_is_found(board, slot, housing):
    (x, y, drill), *others = board.holes
    moved = dataclasses.replace(board, holes=[(x + 0.5, y, drill), *others])
    wrong = changed(housing, moved, slot, "board").clashes(board.holes)
    assert [line.split(" share")[0] for line in wrong] == ["screw 1 and board"]


def test_a_board_that_grew_is_found(board, slot, housing):
    wide, high, thick = board.size
    grown = dataclasses.replace(board, size=(wide + 8, high, thick))
    grown = changed(housing, grown, slot, "board")
    assert any(line.startswith("drum and board") for line in grown.clashes())


def test_a_slot_board_that_grew_is_found(board, slot, housing):
    wide, high, thick = slot.size
    grown = dataclasses.replace(slot, size=(wide + 8, high, thick))
    grown = changed(housing, board, grown, "station slot")
    assert any(line.startswith("station and station slot") for line in grown.clashes())


@pytest.mark.parametrize(
    ("what", "moved", "where"),
    [
        ("station reader", (2, 0, 0), "station"),
        ("station reader", (0, 0, 1), "station"),
        ("station slot", (0, 0, 1), "station"),
        ("station slot", (0, 0, 0.4), "light-box"),
        ("station plug", (0, 0, 5), "station"),
        ("station plug", (2, 0, 0), "station slot"),
        ("E slot", (0, 0, -12), "J9"),
        ("U1", (0, 0, 25), "E slot"),
        ("the Pico's plug", (0, 8, 0), "drum"),
        ("inlet", (0, 0, -1), "floor"),
    ],
)
def test_what_stands_elsewhere_is_found(housing, what, moved, where, monkeypatch):
    there = Pos(*moved) * housing.contents[what]
    monkeypatch.setitem(housing.contents, what, there)
    assert any(what in line and where in line for line in housing.clashes())


@pytest.mark.parametrize(("button", "up"), [("bootsel", 15), ("reset", 6.5)])
def test_a_stick_reaches_the_buttons_inside(housing, button, up):
    """A stick reaches BOOTSEL and reset straight down through the drum's lid."""
    foot = housing.plan.board_at + 1.6 + up
    stick = Pos(*getattr(housing.plan, button)(), foot) * Cylinder(
        2.0, housing_plan.HIGH + 5 - foot, align=solid_checks.ON_TABLE
    )
    things = {**housing.contents, "drum": housing.parts["drum"][0]}
    assert solid_checks.clashes("a stick", stick, things) == []
    aside = Pos(6, 0, 0) * stick
    assert "a stick and drum" in solid_checks.clashes("a stick", aside, things)[-1]


def test_the_piezo_is_heard_through_the_lid(housing, monkeypatch):
    """The sound has a free way straight up through the lid. An obstacle in its way is found."""
    assert math.dist(housing.plan.piezo(), housing.plan.reset()) < 20
    assert housing.sound().bounding_box().max.Z > housing_plan.HIGH
    assert housing.clashes() == []
    there = Pos(*housing.plan.reset(), housing_plan.HIGH - 3) * Cylinder(4.0, 2.0)
    monkeypatch.setitem(housing.contents, "a lid without the hole", there)
    wrong = housing.clashes()
    assert any(line.startswith("the piezo's way out and a lid without") for line in wrong)


def test_what_hangs_in_the_air_is_found():
    stem = Box(10, 10, 20)
    assert solid_checks.overhang(stem) == 0
    assert solid_checks.overhang(stem + Pos(0, 0, 10) * Box(12, 10, 2)) == pytest.approx(20, abs=1)


def test_a_groove_prints_face_down():
    plate = Pos(0, 0, -1) * Box(30, 30, 2)
    engraved = plate - solid_checks.words("10", 9.0)
    assert engraved.volume < plate.volume - 5
    assert solid_checks.overhang(Pos(0, 0, 0) * Rot(180, 0, 0) * engraved) == 0


def test_a_part_too_large_for_the_bed_is_found(housing, monkeypatch):
    monkeypatch.setattr("hardware.housing.BED", 150.0)
    monkeypatch.setattr("hardware.housing.overhang", lambda solid: 0.0)
    monkeypatch.setattr("hardware.housing.leaking", lambda solids: [])
    assert {line.split()[0] for line in housing.unprintable()} == {"base"}


def test_columns_that_touch_a_wall_along_a_line_are_found():
    """A column that touches a wall only along a line, which a slicer would reject, is found."""
    wall = Pos(0, 3, 0) * Box(20, 2, 10)
    touching = wall + Pos(0, 0, 0) * Cylinder(2.0, 10)
    assert solid_checks.leaking({"column": touching})
    biting = wall + Pos(0, 0.8, 0) * Cylinder(2.0, 10)
    assert solid_checks.leaking({"column": biting}) == []


def test_a_part_in_two_pieces_is_found():
    assert solid_checks.leaking({"two": Box(1, 1, 1) + Pos(3, 0, 0) * Box(1, 1, 1)}) == [
        "two.stl is 2 bodies"
    ]


def test_each_station_has_its_own_number(housing):
    plain = housing.parts["station"][0].volume
    volumes = [housing.engraved(name).volume for name in ("1", "8", "10")]
    assert plain > volumes[0] > volumes[1] > volumes[2]
