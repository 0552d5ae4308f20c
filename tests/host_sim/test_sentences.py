# SPDX-License-Identifier: MIT
"""The table of sentences: each in every language, said somewhere, in the sheets' own words."""

import ast
import re
import string
from pathlib import Path

import pytest
import told_moments
from players_guides import GAMES, text, with_variants

import host_sim
from host_sim.commands import guide
from host_sim.people import house_questions
from host_sim.views import legend, speech
from host_sim.views.speech import LANGUAGES, TABLE, Speech
from host_sim.views.story import Story
from roundhouse import lamps
from roundhouse.games import houses


def rows():
    """Yield (where, {language: text}) for every sentence but the lamps' and the sheets' words."""
    for section in TABLE:
        if section not in ("lamps", "words"):
            for name, texts in TABLE[section].items():
                yield "%s.%s" % (section, name), texts


def names(said):
    return sorted({name for _, name, _, _ in string.Formatter().parse(said) if name})


def test_every_sentence_is_there_in_every_language():
    for where, texts in rows():
        assert set(texts) == set(LANGUAGES), where
        assert all(said and said == said.strip() for said in texts.values()), where


def test_a_sentence_has_the_same_names_in_every_language():
    words = set(TABLE["words"])
    for where, texts in rows():
        asked = [set(names(texts[language])) - words for language in LANGUAGES]
        assert asked[0] == asked[1] == asked[2], where


def test_every_word_of_a_lamp_is_there_in_every_language():
    wanted = {said for _, _, told in lamps.LETTERS for said in told}
    assert set(TABLE["lamps"]) == wanted, "as roundhouse/lamps.py says it in English"
    for english, texts in TABLE["lamps"].items():
        assert set(texts) == {"de", "fr"} and all(texts.values()), english


def test_the_sheets_words():
    for thing, texts in TABLE["words"].items():
        assert set(LANGUAGES) <= set(texts), thing
        for sheet in set(texts) - set(LANGUAGES):
            assert sheet in GAMES and set(texts[sheet]) <= set(LANGUAGES), (thing, sheet)
    assert "Passt nichts" in text(guide.page("jassshop", language="de"))
    for house, language, word, other in (
        ("jassshop", "de", "aus dem Stock", "Talon"),
        ("goliath", "de", "aus dem Talon", "Stock"),
        ("jassshop", "de", "Ein Pasch liegt quer", "Doppelstein"),
        ("quebec", "fr", "pigez un domino", "piochez"),
        ("original", "fr", "Un doublet se pose en travers", "Un double se"),
        ("puremco", "en", "bone pile", "boneyard"),
    ):
        said = text(guide.page(house, language=language))
        assert word in said and other not in said, (house, word)


def test_a_language_has_its_own_spaces_and_apostrophes():
    assert speech.typeset("fr", "Quoi ? C'est 5 : oui !") == (
        "Quoi\u202f? C\u2019est 5\u00a0: oui\u202f!"
    )
    assert speech.typeset("en", "Who? It's 7 + 2 = 9 ...") == (
        "Who? It\u2019s 7\u00a0+\u00a02\u00a0=\u00a09 \u2026"
    )
    for house in GAMES:
        page = guide.page(house, language="fr").partition("<header>")[2]
        said = re.sub(r"<svg.*?</svg>|<[^>]+>", "", page, flags=re.DOTALL)
        assert not re.findall(r".*[ \w)][;!?:].*|.*'.*", said), house


def test_no_language_but_these():
    with pytest.raises(ValueError, match="no language it; there are en de fr"):
        Speech("it")


@pytest.fixture
def said(monkeypatch):
    """The keys of all sentences that are filled while a test runs."""
    keys = set()

    def hear(self, key, **values):
        keys.add(key)
        return speak(self, key, **values)

    speak = Speech.__call__
    monkeypatch.setattr(Speech, "__call__", hear)
    return keys


def say_the_guide():
    """Of all houses, each with every one of its variant words, something is said by each row."""
    for words in [*GAMES, *(word for house in GAMES for word in with_variants(house))]:
        guide.page(words)
    houses.families({"club": ("puremco", {"first-turn": "own", "score": "plus"})})
    try:
        guide.page("club")
    finally:
        houses.families({})


def say_the_story():
    """Every house is named; the rest is told of moments at a table, see told_moments."""
    for lines, names in told_moments.all_of():
        story = Story(Speech("en"), names)
        for line in lines:
            story.line(line)
    for words in ["club", *GAMES, *(word for house in GAMES for word in with_variants(house))]:
        story.house_words(words)


def say_the_legend():
    for trains in (True, False):
        legend.legend(Speech("en"), trains)


def say_the_questions():
    speech = Speech("en")
    house_questions.games(speech)
    for house in GAMES:
        house_questions.questions(speech, house)


def say_the_page(said):
    """What only a click, a cable or a stranger brings about: its key stands in the code, in one
    piece or in two."""
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
    for key, _ in rows():
        for cut in range(len(key.split(".")[0]) + 1, len(key) + 1):
            if (key[:cut] in texts or made.fullmatch(key[:cut])) and key[cut:] in {"", *texts}:
                said.add(key)


# A way of saying things -> the sections it says, each of them whole
SAID_BY = {
    say_the_story: {
        *("story", "where", "source", "refused", "refused_lines", "houses", "variants")
    },
    say_the_legend: {"legend"},
    say_the_questions: {"question", "sheet", "game_title", "game_line"},
    say_the_page: {
        *("page", "server", "usb", "picture", "lesson", "hint", "hint_place"),
        *("site", "real_hub", "cards_sheet"),
    },
}


LONG = (say_the_story,)  # it plays a script for each moment
SLOW = pytest.mark.slow


def sections():
    """Return {how they are said: its sections}: those that no other way says are the guide's."""
    others = set().union(*SAID_BY.values())
    return {**SAID_BY, say_the_guide: set(TABLE) - others - {"lamps", "words"}}


@pytest.mark.parametrize(
    "way",
    [pytest.param(way, marks=SLOW if way in LONG else ()) for way in (*SAID_BY, say_the_guide)],
    ids=lambda way: way.__name__,
)
def test_every_sentence_is_said_somewhere(way, said):
    way(said) if way is say_the_page else way()
    wanted = {where for where, _ in rows() if where.split(".")[0] in sections()[way]}
    assert wanted and wanted - said == set()
