# SPDX-License-Identifier: MIT
"""The table as a file to save and share: a picture, with hands and points as text beside it.

The picture needs no style sheet, and lamps show glyphs instead of blinking.
"""

import textwrap

from host_sim.app.views.i18n import Translator
from host_sim.app.views.table_picture import SEAT_COLOURS, SQUARE, TablePicture, sides
from host_sim.app.views.tile_faces import text
from host_sim.table.model import TableModel

SIZE = (1400, 960)
TABLE = 980  # the width of the felt
PAPER, FELT, DEEP_FELT, INK, QUIET = "#fbf6ea", "#1f4a43", "#173a35", "#22262b", "#5c646c"
LEFT, RIGHT = TABLE + 36, SIZE[0] - 36
TOP, HIGHEST = 250, 46  # the head of the players' rows, and the most height of a row
LETTER = 0.56  # width of a letter of its height


def svg(
    table: TableModel,
    names: dict[str, str] | None = None,
    translator: Translator | None = None,
    last: str = "",
) -> str:
    """Return a picture of the table as the text of an SVG file.

    names: {seat text: name}, like {"3": "Zoe"}
    last: a sentence about the last input
    """
    translator = translator or Translator("en")
    picture = TablePicture(table, names, translator, room=(TABLE, SIZE[1]))
    picture.signs = True
    return "\n".join(
        (
            '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" '
            'viewBox="0 0 %d %d" font-family="Inter, DejaVu Sans, Verdana, sans-serif">'
            % (*SIZE, *SIZE),
            '<defs><radialGradient id="felt"><stop offset="0" stop-color="%s"/>'
            '<stop offset="1" stop-color="%s"/></radialGradient></defs>' % (FELT, DEEP_FELT),
            '<rect width="%d" height="%d" fill="%s"/>' % (*SIZE, PAPER),
            '<rect width="%d" height="%d" fill="url(#felt)"/>' % (TABLE, SIZE[1]),
            *picture.parts(),
            *_words(table, picture, translator, SIZE[1] - 40 - 32 * len(_broken(last, 22))),
            *_lines(last),
            "</svg>\n",
        )
    )


def _words(
    table: TableModel, picture: TablePicture, translator: Translator, bottom: int
) -> list[str]:
    """Return the text beside the picture as SVG, down to `bottom`."""
    state = picture.state
    out = [text(LEFT, 62, translator("games." + table.game), 34, "start", INK, "bold")]
    facts: list[str] = (
        [translator("picture.round", round=state["round"])] if state["round"] else []
    )
    if state["boneyard"] is not None:
        facts.append(translator("picture.boneyard", count=state["boneyard"]))
    facts += _broken(sides(table, translator), 21)
    out += [text(LEFT, 102 + 30 * n, words, 21, "start", QUIET) for n, words in enumerate(facts)]
    y = TOP
    for words, x in (
        (translator("picture.tiles"), RIGHT - 90),
        (translator("picture.points"), RIGHT),
    ):
        out.append(text(x, y, words, 18, "end", QUIET))
    high = min(HIGHEST, (bottom - TOP) // max(1, len(state["hands"])))
    for seat, count in state["hands"].items():
        y += high
        now = "bold" if str(state["turn"]) == seat else "normal"
        name = _seat(picture, translator, seat)
        if now == "bold":
            out.append(
                '<rect x="%d" y="%d" width="%d" height="%d" rx="10" fill="#f3e0b8"/>'
                % (LEFT - 12, y - 7 - (high - 4) // 2, RIGHT - LEFT + 24, high - 4)
            )
        out.append(_dot(seat, LEFT + 9, y - 7))
        out.append(text(LEFT + 30, y, name, 23, "start", INK, now))
        out.append(text(RIGHT - 90, y, "" if count is None else count, 23, "end", INK))
        out.append(text(RIGHT, y, state["scores"].get(seat, ""), 23, "end", INK, "bold"))
    return out


def _dot(seat: str, x: int, y: int) -> str:
    """Return the mark in a seat's colour, centred at (x, y)."""
    fill = SEAT_COLOURS[seat]
    if seat in SQUARE:
        return '<rect x="%d" y="%d" width="16" height="16" fill="%s"/>' % (x - 8, y - 8, fill)
    return '<circle cx="%d" cy="%d" r="9" fill="%s"/>' % (x, y, fill)


def _seat(picture: TablePicture, translator: Translator, seat: str) -> str:
    name = picture.name(seat)
    return name if name != seat else translator("picture.station", slot=seat)


def _lines(sentence: str) -> list[str]:
    """Return a sentence as lines of SVG text for the corner of the picture."""
    lines = _broken(sentence, 22)
    top = SIZE[1] - 40 - 32 * (len(lines) - 1)
    return [text(LEFT, top + 32 * n, line, 22, "start", INK) for n, line in enumerate(lines)]


def _broken(sentence: str, size: int) -> list[str]:
    """Return a sentence as lines short enough for the corner of the picture."""
    return textwrap.wrap(sentence, int((RIGHT - LEFT) / size / LETTER))
