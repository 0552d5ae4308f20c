# SPDX-License-Identifier: MIT
"""Checks that solids do not overlap, can be printed without supports, and are closed bodies. Also
makes the grooves of engraved words. Lengths are in mm."""

import functools
import math
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import trimesh
from build123d import (
    Align,
    BoundBox,
    Box,
    Cylinder,
    Location,
    Part,
    Pos,
    Rot,
    export_step,
    export_stl,
)

from hardware.kicad_files import Place

ON_TABLE = (Align.CENTER, Align.CENTER, Align.MIN)
HANGING = (Align.CENTER, Align.CENTER, Align.MAX)
DEEP = 0.5  # of a groove; twice as wide
# strokes of the engraved letters, between points (x, y) of a field of 2 x 4
STROKES = {
    "1": ("14 10",),
    "2": ("04 24 22 02 00 20",),
    "3": ("04 24 20 00", "02 22"),
    "4": ("04 02 22", "24 20"),
    "5": ("24 04 02 22 20 00",),
    "6": ("24 04 00 20 22 02",),
    "7": ("04 24 10",),
    "8": ("00 04 24 20 00", "02 22"),
    "9": ("22 02 04 24 20 00",),
    "0": ("00 04 24 20 00",),
    "M": ("00 04 12 24 20",),
    "E": ("24 04 00 20", "02 12"),
    ".": ("10 10.4",),
}


def joined(solids: Iterable[Part]) -> Part:
    one, *others = solids
    return one + others if others else one


def between(a: Place, b: Place, z: float = 0.0) -> Location:
    """Return the location halfway between two points, with its x axis along the line from a to
    b."""
    turn = math.degrees(math.atan2(b[1] - a[1], b[0] - a[0]))
    return Pos((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, z) * Rot(0, 0, turn)


def groove(points: Sequence[Place], closed: bool = False) -> Part:
    """Return the solid to cut out of a surface at z = 0 to make a groove along the lines between
    the points. The groove's sides slope at 45 degrees, for printing face down."""
    side = DEEP * math.sqrt(2)
    ends = zip(points, [*points[1:], points[0]] if closed else points[1:])
    return joined(
        between(a, b) * Rot(45, 0, 0) * Box(math.dist(a, b) + 0.02, side, side) for a, b in ends
    )


def words(text: str, high: float) -> Part:
    """Return the grooves of a word, centred on the origin, with its top towards -x. high: the
    height of the letters in mm."""
    step = high / 4
    wide = 3 * step * len(text) - step
    grooves = []
    for n, letter in enumerate(text):
        for stroke in STROKES[letter]:
            places = [(float(p[0]), float(p[1:])) for p in stroke.split()]
            points = [(2 * step - y * step, n * 3 * step + x * step - wide / 2) for x, y in places]
            grooves.append(groove(points))
    return joined(grooves)


def column(x: float, y: float, z: float, radius: float, top: float) -> Part:
    """Return an upright cylinder from height z to height `top`."""
    return Pos(x, y, z) * Cylinder(radius, top - z, align=ON_TABLE)


def ladder(steps: Sequence[float], size: float = 30.0) -> Part:
    """Return a measuring ladder: a plate with an engraved field for each thickness in `steps`
    (mm). size: the length of a field's edge."""
    rows = math.ceil(len(steps) / 3)
    places = [(size * (n % 3 - 1), size * (n // 3 - (rows - 1) / 2)) for n in range(len(steps))]
    body = joined(
        Pos(x, y, 0) * Box(size, size, thick, align=ON_TABLE)
        for (x, y), thick in zip(places, steps)
    )
    return body - [
        Pos(x, y, thick) * words("%.1f" % thick, 8.0) for (x, y), thick in zip(places, steps)
    ]


def mesh(solid: Part) -> trimesh.Trimesh:
    """Return the surface of a solid as triangles, the same as in its STL file."""
    with tempfile.NamedTemporaryFile(suffix=".stl") as file:
        export_stl(solid, file.name)
        return trimesh.load_mesh(file.name)


@functools.lru_cache(100)
def overhang(solid: Part) -> float:
    """Return the area in mm2 of a solid's faces that need supports, which are those that point
    down at more than 45 degrees and are not on the print bed."""
    surface = mesh(solid)
    heights = surface.triangles[:, :, 2]
    above = heights.max(axis=1) > heights.min() + 0.01
    down = surface.face_normals[:, 2] < -0.72
    return float(surface.area_faces[above & down].sum())


def write(solid: Part, lie: Location, file: Path) -> None:
    """Write a part as STL and STEP.

    lie: the rotation for the print bed.
    file: the path without a suffix.
    """
    solid = lie * solid
    solid = Pos(0, 0, -solid.bounding_box().min.Z) * solid
    export_stl(solid, str(file) + ".stl")
    export_step(solid, str(file) + ".step")


def leaking(solids: dict[str, Part]) -> list[str]:
    """Return the faults for which a slicer program would reject the STL files of solids, one line
    of text each. Faults are holes, edges shared by more than two faces, and more than one body.
    solids: {name: solid}."""
    wrong = []
    for name, solid in solids.items():
        surface = mesh(solid)
        if not surface.is_watertight:
            wrong.append("%s.stl is not watertight" % name)
        if surface.body_count != 1:
            wrong.append("%s.stl is %d bodies" % (name, surface.body_count))
    return wrong


def clashes(a: str, one: Part, others: dict[str, Part]) -> list[str]:
    """Return a line of text for each solid in `others` that overlaps `one` by more than a touch.
    a: the name of `one`."""
    return [line for b, other in others.items() for line in clash(a, one, b, other)]


def clash(a: str, one: Part, b: str, other: Part) -> list[str]:
    """Return [a line of text] if two solids overlap by more than a touch, else []. a, b: their
    names."""
    volume = _shared(one, other) if _near(one, other) else 0
    return ["%s and %s share %.1f mm3" % (a, b, volume)] if volume else []


@functools.lru_cache(1000)
def _box(shape: Part) -> BoundBox:
    return shape.bounding_box()


def _near(one: Part, other: Part) -> bool:
    """Return whether two bounding boxes overlap."""
    p, q = _box(one), _box(other)
    return all(
        max(getattr(p.min, axis), getattr(q.min, axis)) + 0.001
        < min(getattr(p.max, axis), getattr(q.max, axis))
        for axis in "XYZ"
    )


@functools.lru_cache(10_000)
def _shared(one: Part, other: Part) -> float:
    """Return the volume that two shapes share, or 0 if they only touch."""
    shared = one & other
    volume = 0.0 if shared is None else sum(solid.volume for solid in shared.solids())
    return volume if volume > 0.01 else 0.0
