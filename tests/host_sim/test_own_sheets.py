# SPDX-License-Identifier: MIT
"""A table's own rule sheet: made from answers, described, saved, and used in a match."""

import json
import re

import pytest
from hub_actions import quick_hub

from host_sim.app.page import new_match_form
from host_sim.app.people import own_sheets
from host_sim.app.people.own_sheets import OTHER, OwnSheet, OwnSheets, SheetError, from_answers
from host_sim.app.session.match_session import MatchSession
from host_sim.app.session.match_store import MatchStore
from host_sim.app.views.i18n import LANGUAGES, Translator
from host_sim.board.hub import match_export
from host_sim.board.hub.simulated_hub import configured
from roundhouse import games
from roundhouse.games import houses

CLUB = OwnSheet("Club", "puremco", {"deal": "5 4", "rounds": "2", "lock": "no"})
# sheets of real clubs
IDAHO = {"deal": "16 15 14 13 12 11 10", "first-turn": "any", "not-begun": "any"}
CLUBS = [
    OwnSheet("idaho", "jassshop", IDAHO),
    OwnSheet("florida", "puremco", {"deal": "12", "first-engine": "9"}),
    OwnSheet("texas", "puremco", {"deal": "12 11 10 12 11 10 9"}),
]
THIRTEEN = OwnSheet("Thirteen", "puremco", {"deal": "16 15 14 13 12 11 10 9 8 7 6 5 4"})


def answers(sheet):
    """Return the fields of the form, filled in with the answers that describe a sheet."""
    fields = {"base": sheet.base, "asked": sheet.base, "title": sheet.title}
    for asked in own_sheets.questions(Translator("en"), sheet).values():
        for question in asked:
            for answer in question.answers:
                if answer.chosen:
                    fields["answer-" + question.option] = answer.value
                if answer.typed is not None:
                    fields["typed-" + question.option] = answer.typed
                    fields["was-" + question.option] = answer.typed
    return fields


@pytest.mark.parametrize("base", own_sheets.BASES)
def test_each_question_has_one_answer_chosen_and_the_base_gives_it(base):
    asked = own_sheets.questions(Translator("en"), OwnSheet("x", base, {}))
    assert list(asked)[:6] == ["deal", "rounds", "engine", "cover", "penalties", "blank"]
    for question in (question for group in asked.values() for question in group):
        chosen = [answer for answer in question.answers if answer.chosen]
        assert len(chosen) == 1 and base in chosen[0].sheets, question
    plain = answers(OwnSheet("x", base, {}))
    assert from_answers(plain) == OwnSheet("x", base, {})


@pytest.mark.parametrize("sheet", [CLUB, *CLUBS, THIRTEEN], ids=lambda sheet: sheet.name)
def test_answers_there_and_back(sheet):
    assert from_answers(answers(sheet)) == sheet
    own_sheets.check(sheet)


def test_what_the_new_base_says_itself_is_dropped():
    fields = {**answers(CLUB), "base": "jassshop"}
    assert from_answers(fields) == CLUB._replace(base="jassshop")
    fields["answer-second-tile"] = "double"  # as jassshop has it
    fields["answer-deal"] = own_sheets.hands("jassshop")
    fields["typed-deal"] = fields["was-deal"] = ""
    assert from_answers(fields) == OwnSheet("Club", "jassshop", {"rounds": "2", "lock": "no"})


def test_numbers_that_were_just_typed_are_the_answer():
    fields = {**answers(OwnSheet("x", "puremco", {})), "typed-deal": "15, 15/12"}
    assert from_answers(fields).options == {"deal": "15 15 12"}
    fields["was-deal"] = fields["typed-deal"]  # they stand there from before
    assert from_answers(fields).options == {}


@pytest.mark.parametrize(
    ("option", "typed"),
    [
        *(("deal", ""), ("deal", "0"), ("deal", "31"), ("deal", "a"), ("deal", "3 " * 14)),
        *(("rounds", "0"), ("rounds", "20"), ("rounds", "1 2"), ("first-engine", "19")),
        ("first-engine", "\u0663"),
    ],
)
def test_numbers_that_cannot_be(option, typed):
    fields = {"base": "puremco", "answer-" + option: OTHER, "typed-" + option: typed}
    with pytest.raises(SheetError) as error:
        from_answers(fields)
    for language in LANGUAGES:
        assert Translator(language)(error.value.key, **error.value.values)


def test_first_and_rising_engines_only_where_the_sheet_has_engines():
    sheet = OwnSheet("x", "puremco", {"first-engine": "5", "engines": "up"})
    fields = {**answers(sheet), "answer-engine": "highest"}
    assert from_answers(fields).options == {"engine": "highest"}
    asked = own_sheets.questions(Translator("en"), from_answers(fields))
    assert [question.option for question in asked["engine"]] == ["engine"]


def test_junk_is_the_base():
    fields = {"base": "bingo", "asked": "x", "answer-lock": "maybe", "answer-deal": "1 2"}
    assert from_answers(fields) == OwnSheet("", "puremco", {})


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Our Thursday Club!", "our-thursday-clu"),
        ("Müllers Straße", "muellers-strasse"),
        ("Chez Élodie", "chez-elodie"),
        ("日本", ""),
    ],
)
def test_a_name_that_a_hub_can_read(title, name):
    assert OwnSheet(title, "puremco", {}).name == name


def test_a_sheet_in_words():
    assert own_sheets.house_words(CLUB) == "puremco deal-5-4 rounds-2 no-lock"
    assert own_sheets.house_words(CLUB._replace(options={"deal": "any"})) == "puremco deal-any"
    assert own_sheets.house_words(CLUBS[0]) == (
        "jassshop name=idaho deal=16-15-14-13-12-11-10 first-turn=any not-begun=any"
    )
    for language in LANGUAGES:
        assert len(own_sheets.differences(Translator(language), CLUB)) == 3


@pytest.mark.parametrize("sheet", [CLUB, *CLUBS, THIRTEEN], ids=lambda sheet: sheet.name)
def test_a_hub_takes_the_lines_for_config_py(sheet):
    values = {}
    exec(own_sheets.config_lines(sheet), values)
    board = quick_hub(configured(HOUSE=values["HOUSE"], FAMILY=values["FAMILY"]))
    try:
        assert board.command("state")["house"] == sheet.name
    finally:
        houses.set_family({})


MUTE = OwnSheet("Mute", "quebec", {"second-tile": "double", "lift": "yes", "deal": "9 8"})


@pytest.mark.parametrize("sheet", [CLUB, *CLUBS, MUTE, THIRTEEN], ids=lambda sheet: sheet.name)
def test_a_card_makes_a_hub_play_by_a_sheet(sheet):
    """A card gives the hub the rules of a sheet, also after a power cut."""
    with own_sheets.known(sheet.family):
        wanted = houses.preset(houses.HOUSES.index(sheet.name))
    board = quick_hub(configured())
    words = own_sheets.house_words(sheet)
    assert board.tap("house " + words, "3")["verdict"] == "ok"
    assert board.hub.table.options == wanted
    board.power_on()
    assert board.hub.table.options == wanted
    said = board.command("state")["house"].split()
    assert said == [sheet.name] if "=" in words else sorted(said) == sorted(words.split())


def test_a_card_adds_one_house_and_spoils_none():
    board = quick_hub(configured(FAMILY={"aunt": ("quebec", {})}))
    for wrong in ("puremco name=aunt lock=no", "puremco lock=perhaps", "nobody lock=no"):
        before = bytes(board.hub.table.state)
        assert board.tap("house " + wrong, "3")["verdict"] == "unreadable"
        assert board.hub.table.state == before and list(games.family) == ["aunt"]
    for name in ("one", "two"):
        assert board.tap("house puremco lock=no name=" + name, "3")["verdict"] == "ok"
        assert sorted(games.family) == sorted(["aunt", name])
    assert board.tap("house aunt", "3")["verdict"] == "ok"
    assert "config.py has another house aunt" in board.command("house puremco name=aunt")["error"]


# ---- kept ----


def test_a_kept_sheet_is_there_again_and_a_name_that_is_taken_asks(tmp_path):
    kept = OwnSheets(tmp_path / "new")
    assert kept.sheets() == {}
    kept.keep(CLUB)
    assert OwnSheets(tmp_path / "new").sheets() == {"club": CLUB}
    other = CLUB._replace(title="CLUB", options={})
    with pytest.raises(SheetError, match="taken"):
        kept.keep(other)
    assert kept.sheets() == {"club": CLUB}
    kept.keep(other, replace=True)
    assert kept.sheets() == {"club": other}
    kept.remove("club")
    assert kept.sheets() == {}


KEPT_WITH_NINE_NUMBERS = {  # own-sheets.json of a program for ten seats
    "many": ("Many", "puremco", {"deal": "12 12 12 12 12 10 10 8 8", "rounds": "6"}),
    "mixed": ("Mixed", "quebec", {"engines": "up", "deal": "16 15", "lift": "yes", "blank": "25"}),
    "any": ("Any", "cardinal", {"deal": "any"}),
    "as-jassshop": ("As Jassshop", "puremco", {"deal": "15 15 15 12 12 10 10 8"}),
    "plain": ("Plain", "goliath", {}),
}


def test_sheets_kept_with_nine_numbers_are_read_and_written_back_unchanged(tmp_path):
    kept = OwnSheets(tmp_path)
    entries = {
        name: {"title": title, "base": base, "options": options}
        for name, (title, base, options) in KEPT_WITH_NINE_NUMBERS.items()
    }
    kept.path.write_text(json.dumps(entries))
    sheets = kept.sheets()
    assert sheets == {name: OwnSheet(*row) for name, row in KEPT_WITH_NINE_NUMBERS.items()}
    for name, sheet in sheets.items():
        assert from_answers(answers(sheet)) == sheet
        kept.keep(sheet, replace=True)
        if sheet.options:
            with own_sheets.known(sheet.family):
                known = houses.preset(houses.HOUSES.index(name))
                told = own_sheets.house_words(sheet).split()
                assert houses.preset(*houses.parse(told)) == known
    assert json.loads(kept.path.read_text()) == entries


@pytest.mark.parametrize("title", ["", "!", "PureMCO", "matador"])
def test_a_name_that_cannot_be(tmp_path, title):
    with pytest.raises(SheetError):
        OwnSheets(tmp_path).keep(CLUB._replace(title=title))
    assert not list(tmp_path.iterdir())


def test_ten_sheets_are_the_most(tmp_path):
    kept = OwnSheets(tmp_path)
    for n in range(10):
        kept.keep(CLUB._replace(title="club %d" % n))
    with pytest.raises(SheetError, match="full"):
        kept.keep(CLUB)
    kept.keep(CLUB._replace(title="club 3", options={}), replace=True)
    assert len(kept.sheets()) == 10


@pytest.mark.parametrize(
    "entry",
    [
        *(None, 5, {}, {"title": "later", "base": "puremco", "options": {"wind": "east"}}),
        {"title": "later", "base": "bingo", "options": {}},
        {"title": "later", "base": "puremco", "options": {"lock": "maybe"}},
        {"title": "other", "base": "puremco", "options": {}},
        {"title": "later", "base": "puremco", "options": {"engine": "any"}},
        {"title": "later", "base": "puremco", "options": {"deal": "sheet"}},
    ],
)
def test_an_entry_that_cannot_be_read_stays_in_the_file(tmp_path, entry):
    kept = OwnSheets(tmp_path)
    kept.path.write_text(json.dumps({"later": entry}))
    assert kept.sheets() == {}
    kept.keep(CLUB)
    assert kept.sheets() == {"club": CLUB}
    assert json.loads(kept.path.read_text())["later"] == entry


@pytest.mark.parametrize("text", ["", "{", "[]", "[" * 100_000])
def test_a_damaged_file_is_set_aside(tmp_path, text):
    kept = OwnSheets(tmp_path)
    kept.path.write_text(text)
    assert kept.sheets() == {}
    kept.keep(CLUB)
    assert kept.sheets() == {"club": CLUB}
    assert kept.path.with_suffix(".damaged").read_text() == text


# ---- a match ----


def test_the_houses_are_as_before_whatever_happens():
    houses.set_family({"aunt": ("quebec", {})})
    try:
        with own_sheets.known(CLUB.family):
            assert houses.HOUSES[-1] == "club"
        with (
            pytest.raises(ValueError, match="no lock maybe"),
            own_sheets.known({"x": ("puremco", {"lock": "maybe"})}),
        ):
            pass
        assert houses.HOUSES[-1] == "aunt" and list(games.family) == ["aunt"]
    finally:
        houses.set_family({})


def test_a_match_keeps_its_sheet(tmp_path):
    store = MatchStore(tmp_path)
    rules = {"house": "club", "family": CLUB.family, "set_": 6, "seats": (1, 2, 3)}
    session = store.new(people=(), seed=3, **rules)
    assert not games.family
    assert session.options["lock"] == "no" and session.sheet == "puremco"
    while session.waits_for().kind in ("bot", "table"):
        session.act()
    assert session.table.house == "club"

    id_ = session.folder.name
    session.close()
    OwnSheets(tmp_path).keep(CLUB._replace(base="quebec", options={}))  # changed since
    assert [kept.house for kept in store.matches()] == ["club"]
    session = store.open(id_)
    assert session.options["lock"] == "no" and session.options["rounds"] == "2"
    rounds = 0
    while session.waits_for().kind != "over":
        if session.waits_for().kind == "round":
            rounds += 1
            session.next_round()
        session.act()
    assert session.line["phase"] == "finished" and rounds == 1
    assert store.recorded(id_).dealer.options["lock"] == "no"
    session.close()
    assert MatchSession.resume(session.folder).line["phase"] == "finished"
    assert not games.family


@pytest.mark.parametrize("family", [None, [], {"club": 1}, {"club": ["bingo", {}]}, {}])
def test_a_match_without_its_sheet_is_not_one(tmp_path, family):
    store = MatchStore(tmp_path)
    session = store.new(house="club", family=CLUB.family, set_=6, seats=(1, 2))
    session.close()
    path = session.folder / "match.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "family": family}))
    assert store.matches() == [] and store.strange == [session.folder.name]
    assert not games.family


def test_a_match_in_which_the_hub_does_not_count(tmp_path):
    sheet = OwnSheet("Oma", "cardinal", {"deal": "any", "rounds": "1", "engines": "up"})
    store = MatchStore(tmp_path)
    session = store.new(house="oma", family=sheet.family, set_=6, seats=(1, 2), people=())
    for _ in range(20):
        session.act()
    session.close()
    session = store.open(session.folder.name)
    while session.waits_for().kind != "over":
        session.act() or session.next_round()
    assert session.line["phase"] == "finished" and session.line["round"] == 1


def test_fourteen_play_by_a_sheet_with_thirteen_numbers(tmp_path):
    store = MatchStore(tmp_path)
    rules = {"house": THIRTEEN.name, "family": THIRTEEN.family, "set_": 12}
    session = store.new(seats=range(1, 15), people=(), seed=3, **rules)
    for _ in range(60):
        session.act()
    hands = {seat: len(hand) for seat, hand in session.hands.items()}
    session.close()
    session = store.open(session.folder.name)
    assert {seat: len(hand) for seat, hand in session.hands.items()} == hands
    assert hands == {int(seat): count for seat, count in session.line["hands"].items()}
    assert [*hands] == [*range(1, 15)]
    exported = match_export.read(session.export())
    session.close()
    first = next(line for line in exported if line["round"])
    assert [*first["hands"].values()] == [4] * 14 and first["boneyard"] == 34
    assert exported[-1]["hands"] == {str(seat): count for seat, count in hands.items()}


def test_a_form_for_more_players_than_were_measured():
    kept = {THIRTEEN.name: THIRTEEN}
    fields = {"house": THIRTEEN.name, "set": "12", "players": "14"}
    choice = new_match_form.Choice(Translator("en"), {**fields, "rounds": "evening"}, kept)
    assert (choice.players, choice.round_s, choice.how_long) == (14, None, "")
    said = new_match_form.summary(Translator("en"), choice).replace("\xa0", " ")
    assert said == "14 players · double 12 · all 13 rounds"
    assert len({*choice.names().values()}) == 14 - choice.here


def test_an_own_deal_seats_as_many_as_its_tiles_allow():
    many = OwnSheet("Many", "puremco", {"deal": "12 12 12 12 12 10 10 8 8"})
    few = OwnSheet("Few", "puremco", {"deal": "25"})
    any_ = OwnSheet("Any", "puremco", {"deal": "any"})
    rows = own_sheets.rows(Translator("en"), {one.name: one for one in (many, few, any_)})
    assert [row.players for row in rows] == [
        {6: (2, 2), 9: (2, 4), 12: (2, 11), 15: (2, 14), 18: (2, 14)},
        {9: (2, 2), 12: (2, 3), 15: (2, 5), 18: (2, 7)},
        dict.fromkeys((6, 9, 12, 15, 18), (2, 14)),
    ]


@pytest.mark.parametrize(
    "numbers, text",
    [
        ("7", "7 tiles each"),
        ("7 6", "7 tiles with 2 players, 6 with more"),
        ("16 16 15 14", "16 tiles with 2 or 3 players, 15 with 4, 14 with more"),
        ("15 15 15 12", "15 tiles with 2, 3 or 4 players, 12 with more"),
    ],
)
def test_a_deal_is_told_in_words(numbers, text):
    assert own_sheets.deal_text(Translator("en"), numbers) == text


@pytest.mark.parametrize("base", own_sheets.BASES)
def test_no_answer_is_a_bare_list_of_numbers(base):
    groups = own_sheets.questions(Translator("en"), OwnSheet("", base, {}))
    answers = [answer for group in groups.values() for one in group for answer in one.answers]
    assert all(re.search("[a-z]{3}", answer.text) for answer in answers)
