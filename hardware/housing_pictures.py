# SPDX-License-Identifier: MIT
"""Renders the housing: whole, without lids, with one sector taken apart, and a lid from below."""

import math
from collections.abc import Iterator
from pathlib import Path

import pyvista
from build123d import Box, Part, Pos

from hardware import housing_plan
from hardware.housing import Housing
from hardware.solid_checks import between, joined, mesh

PRINTED, BOARD, READER, PART, WHITE = "#7d8b95", "#1f6b45", "#2f6fae", "#22272b", "#f4f1e8"
CAP, RIBBON = "#c8553d", "#a7adb2"
Coloured = Iterator[tuple[Part, str]]
Point = tuple[float, float, float]


WIDTH = 1200  # pixels


def pictures(housing: Housing, folder: Path, width: int = WIDTH) -> None:
    """Render the pictures of the housing into a folder: housing.png, inside.png, sector.png and
    sector-below.png. width: the width of each picture in pixels."""
    far = housing.plan.slot_at[0]
    views = (
        ("housing", _whole(housing), (150, -480, 440), (0, 0, 0), 1.15),
        ("inside", _inside(housing), (120, -450, 540), (0, 0, 0), 1.15),
        ("sector", _apart(housing), (far + 200, 330, 210), (far, 0, 50), 1.15),
        ("sector-below", _below(housing), (far + 90, -260, -230), (far, 0, 15), 1.4),
    )
    for name, things, camera, focus, zoom in views:
        _picture(folder / (name + ".png"), width, things, camera, focus, zoom)


def _whole(housing: Housing) -> Coloured:
    """Yield all solids in place, as in a complete hub on a table."""
    for n in range(housing.plan.sectors):
        turn = housing.turn(n)
        yield turn * housing.engraved(str(n) if n else "M"), PRINTED
        yield turn * housing.parts["diffuser"][0], WHITE
        yield turn * housing.parts["cap"][0], CAP
    yield housing.parts["drum"][0], PRINTED
    yield housing.to_drum() * housing.parts["diffuser"][0], WHITE
    yield housing.to_drum() * housing.parts["cap"][0], CAP


def _inside(housing: Housing) -> Coloured:
    """Yield the solids of a hub without its lids."""
    yield housing.parts["base"][0], PRINTED
    for name, solid in housing.contents.items():
        if name == "board":
            yield solid, BOARD
        elif name in housing.on_board and "pins" not in name:
            yield solid, PART
    for n in range(housing.plan.sectors):
        turn = housing.turn(n)
        yield turn * housing.parts["floor"][0], PRINTED
        for solid, colour in _held(housing):
            yield turn * solid, colour
        yield _ribbon(housing, str(n) if n else "M"), RIBBON
    yield housing.turn(0) * housing.contents["inlet"], WHITE


def _ribbon(housing: Housing, slot: str) -> Part:
    plan = housing.plan
    x, y = plan.header(slot)
    turn = math.radians(plan.angle(slot))
    bends = [
        (x, y),
        *(
            (a * math.cos(turn) - b * math.sin(turn), a * math.sin(turn) + b * math.cos(turn))
            for a, b in ((plan.drum, 0.0), plan.plug_at())
        ),
    ]
    return joined(
        between(a, b, plan.board_at + 20) * Box(math.dist(a, b), housing_plan.RIBBON, 1.0)
        for a, b in zip(bends, bends[1:])
    )


def _apart(housing: Housing) -> Coloured:
    """Yield one sector's solids, moved apart vertically."""
    yield housing.parts["floor"][0], PRINTED
    yield Pos(0, 0, 2) * housing.contents["inlet"], WHITE
    for solid, colour in _held(housing):
        yield Pos(0, 0, 8) * solid, colour
    yield Pos(0, 0, 30) * housing.parts["cap"][0], CAP
    yield Pos(0, 0, 30) * housing.parts["light-box"][0], PRINTED
    yield Pos(0, 0, 50) * housing.parts["diffuser"][0], WHITE
    yield Pos(0, 0, 92) * housing.engraved("M"), PRINTED


def _below(housing: Housing) -> Coloured:
    """Yield the solids of a lid with what it holds."""
    yield housing.engraved("3"), PRINTED
    yield housing.parts["light-box"][0], PRINTED
    yield housing.parts["cap"][0], CAP
    yield from _held(housing)


def _held(housing: Housing) -> Coloured:
    colours = {"reader": READER, "plug": PART, "slot": BOARD}
    for name, colour in colours.items():
        yield housing.contents["station " + name], colour


def _picture(
    file: Path, width: int, things: Coloured, camera: Point, focus: Point, zoom: float
) -> None:
    plotter = pyvista.Plotter(off_screen=True, window_size=[width, width * 17 // 24])
    plotter.background_color = pyvista.Color("white")
    for solid, colour in things:
        surface = pyvista.wrap(mesh(solid))
        plotter.add_mesh(surface, color=colour, specular=0.1, ambient=0.25)
        edges = surface.extract_feature_edges(35, boundary_edges=False)
        if edges.n_points:
            plotter.add_mesh(edges, color="#20262b", line_width=1.5)
    plotter.camera_position = [camera, focus, (0, 0, 1)]
    plotter.camera.zoom(zoom)
    plotter.enable_anti_aliasing("ssaa")
    plotter.screenshot(str(file))
    plotter.close()
