# SPDX-License-Identifier: MIT
"""The cards that do what buttons do: their tags' texts, and a sheet of them to print and cut."""

import htpy as h
from markupsafe import Markup

from host_sim.views.guide import CARDS
from roundhouse.games import houses

SEATS = range(1, 11)
SETS = (6, 9, 12, 15, 18)
STYLE = """@page { size: A4; margin: 10mm }
* { box-sizing: border-box; margin: 0 }
body { font: 11pt/1.3 "Segoe UI", "Helvetica Neue", Arial, "DejaVu Sans", sans-serif;
  color: #22262b; background: #fff; max-width: 190mm; margin: 0 auto }
header { padding: 4mm 0 6mm } h1 { font-size: 20pt; color: #1f5c50 }
main { display: grid; grid-template-columns: repeat(2, 85mm); gap: 4mm; justify-content: center }
section { width: 85mm; height: 54mm; border: .3mm dashed #8a928f; border-radius: 3mm; padding: 6mm;
  display: flex; flex-direction: column; justify-content: space-between; break-inside: avoid }
section b { font-size: 19pt; line-height: 1.1; color: #1f5c50 }
code { font: 10pt "DejaVu Sans Mono", monospace; color: #5a636c }"""


def rows(say):
    """Return [(the text of its tag, what the card does)] of all cards."""
    found = [("seat %d" % seat, say("cards_sheet.seat", number=seat)) for seat in SEATS]
    found += [(text, say("cards." + key)) for text, key in CARDS if key != "seat"]
    found += [("house " + name, say.title(name)) for name in houses.HOUSES]
    return found + [("set %d" % one, say("cards_sheet.set", number=one)) for one in SETS]


def texts():
    """Return the texts of the cards that choose a house."""
    return ["house " + name for name in houses.HOUSES]


def page(say):
    """Return the sheet as an HTML page, to be printed."""
    return str(
        h.html(lang=say.language)[
            h.head[
                h.meta(charset="utf-8"),
                h.title[say("cards_sheet.title")],
                h.style[Markup(STYLE)],
            ],
            h.body[
                h.header[h.h1[say("cards_sheet.title")], h.p[say("cards_sheet.how")]],
                h.main[
                    [
                        h.section[
                            h.b[text],
                            h.span[what],
                            h.code[say("cards_sheet.tag", text=text)],
                        ]
                        for text, what in rows(say)
                    ]
                ],
            ],
        ]
    )
