# SPDX-License-Identifier: MIT
"""The sentences: each exists in every language, is used, and has the rule sheets' terms."""

import ast
import json
import os
import re
import shutil
import string
import subprocess
import sys
import tomllib
import unicodedata
import warnings
from pathlib import Path

import missing_translations
import pytest
import story_samples
from guide_pages import GAMES, families, text, with_variants

import host_sim
from host_sim.app.handouts import house_guide
from host_sim.app.page import spoken
from host_sim.app.people import house_options, own_sheets
from host_sim.app.views import house_words, i18n, legend, plurals, whole_languages
from host_sim.app.views.i18n import LANGUAGES, TABLE, Translator
from host_sim.app.views.story import Story
from host_sim.table.model import TableModel
from roundhouse import lamp_letters
from roundhouse.games import houses

# languages in which nothing is said in English; another one may begin with less
WHOLE = ("en", "de", "fr", "es", "it", "nl")
FORMS = {"zero", "one", "two", "few", "many", "other"}


def rows():
    """Yield the keys of all sentences except lamps and the rule sheets' terms."""
    for key in i18n.sentences("en"):
        if key.split(".")[0] not in ("lamps", "words", "sheets"):
            yield key


def names(said):
    return sorted({name for _, name, _, _ in string.Formatter().parse(said) if name})


@pytest.mark.parametrize("language", WHOLE[1:])
def test_a_sentence_that_a_language_lacks_is_listed(language):
    if lacking := whole_languages.lacks(language):
        warnings.warn("make languages: %s lacks %s" % (language, lacking), stacklevel=1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_language_says_what_nobody_asks_for(language):
    assert missing_translations.unused(language) == []
    for key, forms in i18n.sentences(language).items():
        assert {form for form in forms if not form.startswith(i18n.BEFORE)} <= FORMS, key
        assert all(said and said == said.strip() for said in forms.values()), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_has_the_same_names_in_every_language(language):
    words = set(TABLE["en"]["words"])
    english = i18n.sentences("en")
    for key, forms in i18n.sentences(language).items():
        if key in english:
            wanted = {*names(english[key]["other"])} - words
            for form, said in forms.items():
                asked = {*names(said)} - words
                alone = form == "one"  # may say the number in a word
                assert asked == wanted or alone and asked == wanted - {"count"}, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_section_stands_in_one_file(language):
    found = []
    for path in sorted((i18n.FOLDER / language).glob("*.toml")):
        if path.stem != "language":
            found += tomllib.loads(path.read_text(encoding="utf-8"))
    assert len(found) == len(set(found))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_language_says_of_itself(language):
    about = i18n.ABOUT[language]
    assert about["name"] and set(about) == {"name", *i18n.DEFAULTS}
    assert {plurals.category(about["plurals"], count) for count in range(200)} <= FORMS


CLDR = {  # rules as CLDR 46 has them, and examples that it gives
    "en": ({"one": "i = 1 and v = 0"}, {"one": [1], "other": [0, 2, 16, 100, 1.5, 10.0]}),
    "fr": ({"one": "i = 0,1"}, {"one": [0, 1, 1.5], "other": [2, 17, 100, 2.5]}),
    "pl": (
        {
            "one": "i = 1 and v = 0",
            "few": "v = 0 and i % 10 = 2..4 and i % 100 != 12..14",
            "many": "v = 0 and i != 1 and i % 10 = 0..1 or v = 0 and i % 10 = 5..9 "
            "or v = 0 and i % 100 = 12..14",
        },
        {
            "one": [1],
            "few": [2, 4, 22, 102, 1002],
            "many": [0, 5, 19, 100, 112],
            "other": [0.5, 1.5, 10.5],
        },
    ),
    "lv": (
        {
            "zero": "n % 10 = 0 or n % 100 = 11..19 or v = 2 and f % 100 = 11..19",
            "one": "n % 10 = 1 and n % 100 != 11 or v = 2 and f % 10 = 1 and f % 100 != 11 "
            "or v != 2 and f % 10 = 1",
        },
        {"zero": [0, 10, 11, 19, 100], "one": [1, 21, 101, 0.1, 7.1], "other": [2, 9, 22, 0.2]},
    ),
}


@pytest.mark.parametrize("language", CLDR)
def test_plural_forms_are_those_of_cldr(language):
    rules, examples = CLDR[language]
    for form, numbers in examples.items():
        for number in numbers:
            assert plurals.category(rules, number) == form, number
    with pytest.raises(ValueError, match="not a plural rule of CLDR: i is 1"):
        plurals.category({"one": "i is 1"}, 1)


def test_a_sentence_in_english_has_english_words(monkeypatch):
    monkeypatch.delitem(TABLE["es"]["page"], "boneyard")
    say = Translator("es")
    say.always["more"] = "of a caller"
    assert say("page.boneyard", count=3) == Translator("en")("page.boneyard", count=3)


def asked_in_a_new_language(folder, about, files, asked):
    """Return (output, errors) of Python statements, in a copy of the project with a language `zz`.

    about: the text of its language.toml after the name
    files: {name: text} of its other files
    """
    views = folder / "host_sim" / "app" / "views"
    shutil.copytree(Path(host_sim.__file__).parent, folder / "host_sim")
    (views / "sentences" / "zz").mkdir()
    for name, content in {"language": 'name = "Español"\n' + about, **files}.items():
        (views / "sentences" / "zz" / (name + ".toml")).write_text(content)
    path = os.pathsep.join((str(folder), str(Path(lamp_letters.__file__).parent.parent)))
    said = subprocess.run(
        [sys.executable, "-c", "from host_sim.app.views.i18n import *; " + asked],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    return said.stdout.strip(), said.stderr


@pytest.mark.parametrize("about, dots", [("", "..."), ('typography = [["...", "…"]]\n', "…")])
def test_a_new_language_is_its_folder(about, dots, tmp_path):
    """A language with only three sentences is offered, and shows all other sentences in English.
    It needs to tell its name alone."""
    page = (
        '[page]\ntiles = { one = "{count} ficha", other = "{count} fichas" }\nmenu = "Menú..."\n'
    )
    asked = (
        "say = Translator('zz'); print(*LANGUAGES, say('page.tiles', count=1),"
        "say('page.tiles', count=2.5), say('page.menu'), say('page.leave_lesson'), sep='|')"
    )
    plural = '[plurals]\none = "n = 1"\n'
    told, errors = asked_in_a_new_language(tmp_path, about + plural, {"page": page}, asked)
    assert errors == ""
    own = ["1 ficha", "2.5 fichas", "Menú" + dots]
    assert told.split("|") == [*LANGUAGES, "zz", *own, Translator("en")("page.leave_lesson")]


OFFERED = """
from host_sim.app.page import dialogs
from host_sim.app.page.app import App
from host_sim.app.page.viewer import Viewer
from host_sim.app.page.rights import Rights
from host_sim.app.server.text_output import terminal_language
from host_sim.app.views.whole_languages import preferred_language

def menu(language):
    return "speak zz" in str(dialogs.languages(Viewer(App(), Rights(True, "own"), language)))

print(menu("en"), menu("zz"), preferred_language("zz"), preferred_language("zz", "zz"),
      terminal_language({"LANG": "zz"}))
"""


@pytest.mark.parametrize(
    "lacking, offered",
    [("", "True True zz zz zz"), ("story.joined", "False True en zz en")],
)
def test_only_a_whole_language_is_offered(lacking, offered, tmp_path):
    """A language that lacks one sentence is not offered, and a translator gets it by its name."""
    keys = [key.split(".") for key in whole_languages.wanted() if key != lacking]
    rows = {".".join(map(json.dumps, key)) + ' = "x"' for key in keys}
    assert asked_in_a_new_language(tmp_path, "", {"all": "\n".join(rows)}, OFFERED) == (
        offered,
        "",
    )


@pytest.mark.parametrize(
    "lacking, said",
    [
        ("", "ZZ 5-3 ZZ on ZZ Ana's train"),
        ("page.anyway", "Lay 5-3 on Ana's train anyway"),
        ("to.seat", "Lay 5-3 on Ana's train anyway"),
        ("story.whose", "Lay 5-3 on Ana's train anyway"),
    ],
)
def test_no_sentence_mixes_two_languages(lacking, said, tmp_path):
    """A sentence that is lacking, or that holds a part that is lacking, is whole in English."""
    rows = {
        "page": {"anyway": "ZZ {tile} {to}"},
        "to": {"seat": "ZZ on {whose} train"},
        "story": {"whose": "ZZ {name}'s"},
    }
    lines = []
    for section, texts in rows.items():
        lines.append("[%s]" % section)
        lines += [
            "%s = %s" % (name, json.dumps(text))
            for name, text in texts.items()
            if "%s.%s" % (section, name) != lacking
        ]
    asked = (
        "say = Translator('zz'); to = say('to.seat', whose=say('story.whose', name='Ana'));"
        "print(say('page.anyway', tile='5-3', to=to))"
    )
    told, errors = asked_in_a_new_language(tmp_path, "", {"all": "\n".join(lines)}, asked)
    assert errors == "" and told.replace("\u2019", "'") == said


@pytest.mark.parametrize(
    "form, lacks",
    [("before_e", "[before] has no pattern e"), ("few", "[plurals] has no few")],
)
def test_a_form_that_a_language_never_asks_for_is_named(form, lacks, tmp_path):
    page = '[page]\nand = { %s = "{first} e {last}", other = "{first} y {last}" }\n' % form
    told, errors = asked_in_a_new_language(tmp_path, "", {"page": page}, "")
    assert told == ""
    named = "sentences/zz: page.and has the form %s, but in language.toml %s" % (form, lacks)
    assert errors.strip().endswith(named)


# Spanish and Italian as they will be: names and numbers before which a word changes
BEFORE = {
    "i": ("(?!hi[ae])h?[ií]", ("Inés", "Hilario"), ("Ana", "Hierro", "Bo")),
    "o": ("h?[oó]|8|11$", ("8", "11", "Olga"), ("7", "1", "18")),
}


@pytest.mark.parametrize("name", BEFORE)
def test_a_form_looks_at_its_own_last_placeholder(name, monkeypatch):
    pattern, these, others = BEFORE[name]
    row = {"before_" + name: "{first} e {last}", "other": "{first} y {last}"}
    monkeypatch.setitem(i18n.ABOUT["de"]["before"], name, pattern)
    monkeypatch.setitem(TABLE["de"]["page"], "and", row)
    for last in (*these, *others):
        said = Translator("de")("page.and", first="Inés", last=last)
        assert said == "Inés %s %s" % ("e" if last in these else "y", last)


def test_what_make_languages_says(monkeypatch, capsys):
    monkeypatch.delitem(TABLE["de"]["story"], "joined")
    monkeypatch.setitem(TABLE["de"]["story"], "sang", "{name} singt.")
    assert missing_translations.main() == 0
    said = capsys.readouterr().out
    assert said.startswith("de: ") and "  lacks   story.joined\n" in said
    assert "  no use  story.sang\n" in said
    assert Translator("de")("story.joined", name="Ana") == "Ana joins."


def test_the_sheets_words():
    for language in LANGUAGES:
        assert set(TABLE[language].get("sheets", {})) <= set(GAMES)
    assert "Passt nichts" in text(house_guide.page("jassshop", language="de"))
    for house, language, word, other in (
        ("jassshop", "de", "aus dem Stock", "Talon"),
        ("goliath", "de", "aus dem Talon", "Stock"),
        ("jassshop", "de", "Ein Pasch liegt quer", "Doppelstein"),
        ("quebec", "fr", "pigez un domino", "pioch"),
        ("original", "fr", "Un doublet se pose en travers", "Un double se"),
        ("puremco", "en", "bone pile", "boneyard"),
    ):
        said = text(house_guide.page(house, language=language))
        assert word in said and other not in said, (house, word)


# {language: {gender: nouns of [words] and [sheets]}}; sentences have one gender for all sheets
GENDERS = {
    "de": {"m": "Startstein Anfangspasch Doppelstein Doppelsteine Pasch Pasch-Steine Talon Stock"},
    "fr": {"f": "locomotive pioche réserve", "m": "double doubles doublet doublets"},
    "es": {"f": "locomotora", "m": "doble dobles pozo montón"},
    "it": {"f": "locomotiva", "m": "doppio doppi pozzo ossario"},
    "nl": {"de": "locomotief dubbele dubbelen pot trekstapel"},
}
NOUNS = ("boneyard", "engine", "double", "doubles")
# words that depend on the first sound of the next word
BEFORE_A_SOUND = {
    "en": r"\ban? $",
    "fr": r"\b(l[ea] |l'|d[eu] |d'|au |cet? )$",
    "it": r"\b(il |lo |l'|un[oa]? |un'|(ne|de|a|da|su)(l |llo |ll'))$",
}


def sheet_nouns(language):
    """Yield (kind, its usual word, a sheet's word) for the nouns of a language's rule sheets."""
    words = TABLE[language].get("words", {})
    for own in TABLE[language].get("sheets", {}).values():
        for noun in own.keys() & {*NOUNS}:
            yield noun, words[noun], own[noun]


@pytest.mark.parametrize("language", GENDERS)
def test_a_sheets_noun_has_the_gender_of_the_usual_one(language):
    genders = {word: one for one, said in GENDERS[language].items() for word in said.split()}
    assert {TABLE[language]["words"][noun] for noun in NOUNS} <= genders.keys()
    for noun, usual, own in sheet_nouns(language):
        assert genders.get(own) == genders[usual], (noun, own)


@pytest.mark.parametrize("language", BEFORE_A_SOUND)
def test_a_sheets_noun_suits_the_words_before_it(language):
    """No article stands before a noun that begins with a vowel on some sheets only."""
    for noun in {noun for noun, usual, own in sheet_nouns(language) if vowel(usual) != vowel(own)}:
        for key, forms in i18n.sentences(language).items():
            for form in forms.values():
                before = form.split("{%s}" % noun)[:-1]
                assert not any(re.search(BEFORE_A_SOUND[language], text) for text in before), key


def vowel(word):
    return unicodedata.normalize("NFD", word)[0].lower() in "aeiouh"


def test_a_language_has_its_own_spaces_and_apostrophes():
    assert i18n.typeset("fr", "Quoi ? C'est 5 : oui !") == (
        "Quoi\u202f? C\u2019est 5\u00a0: oui\u202f!"
    )
    assert i18n.typeset("en", "Who? It's 7 + 2 = 9 ...") == (
        "Who? It\u2019s 7\u00a0+\u00a02\u00a0=\u00a09 \u2026"
    )
    for house in GAMES:
        page = house_guide.page(house, language="fr").partition("<header>")[2]
        said = re.sub(r"<svg.*?</svg>|<[^>]+>", "", page, flags=re.DOTALL)
        assert not re.findall(r".*[ \w)][;!?:].*|.*'.*", said), house


def test_a_name_from_right_to_left_does_not_turn_the_sentence():
    translate = Translator("en")
    noa = "\u2068נועה\u2069"
    assert translate("page.and", first="נועה", last="Bo") == noa + " and Bo"
    both = translate.joined("page.and", ["נועה", "Bo"])
    assert both == noa + " and Bo"


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "%s, Bo and Zoé"), ("de", "%s, Bo und Zoé"), ("fr", "%s, Bo et Zoé")],
)
def test_three_names_are_a_list(language, said):
    names = Translator(language).joined("page.and", ["נועה", "Bo", "Zoé"])
    assert names == said % "\u2068נועה\u2069"


def test_an_article_suits_the_number_it_stands_before():
    for end, article in (
        (0, "a"),
        (7, "a"),
        (8, "an"),
        (10, "a"),
        (11, "an"),
        (12, "a"),
        (18, "an"),
    ):
        said = Translator("en")("refused.no-match", name="Ana", tile="5-4", to="there", end=end)
        assert said.endswith(" needs %s %d." % (article, end))


@pytest.mark.parametrize("language, half", [("en", "25.5"), ("de", "25,5"), ("fr", "25,5")])
def test_half_a_point_has_the_sign_of_the_language(language, half):
    assert half in Translator(language)("story.points", count=25.5)


@pytest.mark.parametrize("language", LANGUAGES)
def test_games_without_trains_have_sentences_without_trains(language):
    train = re.compile(r"train|\bzug\b", re.IGNORECASE)
    page = TABLE[language].get("page", {})
    forms = [page[key] for key in page if key.endswith("_lines")]
    assert len(forms) >= 3 or language not in WHOLE
    for said in forms:
        for form in said.values() if isinstance(said, dict) else [said]:
            assert not train.search(form), form


# words that were used for a thing that has another word everywhere else
OTHER_WORDS = {
    "de": r"\bpasse[nr]?\b (?=zurück)|du passt\b|ist fertig|\bMarken? (schreiben|kleben)",
    "fr": r"frapp|ne va (pas|plus)\b|\btire[rsz]? (un|encore)|étiquette|rien ne va\b|au milieu",
}


@pytest.mark.parametrize("language", OTHER_WORDS)
def test_one_thing_has_one_word(language):
    for key, forms in i18n.sentences(language).items():
        for said in forms.values():
            assert not re.search(OTHER_WORDS[language], said, re.IGNORECASE), (key, said)


def test_no_language_but_these():
    with pytest.raises(ValueError, match="no language none; there are " + " ".join(LANGUAGES)):
        Translator("none")


@pytest.fixture
def said(monkeypatch):
    """Return the set of the keys of all sentences that are used while a test runs."""
    keys = set()

    def hear(self, key, **values):
        keys.add(key)
        return speak(self, key, **values)

    speak = Translator.__call__
    monkeypatch.setattr(Translator, "__call__", hear)
    return keys


@pytest.mark.parametrize("house", GAMES)
def test_a_guide_says_the_same_of_each_option_in_every_language(house, said):
    for words in [house, *with_variants(house)]:
        keys = {}
        for language in LANGUAGES:
            said.clear()
            house_guide.page(words, language=language)
            keys[language] = {*said}
        assert all(found == keys["en"] for found in keys.values()), words


def say_the_guide():
    """Make the guides to all houses, each with every variant word."""
    for words in [*GAMES, *(word for house in GAMES for word in with_variants(house))]:
        house_guide.page(words)
    house_guide.page("puremco rounds-2 first-0")
    house_guide.page("puremco deal-20")  # too few tiles for ten
    house_guide.page("original", 9)  # the fast game of the sheet
    houses.set_family({"club": ("puremco", {"first-turn": "own", "score": "plus"})})
    try:
        house_guide.page("club")
    finally:
        houses.set_family({})


def say_the_story():
    """Tell the story of all samples in story_samples, also to players without names, and name
    every house."""
    for lines, names in story_samples.all_of():
        stories = [Story(Translator("en"), names)]
        stories += [Story(Translator("en"), {}, you) for you in map(str, range(1, 11))]
        table = TableModel()
        for line in lines:
            moment = table.take(line)
            for story in stories:
                story.sentences(moment)
    name_the_houses()


def name_the_houses():
    story = Story(Translator("en"), {})
    for words in ["club", *GAMES, *(word for house in GAMES for word in with_variants(house))]:
        story.house_words(words)


def say_the_numbers():
    spoken.in_words(" ".join("%d-0" % pips for pips in range(19)) + " 6-6", Translator("en"))


def say_the_legend():
    for trains in (True, False):
        legend.legend(Translator("en"), trains)


def say_the_games():
    """Name and describe the houses as the form of a new match and the story do."""
    name_the_houses()
    say_the_guide()
    translator = Translator("en")
    house_options.house_rows(translator)
    for house in GAMES:
        house_options.questions(translator, house)
    for word in ("deal-11", "deal-15-15-12"):
        house_words.variant(translator, word)
    for _ in families():
        house_words.differences(translator, "club")
    for base in own_sheets.BASES:
        own_sheets.questions(translator, own_sheets.OwnSheet("", base, {}))


def say_the_page(said):
    """Add the keys of sentences for rare events of the page, as found in the source code."""
    texts = set()
    for path in Path(host_sim.__file__).parent.glob("**/*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(node.value)
    made = [
        re.escape(text).replace("%s", r"\w+").replace("%d", r"\d")
        for text in texts
        if re.fullmatch(r"\w+\.%s_\S+", text)
    ]
    made = re.compile("|".join(made))
    for key in rows():
        for cut in range(len(key.split(".")[0]) + 1, len(key) + 1):
            if (key[:cut] in texts or made.fullmatch(key[:cut])) and key[cut:] in {"", *texts}:
                said.add(key)


# A way of saying things -> the sections it says, each of them whole
SAID_BY = {
    say_the_story: {
        *("story", "where", "of", "to", "source", "refused", "refused_lines"),
        *("you", "refused_you", "refused_you_lines"),
    },
    say_the_legend: {"legend"},
    say_the_numbers: {"numbers"},
    say_the_games: {
        *("games", "houses", "variants", "options", "own_questions", "own_answers"),
    },
    say_the_page: {
        *("page", "server", "usb", "picture", "lesson", "hint"),
        *("site", "real_hub", "cards_sheet", "own_sheet", "own_groups", "evenings"),
        *("spoken", "comfort", "backup", "television", "no_hub", "hub_config", "signs", "outside"),
    },
}


LONG = (say_the_story,)  # it plays a script for each moment
SLOW = pytest.mark.slow


def sections():
    """Return {function: the sections of TABLE whose sentences it uses}. The sections `lamps`,
    `words` and `sheets` are left out.

    For `say_the_guide`, these are the sections that no other function uses.
    """
    others = set().union(*SAID_BY.values())
    return {**SAID_BY, say_the_guide: set(TABLE["en"]) - others - {"lamps", "words", "sheets"}}


@pytest.mark.parametrize(
    "way",
    [pytest.param(way, marks=SLOW if way in LONG else ()) for way in (*SAID_BY, say_the_guide)],
    ids=lambda way: way.__name__,
)
def test_every_sentence_is_said_somewhere(way, said):
    way(said) if way is say_the_page else way()
    wanted = {key for key in rows() if key.split(".")[0] in sections()[way]}
    assert wanted and wanted - said == set()
