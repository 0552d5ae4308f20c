# SPDX-License-Identifier: MIT
"""A drawing of lines, boxes and words, as SVG: for the guide's pictures that are no renders."""

from xml.sax.saxutils import escape

INK, PAPER = "#20262b", "#ffffff"
PRINTED, BOARD, READER, TILE = "#9aa6ae", "#1f6b45", "#2f6fae", "#f4f1e8"
COPPER, WARN = "#b08d57", "#c8553d"
HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="%(wide)g" height="%(high)g" '
    'viewBox="0 0 %(wide)g %(high)g" font-family="DejaVu Sans, Arial, sans-serif">\n'
    "<title>%(title)s</title>\n"
    '<rect width="%(wide)g" height="%(high)g" fill="#ffffff"/>\n'
)


class Drawing:
    """wide, high: px; title: what it shows. `svg` is the file's text."""

    def __init__(self, wide, high, title):
        self._lines = [HEAD % {"wide": wide, "high": high, "title": escape(title)}]

    def box(self, x, y, wide, high, fill=PAPER, stroke=INK, width=1.5, round_=0.0):
        """A rectangle from its upper left corner."""
        self._put(
            '<rect x="%s" y="%s" width="%s" height="%s" rx="%s" fill="%s" stroke="%s" '
            'stroke-width="%s"/>',
            *(x, y, wide, high, round_, fill, stroke, width),
        )

    def circle(self, x, y, radius, fill=PAPER, stroke=INK, width=1.5, dashed=False):
        """A circle around its middle."""
        dashes = ' stroke-dasharray="6 4"' if dashed else ""
        self._put(
            '<circle cx="%s" cy="%s" r="%s" fill="%s" stroke="%s" stroke-width="%s"'
            + dashes
            + "/>",
            *(x, y, radius, fill, stroke, width),
        )

    def line(self, *points, stroke=INK, width=1.5, fill="none"):
        """A line through points, [(x, y)]."""
        path = " ".join("%s,%s" % (_px(x), _px(y)) for x, y in points)
        self._put(
            '<polyline points="%s" fill="%s" stroke="%s" stroke-width="%s"/>',
            *(path, fill, stroke, width),
        )

    def words(self, x, y, text, size=15, at="start", fill=INK, bold=False):
        """A text on a base line; at: start, middle or end."""
        self._put(
            '<text x="%s" y="%s" font-size="%s" text-anchor="%s" fill="%s" font-weight="%s">%s'
            "</text>",
            *(x, y, size, at, fill, "bold" if bold else "normal", escape(text)),
        )

    def upright(self, x, y1, y2):
        """An upright measure beside something."""
        for y in (y1, y2):
            self.line((x - 5, y), (x + 5, y))
        self.line((x, y1), (x, y2))

    def level(self, x1, x2, y, text):
        """A level measure, its text above the middle."""
        for x in (x1, x2):
            self.line((x, y - 5), (x, y + 5))
        self.line((x1, y), (x2, y))
        self.words((x1 + x2) / 2, y - 7, text, 14, "middle")

    def svg(self):
        """Return the file's text."""
        return "".join(self._lines) + "</svg>\n"

    def _put(self, form, *values):
        self._lines.append(form % tuple(_px(value) for value in values) + "\n")


def _px(value):
    """A number as short as it can be written; a word as it is."""
    return "%g" % round(value, 1) if isinstance(value, int | float) else value
