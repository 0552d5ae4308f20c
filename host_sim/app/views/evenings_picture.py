# SPDX-License-Identifier: MIT
"""Draws evenings as SVG: a row for each person, and a column for each evening, the newest first. A
ring shows that the person played, and a disc shows that the person won."""

from collections.abc import Callable, Mapping, Sequence

from host_sim.app.views.tile_faces import escaped
from roundhouse.constants import MOST_SEATS

MOST_EVENINGS, MOST_PEOPLE = 12, MOST_SEATS
NAME, COLUMN, ROW, TOP, RADIUS = 132, 34, 34, 30, 11  # pixels
CUT = 14  # characters of a name
TEXT = 16  # pixels of the usual text size, for which the picture is drawn


def _sign(x: float, y: float, wins: int | None) -> str:
    """Return the mark for a person's evening as SVG, centred at (x, y). wins: the count of matches
    won, or None if the person did not play."""
    if wins is None:
        return '<circle class="away" cx="%g" cy="%g" r="2"/>' % (x, y)
    kind = "won" if wins else "played"
    circle = '<circle class="%s" cx="%g" cy="%g" r="%d"/>' % (kind, x, y, RADIUS)
    if wins < 2:
        return circle
    text = '<text class="wins" x="%g" y="%g" text-anchor="middle">%d</text>'
    return circle + text % (x, y + 4.5, wins)


def svg(
    rows: Sequence[tuple[str, Mapping[str, int]]], day_text: Callable[[str], str], label: str
) -> str:
    """Return the picture of the newest evenings.

    rows: for each person (name, {date: matches won})
    day_text: returns a short text for a date
    """
    rows = rows[:MOST_PEOPLE]
    evenings = sorted({evening for _, played in rows for evening in played}, reverse=True)
    evenings = evenings[:MOST_EVENINGS]
    width = NAME + COLUMN * len(evenings) + COLUMN // 2
    height = TOP + ROW * len(rows)
    out = [
        '<svg class="evenings" xmlns="http://www.w3.org/2000/svg" width="%grem" height="%grem" '
        'viewBox="0 0 %d %d" role="img" aria-label="%s">'
        % (width / TEXT, height / TEXT, width, height, escaped(label))
    ]
    xs = [NAME + COLUMN * (n + 0.5) for n in range(len(evenings))]
    for n, (x, evening) in enumerate(zip(xs, evenings)):
        if n % 2 == 0:  # the texts are wider than a column
            text = '<text class="day" x="%g" y="18" text-anchor="middle">%s</text>'
            out.append(text % (x, escaped(day_text(evening))))
    for n, (name, played) in enumerate(rows):
        y = TOP + ROW * (n + 0.5)
        short = name if len(name) <= CUT else name[: CUT - 1] + "…"
        out.append('<text x="0" y="%g">%s</text>' % (y + 5, escaped(short)))
        out += [_sign(x, y, played.get(evening)) for x, evening in zip(xs, evenings)]
    return "".join([*out, "</svg>"])
