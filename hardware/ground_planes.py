# SPDX-License-Identifier: MIT
"""Checks that the ground copper is in one piece, and measures which nets of the next layer are
along each bus track.

The copper layers of a hub are, from the top: F.Cu, In1.Cu (the ground plane), In2.Cu (the pours of
the supply) and B.Cu. Lengths are in mm.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from hardware.kicad_files import Board, Place, Polygon, Track

BUS = ("SCK", "MOSI", "MISO", "CS_", "PIX", "USB_", "RESET", "LIGHTS", "A0", "A1", "A2", "A3")
# where a board's ground plane is, and how far a line of the bus may leave it: on two layers it
# has to cross what else is on the lower one
GROUND = {"hub12": ("In1.Cu", 0.5), "hub16": ("In1.Cu", 0.5), "slot": ("B.Cu", 2.0)}
# how far a line may run over a gap on the layer beside it: across one, and along one where that
# is so on today's boards
ACROSS = 0.75
ALONG = {
    "hub12": {"MISO": 11.0, "PIX": 25.0, "RESET": 7.75},
    "hub16": {},
    "slot": {"MISO": 2.0, "PIX": 1.25},
}
CLEAR = 0.4  # around a pad or via, where a plane must give way
STEP = 0.25
HOLE = "hole"  # in Beside


@dataclass
class Beside:
    """What is on the next copper layer along the tracks of a bus line, such as SCK.

    over: {net: length in mm of the tracks that run along this net}. The key HOLE stands for the
        clearance around holes; the key "" stands for gaps.
    longest: the longest stretch over a gap, in mm.
    """

    over: dict[str, float] = field(default_factory=dict)
    longest: float = 0.0


def mistakes(board: Board, name: str) -> list[str]:
    """Return the mistakes in a board's ground copper, one line of text each.

    The mistakes are:

    - a ground plane in several pieces
    - a track on the layer of the ground plane
    - a bus track that runs too far without ground on that layer
    - a bus track that runs too far over a gap in the next layer
    """
    layer, gap = GROUND[name]
    planes = [pour.area for pour in board.pours if (pour.net, pour.layer) == ("GND", layer)]
    if len(planes) != 1:
        return ["ground on %s is in %d pieces" % (layer, len(planes))]
    wrong = [
        "%s has a track on %s, the ground's layer" % (track.net, layer)
        for track in board.tracks
        if track.layer == layer and layer.startswith("In")
    ]
    holes = _holes(board)
    for track in _bus(board):
        if track.layer != layer:
            found = Beside()
            _measure(track, {"GND": planes}, holes, found)
            if found.longest > gap:
                x, y = (a + b for a, b in zip(track.start, board.origin))
                wrong.append(
                    "%s at %.1f, %.1f: %.1f mm without ground" % (track.net, x, y, found.longest)
                )
    for line, found in beside(board).items():
        most = ALONG[name].get(line, ACROSS)
        if found.longest > most:
            wrong.append(
                "%s: %.2f mm over a gap in the layer beside it, more than %.2f"
                % (line, found.longest, most)
            )
    return sorted(wrong)


def beside(board: Board) -> dict[str, Beside]:
    """Measure what is on the next copper layer along the tracks of each line in BUS. Return {name
    of the line, such as SCK: what was measured}."""
    layers = board.copper
    neighbour = {layers[0]: layers[1], layers[-1]: layers[-2]}
    areas: dict[str, dict[str, list[Polygon]]] = {layer: {} for layer in layers}
    for pour in board.pours:
        areas[pour.layer].setdefault(pour.net, []).append(pour.area)
    found: dict[str, Beside] = {}
    holes = _holes(board)
    for track in _bus(board):
        line = next(name for name in BUS if track.net.startswith(name)).rstrip("_")
        _measure(track, areas[neighbour[track.layer]], holes, found.setdefault(line, Beside()))
    return found


def figures(board: Board) -> list[str]:
    """Return a text for each bus line: how many mm of its tracks run along each net of the next
    layer."""
    text = []
    for line, found in sorted(beside(board).items()):
        over = dict(found.over)
        ground, holes, bare = (over.pop(what, 0.0) for what in ("GND", HOLE, ""))
        text.append(
            "  %-6s ground %.0f, supply %.0f, holes %.0f, gap %.0f (%.1f at a stretch)"
            % (line, ground, sum(over.values()), holes, bare, found.longest)
        )
    return text


def _bus(board: Board) -> Iterator[Track]:
    return (track for track in board.tracks if track.net.startswith(BUS))


def _holes(board: Board) -> list[tuple[Place, float]]:
    pads = (pad for part in board.footprints.values() for pad in part.pads if pad.drill)
    return [
        *((place, radius) for _, place, radius in board.vias),
        *((pad.place, max(pad.size) / 2) for pad in pads),
    ]


def _measure(
    track: Track,
    areas: dict[str, list[Polygon]],
    holes: list[tuple[Place, float]],
    found: Beside,
) -> None:
    """Measure what is on the next layer along a track, in small steps; add the lengths to `found`.
    A step counts for a net that is at both edges of the track. A step over a hole's clearance
    counts for the net of the step before it, or for HOLE if that step has none.

    areas: {net: its copper areas} for the next layer.
    holes: (place, radius) of each hole.
    """
    (x1, y1), (x2, y2) = track.start, track.end
    length = math.dist(track.start, track.end)
    if not length:
        return
    # from the middle of the track to its edge
    ex, ey = (track.width / 2 * (y1 - y2) / length, track.width / 2 * (x2 - x1) / length)

    def net_at(x: float, y: float) -> str:
        return next((net for net, some in areas.items() if any(a.has(x, y) for a in some)), "")

    count = max(1, round(length / STEP))
    before, bare = "", 0
    for k in range(count + 1):
        x, y = x1 + (x2 - x1) * k / count, y1 + (y2 - y1) * k / count
        net = net_at(x + ex, y + ey)
        if net != net_at(x - ex, y - ey):
            net = ""
        if not net and any(math.dist((x, y), place) < radius + CLEAR for place, radius in holes):
            net = before or HOLE
        before = net
        bare = 0 if net else bare + 1
        found.longest = max(found.longest, bare * STEP)
        found.over[net] = found.over.get(net, 0.0) + length / (count + 1)
