# SPDX-License-Identifier: MIT
"""Pictures of the housing: whole, lids off, and one sector taken apart."""

import pyvista
from build123d import Cylinder, Pos

from hardware import enclosure

PRINTED, BOARD, READER, PART, WHITE = "#7d8b95", "#1f6b45", "#2f6fae", "#22272b", "#f4f1e8"
BUTTON = "#c8553d"


def pictures(housing, folder):
    """Write housing.png, inside.png and sector.png."""
    _picture(folder / "housing.png", _whole(housing), (150, -460, 420))
    _picture(folder / "inside.png", _inside(housing), (120, -430, 520))
    _picture(
        folder / "sector.png", _apart(housing), (330, -300, 190), focus=(122, 0, 42), zoom=1.5
    )


def _whole(housing):
    """Everything in place, as it stands on a table."""
    for n in range(housing.sectors):
        turn = housing.turn(n)
        yield turn * housing.parts["station" if n else "station-m"][0], PRINTED
        yield turn * housing.parts["diffuser"][0], WHITE
        yield turn * _cap(housing, "station"), BUTTON
    yield housing.parts["drum"][0], PRINTED
    yield _in_drum(housing, housing.parts["diffuser"][0]), WHITE
    yield _cap(housing, "E"), BUTTON


def _inside(housing):
    """Without the lids: board, readers, buttons and lamps where they are."""
    yield housing.parts["base"][0], PRINTED
    for name, solid in housing.contents.items():
        if name == "board":
            yield solid, BOARD
        elif name.split()[0] not in ("E", "station", "inlet") and "pins" not in name:
            yield solid, PART
    for n in range(housing.sectors):
        turn = housing.turn(n)
        yield turn * housing.parts["floor"][0], PRINTED
        for solid, colour in _held(housing):
            yield turn * solid, colour
    yield housing.turn(0) * housing.contents["inlet"], WHITE


def _apart(housing):
    """One sector, its parts one above another."""
    yield housing.parts["floor"][0], PRINTED
    yield Pos(0, 0, 2) * housing.contents["inlet"], WHITE
    for solid, colour in _held(housing):
        yield Pos(0, 0, 8) * solid, colour
    yield Pos(0, 0, 24) * housing.parts["light-box"][0], PRINTED
    yield Pos(0, 0, 36) * housing.parts["diffuser"][0], WHITE
    yield Pos(0, 0, 62) * housing.parts["station-m"][0], PRINTED


def _held(housing):
    colours = {"reader": READER, "plug": PART, "pixels": WHITE, "button": BUTTON}
    for name, colour in colours.items():
        yield housing.contents["station " + name], colour


def _in_drum(housing, solid):
    """Take something of the lamps from a sector's place to the drum's."""
    sector, drum = housing.lamp_places()
    return drum * sector.inverse() * solid


def _cap(housing, name):
    """What shows of a button: its cap, over the lid."""
    button = housing.contents[name + " button"].bounding_box()
    middle = button.center()
    top = enclosure.HIGH if name == "E" else enclosure.LOW
    cap = Cylinder(5.0, 4.0, align=enclosure.ON_TABLE)
    return Pos(middle.X, middle.Y, top) * cap


def _picture(file, things, camera, focus=(0, 0, 0), zoom=1.15):
    plotter = pyvista.Plotter(off_screen=True, window_size=(1200, 850))
    plotter.set_background("white")
    for solid, colour in things:
        corners, triangles = solid.tessellate(0.1, 0.2)
        points = [(c.X, c.Y, c.Z) for c in corners]
        faces = [n for triangle in triangles for n in (3, *triangle)]
        mesh = pyvista.PolyData(points, faces)
        plotter.add_mesh(mesh, color=colour, specular=0.1, ambient=0.25)
        edges = mesh.clean().extract_feature_edges(35, boundary_edges=False)
        if edges.n_points:
            plotter.add_mesh(edges, color="#20262b", line_width=1.5)
    plotter.camera_position = [camera, focus, (0, 0, 1)]
    plotter.camera.zoom(zoom)
    plotter.enable_anti_aliasing("ssaa")
    plotter.screenshot(str(file))
    plotter.close()
