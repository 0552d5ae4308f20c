# SPDX-License-Identifier: MIT
"""A house described in words, and how a family's own house differs from its base."""

import pytest
from guide_pages import families

from host_sim.app.views import house_words
from host_sim.app.views.i18n import LANGUAGES, Translator
from host_sim.app.views.table_names import TableNames
from host_sim.table.games import house_info
from roundhouse.games import houses

CLUBS = {
    "idaho": ("jassshop", {"deal": "16 15 14", "first-turn": "any", "not-begun": "any"}),
    "florida": ("puremco", {"deal": "12", "first-engine": "9"}),
    "sixes": ("goliath", {"rounds": 6, "score": "penalty", "blank": "25"}),
    "fours": ("classic", {"doubles": "two", "target": "150"}),
}


@pytest.fixture(autouse=True)
def _clubs():
    houses.set_family(CLUBS)
    yield
    houses.set_family({})


@pytest.mark.parametrize(
    "language, word, told",
    [
        ("en", "deal-11", "everybody takes 11 tiles"),
        ("en", "deal-1", "everybody takes 1 tile"),
        ("en", "deal-12-12", "everybody takes 12 tiles"),
        (
            "en",
            "deal-15-15-15-12",
            "tiles each by number of players: 15 for 2 to 4, 12 for more",
        ),
        (
            "de",
            "deal-16-15-14-14-12",
            "Steine für jeden, je nach Spielerzahl: "
            "16 bei 2, 15 bei 3, 14 bei 4 bis 5, 12 bei mehr",
        ),
        ("fr", "deal-1-1", "chacun prend 1 domino"),
        (
            "fr",
            "deal-15-12",
            "dominos chacun selon le nombre de joueurs\u00a0: 15 à 2, 12 au-delà",
        ),
        ("en", "deal-any", "you deal as you like, and the hub does not count your tiles"),
        ("en", "rounds-6", "the match has 6 rounds"),
        ("en", "rounds-1", "the match has one round"),
        ("de", "first-9", "der erste Startstein ist 9-9"),
        ("fr", "first-0", "la première locomotive est le 0-0"),
        ("en", "upward", "every round begins with the next higher double"),
        *(("en", word, "") for word in ("deal-", "deal-x", "rounds-any", "first-N", "bingo")),
    ],
)
def test_a_word_is_told(language, word, told):
    assert house_words.variant(Translator(language), word) == told


@pytest.mark.parametrize(
    "club, told",
    [
        (
            "idaho",
            [
                "on your first turn you may play on any open train",
                "you may play elsewhere before your own train has begun",
                "tiles each by number of players: 16 for 2, 15 for 3, 14 for more",
            ],
        ),
        ("florida", ["everybody takes 12 tiles", "the first engine is 9-9"]),
        ("sixes", ["the match has 6 rounds", "the double blank counts 25"]),
        ("fours", ["the line has two ends", "150 points win"]),
    ],
)
def test_what_a_family_changes(club, told):
    assert house_words.differences(Translator("en"), club) == told
    text = TableNames(Translator("en"), {}).house(club)
    assert all(clause in text for clause in told)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_difference_that_a_family_can_have_is_told(language):
    translator = Translator(language)
    for base, option, value in families():
        house = houses.HOUSES.index(base)
        usual = dict(house_info.in_words(house, houses.preset(house)))
        found = house_words.differences(translator, "club")
        assert len(found) == (value != usual[option]) and all(found), (base, option, value)
