# SPDX-License-Identifier: MIT
"""A house is chosen by answering plain questions, in three languages."""

import pytest

from host_sim.app.page.new_match_form import Choice
from host_sim.app.people import house_options
from host_sim.app.views.i18n import LANGUAGES, REFERENCE, TABLE, Translator
from host_sim.table.games import house_info
from roundhouse.games import houses
from roundhouse.games.match import Match

SAY = Translator("en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_is_offered(language):
    offered = house_options.house_rows(Translator(language))
    rows = [row for row in offered if row.house in houses.HOUSES]
    assert sorted(row.house for row in rows) == sorted(houses.HOUSES)
    assert len({row.title for row in rows}) == len(rows)
    for before, row in zip(offered, offered[1:]):  # what another edition of a sheet plays
        if row.house not in houses.HOUSES:
            house, variant = row.house.split()
            assert house == before.house and before.description != row.description
            assert variant in dict(houses.variants(houses.HOUSES.index(house)))
    for row in rows:
        index = houses.HOUSES.index(row.house)
        assert row.players[row.set] == (2, house_info.most_seats(index, row.set))
        assert row.title and row.sheet and len(row.description) < 100


def test_a_spanish_table_finds_the_penalty_of_its_leaflet_beside_goliath():
    rows = [row.house for row in house_options.house_rows(Translator("es"))]
    assert rows[rows.index("goliath") + 1] == "goliath penalty-always"
    always = {"house": "goliath penalty-always"}
    choice = Choice(Translator("es"), always)
    assert choice.house == "goliath penalty-always" and choice.round_s
    answers = {**always, "asked": always["house"], "rule-penalty-always": "on"}
    assert Choice(Translator("es"), answers).house == "goliath penalty-always"
    assert Choice(Translator("es"), {**always, "asked": always["house"]}).house == "goliath"


def test_matador_has_its_own_set():
    rows = {row.house: row for row in house_options.house_rows(SAY)}
    assert rows["matador"].set == 9 and rows["puremco"].set == 12
    assert rows["puremco"].players[6] == (2, 4) and rows["puremco"].players[15] == (2, 14)


@pytest.fixture
def made(monkeypatch):
    """The list of the matches that house_info makes from now on, as (house, variants)."""
    made = []

    def match(*rules):
        made.append(rules)
        return Match(*rules)

    monkeypatch.setattr(house_info, "_matches", {})
    monkeypatch.setattr(house_info, "Match", match)
    return made


def test_a_match_is_made_once_for_each_house(made):
    for language in LANGUAGES:
        house_options.house_rows(Translator(language))
    assert sorted(made) == [(house, 0) for house in range(len(houses.HOUSES))]


def test_few_matches_are_kept(made, monkeypatch):
    monkeypatch.setattr(house_info, "MOST", 5)
    for _ in range(2):
        for house, name in enumerate(houses.HOUSES):
            assert house_info.sheet(house) == name
            assert len(house_info._matches) <= 5
    assert len(made) == 2 * len(houses.HOUSES)


@pytest.mark.parametrize("house", house_options.HOUSES)
def test_each_question_changes_something(house):
    index = houses.HOUSES.index(house)
    for row in house_options.questions(SAY, house):
        _, mask = houses.parse([house, row.word])
        assert houses.preset(index, mask) != houses.preset(index), row
        assert not row.now and row.question.endswith("?")


def asked(house):
    return {row.word for row in house_options.questions(SAY, house)}


def test_what_is_not_asked():
    assert "laid-out" not in asked("puremco") and "laid-out" in asked("jassshop")
    assert "upward" in asked("cardinal") and not {"upward", "deal-N"} & asked("goliath")
    assert "lift" not in asked("original") and "cover-on-double" not in asked("jassshop")
    assert asked("free") == {"plus-points", "blank-25", "blank-50"}
    assert "ten" in asked("matador") and "ten" not in asked("classic")
    assert "five-each" in asked("matador") and "five-each" not in asked("tiddle-a-wink")
    assert "no-draw" not in asked("block") and "no-draw" in asked("draw")
    assert "to-100" not in asked("classic") and "to-100" in asked("tiddle-a-wink")


def test_every_variant_has_a_question_and_none_is_left_over():
    words = {word for house in range(len(houses.HOUSES)) for word, _ in houses.variants(house)}
    for language in LANGUAGES:
        for section, wanted in (("variants", words), ("houses", {*house_options.HOUSES})):
            named = set(TABLE[language].get(section, {}))
            assert named == wanted if language == REFERENCE else named <= wanted, language


def test_answers_become_words():
    words = house_options.house_words
    assert words("jassshop", {"no-lock": True, "lift": False}) == "jassshop no-lock"
    assert words("jassshop lift", {}) == "jassshop"
    assert words("puremco", {"blank-50": True, "blank-25": True, "lift": True}) == (
        "puremco lift blank-50"
    )
    assert words("classic", {"no-lock": True}) == "classic"
    assert words("puremco first-9 deal-15-12 lift", {"upward": True}) == (
        "puremco upward deal-15-12 first-9"
    )


@pytest.mark.parametrize("house", house_options.HOUSES)
def test_what_was_chosen_is_there_again(house):
    said = house
    for _ in range(2):  # one answer may bring up another question
        answers = {row.word: True for row in house_options.questions(SAY, said)}
        said = house_options.house_words(said, answers)
    rows = house_options.questions(SAY, said)
    assert [row.word for row in rows if row.now] == sorted(
        said.split()[1:], key=[row.word for row in rows].index
    )
    chosen = [row.option for row in rows if row.now]
    assert sorted(chosen) == sorted({row.option for row in rows})


def test_a_wrong_house_is_refused():
    with pytest.raises(ValueError):
        house_options.house_words("monopoly", {})
    with pytest.raises(ValueError):
        house_options.questions(SAY, "puremco ten")
