# SPDX-License-Identifier: MIT
"""Reads the fabrication files with a program other than KiCad, and compares them with the board
and its schematic.

Lengths are in mm.
"""

import csv
import math
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gerbonara import LayerStack
from gerbonara.utils import MM

from hardware.kicad_files import Board, Project

LARGEST = 99.9  # what most makers sell as 100 x 100
EDGE = 0.5  # from copper to it
Corners = tuple[tuple[float, float], tuple[float, float]]


def mistakes(project: Project, folder: Path) -> list[str]:
    """Return the differences between a board and the files in a folder, which are those of
    external_tools.fabrication_files: one line of text each."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # KiCad states twice that its drills are absolute
        stack = LayerStack.open(folder / "gerbers")
        outline = stack.graphic_layers.get(("mechanical", "outline"))
        if outline is None:
            return ["%s: no outline" % project.name]
        box = outline.bounding_box(MM)
    return [
        "%s: %s" % (project.name, line)
        for line in (
            *_layers(stack, project.board),
            *_size(box),
            *_drills(stack, project.board),
            *_inside(stack, box),
            *_assembly(project, folder),
        )
    ]


def _layers(stack: Any, board: Board) -> Iterator[str]:
    """Yield a line of text for each missing layer of copper, mask or print."""
    wanted = {(side, use) for side in ("top", "bottom") for use in ("copper", "mask", "silk")}
    wanted |= {("inner_%d" % n, "copper") for n in range(1, len(board.copper) - 1)}
    for side, use in sorted(wanted):
        layer = stack.graphic_layers.get((side, use))
        if layer is None or not layer.objects:
            yield "no %s on %s" % (use, side)


def _size(box: Corners) -> Iterator[str]:
    (x1, y1), (x2, y2) = box
    if max(x2 - x1, y2 - y1) > LARGEST:
        yield "%.2f x %.2f mm, more than %.1f" % (x2 - x1, y2 - y1, LARGEST)


def _drills(stack: Any, board: Board) -> Iterator[str]:
    """Yield the mistakes in the two drill files, for plated holes and for other holes."""
    holes = [pad for part in board.footprints.values() for pad in part.pads if pad.drill]
    bare = sum(not pad.plated for pad in holes)
    plated = len(board.vias) + len(holes) - bare
    for name, file, count in (
        ("plated", stack.drill_pth, plated),
        ("not plated", stack.drill_npth, bare),
    ):
        found = len(file.objects) if file else 0
        if found != count:
            yield "%d holes %s, the board has %d" % (found, name, count)


def _inside(stack: Any, box: Corners) -> Iterator[str]:
    """Yield a line of text for each layer with copper outside the outline."""
    (x1, y1), (x2, y2) = box
    for (side, use), layer in stack.graphic_layers.items():
        if use != "copper" or not layer.objects:
            continue
        (a1, b1), (a2, b2) = layer.bounding_box(MM)
        near = min(a1 - x1, b1 - y1, x2 - a2, y2 - b2)
        if near < EDGE and not math.isclose(near, EDGE):
            yield "copper on %s is %.2f mm from the edge" % (side, near)


def _assembly(project: Project, folder: Path) -> Iterator[str]:
    """Yield a line of text for each part that an assembler does not get or cannot place."""
    with open(folder / "bom.csv", newline="") as file:
        listed = [ref for row in csv.DictReader(file) for ref in row["Designator"].split(",")]
    with open(folder / "positions.csv", newline="") as file:
        placed = {row["Ref"] for row in csv.DictReader(file)}
    for part in project.schematic.parts:
        if part.bought and not part.dnp:
            if listed.count(part.ref) != 1:
                yield "%s is %d times in bom.csv" % (part.ref, listed.count(part.ref))
            if part.ref not in placed:
                yield "%s is not in positions.csv" % part.ref
