# SPDX-License-Identifier: MIT
"""The KiCad projects: limits, parts and printed texts. Damage to copies of the files is found."""

import json
import re
import subprocess

import pytest
from kicad_copies import edited, first, needs_kicad, part, remove, with_parts

from hardware import (
    bom,
    checks,
    external_tools,
    guide_tables,
    project_settings,
    s_expressions,
    silkscreen_check,
)
from hardware.kicad_files import HUB12, PROJECTS, SLOT, Board

of_both = pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)


# ---- KiCad's rules ----


def drop(head, *of):
    """Return a function that removes, from a parsed file, the first list that begins with `head`
    and contains the strings `of`."""
    return lambda tree: tree.remove(first(tree, head, *of))


def widen(tree):
    s_expressions.one(first(tree, "segment", "'0.8'"), "width")[1] = "0.3"


def move(tree):
    """Move a connector by 0.1 mm."""
    at = s_expressions.one(part(tree, "J1"), "at")
    at[2] = str(float(at[2]) + 0.1)


def turn(tree):
    at = s_expressions.one(part(tree, "R3"), "at")
    at[3:] = [str(float((at[3:] or ["0"])[0]) + 90)]


def leave_out_a_pad(tree):
    found = part(tree, "R4")
    found.remove(s_expressions.one(found, "pad"))


def change_a_value(tree):
    for item in s_expressions.find(part(tree, "R5"), "property"):
        if item[1] == "Value":
            item[2] = s_expressions.Str("1M")


def rename(tree):
    first(tree, "label", "'CS_4'")[1] = s_expressions.Str("CS_5")


def all_of(*changes):
    """Return a function that makes several changes to a parsed file, one after another."""

    def change(tree):
        for one in changes:
            one(tree)

    return change


DAMAGE = (  # for each damaged board {change: pattern of the line that reports it}
    {
        drop("segment"): r"Missing connection .* on F\.Cu.* on F\.Cu",
        drop("via"): r"Missing connection .*\[\+3V3\] on B\.Cu",
        widen: "Track width .*",
        change_a_value: r"Value \(R5\) doesn't match",
    },
    {
        remove("R1"): "Missing footprint R1 ",
        turn: "Missing connection .* of R3 ",
        leave_out_a_pad: "No pad found for pin .*: Footprint R4",
    },
    {
        drop("zone"): r"Via is not connected .* \[GND\]",
        move: "Clearance violation .* of J1;",
    },
)


@pytest.mark.slow
@needs_kicad
@pytest.mark.parametrize("changes", DAMAGE, ids=["copper", "parts", "pour"])
def test_damage_of_a_board_is_found(tmp_path, changes):
    with pytest.raises(checks.Wrong, match="DRC") as found:
        checks.rules(edited(SLOT, tmp_path, "kicad_pcb", all_of(*changes)))
    for match in changes.values():
        assert re.search(match, str(found.value)), match


@pytest.mark.slow
@needs_kicad
@pytest.mark.parametrize(
    ("project", "change", "match"),
    [(SLOT, remove("R3"), "ERC|DRC"), (HUB12, rename, "ERC")],
    ids=("symbol", "label"),
)
def test_damage_of_a_schematic_is_found(tmp_path, project, change, match):
    with pytest.raises(checks.Wrong, match=match):
        checks.rules(edited(project, tmp_path, "kicad_sch", change))


@pytest.mark.slow
@needs_kicad
def test_a_net_that_the_schematic_calls_otherwise_is_found(tmp_path):
    with pytest.raises(checks.Wrong, match="slot 4"):
        checks.connections(edited(HUB12, tmp_path, "kicad_sch", rename))


@pytest.mark.slow
@needs_kicad
def test_pours_that_were_not_filled_again_are_found(tmp_path):
    def change(tree):
        s_expressions.one(part(tree, "H1"), "at")[1] = "55"  # away from the copper around it

    made = edited(SLOT, tmp_path, "kicad_pcb", change)
    lines = sorted(external_tools.stale_pours(made))
    assert [line.split(": ")[0] for line in lines] == ["GND on B.Cu", "GND on F.Cu"]
    assert external_tools.stale_pours(SLOT) == []


@pytest.mark.slow
@needs_kicad
def test_what_an_author_silenced_is_found(tmp_path):
    """A mistake is found even if the project file ignores all severities."""
    made = edited(SLOT, tmp_path, "kicad_pcb", drop("via"))
    settings = json.loads(made.file("kicad_pro").read_text())
    severities = settings["board"]["design_settings"]["rule_severities"]
    severities.update(dict.fromkeys(severities, "ignore"))
    made.file("kicad_pro").write_text(json.dumps(settings))
    with pytest.raises(checks.Wrong, match="DRC"):
        checks.rules(made)


SHIFT = """
import sys, pcbnew
board = pcbnew.LoadBoard(sys.argv[1])
word = next(item for item in board.GetDrawings() if item.GetLayerName() == "B.Silkscreen")
word.Move(pcbnew.VECTOR2I(pcbnew.FromMM(0.2), 0))
pcbnew.SaveBoard(sys.argv[1], board)
"""


def test_a_copy_leaves_out_what_a_running_kicad_locks(tmp_path):
    made = SLOT.copy(tmp_path)
    (made.folder / "~slot.kicad_pro.lck").write_text("{}")
    again = made.copy(tmp_path / "again")
    assert {path.name for path in again.folder.iterdir()} == {
        path.name for path in SLOT.folder.iterdir() if path.suffix != ".lck"
    }


@pytest.mark.slow
@needs_kicad
def test_a_board_that_was_edited_in_kicad_passes(tmp_path):
    made = SLOT.copy(tmp_path)
    file = made.file("kicad_pcb")
    subprocess.run([external_tools.PCBNEW, "-c", SHIFT, file], check=True, capture_output=True)
    assert file.read_text() != SLOT.file("kicad_pcb").read_text()
    checks.rules(made)
    checks.silk(made)
    checks.copper(made)


# ---- limits ----


@of_both
def test_no_limit_is_lowered(project):
    assert project_settings.mistakes(project) == []


@pytest.mark.parametrize("name", project_settings.LIMITS)
def test_a_lowered_limit_is_found(tmp_path, name):
    made = SLOT.copy(tmp_path)
    settings = json.loads(made.file("kicad_pro").read_text())
    settings["board"]["design_settings"]["rules"][name] *= 0.9
    made.file("kicad_pro").write_text(json.dumps(settings))
    (line,) = project_settings.mistakes(made)
    assert line.startswith(name)


@pytest.mark.parametrize(
    ("kind", "old", "new", "line"),
    [
        ("kicad_dru", "hole_size (min 0.3mm)", "hole_size (min 0.2mm)", "no rule hole_size"),
        ("kicad_dru", "'Pixels'", "'Others'", "no rule track_width"),
        ("kicad_pro", '"*+5V"', '"*5"', "+5V is not in the net class Pixels"),
    ],
)
def test_a_rule_that_is_gone_is_found(tmp_path, kind, old, new, line):
    made = SLOT.copy(tmp_path)
    text = made.file(kind).read_text()
    assert old in text
    made.file(kind).write_text(text.replace(old, new))
    (found,) = project_settings.mistakes(made)
    assert found.startswith(line)


# ---- parts ----


def test_every_part_is_one_that_can_be_bought():
    assert bom.mistakes() == []


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("Value", "470R", "slot R3: its value is 470R, that of r33 is 33R"),
        ("Part", "r34", "slot R3: parts.toml has no part 'r34'"),
        ("Part", "", "slot R3: parts.toml has no part ''"),
        ("Footprint", "Resistor_SMD:R_0603", "slot R3: its footprint is Resistor_SMD:R_0603, "),
    ],
)
def test_a_part_that_parts_toml_does_not_have_is_found(tmp_path, name, value, line):
    def change(tree):
        texts = {p[1]: p for p in s_expressions.find(part(tree, "R3"), "property")}
        texts[name][2] = s_expressions.Str(value)

    made = edited(SLOT, tmp_path, "kicad_sch", change)
    (found,) = bom.mistakes((HUB12, made))
    assert found.startswith(line)


def test_a_part_that_no_schematic_has_is_found(tmp_path):
    made = edited(SLOT, tmp_path, "kicad_sch", remove("SW1"))
    assert bom.mistakes((HUB12, made)) == ["no schematic has push12"]


# ---- print ----


@of_both
def test_what_is_printed_names_what_it_is_beside(project):
    checks.silk(project)


def exchange(one, two):
    """Return a function that swaps two printed texts of a parsed board."""

    def change(tree):
        a, b = (first(tree, "gr_text", "'%s'" % word) for word in (one, two))
        a[1], b[1] = b[1], a[1]

    return change


def hide(tree):
    texts = {p[1]: p for p in s_expressions.find(part(tree, "R3"), "property")}
    texts["Reference"].append(["hide", "yes"])


def value(ref, change):
    """Return a function that changes the value's text of a part of a parsed board."""

    def changed(tree):
        change({p[1]: p for p in s_expressions.find(part(tree, ref), "property")}["Value"])

    return changed


def on_fab(text):
    s_expressions.one(text, "layer")[1] = s_expressions.Str("F.Fab")


def elsewhere(text):
    s_expressions.one(text, "at")[1] = "8.5"


def later(tree):
    s_expressions.one(tree, "title_block", "rev")[1] = s_expressions.Str("9")


@pytest.mark.parametrize(
    ("project", "change", "line"),
    [
        (HUB12, exchange("3", "8"), "8 is printed at the header of slot 3"),
        (HUB12, exchange("3V3R", "3V3"), "TP5.1: 3V3R is printed, not 3V3"),
        (HUB12, exchange("CC1", "CC2"), "J13.3: CC2 is printed, not CC1"),
        (HUB12, lambda tree: tree.remove(first(tree, "gr_text", "'VSYS'")), "TP3.1: "),
        (HUB12, value("U5", on_fab), "U5: its value, 74HC138, is not printed"),
        (HUB12, value("U8", on_fab), "U8: its value, 74HC165, is not printed"),
        (HUB12, value("U5", elsewhere), "U5: its value is printed at U6"),
        (HUB12, remove("FID2"), "2 fiducials, an assembler needs 3"),
        (SLOT, exchange("open", "answer"), "D2: answer is printed, not open"),
        (SLOT, exchange("MISO", "MOSI"), "J2.3: MISO is printed, not MOSI"),
        (SLOT, hide, "R3 is not printed"),
        (SLOT, later, "the back does not say 'Roundhouse slot rev 9"),
    ],
)
def test_what_is_printed_wrongly_is_found(project, change, line):
    found = silkscreen_check.mistakes(with_parts(project, change))
    assert any(words.startswith(line) for words in found), found


def test_a_value_that_is_not_printed_stands_in_the_guide():
    board = with_parts(HUB12, value("R5", on_fab)).board
    refs = [found.ref for found in silkscreen_check.unprinted(board)]
    assert "R5" in refs and "U4" not in refs, "nothing else has the package of U4"
    assert "R5" not in guide_tables.values() and "R11" in guide_tables.values()


# ---- reading ----


def test_expressions_are_read_and_written_back():
    text = '(a "b \\"c\\"\\\\" (d 1.5 -2) (e))'
    tree = s_expressions.loads(text)
    assert tree == ["a", 'b "c"\\', ["d", "1.5", "-2"], ["e"]]
    assert s_expressions.loads(s_expressions.dumps(tree)) == tree


def test_a_board_is_read_however_it_is_laid_out():
    """A board file with other white space and a rectangle as outline is read as the same board."""
    tree = s_expressions.loads(SLOT.file("kicad_pcb").read_text())
    lines = [line for line in s_expressions.find(tree, "gr_line") if "Edge.Cuts" in str(line)]
    for line in lines:
        tree.remove(line)
    ends = [["start", "50.8", "50.8"]]
    ends.append(["end", *("%g" % (50.8 + side) for side in SLOT.board.size)])
    tree.append(["gr_rect", *ends, ["layer", "Edge.Cuts"]])
    board = Board(s_expressions.dumps(tree))
    assert board.size == SLOT.board.size
    assert board.pins == SLOT.board.pins
    places = {ref: part.place for ref, part in board.footprints.items()}
    assert places == {ref: part.place for ref, part in SLOT.board.footprints.items()}


@pytest.mark.parametrize(
    ("project", "refs"),
    [
        (HUB12, "J13 F1 Q1 Q2 D1 U3 C4"),
        (HUB12, "J13 U10 R3 C9 U1 U5"),
        (HUB12, "J1 J2 J3 J4 J5 J6"),
        (SLOT, "J1 U1 J2"),
        (SLOT, "D1 D2 D3 D4 R5"),
    ],
)
def test_a_schematic_reads_from_left_to_right(project, refs):
    places = {part.ref: part.place for part in project.schematic.parts}
    across = [places[ref][0] for ref in refs.split()]
    assert across == sorted(across)


def test_all_of_the_slot_board_is_in_wires():
    """Wires alone connect the slot board's nets, so each label occurs once."""
    labels = SLOT.schematic.labels
    assert sorted(labels) == sorted(set(labels))
