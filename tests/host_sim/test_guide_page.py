# SPDX-License-Identifier: MIT
"""The player's guide has two sides of A4 for every game and language."""

import itertools
import json
import re
import warnings
from pathlib import Path

import pytest
from guide_pages import GAMES, LINE_GAMES, TRAIN_GAMES, text, with_variants
from page_browsers import CHROMIUM

from host_sim.__main__ import main
from host_sim.app.handouts import guide as guide_page
from host_sim.app.handouts import guide_pictures, house_guide
from host_sim.app.views.i18n import LANGUAGES, Translator
from host_sim.app.views.lamp_css import lamps_of
from host_sim.table.games.line_games import guide as line_game_guide
from host_sim.table.games.mexican_train import guide as mexican_train_guide
from roundhouse import lamp_letters
from roundhouse.games import houses

HARDWARE = Path(__file__).resolve().parents[2] / "hardware"
ANSWERS = ("first", "turn", "nothing", "end")


@pytest.fixture(autouse=True)
def _sheets_alone():
    yield
    houses.set_family({})


# ---- what a page says ----


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_in_the_repository_are_those_that_are_made(language):
    suffix = "" if language == "en" else "." + language
    made = house_guide.page("puremco", language=language)
    page = HARDWARE / ("players%s.html" % suffix)
    assert page.read_text(encoding="utf-8") == made, "make made"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("house", GAMES)
def test_the_front_has_what_to_do(house, language):
    front = house_guide.page(house, language=language).partition('class="side back')[0]
    say = Translator(language, house)
    for answer in ANSWERS:
        assert "<h2>%s</h2>" % say("guide." + answer) in front
    sentences_, *answers = re.findall(r"<ol>(.*?)</ol>", front, re.DOTALL)
    assert sentences_.count("<li>") == 6 and len(answers) == 4
    for one in re.findall("<li>(.*?)</li>", sentences_):
        assert one.endswith(".") and not re.search(r"[.!?] ", text(one)), "one sentence: " + one
    hub = re.search(r'<svg class="hub".*?</svg>', front, re.DOTALL).group()
    assert hub.count("<polyline") == 5
    for thing in ("lamps", "station", "button"):
        assert ">%s</text>" % say("hub." + thing) in hub


def test_the_six_lamps_are_told_as_the_firmware_has_them(monkeypatch):
    for house in GAMES:
        known = house_guide.house(house)
        game = guide_page.game_of(known)
        back = house_guide.page(house).partition('class="side back')[2]
        lit = game.lit(known.options)
        assert len(lit) == len(set(lit)) == 6
        assert back.count('<svg class="slot"') == 6
        for k, letter in lit:
            lines = guide_page.game_of(known) is not mexican_train_guide
            moves, tells = Translator("en").lamp(guide_pictures.row(k, letter), lines)
            moves, tells = moves.replace("\u2019", "'"), tells.replace("\u2019", "'")
            assert "<b>%s</b><br>%s</p>" % (moves, tells) in back.replace("\u2019", "'")
    before = house_guide.page("puremco")
    changed = [
        (row[0], row[1], ("glows", "go on") if row[0][1] == "t" else row[2])
        for row in lamp_letters.LETTERS
    ]
    monkeypatch.setattr(lamp_letters, "LETTERS", changed)
    assert house_guide.page("puremco") != before
    assert "<b>glows</b><br>go on" in house_guide.page("puremco")
    assert "<i>glows</i>" in house_guide.page("puremco"), "in the sentences too"


# Letters that no page shows: they call attention to what another tells, or say it themselves.
UNTOLD = {(lamp_letters.TURN, letter) for letter in "CWBTDE"}
UNTOLD |= {(lamp_letters.OPEN, "x"), (lamp_letters.DOUBLE, "N")}


def test_every_letter_is_told_or_known_to_be_untold():
    named = guide_page.NAMED.values()
    told = {
        (lamp, letter) for k, letter in named for lamp in lamps_of(guide_pictures.row(k, letter))
    }
    for house in GAMES:
        for words in [house, *with_variants(house)]:
            known = house_guide.house(words)
            lit = guide_page.game_of(known).lit(known.options)
            told.update((k, letter) for k, letter in lit)
    for (k, letters, _, _, _), _, _ in lamp_letters.LETTERS:
        assert ((k, letters[0]) in told) != ((k, letters[0]) in UNTOLD), (k, letters[0])


def test_a_curve_shows_the_rhythm():
    breath = guide_pictures.levels(lamp_letters.TURN, "t")
    assert max(breath) == 255 and min(breath) == 42
    flash = guide_pictures.levels(lamp_letters.ANSWER, "g")
    assert flash.count(255) == 12 and flash.count(0) == guide_pictures.WINDOW - 12
    pulses = guide_pictures.levels(lamp_letters.DOUBLE, "B")
    assert set(pulses) == {0, 24, 200}, "pulses, and a glow between two counts"


def test_tiles_to_take_are_the_firmwares():
    for house, set_, hands in (
        ("puremco", 12, (16, 15, 14, 12, 11, 10, 9)),
        ("original", 9, (15, 13, 10)),
        ("goliath", 12, (15, 15, 15, 11, 11, 8, 8, 8, 8)),
        ("puremco", 15, (16, 16, 16, 16, 16, 15, 13, 12, 10, 9, 9, 8, 7)),
        ("puremco", 18, (16,) * 8 + (15, 13, 12, 11, 10)),
        ("classic", 6, (5, 5, 5)),
        ("matador five-each", 9, (5,) * 7),
    ):
        page = house_guide.page(house, set_)
        assert "".join("<td>%d</td>" % tiles for tiles in hands) + "</tr></table>" in page
        assert "2 to %d players, double %d" % (len(hands) + 1, set_) in page


def test_puremco_can_be_played_from_its_page():
    said = text(house_guide.page("puremco"))
    for told in (
        "whoever has the fewest points after 13 rounds wins",
        "Everybody presses the button of their station (steady, dim).",
        "Put the 12-12 aside, mix the rest face down. Press E: it counts (flashes: tens long, "
        "ones short), so many tiles each player takes.",
        "Tap the 12-12 on E (quick rise, slow fall), lay it in the middle",
        "a station whose second lamp is lit (steady)",
        "Then a light runs round the rim (), from the seat this was booked on to the one whose",
        "Take one tile from the bone pile and press your button (breathes fast).",
        "Where the second lamp calls (flashes), it would.",
        "After 1 second its lamp is white (bright, with small dips): let go",
        "After 3 seconds letting go does nothing.",
        "press it again within five seconds",
        "elsewhere it is refused (two blinks), and the place where it counts flashes once more",
        "three gestures put it right",
        "You press before you tap a tile you drew.",
        "scores tapped between two rounds, it gets the totals as text, for any phone",
        "quiet sound off, sound on",
        "house puremco, set 12",
    ):
        assert told in said, told


def test_classic_can_be_played_from_its_page():
    said = text(house_guide.page("classic"))
    for told in (
        "The highest double begins, in the middle of the table.",
        "so that equal numbers touch",
        "every double has four, and a new line begins at each",
        "you draw one tile after the other until one does; with none left you pass",
        "19 and 12 give 14 + 7 = 21. 100 points win the match.",
        "taps it on their own station (quick rise, slow fall) and lays it in the middle",
        "At an empty station it begins a new one at a double",
        "Nobody can play any more? Press E.",
        "The double that begins is the highest of all.",
        "house classic, set 12",
    ):
        assert told in said, told


@pytest.mark.parametrize("language", LANGUAGES)
def test_hands_may_lie_open_where_the_sheet_says_so(language):
    said = text(Translator(language)("trains_rule.open_hands"))
    told = {game for game in GAMES if said in text(house_guide.page(game, language=language))}
    assert told == {"original", "quebec"}


@pytest.mark.parametrize("game", LINE_GAMES)
def test_a_line_games_page_speaks_of_no_train_and_no_engine(game):
    said = text(house_guide.page(game)).lower()
    assert not re.findall(r"[^.;]*\b(?:trains?|engine|knock|caught)\b[^.;]*", said)


# ---- options and variants ----


def test_every_value_of_an_option_but_the_usual_one_is_told():
    told = {
        "rounds": "trains.goal_{}_penalty",
        "score": "points.{}",
        "lock": "trains.lock_{}",
        "second-tile": "trains.second_{}",
        "marker-off": "trains.pass_{}",
        "doubles": "lines.doubles_{}",
        "opening": "lines.opening_{}",
        "draw": "lines.draw_{}",
        "tie": "lines_rule.tie_{}",
    }
    numbers = {"total", "target", "hand", "blank", "engine", "enforce"}  # tested by the words
    numbers |= {"deal", "first-engine"}
    say = Translator("en")
    for house, section in (("puremco", "trains_rule"), ("classic", "lines_rule")):
        for option, _, values, _ in houses.options(houses.HOUSES.index(house)):
            key = told.get(option, section + "." + option + "_{}")
            values = [value for value in values if ".." not in value and value != "-"]
            untold = [value for value in values if not say.has(key.format(value))]
            assert len(untold) <= 1 or option in numbers, (option, untold)


@pytest.mark.parametrize(
    "house", ["puremco", "jassshop", "goliath", "classic", "matador", "tiddle-a-wink"]
)
def test_every_variant_word_changes_the_page(house):
    def played(words, set_):
        known = house_guide.house(words, set_)
        options = {**known.options, "hand": known.hands}
        if options.get("join") == "equal":
            del options["total"]  # halves that touch make none
        return options

    for words in with_variants(house):
        set_ = 12 if words == "matador ten" else None  # with the double nine it changes nothing
        same = played(words, set_) == played(house, set_)
        page = house_guide.page(words, set_).replace(words, house)
        assert (page == house_guide.page(house, set_)) == same, words


def test_a_tables_own_sheet_can_be_played_from_its_page():
    said = text(house_guide.page("puremco upward deal-15-15-12 rounds-6 first-9"))
    for told in (
        "whoever has the fewest points after 6 rounds wins",
        "Put the 9-9 aside, mix the rest face down.",
        "In later rounds it is the next player, with the next higher double.",
        "players 2 3 4 5 6 7 tiles each 15 15 12 12 12 12 It is the same with any other set.",
        "After 6 rounds the lowest total wins",
        "The first engine is 9-9. Each round's engine is the next higher double. After 12-12 comes"
        " 0-0.",
        "the round ended, and you still hold a tile Tap it on your station: the round goes on.",
    ):
        assert told.replace("'", "\u2019") in said, told
    said = text(house_guide.page("jassshop deal-15 rounds-1"))
    assert "there is one round, and whoever has the fewest points wins" in said
    assert "players 2 3 4 5 6 tiles each 15 15 15 15 15 " in said, "91 tiles are enough for six"
    assert "first engine is" not in said and "higher" not in said and "comes" not in said


def test_a_page_on_a_table_that_the_hub_does_not_count_at():
    said = text(house_guide.page("quebec deal-any penalty-always"))
    for told in (
        "Press E, and deal as you like.",
        "Deal as you like: the hub does not count along.",
        "counts none and ends no round by itself",
        "If the bone pile is empty, press twice.",
        "You deal and draw honestly.",
        "Press your button, and again after a second; after a double press E. The round is over.",
    ):
        assert told in said, told
    for counted in (
        "tiles each",
        "the round goes on",
        "forgets to knock",
        "Once the bone pile",
        "a draw.",
    ):
        assert counted not in said, counted


@pytest.mark.parametrize(
    "words, set_, numbers",
    [
        ("puremco", 6, [6, 5, 4, 3, 2, 1, 0]),
        ("puremco first-2", 12, [2, 1, 0]),
        ("puremco first-12", 9, list(range(9, -1, -1))),
        ("puremco upward", 6, [0, 1, 2, 3, 4, 5, 6]),
        ("puremco upward first-11", 12, [11, 12]),
        ("puremco first-1 rounds-3", 12, [1, 0, 12]),
        ("puremco upward first-5 rounds-3", 6, [5, 6, 0]),
    ],
)
def test_engines_round_by_round(words, set_, numbers):
    known = house_guide.house(words, set_)
    assert mexican_train_guide.engines(known) == numbers
    (engine, _), tapped, one, other = mexican_train_guide.tiles(known)
    assert engine == numbers[0] == tapped[0] == one[0][0] == other[0][0]
    shown = {tuple(sorted(tile)) for tile in (tapped, *one, *other)}
    assert len(shown) == 5 and not [tile for tile in shown if tile[0] == tile[1]]


@pytest.mark.parametrize(
    "total, set_, tiles",
    [
        ("set", 6, "6-1, 5-2, 4-3, 0-0"),
        ("set", 9, "9-1, 8-2, 7-3, 6-4, 5-5, 0-0"),
        ("set", 12, "12-1, 11-2, 10-3, 9-4, 8-5, 7-6, 0-0"),
        ("ten", 12, "9-1, 8-2, 7-3, 6-4, 5-5, 0-0"),
    ],
)
def test_the_matadors(total, set_, tiles):
    assert line_game_guide.matadors({"total": total}, set_) == tiles


@pytest.mark.parametrize("words", ["classic", "matador", "matador ten"])
@pytest.mark.parametrize("set_", [6, 9, 12, 18])
def test_tiles_in_a_line_games_picture_join(words, set_):
    known = house_guide.house(words, set_)
    total = line_game_guide.total(known.options, set_) if "matador" in words else None
    opening, tapped, *lines = line_game_guide.tiles(known)
    for tiles in ([tapped], *lines):
        halves = [opening[0], *(half for tile in tiles for half in tile)]
        for touching in zip(halves[::2], halves[1::2]):
            assert min(touching) >= 0 and max(touching) <= set_
            assert sum(touching) == total if total else touching[0] == touching[1]


# ---- the command ----


def test_a_page_is_about_the_game_in_config(tmp_path, monkeypatch):
    import config

    to = tmp_path / "players.html"
    assert main(["guide", "-o", str(to)]) == 0
    assert to.read_text(encoding="utf-8") == (HARDWARE / "players.html").read_text("utf-8")
    monkeypatch.setattr(config, "HOUSE", "matador")
    assert main(["guide", "-o", str(to)]) == 0
    page = to.read_text(encoding="utf-8")
    assert "<h1>Matador</h1>" in page and "touch make 10" in page and "<b>set 9</b>" in page
    monkeypatch.setattr(config, "SET", 12)
    assert main(["guide", "-o", str(to), "--language", "de"]) == 0
    page = to.read_text(encoding="utf-8")
    assert "13 ergeben" in page and "12-1, 11-2" in page and '<html lang="de">' in page
    monkeypatch.setattr(config, "FAMILY", {"club": ("draw", {"target": "150"})})
    assert main(["guide", "--house", "club", "--set", "6", "-o", str(to)]) == 0
    page = to.read_text(encoding="utf-8")
    assert "<h1>Draw dominoes</h1>" in page and "150 points win" in page and "double 6" in page


def test_a_page_about_no_game_or_in_no_language(tmp_path, capsys):
    to = tmp_path / "players.html"
    assert main(["guide", "--house", "bingo", "-o", str(to)]) == 2
    assert "no house bingo; there are original" in capsys.readouterr().err
    assert main(["guide", "--language", "none", "-o", str(to)]) == 2
    known = " ".join(LANGUAGES)
    assert "no language none; there are %s\n" % known in capsys.readouterr().err
    assert not to.exists()


# ---- printed ----

MEASURE = """(() => {
  const small = [], tall = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; node = walk.nextNode();) {
    if (!node.data.trim()) continue;
    let size = parseFloat(getComputedStyle(node.parentElement).fontSize);
    if (node.parentElement.ownerSVGElement) size *= node.parentElement.getScreenCTM().a;
    if (size < 10 * 96 / 72 - .01) small.push([node.data, size * .75]);
  }
  const wide = [], box = thing => thing.getBoundingClientRect();
  for (const svg of document.querySelectorAll('svg')) {
    const whole = box(svg), texts = [...svg.querySelectorAll('text')];
    for (const [n, text] of texts.entries()) {
      const a = box(text);
      const leaves = a.left < whole.left - 1 || a.right > whole.right + 1;
      const meets = texts.slice(n + 1).some(other => {
        const b = box(other);
        return a.left < b.right && b.left < a.right &&
          a.top < b.bottom - 4 && b.top < a.bottom - 4;
      });
      if (leaves || meets) wide.push(text.textContent);
    }
  }
  for (const cell of document.querySelectorAll('.takes td + td')) {
    const [before, own] = [cell.previousElementSibling, cell].map(one => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return box(range);
    });
    if (own.left - before.right < 2.5) wide.push(cell.parentElement.textContent);
  }
  const sides = [...document.querySelectorAll('.side')].map(side => {
    const room = side.getBoundingClientRect().height, style = getComputedStyle(side);
    let used = parseFloat(style.paddingTop) + parseFloat(style.paddingBottom);
    for (const child of side.children) used += child.getBoundingClientRect().height;
    used += parseFloat(style.rowGap) * (side.children.length - 1);
    return [side.dataset.of, room * 25.4 / 96, used * 25.4 / 96];
  });
  return JSON.stringify([small, wide, sides]);
})()"""

# Keeps the sides of some guides alone: of those that fit by their measures, a few are printed.
KEEP = """(guides) => {
  for (const side of document.querySelectorAll(".side"))
    if (!guides.includes(side.dataset.of)) side.remove();
}"""

# Variants that make a page longer: more of them than a family will have at once. And a table's own
# deal, rounds and engines, for all trains and for those whose engine is not any double.
OWN = (" deal-any rounds-19", " deal-18-17-16-15-14-13-12-11-10-9-8-7-6 rounds-19")
MANY = (
    " plus-points whole-first-train last-double-lap free-after-any-play penalty-always blank-50"
    " no-marker-when-locked lift",
    " first-double five-each tie-shared blank-25 to-150",
)


# As much as one table will change, said by options: the house's name alone tells nothing of it.
CLUB = {
    "first-turn": "own",
    "not-begun": "own",
    "marker-opening": "no",
    "last-double": "lap",
    "last-two": "yes",
    "penalty": "caught",
    "deal": "16 15 14",
    "rounds": "6",
    "first-engine": "9",
    "engines": "up",
    "blank": "25",
    "lift": "yes",
}


def test_it_says_in_one_line_how_a_familys_house_differs_from_its_base():
    changes = {"deal": "15 14", "rounds": "6", "lift": "yes"}
    houses.set_family({"club": ("puremco", changes), "twin": ("puremco", {})})
    told = (
        "At this table You play by the Puremco sheet, but: the match has 6 rounds; a double"
        " that nobody can close any more stops nobody; tiles each by number of players: 15 for 2,"
        " 14 for more. You may lay two doubles in one turn"
    )
    assert told in text(house_guide.page("club"))
    assert "mais : la partie compte 6 manches ; " in text(house_guide.page("club", language="fr"))
    for other in ("twin", "puremco", "puremco rounds-6"):
        assert ", but: " not in text(house_guide.page(other)), other


def in_one(guides):
    """Put guides, given as (house in words, language), into one page. A set may follow the words,
    as in `puremco set 15`."""
    sides = []
    for guide, language in guides:
        words, _, chosen = guide.partition(" set ")
        set_ = int(chosen) if chosen else None
        for side in guide_page.sides(language, house_guide.house(words, set_)):
            sides.append(side.replace("<div ", '<div data-of="%s %s" ' % (guide, language), 1))
    head = house_guide.page("puremco").partition("<body>")[0]
    return "%s<body>%s</body></html>" % (head, "\n".join(sides))


@pytest.mark.slow
@pytest.mark.skipif(not CHROMIUM, reason="no Chromium")
def test_every_guide_prints_on_two_pages(tmp_path, browser):
    houses_ = [*GAMES, *(house + MANY[0] for house in TRAIN_GAMES)]
    houses_ += [house + MANY[1] for house in LINE_GAMES]
    for house in TRAIN_GAMES:
        rising = "" if house in ("goliath", "free") else " upward first-9"
        houses_ += [house + OWN[0] + rising, house + MANY[0] + OWN[1] + rising]
    houses.set_family({"club": ("quebec", CLUB)})
    houses_ += ["club", "quebec penalty-always last-double-lap"]
    large = ["%s set %d" % (house, set_) for house in ("puremco", "free") for set_ in (15, 18)]
    houses_ += [*large, *("puremco%s set 18" % own for own in OWN)]
    guides = [(words, language) for words in houses_ for language in LANGUAGES]
    path = tmp_path / "all.html"
    path.write_text(in_one(guides), encoding="utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    small, wide, sides = json.loads(page.evaluate(MEASURE))
    printed = [*zip(GAMES, itertools.cycle(LANGUAGES))]
    page.evaluate(KEEP, [" ".join(guide) for guide in printed])
    pdf = page.pdf(prefer_css_page_size=True, print_background=True)
    assert not small, "text of less than 10 points"
    assert not wide, "a label that leaves its picture, or meets another"
    assert not [side for side in sides if side[1] > 297], (
        "(house, its height, what it needs) in mm"
    )
    if nearly_full := [side for side in sides if side[2] > 290]:
        warnings.warn("these leave less than 7 mm: %s" % nearly_full, stacklevel=1)
    assert len(sides) == 2 * len(guides)
    assert 2 * len(printed) == pdf.count(b"/Type /Page\n"), "a side that fits is a page"
