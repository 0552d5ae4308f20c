# SPDX-License-Identifier: MIT
"""The player's guide: one printed page, its lamps drawn from what the firmware shows."""

from host_sim.views import table_picture
from host_sim.views.table_state import REASONS
from roundhouse import lamps

STEPS = (
    ("Join", "press the button of your station; press again to leave."),
    ("Begin", "tap the engine, the double in the middle, on E, or on the station of who starts."),
    ("Your turn", "tap the tile on the train it joins, then lay it: your own, M, or an open one."),
    ("Nothing fits", "press once: you drew a tile. Still nothing: press again, you pass."),
    ("One tile left", "press after laying the last but one: your knock."),
    ("The end", "tap your left-over tiles on your own station, then press: done."),
)
WHEN = (
    (
        "a tap was wrong",
        "hold any button for a second: the last input is taken back. Again: further back.",
    ),
    (
        "your family plays otherwise",
        "hold the slot's button while tapping: the tile counts. The table is always right.",
    ),
    ("the hub's boneyard is empty, yours is not", "hold E's button and press yours: a draw."),
    ("somebody forgot to knock", "press your own button: caught, where the rules have it."),
    ("the round is over", "press E. Between rounds E ends the match."),
    (
        "the match shall be forgotten",
        "hold a button five seconds, let go, press it again. Even that can be taken back.",
    ),
    ("the power goes", "plug it in again: everything is as it was."),
    (
        "a slot blinks violet",
        "play on; the card `seat N` on another slot does what its button does.",
    ),
)

STYLE = """@page { size: A4; margin: 12mm }
body { font: 10pt/1.3 "DejaVu Sans", Verdana, sans-serif; color: #222; margin: 0 auto;
  max-width: 186mm }
h1 { font-size: 17pt; margin: 0 } h2 { font-size: 12pt; margin: 3mm 0 1mm }
table { border-collapse: collapse; width: 100% }
td { padding: .5mm 2mm; border-top: .2mm solid #bbb; vertical-align: top }
td.lamps { width: 24mm; background: #4a3b30; print-color-adjust: exact;
  -webkit-print-color-adjust: exact }
td.how { width: 38mm; color: #555 } svg { height: 5mm; display: block } p { margin: 1mm 0 }"""


def row(k, letter, how, what):
    """A slot's four lamps of which one is lit, how it moves, what it tells."""
    four = "".join(
        table_picture.lamp(16 + 28 * n, 15, n, letter if n == k else ".") for n in range(4)
    )
    image = '<svg viewBox="0 0 116 30" xmlns="http://www.w3.org/2000/svg">%s</svg>' % four
    return '<tr><td class="lamps">%s</td><td class="how">%s</td><td>%s</td></tr>' % (
        image,
        how,
        what,
    )


def rows():
    """Return a row for every letter but those that only call attention to what another tells.

    A double is shown at its first place where it is due, at its second where it comes later.
    """
    found = []
    doubles = 0
    for (k, letters, _, _, at_rest), _, told in lamps.LETTERS:
        if at_rest:
            continue
        found.append(row(k, letters[doubles if k == lamps.DOUBLE else 0], *told))
        doubles += k == lamps.DOUBLE
    return found


def page():
    """Return the guide as an HTML page."""
    steps = ["<tr><td><b>%s</b></td><td>%s</td></tr>" % step for step in STEPS]
    when = ["<tr><td><b>%s</b></td><td>%s</td></tr>" % what for what in WHEN]
    reasons = "; ".join(
        "<i>%s</i>: %s" % (word, text) for word, text in REASONS.items() if word != "fault"
    )
    return "\n".join(
        (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
            "<title>Roundhouse: playing</title>\n<style>%s</style></head><body>" % STYLE,
            "<h1>Roundhouse: how to play</h1>",
            "<p><b>Tap</b> a tile or card on a slot. <b>Press</b> a button. <b>Hold</b> it for a "
            "second. That is all there is.</p>",
            "<table>",
            *steps,
            "</table>",
            "<h2>What the lamps say (four at each slot, from the hub outwards)</h2>",
            "<table>",
            *rows(),
            "</table>",
            "<h2>What to do when ...</h2>",
            "<table>",
            *when,
            "</table>",
            "<h2>Why a tap is refused</h2>",
            "<p>%s.</p>" % reasons,
            "</body></html>\n",
        )
    )
