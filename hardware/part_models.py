# SPDX-License-Identifier: MIT
"""Makes simple 3D models of the parts on the boards, for the pictures.

A model is made from the pads and the body of the part's footprint. The heights are those of the
parts in parts.toml; heights with plugs are in housing_plan.HEIGHTS.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from hardware import s_expressions
from hardware.kicad_files import Board, Box, Footprint
from hardware.part_shapes import Prism, block, box, disc, vrml

PIN = 0.64  # of a header, square
BELOW = -2.6  # how far a lead goes through the board
SOCKET, PLASTIC = 8.5, 2.5  # the Pico's: sockets and the feet of its headers
PICO_BOARD = 1.0
Shapes = Iterator[Prism]
Kind = Callable[["Sketch"], Shapes]


class Sketch:
    """What a part's model is made from, in the coordinates of its footprint.

    body: its body's bounding box.
    pads: [(number, x, y, width, height, whether the pad has a hole), ...].
    """

    def __init__(self, part: Footprint) -> None:
        self.name = part.name
        self.pads = [
            (pad.number, *pad.own, *pad.size, bool(pad.drill)) for pad in part.pads if pad.number
        ]
        self.body: Box = part.outline("F.Fab") or (0.0, 0.0, 0.0, 0.0)

    def pins(self, top: float, colour: str = "tin", low: float = BELOW) -> Shapes:
        """Yield a square pin through each pad, between two heights."""
        for _, x, y, *_ in self.pads:
            yield block(x, y, PIN, PIN, low, top, colour)


def model(part: Footprint) -> list[Prism]:
    """Return the shapes of a part's model; [] for a hole or a test point."""
    for name, shapes in KINDS:
        if name in part.name:
            return list(shapes(Sketch(part)))
    return []


def populated(text: str, folder: Path) -> str:
    """Write 3D models of a board's parts into a folder. Return `text`, changed to use the models.
    text: a .kicad_pcb file's text."""
    board = Board(text)
    for number, part in enumerate(board.footprints.values()):
        tree = part.tree
        tree[:] = [item for item in tree if not (isinstance(item, list) and item[0] == "model")]
        shapes = model(part)
        if not shapes:
            continue
        file = folder / ("part-%d.wrl" % number)
        file.write_text(vrml(shapes))
        places = (("offset", "0"), ("scale", "1"), ("rotate", "0"))
        how = [[word, ["xyz", value, value, value]] for word, value in places]
        tree.append(["model", s_expressions.Str(file.resolve()), *how])
    return s_expressions.dumps(board.tree)


# ---- the kinds of parts ----


def _flat(high: float, body: str, pin_1: bool = False) -> Kind:
    """Return a function that models a surface-mounted part. high, body: the height in mm and the
    colour of the part's body; pin_1: whether to add a dot at pin 1."""

    def shapes(fp: Sketch) -> Shapes:
        x1, y1, x2, y2 = fp.body
        for _, x, y, wide, deep, _ in fp.pads:
            yield block(x, y, wide * 0.8, min(deep, 0.8 * (y2 - y1)), 0, min(0.5, high / 2), "tin")
        yield box(x1, y1, x2, y2, 0.02, high, body)
        if pin_1:
            yield disc(x1 + 0.5, y1 + 0.5, 0.25, high, high + 0.02, "print")

    return shapes


def _upright(high: float, body: str, pins: float = 0.5, colour: str = "tin") -> Kind:
    """Return a function that models a box with leads. high, body: the height in mm and the colour
    of the box; pins, colour: the height of the leads' upper ends and the leads' colour."""

    def shapes(fp: Sketch) -> Shapes:
        yield from fp.pins(pins, colour)
        yield box(*fp.body, 0, high, body)

    return shapes


def _box_header_lying(fp: Sketch) -> Shapes:
    yield from _upright(8.7, "black")(fp)
    _, y1, x2, y2 = fp.body
    yield box(x2, y1 + 1.1, x2 + 0.02, y2 - 1.1, 1.1, 7.6, "hole")
    for _, x, y, *_ in fp.pads:
        z = 5.6 if x < 1 else 3.1  # the row farther back is above
        yield box(x2, y - PIN / 2, x2 + 0.04, y + PIN / 2, z, z + PIN, "gold")


def _socket(fp: Sketch) -> Shapes:
    yield from _upright(SOCKET - 0.02, "black")(fp)
    for _, x, y, *_ in fp.pads:
        yield block(x, y, 1.3, 1.3, SOCKET - 0.02, SOCKET - 0.01, "grey")
        yield block(x, y, 0.7, 0.7, SOCKET - 0.02, SOCKET, "hole")


def _diode(fp: Sketch) -> Shapes:
    """Model a diode with a ring at the end of pin 1."""
    yield from _flat(2.2, "chip")(fp)
    x1, y1, _, y2 = fp.body
    yield box(x1 + 0.25, y1, x1 + 0.8, y2, 2.2, 2.25, "print")


def _pixel(fp: Sketch) -> Shapes:
    """Model a pixel: a lamp in a white case, with a cut corner at pin 3."""
    x1, y1, x2, y2 = fp.body
    for _, x, y, wide, high, _ in fp.pads:
        yield block(x, y, wide * 0.7, high, 0, 0.5, "tin")
    cut = 1.0
    case = ((x1, y1), (x2, y1), (x2, y2 - cut), (x2 - cut, y2), (x1, y2))
    yield Prism(case, 0.05, 1.5, "white")
    yield disc(0, 0, 1.85, 1.5, 1.55, "lamp")


def _can(fp: Sketch) -> Shapes:
    """Model an electrolytic capacitor, with a stripe on the negative side."""
    x1, y1, x2, y2 = fp.body
    x, y, r = (x1 + x2) / 2, (y1 + y2) / 2, (x2 - x1) / 2 - 0.05
    high = 19.0 if r > 4 else 11.0
    yield from fp.pins(0.5)
    yield disc(x, y, r, 0.3, high - 0.3, "sleeve")
    yield disc(x, y, r + 0.04, 1.0, high - 0.8, "stripe", (-25, 25))
    yield disc(x, y, r - 0.5, high - 0.3, high, "tin")


def _box_header(fp: Sketch) -> Shapes:
    """Model a straight box header, with a notch on the side of pin 1."""
    x1, y1, x2, y2 = fp.body
    wall, high, floor = 1.1, 9.0, 2.2
    notch, middle = 4.5, (y1 + y2) / 2
    yield from fp.pins(8.2, "gold")
    yield box(x1, y1, x2, y2, 0, floor, "black")
    yield box(x2 - wall, y1, x2, y2, floor, high, "black")
    for a, b in ((y1, y1 + wall), (y2 - wall, y2)):
        yield box(x1 + wall, a, x2 - wall, b, floor, high, "black")
    for a, b in ((y1, middle - notch / 2), (middle + notch / 2, y2)):
        yield box(x1, a, x1 + wall, b, floor, high, "black")


def _terminal(fp: Sketch) -> Shapes:
    x1, y1, x2, y2 = fp.body
    high = 8.6
    yield from fp.pins(1.0)
    yield box(x1, y1, x2, y2, 0, high, "green")
    for _, x, y, *_ in fp.pads:
        yield disc(x, y - 0.6, 1.2, high, high + 0.25, "steel")
        hole = ((x - 1.1, 1.2), (x + 1.1, 1.2), (x + 1.1, 4.6), (x - 1.1, 4.6))
        yield Prism(hole, y2, y2 + 0.02, "hole", "y")


def _piezo(fp: Sketch) -> Shapes:
    x1, y1, x2, y2 = fp.body
    x, y, r = (x1 + x2) / 2, (y1 + y2) / 2, (x2 - x1) / 2
    yield from fp.pins(0.5)
    yield disc(x, y, r, 0.3, 6.5, "black")
    yield disc(x, y, 1.2, 6.5, 6.52, "hole")


def _button(case: float, radius: float, top: float) -> Kind:
    """Return a function that models a push button. case, top: the heights in mm of the case and of
    the stem's upper end; radius: the stem's radius."""

    def shapes(fp: Sketch) -> Shapes:
        x1, y1, x2, y2 = fp.body
        for _, x, y, *_ in fp.pads:
            yield block(x, y, 0.7, 1.0, BELOW, 1.2, "tin")
        yield box(x1, y1, x2, y2, 0, case, "black")
        yield box(x1 + 0.3, y1 + 0.3, x2 - 0.3, y2 - 0.3, case, case + 0.2, "steel")
        yield disc((x1 + x2) / 2, (y1 + y2) / 2, radius, case + 0.2, top, "black")

    return shapes


def _pico(fp: Sketch) -> Shapes:
    x1, y1, x2, y2 = fp.body
    y1 += 1.3  # its USB socket stands out
    top = SOCKET + PLASTIC + PICO_BOARD
    middle = (x1 + x2) / 2
    yield from fp.pins(top + 0.6, "gold")
    for x in sorted({pad[1] for pad in fp.pads}):
        yield block(x, (y1 + y2) / 2, 2.5, 50.8, 0, SOCKET + PLASTIC, "black")
    yield box(x1, y1, x2, y2, SOCKET + PLASTIC, top, "pico")
    yield block(middle, y1 + 1.6, 7.5, 5.8, top, top + 2.6, "tin")
    yield block(middle, y1 + 25.4, 7.0, 7.0, top, top + 0.9, "chip")
    yield block(middle - 3.7, y1 + 12.0, 3.4, 4.4, top, top + 1.2, "tin")
    yield disc(middle - 3.7, y1 + 12.0, 1.2, top + 1.2, top + 1.7, "white")


# by a word in the footprint's name; the first match counts
KINDS: tuple[tuple[str, Kind], ...] = (
    ("R_0805", _flat(0.55, "chip")),
    ("C_0805", _flat(1.25, "tan")),
    ("Diode_SMD:", _diode),
    ("SOIC-20W", _flat(2.5, "chip", True)),
    ("SOIC", _flat(1.75, "chip", True)),
    ("SOT-23", _flat(1.1, "chip", True)),
    ("TO-252", _flat(2.3, "chip")),
    ("LED_WS2812B", _pixel),
    ("CP_Radial", _can),
    ("Fuse", _upright(10.6, "amber")),
    ("IDC-Header_2x07_P2.54mm_Vertical", _box_header),
    ("IDC-Header_2x07_P2.54mm_Horizontal", _box_header_lying),
    ("PinHeader", _upright(PLASTIC, "black", 8.5, "gold")),
    ("PinSocket", _socket),
    ("TerminalBlock", _terminal),
    ("Buzzer", _piezo),
    ("SW_PUSH_6mm", _button(3.3, 1.75, 4.3)),
    ("SW_PUSH-12mm", _button(3.2, 3.4, 7.3)),
    ("Module:", _pico),
)
