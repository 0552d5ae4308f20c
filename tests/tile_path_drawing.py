# SPDX-License-Identifier: MIT
"""The drawing of a tile's way through the firmware, firmware/tile-way.svg: `make formats`.

The example in it is a real one: bytes, numbers and words are what the firmware makes of the tile.
"""

import binascii
from html import escape
from pathlib import Path

from host_sim.hub.simulated_hub import SimulatedHub
from roundhouse import constants, tag_writer, tiles

FILE = Path(__file__).resolve().parent.parent / "firmware" / "tile-way.svg"
TILE, STATION = (12, 7), "3"
SIZE = (960, 452)
BOX = (236, 74)  # of a station on the way
LEFT, MIDDLE, RIGHT = 16, 362, 708  # where the columns begin
ROWS = (56, 156, 256, 356)
INK, PALE, EDGE, DIM = "#22262b", "#edf3f0", "#1f5c50", "#5b6670"
STYLE = (
    "text{font:13px 'Segoe UI','Helvetica Neue',Arial,'DejaVu Sans',sans-serif;fill:%s}"
    ".b{font-weight:bold;font-size:15px}.m{font-family:'DejaVu Sans Mono',Menlo,Consolas,"
    "monospace;font-size:12px}.d{fill:%s}.n{font-weight:bold;fill:#fff;text-anchor:middle}"
    % (INK, DIM)
)


def example():
    """Return the example's words and numbers, by name, as the firmware has them."""
    hub = SimulatedHub()
    for seat in ("2", STATION):
        hub.press(seat)
    hub.tap("12-12", "2")
    hub.tap("12-5", "2")
    text = tiles.text(tiles.tile(*TILE))
    line = hub.tap(text, STATION)
    slot = constants.slot_number(STATION)
    record = next(iter(hub.hub.journal.inputs()))
    if record != (constants.TAP, slot, tiles.tile(*TILE)):
        raise ValueError("the journal has %s" % (record,))
    at = hub.hub.slots.index(slot)
    return {
        "text": text,
        "memory": binascii.hexlify(tag_writer.message(text)[:8], " ").decode(),
        "input": "TAP, slot %d, tile %d" % record[1:],
        "kept": "%02x %02x %02x, and a check"
        % (record[0] << 4 | record[1], record[2] & 255, record[2] >> 8),
        "line": '{"input": "%s", ...' % line["input"],
        "verdict": line["verdict"],
        "lamps": " ".join(line["lamps"][4 * at : 4 * at + 4]),
    }


def drawing():
    """Return the drawing as SVG."""
    told = example()
    left = (
        ("Tag", "an NTAG213 in the tile", told["memory"] + " ...", True),
        ("Reader chip", "the MFRC522, under the slot", "ISO 14443, 106 kbit/s", False),
        ("Driver", "drivers/: is it a new tag?", "UID, pages from 4 on", False),
        ("Tags", "tags.py: memory to meaning", told["text"], True),
    )
    right = (
        ("Game", "games/: legal? whose turn?", "", False),
        ("Lights", "lights.py, drivers/strip.py", "lamps of the slot: " + told["lamps"], True),
        ("Journal", "journal.py, on flash", told["kept"], True),
        ("Console", "console.py, over USB", told["line"], True),
    )
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d">' % SIZE]
    out.append("<title>The way of a tile</title><style>%s</style>" % STYLE)
    out.append('<rect width="%d" height="%d" fill="#fff"/>' % SIZE)
    out.append(
        _text(LEFT, 32, "in: the tile %s is tapped on station %s" % (told["text"], STATION), "d")
    )
    out.append(_text(RIGHT, 32, "out: in this order", "d"))
    for number, (y, box) in enumerate(zip(ROWS, left), 1):
        out.append(_box(LEFT, y, number, *box))
    height = ROWS[3] + BOX[1] - ROWS[0]
    out.append(_frame(MIDDLE, ROWS[0], height))
    out.append(_number(MIDDLE, ROWS[0], 5))
    lines = ("Hub", "hub.py: gestures and time.", "It makes an input of it:", told["input"])
    for k, (line, look) in enumerate(zip(lines, ("b", "d", "d", "m"))):
        out.append(_text(MIDDLE + 22, ROWS[0] + 27 + 22 * k, line, look))
    lines = (
        "Refused: nothing changes,",
        "the journal hears nothing, and",
        "lights and console say why.",
    )
    for k, line in enumerate(lines):
        out.append(_text(MIDDLE + 22, ROWS[3] + 12 + 20 * k, line, "d"))
    for number, (y, box) in enumerate(zip(ROWS, right), 6):
        out.append(_box(RIGHT, y, number, *box))
    for above, below in zip(ROWS, ROWS[1:]):
        x = LEFT + BOX[0] / 2
        out.append(_arrow(x, above + BOX[1], x, below))
    middle = BOX[1] / 2
    out.append(_arrow(LEFT + BOX[0], ROWS[3] + middle, MIDDLE, ROWS[3] + middle, "meaning"))
    out.append(_arrow(MIDDLE + BOX[0], ROWS[0] + 24, RIGHT, ROWS[0] + 24, "input"))
    out.append(_arrow(RIGHT, ROWS[0] + 60, MIDDLE + BOX[0], ROWS[0] + 60, told["verdict"]))
    for y, what in zip(ROWS[1:], ("first frame", "record", "line")):
        out.append(_arrow(MIDDLE + BOX[0], y + middle, RIGHT, y + middle, what))
    return "\n".join([*out, "</svg>"]) + "\n"


def _text(x, y, text, look):
    return '<text class="%s" x="%.0f" y="%.0f">%s</text>' % (look, x, y, escape(text))


def _frame(x, y, height):
    return (
        '<rect x="%d" y="%d" width="%d" height="%d" rx="9" fill="%s" stroke="%s" '
        'stroke-width="1.5"/>' % (x, y, BOX[0], height, PALE, EDGE)
    )


def _number(x, y, number):
    circle = '<circle cx="%d" cy="%d" r="12" fill="%s"/>' % (x, y, EDGE)
    return circle + _text(x, y + 5, str(number), "n")


def _box(x, y, number, title, what, example, literal):
    rows = ((27, title, "b"), (45, what, "d"), (64, example, "m" if literal else ""))
    said = [_text(x + 22, y + at, text, look) for at, text, look in rows if text]
    return "".join([_frame(x, y, BOX[1]), _number(x, y, number), *said])


def _arrow(x, y, to_x, to_y, what=""):
    """An arrow along a row or a column, with a word above it."""
    head = 8 if (to_x, to_y) > (x, y) else -8
    if x == to_x:
        shaft, tip = (
            (x, y, x, to_y - head),
            ((x - 5, to_y - head), (x + 5, to_y - head), (x, to_y)),
        )
    else:
        shaft, tip = (
            (x, y, to_x - head, y),
            ((to_x - head, y - 5), (to_x - head, y + 5), (to_x, y)),
        )
    out = '<path d="M%.0f %.0fL%.0f %.0f" stroke="%s" stroke-width="2"/>' % (*shaft, EDGE)
    points = " ".join("%.0f,%.0f" % point for point in tip)
    out += '<polygon points="%s" fill="%s"/>' % (points, EDGE)
    if what:
        at = (x + to_x) / 2
        out += '<text class="d" text-anchor="middle" x="%.0f" y="%.0f">%s</text>' % (
            at,
            y - 7,
            what,
        )
    return out
