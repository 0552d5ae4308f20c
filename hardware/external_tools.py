# SPDX-License-Identifier: MIT
"""The programs that draw and check: KiCad, and graphviz through WireViz."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from hardware import board_projects, bom, part_models

HERE = Path(__file__).parent
KICAD = "9.0"
# pcbnew is there for the Python that KiCad was built for, and for no other
PCBNEW = os.environ.get("KICAD_PYTHON", "/usr/bin/python3")
LAYERS = "F.Cu,B.Cu,F.Mask,B.Mask,F.SilkS,B.SilkS,Edge.Cuts"


class ToolError(Exception):
    """A program is missing, or ended with an error; the text says which and what it said."""


def run(words, env=None):
    """Run a command; return what it printed, raise ToolError where it fails."""
    words = [str(word) for word in words]
    done = subprocess.run(words, capture_output=True, text=True, env=env, cwd=HERE.parent)
    if done.returncode:
        raise ToolError(
            "%s: %s" % (" ".join(words[:4]), (done.stderr or done.stdout).strip()[-800:])
        )
    return done.stdout


def kicad(command, *words):
    """Run a command of kicad-cli: `kicad("pcb render --side top", file, "-o", picture)`."""
    return run(["kicad-cli", *command.split(), *words])


def lacking(needs):
    """Return what is not here of packages, `kicad` and `dot`, with the remedy; "" where all is."""
    gone = {}
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


def _has_pcbnew():
    """Whether KiCad's own Python, which draws the board, is where it is looked for."""
    try:
        return not subprocess.run([PCBNEW, "-c", "import pcbnew"], capture_output=True).returncode
    except OSError:
        return False


def route(name, file):
    """Draw a project's board into a .kicad_pcb; return what the router said."""
    # the order of a set of strings, and with it the file's, hangs on this
    env = {**os.environ, "PYTHONHASHSEED": "0"}
    return run([PCBNEW, "-m", "hardware.pcb", name, file], env=env).strip()


def violations(command, file):
    """Return what a check of KiCad finds in a file, a line each; command: `sch erc`, `pcb drc`."""
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
    ]


def netlist(sheet):
    """Return the text of a schematic's netlist."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "board.net"
        kicad("sch export netlist", sheet, "-o", file)
        return file.read_text()


def for_a_board_maker(project, folder):
    """Gerbers and drills into folder/gerbers; positions, list of parts and schematic beside it."""
    gerbers = folder / "gerbers"
    gerbers.mkdir(parents=True)
    board, sheet = project.board, project.sheet
    layers = LAYERS + (",In1.Cu,In2.Cu" if project is board_projects.HUB12 else "")
    kicad("pcb export gerbers", board, "-o", gerbers, "--layers", layers)
    kicad("pcb export drill --excellon-separate-th", board, "-o", str(gerbers) + "/")
    kicad("pcb export pos --format csv --units mm", board, "-o", folder / "positions.csv")
    bom.write_csv(project.name, folder / "bom.csv")
    kicad("sch export pdf", sheet, "-o", folder / "schematic.pdf")


def clickable_list(project, folder):
    """Write ibom.html into a folder: the list of parts, each shown on the board by a click."""
    # it runs in KiCad's own Python, with what `make tools` installed for ours
    packages = Path(importlib.util.find_spec("InteractiveHtmlBom").origin).parents[1]
    env = {
        **os.environ,
        "PYTHONPATH": str(packages),
        "INTERACTIVE_HTML_BOM_NO_DISPLAY": "1",
    }
    words = ["--no-browser", "--dest-dir", folder, "--name-format", "ibom", project.board]
    run([PCBNEW, "-m", "InteractiveHtmlBom.generate_interactive_bom", *words], env=env)
    tidy(project.folder)


def board_pictures(project, folder, size):
    """Render both sides of a board; size: pixels, of a square."""
    for side in ("top", "bottom"):
        file = folder / ("%s-%s.png" % (project.name, side))
        kicad("pcb render --side", side, project.board, "-o", file, "-w", size, "-h", size)
    tidy(project.folder)


ANGLE = ("--rotate", "-50,0,25", "--perspective", "--zoom", "0.8", "--pan", "0,1,0")


def populated_pictures(project, folder, size):
    """Render a board with its parts, NAME-above.png and, at an angle, NAME-parts.png; size:
    pixels across."""
    with tempfile.TemporaryDirectory() as name:
        board = Path(name) / project.board.name
        board.write_text(part_models.populated(project.board.read_text(), name))
        for what, high, view in (
            ("above", size, ("--side", "top")),
            ("parts", size * 4 // 5, ANGLE),
        ):
            file = folder / ("%s-%s.png" % (project.name, what))
            kicad("pcb render", *view, board, "-o", file, "-w", size, "-h", high)


def tidy(folder):
    """Remove what KiCad leaves behind in a project's folder."""
    for rest in (*folder.glob("*.kicad_prl"), folder / "fp-info-cache"):
        rest.unlink(missing_ok=True)


def draw_wires(folder):
    """Draw each source of the wiring as SVG into a folder."""
    for source in sorted((HERE / "wiring").glob("*.yml")):
        run([sys.executable, "-m", "wireviz.wv_cli", "-f", "s", "-o", folder, source])
