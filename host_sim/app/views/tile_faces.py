# SPDX-License-Identifier: MIT
"""The faces of dominoes as SVG, with pips in the usual colours."""

import re
from functools import lru_cache

FACE, EDGE, INK = "#fffaf0", "#8d8069", "#2b2a28"
NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0, 2.2
HALF = 20  # units of a half's side: a face is 40 by 20, its first half left
# a tile without pips
BLANK = (
    '<rect class="edge" x="-20" y="-10" width="40" height="20" rx="3.2" '
    'fill="%s" stroke="%s"/>' % (FACE, EDGE)
)
# the usual colours of pips, by number
PIPS = (
    "#6b6b6b",
    "#2585ba",
    "#2e8b57",
    "#c0392b",
    "#7b4a2d",
    "#1f4e9e",
    "#a87a00",
    "#8e44ad",
    "#00796b",
    "#5146b0",
    "#cf5200",
    "#b03a70",
    "#333333",
    "#6b7d00",
    "#0f6f8f",
    "#8b0000",
    "#556b2f",
    "#6a5acd",
    "#a0522d",
)
# where the pips of 0..9 are in a square of three by three
FEW = ("", "4", "08", "048", "0268", "02468", "012678", "0124678", "01235678", "012345678")


def pips(number: int) -> list[tuple[float, float]]:
    """Return the positions of `number` pips, 0..18, on half a tile, as (x, y) from -1 to 1."""
    if number <= 9:
        return [(int(c) % 3 - 1, int(c) // 3 - 1) for c in FEW[number]]
    rows = -(-number // 3)
    places: list[tuple[float, float]] = [
        (n % 3 - 1, n // 3 * 2 / (rows - 1) - 1) for n in range(number - number % 3)
    ]
    rest: tuple[int, ...] = ((), (0,), (-1, 1))[number % 3]
    return places + [(x, 1) for x in rest]


def _half(number: int, middle: float) -> str:
    """Return the pips of half a tile, centred at `middle` along the tile, as an SVG path."""
    if not number:
        return ""
    size = 4.3 if number <= 9 else 3.6 if number <= 12 else 2.7
    dots = "".join("M%.3g %.3gh0" % (middle + 6.2 * y, 6.2 * x) for x, y in pips(number))
    return '<path d="%s" stroke="%s" stroke-width="%s" stroke-linecap="round"/>' % (
        *(dots, PIPS[number], size),
    )


@lru_cache(maxsize=1024)
def body(first: int, second: int) -> str:
    """Return the face of a tile as SVG, 40 by 20 units around (0, 0), with `first` on the left."""
    return '%s<path d="M0-7V7" stroke="%s" opacity=".6"/>%s%s' % (
        *(BLANK, EDGE, _half(first, -HALF / 2), _half(second, HALF / 2)),
    )


def tile(first: int, second: int, at: tuple[float, float], turn: float, width: float = 26) -> str:
    """Return a tile as SVG for a larger picture.

    at: (x, y) of the tile's centre
    turn: the rotation in degrees, clockwise; at 0, `second` is to the right of `first`
    width: the length of the tile's short side
    """
    return '<g transform="translate(%.1f %.1f) rotate(%.1f) scale(%.3f)">%s</g>' % (
        *(*at, turn, width / HALF),
        body(first, second),
    )


def face(first: int, second: int, lying: bool = False) -> str:
    """Return a tile as a complete SVG picture, upright or lying. CSS rules for `svg.tile` and
    `.edge` set its size and rim."""
    box, turn = ("-21 -11 42 22", "") if lying else ("-11 -21 22 42", ' transform="rotate(90)"')
    return (
        '<svg class="tile%s" viewBox="%s" role="img" aria-label="%d-%d" '
        'xmlns="http://www.w3.org/2000/svg"><g%s>%s</g></svg>'
        % (" lying" if lying else "", box, first, second, turn, body(first, second))
    )


def text(
    x: float,
    y: float,
    words: object,
    size: float = 16,
    anchor: str = "middle",
    colour: str = INK,
    weight: str = "normal",
) -> str:
    """Return a text or number as an SVG text element.

    anchor: which part of the text is at x: start, middle or end
    """
    return (
        '<text x="%.1f" y="%.1f" font-size="%.4g" text-anchor="%s" fill="%s" font-weight="%s">%s'
        "</text>" % (x, y, size, anchor, colour, weight, escaped(words))
    )


def escaped(words: object) -> str:
    """Return a text escaped for XML text and attributes, without characters that XML forbids."""
    words = NOT_XML.sub("", str(words)).replace("&", "&amp;")
    words = words.replace("<", "&lt;").replace(">", "&gt;")
    return words.replace('"', "&quot;")
