# SPDX-License-Identifier: MIT
"""Runs the external programs that check, export and draw: KiCad, and graphviz through WireViz."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from hardware import assembly, part_models
from hardware.kicad_files import Project

HERE = Path(__file__).parent
KICAD = "9.0"
LIBRARY = "9.0.8"  # the KiCad whose library has the same footprints and symbols as the projects
OF_LIBRARY = (
    *("lib_footprint_mismatch", "lib_footprint_issues"),
    *("lib_symbol_mismatch", "lib_symbol_issues"),
)
# only the Python that KiCad was built for has pcbnew
PCBNEW = os.environ.get("KICAD_PYTHON", "/usr/bin/python3")
A4 = (841.89, 595.28)  # wide, high, in points
LAYERS = ("F.Paste", "F.Mask", "B.Mask", "F.SilkS", "B.SilkS", "Edge.Cuts")  # besides copper


class CheckFailed(Exception):
    """Raised if a program is missing or exits with an error. The text has its name and output."""


def run(command: Iterable[Any], env: dict[str, str] | None = None) -> str:
    """Run a command and return its output; raise CheckFailed if it fails."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, env=env, cwd=HERE.parent)
    if done.returncode:
        raise CheckFailed(
            "%s: %s" % (" ".join(words[:4]), (done.stderr or done.stdout).strip()[-800:])
        )
    return done.stdout


def kicad(command: str, *words: object) -> str:
    """Run kicad-cli, for example `kicad("pcb render --side top", file, "-o", picture)`."""
    return run(["kicad-cli", *command.split(), *words])


def lacking(needs: Iterable[str]) -> str:
    """Return which of the given packages and programs (`kicad`, `dot`) are missing, and how to
    install them; "" if none is."""
    gone: dict[str, list[str]] = {}
    for need in needs:
        what, remedy = need, "`make tools` sets it up"
        if need == "kicad":
            have = shutil.which("kicad-cli") and kicad("version").strip()
            if have and have.startswith(KICAD) and _has_pcbnew():
                continue
            what = "KiCad %s with its libraries and its Python" % KICAD
            remedy = "hardware/install-debian.sh, on Debian 12 or 13"
        elif need == "dot":
            if shutil.which("dot"):
                continue
            what, remedy = "graphviz", "hardware/install-debian.sh, on Debian 12 or 13"
        elif importlib.util.find_spec(need):
            continue
        gone.setdefault(remedy, []).append(what)
    return "; ".join("%s (%s)" % (", ".join(names), how) for how, names in gone.items())


def _has_pcbnew() -> bool:
    """Return whether KiCad's Python interpreter, with pcbnew, is in the expected place."""
    try:
        return not subprocess.run([PCBNEW, "-c", "import pcbnew"], capture_output=True).returncode
    except OSError:
        return False


def stale_pours(project: Project) -> list[str]:
    """Return the pours whose fill is out of date, one line of text each."""
    with tempfile.TemporaryDirectory() as name:
        copy = project.copy(Path(name))
        return run([PCBNEW, "-m", "hardware.pour_check", copy.file("kicad_pcb")]).splitlines()


def has_library() -> bool:
    """Return whether the installed KiCad has the version LIBRARY. The symbols and footprints of
    the projects are from that version's libraries."""
    return kicad("version").strip() == LIBRARY


def violations(command: str, file: Path) -> list[str]:
    """Return the violations that a KiCad check finds in a file, one line of text each. Differences
    from KiCad's libraries of symbols and footprints are listed only if has_library().

    command: `sch erc` or `pcb drc`.
    """
    left_out = () if has_library() else OF_LIBRARY
    with tempfile.TemporaryDirectory() as name:
        out = Path(name) / "report.json"
        kicad(command, file, "--severity-all", "--format", "json", "-o", out)
        report = json.loads(out.read_text())
    lists = [report.get(k, []) for k in ("violations", "unconnected_items", "schematic_parity")]
    lists += [sheet["violations"] for sheet in report.get("sheets", [])]
    return [
        "%s: %s" % (v["description"], "; ".join(item["description"] for item in v["items"]))
        for some in lists
        for v in some
        if v["type"] not in left_out
    ]


def netlist(sheet: Path) -> str:
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "board.net"
        kicad("sch export netlist", sheet, "-o", file)
        return file.read_text()


def fabrication_files(project: Project, folder: Path) -> None:
    """Write part positions, the parts list and the schematic into a folder, and gerbers and drills
    into its subfolder `gerbers`."""
    gerbers = folder / "gerbers"
    gerbers.mkdir(parents=True)
    board = project.file("kicad_pcb")
    layers = ",".join((*project.board.copper, *LAYERS))
    kicad("pcb export gerbers", board, "-o", gerbers, "--layers", layers)
    kicad("pcb export drill --excellon-separate-th", board, "-o", str(gerbers) + "/")
    with tempfile.TemporaryDirectory() as name:
        exported = Path(name) / "positions.csv"
        kicad(assembly.KICAD, board, "-o", exported)
        assembly.write(project, exported, folder)
    schematic = folder / "schematic.pdf"
    kicad(
        "sch export pdf --exclude-pdf-property-popups",
        *(project.file("kicad_sch"), "-o", schematic),
    )
    scale_to_a4(schematic)


def scale_to_a4(file: Path) -> None:
    """Scale the pages of a PDF to A4, landscape, as any printer takes it."""
    from pypdf import PdfWriter

    pdf = PdfWriter(clone_from=file)
    for page in pdf.pages:
        page.scale_to(*A4)
    pdf.write(file)


def clickable_list(project: Project, folder: Path) -> None:
    """Write ibom.html into a folder: a parts list where a click shows a part on the board."""
    # it runs in KiCad's own Python, with what `make tools` installed for ours
    spec = importlib.util.find_spec("InteractiveHtmlBom")
    assert spec and spec.origin
    packages = Path(spec.origin).parents[1]
    env = {
        **os.environ,
        "PYTHONPATH": str(packages),
        "INTERACTIVE_HTML_BOM_NO_DISPLAY": "1",
    }
    words = [
        "--no-browser",
        "--dest-dir",
        folder,
        "--name-format",
        "ibom",
        project.file("kicad_pcb"),
    ]
    run([PCBNEW, "-m", "InteractiveHtmlBom.generate_interactive_bom", *words], env=env)
    tidy(project.folder)


def board_pictures(
    project: Project, folder: Path, size: int, sides: Sequence[str] = ("top", "bottom")
) -> None:
    """Render the given sides of a bare board. size: each picture's width and height in pixels."""
    for side in sides:
        file = folder / ("%s-%s.png" % (project.name, side))
        kicad(
            "pcb render --side",
            side,
            project.file("kicad_pcb"),
            "-o",
            file,
            "-w",
            size,
            "-h",
            size,
        )
    tidy(project.folder)


# Degrees without a minus: KiCad 9.0.2 takes a word that begins with one for an option.
ANGLE = ("--rotate", "310,0,25", "--perspective", "--zoom", "0.8", "--pan", "0,1,0")


def populated_pictures(project: Project, folder: Path, size: int) -> None:
    """Render a board with its parts twice: NAME-above.png from above, and NAME-parts.png at an
    angle. size: the width of each picture in pixels."""
    with tempfile.TemporaryDirectory() as name:
        file = project.file("kicad_pcb")
        board = Path(name) / file.name
        board.write_text(part_models.populated(file.read_text(), Path(name)))
        for what, high, view in (
            ("above", size, ("--side", "top")),
            ("parts", size * 4 // 5, ANGLE),
        ):
            file = folder / ("%s-%s.png" % (project.name, what))
            kicad("pcb render", *view, board, "-o", file, "-w", size, "-h", high)


def tidy(folder: Path) -> None:
    """Remove the files that KiCad leaves behind in a project's folder."""
    for rest in (*folder.glob("*.kicad_prl"), folder / "fp-info-cache"):
        rest.unlink(missing_ok=True)


def draw_wires(folder: Path) -> None:
    """Draw every WireViz source in a folder as an SVG file."""
    for source in sorted((HERE / "wiring").glob("*.yml")):
        run([sys.executable, "-m", "wireviz.wv_cli", "-f", "s", "-o", folder, source])
