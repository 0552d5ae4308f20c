# SPDX-License-Identifier: MIT
"""The breadboard's wires as two pictures that can be read at arm's length: what goes to which pin
of the Pico, and the supply with the pixels. Drawn from the pin map."""

from hardware import pinmap
from hardware.circuit import GATES_125, PICO_PINS
from hardware.pinmap import GROUND, V33, VSYS
from hardware.svg_drawing import COPPER, INK, PAPER, PRINTED, WARN, Drawing
from hardware.svg_drawing import READER as BLUE

FEW = 4  # stations; those behind them are drawn paler
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


def labels():
    """Return {pin of the Pico: (GPIO or name, what goes there, its colour)}."""
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
    found[V33] = ("3V3", "the gates; with two readers, them too", WARN)
    return found


def pico():
    """Return the Pico from above, with what goes to each pin."""
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


def supply():
    """Return the supply's rails, the regulator, the level shifter and the pixels."""
    drawing = Drawing(1120, 480, "Supply and pixels on a breadboard")
    _rail(drawing, 60, 40, 1080, "5 V from the supply", PINK)
    _rail(drawing, 440, 40, 1080, "GND: one for everything", INK)
    _block(drawing, 60, 120, "1N5819", ("ring down",))
    _wire(drawing, PINK, (120, 60), (120, 120))
    _wire(drawing, PINK, (120, 180), (120, 215), (340, 215))
    drawing.words(130, 205, "VSYS", 14, fill=PINK)
    _block(drawing, 40, 270, "Pico", ("pin 39: VSYS", "pin 38: GND"))
    _wire(drawing, PINK, (100, 215), (100, 270))
    _wire(drawing, PINK, (100, 215), (120, 215))
    _wire(drawing, INK, (100, 348), (100, 440))
    _block(drawing, 280, 270, "LF33CV", ("IN, GND, OUT", "from its front"))
    _wire(drawing, PINK, (340, 215), (340, 270))
    _wire(drawing, INK, (340, 348), (340, 440))
    _wire(drawing, WARN, (420, 300), (480, 300))
    drawing.words(488, 297, "3.3 V rail:", 14, fill=WARN)
    drawing.words(488, 316, "all readers", 14, fill=WARN)
    drawing.words(352, 385, "100 nF IN to GND", 13)
    drawing.words(352, 404, "100 uF OUT to GND", 13)
    into, enable, out = GATES_125[0]
    rows = ("pin 14: 5 V", "pins 1, 7: GND", "pins 5, 9, 12: GND", "pins 4, 10, 13: 5 V")
    _block(drawing, 620, 120, "74AHCT125", rows, 190)
    assert enable == 1
    _wire(drawing, PINK, (715, 60), (715, 120))
    _wire(drawing, INK, (715, 236), (715, 440))
    _wire(drawing, BLUE, (540, 175), (620, 175))
    drawing.words(535, 166, "Pico's pin %d" % _lights(), 14, "end", BLUE)
    drawing.words(535, 185, "to pin %d" % into, 14, "end", BLUE)
    _wire(drawing, BLUE, (810, 175), (850, 175))
    drawing.box(850, 163, 70, 24, PAPER)
    drawing.words(885, 180, "330", 14, "middle")
    drawing.words(812, 160, "pin %d" % out, 13, fill=BLUE)
    _wire(drawing, BLUE, (920, 175), (960, 175))
    _block(drawing, 960, 120, "Pixels", ("DIN in", "the first", "of the strip"), 110)
    _wire(drawing, PINK, (1015, 60), (1015, 120))
    _wire(drawing, INK, (1015, 217), (1015, 440))
    drawing.words(880, 320, "1000 uF from 5 V to", 13)
    drawing.words(880, 339, "GND, at the strip", 13)
    return drawing.svg()


def _lights():
    """The Pico's pin of the pixels."""
    return PICO_PINS[pinmap.load()["breadboard"]["lights"]]


def _rail(drawing, y, x1, x2, name, colour):
    drawing.line((x1, y), (x2, y), stroke=colour, width=6)
    drawing.words(x1, y - 12 if y < 240 else y + 24, name, 15, fill=colour, bold=True)


def _wire(drawing, colour, *points):
    drawing.line(*points, stroke=colour, width=3)


def _block(drawing, x, y, name, rows, wide=140):
    """A part with its name and a few words."""
    drawing.box(x, y, wide, 40 + 19 * len(rows), "#f3f5f6", round_=6)
    drawing.words(x + 10, y + 24, name, 16, bold=True)
    for n, row in enumerate(rows):
        drawing.words(x + 10, y + 46 + 19 * n, row, 13)
