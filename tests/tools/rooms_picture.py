# SPDX-License-Identifier: MIT
"""Draws the rooms of the project from its imports: `make made` writes tests/rooms.svg.

pyproject.toml lists the rooms for import-linter: houses of host_sim, and the other trees. A room
is drawn above every room that it imports. An arrow is left out if a chain of other arrows implies
it.
"""

import re
import tomllib
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "tests" / "rooms.svg"
BOX_W, BOX_H, GAP_X, GAP_Y, MARGIN = 420, 44, 26, 26, 16
STYLE = (
    "text{font:14px sans-serif;text-anchor:middle;fill:#222}text+text{font-size:12px;fill:#666}"
    "rect{fill:#f6f1e3;stroke:#8a7a55}"
    "path{fill:none;stroke:#8a7a55;marker-end:url(#head)}"
)
HEAD = (
    '<marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" '
    'orient="auto"><path d="M0 0L8 4L0 8z" style="fill:#8a7a55;stroke:none;marker-end:none"/>'
    "</marker>"
)

Graph = dict[str, set[str]]  # room -> the rooms it imports


def room_of(module: str) -> str | None:
    """Return the room of a module, or None for a module outside all rooms."""
    tree, *parts = module.split(".")
    if tree == "host_sim":
        return parts[0] if parts and (ROOT / tree / parts[0]).is_dir() else None
    return "firmware" if tree == "roundhouse" else tree


def rooms() -> Graph:
    """Return {room: the other rooms that it imports} for every room."""
    linted = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    roots = linted["root_packages"]
    imports = grimp.build_graph(*roots, cache_dir=None, exclude_type_checking_imports=True)
    found: Graph = {}
    for module in sorted(imports.modules):
        below = map(room_of, imports.find_modules_directly_imported_by(module))
        if room := room_of(module):
            found.setdefault(room, set()).update(filter(None, below))
    return {room: below - {room} for room, below in found.items()}


def inside(room: str) -> str:
    """Return the names of the packages in a house of host_sim, the top one first."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
        "contracts"
    ]
    layers = [c["layers"] for c in contracts if c.get("containers") == ["host_sim." + room]]
    there = sorted(path.parent.name for path in (ROOT / "host_sim" / room).glob("*/__init__.py"))
    return " · ".join(re.findall(r"\w+", " ".join(layers[0])) if layers else there)


def reach(graph: Graph, room: str) -> set[str]:
    return graph[room].union(*(reach(graph, below) for below in graph[room]))


def needed(graph: Graph) -> Graph:
    """Return the graph without the arrows that a chain of other arrows implies."""
    return {
        room: {n for n in below if not any(n in reach(graph, other) for other in below)}
        for room, below in graph.items()
    }


def levels(graph: Graph) -> list[list[str]]:
    """Return the rooms in rows, the top row first. Each room is in the lowest row above all rooms
    that it imports."""
    height = dict.fromkeys(graph, 0)
    for _ in graph:
        for room, below in graph.items():
            height[room] = max([0, *(height[other] + 1 for other in below)])
    return [
        [r for r in sorted(graph) if height[r] == n] for n in range(max(height.values()), -1, -1)
    ]


def picture() -> str:
    graph = rooms()
    rows = levels(graph)
    width = max(map(len, rows)) * (BOX_W + GAP_X) - GAP_X + 2 * MARGIN
    at = {}
    for down, row in enumerate(rows):
        left = (width - len(row) * (BOX_W + GAP_X) + GAP_X) / 2
        for across, room in enumerate(row):
            at[room] = left + across * (BOX_W + GAP_X), MARGIN + down * (BOX_H + GAP_Y)
    out = []
    for room, below in needed(graph).items():
        for other in sorted(below):
            (x, y), (to_x, to_y) = at[room], at[other]
            x, y, to_x = x + BOX_W / 2, y + BOX_H, to_x + BOX_W / 2
            bend = (to_y - y) / 2
            curve = (x, y, x, y + bend, to_x, to_y - bend, to_x, to_y)
            out.append('<path d="M%g %gC%g %g %g %g %g %g"/>' % curve)
    for room, (left, top) in at.items():
        box = (left, top, BOX_W, BOX_H)
        out.append('<rect x="%g" y="%g" width="%d" height="%d" rx="6"/>' % box)
        middle, packages = left + BOX_W / 2, inside(room)
        base = top + BOX_H / 2 + (-2 if packages else 5)
        out.append('<text x="%g" y="%g">%s</text>' % (middle, base, room))
        if packages:
            out.append('<text x="%g" y="%g">%s</text>' % (middle, base + 17, packages))
    height = 2 * MARGIN + len(rows) * (BOX_H + GAP_Y) - GAP_Y
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d">' % (width, height)
    return "\n".join([head, "<style>%s</style>" % STYLE, HEAD, *out, "</svg>", ""])
