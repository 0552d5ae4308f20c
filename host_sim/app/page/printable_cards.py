# SPDX-License-Identifier: MIT
"""The cards that replace buttons: the texts on their tags, and a sheet to print and cut out."""

import htpy as h
from markupsafe import Markup

from host_sim.app.handouts.guide import CARDS
from host_sim.app.views.i18n import Translator
from roundhouse.constants import SEATS
from roundhouse.games import houses

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


def cards(translate: Translator) -> list[tuple[str, str]]:
    """Return [(the card's text on its tag, what the card does), ...] for all cards."""
    return [
        *(("seat %d" % seat, translate("cards_sheet.seat", number=seat)) for seat in SEATS),
        *((text, translate("cards." + key)) for text, key in CARDS if key != "seat"),
        *(("house " + name, translate.title(name)) for name in houses.HOUSES),
        *(("set %d" % set_, translate("cards_sheet.set", number=set_)) for set_ in SETS),
    ]


def house_texts() -> list[str]:
    """Return the texts of all cards that choose a house."""
    return ["house " + name for name in houses.HOUSES]


def html(translate: Translator) -> str:
    sections = [
        h.section[h.b[text], h.span[effect], h.code[translate("cards_sheet.tag", text=text)]]
        for text, effect in cards(translate)
    ]
    title = translate("cards_sheet.title")
    return str(
        h.html(lang=translate.language)[
            h.head[h.meta(charset="utf-8"), h.title[title], h.style[Markup(STYLE)]],
            h.body[
                h.header[h.h1[title], h.p[translate("cards_sheet.how")]],
                h.main[sections],
            ],
        ]
    )
