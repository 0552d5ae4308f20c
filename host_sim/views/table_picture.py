# SPDX-License-Identifier: MIT
"""The table as a picture: the hub round, its lamps, trains growing outwards with real faces.

It draws what was seen of a table, and nothing else.
"""

from math import cos, pi, sin

from host_sim.views import lamp_text
from host_sim.views.speech import Speech
from host_sim.views.table_state import TRAINS
from host_sim.views.table_words import TableWords

SIZE = 1260  # of the square picture
HUB = 222  # radius of the hub
INNERMOST = 118  # where a station's lamps begin, and how far the next one is
NEXT = 26
HALF, GAP = 26, 5  # of a tile: its width is HALF, its length twice that
PAPER, INK, WOOD, FACE = "#f6f2e8", "#2b2a28", "#4a3b30", "#fffdf6"
# the usual colours of pips, by number
PIPS = (
    "#888",
    "#3fa7d6",
    "#2e8b57",
    "#c0392b",
    "#7b4a2d",
    "#1f4e9e",
    "#c89b00",
    "#8e44ad",
    "#00796b",
    "#5d4fb3",
    "#d35400",
    "#b03a70",
    "#333",
    "#7a8f00",
    "#0f6f8f",
    "#8b0000",
    "#556b2f",
    "#6a5acd",
    "#a0522d",
)


# where the pips of 0..9 are in a square of three by three
FEW = ("", "4", "08", "048", "0268", "02468", "012678", "0124678", "01235678", "012345678")


def pips(number):
    """Return the places of a half's pips, 0..18, as (x, y) from -1 to 1."""
    if number <= 9:
        return [(int(c) % 3 - 1, int(c) // 3 - 1) for c in FEW[number]]
    rows = -(-number // 3)
    places = [(n % 3 - 1, n // 3 * 2 / (rows - 1) - 1) for n in range(number - number % 3)]
    rest = {0: (), 1: (0,), 2: (-1, 1)}[number % 3]
    return places + [(x, 1) for x in rest]


def tile(inner, outer, at, turn, across):
    """Return a domino: at its middle, `turn` degrees of its way outwards; across: a double."""
    half = HALF / 2
    turn += 90 if across else 0
    out = ['<g transform="translate(%.1f %.1f) rotate(%.1f)">' % (*at, turn)]
    out.append(
        '<rect x="%.1f" y="%.1f" width="%d" height="%d" rx="4" fill="%s" stroke="%s"/>'
        % (-HALF, -half, 2 * HALF, HALF, FACE, INK)
    )
    out.append('<path d="M0 %.1f V%.1f" stroke="%s" opacity=".5"/>' % (-half + 3, half - 3, INK))
    for number, middle in ((inner, -half), (outer, half)):
        size = 2.6 if number <= 9 else 1.9
        for x, y in pips(number):
            out.append(
                '<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s"/>'
                % (middle + 8 * y, 8 * x, size, PIPS[number])
            )
    out.append("</g>")
    return "".join(out)


def text(x, y, words, size=16, anchor="middle", colour=INK, weight="normal"):
    """Return words, or a number, as an SVG text; anchor: start, middle or end, at x."""
    words = str(words).replace("&", "&amp;").replace("<", "&lt;")
    return (
        '<text x="%.1f" y="%.1f" font-size="%d" text-anchor="%s" fill="%s" font-weight="%s">%s'
        "</text>" % (x, y, size, anchor, colour, weight, words)
    )


def lamp(x, y, k, letter):
    """Return one pixel: dark a ring, lit its colour and the glyph that tells it without."""
    if letter == ".":
        return '<circle cx="%.1f" cy="%.1f" r="9" fill="#241d18" stroke="#7d6a5a"/>' % (x, y)
    hue = "#%02x%02x%02x" % lamp_text.hue(k, letter)
    glow = '<circle cx="%.1f" cy="%.1f" r="14" fill="%s" opacity=".35"/>' % (x, y, hue)
    lit = '<circle cx="%.1f" cy="%.1f" r="9" fill="%s" stroke="#fff"/>' % (x, y, hue)
    return (
        glow + lit + text(x, y + 5, lamp_text.glyph(k, letter), 13, colour="#111", weight="bold")
    )


def angles(slots):
    """Return {slot: degrees} around the hub, clockwise from the top: the stations, then M."""
    around = [slot for slot in slots if slot != "E"]
    return {slot: 360 * n / len(around) for n, slot in enumerate(around)}


def point(degrees, radius):
    """Return x, y of a point around the hub's middle; degrees clockwise from the top."""
    return SIZE / 2 + radius * sin(degrees * pi / 180), SIZE / 2 - radius * cos(degrees * pi / 180)


def svg(seen, said=""):
    """Return the picture of what was seen as SVG text; said: a sentence below it."""
    state, lamps = seen.state, seen.lamps()
    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="DejaVu Sans, '
        'Verdana, sans-serif">' % (SIZE, SIZE),
        '<rect width="%d" height="%d" fill="%s"/>' % (SIZE, SIZE, PAPER),
    ]
    turns = angles(lamps)
    for slot, degrees in turns.items():
        out.append(_train(seen, slot, degrees))
    out.append('<circle cx="%d" cy="%d" r="%d" fill="%s"/>' % (SIZE / 2, SIZE / 2, HUB, WOOD))
    for slot, degrees in turns.items():
        for k in range(4):
            out.append(lamp(*point(degrees, INNERMOST + NEXT * k), k, lamps[slot][k]))
        name = _label(degrees, INNERMOST - 20)
        out.append(text(*name, slot, 15, colour="#f0e6d8", weight="bold"))
    for k in range(4):
        out.append(lamp(SIZE / 2 - 39 + NEXT * k, SIZE / 2 + 52, k, lamps["E"][k]))
    engine = state["engine"]
    if engine:
        out.append(tile(*map(int, engine.split("-")), (SIZE / 2, SIZE / 2), 90, False))
    else:
        out.append(text(SIZE / 2, SIZE / 2 + 6, "E", 20, colour="#f0e6d8", weight="bold"))
    out += _words(seen)
    if said:
        out.append(text(20, SIZE - 20, said, 16, "start"))
    out.append("</svg>\n")
    return "\n".join(out)


def _label(degrees, radius):
    x, y = point(degrees, radius)
    return x, y + 5


def _length(seen, tiles):
    """Return how far tiles in a row reach, doubles crosswise where the game has them so."""
    return sum((HALF if seen.is_across(*pair) else 2 * HALF) + GAP for pair in tiles)


def _train(seen, slot, degrees):
    """A train outwards from its slot; a long one is folded in the middle."""
    tiles = seen.train(slot)
    out = []
    radius = HUB + 14
    room = SIZE / 2 - 50 - radius
    shown = list(tiles)
    length = _length(seen, tiles)
    fold = 0
    while length > room and len(shown) > 2:
        fold += 1
        shown.pop(1)
        length = _length(seen, shown) + 44
    for n, (a, b) in enumerate(shown):
        if fold and n == 1:
            x, y = point(degrees, radius + 20)
            out.append(text(x, y + 5, "+%d" % fold, 15, weight="bold"))
            radius += 44
        across = seen.is_across(a, b)
        deep = HALF if across else 2 * HALF
        out.append(tile(a, b, point(degrees, radius + deep / 2), degrees - 90, across))
        radius += deep + GAP
    end = seen.state["ends"].get(slot)
    if end is not None:
        x, y = point(degrees, radius + 14)
        end = " ".join(map(str, end)) if isinstance(end, list) else end
        out.append(text(x, y + 6, end, 17, weight="bold"))
    return "\n".join(out)


def _words(seen):
    """Counts and scores in the corners."""
    state = seen.state
    speech = Speech("en")
    players = TableWords(speech, seen.names)
    out = [text(20, 34, speech("games." + seen.game), 22, "start", weight="bold")]
    opening = state["phase"] == "engine" and seen.game != TRAINS
    phase = "opening" if opening else state["phase"]
    told = ["round %d, %s" % (state["round"], phase), "boneyard %d" % state["boneyard"]]
    if state["turn"]:
        drawn = ", has drawn" if state["drawn"] else ""
        told.append("%s turn%s" % (players.whose(state["turn"]), drawn))
    if state.get("sides"):
        sides = ["%s (%d)" % side for side in state["sides"].items()]
        told.append("a line may begin at " + ", ".join(sides))
    for n, words in enumerate(told):
        out.append(text(20, 60 + 24 * n, words, 16, "start"))
    rows = [("", "tiles", "points")]
    rows += [
        (players.name(seat), count, state["scores"].get(seat, ""))
        for seat, count in state["hands"].items()
    ]
    for n, row in enumerate(rows):
        for words, x in zip(row, (SIZE - 150, SIZE - 85, SIZE - 20)):
            out.append(text(x, 34 + 22 * n, words, 16, "end", weight="normal" if n else "bold"))
    return out
