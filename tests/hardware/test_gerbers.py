# SPDX-License-Identifier: MIT
"""The files for a board maker agree with the board, and differences are found."""

import re
import shutil

import pytest

pytest.importorskip("gerbonara", reason="`make tools` installs it")

from hardware import bom, external_tools, gerber_checks  # noqa: E402
from hardware.kicad_files import HUB12, PROJECTS, SLOT  # noqa: E402

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("kicad-cli"), reason="needs KiCad 9"),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fab")
    for project in PROJECTS:
        external_tools.fabrication_files(project, folder / project.name)
    return folder


@pytest.fixture
def files(made, tmp_path):
    """Return a copy of the files that a test may damage."""
    return shutil.copytree(made, tmp_path / "fab")


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)
def test_they_say_what_the_board_says(made, project):
    assert gerber_checks.mistakes(project, made / project.name) == []


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("hub12-In1_Cu.g1", "hub12: no copper on inner_1"),
        ("hub12-F_Mask.gts", "hub12: no mask on top"),
        ("hub12-Edge_Cuts.gm1", "hub12: no outline"),
    ],
)
def test_a_file_that_is_gone_is_found(files, file, line):
    (files / "hub12" / "gerbers" / file).unlink()
    (files / "hub12" / "gerbers" / "hub12-job.gbrjob").unlink()
    assert line in gerber_checks.mistakes(HUB12, files / "hub12")


def test_a_hole_that_is_gone_is_found(files):
    file = files / "slot" / "gerbers" / "slot-PTH.drl"
    text, count = re.subn(r"\nX[^\n]*(?=\n)", "", file.read_text(), count=1)
    assert count == 1
    file.write_text(text)
    (line,) = gerber_checks.mistakes(SLOT, files / "slot")
    assert re.fullmatch(r"slot: \d+ holes plated, the board has \d+", line)


def test_a_board_that_is_too_large_is_found(made, monkeypatch):
    monkeypatch.setattr(gerber_checks, "LARGEST", 99.0)
    assert gerber_checks.mistakes(HUB12, made / "hub12") == [
        "hub12: 99.16 x 99.16 mm, more than 99.0"
    ]


def test_copper_at_the_edge_is_found(made, monkeypatch):
    monkeypatch.setattr(gerber_checks, "EDGE", 0.8)
    lines = gerber_checks.mistakes(HUB12, made / "hub12")
    assert [line for line in lines if "copper on inner_1" in line]


def test_an_assembler_gets_every_part_and_where_it_is(made):
    for project in PROJECTS:
        folder = made / project.name
        listed = (folder / "bom.csv").read_text().splitlines()
        assert listed[0] == ",".join(bom.COLUMNS)
        placed = {
            line.split(",")[0] for line in (folder / "positions.csv").read_text().split()[1:]
        }
        for part in project.schematic.parts:
            if part.bought and not part.dnp:
                assert sum(bool(re.search(r"[,\"]%s[,\"]" % part.ref, x)) for x in listed) == 1
                assert '"%s"' % part.ref in placed or part.ref in placed
