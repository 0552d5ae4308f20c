# SPDX-License-Identifier: MIT
"""The legend as HTML: the three gestures, and each lamp with its animation and its meaning."""

from collections.abc import Collection
from typing import Any

from host_sim.app.views import lamp_css, tile_faces
from host_sim.app.views.i18n import Translator
from host_sim.app.views.lamp_css import WOOD, lamps_of
from roundhouse import lamp_letters

GESTURES = ("tap", "press", "hold")
COUNTED = 3  # doubles in the examples; the second pulses
SIZE, PITCH, BOX = 8, 25, (104, 32)
DARK, RIM, BUTTON = "#1d130c", "#7a5a40", "#d9583b"


def legend(translator: Translator, trains: bool = True) -> str:
    """Return the legend, `<div class="legend">`.

    trains: true for a game with trains, false for a line game
    """
    out = ['<div class="legend">', "<h2>%s</h2>" % translator("legend.gestures")]
    for gesture in GESTURES:
        words = (translator("legend." + gesture), translator("legend.%s_for" % gesture))
        out.append("%s<p><b>%s</b><br>%s</p>" % (_gesture(gesture), *words))
    about = (translator("legend.lamps"), translator("legend.four"))
    out.append('<h2>%s</h2><p class="about">%s</p>' % about)
    for k in range(4):
        out.append("<h2>%s</h2>" % translator("legend.lamp%d" % k))
        out += [_row(translator, row, trains) for row in rows_of(k) if not row[0][4]]
    out.append("<h2>%s</h2>" % translator("legend.refused"))
    for k in range(4):
        out += [_row(translator, row, trains) for row in rows_of(k) if row[0][4]]
    return "".join([*out, "</div>"])


def rows_of(k: int) -> list[Any]:
    """Return the rows of lamp_letters.LETTERS whose first lamp is k, 0..3."""
    return [row for row in lamp_letters.LETTERS if row[0][0] == k and k == lamps_of(row)[0]]


def _row(translator: Translator, row: Any, trains: bool) -> str:
    letters = row[0][1]
    moves, tells = translator.lamp(row, lines=not trains)
    picture = slot(lamps_of(row), letters[len(letters) > 1])
    return "%s<p><b>%s</b><br>%s</p>" % (picture, moves, tells)


def _wood(inner: str) -> str:
    return (
        '<svg viewBox="0 0 %d %d" aria-hidden="true"><rect width="%d" height="%d" rx="9" '
        'fill="%s"/>%s</svg>' % (*BOX, *BOX, WOOD, inner)
    )


def slot(lit: Collection[int], letter: str) -> str:
    """Return a slot's four lamps as SVG. All lit lamps show the same.

    lit: the lit lamps, 0..3
    """
    out = []
    for n in range(4):
        x, y = BOX[0] / 2 + (n - 1.5) * PITCH, BOX[1] / 2
        out.append('<circle cx="%.1f" cy="%.1f" r="7" fill="%s" stroke="%s"/>' % (x, y, DARK, RIM))
        if n in lit:
            out.append(_lit(n, letter, x, y))
    return _wood("".join(out))


def _lit(k: int, letter: str, x: float, y: float) -> str:
    hue = lamp_css.colour(k, letter)
    how = lamp_css.classes(k, letter, COUNTED) + (" again" if lamp_css.is_once(k, letter) else "")
    sign = tile_faces.text(x, y + 5, lamp_css.sign(k, letter), 13, colour="#111")
    return (
        '<g class="lamp"><g class="%s">'
        '<circle cx="%.1f" cy="%.1f" r="13" fill="%s" opacity=".35"/>'
        '<circle cx="%.1f" cy="%.1f" r="%d" fill="%s"/>%s</g></g>'
        % (how, x, y, hue, x, y, SIZE, hue, sign.replace("<text", '<text class="sign"'))
    )


def _gesture(name: str) -> str:
    if name == "tap":
        lit = '<circle cx="84" cy="16" r="7" fill="%s"/>' % lamp_css.colour(
            lamp_letters.ANSWER, "g"
        )
        waves = "".join(
            '<path d="M%d 8a11 11 0 0 1 0 16" fill="none" stroke="#f6ecdd" stroke-width="2"/>' % x
            for x in (56, 63)
        )
        return _wood(tile_faces.tile(6, 4, (29, 16), 0, 18) + waves + lit)
    button = '<circle cx="36" cy="16" r="9" fill="%s" stroke="#7a2a18" stroke-width="2"/>' % BUTTON
    if name == "press":
        return _wood(button)
    ring = '<circle cx="36" cy="16" r="13" fill="none" stroke="#fff" stroke-width="2"/>'
    return _wood(button + ring + _lit(lamp_letters.ANSWER, "u", 84, 16))
