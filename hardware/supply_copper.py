# SPDX-License-Identifier: MIT
"""Checks that the pixels' current has wide copper from the inlet to the headers and back.

No KiCad rule checks how wide a pour is between two pins. So the pour is painted onto a grid, where
a disc of the required width must be able to move from pin to pin.
"""

import functools
import math

from hardware.kicad_files import Board, Place

STEP = 0.2  # mm, of the grid
RELIEF = 1.6  # mm from a pin to the pour around its thermal relief
HEADERS = "headers"  # stands for pin 1 of each slot's header
# net, layer, mm, the pins that the current passes. IPC-2221, 3 A in 35 um outside: 3 mm get 3 K
# warmer, 1.5 mm 9 K; inside 1.5 mm of 17 um carry 1 A each way around
PATHS = (
    ("VUSB", "F.Cu", 3.0, ("J13.1", "F1.1")),
    ("VFUSED", "F.Cu", 2.0, ("F1.2", "D2.1", "Q1.3")),
    ("VMID", "F.Cu", 1.5, ("Q1.2", "Q2.2")),
    ("+5V", "F.Cu", 2.0, ("Q2.3", "C1.1", "D1.2")),
    ("+5V", "In2.Cu", 1.5, ("C1.1", HEADERS)),
    ("GND", "In1.Cu", 2.0, ("J13.2", "C1.2")),
)
Cell = tuple[int, int]  # column, row


def mistakes(board: Board) -> list[str]:
    """Return a line of text for each pin that the pixels' current cannot reach through copper of
    the required width."""
    return [line for path in PATHS for line in _path(board, *path)]


def _path(board: Board, net: str, layer: str, width: float, pins: tuple[str, ...]) -> list[str]:
    spans = _painted(board, net, layer)
    disc = _disc(int(width / 2 / STEP))

    @functools.cache
    def room(y: int) -> list[tuple[int, int]]:
        """Return the columns of row y where the disc's middle fits, as [(first, last), ...]."""
        found = [(0, round(board.size[0] / STEP))]
        for dy, dx in disc.items():
            row = [
                (math.ceil(a / STEP) + dx, math.floor(b / STEP) - dx)
                for a, b in spans.get(y + dy, ())
            ]
            found = [(max(a, c), min(b, d)) for a, b in found for c, d in row]
            found = [(a, b) for a, b in found if a <= b]
        return found

    def fits(cell: Cell) -> bool:
        x, y = cell
        return any(a <= x <= b for a, b in room(y))

    # a pin is reached by a disc that covers its middle, inside by one that its thermal relief lets
    near = _disc(int((width / 2 + (RELIEF if layer.startswith("In") else 0)) / STEP))
    pads = board.pads
    pins = tuple(
        pin for named in pins for pin in (_headers(board) if named == HEADERS else [named])
    )
    start, *others = (_around(pads[pin][-1].place, near) for pin in pins)
    found = {cell for cell in start if fits(cell)}
    edge = list(found)
    known = dict.fromkeys(found, True)
    while edge:
        x, y = edge.pop()
        for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if cell not in known:
                known[cell] = fits(cell)
                if known[cell]:
                    found.add(cell)
                    edge.append(cell)
    return [
        "no %g mm of %s on %s from %s to %s" % (width, net, layer, pins[0], pin)
        for pin, reached in zip(pins[1:], others)
        if not reached & found
    ]


def _headers(board: Board) -> list[str]:
    return [ref + ".1" for ref, value in board.values.items() if value.startswith("slot ")]


def _painted(board: Board, net: str, layer: str) -> dict[int, list[Place]]:
    """Return the places on a layer that a net's pours cover, as {row of the grid: [(from x, to x),
    ...]}."""
    spans: dict[int, list[Place]] = {}
    for pour in board.pours:
        if (pour.net, pour.layer) == (net, layer):
            for row in range(math.ceil(pour.area.top / STEP), math.ceil(pour.area.bottom / STEP)):
                spans.setdefault(row, []).extend(pour.area.spans(row * STEP))
    return spans


def _disc(reach: int) -> dict[int, int]:
    """Return {row: half the length of the row} for a disc. reach: its radius in grid cells."""
    return {dy: int(math.sqrt(reach * reach - dy * dy)) for dy in range(-reach, reach + 1)}


def _around(place: Place, disc: dict[int, int]) -> set[Cell]:
    x, y = (round(along / STEP) for along in place)
    return {(x + dx, y + dy) for dy, far in disc.items() for dx in range(-far, far + 1)}
