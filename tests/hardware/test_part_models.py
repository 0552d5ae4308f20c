# SPDX-License-Identifier: MIT
"""The 3D models of parts: each part has a model, in the right place, within the housing's
limits."""

import pytest

from hardware import housing_plan, part_models, s_expressions
from hardware.kicad_files import PROJECTS, SLOT
from hardware.part_shapes import COLOURS, around, box, disc, vrml

BARE = ("MountingHole", "TestPoint", "Fiducial")


@pytest.fixture(scope="module")
def models():
    """Return [(board and reference, footprint, model, courtyard)] for the parts of both boards."""
    return [
        ("%s %s" % (project.name, ref), part, part_models.model(part), part.outline("F.CrtYd"))
        for project in PROJECTS
        for ref, part in project.board.footprints.items()
    ]


def test_every_part_has_a_model(models):
    for name, footprint, shapes, _ in models:
        bare = any(word in footprint.name for word in BARE)
        assert bool(shapes) != bare, name


def test_a_model_is_within_the_room_that_the_housing_keeps(models):
    """A model is within its courtyard, housing_plan.HEIGHTS and the depth of its pins."""
    for name, footprint, shapes, yard in models:
        if not shapes:
            continue
        x1, y1, low, x2, y2, high = around(shapes)
        room = next(h for word, h in housing_plan.HEIGHTS if word in footprint.name)
        if "SW_PUSH-12mm" in footprint.name:
            room = housing_plan.SWITCH  # its stem stands in the cap
        assert high <= room, name
        assert low >= -housing_plan.PINS_BELOW - 0.2, name
        assert yard[0] <= x1 and yard[1] <= y1 and x2 <= yard[2] and y2 <= yard[3], name


def test_a_model_stands_on_its_pads(models):
    """A model has a shape at each pad, and the leads of through-hole parts pass through the
    board."""
    for name, footprint, shapes, _ in models:
        if not shapes:
            continue
        boxes = [around([shape]) for shape in shapes]
        for number, x, y, wide, high, through in part_models.Sketch(footprint).pads:
            over = [
                b
                for b in boxes
                if b[0] < x + wide / 2
                and b[3] > x - wide / 2
                and b[1] < y + high / 2
                and b[4] > y - high / 2
            ]
            assert min(b[2] for b in over) < (-1 if through else 0.2), (name, number)


def test_the_boards_text_has_the_models_and_nothing_else_changed(tmp_path):
    text = SLOT.file("kicad_pcb").read_text()
    made = s_expressions.loads(part_models.populated(text, tmp_path))
    files = [
        model[1]
        for part in s_expressions.find(made, "footprint")
        for model in s_expressions.find(part, "model")
    ]
    assert sorted(files) == sorted(str(file) for file in tmp_path.glob("*.wrl"))
    bare = [f for f in SLOT.board.footprints.values() if any(word in f.name for word in BARE)]
    assert len(files) == len(SLOT.board.footprints) - len(bare)
    assert {f.ref[0] for f in bare} == {"H", "F"}, "holes and fiducials"
    before = s_expressions.loads(text)
    for tree in (made, before):
        for part in s_expressions.find(tree, "footprint"):
            part[:] = [item for item in part if not (item and item[0] == "model")]
    assert made == before


def outward(shape):
    """Return whether each side of `shape` faces away from the middle of the shape, with y up as in
    VRML."""
    places = [(x, -y, z) for x, y, z in shape.places()]
    middle = [sum(axis) / len(places) for axis in zip(*places)]
    for face in shape.faces():
        a, b, c = (places[n] for n in face[:3])
        u, v = ([q - p for p, q in zip(a, other)] for other in (b, c))
        normal = (
            u[1] * v[2] - u[2] * v[1],
            u[2] * v[0] - u[0] * v[2],
            u[0] * v[1] - u[1] * v[0],
        )
        away = sum(n * (p - m) for n, p, m in zip(normal, a, middle))
        if away <= 0:
            return False
    return True


def test_every_side_looks_outwards(models):
    for name, _, shapes, _ in models:
        for shape in shapes:
            assert outward(shape), (name, shape)


def test_vrml_is_in_tenths_of_an_inch_with_y_up():
    text = vrml([box(0, 0, 2.54, 5.08, 0, 2.54, "gold")])
    assert text.startswith("#VRML V2.0 utf8\n")
    assert "1.0000 -2.0000 1.0000" in text
    assert "diffuseColor %.2f" % COLOURS["gold"][0][0] in text


def test_a_piece_of_a_disc_ends_in_the_middle():
    assert disc(0, 0, 1, 0, 1, "tin", (0, 90)).corners[-1] == (0, 0)
    assert len(disc(0, 0, 1, 0, 1, "tin").corners) == 36
