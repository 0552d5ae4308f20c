# SPDX-License-Identifier: MIT
"""Statistics of people: what a match adds, which names are one person, and the files with
evenings."""

import json
import re
import shutil
from xml.etree import ElementTree

import hub_actions
import pytest

from host_sim.app.page.app import App
from host_sim.app.page.rights import Rights
from host_sim.app.page.shown_tables import LiveTable
from host_sim.app.page.viewer_page import ViewerPage
from host_sim.app.people import people_statistics
from host_sim.app.people.name_store import NameStore
from host_sim.app.people.people_statistics import (
    Evenings,
    MatchResult,
    NoEvenings,
    SeatResult,
    people,
)
from host_sim.app.session.match_store import MatchStore
from host_sim.app.views import evenings_picture
from host_sim.board.hub import match_export
from host_sim.table.streams import HubStream

EVENING = "2026-11-24"
# Ana, at 1, has two tiles and lays one. Zoe, at 3, laid three on her own train.
ROUND = """
house goliath
set 9
players 3
given engine 9-9
given train 1 9-5
given train 2 9-6
given train 3 9-7
given hand 1 2
given turn 3
tap 7-3 3
tap 5-1 1
"""
KNOCKED = ROUND + "press 1\ntap 6-3 2\n"
FORGOTTEN = ROUND + "tap 6-3 2\n"
END = "tap 3-2 3\ntap 1-4 1\ntap 8-5 2\npress 2\nwait 1s\npress 2\n"
END += "tap 6-5 3\npress 3\nwait 1s\npress 3\n"


def lines_of(script):
    return hub_actions.played(script).lines


def result_of(script):
    (result,) = people_statistics.results_of(lines_of(script), EVENING)
    return result


def match(names, won=(1,), evening=EVENING, marks=("a1",), game="mexican-train", most_win=False):
    """Return a MatchResult in which seat 1 went out in each round and has no points. Every other
    seat has ten points.

    names: the names at seats 1, 2 and so on
    won: the seats that won; () if the match is not finished
    marks: as in MatchResult
    """
    seats = {
        n: SeatResult(name, 0 if n == 1 else 10, len(marks) if n == 1 else 0, n in won, 5 + n, 0)
        for n, name in enumerate(names, 1)
    }
    return MatchResult(evening, game, most_win, bool(won), marks, seats)


def finished(store, people=(1, 2), **rules):
    """Let bots play and end a match, and save it as played by `people`."""
    session = store.new(**{"people": (), "set_": 6, "seats": (1, 2), **rules})
    while session.act() or session.end_match():
        pass
    session.people = set(people)
    session.save()
    session.close()
    return session


def read_all(kept):
    kept.refresh()
    while kept.due() is not None:
        kept.step()
    return kept


# ---- what a match gives ----


def test_a_round_that_is_not_finished_is_not_counted():
    assert people_statistics.results_of(lines_of(FORGOTTEN), EVENING) == []


def test_who_went_out_the_longest_train_and_a_forgotten_knock():
    result = result_of(FORGOTTEN + END)
    assert (result.evening, result.game, result.most_win) == (EVENING, "mexican-train", False)
    assert not result.finished and len(result.marks) == 1
    assert {n: (s.rounds_won, s.longest, s.late, s.won) for n, s in result.seats.items()} == {
        1: (1, 2, 1, False),
        2: (0, 1, 0, False),
        3: (0, 2, 0, False),
    }
    assert result.seats[1].points == 0 < result.seats[2].points


def test_a_knock_in_time_is_not_too_late():
    assert result_of(KNOCKED + END).seats[1].late == 0


def test_what_was_taken_back_is_not_counted():
    script = ROUND + "tap 6-3 2\nhold 2\nhold 1\ntap 5-1 1\npress 1\ntap 6-3 2\n" + END
    assert result_of(script).seats[1].late == 0
    assert result_of(script).seats[1].longest == 2


def test_no_knock_where_the_sheet_has_none():
    script = (FORGOTTEN + END).replace("house goliath", "house jassshop")
    assert result_of(script).seats[1].late == 0


def test_line_games_have_no_trains_and_no_knock(tmp_path):
    store = MatchStore(tmp_path)
    finished(store, house="block", set_=6)
    (result,) = read_all(Evenings(store)).results()
    assert (result.game, result.most_win, result.finished) == ("block", True, True)
    assert {(seat.longest, seat.late) for seat in result.seats.values()} == {(0, 0)}


def test_an_evening_lasts_until_five():
    assert people_statistics.evening_of("2026-11-25T04:59:00") == "2026-11-24"
    assert people_statistics.evening_of("2026-11-25T05:00:00") == "2026-11-25"
    assert len(people_statistics.evening_of("when?")) == 10


def test_two_matches_of_a_hub_are_two_results():
    lines = lines_of(KNOCKED + END)
    again = [line for line in lines if "input" in line]
    cleared = {**again[-1], "input": "forget 1", "did": "cleared", "phase": "lobby"}
    assert len(people_statistics.results_of([*lines, cleared, *lines], EVENING)) == 2


# ---- people ----


def test_people_are_names_and_not_seats():
    found = people(
        [
            match(["Ana", "Bo"], evening="2026-11-01"),
            match(["bo", "Ana"], marks=("b1", "b2")),
            match(["Ana", None], marks=("c1",)),
        ],
        {},
    )
    assert [(one.name, one.wins, one.matches) for one in found] == [("Ana", 2, 3), ("bo", 1, 2)]
    ana, bo = found
    assert ana.evenings == {"2026-11-01": 1, EVENING: 1} and bo.names == ["bo"]
    assert (ana.rounds, ana.rounds_won, ana.points, ana.longest) == (4, 2, 10, 7)


def test_seats_without_a_name_and_bots_are_nobody():
    assert people([match(["", None])], {}) == []


def test_two_seats_with_one_name_are_two_people():
    found = people([match(["Ana", "Ana"])], {})
    assert sorted(one.name for one in found) == ["Ana", "Ana 2"]


def test_a_match_is_counted_once():
    one, longer = match(["Ana", "Bo"]), match(["Ana", "Bo"], marks=("a1", "a2"))
    other = match(["Ana", "Bo"], marks=("",))  # rounds without a tile are like no other
    assert people_statistics.unite([one, longer, one]) == [longer]
    assert people_statistics.unite([other, other]) == [other, other]


def test_names_are_changed_united_and_separated(tmp_path):
    kept = Evenings(MatchStore(tmp_path))
    kept.add([match(["Ana", "Bo"]), match(["Anna", "Bo"], marks=("b1",))])
    assert len(people(kept.results(), kept.aliases)) == 3
    kept.rename("ana", "Anna")
    anna = people(kept.results(), kept.aliases)[0]
    assert (anna.name, anna.wins, sorted(anna.names)) == ("Anna", 2, ["Ana", "Anna"])
    again = Evenings(MatchStore(tmp_path))
    assert len(people(again.results(), again.aliases)) == 2
    again.rename("anna", "Ana")  # and back: no circle
    assert people(again.results(), again.aliases)[0].name == "Ana"
    again.rename("ana", "ANA")  # another way of writing it
    assert people(again.results(), again.aliases)[0].name == "ANA"
    again.separate("anna")
    assert sorted(one.name for one in people(again.results(), again.aliases)) == [
        "ANA",
        "Anna",
        "Bo",
    ]


# ---- the folder ----


def test_matches_kept_here_are_read_once_and_have_the_names_of_now(tmp_path):
    store = MatchStore(tmp_path)
    session = finished(store, names={1: "Ana", 2: "Bo"})
    finished(store, people=(1,), names={1: "Ana", 2: "Zoe"}, seed=2)  # Zoe is a bot
    kept = read_all(Evenings(store))
    assert sorted(one.name for one in people(kept.results(), {})) == ["Ana", "Bo"]
    assert kept.known_names() == ["Ana", "Bo"]
    again = Evenings(MatchStore(tmp_path))
    again.refresh()
    assert again.left == 0 and again.results() == kept.results()
    session.names[2] = "Mia"
    session.save()
    read_all(again)
    assert sorted(one.name for one in people(again.results(), {})) == ["Ana", "Mia"]
    store.remove(session.folder.name)
    again.forget_match(session.folder.name)
    assert '"%s"' % session.folder.name not in (tmp_path / people_statistics.FILE).read_text()
    assert len(again.results()) == 1


def test_nothing_of_the_hands_is_in_the_file(tmp_path):
    store = MatchStore(tmp_path)
    session = finished(store)
    text = read_all(Evenings(store)).text()
    assert '"seed"' not in text and str(session.folder.name) not in text
    assert '"begun"' not in text


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"roundhouse": "evenings"}', '{"roundhouse": "match"}', "[" * 5000],
)
def test_another_text_is_no_file_of_evenings(text):
    with pytest.raises(NoEvenings) as raised:
        people_statistics.read(text)
    assert not raised.value.is_newer


@pytest.mark.parametrize(
    "key, value",
    [
        ("game", "chess"),
        ("marks", []),
        ("evening", "yesterday"),
        ("seats", {}),
        ("seats", {"15": ["Ana", 0, 0, False, 0, 0]}),
        ("seats", {"1": ["Ana", float("nan"), 0, False, 0, 0]}),
        ("seats", {"1": ["Ana", 0, 2, False, 0, 0]}),
        ("seats", {"1": ["Ana", 0, 0, False, -1, 0]}),
        ("seats", {"1": ["Ana", 0, 0, False, 0, True]}),
        ("seats", {"1": ["Ana"]}),
    ],
)
def test_an_impossible_match_is_refused_with_its_file(key, value, tmp_path):
    kept = Evenings(MatchStore(tmp_path))
    kept.add([match(["Ana", "Bo"])])
    content = json.loads(kept.text())
    content["matches"][0][key] = value
    with pytest.raises(NoEvenings):
        people_statistics.read(json.dumps(content))


def test_one_file_out_and_in_again(tmp_path):
    store = MatchStore(tmp_path / "one")
    finished(store, names={1: "Ana", 2: "Bo"})
    kept = read_all(Evenings(store))
    kept.rename("bo", "Bob")
    other = Evenings(MatchStore(tmp_path / "other"))
    assert other.add(*people_statistics.read(kept.text())) == 1
    assert people(other.results(), other.aliases) == people(kept.results(), kept.aliases)
    assert other.add(*people_statistics.read(kept.text())) == 0
    assert kept.add(*people_statistics.read(other.text())) == 0
    other.forget_added()
    assert other.results() == [] and len(kept.results()) == 1


def test_names_in_a_file_are_cleaned():
    text = json.dumps(
        {
            "roundhouse": "evenings",
            "format": 1,
            "aliases": {"b\u202eo": "B\u0000o\u202e", "x": ""},
            "matches": [people_statistics.to_entry(match(["A\u202ena\n", "Bo"]))],
        }
    )
    (result,), aliases = people_statistics.read(text)
    assert result.seats[1].name == "Ana" and aliases == {"bo": "Bo"}


def test_a_damaged_file_is_set_aside_and_a_newer_one_is_left_alone(tmp_path):
    path = tmp_path / people_statistics.FILE
    path.write_text("{half")
    kept = Evenings(MatchStore(tmp_path))
    kept.add([match(["Ana", "Bo"])])
    assert path.with_suffix(".damaged").read_text() == "{half" and "Ana" in path.read_text()
    newer = '{"roundhouse": "evenings", "format": 2}'
    path.write_text(newer)
    kept = Evenings(MatchStore(tmp_path))
    kept.add([match(["Ana", "Bo"])])
    assert path.read_text() == newer and len(kept.results()) == 1


@pytest.mark.parametrize("points", [10**400, -(10**400), 1e999, "1", [1], None, 2_000_000])
def test_points_that_no_match_has_are_refused(points):
    entry = people_statistics.to_entry(match(["Ana", "Bo"]))
    entry["seats"]["1"][1] = points
    content = {"roundhouse": "evenings", "format": 1, "aliases": {}, "matches": [entry]}
    with pytest.raises(people_statistics.NoEvenings):
        people_statistics.read(json.dumps(content))


def test_half_of_a_surrogate_pair_stops_no_saving(tmp_path):
    path = tmp_path / people_statistics.FILE
    entry = {**people_statistics.to_entry(match(["Ana", "Bo"])), "marks": ["\ud800", "b"]}
    content = {"roundhouse": "evenings", "format": 1, "aliases": {}, "matches": [entry]}
    path.write_text(json.dumps({**content, "kept": {"x": ["\udfff", []]}}))
    kept = Evenings(MatchStore(tmp_path))
    kept.add([match(["Cy", "Di"])])
    assert len(Evenings(MatchStore(tmp_path)).results()) == 2


def test_a_match_that_cannot_be_read_is_counted_as_such(tmp_path):
    store = MatchStore(tmp_path)
    session = finished(store)
    for path in session.folder.glob("journal/*.rhj"):
        path.write_bytes(b"junk")
    kept = read_all(Evenings(store))
    assert (kept.results(), kept.unreadable) == ([], 1)


# ---- the page ----


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("played")
    store = MatchStore(folder)
    finished(store, names={1: "Ana", 2: "Bo"})
    finished(store, names={1: "Ana", 2: "Zoe"}, house="block", seed=2)
    return folder


@pytest.fixture
def page(played, tmp_path):
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    page = ViewerPage(App(store=MatchStore(tmp_path)), Rights(True, "own"))
    assert page.handle({"do": "evenings"})
    while page.viewer.app.due() is not None:
        page.viewer.app.step()
    return page


def shown(page):
    return page.components()["dialog"]


def test_the_page_shows_people_by_game(page):
    everything = shown(page)
    assert "1 evening, 2 matches" in everything and "Points a round" not in everything
    assert everything.count('scope="row"') == 3 and "<svg" in everything
    assert page.handle({"do": "open evenings block"})
    block = shown(page)
    assert "Points a round" in block and "Longest train" not in block
    assert block.count('scope="row"') == 2 and 'aria-pressed="true">Block dominoes' in block


def test_matches_are_read_one_after_the_other(tmp_path):
    store = MatchStore(tmp_path)
    finished(store, names={1: "Ana"})
    app = App(store=store)
    page = ViewerPage(app, Rights(True, "own"))
    before = app.state_key
    page.handle({"do": "evenings"})
    assert app.state_key != before and app.due() == 0
    assert "1 match is still being read." in shown(page)
    app.step()
    assert "still being read" not in shown(page) and app.due() is None


def open_person(page, name):
    page.handle({"do": "open evenings"})
    found = re.search(r'data-do="open evenings-person (\w+)">%s<' % name, shown(page))
    assert page.handle({"do": "open evenings-person " + found[1]})
    return found[1]


def test_a_name_is_changed_and_a_taken_one_asks(page):
    bo = open_person(page, "Bo")
    typed = {"do": "evenings-rename " + bo, "fields": {"name": "zoe"}}
    assert page.handle(typed) and "Zoe is known already. Is Bo the same person?" in shown(page)
    assert page.handle({**typed, "do": "evenings-rename %s really" % bo})
    assert shown(page).count('scope="row"') == 2
    open_person(page, "zoe")
    assert "These names count as zoe:" in shown(page) and "<b>Bo</b>" in shown(page)
    assert page.handle({"do": "evenings-separate " + bo})
    assert shown(page).count('scope="row"') == 3
    assert not page.handle({"do": "evenings-rename " + bo, "fields": {"name": " "}})


def test_two_people_of_one_table_are_not_one_person(page):
    ana = open_person(page, "Ana")
    assert page.handle({"do": "evenings-rename %s really" % ana, "fields": {"name": "Bo"}})
    assert "Ana and Bo have played at the same table" in shown(page)
    page.handle({"do": "open evenings"})
    assert shown(page).count('scope="row"') == 3


def test_a_person_is_forgotten_and_the_matches_keep_their_seats(page, tmp_path):
    """The name is gone from each file of the folder, in all its spellings; points and seats stay,
    and the match in progress goes on."""
    app = page.viewer.app
    aged = {key: set(kept.totals.items()) for key, kept in totals(app.store).items()}
    NameStore(tmp_path).save({"1": "Bo", "3": "ANA"})
    app.evenings.add([match(["Anna", "Bo"], marks=("far",))])
    app.evenings.rename("anna", "Ana")
    app.store.lesson("round", "Ana").session.close()
    app.start_match(seats=(1, 2), people=(1, 2), names={1: "Bo", 2: "ana"}, set_=6)
    playing = app.table.session
    stood_up = app.store.new(seats=(1, 2), people=(1, 2), names={1: "Ana"}, set_=6)
    stood_up.stand_up(1)
    stood_up.close()
    ana = open_person(page, "Ana")
    assert page.handle({"do": "open evenings-forget-person " + ana})
    asked = shown(page)
    assert "Forget Ana?" in asked and "cannot be undone" in asked and "links" in asked
    assert app.evenings.known_names() == ["Ana", "Bo", "Zoe"], "it only asked"
    assert page.handle({"do": "evenings-forget-person " + ana})
    assert "Ana" not in shown(page) and shown(page).count('scope="row"') == 2
    assert app.evenings.known_names() == ["Bo", "Zoe"] and app.evenings.aliases == {}
    assert playing.people == {1, 2} and playing.names == {1: "Bo"} == {1: app.names["1"]}
    assert page.viewer.seat_name(2) == "player 2"
    assert (
        playing.save() is None and not left_of("ana", tmp_path) and not left_of("anna", tmp_path)
    )
    now = totals(app.store)
    assert {key: set(now[key].totals.items()) for key in aged} == aged
    assert {seat for key in aged for seat in now[key].people} == {1, 2}
    assert app.evenings.added[0].seats[1] == match(["", "Bo"], marks=("far",)).seats[1]
    assert NameStore(tmp_path).names == {"1": "Bo"}
    again = Evenings(MatchStore(tmp_path))
    assert read_all(again).known_names() == ["Bo", "Zoe"]
    assert not page.handle({"do": "evenings-forget-person " + ana})


def totals(store):
    return {kept.id: kept for kept in store.matches()}


def left_of(name, folder):
    """Return the files of a folder that still have a name."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return [path for path in files if '"%s"' % name in path.read_text("latin-1").casefold()]


def test_one_of_two_with_the_same_name_is_forgotten(tmp_path):
    """In one match, a second Ana counts as Ana 2: the first one stays."""
    kept = Evenings(MatchStore(tmp_path))
    kept.add([match(["Ana", "ana", "Bo"])])
    kept.forget_person("ana 2")
    assert kept.added[0].names == {1: "Ana", 2: "", 3: "Bo"}
    kept.forget_person("ana")
    assert kept.added[0].names == {1: "", 2: "", 3: "Bo"}


def test_a_person_is_forgotten_at_a_real_hub(tmp_path):
    names = NameStore(tmp_path)
    names.save({"1": "Ana", "2": "Bo"})
    app = App(LiveTable(HubStream(), names.names, names.save), MatchStore(tmp_path))
    app.forget_person("ana")
    assert app.names == {"2": "Bo"} == NameStore(tmp_path).names


def test_the_match_of_a_hub_asks_who_sat_where(page, tmp_path):
    store = MatchStore(tmp_path / "hub")
    session = finished(store, seed=7)
    text = match_export.replay_export(store.segments(session.folder.name))[1]
    assert page.handle({"do": "evenings-add", "fields": {"text": text}})
    assert "Who sat where?" in shown(page) and '<option value="Ana"' in shown(page)
    fields = {"name1": "Mia", "name2": "", "when": "2025-01-31"}
    assert page.handle({"do": "evenings-count", "fields": fields})
    everything = shown(page)
    assert "1 match was added." in everything and "Mia" in everything
    assert "2 evenings, 3 matches" in everything
    assert "1 seat without a name is not counted." in everything
    assert page.handle({"do": "evenings-add", "fields": {"text": text}})
    assert "Everything in this file is counted already." in shown(page)
    assert page.handle({"do": "evenings-forget"}) and "Mia" not in shown(page)


def test_the_file_of_a_match_kept_here_is_known(page):
    store = page.viewer.app.store
    text = match_export.replay_export(store.segments(store.matches()[0].id))[1]
    assert page.handle({"do": "evenings-add", "fields": {"text": text}})
    assert "Everything in this file is counted already." in shown(page)


@pytest.mark.parametrize(
    "text, answer",
    [
        ("", "This file holds neither"),
        ("\x00junk", "This file holds neither"),
        ('{"roundhouse": "evenings", "format": 9}', "A newer version wrote this file."),
    ],
)
def test_a_bad_file_gets_one_clear_answer(page, text, answer):
    before = page.viewer.app.evenings.results()
    assert page.handle({"do": "evenings-add", "fields": {"text": text}})
    assert shown(page).count('role="alert"') == 1 and answer in shown(page)
    assert page.viewer.app.evenings.results() == before


def test_only_the_owner_sees_them(page):
    guest = ViewerPage(page.viewer.app, Rights(False, "phone"))
    for words in ("evenings", "evenings-save", "evenings-forget", "open evenings"):
        assert not guest.handle({"do": words})
    assert guest.viewer.take_messages() and "Ana" not in guest.components()["dialog"]


def test_known_names_are_offered_to_the_owner_alone(page):
    app = page.viewer.app
    for words in ("open new", "open seats"):
        app.start_match(seats=(1, 2), people=(1,), names={1: "Ana"}, set_=6)
        assert page.handle({"do": words}) and '<option value="Zoe"' in shown(page)
        assert shown(page).count("<datalist") == 1
    guest = ViewerPage(app, Rights(False, "phone"))
    assert guest.handle({"do": "open seats"})
    assert 'list="people"' in shown(guest) and "<datalist" not in shown(guest)


def test_the_file_is_saved(page):
    page.viewer.take_messages()
    assert page.handle({"do": "evenings-save"})
    (message,) = page.viewer.take_messages()
    assert message["file"]["name"] == "roundhouse-evenings.json"
    assert len(people_statistics.read(message["file"]["text"])[0]) == 2


# ---- the picture ----


def test_the_picture_shows_who_played_and_who_won():
    played = {"2026-11-%02d" % day: 0 for day in range(1, 15)}
    rows = [("Ana", {**played, "2026-11-14": 2}), ("A & very long name", {"2026-11-13": 1})]
    drawn = evenings_picture.svg(rows, lambda evening: evening[8:], 'who "won"')
    root = ElementTree.fromstring(drawn)
    assert root.get("aria-label") == 'who "won"'
    kinds = [circle.get("class") for circle in root.findall(".//{*}circle")]
    assert kinds.count("won") == 2 and kinds.count("played") == 11 and kinds.count("away") == 11
    texts = [text.text for text in root.findall(".//{*}text")]
    assert texts[:6] == ["14", "12", "10", "08", "06", "04"], "the newest first, each other one"
    assert texts[6:] == ["Ana", "2", "A & very long…"]
