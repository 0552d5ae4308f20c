# SPDX-License-Identifier: MIT
"""Pin map, firmware, schematic and board say the same; and what differs is found."""

import re
import shutil

import pytest

from hardware import bom, checks, guide_tables, netlist, pinmap, programs, sexp, supply_copper
from hardware.circuit import SLOTS
from roundhouse import power

BOARD = checks.HUB12 / "hub12.kicad_pcb"
kicad = pytest.mark.skipif(not shutil.which("kicad-cli"), reason="wants KiCad 9")


@pytest.fixture(scope="module")
def copper():
    return netlist.copper(BOARD.read_text())


@pytest.fixture
def project(tmp_path):
    """A copy of the KiCad project that a test may damage."""
    return shutil.copytree(checks.HUB12, tmp_path / "hub12")


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
        ("J3", 1, 4),
        ("J3", 2, 3),
        ("J12", 9, 10),
        ("J1", 7, 8),
        ("U5", 15, 14),
        ("U6", 15, 9),
        ("U5", 5, 6),
        ("U7", 6, 5),
        ("U8", 9, 2),
        ("U9", 2, 5),
        ("U9", 1, 4),
        ("U12", 18, 3),
        ("U12", 2, 17),
        ("R6", 1, 2),
        ("U4", 2, 3),
        ("R3", 1, 2),
    ):
        one, two = "%s.%d" % (ref, a), "%s.%d" % (ref, b)
        swapped = {**pins, one: pins[two], two: pins[one]}
        assert netlist.mistakes(board, swapped, values), "%s and %s" % (one, two)


def test_connectors_are_named_by_slot(copper):
    _, values = copper
    assert [values["J%d" % (i + 1)] for i in range(12)] == ["slot " + name for name in SLOTS]


def test_the_list_of_what_to_buy_is_that_of_the_circuit():
    assert bom.missing() == []
    assert bom.FILE.read_text() == bom.text(), "python -m hardware bom"


def test_the_pixels_current_has_wide_copper_there_and_back(project):
    checks.supply(project)


@pytest.mark.parametrize(("net", "layer"), [path[:2] for path in supply_copper.PATHS])
def test_a_narrow_place_in_the_supply_is_found(net, layer, monkeypatch):
    """A slot cut across the pour, but for a millimetre."""
    slot = 50.8 + {"VUSB": 22.0, "+5V": 55.0, "GND": 55.0}[net]
    paint = supply_copper._paint

    def cut(points, spans):
        paint(points, spans)
        for y, row in spans.items():
            if y * supply_copper.STEP < 50.8 + 98.5:
                row[:] = [
                    part
                    for a, b in row
                    for part in ((a, min(b, slot)), (max(a, slot + 0.5), b))
                    if part[0] < part[1]
                ]

    monkeypatch.setattr(supply_copper, "_paint", cut)
    monkeypatch.setattr(supply_copper, "PATHS", [p for p in supply_copper.PATHS if p[0] == net])
    wrong = supply_copper.mistakes(BOARD.read_text())
    assert wrong
    assert all(line.startswith("no 3 mm of %s on %s" % (net, layer)) for line in wrong)


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


def test_the_wiring_pictures_are_those_of_their_sources(tmp_path):
    wiring_pictures = wiring_pictures_or_skip()
    if not shutil.which("dot"):
        pytest.skip("wants graphviz")
    programs.draw_wires(tmp_path)
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
    with pytest.raises(checks.Wrong, match="boards.py is not what its source makes"):
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


@kicad
def test_rules_and_netlist(project):
    checks.rules(project)
    checks.connections(project)


@kicad
def test_a_removed_track_is_found(project):
    damage(project / "hub12.kicad_pcb", r"\t\(segment\n.*?\n\t\)\n")
    with pytest.raises(checks.Wrong, match="DRC"):
        checks.rules(project)


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
    with pytest.raises(checks.Wrong, match="DRC"):
        checks.rules(project)


@kicad
def test_a_net_that_the_schematic_calls_otherwise_is_found(project):
    damage(project / "hub12.kicad_sch", r'\(label "CS_4"', '(label "CS_5"')
    with pytest.raises(checks.Wrong):
        checks.rules(project)
    with pytest.raises(checks.Wrong, match="slot 4"):
        checks.connections(project)


@kicad
def test_a_thin_supply_is_found(project):
    file = project / "hub12.kicad_pcb"
    damage(file, r"\(width 0.8\)", "(width 0.3)")
    with pytest.raises(checks.Wrong, match="DRC"):
        checks.rules(project)
