# SPDX-License-Identifier: MIT
"""`.venv/bin/python -m hardware WHAT`: checks boards and housing, and makes files from them.

WHAT is one of these words.
housing: write STL and STEP files to build/hardware.
pictures: render the guide's pictures.
check: run KiCad's rule checks, check netlist, copper and the fit in the housing, and check that
    generated files are up to date.
fab: write the files for a board maker and a builder to build/hardware.
all: check, then fab.
draft: do the same as `all`, faster: into build/draft, with small pictures, none of the hubs.

`make made` makes the tables, drawings and wiring.
"""

import argparse
import shutil
import signal
import sys
import zipfile
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardware import (
    checks,
    external_tools,
    housing_plan,
    miso_timing,
    pinmap,
    readers_supply,
)
from hardware.kicad_files import HUB12, HUBS, PROJECTS, SLOT, Project

if TYPE_CHECKING:
    from hardware.housing import Housing

HERE = Path(__file__).parent
OUT = HERE.parent / "build" / "hardware"
DRAFT = HERE.parent / "build" / "draft"
PICTURES = HERE / "pictures"
# width of a board's picture in pixels; KiCad traces rays for each of them
WIDTH, DRAFT_WIDTH = 1600, 200


def housing(stations: int | None = None) -> None:
    """Check the parts of the housing, and write each as STL and STEP. stations: the count of
    stations, or None for as many as hub12 has."""
    built = _built(stations)
    checks.fit(built)
    _export(built, OUT / "housing")


def _built(stations: int | None = None) -> "Housing":
    """Return the checked housing. stations: the count of stations, or None for as many as hub12
    has."""
    from hardware.housing import Housing

    stations = stations or pinmap.stations(pinmap.load()["hub12"])
    hub, slot = housing_plan.hub(stations).board, SLOT.board
    return Housing(housing_plan.envelope(hub), housing_plan.envelope(slot), stations)


def _export(built: "Housing", folder: Path) -> None:
    from hardware.housing import export

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    export(built, folder)


def pictures() -> None:
    """Render the pictures of the housing and the boards for the guide."""
    from hardware import housing_pictures

    PICTURES.mkdir(parents=True, exist_ok=True)
    housing_pictures.pictures(_built(), PICTURES)
    for project in PROJECTS:
        sides = ("top", "bottom") if project is HUB12 else ("top",)  # as the guide shows
        external_tools.board_pictures(project, PICTURES, 900, sides)
        external_tools.populated_pictures(project, PICTURES, 1000)


def check() -> "Housing":
    """Run every check and return the housing. Raise Wrong at the first check that fails."""
    checks.texts()
    checks.parts()
    built = _built()
    checks.fit(built)
    checks.sight()
    for project in PROJECTS:
        checks.rules(project)
        checks.silk(project)
        checks.copper(project)
    for hub in HUBS:
        checks.connections(hub)
        checks.supply(hub)
        checks.readers(readers_supply.fitted(hub))
        checks.miso(miso_timing.fitted(hub))
        checks.edge(hub)
    return built


def fab(
    built: "Housing | None" = None,
    out: Path = OUT,
    width: int = WIDTH,
    drawn: Collection[Project] = PROJECTS,
) -> None:
    """Write all fabrication files: for each board gerbers (also as a zip file), drills, part
    positions, parts lists, the schematic as PDF, renders and a 3D model; also the wiring pictures
    and the housing.

    built: the checked housing, or None to build it.
    out: the folder for the files, which is emptied first.
    width: the width of each board's picture in pixels.
    drawn: the boards that get pictures and a 3D model.
    """
    from hardware import board_model, housing_pictures

    shutil.rmtree(out, ignore_errors=True)
    for project in PROJECTS:
        folder = out / project.name
        external_tools.fabrication_files(project, folder)
        checks.gerbers(project, folder)
        external_tools.clickable_list(project, folder)
        if project in drawn:
            external_tools.board_pictures(project, folder, width)
            external_tools.populated_pictures(project, folder, width)
            board_model.write(project, folder / (project.name + ".glb"))
        with zipfile.ZipFile(
            out / ("%s-gerbers.zip" % project.name), "w", zipfile.ZIP_DEFLATED
        ) as archive:
            for file in sorted((folder / "gerbers").iterdir()):
                archive.write(file, file.name)
    external_tools.draw_wires(out)
    built = built or _built()
    _export(built, out / "housing")
    housing_pictures.pictures(built, out, min(width, housing_pictures.WIDTH))
    for file in sorted(out.iterdir()):
        count = " (%d files)" % len(list(file.iterdir())) if file.is_dir() else ""
        print("%s%s" % (file.relative_to(HERE.parent), count))


def everything() -> None:
    """Run every check, then write the files for a board maker and a builder."""
    fab(check())


def draft() -> None:
    """Do the same as `everything`, with small pictures, none of the large board, and into another
    folder."""
    fab(check(), DRAFT, DRAFT_WIDTH, (SLOT,))


WIRING = ("wireviz", "yaml", "dot")
HOUSING = ("build123d", "trimesh")
READ_BACK = ("gerbonara", "InteractiveHtmlBom", "pypdf")
RENDERS = (*HOUSING, "pyvista", "vtk")
# command -> its function, what it needs
COMMANDS: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "housing": (housing, HOUSING),
    "pictures": (pictures, (*RENDERS, "kicad")),
    "check": (check, (*HOUSING, *WIRING, "kicad")),
    "fab": (fab, (*RENDERS, *READ_BACK, *WIRING, "kicad")),
    "all": (everything, (*RENDERS, *READ_BACK, *WIRING, "kicad")),
    "draft": (draft, (*RENDERS, *READ_BACK, *WIRING, "kicad")),
}


def main() -> None:
    """Carry out the command. If a check fails, print the reason and exit with status 1."""
    parser = argparse.ArgumentParser(prog=".venv/bin/python -m hardware", description=__doc__)
    parser.add_argument("what", choices=COMMANDS)
    parser.add_argument(
        "--stations", type=int, choices=housing_plan.STATIONS, help="of the housing"
    )
    args = parser.parse_args()
    options = {"stations": args.stations} if args.stations and args.what == "housing" else {}
    do, needs = COMMANDS[args.what]
    lacks = external_tools.lacking(needs)
    if lacks:
        sys.exit("%s needs %s" % (args.what, lacks))
    try:
        do(**options)
    except (checks.Wrong, external_tools.CheckFailed, ValueError) as error:
        sys.exit(str(error))
    except OSError as error:
        words = (error.filename or args.what, error.strerror)
        print("%s: %s; put that right, then try again" % words, file=sys.stderr)
        sys.exit(2)


def terminate(*_: object) -> None:
    """Exit on the signal SIGTERM."""
    sys.exit(143)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, terminate)
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
