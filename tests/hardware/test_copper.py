# SPDX-License-Identifier: MIT
"""The checks of inputs, capacitors, ground and supply copper find mistakes made in the boards."""

import dataclasses
import re

import pytest
from kicad_copies import edited

from hardware import (
    checks,
    decoupling,
    floating_inputs,
    ground_planes,
    pinmap,
    s_expressions,
    supply_copper,
)
from hardware.kicad_files import HUB12, HUBS, PROJECTS, SLOT, Polygon, Pour, Track

pytestmark = pytest.mark.slow  # `make check` tests the boards


# ---- inputs ----


def hub_floats(pins, values):
    return floating_inputs.floating(pins, values, pinmap.load()["hub12"])


def slot_floats(pins, values):
    values = {**values, "J2": "RC522"}
    return floating_inputs.floating(pins, values, given=floating_inputs.FROM_HUB)


def test_no_input_floats():
    for hub in HUBS:
        assert hub_floats(hub.board.pins, hub.board.values) == []
    assert slot_floats(SLOT.board.pins, SLOT.board.values) == []


@pytest.mark.parametrize(
    ("project", "resistor", "input_"),
    [
        (HUB12, "R61", "U7.6"),
        (HUB12, "R72", "U8.3"),
        (HUB12, "R6", "U1.21"),
        (SLOT, "R2", "U1.2"),
        (SLOT, "R4", "D1.4"),
    ],
)
def test_a_resistor_that_is_removed_is_found(project, resistor, input_):
    board = project.board
    pins = {pin: net for pin, net in board.pins.items() if pin.split(".")[0] != resistor}
    values = {ref: value for ref, value in board.values.items() if ref != resistor}
    assert len(pins) == len(board.pins) - 2 and len(values) == len(board.values) - 1
    floats = hub_floats if project is HUB12 else slot_floats
    assert input_ in [line.split()[0] for line in floats(pins, values)]


def test_an_input_that_is_connected_to_nothing_is_found():
    cut = {**HUB12.board.pins, "U8.11": "unconnected-(U8-D0-Pad11)"}
    assert [line.split()[0] for line in hub_floats(cut, HUB12.board.values)] == ["U8.11"]


def test_a_driver_whose_enable_is_not_held_is_found():
    lines = hub_floats({**HUB12.board.pins, "U4.1": "x"}, HUB12.board.values)
    assert any(line.startswith("U4.1 ") for line in lines)


# ---- capacitors ----


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)
def test_capacitors_are_near_and_ground_is_whole(project, capsys):
    checks.copper(project)
    text = (checks.Path(checks.__file__).parent / "README.md").read_text()
    assert [line for line in capsys.readouterr().out.splitlines() if line not in text] == []


@pytest.mark.parametrize(
    ("project", "capacitors", "pin"),
    [
        (HUB12, ["C15"], "U8.16"),
        (HUB12, ["C2"], "U3.1"),
        (HUB12, ["C3", "C4"], "U3.3"),
        (SLOT, ["C2"], "D2.1"),
    ],
)
def test_a_capacitor_that_is_removed_is_found(monkeypatch, project, capacitors, pin):
    board = project.board
    left = {ref: part for ref, part in board.footprints.items() if ref not in capacitors}
    monkeypatch.setattr(board, "footprints", left)
    wrong, _ = decoupling.supplies(board)
    assert [line.split()[0] for line in wrong] == [pin]


def test_a_capacitor_that_no_copper_reaches_is_found(tmp_path):
    def change(tree):
        (net,) = (net[1] for net in s_expressions.find(tree, "net") if net[2] == "+5V")
        for track in list(s_expressions.find(tree, "segment")):
            if s_expressions.one(track, "net")[1] == net:
                tree.remove(track)

    wrong, _ = decoupling.supplies(edited(SLOT, tmp_path, "kicad_pcb", change).board)
    assert [line.split()[0] for line in wrong] == ["D1.1", "D2.1", "D3.1", "D4.1"]
    assert "inf mm" in wrong[0]


def test_tracks_are_measured_along_their_way(tmp_path):
    """U1.5 to C5.1 is measured along two tracks, on the front and the back, that vias join."""

    def change(tree):
        tree[:] = [item for item in tree if item[0] not in ("segment", "via", "zone")]

    board = edited(SLOT, tmp_path, "kicad_pcb", change).board
    start, end = board["U1"].pads[4].place, board["C5"].pads[0].place
    corner = (start[0], end[1])
    net = board["U1"].pads[4].net
    board.tracks = [
        Track(net, "F.Cu", start, corner, 0.25),
        Track(net, "B.Cu", corner, end, 0.25),
    ]
    board.vias = [(net, corner, 0.3)]
    lengths = decoupling.Copper(board, net).lengths("U1.5")
    assert "C5.1" not in lengths, "the track on the back ends below the pad"
    board.vias.append((net, end, 0.3))
    along = abs(start[0] - end[0]) + abs(start[1] - end[1])
    lengths = decoupling.Copper(board, net).lengths("U1.5")
    assert lengths["C5.1"] == pytest.approx(along)


# ---- ground ----


def test_ground_in_two_pieces_is_found(monkeypatch):
    pours = HUB12.board.pours
    (plane,) = (p for p in pours if (p.net, p.layer) == ("GND", "In1.Cu"))
    monkeypatch.setattr(HUB12.board, "pours", [*pours, plane])
    wrong = ground_planes.mistakes(HUB12.board, "hub12")
    assert wrong == ["ground on In1.Cu is in 2 pieces"]


def test_a_track_in_the_ground_plane_is_found(monkeypatch):
    tracks = HUB12.board.tracks
    at = next(n for n, track in enumerate(tracks) if track.layer == "B.Cu")
    sunk = dataclasses.replace(tracks[at], layer="In1.Cu")
    monkeypatch.setattr(HUB12.board, "tracks", [*tracks[:at], sunk, *tracks[at + 1 :]])
    (line,) = ground_planes.mistakes(HUB12.board, "hub12")
    assert re.fullmatch(r".* has a track on In1.Cu, the ground's layer", line)


def test_a_slot_in_the_ground_under_the_bus_is_found(monkeypatch):
    (plane,) = (p.area for p in HUB12.board.pours if (p.net, p.layer) == ("GND", "In1.Cu"))
    has = plane.has
    monkeypatch.setattr(plane, "has", lambda x, y: has(x, y) and not 67.2 < x < 70.2)
    wrong = ground_planes.mistakes(HUB12.board, "hub12")
    assert any(re.match(r"(SCK|MOSI|MISO|CS_)\S* at .* mm without ground", line) for line in wrong)
    assert any(re.match(r"SCK: .* mm over a gap in the layer beside it", line) for line in wrong)


def test_what_is_beside_the_back_is_the_layer_of_the_supplies(monkeypatch):
    """Without copper on In2.Cu, every track on B.Cu counts as running over a gap."""
    pours = HUB12.board.pours
    kept = [pour for pour in pours if pour.layer != "In2.Cu"]
    monkeypatch.setattr(HUB12.board, "pours", kept)
    wrong = ground_planes.mistakes(HUB12.board, "hub12")
    assert {line.split(":")[0] for line in wrong} >= {"SCK", "MOSI", "MISO", "USB", "CS"}
    assert not any("without ground" in line for line in wrong)


def test_a_line_along_the_edge_of_a_pour_is_over_a_gap(monkeypatch):
    board = HUB12.board
    square = Polygon([(0.0, 0.0), (20.0, 0.0), (20.0, 5.0), (0.0, 5.0)])
    monkeypatch.setattr(board, "pours", [Pour("GND", "In1.Cu", square)])
    monkeypatch.setattr(board, "vias", [])
    monkeypatch.setattr(board, "footprints", {})
    found = {}
    for y in (2.0, 5.0, 8.0):
        track = Track("SCK", "F.Cu", (2.0, y), (12.0, y), 0.25)
        monkeypatch.setattr(board, "tracks", [track])
        found[y] = ground_planes.beside(board)["SCK"].longest
    assert found == {2.0: 0.0, 5.0: 10.25, 8.0: 10.25}


# ---- supply ----


@pytest.mark.parametrize("hub", HUBS, ids=lambda hub: hub.name)
def test_the_pixels_have_wide_copper(hub):
    assert supply_copper.mistakes(hub.board) == []


CUTS = {  # where a pour is cut across, mm from the board's left edge
    "VUSB": 37.0,
    "VFUSED": 28.0,
    "VMID": 24.0,
    "+5V F.Cu": 19.0,
    "+5V In2.Cu": 40.0,
    "GND": 32.0,
}


@pytest.mark.parametrize("path", supply_copper.PATHS, ids=lambda path: " ".join(path[:2]))
def test_a_narrow_place_in_the_supply_is_found(path, monkeypatch):
    """A gap of 0.5 mm across a pour of the supply is found."""
    net, layer, width = path[:3]
    slot = CUTS.get(net) or CUTS["%s %s" % (net, layer)]

    def with_slot(area, y):
        parts = [
            part
            for a, b in spans(area, y)
            for part in ((a, min(b, slot)), (max(a, slot + 0.5), b))
        ]
        return [(a, b) for a, b in parts if a < b]

    spans = Polygon.spans
    monkeypatch.setattr(Polygon, "spans", with_slot)
    monkeypatch.setattr(supply_copper, "PATHS", [path])
    wrong = supply_copper.mistakes(HUB12.board)
    assert wrong
    assert all(line.startswith("no %g mm of %s on %s" % (width, net, layer)) for line in wrong)


def test_a_supply_pour_that_is_removed_is_found(monkeypatch):
    left = [pour for pour in HUB12.board.pours if pour.net != "VMID"]
    monkeypatch.setattr(HUB12.board, "pours", left)
    paths = [path for path in supply_copper.PATHS if path[0] == "VMID"]
    monkeypatch.setattr(supply_copper, "PATHS", paths)
    wrong = supply_copper.mistakes(HUB12.board)
    assert wrong == ["no 1.5 mm of VMID on F.Cu from Q1.2 to Q2.2"]
