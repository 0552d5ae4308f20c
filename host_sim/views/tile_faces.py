# SPDX-License-Identifier: MIT
"""A domino's face: real pips in the usual colours, for the hand, for a line of text and for the
table. Every picture of a tile is drawn here.
"""

import re
from functools import lru_cache

FACE, EDGE, INK = "#fffaf0", "#8d8069", "#2b2a28"
NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0, 2.2
HALF = 20  # units of a half's side: a face is 40 by 20, its first half left
# a tile whose pips are not seen
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


def pips(number):
    """Return the places of a half's pips, 0..18, as (x, y) from -1 to 1."""
    if number <= 9:
        return [(int(c) % 3 - 1, int(c) // 3 - 1) for c in FEW[number]]
    rows = -(-number // 3)
    places = [(n % 3 - 1, n // 3 * 2 / (rows - 1) - 1) for n in range(number - number % 3)]
    rest = {0: (), 1: (0,), 2: (-1, 1)}[number % 3]
    return places + [(x, 1) for x in rest]


def _half(number, middle):
    """The pips of a half as one path of dots; middle: its place along the tile."""
    if not number:
        return ""
    size = 4.3 if number <= 9 else 3.6 if number <= 12 else 2.7
    dots = "".join("M%.3g %.3gh0" % (middle + 6.2 * y, 6.2 * x) for x, y in pips(number))
    return '<path d="%s" stroke="%s" stroke-width="%s" stroke-linecap="round"/>' % (
        *(dots, PIPS[number], size),
    )


@lru_cache(maxsize=1024)
def body(first, second):
    """Return a face of 40 by 20 units around its middle, `first` on the left, as SVG."""
    return '%s<path d="M0-7V7" stroke="%s" opacity=".6"/>%s%s' % (
        *(BLANK, EDGE, _half(first, -HALF / 2), _half(second, HALF / 2)),
    )


def tile(first, second, at, turn, width=26):
    """Return a domino as a part of a picture: its middle `at` (x, y), `turn` in degrees clockwise
    of its way from first to second, from pointing right; width: of its short side."""
    return '<g transform="translate(%.1f %.1f) rotate(%.1f) scale(%.3f)">%s</g>' % (
        *(*at, turn, width / HALF),
        body(first, second),
    )


def face(first, second, lying=False):
    """Return a tile as an SVG of its own, upright for the hand or lying for a line of text; CSS
    gives it its size by `svg.tile`, and its rim by `.edge`."""
    box, turn = ("-21 -11 42 22", "") if lying else ("-11 -21 22 42", ' transform="rotate(90)"')
    return (
        '<svg class="tile%s" viewBox="%s" role="img" aria-label="%d-%d" '
        'xmlns="http://www.w3.org/2000/svg"><g%s>%s</g></svg>'
        % (" lying" if lying else "", box, first, second, turn, body(first, second))
    )


def text(x, y, words, size=16, anchor="middle", colour=INK, weight="normal"):
    """Return words, or a number, as an SVG text; anchor: start, middle or end, at x."""
    return (
        '<text x="%.1f" y="%.1f" font-size="%.4g" text-anchor="%s" fill="%s" font-weight="%s">%s'
        "</text>" % (x, y, size, anchor, colour, weight, escaped(words))
    )


def escaped(words):
    """Return words as text of XML, of an attribute too, without what XML cannot hold."""
    words = NOT_XML.sub("", str(words)).replace("&", "&amp;")
    words = words.replace("<", "&lt;").replace(">", "&gt;")
    return words.replace('"', "&quot;")
