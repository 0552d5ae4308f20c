# SPDX-License-Identifier: MIT
"""Measures the distance along copper (tracks, vias and straight across a pour) from each chip's
supply pin to its capacitor. Lengths are in mm."""

import heapq
import math
from collections.abc import Iterable

from hardware.kicad_files import Board, Place, Polygon, Track

SUPPLY_PINS = {  # value: pins that need a capacitor near them
    "74HC138": (16,),
    "74HC165": (16,),
    "74AHC244": (20,),
    "74AHCT1G125": (5,),
    "74LVC1G125": (5,),
    "WS2812B": (1,),
    "LD29150DT33": (1, 3),
}
FAR = {"LD29150DT33": 5.0}  # at most; others:
FAR_OTHERS = 10.0
TOUCH = 0.02
RELIEF = 0.45  # from a pad to the pour around its thermal relief

Node = tuple[str, float, float]  # layer, x, y


def supplies(board: Board) -> tuple[list[str], float]:
    """Return (mistakes, distance).

    mistakes: a line of text for each supply pin too far from a capacitor.
    distance: the longest way in mm from any other supply pin to its nearest capacitor.
    """
    wrong, longest = [], 0.0
    for ref, value in sorted(board.values.items()):
        for number in SUPPLY_PINS.get(value, ()):
            pin = "%s.%d" % (ref, number)
            net = board.pins.get(pin, "")
            reached = Copper(board, net).lengths(pin)
            length = min((mm for name, mm in reached.items() if name[0] == "C"), default=math.inf)
            far = FAR.get(value, FAR_OTHERS)
            if length > far:
                wrong.append(
                    "%s (%s, %s): %.1f mm to a capacitor, more than %.0f"
                    % (pin, value, net, length, far)
                )
            else:
                longest = max(longest, length)
    return wrong, longest


class Copper:
    """The copper of one net as a graph whose nodes are places on the board."""

    def __init__(self, board: Board, net: str) -> None:
        self.near: dict[Node, dict[Node, float]] = {}
        self.names: dict[str, list[Node]] = {}
        # of each layer: place -> the radius of the copper around it
        self._places: dict[str, dict[Node, float]] = {layer: {} for layer in board.copper}
        for name, pads in board.pads.items():
            for pad in pads:
                if pad.net == net:
                    here = self._through(pad.place, pad.layers, max(pad.size) / 2)
                    self.names.setdefault(name, []).extend(here)
        for other, place, radius in board.vias:
            if other == net:
                self._through(place, board.copper, radius)
        tracks = [track for track in board.tracks if track.net == net]
        for track in tracks:
            for x, y in (track.start, track.end):
                self._places[track.layer].setdefault((track.layer, x, y), 0.0)
        for track in tracks:
            self._track(track)
        for pour in board.pours:
            if pour.net == net:
                self._pour(pour.area, self._places[pour.layer])

    def lengths(self, start: str) -> dict[str, float]:
        """Return {pad: distance along copper in mm} for all pads connected to the pad `start`."""
        best = dict.fromkeys(self.names.get(start, ()), 0.0)
        queue = [(0.0, node) for node in best]
        heapq.heapify(queue)
        while queue:
            length, node = heapq.heappop(queue)
            if length > best[node]:
                continue
            for other, step in self.near.get(node, {}).items():
                if length + step < best.get(other, math.inf):
                    best[other] = length + step
                    heapq.heappush(queue, (length + step, other))
        return {
            name: min(best[node] for node in nodes if node in best)
            for name, nodes in self.names.items()
            if any(node in best for node in nodes)
        }

    def _through(self, place: Place, layers: Iterable[str], radius: float) -> list[Node]:
        """Add a pad or via to the graph, connected through its layers. Return its nodes."""
        here = [(layer, *place) for layer in layers]
        for a, b in zip(here, here[1:]):
            self._join(a, b, 0.0)
        for node in here:
            known = self._places[node[0]]
            known[node] = max(radius, known.get(node, 0.0))
        return here

    def _join(self, a: Node, b: Node, length: float) -> None:
        if length < self.near.get(a, {}).get(b, math.inf):
            self.near.setdefault(a, {})[b] = length
            self.near.setdefault(b, {})[a] = length

    def _track(self, track: Track) -> None:
        (x1, y1), (x2, y2) = track.start, track.end
        length = math.dist(track.start, track.end)
        on = []
        for node in self._places[track.layer] if length else ():
            _, x, y = node
            along = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length
            foot = x1 + (x2 - x1) * along / length, y1 + (y2 - y1) * along / length
            if -TOUCH <= along <= length + TOUCH and math.dist((x, y), foot) < TOUCH:
                on.append((along, node))
        on.sort()
        for (u, a), (v, b) in zip(on, on[1:]):
            self._join(a, b, max(0.0, v - u))

    def _pour(self, area: Polygon, places: dict[Node, float]) -> None:
        """Connect all places that a pour touches. A pad with a thermal relief counts if the pour
        reaches the relief's edge."""
        touched: list[Node] = []
        for node, radius in places.items():
            _, x, y = node
            spots = [(x, y)]
            if radius:
                turns = [math.tau * k / 16 for k in range(16)]
                reach = radius + RELIEF
                spots += [(x + reach * math.cos(t), y + reach * math.sin(t)) for t in turns]
            if any(area.has(*spot) for spot in spots):
                touched.append(node)
        for k, a in enumerate(touched):
            for b in touched[k + 1 :]:
                self._join(a, b, math.dist(a[1:], b[1:]))
