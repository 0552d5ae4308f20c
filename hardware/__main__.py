# SPDX-License-Identifier: MIT
"""`python -m hardware WHAT`: makes the hub's hardware files from their sources, and checks them.

pins: the firmware's board description. bom: BOM.md. guide: the tables and line drawings of
GUIDE.md, and its tick list to print. wiring: sources and pictures of the wiring (wants graphviz).
draw: schematic, board and project files (KiCad 9; the board takes a minute). housing: STL and
STEP, in build/hardware. pictures: the renders of the guide.
check: rules, netlist, fit, and whether everything is as its source makes it. fab: what a board
maker and a builder want, in build/hardware. all: check, then fab.
"""

import argparse
import shutil
import signal
import sys
import tempfile
import zipfile
from pathlib import Path

from hardware import (
    bom,
    checks,
    external_tools,
    guide_drawings,
    guide_tables,
    kicad_project,
    pcb_reader,
    pinmap,
    schematic,
    tick_list,
)
from hardware.board_projects import PROJECTS

HERE = Path(__file__).parent
OUT = HERE.parent / "build" / "hardware"
PICTURES = HERE / "pictures"


def pins():
    """The firmware's board description, from the pin map."""
    pinmap.BOARDS.write_text(pinmap.firmware(pinmap.load()))


def buy():
    """BOM.md, from the circuit and what parts.toml knows."""
    bom.FILE.write_text(bom.text())


def guide():
    """What is made from something else: tables and drawings of GUIDE.md, its tick list."""
    text = guide_tables.fresh(guide_tables.FILE.read_text())
    guide_tables.FILE.write_text(text)
    for file, drawing in guide_drawings.drawings().items():
        file.write_text(drawing)
    tick_list.FILE.write_text(tick_list.page(text))


def wiring():
    """The wiring's sources, and their pictures."""
    from hardware import wiring_pictures

    for name, text in wiring_pictures.sources().items():
        (wiring_pictures.FOLDER / name).write_text(text)
    external_tools.draw_wires(wiring_pictures.FOLDER)


def draw():
    """Schematics, projects and boards, all from their sources."""
    for project in PROJECTS:
        _draw(project, project.folder)


def _draw(project, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in kicad_project.files(project).items():
        (folder / name).write_text(text)
    (folder / project.sheet.name).write_text(schematic.build(project))
    said = external_tools.route(project.name, folder / project.board.name)
    print("%s: %s" % (project.name, said.split("\n")[-1]))
    external_tools.tidy(folder)


def housing(stations=None):
    """STL and STEP of every part, checked."""
    built = _built(stations)
    checks.fit(built)
    _export(built)


def _built(stations=None):
    """Return the housing of so many stations, of as many as the board carries where None."""
    from hardware import housing

    boards = (pcb_reader.load(project.board.read_text()) for project in PROJECTS)
    return housing.Housing(*boards, stations or pinmap.load()["hub12"]["stations"])


def _export(built):
    from hardware import housing

    folder = OUT / "housing"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    housing.export(built, folder)


def pictures():
    """What the guide shows: the housing's renders and the board's."""
    from hardware import housing_pictures

    PICTURES.mkdir(parents=True, exist_ok=True)
    housing_pictures.pictures(_built(), PICTURES)
    for project in PROJECTS:
        external_tools.board_pictures(project, PICTURES, 900)
        external_tools.populated_pictures(project, PICTURES, 1000)


def check():
    """Raise CheckError at the first thing that is not as it should be; return the housing."""
    checks.texts()
    built = _built()
    checks.fit(built)
    for project in PROJECTS:
        with tempfile.TemporaryDirectory() as name:
            _draw(project, Path(name))
            checks.drawn(project, Path(name))
        checks.rules(project)
        checks.copper(project)
    checks.connections()
    checks.supply()
    checks.miso()
    return built


def fab(built=None):
    """Gerbers, drills, positions, BOM, schematic PDF, renders, wiring, housing, and a zip for a
    board maker."""
    from hardware import housing_pictures

    shutil.rmtree(OUT, ignore_errors=True)
    for project in PROJECTS:
        folder = OUT / project.name
        external_tools.for_a_board_maker(project, folder)
        checks.gerbers(project, folder)
        external_tools.clickable_list(project, folder)
        external_tools.board_pictures(project, folder, 1600)
        external_tools.populated_pictures(project, folder, 1600)
        archive = OUT / ("%s-gerbers.zip" % project.name)
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted((folder / "gerbers").iterdir()):
                archive.write(file, file.name)
    external_tools.draw_wires(OUT)
    built = built or _built()
    _export(built)
    housing_pictures.pictures(built, OUT)
    for file in sorted(OUT.iterdir()):
        there = " (%d files)" % len(list(file.iterdir())) if file.is_dir() else ""
        print("%s%s" % (file.relative_to(HERE.parent), there))


def everything():
    """Check, then make what a board maker and a builder want."""
    fab(check())


WIRING = ("wireviz", "yaml", "dot")
HOUSING = ("build123d", "trimesh")
READ_BACK = ("gerbonara", "InteractiveHtmlBom")
PICTURES_OF_IT = (*HOUSING, "pyvista", "vtk")
COMMANDS = {  # what to do -> the function that does it, what it needs
    "pins": (pins, ()),
    "bom": (buy, ()),
    "guide": (guide, ()),
    "wiring": (wiring, WIRING),
    "housing": (housing, HOUSING),
    "pictures": (pictures, (*PICTURES_OF_IT, "kicad")),
    "draw": (draw, ("kicad",)),
    "check": (check, (*HOUSING, *WIRING, "kicad")),
    "fab": (fab, (*PICTURES_OF_IT, *READ_BACK, *WIRING, "kicad")),
    "all": (everything, (*PICTURES_OF_IT, *READ_BACK, *WIRING, "kicad")),
}


def main():
    """Carry out the command that was asked for; say what is wrong and end with 1."""
    parser = argparse.ArgumentParser(prog="python -m hardware", description=__doc__)
    parser.add_argument("what", choices=COMMANDS)
    parser.add_argument("--stations", type=int, choices=range(4, 11), help="of the housing")
    args = parser.parse_args()
    asked = {"stations": args.stations} if args.stations and args.what == "housing" else {}
    do, needs = COMMANDS[args.what]
    lacks = external_tools.lacking(needs)
    if lacks:
        sys.exit("%s needs %s" % (args.what, lacks))
    try:
        do(**asked)
    except (checks.CheckError, external_tools.ToolError, ValueError) as error:
        sys.exit(str(error))
    except OSError as error:
        said = (error.filename or args.what, error.strerror)
        print("%s: %s; put that right, then try again" % said, file=sys.stderr)
        sys.exit(2)


def terminate(*_):
    """The handler of SIGTERM."""
    sys.exit(143)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, terminate)
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
