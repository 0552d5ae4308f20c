# SPDX-License-Identifier: MIT
"""The player's guide to a house: two A4 pages to print."""

from collections.abc import Iterable
from types import ModuleType
from typing import NamedTuple

from host_sim.app.handouts import guide_pictures
from host_sim.app.views import house_words
from host_sim.app.views.i18n import Translator
from host_sim.app.views.table_names import capitalized
from host_sim.table.games import are_trains, part
from roundhouse import lamp_letters
from roundhouse.constants import MOST_SEATS


class House(NamedTuple):
    """A house, as the guide needs it.

    words: the house as typed on the console, like "jassshop no-lock"
    set: the highest number on the tiles
    options: {option: value}
    hands: the counts of tiles that each of 2, 3, ... players gets; None if the hub does not know
        them
    changes: [(option, value, variant with the same effect or ""), ...], the differences from the
        base
    most: the largest number of players
    fast: (highest number on the tiles, most players) of the house's fast game, or None
    """

    game: str
    words: str
    sheet: str
    set: int
    options: dict[str, str]
    hands: list[int] | None
    changes: list[tuple[str, str, str]]
    most: int
    fast: tuple[int, int] | None


# Lamps in sentences: {name in the sentence: (lamp, letter)}. {open} is its picture with how it
# moves, {open_alone} only the picture, {open_moves} and {open_tells} only the words.
NAMED = {
    "joined": (lamp_letters.TURN, "j"),
    "invites": (lamp_letters.TURN, "e"),
    "lacks": (lamp_letters.TURN, "l"),
    "turn": (lamp_letters.TURN, "t"),
    "drawn": (lamp_letters.TURN, "d"),
    "counts": (lamp_letters.TURN, "c"),
    "fined": (lamp_letters.TURN, "f"),
    "deals": (lamp_letters.OPEN, "n"),
    "open": (lamp_letters.OPEN, "o"),
    "fits": (lamp_letters.OPEN, "O"),
    "green": (lamp_letters.ANSWER, "g"),
    "red": (lamp_letters.ANSWER, "r"),
    "runs": (lamp_letters.ANSWER, "b"),
    "let_go": (lamp_letters.ANSWER, "u"),
    "hint": (lamp_letters.ANSWER, "h"),
    "fault": (lamp_letters.ANSWER, "v"),
    "progress": (lamp_letters.ANSWER, "k"),
}
MANY_HANDS = 9  # more columns of the table of hands have no room for large numbers
AT_FIRST = (("wrong", "wrong_do"), ("moved", "moved_do"))
AT_LAST = (
    ("total", "total_do"),
    ("forget", "forget_do"),
    ("faulty", "faulty_do"),
    ("power", "power_do"),
)
CARDS = (
    *(("seat 3", "seat"), ("next", "next"), ("totals", "totals"), ("undo", "undo")),
    *(("override", "override"), ("quiet", "quiet"), ("scores", "scores")),
)

STYLE = """@page { size: A4; margin: 0 }
* { box-sizing: border-box; margin: 0; padding: 0 }
:root { --accent: #1f5c50; --pale: #edf3f0; --ink: #22262b; --line: #c9d6d1 }
html { background: #fff; color: var(--ink); -webkit-print-color-adjust: exact;
  print-color-adjust: exact;
  font: 10pt/1.25 "Segoe UI", "Helvetica Neue", Arial, "DejaVu Sans Condensed", sans-serif }
.side { width: 210mm; min-height: 296.5mm; margin: 0 auto; padding: 7mm 11mm 6mm; display: flex;
  flex-direction: column; justify-content: space-between; gap: 2mm; break-after: page }
.side:last-of-type { break-after: auto }
header { border-bottom: 1mm solid var(--accent); padding-bottom: 1.5mm; display: flex;
  align-items: end; justify-content: space-between }
h1 { font-size: 25pt; line-height: 1; letter-spacing: -.02em; color: var(--accent) }
header p, header b { text-align: right; line-height: 1.15 } header h2 { margin: 0 }
header h1, header h2 { white-space: nowrap; margin-right: 8mm }
h2 { font-size: 14pt; line-height: 1.15; color: var(--accent); margin-bottom: 1mm }
ol { list-style: none; counter-reset: n }
ol li { counter-increment: n; position: relative; padding-left: 5mm; margin-bottom: 1mm }
ol li::before { content: counter(n); position: absolute; left: 0; font-weight: bold;
  color: var(--accent) }
.two { display: grid; grid-template-columns: 1fr 1fr; column-gap: 7mm }
.game { grid-template-columns: 88mm 1fr; align-items: center } .game li { margin-bottom: 1.3mm }
.hub { width: 88mm; display: block }
.answers { display: grid; grid-template-columns: 1fr 1fr; gap: 3mm }
.answers section { background: var(--pale); border-radius: 2.5mm; padding: 2.5mm 3.5mm 1.5mm }
.answers h2 { font-size: 16pt }
.chip { height: 3.1mm; vertical-align: -.35mm; margin-right: .8mm }
.lamp { white-space: nowrap } .lamp svg:last-child { margin: 0 }
table { border-collapse: collapse }
.takes { margin-bottom: 1mm; font-variant-numeric: tabular-nums }
.takes td { text-align: center; width: 7.6mm } .takes th { text-align: left; font-weight: normal;
  padding-right: 2mm } .takes .own td { font-weight: bold; font-size: 14pt; color: var(--accent);
  line-height: 1.1 } .many td { width: 5.5mm } .many .own td { font-size: 10.5pt }
.takes tr:first-child > * { border-bottom: .25mm solid var(--line) }
.lamps { margin-top: 2.5mm; display: grid; grid-template-columns: 1fr 1fr; gap: 2mm 7mm }
.lamps div { display: flex; gap: 3mm; align-items: center } .slot { width: 31mm; flex: none }
.lamps b, .cases b { color: var(--accent) }
.story { background: var(--pale); border-radius: 2.5mm; padding: 2.5mm 3.5mm 2mm }
.steps { display: grid; grid-template-columns: 1fr 1fr 1fr; gap: 4mm; margin-top: 1.5mm }
.steps svg { width: 100%; display: block; margin-bottom: 1mm }
.cases { columns: 2; column-gap: 7mm } .cases p { break-inside: avoid; margin-bottom: 1.2mm }
.cards td { padding: 0; vertical-align: baseline } .cards td + td { padding-left: 3mm }
.cards td:not([colspan]):first-child { font-weight: bold; white-space: nowrap }
ul { list-style: none } ul li { padding-left: 4mm; position: relative; margin-bottom: .5mm }
ul li::before { content: ""; position: absolute; left: 0; top: .45em; width: 1.6mm;
  height: 1.6mm; border-radius: 50%; background: var(--accent) }
.dense { line-height: 1.16; gap: 1mm; padding: 6mm 10mm 5mm } .dense li { margin-bottom: .4mm }
.dense h2 { margin-bottom: .4mm } .dense .answers section { padding: 1.5mm 3mm 1mm }
.dense .answers { gap: 2mm } .dense .cases p { margin-bottom: .6mm }
@media screen { html { background: #d8dedb } .side { background: #fff; margin: 6mm auto } }"""


def page(house: House, language: str = "en") -> str:
    """Return the guide to a house as an HTML page. Raises ValueError for an unknown language."""
    return "\n".join(
        (
            '<!DOCTYPE html>\n<html lang="%s"><head><meta charset="utf-8">' % language,
            "<title>Roundhouse: %s</title>" % house.words,
            "<style>%s</style></head><body>" % STYLE,
            *sides(language, house),
            "</body></html>\n",
        )
    )


def sides(language: str, house: House) -> tuple[str, str]:
    """Return the guide's front and back page as HTML."""
    say = _translator(language, house)
    game = game_of(house)
    return _front(say, house, game), _back(say, house, game)


def parts(language: str, house: House) -> tuple[str, str]:
    """Return the guide as (front page, back page) for another HTML page. The part about the lamps
    is left out."""
    say = _translator(language, house)
    game = game_of(house)
    front = _front(say, house, game).replace("<h1>", "<h2>").replace("</h1>", "</h2>")
    return front, _help(say, house, game)


def _translator(language: str, house: House) -> Translator:
    """Return a Translator whose sentences show lamps."""
    say = Translator(language, house.sheet)
    for name, (k, letter) in NAMED.items():
        moves, tells = say.lamp(guide_pictures.row(k, letter))
        picture = guide_pictures.chip(k, letter)
        say.always[name] = _named_lamp(picture, moves)
        say.always[name + "_alone"] = '<span class="lamp">(%s)</span>' % picture
        say.always[name + "_moves"] = moves
        say.always[name + "_tells"] = tells
    return say


def game_of(house: House) -> ModuleType:
    """Return the module with the guide's texts about a house's game."""
    return part(house.game, "guide")


def _named_lamp(picture: str, moves: str) -> str:
    """Return a lamp as HTML that can stand within a sentence.

    moves: how it blinks, in words
    """
    first, *others = moves.split(" ")
    return '<span class="lamp">(%s<i>%s</i></span>%s)' % (
        picture,
        first,
        " <i>%s</i>" % " ".join(others) if others else "",
    )


def _density(house: House, is_long: bool) -> str:
    """Return the CSS class for tight lines if the texts are long or there are many variants;
    otherwise ""."""
    return " dense" if is_long or len(house.words.split()) > 3 else ""


# ---- the front: the game, the four answers, tiles, points ----


def _front(say: Translator, house: House, game: ModuleType) -> str:
    hands = [2 + n for n, tiles in enumerate(house.hands or [1]) if tiles]
    made_for = say("guide.made_for", least=min(hands), most=house.most, set=house.set)
    trains = are_trains(house.game)
    answers = [
        "<section><h2>%s</h2><ol>%s</ol></section>"
        % (say("guide." + name), _items(getattr(game, name)(say, house)))
        for name in ("first", "turn", "nothing", "end")
    ]
    own = [*_differences(say, house), *game.rules(say, house)]
    return "\n".join(
        (
            '<div class="side front%s">' % _density(house, len(" ".join(own)) > 360),
            "<header><h1>%s</h1><p>%s<br><b>%s</b></p></header>"
            % (say("games." + house.game), made_for, _sheet(say, house)),
            '<div class="two game">%s'
            % guide_pictures.hub(_labels(say, trains), game.tiles(house), trains),
            "<div><h2>%s</h2><ol>%s</ol></div></div>"
            % (say("guide.rules"), _items(game.sentences(say, house))),
            '<div class="answers">%s</div>' % "\n".join(answers),
            '<div class="two"><div><h2>%s</h2>%s</div>' % (say("guide.takes"), _takes(say, house)),
            "<div><h2>%s</h2><p>%s</p></div></div>"
            % (say("guide.points"), " ".join(game.points(say, house))),
            "<div><h2>%s</h2><p>%s</p></div>" % (say("guide.house"), " ".join(own)) if own else "",
            "</div>",
        )
    )


def _sheet(say: Translator, house: House) -> str:
    """Return by which sheet the game is played: `By the Puremco sheet`, or the name of a table's
    own sheet. What its variants change is told by sentences."""
    key = "houses.%s.sheet" % house.words.split()[0]
    return capitalized(say(key)) if say.has(key) else say("guide.words", words=house.words)


def _differences(say: Translator, house: House) -> list[str]:
    """Return a list with one sentence about how an own house differs from its base; [] for any
    other house."""
    if not house.changes:
        return []
    start = say("own_sheet.changes", sheet=say("houses.%s.sheet" % house.sheet))
    clauses = house_words.clauses(say, house.changes)
    return ["%s %s." % (start, house_words.joined(say, clauses))]


def _items(sentences: Iterable[str]) -> str:
    return "".join("<li>%s</li>" % one for one in sentences)


def _labels(say: Translator, trains: bool) -> dict[str, tuple[str, str]]:
    kind = "trains" if trains else "lines"
    found: dict[str, tuple[str, str]] = {
        thing: (say("hub." + thing), say("hub.%s_for" % thing))
        for thing in ("lamps", "station", "button")
    }
    for slot in "ME":
        found[slot] = (slot, say("hub.%s_for_%s" % (slot, kind)))
    return found


def _takes(say: Translator, house: House) -> str:
    """Return an HTML table that shows how many tiles each player takes."""
    if house.hands is None:
        return "<p>%s</p>" % say("guide.as_you_like")
    hands = [(2 + n, size) for n, size in enumerate(house.hands) if size]
    players = "".join("<td>%d</td>" % count for count, _ in hands)
    tiles = "".join("<td>%d</td>" % size for _, size in hands)
    others = "other_sets" if house.options.get("deal", "sheet") == "sheet" else "every_set"
    return (
        '<table class="takes%s"><tr><th>%s</th>%s</tr><tr class="own"><th>%s</th>%s</tr></table>'
        "<p>%s</p>"
        % (
            *(" many" if len(hands) > MANY_HANDS else "", say("guide.players"), players),
            *(say("guide.tiles"), tiles, say("guide." + others)),
        )
    )


# ---- the back: lamps, what to do when, cards, trust ----


def _back(say: Translator, house: House, game: ModuleType) -> str:
    return "\n".join(
        (
            '<div class="side back%s">' % _density(house, len(_cases(house, game)) > 11),
            "<header><h2>%s</h2><b>%s</b></header>"
            % (say("games." + house.game), _sheet(say, house)),
            _lamps(say, game.lit(house.options), not are_trains(house.game)),
            _help(say, house, game),
            "</div>",
        )
    )


def _cases(house: House, game: ModuleType) -> list[tuple[str, str]]:
    """Return pairs (key of the sentence about what may happen, key of the sentence about what to
    do then)."""
    too_few = house.options.get("deal", "sheet") != "sheet" and house.most < MOST_SEATS
    lacks = [("lacks", "lacks_do")] if too_few else []
    return [*AT_FIRST, *game.when(house.options), *lacks, *AT_LAST]


def _help(say: Translator, house: House, game: ModuleType) -> str:
    return "\n".join(
        (
            _forgotten(say, house),
            '<div><h2>%s</h2><div class="cases">%s</div></div>'
            % (say("guide.when"), "".join(_case(say, *one) for one in _cases(house, game))),
            '<div class="two"><div><h2>%s</h2><table class="cards">%s</table></div>'
            % (say("guide.cards"), _cards(say, house)),
            "<div><h2>%s</h2><p>%s</p><ul>%s</ul></div></div>"
            % (
                say("guide.trust"),
                say("trust.about"),
                _items(say("trust." + key) for key in game.trust(house.options)),
            ),
        )
    )


def _lamps(say: Translator, lit: list[tuple[int, str]], lines: bool) -> str:
    about = [say("guide.four")]
    if NAMED["hint"] not in lit:
        about.append(say("guide.at_rest"))
    cells = "".join(_lamp(say, *one, lines) for one in lit)
    return '<div><h2>%s</h2><p>%s</p><div class="lamps">%s</div></div>' % (
        say("guide.lamps"),
        " ".join(about),
        cells,
    )


def _lamp(say: Translator, k: int, letter: str, lines: bool) -> str:
    moves, tells = say.lamp(guide_pictures.row(k, letter), lines)
    picture = guide_pictures.slot(k, letter)
    return "<div>%s<p><b>%s</b><br>%s</p></div>" % (picture, moves, tells)


def _forgotten(say: Translator, house: House) -> str:
    steps = zip(("back", "his", "hers"), guide_pictures.forgotten(house.set))
    return '<div class="story"><h2>%s</h2><p>%s</p><div class="steps">%s</div></div>' % (
        say("forgotten.title"),
        say("forgotten.story"),
        "".join("<div>%s<p>%s</p></div>" % (svg, say("forgotten." + key)) for key, svg in steps),
    )


def _case(say: Translator, case: str, help_: str) -> str:
    values = {"card": "<b>seat 3</b>"}
    return "<p><b>… %s</b> %s</p>" % (say("when." + case), say("when." + help_, **values))


def _cards(say: Translator, house: House) -> str:
    rows = [(card, say("cards." + key)) for card, key in CARDS]
    out = ["<tr><td>%s</td><td>%s</td></tr>" % one for one in rows]
    cards = "<b>house %s</b>, <b>set %d</b>" % (house.words, house.set)
    chosen = say("cards.house", cards=cards)
    return "".join([*out, '<tr><td colspan="2">%s</td></tr>' % chosen])
