# SPDX-License-Identifier: MIT
"""Differences between a board and the files for its maker are found. `make hardware` finds none on
both boards."""

import re
import shutil

import pytest

pytest.importorskip("gerbonara", reason="`make tools` installs it")

from hardware import external_tools, gerber_checks  # noqa: E402
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
    monkeypatch.setattr(gerber_checks, "LARGEST", 42.0)
    assert gerber_checks.mistakes(SLOT, made) == ["slot: 42.01 x 40.11 mm, more than 42.0"]


def test_copper_at_the_edge_is_found(made, monkeypatch):
    monkeypatch.setattr(gerber_checks, "EDGE", 0.8)
    assert gerber_checks.mistakes(SLOT, made) == [
        "slot: copper on bottom is 0.65 mm from the edge"
    ]


def test_a_part_that_an_assembler_does_not_get_is_found(files):
    for name, found in (
        ("bom.csv", "slot: U1 is 0 times in bom.csv"),
        ("positions.csv", "slot: U1 is not in positions.csv"),
    ):
        lines = (files / name).read_text().splitlines(keepends=True)
        (files / name).write_text("".join(line for line in lines if "U1" not in line))
        assert found in gerber_checks.mistakes(SLOT, files)
