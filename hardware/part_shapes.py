# SPDX-License-Identifier: MIT
"""Coloured boxes, prisms and cylinders for the models of parts, and their VRML.

Lengths are in mm, in the coordinates of a footprint: x to the right, y down, and z up from the
board.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

UNIT = 2.54  # mm: a unit of VRML in KiCad
COLOURS = {  # red, green, blue; shininess
    "black": ((0.06, 0.06, 0.07), 0.2),
    "chip": ((0.13, 0.13, 0.14), 0.2),
    "hole": ((0.0, 0.0, 0.0), 0.0),
    "gold": ((0.86, 0.66, 0.22), 0.7),
    "tin": ((0.60, 0.61, 0.63), 0.5),
    "steel": ((0.62, 0.63, 0.65), 0.8),
    "print": ((0.92, 0.92, 0.90), 0.1),
    "white": ((0.95, 0.95, 0.92), 0.2),
    "lamp": ((0.98, 0.90, 0.55), 0.3),
    "tan": ((0.70, 0.52, 0.32), 0.2),
    "amber": ((0.88, 0.62, 0.10), 0.3),
    "sleeve": ((0.10, 0.13, 0.30), 0.4),
    "stripe": ((0.70, 0.74, 0.82), 0.2),
    "green": ((0.16, 0.55, 0.25), 0.2),
    "pico": ((0.02, 0.36, 0.20), 0.3),
    "grey": ((0.45, 0.46, 0.48), 0.2),
}
Point = tuple[float, float, float]


@dataclass(frozen=True)
class Prism:
    """A polygon extruded between two heights.

    corners: (x, y) of each corner, in order.
    z1, z2: the heights, z1 < z2.
    axis: "z"; or "y", if the corners are (x, z), and z1 and z2 are y coordinates.
    """

    corners: tuple[tuple[float, float], ...]
    z1: float
    z2: float
    colour: str
    axis: str = "z"

    def places(self) -> list[Point]:
        """Return the corners of the lower side, then of the upper side."""
        if self.axis == "z":
            return [(x, y, z) for z in (self.z1, self.z2) for x, y in self.corners]
        return [(x, y, z) for y in (self.z1, self.z2) for x, z in self.corners]

    def faces(self) -> list[list[int]]:
        """Return each face as a list of indices into `places`, counterclockwise from outside, in a
        right-handed coordinate system with y up."""
        n = len(self.corners)
        area = sum(
            a[0] * b[1] - b[0] * a[1]
            for a, b in zip(self.corners, self.corners[1:] + self.corners[:1])
        )
        sides = [list(range(n)), list(range(2 * n - 1, n - 1, -1))]
        sides += [[i, n + i, n + (i + 1) % n, (i + 1) % n] for i in range(n)]
        # y changes its sign in VRML, which turns every face over
        turned = (area < 0) == (self.axis == "z")
        return [side[::-1] for side in sides] if turned else sides


def box(x1: float, y1: float, x2: float, y2: float, z1: float, z2: float, colour: str) -> Prism:
    return Prism(((x1, y1), (x2, y1), (x2, y2), (x1, y2)), z1, z2, colour)


def block(
    x: float, y: float, wide: float, high: float, z1: float, z2: float, colour: str
) -> Prism:
    """Return a box with its centre at (x, y), between two heights."""
    return box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2, z1, z2, colour)


def disc(
    x: float,
    y: float,
    radius: float,
    z1: float,
    z2: float,
    colour: str,
    turns: tuple[float, float] = (0, 360),
) -> Prism:
    """Return an upright cylinder, or its sector between two angles in degrees."""
    first, last = turns
    whole = last - first == 360
    steps = max(4, round((last - first) / 10))
    angles = [math.radians(first + (last - first) * k / steps) for k in range(steps + (not whole))]
    corners = [(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles]
    return Prism(tuple(corners if whole else [*corners, (x, y)]), z1, z2, colour)


def around(shapes: Sequence[Prism]) -> tuple[float, ...]:
    """Return the bounding box of the shapes as (x1, y1, z1, x2, y2, z2)."""
    places = [place for shape in shapes for place in shape.places()]
    return (*(min(axis) for axis in zip(*places)), *(max(axis) for axis in zip(*places)))


def vrml(shapes: Sequence[Prism]) -> str:
    """Return the shapes as the text of a VRML file in KiCad's convention: y up, tenths of an
    inch."""
    text = ["#VRML V2.0 utf8"]
    for shape in shapes:
        (red, green, blue), shine = COLOURS[shape.colour]
        points = ("%.4f %.4f %.4f" % (x / UNIT, -y / UNIT, z / UNIT) for x, y, z in shape.places())
        faces = (" ".join("%d" % n for n in face) + " -1" for face in shape.faces())
        colour = "diffuseColor %.2f %.2f %.2f" % (red, green, blue)
        gloss = "specularColor %.2f %.2f %.2f shininess %.2f" % (*(3 * (shine * 0.5,)), shine)
        text.append(
            "Shape { appearance Appearance { material Material { %s %s ambientIntensity 0.3 } }\n"
            "geometry IndexedFaceSet { creaseAngle 0.5 coord Coordinate { point [ %s ] }\n"
            "coordIndex [ %s ] } }" % (colour, gloss, ", ".join(points), ", ".join(faces))
        )
    return "\n".join(text) + "\n"
