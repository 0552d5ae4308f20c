# SPDX-License-Identifier: MIT
"""Draws the tray of the evening's build: a sheet of A4 to print and to glue onto the lid of a box.

The lamps of a slot are four pixels of a strip, so its reader is in front of them.
"""

import math
from pathlib import Path

from hardware.guide_drawings import LONG, PALE, WIDE
from hardware.guide_tables import EVENING
from hardware.housing_plan import ANTENNA, PLASTIC, READER
from hardware.svg_drawing import BLUE, INK, RED, Drawing

FILE = Path(__file__).parent / "tray.html"
PICTURE = Path(__file__).parent / "pictures" / "tray.svg"
SHEET = (297.0, 210.0)  # mm, A4
EDGE = 8.0  # mm that a printer may leave white
SCALE = 4.0  # px a mm
PITCH = 1000 / 60  # mm between two pixels of the strip
LAMPS = 4  # of a slot
STRIP = 10.0  # its width
BOARD = (165.1, 54.6)  # of a breadboard with 830 holes
SLOTS = (*EVENING, "E")  # in the strip's order
PLUG = 14.0  # of a wire, on a reader's pins
BEND = 5.0  # of its wire
DEEP = READER[2] + PLASTIC + PLUG + BEND  # below the lid
# from the back, mm
AT_BOARD, AT_SLIT, AT_STRIP, AT_READER = EDGE + 6, 76.0, 86.0, 102.0
SLIT = (150.0, 6.0)
RULER = 100.0

PAGE = """<!doctype html>
<html lang="en">
<!-- Made from tray.py by `make made`. -->
<head>
<meta charset="utf-8">
<title>Roundhouse: the tray of an evening's build</title>
<style>
@page { size: A4 landscape; margin: 0 }
html, body { margin: 0 }
svg { display: block; width: %gmm; height: %gmm }
</style>
</head>
<body>
%s</body>
</html>
"""


def page() -> str:
    """Return the tray as an HTML page that prints on one sheet of A4."""
    return PAGE % (*SHEET, drawing())


def left(n: int) -> float:
    """Return where the lamps of the n-th slot begin, in mm."""
    return (SHEET[0] - len(SLOTS) * LAMPS * PITCH) / 2 + n * LAMPS * PITCH


def drawing() -> str:
    """Return the SVG of the sheet."""
    wide, high = SHEET
    sheet = Drawing(wide * SCALE, high * SCALE, "The tray of an evening's build")
    _area(sheet, (wide - BOARD[0]) / 2, AT_BOARD, *BOARD, PALE)
    _words(sheet, wide / 2, AT_BOARD + BOARD[1] / 2, "breadboard", 5)
    note = "the Pico at its left end, USB to the left; buttons 1, 2, M at its front edge"
    _words(sheet, wide / 2, AT_BOARD + BOARD[1] / 2 + 7, note, 4)
    _area(sheet, (wide - SLIT[0]) / 2, AT_SLIT, *SLIT, RED)
    _words(sheet, wide / 2, AT_SLIT + 4.2, "cut out: the readers' wires go down here", 3.5)
    for n, slot in enumerate(SLOTS):
        _slot(sheet, n, slot)
    _words(sheet, left(0) - 1, AT_STRIP - 1.5, "DIN", 3.5, "start")
    _ruler(sheet)
    return sheet.svg()


def _slot(sheet: Drawing, n: int, slot: str) -> None:
    x, wide = left(n), LAMPS * PITCH
    middle = x + wide / 2
    for k in range(LAMPS):
        at = x + k * PITCH
        _area(sheet, at, AT_STRIP, PITCH, STRIP, PALE)
        _area(sheet, at + PITCH / 2 - 2.5, AT_STRIP + STRIP / 2 - 2.5, 5, 5, INK)
    _words(sheet, middle, AT_READER + READER[1] + 16, slot, 13, bold=True)
    tile = AT_READER + ANTENNA
    if slot in EVENING:
        _area(sheet, middle - READER[0] / 2, AT_READER, READER[0], READER[1], BLUE)
        _words(sheet, middle, AT_READER + 6, "pins", 3.5)
        _area(sheet, middle - LONG / 2, tile - WIDE / 2, LONG, WIDE, INK)
        _words(sheet, middle, tile + 1.5, "tile", 4)
    else:
        _area(sheet, middle - LONG / 2, tile - WIDE / 2, LONG, WIDE, PALE)
        _words(sheet, middle, tile + 1.5, "the engine rests here", 4)


def _ruler(sheet: Drawing) -> None:
    x, y = left(0), SHEET[1] - EDGE - 7
    for end in (x, x + RULER):
        sheet.line((end * SCALE, (y - 2) * SCALE), (end * SCALE, (y + 2) * SCALE))
    sheet.line((x * SCALE, y * SCALE), ((x + RULER) * SCALE, y * SCALE))
    _words(sheet, x + 2, y - 1.5, "%g mm: measure it. Print at 100 %%." % RULER, 3.5, "start")
    note = "Blue: a reader, under the lid, its smooth side up. The box is %.0f mm deep or more."
    _words(sheet, x, y + 6, note % (5 * math.ceil(DEEP / 5)), 3.5, "start")


def _area(sheet: Drawing, x: float, y: float, wide: float, high: float, colour: str) -> None:
    """Draw the outline of a rectangle. x, y, wide, high: in mm."""
    sheet.box(x * SCALE, y * SCALE, wide * SCALE, high * SCALE, "none", colour, 2)


def _words(
    sheet: Drawing,
    x: float,
    y: float,
    text: str,
    size: float,
    at: str = "middle",
    bold: bool = False,
) -> None:
    """Draw a text. x, y, size: in mm."""
    sheet.words(x * SCALE, y * SCALE, text, size * SCALE, at, bold=bold)
