# SPDX-License-Identifier: MIT
"""Draws lines, boxes and words as SVG, for the guide's pictures that are not 3D renders."""

from xml.sax.saxutils import escape

INK, PAPER = "#20262b", "#ffffff"
PRINTED, BOARD, BLUE, IVORY = "#9aa6ae", "#1f6b45", "#2f6fae", "#f4f1e8"
COPPER, RED = "#b08d57", "#c8553d"
HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="%(wide)g" height="%(high)g" '
    'viewBox="0 0 %(wide)g %(high)g" font-family="DejaVu Sans, Arial, sans-serif">\n'
    "<title>%(title)s</title>\n"
    '<rect width="%(wide)g" height="%(high)g" fill="#ffffff"/>\n'
)


class Drawing:
    """An SVG drawing.

    wide, high: the size in px.
    title: what the drawing shows.
    """

    def __init__(self, wide: float, high: float, title: str) -> None:
        self._lines = [HEAD % {"wide": wide, "high": high, "title": escape(title)}]

    def box(
        self,
        x: float,
        y: float,
        wide: float,
        high: float,
        fill: str = PAPER,
        stroke: str = INK,
        width: float = 1.5,
        round_: float = 0.0,
    ) -> None:
        """Draw a rectangle. x, y: its upper left corner."""
        self._put(
            '<rect x="%s" y="%s" width="%s" height="%s" rx="%s" fill="%s" stroke="%s" '
            'stroke-width="%s"/>',
            *(x, y, wide, high, round_, fill, stroke, width),
        )

    def circle(
        self,
        x: float,
        y: float,
        radius: float,
        fill: str = PAPER,
        stroke: str = INK,
        width: float = 1.5,
    ) -> None:
        self._put(
            '<circle cx="%s" cy="%s" r="%s" fill="%s" stroke="%s" stroke-width="%s"/>',
            *(x, y, radius, fill, stroke, width),
        )

    def line(
        self,
        *points: tuple[float, float],
        stroke: str = INK,
        width: float = 1.5,
        fill: str = "none",
    ) -> None:
        path = " ".join("%s,%s" % (_px(x), _px(y)) for x, y in points)
        self._put(
            '<polyline points="%s" fill="%s" stroke="%s" stroke-width="%s"/>',
            *(path, fill, stroke, width),
        )

    def words(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 15,
        at: str = "start",
        fill: str = INK,
        bold: bool = False,
    ) -> None:
        """Draw a text on a base line. at: whether x is its start, middle or end."""
        self._put(
            '<text x="%s" y="%s" font-size="%s" text-anchor="%s" fill="%s" font-weight="%s">%s'
            "</text>",
            *(x, y, size, at, fill, "bold" if bold else "normal", escape(text)),
        )

    def upright(self, x: float, y1: float, y2: float) -> None:
        """Draw a vertical dimension line at x from y1 to y2."""
        for y in (y1, y2):
            self.line((x - 5, y), (x + 5, y))
        self.line((x, y1), (x, y2))

    def svg(self) -> str:
        return "".join(self._lines) + "</svg>\n"

    def _put(self, form: str, *values: float | str) -> None:
        self._lines.append(form % tuple(_px(value) for value in values) + "\n")


def _px(value: float | str) -> str:
    """Return a number in its shortest form; return a text unchanged."""
    return "%g" % round(value, 1) if isinstance(value, int | float) else value
