# SPDX-License-Identifier: MIT
"""Reads the files of the KiCad projects: the hubs hub12 and hub16, and slot.

They are drawn in KiCad's editors and never written here. Lengths are in mm. A place on a board is
(x, y) from the upper left corner of its outline, with y pointing down.
"""

import functools
import math
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hardware import s_expressions
from hardware.s_expressions import Expression, find, numbers, one

HERE = Path(__file__).parent
Place = tuple[float, float]
Box = tuple[float, float, float, float]  # x1, y1, x2, y2


@dataclass(frozen=True)
class Pad:
    """A pad or hole of a footprint.

    own, size: its place and size in the footprint's coordinates.
    net: the name of the net without the sheet's "/", or "" if there is none.
    layers: its copper layers, from the top.
    drill: the diameter of its hole, 0 if it has no hole.
    """

    number: str
    net: str
    place: Place
    own: Place
    size: Place
    layers: tuple[str, ...]
    drill: float
    plated: bool


class Footprint:
    """A part on a board.

    name: "Library:Footprint".
    angle: the rotation in degrees, counterclockwise.
    """

    def __init__(self, tree: Expression, origin: Place, copper: tuple[str, ...]) -> None:
        self.tree = tree
        self.name: str = tree[1]
        self.layer: str = one(tree, "layer")[1]
        texts = {item[1]: item for item in find(tree, "property")}
        self.ref: str = texts["Reference"][2]
        self.value: str = texts["Value"][2]
        # whether reference and value are printed
        self.named, self.valued = (
            one(text, "layer")[1].endswith(".SilkS") and ["hide", "yes"] not in text
            for text in (texts["Reference"], texts["Value"])
        )
        x, y, *angle = numbers(tree, "at")
        self.angle = angle[0] if angle else 0.0
        self.place = (round(x - origin[0], 4), round(y - origin[1], 4))
        self.value_place = self.on_board(*numbers(texts["Value"], "at")[:2])
        self.pads = [self._pad(item, copper) for item in find(tree, "pad")]

    def on_board(self, x: float, y: float) -> Place:
        """Return the place on the board of a point (x, y) in the coordinates of the footprint."""
        turn = math.radians(self.angle)
        c, s = math.cos(turn), math.sin(turn)
        return round(self.place[0] + x * c + y * s, 4), round(self.place[1] - x * s + y * c, 4)

    def outline(self, layer: str) -> Box | None:
        """Return the bounding box of everything on one layer, in the footprint's own
        coordinates."""
        points = list(_drawn(self.tree, layer, "fp_"))
        return around(points) if points else None

    def _pad(self, tree: Expression, copper: tuple[str, ...]) -> Pad:
        x, y, *_ = numbers(tree, "at")
        wide, high = numbers(tree, "size")
        on = one(tree, "layers")[1:]
        return Pad(
            number=tree[1],
            net=next((net[2].removeprefix("/") for net in find(tree, "net")), ""),
            place=self.on_board(x, y),
            own=(x, y),
            size=(wide, high),
            layers=copper if "*.Cu" in on else tuple(name for name in copper if name in on),
            drill=next((_diameter(hole) for hole in find(tree, "drill")), 0.0),
            plated=tree[2] != "np_thru_hole",
        )


def _diameter(hole: Expression) -> float:
    """Return the first number of an expression like `(drill 0.8)` or `(drill oval 0.8 1.2)`."""
    return next(float(atom) for atom in hole[1:] if atom != "oval")


class Polygon:
    """A filled area, given by one outline. Cuts of zero width join the outline to the holes, as in
    KiCad's files."""

    def __init__(self, corners: list[Place]) -> None:
        # edges by the millimetres they cross, so that a line across looks at few of them
        self._edges: dict[int, list[tuple[Place, Place]]] = {}
        self._spans: dict[float, list[Place]] = {}  # the answers of `spans`, by y
        ys = [y for _, y in corners]
        self.top, self.bottom = min(ys), max(ys)
        for a, b in zip(corners, corners[1:] + corners[:1]):
            low, high = sorted((a[1], b[1]))
            for row in range(math.floor(low), math.floor(high) + 1):
                self._edges.setdefault(row, []).append((a, b))

    def spans(self, y: float) -> list[Place]:
        """Return the parts of the horizontal line at y inside the area, as [(from x, to x),
        ...]."""
        if y in self._spans:
            return self._spans[y]
        edges = self._edges.get(math.floor(y), ())
        xs = sorted(
            x1 + (x2 - x1) * (y - y1) / (y2 - y1)
            for (x1, y1), (x2, y2) in edges
            if (y1 > y) != (y2 > y)
        )
        found: list[Place] = []
        for a, b in zip(xs[::2], xs[1::2]):
            if found and a - found[-1][1] < 0.001:  # a cut
                a = found.pop()[0]
            found.append((a, b))
        self._spans[y] = found
        return found

    def has(self, x: float, y: float) -> bool:
        return any(a <= x < b for a, b in self.spans(y))


@dataclass(frozen=True)
class Track:
    net: str
    layer: str
    start: Place
    end: Place
    width: float


@dataclass(frozen=True)
class Pour:
    """One filled piece of a copper pour ("zone" in KiCad)."""

    net: str
    layer: str
    area: Polygon


@dataclass(frozen=True)
class Text:
    """A text that is printed on a board and does not belong to a part."""

    words: str
    place: Place
    layer: str


class Board:
    """A .kicad_pcb file.

    size: that of the outline.
    copper: the copper layers from the top.
    origin: the upper left corner of the outline in KiCad's coordinates.
    """

    def __init__(self, text: str) -> None:
        self.tree = tree = s_expressions.loads(text)
        x1, y1, x2, y2 = around(list(_drawn(tree, "Edge.Cuts", "gr_")))
        self.origin = (x1, y1)
        self.size = (round(x2 - x1, 4), round(y2 - y1, 4))
        self.thickness = numbers(tree, "general", "thickness")[0]
        self.copper = tuple(
            layer[1] for layer in one(tree, "layers")[1:] if layer[1].endswith(".Cu")
        )
        self.title = title_block(tree)
        self._nets: dict[str, str] = {
            net[1]: net[2].removeprefix("/") for net in find(tree, "net")
        }
        parts = (Footprint(part, self.origin, self.copper) for part in find(tree, "footprint"))
        self.footprints = {part.ref: part for part in parts}
        # (net, place, radius)
        self.vias = [
            (self._net(via), self._at(via, "at"), numbers(via, "size")[0] / 2)
            for via in find(tree, "via")
        ]
        self.tracks = list(self._tracks(tree))
        self.texts = [
            Text(item[1], self._at(item, "at"), one(item, "layer")[1])
            for item in find(tree, "gr_text")
        ]

    def __getitem__(self, ref: str) -> Footprint:
        return self.footprints[ref]

    def header(self, slot: str) -> Footprint:
        """Return the footprint of the header for a slot's ribbon on a hub."""
        (found,) = (p for p in self.footprints.values() if p.value == "slot " + slot)
        return found

    @functools.cached_property
    def pours(self) -> list[Pour]:
        """The filled pieces of the copper pours. Slow to read."""
        return list(self._pours(self.tree))

    @property
    def pads(self) -> dict[str, list[Pad]]:
        """The numbered pads: {"U1.3": [Pad, ...]}. Pads with the same number share a list."""
        found: dict[str, list[Pad]] = {}
        for part in self.footprints.values():
            for pad in part.pads:
                if pad.number:
                    found.setdefault("%s.%s" % (part.ref, pad.number), []).append(pad)
        return found

    @property
    def pins(self) -> dict[str, str]:
        """The net of each pad: {"U1.3": net}."""
        return {name: pads[0].net for name, pads in self.pads.items() if pads[0].net}

    @property
    def values(self) -> dict[str, str]:
        """The value of each part: {"R1": "5k1"}."""
        return {ref: part.value for ref, part in self.footprints.items()}

    def beside(self, place: Place, layer: str = "F.SilkS") -> Text:
        """Return the printed text nearest to a place, ignoring the texts of parts."""
        texts = [text for text in self.texts if text.layer == layer]
        return min(texts, key=lambda text: math.dist(text.place, place))

    def printed(self, words: str) -> Place:
        """Return the place of a text printed on the front. Raise KeyError if there is none."""
        for text in self.texts:
            if text.words == words and text.layer == "F.SilkS":
                return text.place
        raise KeyError("%s is not printed on the board" % words)

    def _net(self, item: Expression) -> str:
        return self._nets[one(item, "net")[1]]

    def _at(self, item: Expression, word: str) -> Place:
        x, y, *_ = numbers(item, word)
        return round(x - self.origin[0], 4), round(y - self.origin[1], 4)

    def _tracks(self, tree: Expression) -> Iterator[Track]:
        """Yield the tracks of a parsed board file. An arc becomes two straight pieces."""
        for kind, words in (("segment", ("start", "end")), ("arc", ("start", "mid", "end"))):
            for item in find(tree, kind):
                places = [self._at(item, word) for word in words]
                layer, width = one(item, "layer")[1], numbers(item, "width")[0]
                for a, b in zip(places, places[1:]):
                    yield Track(self._net(item), layer, a, b, width)

    def _pours(self, tree: Expression) -> Iterator[Pour]:
        for zone in find(tree, "zone"):
            net = one(zone, "net_name")[1].removeprefix("/")
            for filled in find(zone, "filled_polygon"):
                x0, y0 = self.origin
                points = (map(float, point[1:3]) for point in find(filled, "pts", "xy"))
                corners = [(x - x0, y - y0) for x, y in points]
                yield Pour(net, one(filled, "layer")[1], Polygon(corners))


def title_block(tree: Expression) -> dict[str, str]:
    """Return the title, date and revision of a parsed board or schematic."""
    return {item[0]: item[1] for item in one(tree, "title_block")[1:] if item[0] != "comment"}


def around(points: list[Place]) -> Box:
    xs, ys = zip(*points)
    return min(xs), min(ys), max(xs), max(ys)


def _drawn(tree: Expression, layer: str, kind: str) -> Iterator[Place]:
    """Yield the corners of the shapes on a layer. kind: "fp_" for the shapes of a footprint, "gr_"
    for the shapes of a board."""
    for name in ("line", "rect", "poly", "circle", "arc"):
        for shape in find(tree, kind + name):
            if one(shape, "layer")[1] != layer:
                continue
            if name == "circle":
                (x, y), end = numbers(shape, "center"), numbers(shape, "end")
                r = math.dist((x, y), end)
                yield from ((x - r, y - r), (x + r, y + r))
            else:
                corners = find(shape, "pts", "xy") if name == "poly" else shape
                for item in corners:
                    if item[0] in ("start", "mid", "end", "xy"):
                        yield float(item[1]), float(item[2])


# ---- the schematic ----


@dataclass(frozen=True)
class Part:
    """A part in a schematic.

    symbol, footprint: "Library:Name".
    key: its key in parts.toml, from the field Part, or "".
    bought: whether the parts list includes the part.
    dnp: whether the part is fitted only if needed ("do not populate").
    place: where it is on the sheet.
    """

    ref: str
    value: str
    symbol: str
    footprint: str
    key: str
    bought: bool
    dnp: bool
    place: Place


def natural(ref: str) -> tuple[str, int]:
    """Return a sort key for part references that sorts "R2" before "R10"."""
    found = re.match(r"(\D*)(\d*)", ref)
    assert found
    return found[1], int(found[2] or 0)


class Schematic:
    """A .kicad_sch file of one sheet.

    parts: {reference: Part}, without power symbols and flags.
    labels: the net name of each label on the sheet.
    """

    def __init__(self, text: str) -> None:
        tree = s_expressions.loads(text)
        self.title = title_block(tree)
        found = (self._part(item) for item in find(tree, "symbol"))
        self.parts = sorted(
            (part for part in found if part.ref[0] != "#"), key=lambda part: natural(part.ref)
        )
        self.labels: list[str] = [label[1] for label in find(tree, "label")]

    def _part(self, tree: Expression) -> Part:
        texts = {item[1]: item[2] for item in find(tree, "property")}
        x, y, *_ = numbers(tree, "at")
        return Part(
            ref=texts["Reference"],
            value=texts["Value"],
            symbol=one(tree, "lib_id")[1],
            footprint=texts["Footprint"],
            key=texts.get("Part", ""),
            bought=one(tree, "in_bom")[1] == "yes",
            dnp=one(tree, "dnp")[1] == "yes",
            place=(x, y),
        )


class Project:
    """A KiCad project. folder: the folder with its files, which are read when first used."""

    def __init__(self, name: str, folder: Path | None = None) -> None:
        self.name = name
        self.folder = folder or HERE / name

    def file(self, kind: str) -> Path:
        """Return the path of a project file. kind: the file's suffix, such as "kicad_pcb",
        "kicad_sch" or "kicad_pro"."""
        return self.folder / ("%s.%s" % (self.name, kind))

    def copy(self, folder: Path) -> "Project":
        """Copy the project into a new folder inside `folder`, without lock files, and return the
        copy."""
        ignored = shutil.ignore_patterns("*.lck")
        return Project(self.name, shutil.copytree(self.folder, folder / self.name, ignore=ignored))

    @functools.cached_property
    def board(self) -> Board:
        return Board(self.file("kicad_pcb").read_text())

    @functools.cached_property
    def schematic(self) -> Schematic:
        return Schematic(self.file("kicad_sch").read_text())


HUB12 = Project("hub12")
HUB16 = Project("hub16")
HUBS = (HUB12, HUB16)
SLOT = Project("slot")
PROJECTS = (*HUBS, SLOT)
