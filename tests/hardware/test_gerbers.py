# SPDX-License-Identifier: MIT
"""Differences between a board and the files for its maker are found. `make hardware` finds none on
both boards."""

import re
import shutil

import pytest

pytest.importorskip("gerbonara", reason="`make tools` installs it")

from hardware import assembly, external_tools, gerber_checks  # noqa: E402
from hardware.kicad_files import SLOT  # noqa: E402

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("kicad-cli"), reason="needs KiCad 9"),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fab") / "slot"
    external_tools.fabrication_files(SLOT, folder)
    return folder


@pytest.fixture
def files(made, tmp_path):
    return shutil.copytree(made, tmp_path / "slot")


def test_whole_files_are_those_of_the_board(made):
    assert gerber_checks.mistakes(SLOT, made) == []


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("slot-B_Cu.gbl", "slot: no copper on bottom"),
        ("slot-F_Mask.gts", "slot: no mask on top"),
        ("slot-F_Paste.gtp", "slot: no paste on top"),
        ("slot-Edge_Cuts.gm1", "slot: no outline"),
    ],
)
def test_a_file_that_is_gone_is_found(files, file, line):
    (files / "gerbers" / file).unlink()
    (files / "gerbers" / "slot-job.gbrjob").unlink()
    assert line in gerber_checks.mistakes(SLOT, files)


def test_an_inner_layer_that_is_gone_is_found(made, monkeypatch):
    monkeypatch.setattr(SLOT.board, "copper", ("F.Cu", "In1.Cu", "B.Cu"))
    assert gerber_checks.mistakes(SLOT, made) == ["slot: no copper on inner_1"]


def test_a_hole_that_is_gone_is_found(files):
    file = files / "gerbers" / "slot-PTH.drl"
    text, count = re.subn(r"\nX[^\n]*(?=\n)", "", file.read_text(), count=1)
    assert count == 1
    file.write_text(text)
    (line,) = gerber_checks.mistakes(SLOT, files)
    assert re.fullmatch(r"slot: \d+ holes plated, the board has \d+", line)


def test_a_board_that_is_too_large_is_found(made, monkeypatch):
    monkeypatch.setitem(gerber_checks.LARGEST, "slot", 42.0)
    assert gerber_checks.mistakes(SLOT, made) == ["slot: 56.61 x 39.47 mm, more than 42.0"]


def test_copper_at_the_edge_is_found(made, monkeypatch):
    monkeypatch.setattr(gerber_checks, "EDGE", 0.8)
    assert gerber_checks.mistakes(SLOT, made) == [
        "slot: copper on %s is 0.65 mm from the edge" % side for side in ("top", "bottom")
    ]


def test_a_pad_without_an_opening_in_the_stencil_is_found(files):
    file = files / "gerbers" / "slot-F_Paste.gtp"
    text, count = re.subn(r"\nX[^\n]*D03\*(?=\n)", "", file.read_text(), count=1)
    assert count == 1
    file.write_text(text)
    (line,) = gerber_checks.mistakes(SLOT, files)
    assert re.fullmatch(r"slot: no opening in the stencil for pad \d of \w+", line)


@pytest.mark.parametrize(
    ("name", "there", "instead", "line"),
    [
        ("bom.csv", "U1", "", "U1 is 0 times in bom.csv"),
        ("bom.csv", "R3", "R1", "R1 is 2 times in bom.csv"),
        ("bom.csv", "R3", "J1", "J1 is 1 times in bom.csv"),
        ("bom.csv", "C23654", "23654", "U1: 23654 is not a number of LCSC"),
        ("bom.csv", "33R", "33 \N{OHM SIGN}", "bom.csv is not ASCII"),
        ("positions.csv", "U1", "u1", "U1 is 0 times in positions.csv"),
        ("positions.csv", ",180", ",-180", "C1 is turned by -180 degrees"),
        ("positions.csv", "Mid X", "PosX", "positions.csv: its columns are Designator PosX"),
    ],
)
def test_what_an_assembler_does_not_take_is_found(files, name, there, instead, line):
    text = (files / name).read_text()
    assert there in text
    (files / name).write_text(text.replace(there, instead, 1))
    assert any(found.startswith("slot: " + line) for found in gerber_checks.mistakes(SLOT, files))


def test_parts_are_turned_as_the_assemblers_library_has_them(tmp_path):
    rows = (
        "Ref,Val,Package,PosX,PosY,Rot,Side",
        "U1,x,SOT-23-5_HandSoldering,75.56,-79.375,90.0,top",
        "D1,x,LED_WS2812B_PLCC4_5.0x5.0mm_P3.2mm,88.2749,-55.88,180.0,top",
        "C1,x,C_0805_2012Metric,1,-2,-90.0,top",
    )
    (tmp_path / "kicad.csv").write_text("\n".join(rows))
    assembly.write(SLOT, tmp_path / "kicad.csv", tmp_path)
    assert (tmp_path / "positions.csv").read_text().splitlines()[1:] == [
        "U1,75.56,-79.38,Top,270",
        "D1,88.27,-55.88,Top,0",
        "C1,1.00,-2.00,Top,270",
    ]
