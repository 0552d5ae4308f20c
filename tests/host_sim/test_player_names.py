# SPDX-License-Identifier: MIT
"""Players' names: what is kept of a typed name, what is removed, and what is true for any text."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host_sim.app.views import i18n
from host_sim.app.views.i18n import LANGUAGES, typeset
from host_sim.table import player_names
from host_sim.table.player_names import JOINERS, LONGEST, characters, clean_name, printable

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
WAVE = "\U0001f44b\U0001f3fd"
FLAG = "\U0001f1e9\U0001f1ea"
KEYCAP = "1\ufe0f\u20e3"
BIRD = "\U0001f426\u200d\u2b1b"
RAINBOW = "\U0001f3f3\ufe0f\u200d\U0001f308"
PAIR = "\U0001f469\U0001f3fb\u200d\u2764\ufe0f\u200d\U0001f48b\u200d\U0001f469\U0001f3ff"

SAME = (
    *(
        "Ana",
        "Zo\u00eb",
        "D'Artagnan",
        "Ana-Mar\u00eda \u2116 7 (#1)",
        "O\u2019Brien",
        "\u20ac & <b>",
    ),
    *(
        "\u738b\u5c0f\u660e",
        "\uae40\ubbfc\uc900",
        "\u0928\u0930\u0947\u0928\u094d\u0926\u094d\u0930",
    ),
    *(
        "\u05d0\u05d1\u05d9\u05d2\u05d9\u05dc",
        "\u0645\u062d\u0645\u064e\u0651\u062f",
        "\u0410\u043d\u044f",
    ),
    "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",  # a Persian name of two parts
    "\u09b0\u200d\u09cd\u09af\u09be\u09ac",  # Bengali, a joiner before the sign that joins
    "\u0dc1\u0dca\u200d\u0dbb\u0dd3",  # Sinhala
    "\u0e1b\u0e39\u0e48",  # Thai, two marks on a letter
    *("Bo " + sign for sign in (FAMILY, WAVE, FLAG, KEYCAP, BIRD, RAINBOW, PAIR)),
)


@pytest.mark.parametrize("name", SAME, ids=ascii)
def test_what_people_are_called_stays(name):
    assert clean_name(name) == name


CLEANED = {
    "": "",
    "A\u200dna": "Ana",
    "\u200c\u0639\u200d\u200c\u0644\u200d": "\u0639\u200c\u0644",
    "\u0639\u200d ": "\u0639",
    "\U0001f469\u200dA": "\U0001f469A",
    "\U0001f469\u200c\U0001f680": "\U0001f469\U0001f680",
    "\u0928\u200d\u0985": "\u0928\u0985",  # of two scripts
    "\u0928\u200d\u093e": "\u0928\u093e",  # a vowel sign needs no joiner
    "A \u0301\u0323B": "A B",
    "e\u0301": "\u00e9",
    "e\u200c\u0301": "\u00e9",
    "\u212b": "\u00c5",
    "A\u3000B\x1fC\x85D": "A B C D",
    "Ana\u00ad\ufeff": "Ana",
    "\U0001f3f4\U000e0067\U000e007f": "\U0001f3f4",
    "A" * 21: "A" * 20,
    "A" * 19 + " B": "A" * 19,
    WAVE * 21: WAVE * 20,
    FLAG * 21: FLAG * 20,
    FAMILY * 21: FAMILY * 20,
    "\u0639\u200c" * 21: ("\u0639\u200c" * 20)[:-1],
}


@pytest.mark.parametrize("raw", CLEANED, ids=lambda raw: ascii(raw)[:40])
def test_what_is_left_of_a_name(raw):
    assert clean_name(raw) == CLEANED[raw]


@pytest.mark.parametrize("raw", [None, 7, [], {}, b"Ana"])
def test_what_is_no_text_is_no_name(raw):
    assert clean_name(raw) == ""


def test_marks_are_stacked_so_high_and_no_higher():
    name = clean_name("z" + "\u0330" * 300 + "o")
    assert name == "z" + "\u0330" * player_names.MARKS + "o"


def test_a_chain_of_emoji_ends():
    rockets = "\u200d".join(["\U0001f680"] * 400)
    assert max(map(len, characters(clean_name(rockets)))) == 2 * player_names.JOINED + 1
    assert len(clean_name(rockets)) < 8 * LONGEST


def test_characters_are_counted_as_a_person_does():
    shown = [FAMILY, WAVE, FLAG, KEYCAP, BIRD, RAINBOW, PAIR, "Z", "o", "e\u0308", FLAG, FLAG]
    assert characters("".join(shown)) == shown
    assert characters("\U0001f3fd" + "\U0001f1e9") == ["\U0001f3fd", "\U0001f1e9"]


AWKWARD = (
    "aZ \u00e9\u0301\u0323\u0958\u0928\u094d\u09b0\u09cd\u0639\u0644\u064e\u1100\u1161\u11a8"
    "\u200c\u200d\u200e\u202e\u2066\ufe0f\u20e3\U0001f469\U0001f3fd\U0001f1e9\u2764\U0001f680"
    "\x00\x1b\n\x85\ud800\udfff\ue000\ufffe\U000e0067\u3164\u2800\u212b\u0344\ufb1d"
)
texts = st.one_of(
    st.text(st.sampled_from(AWKWARD), max_size=60),
    st.text(st.characters(exclude_categories=()), max_size=30),
)


@settings(max_examples=600)
@given(texts)
def test_a_clean_name_stays_and_holds_nothing_else(raw):
    name = clean_name(raw)
    assert clean_name(name) == name
    assert unicodedata.is_normalized("NFC", name)
    assert len(characters(name)) <= LONGEST
    assert name == " ".join(name.split()) and not name.startswith(tuple(JOINERS))
    kinds = {unicodedata.category(sign) for sign in name.translate({0x200C: "", 0x200D: ""})}
    assert not kinds & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert printable(name) == name
    name.encode()


@settings(max_examples=200)
@given(texts)
def test_a_printed_line_moves_nothing(raw):
    line = printable(raw)
    assert printable(line) == line
    for sign in line:
        assert sign in JOINERS or unicodedata.category(sign)[0] not in "C", ascii(sign)
    line.encode()


def test_sentences_are_printed_as_they_are():
    for language in LANGUAGES:
        for forms in i18n.sentences(language).values():
            for text in forms.values():
                said = typeset(language, text)
                assert printable(said) == said
