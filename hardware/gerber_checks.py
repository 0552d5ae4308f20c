# SPDX-License-Identifier: MIT
"""Reads the fabrication files with a program other than KiCad, and compares them with the board
and its schematic.

Lengths are in mm.
"""

import csv
import math
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gerbonara import LayerStack
from gerbonara.utils import MM

from hardware import assembly
from hardware.kicad_files import Board, Project

# with the outline's line; what most makers sell as 100 x 100, but for hub16
LARGEST = {"hub12": 99.9, "hub16": 127.2, "slot": 99.9}
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
            *_size(box, LARGEST[project.name]),
            *_drills(stack, project.board),
            *_inside(stack, box),
            *_paste(stack, project, box),
            *_assembly(project, folder),
        )
    ]


def _layers(stack: Any, board: Board) -> Iterator[str]:
    """Yield a line of text for each missing layer of copper, mask, print or paste."""
    wanted = {(side, use) for side in ("top", "bottom") for use in ("copper", "mask", "silk")}
    wanted.add(("top", "paste"))
    wanted |= {("inner_%d" % n, "copper") for n in range(1, len(board.copper) - 1)}
    for side, use in sorted(wanted):
        layer = stack.graphic_layers.get((side, use))
        if layer is None or not layer.objects:
            yield "no %s on %s" % (use, side)


def _size(box: Corners, most: float) -> Iterator[str]:
    (x1, y1), (x2, y2) = box
    if max(x2 - x1, y2 - y1) > most:
        yield "%.2f x %.2f mm, more than %.1f" % (x2 - x1, y2 - y1, most)


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
    """Yield the mistakes in an assembler's two lists: what the form does not allow, and each part
    that is not in both."""
    rows: dict[str, list[dict[str, str]]] = {}
    for name, columns in (
        (assembly.PARTS, assembly.PARTS_COLUMNS),
        (assembly.PLACES, assembly.PLACES_COLUMNS),
    ):
        text = (folder / name).read_text()
        if not text.isascii():
            yield "%s is not ASCII" % name
        reader = csv.DictReader(text.splitlines())
        if tuple(reader.fieldnames or ()) != columns:
            yield "%s: its columns are %s" % (name, " ".join(reader.fieldnames or ()))
            return
        rows[name] = list(reader)
    listed = [ref for row in rows[assembly.PARTS] for ref in row["Designator"].split(",")]
    placed = [row["Designator"] for row in rows[assembly.PLACES]]
    for ref in sorted({*listed, *placed, *soldered_flat(project)}):
        wanted = ref in soldered_flat(project)
        for name, refs in ((assembly.PARTS, listed), (assembly.PLACES, placed)):
            if refs.count(ref) != wanted:
                yield "%s is %d times in %s" % (ref, refs.count(ref), name)
    for row in rows[assembly.PARTS]:
        if not re.fullmatch(r"(C\d+)?", row["JLCPCB Part #"]):
            yield "%s: %s is not a number of LCSC" % (row["Designator"], row["JLCPCB Part #"])
    for row in rows[assembly.PLACES]:
        if not re.fullmatch(r"0|90|180|270", row["Rotation"]):
            yield "%s is turned by %s degrees" % (row["Designator"], row["Rotation"])


def soldered_flat(project: Project) -> set[str]:
    """Return the references of the parts that an assembler solders: bought, always fitted, and
    without a lead through the board."""
    return {
        part.ref
        for part in project.schematic.parts
        if part.bought and not part.dnp
        if not any(pad.drill for pad in project.board[part.ref].pads)
    }


def _paste(stack: Any, project: Project, box: Corners) -> Iterator[str]:
    """Yield each pad for which the stencil has no opening."""
    layer = stack.graphic_layers.get(("top", "paste"))
    openings = [item.bounding_box(MM) for item in layer.objects] if layer else []
    (left, _), (_, top) = box
    for ref in sorted(soldered_flat(project)):
        for pad in project.board[ref].pads:
            if not pad.layers or not pad.number:
                continue
            x, y, reach = left + pad.place[0], top - pad.place[1], min(pad.size) / 2
            if not any(
                x1 - reach < x < x2 + reach and y1 - reach < y < y2 + reach
                for (x1, y1), (x2, y2) in openings
            ):
                yield "no opening in the stencil for pad %s of %s" % (pad.number, ref)
