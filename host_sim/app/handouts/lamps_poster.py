# SPDX-License-Identifier: MIT
"""A poster of all lamps and their meanings as one SVG, animated as on the hub."""

import textwrap
from collections.abc import Sequence
from typing import Any

from host_sim.app.views import lamp_css, legend
from host_sim.app.views.i18n import Translator
from host_sim.app.views.lamp_css import lamps_of
from host_sim.app.views.tile_faces import escaped

WIDTH, EDGE, GAP = 1000, 24, 20
COLUMN = (WIDTH - 2 * EDGE - GAP) / 2
ROW, HEAD = 46, 44  # height of a lamp's row and of a heading
WORDS = 118  # from a row's left to its words
LETTERS = 46  # in a line of words
PAPER, INK, FAINT = "#fbf6ea", "#22262b", "#6a5a48"


def svg(translator: Translator | None = None) -> str:
    translator = translator or Translator("en")
    left = [(translator("legend.lamp%d" % k), _rows(k, refused=False)) for k in (0, 1, 2)]
    right = [(translator("legend.lamp%d" % k), _rows(k, refused=False)) for k in (3,)]
    why = [row for k in range(4) for row in _rows(k, refused=True)]
    right.append((translator("legend.refused"), why))
    drawn, heights = [], []
    for n, parts in enumerate((left, right)):
        some, height = _column(translator, parts, EDGE + n * (COLUMN + GAP))
        drawn += some
        heights.append(height)
    height = max(heights) + EDGE
    return "\n".join(
        (
            '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" '
            'font-family="Inter, DejaVu Sans, Verdana, sans-serif" fill="%s">'
            % (WIDTH, height, WIDTH, height, INK),
            "<title>%s</title>" % escaped(translator("legend.lamps")),
            "<style>%s</style>" % lamp_css.css(),
            '<rect width="%d" height="%d" rx="14" fill="%s"/>' % (WIDTH, height, PAPER),
            *drawn,
            "</svg>\n",
        )
    )


def _rows(k: int, refused: bool) -> list[Any]:
    """Return the rows of lamp_letters.LETTERS for lamp `k`: if `refused` is true, the rows that
    explain a refusal, otherwise all other rows."""
    return [row for row in legend.rows_of(k) if bool(row[0][4]) == refused]


def _column(
    translator: Translator, parts: Sequence[tuple[str, list[Any]]], x: float
) -> tuple[list[str], int]:
    """Return the drawing of a column of the poster, and its height.

    parts: [(heading, rows of lamp_letters.LETTERS), ...]
    """
    drawn, y = [], EDGE
    for heading, rows in parts:
        drawn.append(_line(x, y + 26, heading, 18, 'font-weight="700"'))
        y += HEAD
        for row in rows:
            drawn.append(_row(translator, row, x, y))
            y += ROW
        y += 10
    return drawn, y


def _row(translator: Translator, row: Any, x: float, y: float) -> str:
    moves, tells = translator.lamp(row)
    letters = row[0][1]
    picture = legend.slot(lamps_of(row), letters[len(letters) > 1])
    placed = '<svg x="%.1f" y="%.1f" width="104" height="32"' % (x, y)
    lines = textwrap.wrap(tells, LETTERS)
    out = [picture.replace("<svg", placed, 1)]
    out.append(_line(x + WORDS, y + 10, moves, 12, 'fill="%s"' % FAINT))
    out += [_line(x + WORDS, y + 25 + 14 * n, line, 13) for n, line in enumerate(lines)]
    return "".join(out)


def _line(x: float, y: float, words: str, size: int, more: str = "") -> str:
    return '<text x="%.1f" y="%.1f" font-size="%d" %s>%s</text>' % (
        x,
        y,
        size,
        more,
        escaped(words),
    )
