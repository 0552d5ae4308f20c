# SPDX-License-Identifier: MIT
"""A round as a film: a single SVG that plays by itself in any program that shows pictures.

The film is the picture at the round's end; each tile, lamp and sentence in the picture is visible
only during its own shots.
"""

import textwrap
from collections.abc import Callable
from typing import Any, TypeVar

from host_sim.app.views.table_picture import LAMP, RING, WOODEN, TablePicture
from host_sim.app.views.tile_faces import text
from host_sim.table.console_line import ConsoleLine
from host_sim.table.model import Moment, TableModel

SIZE = (900, 640)  # of the whole film
TABLE = (900, 570)  # of the felt; the sentences are below it
FELT, PAPER, INK = "#1f4a43", "#fbf6ea", "#22262b"
LINE = 62  # letters of a sentence in a line
LAST_S = 2.5  # how long the last picture stays


Shot = tuple[Moment, dict[str, str], str]
Spans = list[tuple[int, int]]  # (first shot, the one after the last), oldest first
Value = TypeVar("Value")


class Film(TablePicture):
    """A film of a table, made of shots.

    table: the table after the last shot
    shots: [(moment, lamps as returned by TableModel.lamps, sentence), ...], oldest first
    names: {seat text: name}
    seconds: the seconds for each shot
    """

    def __init__(
        self, table: TableModel, shots: list[Shot], names: dict[str, str], seconds: float
    ) -> None:
        super().__init__(table, names, room=TABLE)
        self.shots = shots
        self.starts: list[float] = [n * seconds for n in range(len(shots))]
        self.length = self.starts[-1] + LAST_S
        self.signs = True

    # ---- time ----

    def _during(self, spans: Spans, drawing: str) -> str:
        """Return an SVG drawing that is visible only during the given spans of shots."""
        if spans == [(0, len(self.shots))]:
            return drawing
        times, values = [0.0], ["hidden"]
        for first, end in spans:
            for at, value in ((first, "visible"), (end, "hidden")):
                if at >= len(self.shots):
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

    def _spans(self, value: Callable[[ConsoleLine, dict[str, str]], Value]) -> dict[Value, Spans]:
        """Return {result: spans of the shots for which `value` returns this result}."""
        found: dict[Value, Spans] = {}
        for n, (moment, lamps, _) in enumerate(self.shots):
            spans = found.setdefault(value(moment.line, lamps), [])
            if spans and spans[-1][1] == n:
                spans[-1] = (spans[-1][0], n + 1)
            else:
                spans.append((n, n + 1))
        return found

    # ---- what changes ----

    def _plate(self, slot: str, degrees: float, now: bool) -> str:
        """Return a slot's plate as SVG, with a rim during its player's turn."""
        spread = self.half - 0.45
        rim = self._arc((WOODEN + RING) * self.base, degrees - spread, degrees + spread)
        turn = '<path d="%s" fill="none" stroke="#fff6dc" stroke-width="%.1f"/>' % (
            *(rim, 0.012 * self.base),
        )
        spans = self._spans(lambda state, lamps: str(state["turn"]) == slot).get(True, [])
        return super()._plate(slot, degrees, False) + (self._during(spans, turn) if spans else "")

    def _on_plate(self, slot: str) -> tuple[str, str]:
        """Return (name, "") for a slot's plate. The count of tiles is left out, because it changes
        too often to be read."""
        return super()._on_plate(slot)[0], ""

    def _lamp(self, slot: str, k: int, x: float, y: float) -> str:
        """Return lamp k, 0..3, of a slot as SVG, centred at (x, y)."""
        size = LAMP * self.base
        self.lamps = {slot: "...."}
        out = [super()._lamp(slot, k, x, y)]
        for letter, spans in self._spans(lambda state, lamps: lamps[slot][k]).items():
            if letter != ".":
                out.append(self._during(spans, self._lit(k, letter, x, y, size)))
        return "".join(out)

    def _tile(self, words: str, pair: Any, at: Any, turn: float, width: float, new: bool) -> str:
        """Return a tile as SVG, visible from when it is laid."""
        laid = self._laid_at(words)
        drawn = super()._tile(words, pair, at, turn, width, False)
        return self._during([(laid, len(self.shots))], drawn) if laid else drawn

    def _laid_at(self, tile: str) -> int:
        for n, (moment, _, _) in enumerate(self.shots):
            if moment.line["verdict"] == "ok" and moment.gesture.tile == tile:
                return n
        return 0

    def _next(self, slot: str, at: Any, width: float) -> str:
        """Return "", because a film does not show where the next tile may be laid."""
        return ""

    def svg(self) -> str:
        captions = [
            self._during([(n, n + 1)], "".join(_caption(sentence)))
            for n, (_, _, sentence) in enumerate(self.shots)
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


def _caption(sentence: str) -> list[str]:
    """Return the caption as SVG: a sentence on at most two lines."""
    lines = textwrap.wrap(sentence, LINE)[:2]
    top = TABLE[1] + 44 - 14 * (len(lines) - 1)
    return [
        text(SIZE[0] / 2, top + 28 * n, line, 23, "middle", INK) for n, line in enumerate(lines)
    ]
