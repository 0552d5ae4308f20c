# SPDX-License-Identifier: MIT
"""The pictures in the player's guide: the hub with labels, a slot's lamps, and the three gestures.

Each picture is scaled so that its text is printed at 10 points or more.

Lamp `k`, 0..3, of a slot shows what `letter` stands for (see roundhouse.lamp_letters).
"""

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Any

from host_sim.app.views import lamp_text, tile_faces
from host_sim.app.views.lamp_css import WOOD, lamps_of
from roundhouse import lamp_letters

Point = tuple[float, float]
Pair = tuple[int, int]  # the numbers of a tile

ACCENT = "#1f5c50"  # the page's one colour
LIGHT_WOOD, RIM, CREAM, BUTTON = "#6a5546", "#8a7462", "#f6ecdd", "#d9583b"
LETTERS = 27  # size of a text in the picture of the hub

# ---- lamps ----

WINDOW = 120  # ticks of 32 ms that a curve shows


def row(k: int, letter: str) -> Any:
    """Return the row of lamp_letters.LETTERS for what a lamp shows. Raises KeyError if there is
    none."""
    for found in lamp_letters.LETTERS:
        if found[0][0] == k and letter in found[0][1]:
            return found
    raise KeyError((k, letter))


def hue(k: int, letter: str) -> str:
    """Return the colour, as #rrggbb, in which a lamp is printed."""
    return "#%02x%02x%02x" % lamp_text.hue(k, letter)


def levels(k: int, letter: str) -> list[int]:
    """Return a lamp's brightness, 0..255, for each of WINDOW ticks of 32 ms."""
    (_, letters, _, _, _), (how, wave), _ = row(k, letter)
    if how == lamp_letters.COUNTS:
        place = letters.index(letter) + 1
        return [lamp_text.level(k, letter, tick, place) for tick in range(WINDOW)]
    if how == lamp_letters.ONCE:
        dark = 10
        return ([0] * dark + list(wave) + [0] * WINDOW)[:WINDOW]
    return [wave[tick % len(wave)] for tick in range(WINDOW)]


def curve(k: int, letter: str, width: float, height: float) -> str:
    """Return a lamp's perceived brightness over time as an SVG path from (0, height)."""
    points = ["M0 %.1f" % height]
    for tick, level in enumerate(levels(k, letter)):
        x, y = tick * width / WINDOW, height * (1 - (level / 255) ** 0.45)
        points.append("L%.1f %.1f H%.1f" % (x, y, (tick + 1) * width / WINDOW))
    return '<path d="%s V%.1f Z" fill="%s"/>' % (" ".join(points), height, hue(k, letter))


def bulb(x: float, y: float, size: float, colour: str | None = None) -> str:
    """Return a lamp as SVG, centred at (x, y) with radius `size`.

    colour: None for a dark lamp
    """
    if colour is None:
        return '<circle cx="%.1f" cy="%.1f" r="%.1f" fill="#2b211a" stroke="%s"/>' % (
            *(x, y, size),
            RIM,
        )
    glow = '<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s" opacity=".4"/>'
    lit = '<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s" stroke="#fff" stroke-width="1.5"/>'
    return glow % (x, y, 1.6 * size, colour) + lit % (x, y, size, colour)


def slot(k: int, letter: str) -> str:
    """Return a slot's lamps, one of them lit, and that lamp's brightness over time, as SVG."""
    out = ['<svg class="slot" viewBox="0 0 150 64" xmlns="http://www.w3.org/2000/svg">']
    out.append('<rect width="150" height="64" rx="10" fill="%s"/>' % WOOD)
    for n in range(4):
        out.append(bulb(24 + 34 * n, 21, 8, hue(k, letter) if n == k else None))
    out.append('<g transform="translate(12 40)">%s</g>' % curve(k, letter, 126, 16))
    return "".join([*out, "</svg>"])


def chip(k: int, letter: str) -> str:
    """Return a slot's lamps, one of them lit, as SVG as high as a line of text."""
    lit = lamps_of(row(k, letter))
    out = ['<svg class="chip" viewBox="0 0 76 20" xmlns="http://www.w3.org/2000/svg">']
    out.append('<rect width="76" height="20" rx="7" fill="%s"/>' % WOOD)
    for n in range(4):
        colour = hue(k, letter) if n in lit else "#2b211a"
        out.append('<circle cx="%d" cy="10" r="6" fill="%s"/>' % (13 + 17 * n, colour))
    return "".join([*out, "</svg>"])


# ---- the hub ----

SECTORS = 8
OUTER, DRUM = 190, 66


def _at(middle: Point, degrees: float, radius: float, aside: float = 0) -> Point:
    """Return the point (x, y) at the distance `radius` from `middle`, the middle of the hub.

    degrees: clockwise from the top
    aside: a shift to the right, as seen from the middle
    """
    turn = degrees * pi / 180
    x = middle[0] + radius * sin(turn) + aside * cos(turn)
    return x, middle[1] - radius * cos(turn) + aside * sin(turn)


def _sector(middle: Point, degrees: float, fill: str) -> str:
    half = 180 / SECTORS
    a, b = _at(middle, degrees - half, OUTER), _at(middle, degrees + half, OUTER)
    return '<path d="M%.1f %.1f L%.1f %.1f A%d %d 0 0 1 %.1f %.1f Z" fill="%s" stroke="%s"/>' % (
        *(*middle, *a, OUTER, OUTER, *b),
        *(fill, RIM),
    )


def _station(middle: Point, degrees: float, name: str, lit: str, wood: str) -> str:
    """Return a station as SVG: the lamps are in a row at the rim, turn on the left of who sits
    there, the button is behind them, and the name next to it.

    degrees: the direction of the station, clockwise from the top
    lit: the letters of the four lamps
    """
    out = [_sector(middle, degrees, wood)]
    for k in range(4):
        colour = hue(k, lit[k]) if lit[k] != "." else None
        out.append(bulb(*_at(middle, degrees, 172, 44 - 19 * k), 7, colour))
    out.append(_button(*_at(middle, degrees, 138, 22), 13))
    x, y = _at(middle, degrees, 112, -8)
    out.append(tile_faces.text(x, y + 9, name, LETTERS, colour=CREAM, weight="bold"))
    return "".join(out)


def _button(x: float, y: float, size: float) -> str:
    return '<circle cx="%.1f" cy="%.1f" r="%d" fill="%s" stroke="#7a2a18" stroke-width="2"/>' % (
        *(x, y, size),
        BUTTON,
    )


def _line(middle: Point, degrees: float, tiles: Sequence[Pair], start: float = OUTER + 6) -> str:
    """Return a line of tiles as SVG, from the hub's rim outwards.

    degrees: clockwise from the top
    start: the distance of the first tile from the middle
    """
    out = []
    radius = start + 26
    for inner, outer in tiles:
        x, y = _at(middle, degrees, radius)
        out.append(tile_faces.tile(inner, outer, (x, y), degrees - 90))
        radius += 56
    return "".join(out)


def _label(x: float, y: float, anchor: str, name: str, what: str, way: Sequence[Point]) -> str:
    """Return a label of two lines, with a pointer to what it explains.

    anchor: the part of the text that is at x: start, middle or end
    way: the points of the pointer, from the label on
    """
    text = tile_faces.text(x, y, name, LETTERS + 2, anchor, ACCENT, "bold")
    text += tile_faces.text(x, y + 30, what, LETTERS, anchor)
    points = " ".join("%.1f,%.1f" % point for point in way)
    return (
        text + '<polyline points="%s" stroke="%s" stroke-width="3" fill="none"/>'
        '<circle cx="%.1f" cy="%.1f" r="5" fill="%s" stroke="#fff" stroke-width="2"/>'
        % (points, ACCENT, *way[-1], ACCENT)
    )


def hub(
    labels: dict[str, tuple[str, str]],
    tiles: tuple[Pair, Pair, Sequence[Pair], Sequence[Pair]],
    trains: bool,
) -> str:
    """Return a picture of the hub from above, with five labels.

    labels: {part: (name of the part, what it is for)} for the parts "lamps", "station", "button",
        "M" and "E"
    tiles: (opening tile, tapped tile, a line's tiles, another line's tiles), each tile (inner
        number, outer number)
    """
    middle = (330, 288)
    opening, tapped, left, right = tiles
    out = [
        '<svg class="hub" viewBox="0 0 660 620" xmlns="http://www.w3.org/2000/svg" '
        'font-family="inherit">'
    ]
    own = "5"
    lit = {own: "t...", "3": ".o..", "7": ".o..", "M": ".o.." if trains else "...."}
    for n, name in enumerate("M1234567"):
        wood = LIGHT_WOOD if name == own else WOOD
        out.append(_station(middle, (315 + 45 * n) % 360, name, lit.get(name, "...."), wood))
    out.append('<circle cx="%d" cy="%d" r="%d" fill="%s"/>' % (*middle, DRUM, LIGHT_WOOD))
    out.append('<circle cx="%d" cy="%d" r="%d" fill="none" stroke="%s"/>' % (*middle, DRUM, RIM))
    out.append(tile_faces.tile(*opening, (middle[0], middle[1] - 12), 0))
    for k in range(4):
        out.append(bulb(middle[0] - 40 + 17 * k, middle[1] + 26, 6))
    out.append(_button(middle[0] + 34, middle[1] + 26, 10))
    out.append(tile_faces.tile(*tapped, (middle[0], middle[1] + 210), 90))
    out.append(_line(middle, 90, right))
    out.append(_line(middle, 270, left))
    # the lines run between the stations
    places: dict[str, tuple[float, float, str, list[Point]]] = {
        "M": (0, 30, "start", [(32, 22), (232, 22), _at(middle, 308, 178)]),
        "E": (660, 30, "end", [(628, 22), (428, 22), _at(middle, 22.5, 42)]),
        "lamps": (0, 516, "start", [(218, 507), (246, 507), _at(middle, 180, 172, 57)]),
        "button": (660, 516, "end", [(462, 507), (404, 507), _at(middle, 180, 138, 6)]),
        "station": (330, 580, "middle", [(330, 556), (330, 524)]),
    }
    for thing, (x, y, anchor, way) in places.items():
        out.append(_label(x, y, anchor, *labels[thing], way))
    return "".join([*out, "</svg>"])


# ---- three gestures that put a forgotten tap right ----


def forgotten(set_: int) -> tuple[str, str, str]:
    """Return three pictures that show how to correct a forgotten tap: a hold and two taps."""
    return (
        _gesture(1, None, "1\u20133 s", "u"),
        _gesture(2, (set_, 4), "3", "g"),
        _gesture(3, (set_, 2), "M", "g"),
    )


def _gesture(number: int, tile: Pair | None, name: str, letter: str) -> str:
    """Return a picture of a tapped tile or a held button, with the answer lamp lit.

    tile: the tapped tile, or None if the button is held
    letter: what the answer lamp shows
    """
    out = ['<svg viewBox="0 0 230 74" xmlns="http://www.w3.org/2000/svg" font-family="inherit">']
    out.append('<rect x="72" y="2" width="152" height="70" rx="11" fill="%s"/>' % WOOD)
    for n in range(4):
        colour = hue(lamp_letters.ANSWER, letter) if n == lamp_letters.ANSWER else None
        out.append(bulb(96 + 34 * n, 22, 8, colour))
    out.append(tile_faces.text(14, 22, number, 22, colour=ACCENT, weight="bold"))
    out.append(tile_faces.text(160, 59, name, 20, colour=CREAM, weight="bold"))
    if not tile:
        out.append(_button(100, 50, 13))
        out.append('<circle cx="100" cy="50" r="18" fill="none" stroke="#fff" stroke-width="2"/>')
        return "".join([*out, "</svg>"])
    out.append(tile_faces.tile(*tile, (48, 48), 0))
    for x in (82, 91, 100):
        out.append(
            '<path d="M%d %d A 22 22 0 0 1 %d %d" fill="none" stroke="%s" stroke-width="3"/>'
            % (x, 38, x, 58, RIM)
        )
    return "".join([*out, "</svg>"])
