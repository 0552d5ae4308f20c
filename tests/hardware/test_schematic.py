# SPDX-License-Identifier: MIT
"""The schematics' wires: steps become lines, dots and names, and they read from left to right."""

import functools

import pytest

from hardware import schematic, sexp
from hardware.board_projects import HUB12, PROJECTS, SLOT
from hardware.schematic_wires import Ways

pytestmark = pytest.mark.slow  # the board is `make check`'s

kicad = pytest.mark.skipif(not schematic.SYMBOLS.exists(), reason="wants KiCad's symbols")
ENDS = {"A.1": (0.0, 0.0, 0), "B.1": (10.16, 0.0, 180), "B.2": (5.08, 7.62, 90)}


def drawn(*ways):
    return Ways(ways, ENDS).drawn()


def test_a_straight_way_is_one_line():
    assert drawn("A.1 B.1") == ([((0, 0), (10.16, 0))], [])


def test_a_branch_is_joined_by_a_dot_and_the_way_goes_on():
    lines, dots = drawn("A.1 (B.2) B.1")
    assert lines == [((0, 0), (5.08, 0)), ((5.08, 0), (5.08, 7.62)), ((5.08, 0), (10.16, 0))]
    assert dots == [(5.08, 0)]


def test_a_way_that_ends_on_another_is_joined():
    assert drawn("A.1 B.1", "B.2 y0") == drawn("A.1 (B.2) B.1")


def test_two_ways_along_the_same_line_are_drawn_once():
    lines, dots = drawn("A.1 x10.16", "B.1 x2.54 v1")
    assert lines == [((0, 0), (2.54, 0)), ((2.54, 0), (2.54, 2.54)), ((2.54, 0), (10.16, 0))]
    assert dots == [(2.54, 0)]


@pytest.mark.parametrize(
    ("way", "corner"), [("A.1 B.2", (5.08, 0)), ("A.1 |B.2", (0, 7.62)), ("A.1 v3 B.2", (0, 7.62))]
)
def test_along_first_or_up_and_down_first(way, corner):
    assert corner in {end for line in drawn(way)[0] for end in line}


def test_names_look_along_the_way():
    ways = Ways(["A.1 >1 * >1 + v1 *", "B.1 <1 *", "B.2 ^1 !"], ENDS)
    assert ways.names == [
        (2.54, 0, 0),
        (5.08, 0, None),
        (5.08, 2.54, 270),
        (7.62, 0, 180),
    ]
    assert ways.flags == [(5.08, 5.08)]


def test_a_flag_is_where_a_line_ends():
    """KiCad connects a pin to the end of a line and not to its middle."""
    lines, dots = drawn("A.1 >1 ! B.1")
    assert ((0, 0), (2.54, 0)) in lines and (2.54, 0) in dots


def test_a_pin_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="no pin C.7"):
        Ways(["A.1 C.7"], ENDS)


@functools.cache
def built(name):
    """Return a project's sheet as it is made now, read back."""
    project = next(p for p in PROJECTS if p.name == name)
    return sexp.loads(schematic.build(project))


@functools.cache
def pins_of(name):
    """Return {pin: (x, y, angle)} of a project's sheet."""
    project = next(p for p in PROJECTS if p.name == name)
    return schematic.Sheet(project, project.parts()).found()


@kicad
@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)
def test_no_wire_touches_a_pin_of_another_net(project):
    """It would join the two."""
    ends = pins_of(project.name)
    nets = {"%s.%s" % (p.ref, n): net for p in project.parts() for n, net in p.pins.items()}
    for net, ways in project.wires.items():
        for (x1, y1), (x2, y2) in Ways(ways, ends).drawn()[0]:
            for name, (x, y, _) in ends.items():
                on = x1 - 0.01 <= x <= x2 + 0.01 and y1 - 0.01 <= y <= y2 + 0.01
                assert not on or nets.get(name) == net, "%s is under a wire of %s" % (name, net)


@kicad
@pytest.mark.parametrize(
    ("project", "pins"),
    [
        (HUB12, "J13.1 F1.1 F1.2 Q1.3 Q1.2 Q2.2 Q2.3 D1.2 D1.1 U3.1 U3.3 C4.1"),
        (HUB12, "J13.3 U10.1 U10.6 R3.1 R3.2 C9.1 U1.31"),
        (HUB12, "U1.1 U5.1"),
        (HUB12, "U1.34 U4.2 U4.4 R8.1"),
        (HUB12, "U8.10 U8.9 U7.10 U7.9"),
        (HUB12, "J1.3 J1.4 J2.3 J2.4 J3.3 J3.4 J4.3"),
        (SLOT, "J1.4 J2.2"),
        (SLOT, "D1.4 D1.2 D2.4 D2.2 D3.4 D3.2 D4.4 D4.2 R5.1 R5.2"),
    ],
    ids=lambda value: getattr(value, "name", value)[:12],
)
def test_it_reads_from_left_to_right(project, pins):
    ends = pins_of(project.name)
    across = [ends[name][0] for name in pins.split()]
    assert across == sorted(across)


@kicad
@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)
def test_a_capacitor_is_beside_its_chip(project):
    """Every capacitor hangs on a wire and not on a label."""
    wired = {
        name
        for net, ways in project.wires.items()
        for name in Ways(ways, pins_of(project.name)).pins
    }
    for part in project.parts():
        if part.ref.startswith("C"):
            assert "%s.1" % part.ref in wired


@kicad
def test_all_of_the_slot_board_is_in_wires():
    """A label names a wire, and joins nothing: each net's stands there once."""
    labels = [label[1] for label in sexp.find(built("slot"), "label")]
    assert sorted(labels) == sorted(set(labels))
