# SPDX-License-Identifier: MIT
"""The story of a table: sentences for people, made of a hub's lines. Every table script is told
too, by test_scripts."""

import doctest
import json
import re

import pytest
from make_exports import FOLDER, SEATS
from story_checks import NAMES, wrong

from host_sim.hub import match_export, table_script
from host_sim.hub.simulated_hub import SimulatedHub
from host_sim.views import story
from host_sim.views.i18n import LANGUAGES, TABLE, Translator
from host_sim.views.story import KINDS, TELLS, Story
from roundhouse import constants
from roundhouse.games import houses


def told(script, names=None, language="en", since=None):
    """Return [Said, ...] of a table script, of the lines after the input `since`."""
    played = table_script.Script()
    played.run(script)
    teller = Story(Translator(language), NAMES if names is None else names)
    found = []
    for line in played.board.lines:
        said = teller.line(line)
        found = [] if line.get("input") == since else found + said
    return found


def texts(script, **how):
    return [said.text.replace("\u2019", "'") for said in told(script, **how)]


def test_the_example_of_the_module_runs():
    assert doctest.testmod(story).failed == 0


IN_PLAY = """
house puremco
players 3
given engine 12-12
given train 1 12-5
given train 2 12-6
given turn 1
"""


def test_who_laid_drew_passed_and_knocked():
    script = IN_PLAY + "given hand 1 3\ntap 12-4 M\ntap 6-1 2\npress 3\npress 3\n"
    script += "tap 5-1 1\npress 1\nhold 1\nhold 1\n"
    assert texts(script, since="power-up") == [
        "Ana laid 12-4 on the Mexican Train.",
        "Bo laid 6-1 on their own train.",
        "Zoe drew a tile.",
        "Zoe passed. Zoe's train is open.",
        "Ana laid 5-1 on their own train.",
        "Ana knocks: one tile left!",
        "Ana takes back: Ana knocks: one tile left!",
        "Ana takes back: pick up 5-1 from Ana's station.",
    ]


def test_a_marker_goes_up_and_comes_off():
    script = IN_PLAY + "given marker 2\ntap 6-3 2\ntap 3-1 2\n"
    assert texts(script, since="power-up") == [
        "Ana laid 6-3 on Bo's train.",
        "Bo laid 3-1 on their own train. Bo's train is closed again.",
    ]


def test_a_double_says_what_it_asks_for():
    script = IN_PLAY + "tap 5-5 1\ntap 6-2 2\npress 1\npress 1\ntap 6-3 2\npress 2\npress 2\n"
    script += "tap 5-9 1\n"
    assert texts(script, since="power-up") == [
        "Ana laid 5-5 on their own train. After the double Ana goes on.",
        "6-2 is refused: Bo's train is not open now.",
        "Ana drew a tile.",
        "Ana passed. Ana's train is open. Now Bo has to close the double at Ana's station.",
        "6-3 is refused: close the double at Ana's station first.",
        "Bo drew a tile.",
        "Bo passed. Bo's train is open. Now Zoe has to close the double at Ana's station.",
        "Zoe laid 5-9 on Ana's train. The double is closed.",
    ]


def test_without_names_players_and_stations_have_numbers():
    script = IN_PLAY + "press 2\ntap 12-4 3\ntap 5-1 1\nhold 2\n"
    assert texts(script, names={}, since="power-up") == [
        "Not now, player 2: player 1 is to play now.",
        "12-4 is refused: player 3's train is not open now.",
        "Player 1 laid 5-1 on their own train.",
        "Player 2 takes back: pick up 5-1 from station 1.",
    ]


def test_a_forgotten_tap_is_told_as_it_was_booked():
    """Seat 3 taps in Bo's turn: the hub books it on Bo, and the story says so."""
    script = IN_PLAY + "given marker 3\ngiven train 3 12-8\ntap 5-1 1\ntap 8-2 3\n"
    assert texts(script, since="power-up")[1] == "Bo laid 8-2 on Zoe's train."


def test_an_override_is_said():
    script = IN_PLAY + "override 9-8 3\n"
    said = texts(script, since="power-up")[0]
    assert said == "Ana laid 9-8 on Zoe's train. The table decides: it counts."


def test_a_round_its_counting_and_the_next():
    script = IN_PLAY + "given hand 1 1\ntap 5-1 1\ntap 6-4 2\npress 2\nwait 1s\npress 2\n"
    script += "score 3 7\nhold E\nsay undo\nsay redo\nsay redo\n"
    said = told(script.replace("score", "say score"), since="power-up")
    assert [(one.text.replace("\u2019", "'"), one.kind, one.seat) for one in said] == [
        ("Ana laid 5-1 on their own train.", "laid", 1),
        ("Ana is out! The round is over.", "out", 1),
        ("Now everybody counts the tiles they still hold.", "round", None),
        ("Bo counts 6-4.", "counted", 2),
        (
            "Not now, Bo: by the count you held 15 tiles. If you have tapped all you have, "
            "say it once more.",
            "refused",
            2,
        ),
        ("Bo has counted.", "done", 2),
        ("Zoe has counted: 7 points.", "done", 3),
        ("Points of round 1: 0 for Ana, 10 for Bo, 7 for Zoe.", "round", None),
        ("Round 2: take 15 tiles each.", "dealt", None),
        ("Taken back: Zoe has counted: 7 points.", "took-back", None),
        ("Taken back: Bo has counted.", "took-back", None),
        ("It counts again: Bo has counted.", "put-back", None),
        ("It counts again: Zoe has counted: 7 points.", "put-back", None),
    ]


def test_from_the_deal_to_the_end_of_the_match_and_to_a_new_one():
    script = "house quebec\nset 6\nplayers 2\npress E\ntap 6-6 1\npress E\npress E\npress E\n"
    assert texts(script + "press 1\n", since="press 2") == [
        "Round 1: take 10 tiles each.",
        "Ana laid 6-6 in the middle and starts.",
        "You have ended the round.",
        "Now everybody counts the tiles they still hold.",
        "Points of round 1: 0 for Ana, 0 for Bo.",
        "Round 2: take 10 tiles each.",
        "The match is over. Ana and Bo win together with 0 points!",
        "A new match, with the same players.",
    ]


def test_a_line_game_has_lines_and_no_trains():
    script = "house classic\nplayers 3\npress E\ntap 9-9 2\ntap 9-4 3\ntap 4-1 3\ntap 1-1 7\n"
    said = texts(script + "tap 9-1 M\nhold M\n", since="press E")
    assert said == [
        "Bo opened with 9-9.",
        "Zoe laid 9-4 and begins a line at Zoe's station.",
        "Ana laid 4-1 at Zoe's station.",
        "1-1 is refused: no line can begin with it there.",
        "Bo laid 9-1 and begins a line at M.",
        "Taken back: pick up 9-1 from M.",
    ]
    assert not any("train" in text.lower() for text in said)


def test_rules_are_told_with_their_sheet_and_never_by_their_id():
    teller = Story(Translator("en"), {})
    for house, name in enumerate(houses.HOUSES):
        plain = teller.house_words(name)
        sheet = plain.split(":")[0]
        assert len(plain) > 60 and len(sheet) < 60, plain
        for word, _ in houses.variants(house):
            with_it = teller.house_words("%s %s" % (name, word))
            assert with_it.startswith(plain + "; ")
            assert "-" not in word or word not in with_it
    assert {*houses.HOUSES} == set(TABLE["en"]["houses"])
    assert teller.house_words("club no-lock").startswith(
        "your own rules, called \u201cclub\u201d; "
    )


def test_every_did_has_its_teller_and_every_verdict_its_reason():
    for verdict in constants.VERDICTS[1:]:
        assert any(row.startswith(verdict) for row in TABLE["en"]["refused"]), verdict
    assert {kind for kind, _ in TELLS.values()} | {"refused", "health", "note"} == set(KINDS)


def test_health_and_trouble():
    teller = Story(Translator("en"), {})
    for line, said in (
        ({"slot": "4", "reader": "fault"}, "The reader at station 4 does not work."),
        ({"slot": "M", "button": "stuck"}, "The button on the Mexican Train is stuck."),
        ({"slot": "M", "button": "ok"}, "The button on the Mexican Train works again."),
        ({"slot": "4", "reader": "ok"}, "The reader at station 4 works again."),
        ({"error": "segment 3 is damaged"}, "Some of what the hub had kept cannot be read."),
        ({"dropped": 3}, "Some of what the hub said was lost."),
    ):
        assert [one.text for one in teller.line(line)] == [said]
    assert teller.line({"slot": "4", "reader": "reset"}) == []
    slow = teller.line({"slot": "4", "reader": "slow"})
    assert slow[0].text.endswith("so all are asked more slowly.")
    assert "lamps are dimmer" in teller.line({"warning": "VSYS is 4.2 V"})[0].text
    assert teller.line({"segment": 1, "data": "00"}) == teller.line({"help": []}) == []


def test_a_late_comer_is_told_what_can_be_told():
    """Of firmware without `by` and `did`, from its first line on; and a take-back of what this
    story did not hear."""
    board = SimulatedHub()
    for seat in ("1", "2"):
        board.press(seat)
    board.tap("12-12", "1")
    tapped = board.tap("12-5", "1")
    teller = Story(Translator("en"), NAMES)
    said = teller.line({key: tapped[key] for key in tapped if key not in ("by", "did")})
    assert [one.text for one in said] == ["12-5 at Ana\u2019s station."]
    teller = Story(Translator("en"), NAMES)
    assert teller.line(board.say("state")) == []
    assert teller.line(board.hold("2"))[0].text == "Bo takes back: what was done last."
    assert teller.line(board.tap("12-5", "1"))[0].text == "Ana laid 12-5 on their own train."


def test_what_was_missed_is_not_taken_back_by_name():
    board = SimulatedHub()
    teller = Story(Translator("en"), NAMES)
    for seat in ("1", "2", "3"):
        teller.line(board.press(seat))
    board.press("4")  # the cable was out
    teller.line(board.say("state"))
    assert teller.line(board.say("undo"))[0].text == "Taken back: what was done last."


@pytest.mark.parametrize("house", houses.HOUSES)
def test_an_export_of_each_house_is_told_with_and_without_by_and_did(house):
    """The file has what older firmware printed, and what today's answers to `export`."""
    path = FOLDER / (house + ".jsonl")
    older = [json.loads(line) for line in path.read_text().splitlines()]
    older = older[: next(at for at, line in enumerate(older) if "segment" in line)]
    assert len(older) > 15 and not any("did" in line or "by" in line for line in older)
    replayed = match_export.read(path.read_text())
    assert wrong(older) == wrong(replayed) == []
    acts = {
        "opened",
        "laid",
        "drew",
        "passed",
        "out",
        "counted",
        "done",
        "round",
        "match",
        "dealt",
    }
    stories = []
    for lines in (older, replayed):
        teller = Story(Translator("en"), NAMES)
        stories.append([said for line in lines for said in teller.line(line) if said.kind in acts])
    assert stories[0] == stories[1]
    assert {"opened", "laid", "round", "counted", "match"} <= {said.kind for said in stories[0]}
    assert {said.seat for said in stories[0]} == {None, *SEATS}


def test_a_story_that_is_wrong_is_seen(monkeypatch):
    """The check that every table script goes through is not blind."""
    played = table_script.Script()
    played.run(IN_PLAY + "tap 5-1 1\ntap 6-5 M\npress 3\n")
    lines = played.board.lines
    assert wrong(lines) == []
    for row, text in (
        ("story.laid_own", "Zoe laid {tile}."),
        ("story.laid_own", "{name} laid {tile} at station 1."),
        ("story.laid_own", "{name} pressed."),
        ("refused.not-your-turn", "not-your-turn."),
        ("refused.not-your-turn", "it is not your turn."),
    ):
        section, name = row.split(".")
        with monkeypatch.context() as patched:
            for language in LANGUAGES:
                patched.setitem(TABLE[language][section], name, text)
            assert wrong(lines), text


def test_french_elides_before_a_vowel():
    said = texts(IN_PLAY + "tap 6-5 1\nhold 1\n", language="fr", since="power-up")
    assert said[-1] == "Ana reprend\u00a0: ramassez 6-5 à la gare d'Ana."
    assert re.match("6-5|Ana pose 6-5 sur son propre train", said[0])
