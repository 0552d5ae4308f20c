# SPDX-License-Identifier: MIT
"""The page's sentences in every language: each ends before the next begins, and all are in the
language that was chosen last."""

import html
import re

import pytest
from page_states import STATES, done, fits, meaning, own_turn, own_turn_when

from host_sim.app.views.i18n import ENDS, LANGUAGES, Translator, in_sentences

INLINE = re.compile(r"</?(?:a|code|em|i|small|span)\b[^>]*>")
NOT_SHOWN = re.compile(r"<(style|script|svg)\b.*?</\1>", re.DOTALL)
TAG = re.compile(r"<[^>]*>")
MARKS = " \u00a0\u202f\u2068\u2069"  # spaces, and the marks around a name


def blocks(components):
    """Return the texts of all blocks of a page."""
    shown = "<p>".join(text for name, text in components.items() if name != "lamps")
    shown = NOT_SHOWN.sub("<p>", shown)
    texts = (html.unescape(block).strip() for block in TAG.split(INLINE.sub("", shown)))
    return [" ".join(text.split()) for text in texts if text.strip()]


def run_together(texts, sentences):
    """Return the texts in which something without an end stands before a sentence, or where a
    sentence ends twice."""
    found = [text for text in texts if re.search(r"(?<!\.)[.!?] ?\.(?!\.)", text)]
    for text in texts:
        for sentence in sentences:
            before = text.partition(sentence)[0] if sentence in text else ""
            if before.endswith(" ") and not before.rstrip(MARKS).endswith((*ENDS, "·")):
                found.append(text)
    return found


@pytest.fixture
def said(monkeypatch):
    """All sentences that Translators say, as the page shows them."""
    say, found = Translator.__call__, set()

    def heard(translate, key, **values):
        text = say(translate, key, **values)
        parts = {str(value) for value in values.values()}
        shown = " ".join(text.split())
        if shown.endswith((".", "!", "?")) and shown[0].isupper() and shown not in parts:
            found.add(shown)
        return text

    monkeypatch.setattr(Translator, "__call__", heard)
    return found


@pytest.mark.parametrize("state", STATES)
def test_no_sentence_runs_into_the_next(state, tmp_path, said):
    page = STATES[state].make(tmp_path)
    for language in LANGUAGES:
        said.clear()
        page.viewer.set_language(language)
        texts = blocks(page.components())
        assert not run_together(texts, said), language
    page.close()


def test_a_sentence_has_one_end():
    assert in_sentences("Zoe's turn", "", "Wait!", "Lay it.") == "Zoe's turn. Wait! Lay it."


# ---- an answer, after another language was chosen ----


def takes_several(app, page):
    return any(len(slots) > 1 for slots in fits(app).values())


def refused_tile(page, target):
    view = page.viewer.player_view
    tile = next(tile for tile in view.hand(1) if tile not in view.fits(1))
    done(page, "drop %s %s" % (tile, target))


def tile_elsewhere(page):
    done(page, "drop %s E" % next(iter(page.viewer.player_view.fits(1))))


def several_places(page):
    tile = next(tile for tile, slots in fits(page.viewer.app).items() if len(slots) > 1)
    page.viewer.chosen_tile = tile
    done(page, "main")


def press(page):
    page.viewer.advice.pass_asked = False
    done(page, "button")


def own_turn_of(wanted):
    return lambda folder: own_turn_when(folder, wanted)


# how an answer comes up -> (a page, what its viewer does)
ANSWERED = {
    "no match": (own_turn, lambda page: refused_tile(page, "1")),
    "not there": (own_turn, lambda page: refused_tile(page, "2")),
    "it fits elsewhere": (own_turn, tile_elsewhere),
    "no tile chosen": (own_turn, lambda page: done(page, "slot 1")),
    "no tile chosen, by a key": (own_turn, lambda page: done(page, "main")),
    "several places": (own_turn_of(takes_several), several_places),
    "draw instead": (STATES["must draw"].make, lambda page: refused_tile(page, "1")),
    "pass instead": (STATES["may not draw"].make, lambda page: refused_tile(page, "1")),
    "a tile still fits": (
        own_turn_of(lambda app, page: meaning(app) == "pass" and fits(app)),
        press,
    ),
    "not yet": (STATES["others' turn"].make, lambda page: done(page, "slot M")),
    "looking on": (STATES["watcher"].make, lambda page: done(page, "slot M")),
    "looking back": (STATES["look-back"].make, lambda page: done(page, "slot M")),
    "a real hub": (STATES["lobby of a real hub"].make, lambda page: done(page, "slot 1")),
}


@pytest.mark.parametrize("how", ANSWERED)
def test_an_answer_is_in_the_language_that_is_chosen_after_it(how, tmp_path):
    make, act = ANSWERED[how]
    page = make(tmp_path / "page")
    shown = {}
    for language in LANGUAGES:
        page.viewer.set_language(language)
        page.viewer.advice.refused_move = None
        act(page)
        shown[language] = answers(page)
    assert len(set(shown.values())) == len(LANGUAGES)
    for language in (*LANGUAGES, LANGUAGES[0]):
        page.viewer.set_language(language)
        assert answers(page) == shown[language]


def answers(page):
    return re.search(r'<div class="answer">.*?</div>', page.components()["table"])[0]
