# SPDX-License-Identifier: MIT
"""What the parts on the boards look like: a simple model of each, for the pictures.

A model is made from its footprint in the .kicad_pcb: where the pads are, how large the body is.
Heights are those of the parts in parts.toml; with its plug a part may stand higher, which is what
pcb_reader.HEIGHTS says to the housing.
"""

from pathlib import Path

from hardware import pcb_reader, sexp
from hardware.part_shapes import Prism, block, box, disc, vrml

PIN = 0.64  # of a header, square
BELOW = -2.6  # how far a lead goes through the board
SOCKET, PLASTIC = 8.5, 2.5  # the Pico's: sockets and the feet of its headers
PICO_BOARD = 1.0


class Footprint:
    """A footprint's pads, [(number, x, y, wide, high, through)], and body, (x1, y1, x2, y2)."""

    def __init__(self, part):
        self.name = part[1]
        self.pads = []
        for pad in sexp.find(part, "pad"):
            x, y = map(float, sexp.one(pad, "at")[1:3])
            wide, high = map(float, sexp.one(pad, "size")[1:3])
            if pad[1]:
                self.pads.append((pad[1], x, y, wide, high, pad[2] == "thru_hole"))
        self.body = pcb_reader.outline(part, "F.Fab")

    def pins(self, top, colour="tin", low=BELOW):
        """Return a square pin through each pad."""
        for _, x, y, *_ in self.pads:
            yield block(x, y, PIN, PIN, low, top, colour)


def model(footprint):
    """Return the shapes of a part; [] for a hole or a test point."""
    for name, shapes in KINDS:
        if name in footprint.name:
            return list(shapes(footprint))
    return []


def populated(board, folder):
    """Return the text of a .kicad_pcb whose parts have these models, written into a folder."""
    tree = sexp.loads(board)
    for number, part in enumerate(sexp.find(tree, "footprint")):
        part[:] = [item for item in part if not (isinstance(item, list) and item[0] == "model")]
        shapes = model(Footprint(part))
        if not shapes:
            continue
        file = Path(folder) / ("part-%d.wrl" % number)
        file.write_text(vrml(shapes))
        places = (("offset", 0), ("scale", 1), ("rotate", 0))
        how = [[word, ["xyz", value, value, value]] for word, value in places]
        part.append(["model", sexp.Str(str(file.resolve())), *how])
    return sexp.dumps(tree) + "\n"


# ---- small parts that lie flat ----


def _chip(fp, high=0.6, ends=0.4, body="chip", mark=None):
    """A resistor, capacitor or diode: a body between two caps of tin."""
    x1, y1, x2, y2 = fp.body
    yield box(x1, y1, x1 + ends, y2, 0, high, "tin")
    yield box(x2 - ends, y1, x2, y2, 0, high, "tin")
    yield box(x1 + ends, y1, x2 - ends, y2, 0.02, high + 0.02, body)
    if mark:
        yield box(x1 + ends, y1, x1 + ends + 0.4, y2, high, high + 0.05, mark)


def _resistor(fp):
    yield from _chip(fp, 0.55)
    yield block(0, 0, 0.7, 0.35, 0.57, 0.59, "print")  # its number


def _capacitor(fp):
    yield from _chip(fp, 1.25, 0.35, "tan")


def _diode(fp):
    """Its ring is on the left, at pin 1."""
    x1, y1, x2, y2 = fp.body
    for _, x, _, _, high, _ in fp.pads:
        edge = x1 - 0.4 if x < 0 else x2 + 0.4
        yield block(edge, 0, 0.9, high * 0.8, 0, 1.0, "tin")
    yield box(x1, y1, x2, y2, 0.1, 2.2, "chip")
    yield box(x1 + 0.25, y1, x1 + 0.8, y2, 2.2, 2.25, "print")


def _legs(fp, high):
    """Legs of a chip, from its side down onto the pads."""
    x1, y1, x2, y2 = fp.body
    for _, x, y, wide, _, _ in fp.pads:
        side = x1 if x < 0 else x2
        toe = x + (-1 if x < 0 else 1) * wide * 0.2
        width = 0.42
        knee = (side + toe) / 2
        a, b = sorted((side, knee))
        yield box(a, y - width / 2, b, y + width / 2, high * 0.5, high * 0.5 + 0.2, "tin")
        yield block(knee, y, 0.2, width, 0, high * 0.5 + 0.2, "tin")
        a, b = sorted((knee, toe))
        yield box(a, y - width / 2, b, y + width / 2, 0, 0.2, "tin")


def _flat_chip(fp, high):
    """A chip with legs on two sides: a notch at its upper end, a dot at pin 1."""
    x1, y1, x2, y2 = fp.body
    yield from _legs(fp, high)
    yield box(x1, y1, x2, y2, 0.15, high, "chip")
    small = x2 - x1 < 2
    dot = 0.2 if small else 0.4
    yield disc(x1 + 2 * dot, y1 + 2 * dot, dot, high, high + 0.02, "print")
    if not small:
        middle = (x1 + x2) / 2
        yield disc(middle, y1, 0.7, high, high + 0.02, "hole", (0, 180))
        yield block(middle, 0.5, (x2 - x1) * 0.4, 0.5, high, high + 0.01, "grey")
        yield block(middle, 1.6, (x2 - x1) * 0.3, 0.5, high, high + 0.01, "grey")


def _soic(fp):
    yield from _flat_chip(fp, 1.75 if "20W" not in fp.name else 2.5)


def _sot(fp):
    yield from _flat_chip(fp, 1.1)


def _dpak(fp):
    """A regulator lying on its tab."""
    x1, y1, x2, y2 = fp.body
    yield box(x2 - 1.3, y1 + 0.3, x2 + 0.55, y2 - 0.3, 0, 0.5, "tin")
    yield box(x1 + 2.7, y1, x2 - 0.9, y2, 0.1, 2.3, "chip")
    for _, x, y, wide, _, _ in fp.pads:
        if x < 0:
            yield box(x - wide * 0.3, y - 0.4, x1 + 2.7, y + 0.4, 0.0, 0.5, "tin")


def _pixel(fp):
    """A lamp in a white case; the cut corner is at pin 3."""
    x1, y1, x2, y2 = fp.body
    for _, x, y, wide, high, _ in fp.pads:
        yield block(x, y, wide * 0.7, high, 0, 0.5, "tin")
    cut = 1.0
    case = ((x1, y1), (x2, y1), (x2, y2 - cut), (x2 - cut, y2), (x1, y2))
    yield Prism(case, 0.05, 1.5, "white")
    yield disc(0, 0, 2.0, 1.5, 1.53, "grey")
    yield disc(0, 0, 1.85, 1.5, 1.55, "lamp")
    yield block(0.4, 0.4, 0.9, 0.7, 1.55, 1.57, "chip")
    for x, y in ((-0.8, -0.7), (0.0, -0.9), (0.8, -0.7)):
        yield block(x, y, 0.35, 0.35, 1.55, 1.57, "gold")


# ---- what stands on its leads ----


def _can(fp):
    """An electrolytic: sleeve with its stripe at minus, tin top with a cross."""
    x1, y1, x2, y2 = fp.body
    x, y, r = (x1 + x2) / 2, (y1 + y2) / 2, (x2 - x1) / 2 - 0.05
    high = 19.0 if r > 4 else 11.0
    yield from fp.pins(0.5)
    yield disc(x, y, r, 0.3, high - 0.3, "sleeve")
    yield disc(x, y, r + 0.04, 1.0, high - 0.8, "stripe", (-25, 25))
    yield disc(x, y, r - 0.5, high - 0.3, high, "tin")
    for wide, long in ((0.25, 1.3 * r), (1.3 * r, 0.25)):
        yield block(x, y, wide, long, high, high + 0.02, "grey")


def _fuse(fp):
    """A resettable fuse: a yellow disc on edge."""
    x1, y1, x2, y2 = fp.body
    yield from fp.pins(2.0)
    y = sum(pad[2] for pad in fp.pads) / 2
    wide, low, high = x2 - x1, 1.2, 10.6
    cut = 1.8
    face = (
        *((x1 + cut, low), (x2 - cut, low), (x2, low + cut), (x2, high - cut)),
        *((x2 - cut, high), (x1 + cut, high), (x1, high - cut), (x1, low + cut)),
    )
    yield Prism(face, y - 1.3, y + 1.3, "amber", "y")
    middle = x1 + wide / 2
    for z in (6.6, 4.8):  # its print
        row = (
            (middle - 1.8, z),
            (middle + 1.8, z),
            (middle + 1.8, z + 0.9),
            (middle - 1.8, z + 0.9),
        )
        yield Prism(row, y - 1.33, y + 1.33, "black", "y")


def _box_header(fp):
    """A box header, straight: walls around the pins, a gap in the wall beside pin 1's row."""
    x1, y1, x2, y2 = fp.body
    wall, high, floor = 1.1, 9.0, 2.2
    gap, middle = 4.5, (y1 + y2) / 2
    yield from fp.pins(8.2, "gold")
    yield box(x1, y1, x2, y2, 0, floor, "black")
    yield box(x2 - wall, y1, x2, y2, floor, high, "black")
    for a, b in ((y1, y1 + wall), (y2 - wall, y2)):
        yield box(x1 + wall, a, x2 - wall, b, floor, high, "black")
    for a, b in ((y1, middle - gap / 2), (middle + gap / 2, y2)):
        yield box(x1, a, x1 + wall, b, floor, high, "black")
    mark = ((x1 - 0.02, -1.0), (x1 - 0.02, 1.0), (x1 + 0.7, 0.0))
    yield Prism(mark, high, high + 0.02, "print")


def _box_header_lying(fp):
    """The same, angled: it opens away from its pins, the gap is above."""
    x1, y1, x2, y2 = fp.body
    x1 += 4.7  # the pins bend before the box
    wall, top, floor = 1.1, 8.7, 2.0
    gap, middle = 4.5, (y1 + y2) / 2
    for _, x, y, *_ in fp.pads:
        z = 5.6 if x < 1 else 3.1  # the row that is farther back is above
        yield block(x, y, PIN, PIN, BELOW, z + PIN, "gold")
        yield box(x, y - PIN / 2, x2 - 0.9, y + PIN / 2, z, z + PIN, "gold")
    yield box(x1, y1, x1 + floor, y2, 0, top, "black")
    yield box(x1 + floor, y1, x2, y2, 0, wall, "black")
    for a, b in ((y1, y1 + wall), (y2 - wall, y2)):
        yield box(x1 + floor, a, x2, b, wall, top, "black")
    for a, b in ((y1 + wall, middle - gap / 2), (middle + gap / 2, y2 - wall)):
        yield box(x1 + floor, a, x2, b, top - wall, top, "black")


def _header(fp):
    x1, y1, x2, y2 = fp.body
    yield from fp.pins(8.5, "gold")
    yield box(x1, y1, x2, y2, 0, PLASTIC, "black")
    for _, _, y, *_ in fp.pads[1:]:  # where it breaks
        yield box(x1 - 0.01, y - 1.37, x2 + 0.01, y - 1.17, PLASTIC, PLASTIC + 0.02, "hole")


def _socket(fp):
    x1, y1, x2, y2 = fp.body
    yield from fp.pins(0.5)
    top = SOCKET - 0.02
    yield box(x1, y1, x2, y2, 0, top, "black")
    for _, x, y, *_ in fp.pads:
        yield block(x, y, 1.3, 1.3, top, top + 0.01, "grey")
        yield block(x, y, 0.7, 0.7, top, top + 0.02, "hole")


def _terminal(fp):
    """Screw terminals: wires go in at the lower edge, screws above."""
    x1, y1, x2, y2 = fp.body
    high, step = 8.6, 3.0
    profile = box(x1, y1, x2, y2 - step, 0, high, "green")
    yield from fp.pins(1.0)
    yield profile
    yield box(x1, y2 - step, x2, y2, 0, 6.4, "green")
    for _, x, y, *_ in fp.pads:
        yield disc(x, y - 0.6, 1.35, high, high + 0.1, "hole")
        yield disc(x, y - 0.6, 1.2, high, high + 0.25, "steel")
        yield block(x, y - 0.6, 2.0, 0.35, high + 0.25, high + 0.27, "hole")
        hole = ((x - 1.1, 1.2), (x + 1.1, 1.2), (x + 1.1, 4.6), (x - 1.1, 4.6))
        yield Prism(hole, y2, y2 + 0.02, "hole", "y")
        yield Prism(
            ((x - 0.8, 1.4), (x + 0.8, 1.4), (x + 0.8, 2.2), (x - 0.8, 2.2)),
            y2,
            y2 + 0.04,
            "steel",
            "y",
        )


def _piezo(fp):
    x1, y1, x2, y2 = fp.body
    x, y, r = (x1 + x2) / 2, (y1 + y2) / 2, (x2 - x1) / 2
    yield from fp.pins(0.5)
    yield disc(x, y, r, 0.3, 6.5, "black")
    yield disc(x, y, r - 0.9, 6.5, 6.52, "chip")
    yield disc(x, y, 1.2, 6.52, 6.54, "hole")
    for wide, high in ((1.6, 0.3), (0.3, 1.6)):  # plus, over pin 1
        yield block(x1 + 2.4, y, wide, high, 6.52, 6.55, "print")


def _button(fp, high, plate, radius, top):
    """A push button: case, plate of steel, its four corners, stem."""
    x1, y1, x2, y2 = fp.body
    for _, x, y, *_ in fp.pads:
        yield block(x, y, 0.7, 1.0, BELOW, 1.2, "tin")
    yield box(x1, y1, x2, y2, 0, high, "black")
    yield box(x1 + 0.3, y1 + 0.3, x2 - 0.3, y2 - 0.3, high, high + plate, "steel")
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    far = (x2 - x1) * 0.36
    for dx in (-far, far):
        for dy in (-far, far):
            yield disc(x + dx, y + dy, radius * 0.16, high + plate, high + plate + 0.15, "black")
    yield disc(x, y, radius, high + plate, top, "black")


def _small_button(fp):
    yield from _button(fp, 3.3, 0.2, 1.75, 4.3)


def _large_button(fp):
    yield from _button(fp, 3.2, 0.3, 3.4, 7.3)


def _pico(fp):
    """A Pico on its sockets: USB at the upper edge, BOOTSEL, flash, chip, crystal."""
    x1, y1, x2, y2 = fp.body
    y1 += 1.3  # its USB socket stands out
    top = SOCKET + PLASTIC + PICO_BOARD
    middle = (x1 + x2) / 2
    yield from fp.pins(top + 0.6, "gold")
    for x in sorted({pad[1] for pad in fp.pads}):
        yield block(x, (y1 + y2) / 2, 2.5, 50.8, 0, SOCKET, "black")
        yield block(x, (y1 + y2) / 2, 2.5, 50.8, SOCKET, SOCKET + PLASTIC, "chip")
    yield box(x1, y1, x2, y2, SOCKET + PLASTIC, top, "pico")
    for _, x, y, *_ in fp.pads:
        edge = (x1, x + 0.8) if x < middle else (x - 0.8, x2)
        yield box(edge[0], y - 0.8, edge[1], y + 0.8, top, top + 0.03, "gold")
    yield block(middle, y1 + 1.6, 7.5, 5.8, top, top + 2.6, "tin")
    yield box(middle - 3.3, y1 - 1.32, middle + 3.3, y1 - 1.3, top + 0.4, top + 2.2, "hole")
    chip = y1 + 25.4
    yield block(middle, chip, 7.0, 7.0, top, top + 0.9, "chip")
    yield disc(middle - 2.6, chip - 2.6, 0.4, top + 0.9, top + 0.92, "print")
    for dy in (-0.8, 0.6):
        yield block(middle, chip + dy, 4.2, 0.7, top + 0.9, top + 0.91, "grey")
    yield block(middle + 1.2, chip - 8.0, 4.0, 3.0, top, top + 0.7, "chip")  # flash
    yield block(middle - 3.2, chip + 8.2, 3.2, 2.5, top, top + 0.8, "tin")  # crystal
    yield block(middle - 3.7, y1 + 12.0, 3.4, 4.4, top, top + 1.2, "tin")  # BOOTSEL
    yield disc(middle - 3.7, y1 + 12.0, 1.2, top + 1.2, top + 1.7, "white")
    yield block(middle + 4.6, y1 + 8.6, 3.0, 3.0, top, top + 1.4, "grey")  # inductor
    yield block(middle - 6.0, y1 + 4.0, 1.2, 0.7, top, top + 0.5, "lamp")
    for n in range(5):
        yield block(middle + 5.2, chip - 3.2 + 1.6 * n, 1.0, 0.5, top, top + 0.4, "tan")
    for dx in (-2.54, 0, 2.54):  # its debug pins, at the lower end
        yield disc(middle + dx, y2 - 1.6, 0.8, top, top + 0.03, "gold")


KINDS = (  # of footprints, by a word in their names; the first match counts
    ("R_0805", _resistor),
    ("C_0805", _capacitor),
    ("Diode_SMD:", _diode),
    ("SOIC", _soic),
    ("SOT-23", _sot),
    ("TO-252", _dpak),
    ("LED_WS2812B", _pixel),
    ("CP_Radial", _can),
    ("Fuse", _fuse),
    ("IDC-Header_2x07_P2.54mm_Vertical", _box_header),
    ("IDC-Header_2x07_P2.54mm_Horizontal", _box_header_lying),
    ("PinHeader", _header),
    ("PinSocket", _socket),
    ("TerminalBlock", _terminal),
    ("Buzzer", _piezo),
    ("SW_PUSH_6mm", _small_button),
    ("SW_PUSH-12mm", _large_button),
    ("Module:", _pico),
)
