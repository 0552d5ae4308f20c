# SPDX-License-Identifier: MIT
"""Each command of `.venv/bin/python -m hardware` first checks that all it needs is installed."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from kicad_copies import needs_kicad

from hardware import __main__ as command_line
from hardware import checks, external_tools
from hardware.kicad_files import PROJECTS

ROOT = Path(__file__).resolve().parents[2]


def run(monkeypatch, what):
    monkeypatch.setattr(sys, "argv", ["hardware", what])
    command_line.main()


@pytest.mark.parametrize("what", [w for w, (_, n) in command_line.COMMANDS.items() if n])
def test_what_lacks_is_one_line_before_anything_begins(what, monkeypatch):
    needs = command_line.COMMANDS[what][1]
    monkeypatch.setitem(command_line.COMMANDS, what, (lambda: 1 / 0, needs))
    monkeypatch.setattr(external_tools.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(external_tools.shutil, "which", lambda name: None)
    with pytest.raises(SystemExit) as ended:
        run(monkeypatch, what)
    said = ended.value.code
    assert said.startswith(what + " needs ") and "\n" not in said
    assert "`make tools`" in said
    assert ("KiCad 9.0" in said) == ("kicad" in needs)
    assert ("graphviz" in said) == ("dot" in needs)


def test_another_kicad_will_not_do(monkeypatch):
    monkeypatch.setattr(external_tools.shutil, "which", lambda name: name)
    monkeypatch.setattr(external_tools, "kicad", lambda *_: "6.0.11\n")
    assert external_tools.lacking(["kicad"]).startswith(
        "KiCad 9.0 with its libraries and its Python ("
    )


@pytest.mark.slow
@pytest.mark.parametrize("what", sorted(command_line.COMMANDS))
def test_with_python_alone_it_does_its_work_or_says_one_line(what, tmp_path):
    for folder in ("hardware", "firmware"):
        ignored = shutil.ignore_patterns("*.lck")  # of KiCad, which other checks run
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    command = [sys.executable, "-S", "-m", "hardware", what]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    needs = command_line.COMMANDS[what][1]
    if not needs:
        assert done.returncode == 0, done.stderr
    else:
        assert done.returncode == 1
        (said,) = done.stderr.splitlines()
        assert said.startswith(what + " needs ")


@pytest.mark.slow
@needs_kicad
@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)
def test_a_schematic_is_printed_on_a4(project, tmp_path):
    pypdf = pytest.importorskip("pypdf")
    external_tools.fabrication_files(project, tmp_path)
    (page,) = pypdf.PdfReader(tmp_path / "schematic.pdf").pages
    assert page.mediabox[2:] == pytest.approx(external_tools.A4, abs=1)
    assert project.schematic.parts[0].ref in page.extract_text()


@pytest.mark.slow
def test_the_wiring_pictures_are_those_of_their_sources(tmp_path):
    wiring = pytest.importorskip("hardware.wiring_check")
    if not shutil.which("dot"):
        pytest.skip("needs graphviz")
    external_tools.draw_wires(tmp_path)
    pictures = sorted(tmp_path.glob("*.svg"))
    assert len(pictures) == len(wiring.NAMES)
    for picture in pictures:
        assert checks.words(picture) == checks.words(wiring.FOLDER / picture.name)


@pytest.mark.parametrize("version, found", [("9.0.8", 2), ("9.0.2", 1)])
def test_a_library_of_another_version_is_no_violation(monkeypatch, version, found):
    def kicad(command, *words):
        if command != "version":
            kinds = ("lib_footprint_mismatch", "clearance")
            rows = [{"type": kind, "description": kind, "items": []} for kind in kinds]
            Path(words[-1]).write_text(json.dumps({"violations": rows}))
        return version + "\n"

    monkeypatch.setattr(external_tools, "kicad", kicad)
    lines = external_tools.violations("pcb drc", Path("board.kicad_pcb"))
    assert lines[-1] == "clearance: " and len(lines) == found
