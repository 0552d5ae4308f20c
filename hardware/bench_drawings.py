# SPDX-License-Identifier: MIT
"""What is where on the bench: hub12 with what a builder measures and plugs, a ribbon and its
header, the ladder. Pictures of the guide, drawn from where the board's parts stand."""

from hardware import housing_plan, hub_layout
from hardware.circuit import SLOTS
from hardware.housing_plan import AIR, LADDER, READER, THIN, TILE
from hardware.svg_drawing import BOARD, COPPER, INK, PAPER, PRINTED, WARN, Drawing
from hardware.svg_drawing import READER as BLUE
from hardware.svg_drawing import TILE as IVORY

SCALE = 7.0  # px a mm, of the board
MARGIN = 40.0  # px around it
PITCH = 2.54
PICO = (21.0, 51.0)  # mm
INLET_PITCH = 3.5
BOX = (9.0, 24.5)  # of a box header, across and along, mm
# how a connector's rows lie: angle -> the step along it, the step to the second row
STEPS = {
    0: ((0, 1), (1, 0)),
    90: ((1, 0), (0, -1)),
    180: ((0, -1), (-1, 0)),
    270: ((-1, 0), (0, 1)),
}
WRONG_WAY = (  # parts that have a right way round, and what shows it
    ("C1", "the longer leg at +"),
    ("C3", "the longer leg at +"),
    ("D1", "its ring as printed"),
    ("D2", "its ring as printed"),
    ("U3", "its tab on the large pad"),
    ("F1", "either way"),
)
PLUS = ("C1", "C3")  # their first pad
FIELD = 90.0  # px, of the ladder


def pins(name):
    """Return [(x, y)] of the 14 pins of a slot's header, mm from the board's upper left corner."""
    x, y, turn = hub_layout.PLACES["J%d" % (SLOTS.index(name) + 1)]
    (ax, ay), (bx, by) = STEPS[turn]
    return [
        (x + PITCH * (n // 2 * ax + n % 2 * bx), y + PITCH * (n // 2 * ay + n % 2 * by))
        for n in range(14)
    ]


def bench():
    """Return the picture of hub12 from above: test points, pins 1, and what is plugged where."""
    wide, high = hub_layout.SIZE
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
        x, y = _at(*hub_layout.PLACES[ref][:2])
        if ref in PLUS:
            drawing.words(x, y + 8, "+", 22, "middle", WARN, bold=True)
        drawing.words(x - 8, y + 5, ref, 14, "end", bold=True)
    _legend(drawing, wide * SCALE + 2 * MARGIN + 10)
    return drawing.svg()


def _at(x, y):
    """Return px of a place on the board in mm."""
    return MARGIN + x * SCALE, MARGIN + y * SCALE


def _header(drawing, name):
    """A slot's header, its pin 1 red, pins 3 and 4 blue."""
    found = pins(name)
    xs, ys = zip(*found)
    along = max(xs) - min(xs) > max(ys) - min(ys)
    wide, high = (BOX[1], BOX[0]) if along else BOX
    x, y = _at((min(xs) + max(xs)) / 2 - wide / 2, (min(ys) + max(ys)) / 2 - high / 2)
    drawing.box(x, y, wide * SCALE, high * SCALE, PAPER)
    for n, place in enumerate(found, 1):
        fill = {1: WARN, 3: BLUE, 4: BLUE}.get(n, COPPER)
        drawing.circle(*_at(*place), 6, fill, width=1)
    names = dict(zip(SLOTS, hub_layout.NAMES))
    drawing.words(*_at(*names[name]), name, 22, "middle", bold=True)


def _pico(drawing):
    """The Pico, its plug, its button; J14 and the reset button."""
    x, y, _ = hub_layout.PLACES["U1"]
    middle = x + 8.89
    drawing.box(*_at(middle - PICO[0] / 2, y - 1.4), PICO[0] * SCALE, PICO[1] * SCALE, "#d7e6dd")
    drawing.words(*_at(middle, y + 28), "Pico", 18, "middle", bold=True)
    drawing.box(*_at(middle - 4, y - 2.7), 8 * SCALE, 5.5 * SCALE, PRINTED)
    drawing.words(*_at(middle, y + 6), "USB", 13, "middle")
    bx, by = x + housing_plan.BOOTSEL[0], y + housing_plan.BOOTSEL[1]
    drawing.circle(*_at(bx, by), 11, PAPER, width=2)
    drawing.words(*_at(bx + 2.2, by + 0.8), "BOOTSEL", 13)
    x, y, _ = hub_layout.PLACES["J14"]
    for n, name in enumerate(("-", "D-", "D+", "GND")):
        drawing.circle(*_at(x, y + PITCH * n), 6, PRINTED if not n else COPPER, width=1)
        drawing.words(*_at(x - 1.4, y + PITCH * n + 0.7), name, 13, "end")
    drawing.words(*_at(x, y - 2.2), "J14", 14, "middle", bold=True)
    x, y, _ = hub_layout.PLACES["SW1"]
    drawing.box(*_at(x, y - 0.75), 6.5 * SCALE, 6 * SCALE, PAPER)
    drawing.words(*_at(x + 3.25, y + 3.0), "SW1", 14, "middle", bold=True)


def _inlet(drawing):
    """The screw terminal, each of its clamps named."""
    x, y, _ = hub_layout.PLACES["J13"]
    drawing.box(*_at(x - 1.75, y - 3.2), 6 * INLET_PITCH * SCALE, 7.6 * SCALE, PAPER)
    for n, name in enumerate(hub_layout.LABELS["J13"]):
        fill = {0: WARN, 1: INK}.get(n, COPPER)
        drawing.circle(*_at(x + INLET_PITCH * n, y + 1.2), 7, fill, width=1)
        drawing.words(*_at(x + INLET_PITCH * n, y - 1.0), name, 10, "middle")


def _points(drawing):
    """The test points, as they are named on the board."""
    for n, name in enumerate(hub_layout.POINTS):
        x, y, _ = hub_layout.PLACES["TP%d" % (n + 1)]
        drawing.circle(*_at(x, y), 9, INK if name == "GND" else "#e6b422", width=1.5)
        drawing.words(_at(x, y)[0], _at(x, y)[1] - 12, name, 11, "middle")


def _legend(drawing, x):
    """What the colours mean, and which parts have a right way round."""
    rows = (
        (INK, "GND: the black lead stays here"),
        ("#e6b422", "test points"),
        (WARN, "pin 1: 5 V. The marked wire of a ribbon"),
        (BLUE, "pins 3 and 4: for the jumper"),
    )
    for n, (fill, text) in enumerate(rows):
        y = 70 + 30 * n
        drawing.circle(x + 8, y - 5, 8, fill, width=1)
        drawing.words(x + 26, y, text, 14)
    drawing.words(x, 215, "The right way round", 15, bold=True)
    for n, (ref, text) in enumerate(WRONG_WAY):
        drawing.words(x, 240 + 24 * n, "%s: %s" % (ref, text), 14)


# ---- a ribbon ----


def ribbon():
    """Return the picture of a ribbon with its plugs, and of a header with and without a jumper."""
    drawing = Drawing(1140, 280, "A ribbon, its plugs, and the jumper where no slot is")
    drawing.words(40, 28, "A ribbon: both plugs look the same way", 16, bold=True)
    for n in range(14):
        y = 70 + 7 * n
        drawing.line((110, y), (470, y), stroke=WARN if not n else PRINTED, width=5)
    for x in (70, 470):
        drawing.box(x, 58, 44, 118, "#4a5258")
        drawing.line((x + 6, 66), (x + 38, 66), (x + 22, 78), (x + 6, 66), stroke=WARN, fill=WARN)
    drawing.words(130, 60, "the marked wire: pin 1", 14, fill=WARN)
    for x, text in ((70, "hub12"), (470, "slot board")):
        drawing.words(x + 22, 196, text, 14, "middle")
    drawing.words(40, 235, "The small triangle on each plug is at the marked wire,", 14)
    drawing.words(40, 256, "and at pin 1, the triangle on the board. The nose fits the notch.", 14)
    for x, title, jumper in (
        (600, "A header from above", None),
        (870, "No slot: a jumper on 3, 4", (3, 4)),
    ):
        _header_close(drawing, x, title, jumper)
    drawing.words(600, 256, "Never on 1 and 2: that is 5 V to ground.", 14, fill=WARN)
    return drawing.svg()


def _header_close(drawing, x0, title, jumper):
    """A header as J1 lies: odd pins below, the notch on their side."""
    drawing.words(x0, 28, title, 16, bold=True)
    drawing.box(x0, 60, 224, 100, PAPER)
    drawing.box(x0 + 92, 155, 40, 10, PAPER, PAPER)
    drawing.line((x0 + 92, 150), (x0 + 92, 160), width=1.5)
    drawing.line((x0 + 132, 150), (x0 + 132, 160), width=1.5)
    drawing.words(x0 + 112, 176, "notch", 13, "middle")
    drawing.line(
        (x0 + 20, 172), (x0 + 12, 186), (x0 + 28, 186), (x0 + 20, 172), stroke=WARN, fill=WARN
    )
    if jumper:
        drawing.box(x0 + 38, 70, 26, 76, BLUE, INK, 1.5, 6)
    for n in range(1, 15):
        x, y = x0 + 20 + 30.6 * ((n - 1) // 2), 130 if n % 2 else 90
        fill = {1: WARN, 3: BLUE, 4: BLUE}.get(n, COPPER)
        if not (jumper and n in jumper):
            drawing.circle(x, y, 9, fill, width=1)
        drawing.words(x, y + 4, "%d" % n, 11, "middle", PAPER if n in (1, 3, 4) else INK)


# ---- the ladder ----


def ladder():
    """Return the picture of the ladder in use: from the side, its fields as they are printed."""
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
    drawing.box(x + (FIELD - wide) / 2 + 4, y - 4, wide - 8, 4, WARN, WARN)
    drawing.words(x + FIELD / 2, y - 28, "tile", 14, "middle")
    drawing.words(
        30,
        266,
        "Green: enough for a lid, %.1f mm and %.1f mm of air. Try the tile face down, too."
        % (THIN, AIR),
    )
    return drawing.svg()
