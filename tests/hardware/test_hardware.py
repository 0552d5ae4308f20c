# SPDX-License-Identifier: MIT
"""Pin map, firmware, schematic and board say the same; and what differs is found."""

import json
import re
import shutil

import pytest

from hardware import (
    bom,
    checks,
    external_tools,
    guide_tables,
    netlist,
    pinmap,
    sexp,
    supply_copper,
)
from hardware.board_projects import HUB12, PROJECTS, SLOT
from hardware.circuit import SLOTS
from roundhouse import power

kicad = pytest.mark.skipif(not shutil.which("kicad-cli"), reason="wants KiCad 9")


@pytest.fixture(scope="module")
def copper():
    return netlist.copper(HUB12.board.read_text())


@pytest.fixture(scope="module")
def slot_copper():
    return netlist.copper(SLOT.board.read_text())


@pytest.fixture
def project(tmp_path):
    """A copy of the hub's KiCad project that a test may damage."""
    return shutil.copytree(HUB12.folder, tmp_path / "hub12")


@pytest.fixture
def slot(tmp_path):
    """The same of the slot board."""
    return shutil.copytree(SLOT.folder, tmp_path / "slot")


def damage(path, pattern, with_what=""):
    """Change the first match of a pattern in a file."""
    text, count = re.subn(pattern, with_what, path.read_text(), count=1, flags=re.S)
    assert count == 1
    path.write_text(text)


def test_the_firmware_has_the_pin_map():
    assert pinmap.BOARDS.read_text() == pinmap.firmware(pinmap.load()), "python -m hardware pins"


def test_the_copper_has_the_pin_map(copper):
    assert netlist.mistakes(pinmap.load()["hub12"], *copper) == []


@pytest.mark.parametrize(
    "name",
    [
        "enable",
        "load",
        "clock",
        "data",
        "miso",
        "reset",
        "sck",
        "mosi",
        "piezo",
        "sense",
        "lights",
    ],
)
def test_a_swapped_pin_in_the_map_is_found(name, copper):
    board = dict(pinmap.load()["hub12"])
    board[name] = 15
    assert netlist.mistakes(board, *copper)


def test_swapped_address_pins_are_found(copper):
    board = dict(pinmap.load()["hub12"])
    board["address"] = (1, 0, 2, 3)
    assert any("A0" in line for line in netlist.mistakes(board, *copper))


def test_two_exchanged_wires_anywhere_are_found(copper):
    """Any two pins of a slot's connector, of a chip: whatever is exchanged, a line says so."""
    pins, values = copper
    board = pinmap.load()["hub12"]
    for ref, a, b in (
        ("J3", 1, 14),
        ("J3", 3, 4),
        ("J3", 6, 8),
        ("J12", 13, 2),
        ("J1", 12, 14),
        ("J7", 9, 11),
        ("U5", 15, 14),
        ("U6", 15, 9),
        ("U5", 5, 6),
        ("U7", 6, 5),
        ("U8", 9, 2),
        ("U8", 11, 4),
        ("U2", 18, 3),
        ("U2", 2, 17),
        ("R21", 1, 2),
        ("R10", 1, 2),
        ("U4", 2, 4),
        ("R3", 1, 2),
        ("J13", 5, 6),
        ("J14", 2, 3),
    ):
        one, two = "%s.%d" % (ref, a), "%s.%d" % (ref, b)
        swapped = {**pins, one: pins[two], two: pins[one]}
        assert netlist.mistakes(board, swapped, values), "%s and %s" % (one, two)


def test_the_slot_board_is_as_a_reader_and_the_ribbon_want_it(slot_copper):
    assert netlist.slot_mistakes(*slot_copper) == []


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("J2.1", "J2.4"),
        ("J2.2", "J2.3"),
        ("J2.6", "J2.8"),
        ("J1.3", "J1.4"),
        ("J1.9", "J1.11"),
        ("U1.1", "U1.2"),
        ("U1.4", "U1.2"),
        ("D1.2", "D1.4"),
        ("D3.2", "D3.4"),
        ("D2.1", "D2.3"),
        ("SW1.1", "J1.11"),
        ("R3.1", "R3.2"),
    ],
)
def test_two_exchanged_wires_of_the_slot_board_are_found(slot_copper, one, two):
    pins, values = slot_copper
    swapped = {**pins, one: pins[two], two: pins[one]}
    assert netlist.slot_mistakes(swapped, values)


def test_connectors_are_named_by_slot(copper):
    _, values = copper
    assert [values["J%d" % (i + 1)] for i in range(12)] == ["slot " + name for name in SLOTS]


def test_the_list_of_what_to_buy_is_that_of_the_circuit():
    assert bom.missing() == []
    assert bom.FILE.read_text() == bom.text(), "python -m hardware bom"


@pytest.mark.slow
def test_the_pixels_current_has_wide_copper_there_and_back(project):
    checks.supply(project)


# where a pour is cut across, mm from the board's left edge
CUTS = {
    "VUSB": 37.0,
    "VFUSED": 28.0,
    "VMID": 24.0,
    "+5V F.Cu": 19.0,
    "+5V In2.Cu": 40.0,
    "GND": 32.0,
}


@pytest.mark.slow
@pytest.mark.parametrize("path", supply_copper.PATHS, ids=lambda path: " ".join(path[:2]))
def test_a_narrow_place_in_the_supply_is_found(path, monkeypatch):
    """A slot cut across the pour, but for a millimetre."""
    net, layer, width = path[:3]
    slot = 50.8 + (CUTS.get(net) or CUTS["%s %s" % (net, layer)])
    paint = supply_copper._paint

    def cut(points, spans):
        paint(points, spans)
        for row in spans.values():
            row[:] = [
                part
                for a, b in row
                for part in ((a, min(b, slot)), (max(a, slot + 0.5), b))
                if part[0] < part[1]
            ]

    monkeypatch.setattr(supply_copper, "_paint", cut)
    monkeypatch.setattr(supply_copper, "PATHS", [path])
    wrong = supply_copper.mistakes(HUB12.board.read_text())
    assert wrong
    assert all(line.startswith("no %g mm of %s on %s" % (width, net, layer)) for line in wrong)


def test_the_guide_has_the_pin_map_and_the_firmwares_budget():
    text = guide_tables.FILE.read_text()
    assert sorted(found[2] for found in guide_tables.BLOCK.finditer(text)) == sorted(
        guide_tables.blocks()
    )
    assert guide_tables.fresh(text) == text, "python -m hardware guide"


def test_the_budget_follows_the_firmware(monkeypatch):
    assert "| 3 A | 3000 | 3 | 417 | 60 | 2000 | 2477 | 523 |" in guide_tables.budget()
    monkeypatch.setattr(power, "FIELD_MA", 150)
    assert "| 3 A | 3000 | 3 | 567 | 60 | 2000 | 2627 | 373 |" in guide_tables.budget()


def test_no_supply_is_asked_for_more_than_it_offers():
    for row in guide_tables.budget().split("\n")[2:5]:
        assert int(row.split("|")[-2]) > 0, row


def test_the_wiring_has_the_pin_map():
    wiring_pictures = wiring_pictures_or_skip()
    for name, text in wiring_pictures.sources().items():
        assert (wiring_pictures.FOLDER / name).read_text() == text, "python -m hardware wiring"


@pytest.mark.slow
def test_the_wiring_pictures_are_those_of_their_sources(tmp_path):
    wiring_pictures = wiring_pictures_or_skip()
    if not shutil.which("dot"):
        pytest.skip("wants graphviz")
    external_tools.draw_wires(tmp_path)
    pictures = sorted(tmp_path.glob("*.svg"))
    assert len(pictures) == len(wiring_pictures.sources())
    for picture in pictures:
        assert checks.words(picture) == checks.words(wiring_pictures.FOLDER / picture.name)


def test_a_swapped_pin_changes_wiring_and_guide(monkeypatch):
    boards = pinmap.load()
    selects = boards["breadboard"]["selects"]
    boards["breadboard"]["selects"] = (selects[1], selects[0], *selects[2:])
    monkeypatch.setattr(pinmap, "load", lambda: boards)
    assert guide_tables.fresh(guide_tables.FILE.read_text()) != guide_tables.FILE.read_text()
    wiring_pictures = wiring_pictures_or_skip()
    with pytest.raises(checks.CheckError, match="boards.py is not what its source makes"):
        checks.texts()
    text = wiring_pictures.sources()["breadboard.yml"]
    assert text != (wiring_pictures.FOLDER / "breadboard.yml").read_text()


def wiring_pictures_or_skip():
    pytest.importorskip("wireviz", reason="`make tools` installs it")
    from hardware import wiring_pictures

    return wiring_pictures


def test_what_the_guide_shows_is_there():
    for picture in re.findall(r"\]\(([\w/.-]+)\)", guide_tables.FILE.read_text()):
        assert (guide_tables.FILE.parent / picture).exists(), picture


def test_expressions_are_read_and_written_back():
    text = '(a "b \\"c\\"\\\\" (d 1.5 -2) (e))'
    tree = sexp.loads(text)
    assert tree == ["a", 'b "c"\\', ["d", "1.5", "-2"], ["e"]]
    assert sexp.loads(sexp.dumps(tree)) == tree
    assert sexp.dumps(["a", 1.0, 2.54, sexp.Str("x y")]) == '(a 1 2.54 "x y")'


@pytest.mark.slow
@kicad
def test_rules_and_netlist(project, slot):
    checks.rules(HUB12, project)
    checks.rules(SLOT, slot)
    checks.connections(project, slot)


KICADS_OWN = {  # what a new project of KiCad 9 begins with
    "min_copper_edge_clearance": 0.5,
    "min_hole_clearance": 0.25,
    "min_hole_to_hole": 0.25,
    "min_resolved_spokes": 2,
    "min_text_height": 0.8,
    "min_text_thickness": 0.08,
    "min_through_hole_diameter": 0.3,
    "min_via_annular_width": 0.1,
    "min_via_diameter": 0.5,
}
IGNORED_BY_ITSELF = {
    "footprint_filters_mismatch",
    "footprint_type_mismatch",
    "missing_courtyard",
    "npth_inside_courtyard",
    "pth_inside_courtyard",
}


@pytest.mark.parametrize("board", PROJECTS, ids=lambda board: board.name)
def test_no_limit_of_kicads_is_lowered(board):
    """Its own defaults: what is narrower would hide what a board maker cannot make."""
    settings = json.loads((board.folder / (board.name + ".kicad_pro")).read_text())
    settings = settings["board"]["design_settings"]
    rules = settings["rules"]
    assert {name: rules[name] for name in KICADS_OWN if rules[name] < KICADS_OWN[name]} == {}
    ignored = {name for name, how in settings["rule_severities"].items() if how == "ignore"}
    assert ignored == IGNORED_BY_ITSELF


@pytest.mark.slow
@kicad
def test_a_removed_track_is_found(project):
    damage(project / "hub12.kicad_pcb", r"\t\(segment\n.*?\n\t\)\n")
    with pytest.raises(checks.CheckError, match="DRC"):
        checks.rules(HUB12, project)


@pytest.mark.slow
@kicad
def test_a_moved_connector_is_found(project):
    file = project / "hub12.kicad_pcb"
    text = file.read_text()
    start = text.index('"Reference" "J4"')
    at = text.rindex("\t\t(at ", 0, start)
    assert text.rindex("\t(footprint ", 0, start) < at
    end = text.index(")", at)
    x, y = text[at:end].split()[1:3]
    file.write_text(text[:at] + "\t\t(at %s %.4f" % (x, float(y) + 1) + text[end:])
    with pytest.raises(checks.CheckError, match="DRC"):
        checks.rules(HUB12, project)


@pytest.mark.slow
@kicad
def test_a_net_that_the_schematic_calls_otherwise_is_found(project, slot):
    damage(project / "hub12.kicad_sch", r'\(label "CS_4"', '(label "CS_5"')
    with pytest.raises(checks.CheckError):
        checks.rules(HUB12, project)
    with pytest.raises(checks.CheckError, match="slot 4"):
        checks.connections(project, slot)


@pytest.mark.slow
@kicad
def test_a_thin_supply_is_found(project, slot):
    for board, folder in ((HUB12, project), (SLOT, slot)):
        damage(folder / board.board.name, r"\(width 0.8\)", "(width 0.3)")
        with pytest.raises(checks.CheckError, match="DRC"):
            checks.rules(board, folder)
