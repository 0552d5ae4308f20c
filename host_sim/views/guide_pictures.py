# SPDX-License-Identifier: MIT
"""The pictures in the player's guide: the hub with its labels, a slot's lamps, three gestures.

They are drawn as the table is, in its colours. A text in them is as large as the page's: a
picture's units are chosen so that LETTERS of them are 10 points or more where it is printed.
"""

from math import cos, pi, sin

from host_sim.views import lamp_text, tile_faces
from host_sim.views.lamp_css import WOOD, together
from roundhouse import lamps

ACCENT = "#1f5c50"  # the page's one colour
LIGHT_WOOD, RIM, CREAM, BUTTON = "#6a5546", "#8a7462", "#f6ecdd", "#d9583b"
LETTERS = 27  # size of a text in the picture of the hub

# ---- lamps ----

WINDOW = 120  # ticks of 32 ms that a curve shows


def row(k, letter):
    """Return the row of lamps.LETTERS of lamp k's letter."""
    for found in lamps.LETTERS:
        if found[0][0] == k and letter in found[0][1]:
            return found
    raise KeyError((k, letter))


def hue(k, letter):
    return "#%02x%02x%02x" % lamp_text.hue(k, letter)


def levels(k, letter):
    """Return how bright a lamp is, 0..255, tick by tick of a curve."""
    (_, letters, _, _, _), (how, wave), _ = row(k, letter)
    if how == lamps.COUNTS:
        place = letters.index(letter) + 1
        return [lamp_text.level(k, letter, tick, place) for tick in range(WINDOW)]
    if how == lamps.ONCE:
        dark = 10
        return ([0] * dark + list(wave) + [0] * WINDOW)[:WINDOW]
    return [wave[tick % len(wave)] for tick in range(WINDOW)]


def curve(k, letter, width, height):
    """Return a lamp's light over time as a path from (0, height); to the eye, so that half as
    bright looks half as high."""
    points = ["M0 %.1f" % height]
    for tick, level in enumerate(levels(k, letter)):
        x, y = tick * width / WINDOW, height * (1 - (level / 255) ** 0.45)
        points.append("L%.1f %.1f H%.1f" % (x, y, (tick + 1) * width / WINDOW))
    return '<path d="%s V%.1f Z" fill="%s"/>' % (" ".join(points), height, hue(k, letter))


def bulb(x, y, size, colour=None):
    """Return a lamp: dark, or lit in a colour."""
    if colour is None:
        return '<circle cx="%.1f" cy="%.1f" r="%.1f" fill="#2b211a" stroke="%s"/>' % (
            *(x, y, size),
            RIM,
        )
    glow = '<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s" opacity=".4"/>'
    lit = '<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s" stroke="#fff" stroke-width="1.5"/>'
    return glow % (x, y, 1.6 * size, colour) + lit % (x, y, size, colour)


def slot(k, letter):
    """Return a slot's four lamps, one of them lit, and below it how that one moves."""
    out = ['<svg class="slot" viewBox="0 0 150 64" xmlns="http://www.w3.org/2000/svg">']
    out.append('<rect width="150" height="64" rx="10" fill="%s"/>' % WOOD)
    for n in range(4):
        out.append(bulb(24 + 34 * n, 21, 8, hue(k, letter) if n == k else None))
    out.append('<g transform="translate(12 40)">%s</g>' % curve(k, letter, 126, 16))
    return "".join([*out, "</svg>"])


def chip(k, letter):
    """Return the same without the curve, as large as a line of text."""
    lit = together(row(k, letter))
    out = ['<svg class="chip" viewBox="0 0 76 20" xmlns="http://www.w3.org/2000/svg">']
    out.append('<rect width="76" height="20" rx="7" fill="%s"/>' % WOOD)
    for n in range(4):
        colour = hue(k, letter) if n in lit else "#2b211a"
        out.append('<circle cx="%d" cy="10" r="6" fill="%s"/>' % (13 + 17 * n, colour))
    return "".join([*out, "</svg>"])


# ---- the hub ----

SECTORS = 8
OUTER, DRUM = 190, 66


def _at(middle, degrees, radius, aside=0):
    """Return x, y of a point seen from the middle: degrees clockwise from the top, `aside` to the
    right of somebody who looks outwards."""
    turn = degrees * pi / 180
    x = middle[0] + radius * sin(turn) + aside * cos(turn)
    return x, middle[1] - radius * cos(turn) + aside * sin(turn)


def _sector(middle, degrees, fill):
    half = 180 / SECTORS
    a, b = _at(middle, degrees - half, OUTER), _at(middle, degrees + half, OUTER)
    return '<path d="M%.1f %.1f L%.1f %.1f A%d %d 0 0 1 %.1f %.1f Z" fill="%s" stroke="%s"/>' % (
        *(*middle, *a, OUTER, OUTER, *b),
        *(fill, RIM),
    )


def _station(middle, degrees, name, lit, wood):
    """A station: its lamps from the middle outwards, its button, its name at the rim."""
    out = [_sector(middle, degrees, wood)]
    for k in range(4):
        colour = hue(k, lit[k]) if lit[k] != "." else None
        out.append(bulb(*_at(middle, degrees, 88 + 19 * k, 17), 7, colour))
    out.append(_button(*_at(middle, degrees, 118, -20), 13))
    x, y = _at(middle, degrees, 165)
    out.append(tile_faces.text(x, y + 9, name, LETTERS, colour=CREAM, weight="bold"))
    return "".join(out)


def _button(x, y, size):
    return '<circle cx="%.1f" cy="%.1f" r="%d" fill="%s" stroke="#7a2a18" stroke-width="2"/>' % (
        *(x, y, size),
        BUTTON,
    )


def _line(middle, degrees, tiles, start=OUTER + 6):
    """Tiles one behind the other, from the rim outwards."""
    out = []
    radius = start + 26
    for inner, outer in tiles:
        x, y = _at(middle, degrees, radius)
        out.append(tile_faces.tile(inner, outer, (x, y), degrees - 90))
        radius += 56
    return "".join(out)


def _label(x, y, anchor, name, what, way):
    """A label, two lines of text, and a line from it to what it names: points on its way."""
    text = tile_faces.text(x, y, name, LETTERS + 2, anchor, ACCENT, "bold")
    text += tile_faces.text(x, y + 30, what, LETTERS, anchor)
    points = " ".join("%.1f,%.1f" % point for point in way)
    return (
        text + '<polyline points="%s" stroke="%s" stroke-width="3" fill="none"/>'
        '<circle cx="%.1f" cy="%.1f" r="5" fill="%s" stroke="#fff" stroke-width="2"/>'
        % (points, ACCENT, *way[-1], ACCENT)
    )


def hub(labels, tiles, trains):
    """Return the hub from above with five labels.

    labels: {"lamps", "station", "button", "M", "E": (name, what it is for)}; tiles: the opening
    tile, a tile that is being tapped and two lines, each [(inner, outer), ...]; trains: whether
    the lines are trains.
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
    places = {
        "M": (0, 30, "start", [(32, 22), (232, 22), _at(middle, 308, 178)]),
        "E": (660, 30, "end", [(628, 22), (428, 22), _at(middle, 22.5, 42)]),
        "lamps": (0, 516, "start", [(218, 507), (246, 507), _at(middle, 180, 107, 17)]),
        "button": (660, 516, "end", [(462, 507), (414, 507), _at(middle, 180, 118, -20)]),
        "station": (330, 580, "middle", [(330, 556), (330, 524)]),
    }
    for thing, (x, y, anchor, way) in places.items():
        out.append(_label(x, y, anchor, *labels[thing], way))
    return "".join([*out, "</svg>"])


# ---- three gestures that put a forgotten tap right ----


def forgotten(set_):
    """Return three pictures: a button held, the forgotten tile tapped at a station, the other one
    tapped on M; set_: the highest number of their tiles."""
    return (
        _gesture(1, None, "1\u20133 s", "u"),
        _gesture(2, (set_, 4), "3", "g"),
        _gesture(3, (set_, 2), "M", "g"),
    )


def _gesture(number, tile, name, letter):
    """A slot with its answer lamp lit; a tile held against it, or its button held."""
    out = ['<svg viewBox="0 0 230 74" xmlns="http://www.w3.org/2000/svg" font-family="inherit">']
    out.append('<rect x="72" y="2" width="152" height="70" rx="11" fill="%s"/>' % WOOD)
    for n in range(4):
        colour = hue(lamps.ANSWER, letter) if n == lamps.ANSWER else None
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
