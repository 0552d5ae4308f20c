# SPDX-License-Identifier: MIT
"""Makes the drawings of the guide from the boards, the pin map and the housing's measures.

Other drawings, such as pictures/ribbon.svg, are drawn by hand; a check verifies their numbers.
"""

from collections.abc import Callable
from pathlib import Path

from hardware import housing_plan, pinmap, silkscreen_check
from hardware.housing_plan import (
    AIR,
    ANTENNA,
    FLOOR,
    HEADER,
    INLET,
    JOINTS,
    LADDER,
    LID,
    PLASTIC,
    READER,
    READER_DEEP,
    RIM,
    ROOM,
    SOCKET,
    TAG,
    TAPE,
    THIN,
    TILE,
    TILE_THICK,
    WALL,
    tag_distance,
)
from hardware.kicad_files import HUB12, Place
from hardware.pinmap import SLOTS
from hardware.pinouts import GATES_125, GROUND, PICO_PINS, V33, VSYS
from hardware.svg_drawing import BLUE, BOARD, COPPER, INK, IVORY, PAPER, PRINTED, RED, Drawing

FOLDER = Path(__file__).parent / "pictures"
LONG, WIDE = TILE[0] - 1.0, TILE[1] - 1.0  # of the tile itself


def drawings() -> dict[Path, str]:
    """Return the generated drawings as {path of the file: SVG text}."""
    made = {
        "bench.svg": bench,
        "ladder.svg": ladder,
        "reader.svg": soldered_reader,
        "inlet.svg": inlet,
        "breadboard-pico.svg": breadboard_pico,
        "tag-distance.svg": distance,
    }
    return {FOLDER / name: draw() for name, draw in made.items()}


def mistakes(folder: Path = FOLDER) -> list[str]:
    """Return a line of text for each pin number or measure missing in a hand-made drawing."""
    into, _, out = GATES_125[0]
    lights = PICO_PINS[pinmap.load()["breadboard"]["lights"]]
    numbers = {
        "breadboard-supply.svg": (
            "Pico's pin %d" % lights,
            "to pin %d" % into,
            "pin %d" % out,
            "pin %d: VSYS" % VSYS,
            "pin %d: GND" % GROUND,
        ),
        "tag-place.svg": ("%g mm" % TAG, "tile: %g x %g mm" % (LONG, WIDE)),
    }
    return [
        "%s does not have: %s" % (name, words)
        for name, texts in numbers.items()
        for words in texts
        if ">%s</text>" % words not in (folder / name).read_text()
    ]


# ---- hub12 on the bench ----

SCALE = 7.0  # px a mm, of the board
MARGIN = 40.0  # px around it
PICO = (21.0, 51.0)  # mm
INLET_PITCH = 3.5
BOX = (9.0, 24.5)  # of a box header, across and along, mm
WRONG_WAY = (  # parts that have a right way round, and what shows it
    ("C1", "the longer leg at +"),
    ("C3", "the longer leg at +"),
    ("D1", "its ring as printed"),
    ("D2", "its ring as printed"),
    ("U3", "its tab on the large pad"),
    ("F1", "either way"),
)
PLUS = ("C1", "C3")  # their first pad


def points() -> list[str]:
    """Return the names of the test points as printed on the board."""
    refs = [ref for ref in HUB12.board.footprints if ref.startswith("TP")]
    return [silkscreen_check.names_at(HUB12.board, ref)[0] for ref in sorted(refs, key=len)]


def bench() -> str:
    """Return the SVG of hub12 from above: test points, pin 1 of every connector, and the place of
    each plug."""
    wide, high = HUB12.board.size
    drawing = Drawing(
        wide * SCALE + 2 * MARGIN + 380, high * SCALE + 2 * MARGIN, "hub12 on the bench"
    )
    drawing.box(MARGIN, MARGIN, wide * SCALE, high * SCALE, "#e9f1ec", BOARD, 2.5)
    for name in SLOTS:
        _header(drawing, name)
    _pico(drawing)
    _inlet(drawing)
    _points(drawing)
    for ref, _ in WRONG_WAY:
        x, y = _at(*HUB12.board[ref].place)
        if ref in PLUS:
            drawing.words(x, y + 8, "+", 22, "middle", RED, bold=True)
        drawing.words(x - 8, y + 5, ref, 14, "end", bold=True)
    _legend(drawing, wide * SCALE + 2 * MARGIN + 10)
    return drawing.svg()


def _at(x: float, y: float) -> Place:
    """Convert a place on the board in mm to px in the drawing."""
    return MARGIN + x * SCALE, MARGIN + y * SCALE


def _header(drawing: Drawing, name: str) -> None:
    found = [pad.place for pad in HUB12.board.header(name).pads]
    xs, ys = zip(*found)
    along = max(xs) - min(xs) > max(ys) - min(ys)
    wide, high = (BOX[1], BOX[0]) if along else BOX
    x, y = _at((min(xs) + max(xs)) / 2 - wide / 2, (min(ys) + max(ys)) / 2 - high / 2)
    drawing.box(x, y, wide * SCALE, high * SCALE, PAPER)
    for n, place in enumerate(found, 1):
        fill = {1: RED, 3: BLUE, 4: BLUE}.get(n, COPPER)
        drawing.circle(*_at(*place), 6, fill, width=1)
    drawing.words(*_at(*HUB12.board.printed(name)), name, 22, "middle", bold=True)


def _pico(drawing: Drawing) -> None:
    x, y = HUB12.board["U1"].place
    middle = x + 8.89
    drawing.box(*_at(middle - PICO[0] / 2, y - 1.4), PICO[0] * SCALE, PICO[1] * SCALE, "#d7e6dd")
    drawing.words(*_at(middle, y + 28), "Pico", 18, "middle", bold=True)
    drawing.box(*_at(middle - 4, y - 2.7), 8 * SCALE, 5.5 * SCALE, PRINTED)
    drawing.words(*_at(middle, y + 6), "USB", 13, "middle")
    bx, by = x + housing_plan.BOOTSEL[0], y + housing_plan.BOOTSEL[1]
    drawing.circle(*_at(bx, by), 11, PAPER, width=2)
    drawing.words(*_at(bx + 2.2, by + 0.8), "BOOTSEL", 13)
    for pad, name in zip(HUB12.board["J14"].pads, ("-", "D-", "D+", "GND")):
        x, y = pad.place
        drawing.circle(*_at(x, y), 6, PRINTED if name == "-" else COPPER, width=1)
        drawing.words(*_at(x - 1.4, y + 0.7), name, 13, "end")
    x, y = HUB12.board["J14"].place
    drawing.words(*_at(x, y - 2.2), "J14", 14, "middle", bold=True)
    x, y = HUB12.board["SW1"].place
    drawing.box(*_at(x, y - 0.75), 6.5 * SCALE, 6 * SCALE, PAPER)
    drawing.words(*_at(x + 3.25, y + 3.0), "SW1", 14, "middle", bold=True)


def _inlet(drawing: Drawing) -> None:
    x, y = HUB12.board["J13"].place
    drawing.box(*_at(x - 1.75, y - 3.2), 6 * INLET_PITCH * SCALE, 7.6 * SCALE, PAPER)
    names = silkscreen_check.names_at(HUB12.board, "J13")
    for n, (pad, name) in enumerate(zip(HUB12.board["J13"].pads, names)):
        x, y = pad.place
        fill = {0: RED, 1: INK}.get(n, COPPER)
        drawing.circle(*_at(x, y + 1.2), 7, fill, width=1)
        drawing.words(*_at(x, y - 1.0), name, 10, "middle")


def _points(drawing: Drawing) -> None:
    for n, name in enumerate(points(), 1):
        x, y = _at(*HUB12.board["TP%d" % n].place)
        drawing.circle(x, y, 9, INK if name == "GND" else "#e6b422", width=1.5)
        drawing.words(x, y - 12, name, 11, "middle")


def _legend(drawing: Drawing, x: float) -> None:
    rows = (
        (INK, "GND: the black lead stays here"),
        ("#e6b422", "test points"),
        (RED, "pin 1: 5 V. The marked wire of a ribbon"),
        (BLUE, "pins 3 and 4: for the jumper"),
    )
    for n, (fill, text) in enumerate(rows):
        y = 70 + 30 * n
        drawing.circle(x + 8, y - 5, 8, fill, width=1)
        drawing.words(x + 26, y, text, 14)
    drawing.words(x, 215, "The right way round", 15, bold=True)
    for n, (ref, text) in enumerate(WRONG_WAY):
        drawing.words(x, 240 + 24 * n, "%s: %s" % (ref, text), 14)


# ---- the ladder ----

FIELD = 90.0  # px


def ladder() -> str:
    """Return the SVG that shows the measuring ladder in use, from the side."""
    drawing = Drawing(900, 280, "The ladder: through how much plastic a reader reads")
    drawing.words(30, 28, "Through how many mm does it still read?", 16, bold=True)
    up = 14.0  # px a mm of plastic
    table = 190.0
    needed = THIN + AIR
    for n, thick in enumerate(LADDER):
        x = 30 + n * (FIELD + 4)
        fill = "#c9d8c5" if thick >= needed else PRINTED
        drawing.box(x, table - thick * up, FIELD, thick * up, fill)
        drawing.words(x + FIELD / 2, table + 46, "%.1f" % thick, 15, "middle", bold=True)
    x = 30 + 3 * (FIELD + 4)
    drawing.box(x - FIELD, table, 3 * FIELD, READER[2] * up, BLUE)
    drawing.words(x + FIELD / 2, table + 16, "reader, its smooth side up", 14, "middle", PAPER)
    wide = TILE[1] / 30.0 * FIELD
    y = table - LADDER[3] * up
    drawing.box(x + (FIELD - wide) / 2, y - 60, wide, 56, IVORY)
    drawing.box(x + (FIELD - wide) / 2 + 4, y - 4, wide - 8, 4, RED, RED)
    drawing.words(x + FIELD / 2, y - 28, "tile", 14, "middle")
    drawing.words(
        30,
        266,
        "Green: enough for a lid, %.1f mm and %.1f mm of air. Try the tile face down, too."
        % (THIN, AIR),
    )
    return drawing.svg()


# ---- the breadboard's Pico ----

FEW = 4  # stations; those after them are drawn paler
PITCH, TOP = 27.0, 70.0  # px, of the Pico's pins
LEFT, RIGHT = 420.0, 640.0  # px, of its edges
PINK, YELLOW, BROWN, PALE = "#d5579b", "#c79a00", "#7b4a2b", "#8d979d"
SHARED = {  # name in the pin map -> what it is, its colour
    "miso": ("MISO, from the gates", "#7a3fb0"),
    "reset": ("RST of all readers", "#d9822b"),
    "sck": ("SCK of all readers", BLUE),
    "mosi": ("MOSI of all readers", "#2e8b40"),
    "lights": ("pixels, through the 74AHCT125", INK),
    "piezo": ("piezo, if you like", PALE),
}


def labels() -> dict[int, tuple[str, str, str]]:
    """Return {Pico pin: (GPIO number or pin name, name of the wire, colour of the wire)}."""
    board = pinmap.load()["breadboard"]
    slots = pinmap.slots(board)
    found = {}
    for key, what, colour in (("selects", "SDA", YELLOW), ("buttons", "button", BROWN)):
        for slot, gpio in zip(slots, board[key]):
            far = slot.isdigit() and int(slot) > FEW
            words = "%s of %s%s" % (what, "station " if slot.isdigit() else "", slot)
            found[PICO_PINS[gpio]] = ("GP%d" % gpio, words, PALE if far else colour)
    for key, (what, colour) in SHARED.items():
        found[PICO_PINS[board[key]]] = ("GP%d" % board[key], what, colour)
    found[GROUND] = ("GND", "GND of everything", INK)
    found[VSYS] = ("VSYS", "5 V behind the diode", PINK)
    found[V33] = ("3V3", "the gates; with two readers, them too", RED)
    return found


def breadboard_pico() -> str:
    """Return the SVG of the Pico from above, with the wire at each pin."""
    drawing = Drawing(1060, 650, "What goes to the Pico on a breadboard")
    drawing.words(30, 32, "The Pico from above", 18, bold=True)
    drawing.words(30, 54, "Grey: only for stations %d and on." % (FEW + 1), 14, fill=PALE)
    drawing.box(LEFT, TOP - 24, RIGHT - LEFT, 20 * PITCH + 20, "#d7e6dd", round_=8)
    middle = (LEFT + RIGHT) / 2
    drawing.box(middle - 34, TOP - 40, 68, 42, PRINTED)
    drawing.words(middle, TOP - 14, "USB", 14, "middle")
    found = labels()
    for pin in range(1, 41):
        side = -1 if pin <= 20 else 1
        y = TOP + PITCH * (pin - 1 if pin <= 20 else 40 - pin)
        x = LEFT + 14 if side < 0 else RIGHT - 14
        name, what, colour = found.get(pin, ("", "", PAPER))
        drawing.circle(x, y, 8, colour if name else COPPER, width=1)
        inside = "start" if side < 0 else "end"
        drawing.words(
            x - 14 * side,
            y + 5,
            "%d  %s" % (pin, name) if side < 0 else "%s  %d" % (name, pin),
            13,
            inside,
        )
        if name:
            outside = "end" if side < 0 else "start"
            drawing.line((x + 8 * side, y), (x + 44 * side, y), stroke=colour, width=3)
            drawing.words(x + 52 * side, y + 5, what, 15, outside, colour)
    return drawing.svg()


# ---- a soldered reader ----

BIG = 7.0  # px a mm, of the reader and the inlet
PIN = 6.0  # mm, of a header's pin that goes into its socket


def soldered_reader() -> str:
    """Return the SVG of a reader from the side, with its header on the right side and on the wrong
    one."""
    drawing = Drawing(1180, 210, "A reader with its header soldered on")
    for x, title, right in (
        (40.0, "Right: on the side of the parts", True),
        (640.0, "Wrong: the reader would lie with its parts up", False),
    ):
        _reader(drawing, x, title, right)
    return drawing.svg()


def _reader(drawing: Drawing, x0: float, title: str, right: bool) -> None:
    top = 110.0  # px, of the board's smooth side
    down = 1 if right else -1

    def box(x: float, y: float, wide: float, high: float, fill: str) -> None:
        """Draw a box on the header's side (down) or the other side (y below 0). y, high: mm from
        the board's middle, outwards."""
        low = y if down > 0 else -y - high
        drawing.box(x0 + x * BIG, middle + low * BIG, wide * BIG, high * BIG, fill)

    middle = top + READER[2] / 2 * BIG
    half = READER[2] / 2
    drawing.words(x0, 28, title, 16, bold=True)
    drawing.box(x0, top, READER[1] * BIG, READER[2] * BIG, BLUE)
    drawing.box(x0 + 14 * BIG, top + READER[2] * BIG, 12 * BIG, 1.6 * BIG, INK)
    box(HEADER - 1.3, half, 2.6, PLASTIC, INK)
    box(HEADER - 0.3, half + PLASTIC, 0.6, PIN, COPPER)
    box(HEADER - 0.6, -half - JOINTS, 1.2, JOINTS, COPPER)
    drawing.words(x0 + 31 * BIG, top - 8, "smooth side: antenna", 14)
    drawing.words(x0 + 28 * BIG, top + 30, "side of the parts", 14)
    if right:
        drawing.words(x0 + 5 * BIG, top - 22, "joints: at most %g mm" % JOINTS, 14, fill=RED)
        drawing.words(x0 + 5 * BIG, top + 75, "long ends of the pins: into the socket", 14)


# ---- the inlet ----


def inlet() -> str:
    """Return the SVG of the USB-C breakout in M's sector: in section, and from inside."""
    drawing = Drawing(1180, 310, "The inlet, from the side and from inside")
    across, deep, high = INLET
    big = 2 * BIG
    floor = 220.0  # px, of the floor's upper side
    wall = 60.0 + 30 * big
    drawing.words(40, 28, "From the side", 16, bold=True)
    drawing.box(40, floor, wall - 40, FLOOR * big, PRINTED)
    drawing.box(wall, floor - (high + TAPE + 6) * big, WALL * big, 6 * big, PRINTED)
    drawing.box(wall, floor, WALL * big, FLOOR * big, PRINTED)
    back = wall - deep * big
    drawing.box(back, floor - TAPE * big, deep * big, TAPE * big, RED, RED)
    drawing.box(back, floor - (TAPE + 1.6) * big, deep * big, 1.6 * big, BOARD)
    drawing.box(wall - 7 * big, floor - (TAPE + 4.8) * big, 7 * big, 3.2 * big, COPPER)
    drawing.box(back - 2 * big, floor - 3.5 * big, 2 * big, 3.5 * big, IVORY)
    drawing.line((60, floor - 30), (back, floor - (TAPE + 2) * big), width=4)
    drawing.words(60, floor - 45, "wires to J13", 14)
    drawing.words(back - 10, floor - 75, "glue: takes the push of a plug", 14, "end")
    drawing.line((back - 60, floor - 70), (back - big, floor - 3 * big))
    drawing.words(back - 60, floor + 56, "foam tape, at most %g mm" % TAPE, 14, fill=RED)
    drawing.words(wall - 8, floor - 110, "wall, with its opening", 14, "end")
    scale = 9.0
    x0, y0 = 640.0, 50.0
    drawing.words(x0, 28, "From inside, above", 16, bold=True)
    drawing.box(x0, y0, (across + 12) * scale, WALL * scale, PRINTED)
    drawing.box(x0 + 6 * scale, y0 + WALL * scale, across * scale, deep * scale, BOARD)
    drawing.box(x0 + (across / 2 + 1.5) * scale, y0 + WALL * scale, 9 * scale, 7 * scale, COPPER)
    sides = (x0 + 4 * scale, x0 + (6 + across) * scale)
    for x in sides:
        drawing.box(x, y0 + (WALL + 5) * scale, 2 * scale, (deep - 5) * scale, IVORY)
    behind = y0 + (WALL + deep) * scale
    drawing.box(x0 + 4 * scale, behind, (across + 4) * scale, 2 * scale, IVORY)
    names = silkscreen_check.names_at(HUB12.board, "J13")
    for n, name in enumerate(names):
        x = x0 + (6 + across * (n + 0.5) / len(names)) * scale
        colour = {"5V": PINK, "GND": INK}.get(name, "#2aa5a0")
        drawing.line((x, behind - 8), (x, behind + 50), stroke=colour, width=4)
        drawing.words(x, behind + 66, name, 11, "middle")
    drawing.words(x0 + (across + 15) * scale, y0 + 60, "glue on three sides,", 14)
    drawing.words(x0 + (across + 15) * scale, y0 + 80, "none in the socket", 14)
    drawing.words(x0, behind + 100, "Order of the names on your breakout: as printed there.", 14)
    return drawing.svg()


# ---- how far a tag is from the antenna ----

CUT = 9.0  # px a mm, in section


def distance() -> str:
    """Return the SVG of two sections through lid, reader and tile, one with the tag below the
    tile, one with the tag above the tile."""
    drawing = Drawing(1400, 330, "How far the tag is from the antenna")
    for n, (title, tile) in enumerate(
        (("Face up: the tag lies on the lid", 0.0), ("Face down: the tag is on top", TILE_THICK))
    ):
        _section(drawing, 30 + 700 * n, title, tile)
    return drawing.svg()


def _section(drawing: Drawing, x0: float, title: str, tile: float) -> None:
    """Draw a section along the middle of a sector."""
    top = 165.0  # px, of the lid
    left = x0 + 60.0  # px, of the reader's end

    def at(x: float, y: float) -> Place:
        return left + x * CUT, top + y * CUT

    drawing.words(x0, 28, title, 17, bold=True)
    # the lid: its rim around the pocket, thin over the reader
    end = READER[1]
    for x, wide in ((-ROOM - WALL, WALL), (end + ROOM, WALL)):
        drawing.box(*at(x, LID - 0.02), wide * CUT, RIM * CUT, PRINTED)
    drawing.box(*at(-6.0, 0), (end + 12.0) * CUT, THIN * CUT, PRINTED)
    for x, wide in ((-6.0, 6.0 - ROOM), (end + ROOM, 6.0 - ROOM)):
        drawing.box(*at(x, THIN), wide * CUT, (LID - THIN) * CUT, PRINTED)
    # the reader, its pins in their socket
    board = THIN + AIR
    drawing.box(*at(0, board), end * CUT, READER[2] * CUT, BLUE)
    drawing.box(*at(12, board + READER[2]), (end - 18) * CUT, READER_DEEP * CUT, "#cfd8dd")
    down = board + READER[2]
    drawing.box(*at(HEADER - 1.3, down), 2.6 * CUT, PLASTIC * CUT, INK)
    drawing.box(*at(HEADER - 1.3, down + PLASTIC), 2.6 * CUT, SOCKET * CUT, "#4a5258")
    drawing.box(*at(HEADER - 8, down + PLASTIC + SOCKET), 10.5 * CUT, 1.6 * CUT, BOARD)
    drawing.words(*at(HEADER + 4.5, down + PLASTIC + SOCKET + 1.5), "slot board", 14)
    drawing.box(*at(HEADER - 0.6, board - JOINTS), 1.2 * CUT, JOINTS * CUT, COPPER)
    # the coil: around the antenna's middle, drawn on the upper side
    for side in (-1, 1):
        drawing.box(*at(ANTENNA + side * 14 - 2, board - 0.05), 4 * CUT, 0.35 * CUT, COPPER)
    # the tile and its tag
    drawing.box(*at(ANTENNA - WIDE / 2, -TILE_THICK), WIDE * CUT, TILE_THICK * CUT, IVORY)
    coil = -tile if tile else -0.25
    drawing.box(
        *at(ANTENNA - TAG / 2, coil - (0.25 if tile else 0)), TAG * CUT, 0.3 * CUT, RED, RED
    )
    _named(drawing, at, tile, board, coil)


def _named(
    drawing: Drawing,
    at: Callable[[float, float], Place],
    tile: float,
    board: float,
    coil: float,
) -> None:
    x, y = at(ANTENNA, -TILE_THICK / 2)
    drawing.words(x, y + 5, "tile, %g mm thick" % TILE_THICK, 15, "middle")
    least, most = tag_distance(tile)
    x, _ = at(ANTENNA + WIDE / 2 + 2.0, 0)
    drawing.upright(x, at(0, coil)[1], at(0, board)[1])
    drawing.words(x + 10, at(0, coil)[1] - 8, "tag: %.1f mm" % least, 14, fill=RED)
    x, y = at(34, board + READER[2] + READER_DEEP / 2)
    drawing.words(x, y + 5, "reader, its parts down", 14, "middle")
    x, y = at(-6, -1.0)
    drawing.words(x, y, "lid, %g mm over the reader" % THIN, 14)
    x, y = at(7, PLASTIC + SOCKET / 2)
    drawing.words(x, y + 26, "socket", 14)
    x, y = at(17, 7.8)
    for n, line in enumerate(
        (
            "%.1f mm lid, %.1f mm air%s:" % (THIN, AIR, ", %g mm tile" % tile if tile else ""),
            "%.1f mm from coil to coil." % least,
            "If the coil is below its board: %.1f mm." % most,
        )
    ):
        drawing.words(x, y + 26 + 21 * n, line, 15)
