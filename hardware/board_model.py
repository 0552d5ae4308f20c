# SPDX-License-Identifier: MIT
"""Writes a board with its parts as a 3D model: one GLB file, which a web page can rotate.

KiCad exports the bare board. The models of the parts come from part_models, as in the pictures. In
GLB, lengths are in metres and y points up; KiCad's y is GLB's z.
"""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import trimesh
from trimesh.visual import TextureVisuals
from trimesh.visual.material import PBRMaterial

from hardware import part_models
from hardware.external_tools import kicad
from hardware.kicad_files import Board, Project
from hardware.part_shapes import COLOURS

TOP = 0.0016  # metres: just above the silkscreen, as KiCad exports the board
GAMMA = 2.2  # GLB's colours are linear, those of part_shapes are as a screen shows them
Corner = tuple[float, float, float]
Triangles = tuple[list[Corner], list[tuple[int, int, int]]]


def write(project: Project, file: Path) -> None:
    scene = _bare(project)
    for colour, (corners, triangles) in _parts(project.board).items():
        (red, green, blue), shine = COLOURS[colour]
        linear = [*(channel**GAMMA for channel in (red, green, blue)), 1.0]
        mesh = trimesh.Trimesh(np.array(corners), np.array(triangles), process=False)
        mesh.visual = TextureVisuals(
            material=PBRMaterial(
                name=colour, baseColorFactor=linear, metallicFactor=0.0, roughnessFactor=1 - shine
            )
        )
        scene.add_geometry(mesh, geom_name=colour)
    file.write_bytes(scene.export(file_type="glb"))


def _bare(project: Project) -> trimesh.Scene:
    """Return the board without parts, one mesh for each material."""
    with tempfile.TemporaryDirectory() as name:
        glb = Path(name) / "bare.glb"
        board = project.file("kicad_pcb")
        kicad("pcb export glb --no-components --include-silkscreen", board, "-o", glb)
        loaded = trimesh.load_scene(glb)
    by_material: dict[str, list[Any]] = {}
    mesh: Any  # the geometry here is meshes
    for mesh in loaded.dump():
        by_material.setdefault(str(mesh.visual.material.baseColorFactor), []).append(mesh)
    scene = trimesh.Scene()
    for number, meshes in enumerate(by_material.values()):
        scene.add_geometry(trimesh.util.concatenate(meshes), geom_name="board-%d" % number)
    return scene


def _parts(board: Board) -> dict[str, Triangles]:
    """Return the shapes of all parts on a board, by colour: {colour: (corners, triangles)}."""
    found: dict[str, Triangles] = {}
    left, upper = board.origin
    for part in board.footprints.values():
        for shape in part_models.model(part):
            corners, triangles = found.setdefault(shape.colour, ([], []))
            places = []
            for x, y, z in shape.places():
                across, down = part.on_board(x, y)
                places.append(((left + across) / 1e3, TOP + z / 1e3, (upper + down) / 1e3))
            for face in shape.faces():  # each has corners of its own, so that edges stay sharp
                first = len(corners)
                corners += [places[n] for n in face]
                triangles += [(first, first + n, first + n + 1) for n in range(1, len(face) - 1)]
    return found
