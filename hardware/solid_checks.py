# SPDX-License-Identifier: MIT
"""What the housing's solids have in common: do two clash, does one print, is its file whole; and
the grooves that say something on a lid. Lengths in mm."""

import functools
import math
import tempfile
from pathlib import Path

import trimesh
from build123d import Align, Box, Cylinder, Pos, Rot, export_step, export_stl

ON_TABLE = (Align.CENTER, Align.CENTER, Align.MIN)
HANGING = (Align.CENTER, Align.CENTER, Align.MAX)
DEEP = 0.5  # of a groove; twice as wide
# strokes of what is engraved, between points (x, y) of a field of 2 x 4
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


def groove(points, closed=False):
    """Return what to take out of a surface at z = 0 along straight lines: 45 degrees steep, so
    that it prints face down.

    points: (x, y), one after another.
    """
    side = DEEP * math.sqrt(2)
    ends = list(zip(points, points[1:] + points[:1] if closed else points[1:]))
    solid = None
    for (x1, y1), (x2, y2) in ends:
        length = math.dist((x1, y1), (x2, y2)) + 0.02
        turn = math.degrees(math.atan2(y2 - y1, x2 - x1))
        bar = Box(length, side, side)
        bar = Pos((x1 + x2) / 2, (y1 + y2) / 2, 0) * Rot(0, 0, turn) * Rot(45, 0, 0) * bar
        solid = bar if solid is None else solid + bar
    return solid


def words(text, high):
    """Return the grooves of a word around the origin, to be read from +x: its upper edge lies
    towards -x."""
    solid = None
    step = high / 4
    wide = 3 * step * len(text) - step
    for n, letter in enumerate(text):
        for stroke in STROKES[letter]:
            places = [tuple(map(float, (p[0], p[1:]))) for p in stroke.split()]
            points = [(2 * step - y * step, n * 3 * step + x * step - wide / 2) for x, y in places]
            cut = groove(points)
            solid = cut if solid is None else solid + cut
    return solid


def column(x, y, z, radius, top):
    """Return a column from z to top."""
    return Pos(x, y, z) * Cylinder(radius, top - z, align=ON_TABLE)


def ladder(steps, size=30.0):
    """Return a plate to print first: fields of so many mm, each with its thickness engraved."""
    rows = math.ceil(len(steps) / 3)
    body = None
    for n, thick in enumerate(steps):
        x, y = size * (n % 3 - 1), size * (n // 3 - (rows - 1) / 2)
        field = Pos(x, y, 0) * Box(size, size, thick, align=ON_TABLE)
        body = field if body is None else body + field
    for n, thick in enumerate(steps):
        x, y = size * (n % 3 - 1), size * (n // 3 - (rows - 1) / 2)
        body -= Pos(x, y, thick) * words("%.1f" % thick, 8.0)
    return body


@functools.lru_cache(100)
def overhang(solid):
    """Return the area, mm2, that hangs in the air when a solid is printed as it lies: what looks
    down more steeply than 45 degrees and is not on the bed."""
    corners, triangles = solid.tessellate(0.05)
    corners = [(corner.X, corner.Y, corner.Z) for corner in corners]  # plain numbers are quicker
    bed = min(z for _, _, z in corners)
    area = 0.0
    for a, b, c in triangles:
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corners[a], corners[b], corners[c]
        if max(az, bz, cz) <= bed + 0.01:
            continue
        bx, by, bz, cx, cy, cz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
        across = (by * cz - bz * cy, bz * cx - bx * cz, bx * cy - by * cx)
        length = math.hypot(*across)
        if length and across[2] / length < -0.72:
            area += length / 2
    return area


def write(solid, lie, file):
    """Write a part as it lies on the bed, STL and STEP; file: without its ending."""
    solid = lie * solid
    solid = Pos(0, 0, -solid.bounding_box().min.Z) * solid
    export_stl(solid, str(file) + ".stl")
    export_step(solid, str(file) + ".step")


def leaks(file):
    """Return what a slicer would stumble over in an STL, a line each: holes, edges that more than
    two faces share, more than one body."""
    mesh = trimesh.load_mesh(file)
    wrong = []
    if not mesh.is_watertight:
        wrong.append("%s is not watertight" % Path(file).name)
    if mesh.body_count != 1:
        wrong.append("%s is %d bodies" % (Path(file).name, mesh.body_count))
    return wrong


def leaking(solids):
    """Return the same of solids that were not written yet; solids: {name: solid}."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for name, solid in solids.items():
            file = Path(folder) / (name + ".stl")
            export_stl(solid, str(file))
            wrong += leaks(file)
    return wrong


def clashes(a, one, others):
    """Return a line for each of the others, {name: solid}, that shares more than a touch with
    one."""
    return [line for b, other in others.items() for line in clash(a, one, b, other)]


def clash(a, one, b, other):
    """Return a line if two solids share more than a touch."""
    volume = _shared(one, other) if _near(one, other) else 0
    return ["%s and %s share %.1f mm3" % (a, b, volume)] if volume else []


@functools.lru_cache(1000)
def _box(shape):
    """Return the box around a shape, worked out once: shapes that lie alike are equal."""
    return shape.bounding_box()


def _near(one, other):
    """Return whether the boxes around two shapes overlap."""
    p, q = _box(one), _box(other)
    return all(
        max(getattr(p.min, axis), getattr(q.min, axis)) + 0.001
        < min(getattr(p.max, axis), getattr(q.max, axis))
        for axis in "XYZ"
    )


@functools.lru_cache(10_000)
def _shared(one, other):
    """Return the volume that two shapes share, 0 where it is no more than a touch. Worked out
    once: where one thing of a housing is moved, all the others lie as they did."""
    shared = one & other
    volume = 0.0 if shared is None else sum(solid.volume for solid in shared.solids())
    return volume if volume > 0.01 else 0.0
