# SPDX-License-Identifier: MIT
"""The housing: everything fits, every part prints, and what does not is found."""

import dataclasses

import pytest

from hardware import checks, guide_tables, pcb_file, pinmap

pytest.importorskip("build123d", reason="`make tools` installs it")

from build123d import Box, Pos  # noqa: E402

from hardware import enclosure  # noqa: E402


@pytest.fixture(scope="module")
def board():
    return pcb_file.load((checks.HUB12 / "hub12.kicad_pcb").read_text())


@pytest.fixture(scope="module")
def housing(board):
    return enclosure.Housing(board, pinmap.load()["hub12"]["stations"])


def test_the_board_file_is_read(board):
    assert board.size == pytest.approx((100, 100, 1.6))
    assert sorted(hole[:2] for hole in board.holes) == [
        pytest.approx((x, y)) for x in (-46.825, 46.825) for y in (-46.825, 46.825)
    ]
    parts = {ref: rest for ref, *rest in board.parts}
    assert parts["J7"][1] > 0 > parts["J1"][3], "slots 7 and on are on the right"
    assert parts["J13"][4] < -40 < 40 < parts["U1"][4], "the inlet is below, the Pico above"
    assert "H1" not in parts


def test_everything_fits_and_prints(housing):
    assert housing.clashes() == []
    assert housing.unprintable() == []


def test_the_guide_lists_what_to_print(housing):
    text = guide_tables.FILE.read_text()
    for name, (_, count, _) in housing.parts.items():
        assert "\n| %s | %d |" % (name, count) in text


@pytest.mark.parametrize("stations", [4, 5, 6, 7, 8, 9])
def test_fewer_stations(board, stations):
    housing = enclosure.Housing(board, stations)
    counts = {name: count for name, (_, count, _) in housing.parts.items()}
    assert counts["station"] == stations
    assert counts["floor"] == stations + 1
    assert housing.clashes() == []
    assert housing.unprintable() == []


@pytest.mark.parametrize("stations", [3, 11])
def test_no_housing_for_other_numbers(board, stations):
    with pytest.raises(ValueError, match="4 to 10 stations"):
        enclosure.Housing(board, stations)


def test_a_hole_off_its_stand_is_found(board, housing):
    (x, y, drill), *others = board.holes
    moved = enclosure.Housing(dataclasses.replace(board, holes=[(x + 0.5, y, drill), *others]))
    moved.parts = housing.parts  # those that were printed already
    wrong = moved.clashes(board.holes)
    assert [line.split(" share")[0] for line in wrong] == ["screw 1 and board"]


def test_a_board_that_grew_is_found(board, housing):
    wide, high, thick = board.size
    grown = enclosure.Housing(dataclasses.replace(board, size=(wide + 8, high, thick)))
    grown.parts = housing.parts  # those that were printed already
    assert any(line.startswith("drum and board") for line in grown.clashes())


@pytest.mark.parametrize(
    ("what", "moved", "where"),
    [
        ("station reader", (2, 0, 0), "station"),
        ("station reader", (0, 0, 1), "station"),
        ("station button", (0, 14, 0), "station"),
        ("station pixels", (0, 0, 2), "light-box"),
        ("E plug", (0, 0, -25), "U12"),
        ("C1", (0, 0, 25), "drum"),
        ("inlet", (0, 0, -1), "floor"),
    ],
)
def test_what_stands_elsewhere_is_found(board, housing, what, moved, where, monkeypatch):
    there = Pos(*moved) * housing.contents[what]
    monkeypatch.setitem(housing.contents, what, there)
    assert any(what in line and where in line for line in housing.clashes())


def test_what_hangs_in_the_air_is_found():
    stem = Box(10, 10, 20)
    assert enclosure.overhang(stem) == 0
    assert enclosure.overhang(stem + Pos(0, 0, 10) * Box(12, 10, 2)) == pytest.approx(20, abs=1)


def test_a_part_too_large_for_the_bed_is_found(housing, monkeypatch):
    monkeypatch.setattr(enclosure, "BED", 150.0)
    assert [line.split()[0] for line in housing.unprintable()] == ["base"]
