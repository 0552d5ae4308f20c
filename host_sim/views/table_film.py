# SPDX-License-Identifier: MIT
"""A round as a film: one SVG that plays by itself, in a page or where a picture is shown.

It is the last picture of the table; what was laid, lit and said comes and goes at its moment.
"""

import textwrap

from host_sim.views.table_picture import LAMP, RING, WOODEN, TablePicture
from host_sim.views.tile_faces import text

SIZE = (900, 640)  # of the whole film
TABLE = (900, 570)  # of the felt; below it stands what happened
FELT, PAPER, INK = "#1f4a43", "#fbf6ea", "#22262b"
LINE = 62  # letters of a sentence in a line
LAST_S = 2.5  # how long the last moment stands


class TableAnimation(TablePicture):
    """The film of some moments.

    moments: [(state line, lamps as TableState.lamps returns them, sentence), ...], oldest first;
    seen: the TableState behind the last one; seconds: how long a moment is.
    """

    def __init__(self, seen, moments, names, seconds):
        super().__init__(seen, names, room=TABLE)
        self.moments = moments
        self.starts = [n * seconds for n in range(len(moments))]
        self.length = self.starts[-1] + LAST_S
        self.signs = True

    # ---- time ----

    def _during(self, spans, drawing):
        """Return a drawing that is there in some spans of moments only, [(first, behind), ...]."""
        if spans == [(0, len(self.moments))]:
            return drawing
        times, values = [0.0], ["hidden"]
        for first, behind in spans:
            for at, value in ((first, "visible"), (behind, "hidden")):
                if at >= len(self.moments):
                    continue
                share = self.starts[at] / self.length
                if share == times[-1]:
                    values[-1] = value
                else:
                    times.append(share)
                    values.append(value)
        keys = ";".join("%.4f" % time for time in times)
        return (
            '<g visibility="hidden">%s<animate attributeName="visibility" calcMode="discrete" '
            'dur="%.2fs" repeatCount="indefinite" keyTimes="%s" values="%s"/></g>'
            % (drawing, self.length, keys, ";".join(values))
        )

    def _spans(self, value):
        """Return {what it was: [(first, behind), ...]} of value(state, lamps) over the film."""
        found = {}
        for n, (state, lamps, _) in enumerate(self.moments):
            spans = found.setdefault(value(state, lamps), [])
            if spans and spans[-1][1] == n:
                spans[-1] = (spans[-1][0], n + 1)
            else:
                spans.append((n, n + 1))
        return found

    # ---- what changes ----

    def _plate(self, slot, degrees, now):
        """A plate; its rim is there while it is that seat's turn."""
        spread = self.half - 0.45
        rim = self._arc((WOODEN + RING) * self.base, degrees - spread, degrees + spread)
        turn = '<path d="%s" fill="none" stroke="#fff6dc" stroke-width="%.1f"/>' % (
            *(rim, 0.012 * self.base),
        )
        spans = self._spans(lambda state, lamps: str(state["turn"]) == slot).get(True, [])
        return super()._plate(slot, degrees, False) + (self._during(spans, turn) if spans else "")

    def _on_plate(self, slot, letters):
        """The name alone: how many tiles a seat holds changes too often to be read."""
        return super()._on_plate(slot, letters).partition("<tspan")[0]

    def _lamp(self, slot, k, x, y):
        """A pixel: what it shows is there while it shows that."""
        size = LAMP * self.base
        self.lamps = {slot: "...."}
        out = [super()._lamp(slot, k, x, y)]
        for letter, spans in self._spans(lambda state, lamps: lamps[slot][k]).items():
            if letter != ".":
                out.append(self._during(spans, self._lit(k, letter, x, y, size)))
        return "".join(out)

    def _tile(self, words, pair, at, turn, width, new):
        """A tile; it is there from the moment when it was laid."""
        laid = self._laid_at(words)
        drawn = super()._tile(words, pair, at, turn, width, False)
        return self._during([(laid, len(self.moments))], drawn) if laid else drawn

    def _laid_at(self, tile):
        for n, (state, _, _) in enumerate(self.moments):
            said = state["input"].split()
            if state["verdict"] == "ok" and said[1:2] == [tile]:
                return n
        return 0

    def _next(self, slot, at, width):
        """No place for a next tile: the film shows what was laid."""
        return ""

    def svg(self):
        """Return the film as the text of an SVG file."""
        captions = [
            self._during([(n, n + 1)], "".join(_caption(sentence)))
            for n, (_, _, sentence) in enumerate(self.moments)
        ]
        return "\n".join(
            (
                '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" '
                'viewBox="0 0 %d %d" font-family="Inter, DejaVu Sans, Verdana, sans-serif">'
                % (*SIZE, *SIZE),
                '<rect width="%d" height="%d" fill="%s"/>' % (*SIZE, PAPER),
                '<rect width="%d" height="%d" fill="%s"/>' % (*TABLE, FELT),
                *self.parts(),
                *captions,
                "</svg>\n",
            )
        )


def _caption(sentence):
    """A sentence below the table, in two lines at most."""
    lines = textwrap.wrap(sentence, LINE)[:2]
    top = TABLE[1] + 44 - 14 * (len(lines) - 1)
    return [
        text(SIZE[0] / 2, top + 28 * n, line, 23, "middle", INK) for n, line in enumerate(lines)
    ]
