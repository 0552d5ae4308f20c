# SPDX-License-Identifier: MIT
"""Where a tag goes on a tile, and how far it is from the antenna then: two pictures of the guide,
drawn from the housing's measures."""

from hardware.housing_plan import (
    AIR,
    ANTENNA,
    HEADER,
    JOINTS,
    LID,
    PLASTIC,
    READER,
    READER_DEEP,
    RIM,
    ROOM,
    SOCKET,
    TAG,
    THIN,
    TILE,
    TILE_THICK,
    WALL,
    tag_distance,
)
from hardware.svg_drawing import BOARD, COPPER, INK, PRINTED, Drawing
from hardware.svg_drawing import READER as BLUE
from hardware.svg_drawing import TILE as IVORY
from hardware.svg_drawing import WARN as RED

LONG, WIDE = TILE[0] - 1.0, TILE[1] - 1.0  # of the tile itself
SCALE = 5.0  # px a mm, from above
CUT = 9.0  # px a mm, in section
PIPS = {5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)), 3: ((-1, -1), (0, 0), (1, 1))}
CHIP = 3.0  # of a tag, mm across
PIN = 4.0  # of a spinner, mm across: a guess


def place():
    """Return the picture of where the tag goes: the back, a pin in the way, a tag on each side."""
    drawing = Drawing(960, 330, "Where the tag goes on a tile")
    titles = (
        ("The back: one tag, in the middle", "try this first"),
        ("The face, if it has a metal pin", "the tag is behind it, on the back"),
        ("Only if the pin is in the way", "the tag behind one half"),
    )
    for n, lines in enumerate(titles):
        x, y = 35 + 310 * n, 70
        for i, line in enumerate(lines):
            drawing.words(x, 28 + 20 * i, line, 15 - i, bold=not i)
        drawing.box(x, y, LONG * SCALE, WIDE * SCALE, IVORY, round_=10)
        middle = x + LONG * SCALE / 2, y + WIDE * SCALE / 2
        if n == 0:
            _tag(drawing, *middle)
            drawing.level(
                middle[0] - TAG * SCALE / 2,
                middle[0] + TAG * SCALE / 2,
                y + WIDE * SCALE + 24,
                "%g mm" % TAG,
            )
            drawing.words(x - 2, y + WIDE * SCALE + 44, "tile: %g x %g mm" % (LONG, WIDE), 14)
        else:
            _face(drawing, x, y)
            if n == 2:
                middle = x + TAG * SCALE / 2, middle[1]
            _tag(drawing, *middle, hidden=True)
            drawing.circle(
                x + LONG * SCALE / 2, y + WIDE * SCALE / 2, PIN * SCALE / 2, COPPER, width=2
            )
            drawing.words(x + LONG * SCALE / 2, y + WIDE * SCALE + 24, "pin", 14, "middle")
    drawing.words(
        35,
        285,
        "Put every sticker in the same place: a back that looks different gives its tile away.",
    )
    drawing.words(
        35,
        308,
        "A dashed circle is a tag on the other side. The grey square is the tag's chip.",
        14,
    )
    return drawing.svg()


def _tag(drawing, x, y, hidden=False):
    """A sticker with its coil and its chip."""
    radius = TAG * SCALE / 2 - 1
    drawing.circle(x, y, radius, "none" if hidden else "#ffffff", BLUE, 2.5, hidden)
    if not hidden:
        for step in (6, 10, 14):
            drawing.circle(x, y, radius - step, "none", COPPER, 1.5)
        side = CHIP * SCALE
        drawing.box(x - side / 2, y + radius - 14 - side / 2, side, side, PRINTED)


def _face(drawing, x, y):
    """A tile's face, 5-3."""
    half = LONG * SCALE / 2
    drawing.line((x + half, y + 12), (x + half, y + WIDE * SCALE - 12), width=2)
    for n, pips in enumerate(PIPS.values()):
        for dx, dy in pips:
            where = x + half * (n + 0.5) + dx * 28, y + WIDE * SCALE / 2 + dy * 36
            drawing.circle(*where, 6, INK)


def distance():
    """Return the section through a lid, a reader and a tile, the tag below and above it."""
    drawing = Drawing(1400, 330, "How far the tag is from the antenna")
    for n, (title, tile) in enumerate(
        (("Face up: the tag lies on the lid", 0.0), ("Face down: the tag is on top", TILE_THICK))
    ):
        _section(drawing, 30 + 700 * n, title, tile)
    return drawing.svg()


def _section(drawing, x0, title, tile):
    """One half of it: the sector cut along its middle, the hub on the left."""
    top = 165.0  # px, of the lid
    left = x0 + 60.0  # px, of the reader's end

    def at(x, y):
        return left + x * CUT, top + y * CUT

    drawing.words(x0, 28, title, 17, bold=True)
    # the lid: its rim around the pocket, thin over the reader
    end = READER[1]
    for x, wide in ((-ROOM - WALL, WALL), (end + ROOM, WALL)):
        drawing.box(*at(x, LID - 0.02), wide * CUT, RIM * CUT, PRINTED)
    drawing.box(*at(-6.0, 0), (end + 12.0) * CUT, THIN * CUT, PRINTED)
    for x, wide in ((-6.0, 6.0 - ROOM), (end + ROOM, 6.0 - ROOM)):
        drawing.box(*at(x, THIN), wide * CUT, (LID - THIN) * CUT, PRINTED)
    # the reader, its pins towards the hub, in their socket
    board = THIN + AIR
    drawing.box(*at(0, board), end * CUT, READER[2] * CUT, BLUE)
    drawing.box(*at(12, board + READER[2]), (end - 18) * CUT, READER_DEEP * CUT, "#cfd8dd")
    down = board + READER[2]
    drawing.box(*at(HEADER - 1.3, down), 2.6 * CUT, PLASTIC * CUT, INK)
    drawing.box(*at(HEADER - 1.3, down + PLASTIC), 2.6 * CUT, SOCKET * CUT, "#4a5258")
    drawing.box(*at(HEADER - 8, down + PLASTIC + SOCKET), 10.5 * CUT, 1.6 * CUT, BOARD)
    drawing.words(*at(HEADER + 4.5, down + PLASTIC + SOCKET + 1.5), "slot board", 14)
    drawing.box(*at(HEADER - 0.6, board - JOINTS), 1.2 * CUT, JOINTS * CUT, COPPER)
    # the coil: around the antenna's middle, drawn where it looks up
    for side in (-1, 1):
        drawing.box(*at(ANTENNA + side * 14 - 2, board - 0.05), 4 * CUT, 0.35 * CUT, COPPER)
    # the tile and its tag
    drawing.box(*at(ANTENNA - WIDE / 2, -TILE_THICK), WIDE * CUT, TILE_THICK * CUT, IVORY)
    coil = -tile if tile else -0.25
    drawing.box(
        *at(ANTENNA - TAG / 2, coil - (0.25 if tile else 0)), TAG * CUT, 0.3 * CUT, RED, RED
    )
    _named(drawing, at, title, tile, board, coil)


def _named(drawing, at, title, tile, board, coil):
    """What is what, and how far."""
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
