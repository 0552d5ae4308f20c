# SPDX-License-Identifier: MIT
"""Inputs, capacitors, ground: as a reviewer wants them; and what is not is found."""

import re

import pytest

from hardware import checks, copper_paths, floating_inputs, netlist, pinmap
from hardware.board_projects import HUB12, PROJECTS, SLOT

pytestmark = pytest.mark.slow  # the board is `make check`'s


@pytest.fixture(scope="module")
def hub():
    return netlist.copper(HUB12.board.read_text())


@pytest.fixture(scope="module")
def slot():
    return netlist.copper(SLOT.board.read_text())


def hub_floats(pins, values):
    return floating_inputs.floating(pins, values, pinmap.load()["hub12"])


def slot_floats(pins, values):
    values = {**values, "J2": "RC522"}
    return floating_inputs.floating(pins, values, given=floating_inputs.FROM_HUB)


def test_no_input_floats(hub, slot):
    assert hub_floats(*hub) == []
    assert slot_floats(*slot) == []


@pytest.mark.parametrize(
    ("resistor", "floats"),
    [("R61", "U7.6"), ("R72", "U8.3"), ("R6", "U1.21")],
)
def test_a_pull_up_that_is_not_there_is_found(hub, resistor, floats):
    pins, values = hub
    values = {ref: value for ref, value in values.items() if ref != resistor}
    assert [line.split()[0] for line in hub_floats(pins, values)] == [floats]


@pytest.mark.parametrize(("resistor", "floats"), [("R2", "U1.2"), ("R4", "D1.4")])
def test_a_resistor_that_the_slot_board_lacks_is_found(slot, resistor, floats):
    pins, values = slot
    values = {ref: value for ref, value in values.items() if ref != resistor}
    assert floats in [line.split()[0] for line in slot_floats(pins, values)]


def test_an_input_that_is_connected_to_nothing_is_found(hub):
    pins, values = hub
    cut = {**pins, "U8.11": "unconnected-(U8-D0-Pad11)"}
    assert [line.split()[0] for line in hub_floats(cut, values)] == ["U8.11"]


def test_a_driver_whose_enable_is_not_held_is_found(hub):
    pins, values = hub
    assert any(line.startswith("U4.1 ") for line in hub_floats({**pins, "U4.1": "x"}, values))


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)
def test_capacitors_are_near_and_ground_is_whole(project):
    checks.copper(project)


@pytest.mark.parametrize(
    ("project", "capacitor", "pin"),
    [(HUB12, "C15", "U8.16"), (HUB12, "C2", "U3.1"), (HUB12, "C3", "U3.3"), (SLOT, "C2", "D2.1")],
    ids=lambda value: getattr(value, "name", value),
)
def test_a_capacitor_that_is_gone_is_found(project, capacitor, pin):
    """The next one is too far."""
    copper = copper_paths.Copper(project.board.read_text())
    for name in [name for name in copper.pads if name.split(".")[0] == capacitor]:
        del copper.pads[name]
    if capacitor == "C3":
        del copper.pads["C4.1"]
    wrong, _ = copper_paths.supplies(copper)
    assert [line.split()[0] for line in wrong] == [pin]


def test_a_capacitor_that_no_copper_reaches_is_found():
    copper = copper_paths.Copper(SLOT.board.read_text())
    copper.tracks = [track for track in copper.tracks if track[0] != "+5V"]
    wrong, _ = copper_paths.supplies(copper)
    assert [line.split()[0] for line in wrong] == ["D1.1", "D2.1", "D3.1", "D4.1"]
    assert "inf mm" in wrong[0]


def test_ground_in_two_pieces_is_found():
    copper = copper_paths.Copper(HUB12.board.read_text())
    copper.fills += [fill for fill in copper.fills if fill[:2] == ("GND", "In1.Cu")]
    assert copper_paths.ground(copper, "In1.Cu") == ["ground on In1.Cu is in 2 pieces"]


def test_a_track_in_the_ground_plane_is_found():
    copper = copper_paths.Copper(HUB12.board.read_text())
    copper.tracks.append(("SCK", "In1.Cu", (80.0, 100.0), (90.0, 100.0)))
    wrong = copper_paths.ground(copper, *checks.GROUND["hub12"])
    assert wrong == ["SCK has a track on In1.Cu, the ground's layer"]


def test_a_slot_in_the_ground_under_the_bus_is_found(monkeypatch):
    copper = copper_paths.Copper(HUB12.board.read_text())
    (plane,) = (fill[2] for fill in copper.fills if fill[:2] == ("GND", "In1.Cu"))
    has = plane.has
    monkeypatch.setattr(plane, "has", lambda x, y: has(x, y) and not 118.0 < x < 121.0)
    wrong = copper_paths.ground(copper, *checks.GROUND["hub12"])
    assert any(re.match(r"(SCK|MOSI|MISO|CS_)", line) for line in wrong)


def test_tracks_are_measured_along_their_way():
    copper = copper_paths.Copper(SLOT.board.read_text())
    copper.pads = {
        "U1.5": [("N", 0.0, 0.0, ("F.Cu",), 0.5)],
        "C5.1": [("N", 3.0, 4.0, ("F.Cu",), 0.5)],
    }
    copper.vias = [("N", 3.0, 0.0)]
    copper.fills = []
    copper.tracks = [
        ("N", "F.Cu", (0.0, 0.0), (3.0, 0.0)),
        ("N", "B.Cu", (3.0, 0.0), (3.0, 4.0)),
    ]
    assert "C5.1" not in copper.lengths("N", "U1.5"), "the track on the back ends under the pad"
    copper.vias.append(("N", 3.0, 4.0))
    assert copper.lengths("N", "U1.5")["C5.1"] == pytest.approx(7.0)
