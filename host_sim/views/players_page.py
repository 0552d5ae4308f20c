# SPDX-License-Identifier: MIT
"""The player's guide: one printed page a game, its lamps drawn from what the firmware shows."""

from host_sim.views import line_game_guide, table_picture
from host_sim.views.table_state import GAMES, REASONS, REASONS_OF_LINES
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
    ("the hub thinks that no tile is left", "hold E and press yours: a draw."),
    (
        "somebody forgot to knock",
        "press M before that player's next move: caught, where the rules have it.",
    ),
    (
        "you are out, the hub says no",
        "press your button twice at once: that was my last tile. While the hub counts more than "
        "one tile, it blinks red and needs a third press.",
    ),
    ("the round is over", "press E. Between rounds E ends the match."),
)
WHEN_ANYTHING = (
    (
        "a tap was wrong",
        "hold any button for a second: the last input is taken back. Again: further back.",
    ),
    (
        "your family has another rule",
        "hold the slot's button while tapping: the tile counts. The table is always right.",
    ),
    (
        "you want to know the points",
        "press M: each seat's total is counted out in light, tens, then ones.",
    ),
    (
        "you want to forget the match",
        "hold a button five seconds, let go, press it again. Even that can be taken back.",
    ),
    ("the power goes", "plug it in again: everything is as it was."),
    (
        "a slot blinks violet",
        "play on; the card <i>seat N</i> on another slot does what its button does.",
    ),
)
CARDS = (
    "<i>seat 3</i>: the button of seat 3. <i>undo</i>: a hold. <i>override</i>: the next tile "
    "counts whatever the rules say. <i>next</i>: E's button. <i>totals</i>: M's button. "
    "<i>scores</i>: tapped between rounds, it gets the totals as text, for any phone. "
    "<i>house %s</i>, <i>set %d</i>: choose the rules before the first round."
)

STYLE = """@page { size: A4; margin: 10mm 12mm }
body { font: 8.6pt/1.22 "DejaVu Sans", Verdana, sans-serif; color: #222; margin: 0 auto;
  max-width: 186mm }
h1 { font-size: 16pt; margin: 0 } h2 { font-size: 11.5pt; margin: 2mm 0 1mm }
table { border-collapse: collapse; width: 100% }
td { padding: .4mm 2mm; border-top: .2mm solid #bbb; vertical-align: top }
td:first-child { white-space: nowrap }
td.lamps { width: 24mm; background: #4a3b30; print-color-adjust: exact;
  -webkit-print-color-adjust: exact }
td.how { width: 38mm; color: #555 } svg { height: 4mm; display: block } p { margin: 1mm 0 }"""


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


def rows(tells=None):
    """Return a row for every letter but those that only call attention to what another tells.

    A double is shown at its first place where it is due, at its second where it comes later.
    tells: {(lamp, letter): what it tells instead}, None for a letter that is never lit.
    """
    found = []
    doubles = 0
    for (k, letters, _, _, at_rest), _, (how, what) in lamps.LETTERS:
        if at_rest not in ("", "."):
            continue
        letter = letters[doubles if k == lamps.DOUBLE else 0]
        doubles += k == lamps.DOUBLE
        told = (tells or {}).get((k, letter), what)
        if told:
            found.append(row(k, letter, how, told))
    return found


def page(house="puremco", set_=12):
    """Return the guide to Mexican Train as an HTML page."""
    return _page(
        "Roundhouse: how to play Mexican Train",
        _table(STEPS),
        rows(),
        WHEN_ANYTHING[:2] + WHEN + WHEN_ANYTHING[2:],
        REASONS,
        (house, set_),
    )


def line_game_page(game, house, set_, options, hands):
    """Return the guide to a line game as an HTML page.

    game: its name on the console; house: the words that choose it; set_: its highest number;
    options: {option: word}; hands: {set: (tiles for 2, 3, ... players)}.
    """
    rules = enumerate(line_game_guide.sentences(options, set_), 1)
    return _page(
        "Roundhouse: how to play " + GAMES.get(game, game),
        "%s<p>Tiles to take, with %s</p>\n<h2>At the hub</h2>\n%s"
        % (
            _table([("%d" % number, sentence) for number, sentence in rules]),
            line_game_guide.takes(hands),
            _table(line_game_guide.steps(options, set_)),
        ),
        rows(line_game_guide.tells(options)),
        (*WHEN_ANYTHING[:2], *line_game_guide.when(options), *WHEN_ANYTHING[2:]),
        REASONS_OF_LINES,
        (house, set_),
    )


def _table(pairs):
    cells = ["<tr><td><b>%s</b></td><td>%s</td></tr>" % pair for pair in pairs]
    return "\n".join(("<table>", *cells, "</table>"))


def _page(title, play, lamp_rows, when, reasons, rules):
    """Put a page together; rules: the house and the set for the cards."""
    why = "; ".join("<i>%s</i>: %s" % one for one in reasons.items() if one[0] != "fault")
    return "\n".join(
        (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
            "<title>Roundhouse: playing</title>\n<style>%s</style></head><body>" % STYLE,
            "<h1>%s</h1>" % title,
            "<p><b>Tap</b> a tile or card on a slot. <b>Press</b> a button. <b>Hold</b> it for a "
            "second. That is all there is.</p>",
            play,
            "<h2>What the lamps say (four at each slot, from the hub outwards)</h2>",
            "<table>",
            *lamp_rows,
            "</table>",
            "<h2>What to do when ...</h2>",
            _table(when),
            "<h2>Cards instead of buttons</h2>",
            "<p>%s</p>" % CARDS % rules,
            "<h2>Why a tap is refused</h2>",
            "<p>%s.</p>" % why,
            "</body></html>\n",
        )
    )
