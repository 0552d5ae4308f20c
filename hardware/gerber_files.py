# SPDX-License-Identifier: MIT
"""What a board maker gets, read back by a program that is no part of KiCad.

Layers, size, drills and copper of the gerbers against the board file. Lengths in mm.
"""

import math
import warnings

from gerbonara import LayerStack
from gerbonara.utils import MM

from hardware import copper_paths, sexp

LARGEST = 99.9  # what most makers sell as 100 x 100
EDGE = 0.5  # copper stays that far from it


def mistakes(project, folder):
    """Return what the files in folder/gerbers say otherwise than the board, a line each."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # KiCad says twice that its drills are absolute
        stack = LayerStack.open(folder / "gerbers")
        outline = stack.graphic_layers.get(("mechanical", "outline"))
        if outline is None:
            return ["%s: no outline" % project.name]
        box = outline.bounding_box(MM)
    board = sexp.loads(project.board.read_text())
    return [
        "%s: %s" % (project.name, line)
        for line in (
            *_layers(stack, board),
            *_size(box),
            *_drills(stack, project),
            *_inside(stack, box),
        )
    ]


def _layers(stack, board):
    """Copper, mask and print on both sides, and as many layers inside as the board has."""
    copper = [layer for layer in sexp.one(board, "layers")[1:] if layer[1].endswith(".Cu")]
    wanted = {(side, use) for side in ("top", "bottom") for use in ("copper", "mask", "silk")}
    wanted |= {("inner_%d" % n, "copper") for n in range(1, len(copper) - 1)}
    for side, use in sorted(wanted):
        layer = stack.graphic_layers.get((side, use))
        if layer is None or not layer.objects:
            yield "no %s on %s" % (use, side)


def _size(box):
    (x1, y1), (x2, y2) = box
    if max(x2 - x1, y2 - y1) > LARGEST:
        yield "%.2f x %.2f mm, more than %.1f" % (x2 - x1, y2 - y1, LARGEST)


def _drills(stack, project):
    """Plated holes and others in files of their own, as many as the board has."""
    copper = copper_paths.Copper(project.board.read_text())
    holes = [pad for pads in copper.pads.values() for pad in pads if pad[3] is None]
    bare = sum(1 for ref in copper.values if ref[0] == "H")
    plated = len(copper.vias) + len(holes) - bare
    for name, file, count in (
        ("plated", stack.drill_pth, plated),
        ("not plated", stack.drill_npth, bare),
    ):
        found = len(file.objects) if file else 0
        if found != count:
            yield "%d holes %s, the board has %d" % (found, name, count)


def _inside(stack, box):
    """No copper beyond the outline."""
    (x1, y1), (x2, y2) = box
    for (side, use), layer in stack.graphic_layers.items():
        if use != "copper" or not layer.objects:
            continue
        (a1, b1), (a2, b2) = layer.bounding_box(MM)
        near = min(a1 - x1, b1 - y1, x2 - a2, y2 - b2)
        if near < EDGE and not math.isclose(near, EDGE):
            yield "copper on %s is %.2f mm from the edge" % (side, near)
