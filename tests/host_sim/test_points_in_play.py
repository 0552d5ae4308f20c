# SPDX-License-Identifier: MIT
"""Hub, views and table scripts handle a game that gives points during play.

The game is `draw` with five points for each tile after the opening tile.
"""

import hub_actions
import pytest
from hub_actions import quick_hub

from host_sim.app.views.i18n import LANGUAGES, Translator
from host_sim.app.views.story import Story
from host_sim.board.hub.table_script import ExpectationFailed
from host_sim.table.model import TableModel
from roundhouse import constants, games

FIVE = 2 * 5


@pytest.fixture
def rules(monkeypatch):
    """Install the made-up game, and yield its rules, a dict:

    "target": the total that ends the match, or None
    "HANDS_COUNT": whether hands are counted
    """
    made_up = {"target": None, "HANDS_COUNT": True}
    load = games.play

    def loaded(number):
        module = load(number)
        if games.GAMES[number] == "line_games" and not hasattr(module, "as_ever"):
            module.as_ever = module.tile_laid
            module.tile_laid = tile_laid
            module.HANDS_COUNT = made_up["HANDS_COUNT"]
        return module

    def tile_laid(m, slot, tile):
        m.award(m.turn, FIVE)
        if made_up["target"] and m.total(m.turn) >= made_up["target"]:
            m.end_play(constants.FINISHED)
        else:
            m.game.as_ever(m, slot, tile)

    monkeypatch.setattr(games, "play", loaded)
    yield made_up
    module = load(games.GAMES.index("line_games"))
    if hasattr(module, "as_ever"):
        module.tile_laid = module.as_ever
        module.HANDS_COUNT = True
        del module.as_ever


@pytest.fixture
def board(rules):
    """Return a hub where seat 1 of two has laid 6-6."""
    board = quick_hub(seed=1)
    for line in ("house draw", "set 6"):
        board.command(line)
    for seat in "12":
        board.press(seat)
    board.tap("6-6", "1")
    return board


def told(board, language="en"):
    """Return (story, Scores) for all lines of a hub."""
    story, table, said = Story(Translator(language), {"1": "Ana", "2": "Bo"}), TableModel(), []
    for line in board.lines:
        said += [one.text for one in story.sentences(table.take(line))]
    return said, table.scores


def scores(line):
    return line["scores"]["1"], line["scores"]["2"]


def test_they_are_in_the_totals_of_the_same_line_and_its_gain(board):
    line = board.tap("6-5", "2")
    assert (line["gain"], scores(line)) == (5, (0, 5))
    refused = board.tap("0-0", "2")
    assert refused["verdict"] != "ok" and "gain" not in refused
    assert "gain" not in board.command("state")
    assert scores(board.tap("5-4", "2")) == (5, 5)


def test_a_take_back_takes_them_and_a_second_one_gives_them_again(board):
    board.tap("6-5", "2")
    line = board.hold("2")
    assert line["did"] == "took-back" and scores(line) == (0, 0) and "gain" not in line
    line = board.command("redo")
    assert line["did"] == "put-back" and scores(line) == (0, 5) and "gain" not in line


def test_a_power_cut_keeps_them(board):
    board.tap("6-5", "2")
    board.unplug()
    line = board.command("state")
    assert scores(line) == (0, 5) and "gain" not in line


def test_a_rounds_end_comes_on_top_and_the_sheet_has_both(board):
    board.tap("6-5", "2")
    board.tap("5-4", "2")
    board.press("E")
    for tile, seat in (("1-1", "1"), ("3-0", "2")):
        board.tap(tile, seat)
    board.press("1")
    board.press("1")
    board.press("2")
    line = board.press("2")
    assert (line["phase"], scores(line)) == ("engine", (6, 5)), "pips of 2, less those of 1"
    said, sheet = told(board)
    assert sheet.rounds[-1].points == {1: 6, 2: 5}
    assert "Bo gets 5 points." in said
    assert "Points of round 1: 6 for Ana, 5 for Bo." in said
    line = board.command("score 1 11")
    assert scores(line) == (16, 5), "the end of the round brought 11, not 1"
    assert told(board)[1].rounds[-1].points == {1: 16, 2: 5}
    board.tap("4-4", "2")
    assert told(board)[1].rounds[-1].points == {1: 16, 2: 5}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_tells_them(board, language):
    board.tap("6-5", "2")
    said, _ = told(board, language)
    say = Translator(language)
    assert said[-1] == say("story.gains", name="Bo", points=say("story.points", count=5))


def test_they_can_decide_the_match_in_mid_round(rules, board):
    rules["target"] = FIVE
    line = board.tap("6-5", "2")
    assert (line["phase"], line["winner"], line["turn"]) == ("finished", [2], None)
    assert line["hands"] == {"1": 4, "2": 4}
    assert line["lamps"].startswith("***g***g***"), "it is celebrated"
    board.pause(5000)
    assert board.command("state")["lamps"][4] == "W"
    said, sheet = told(board)
    assert sheet.rounds[-1].points == {1: 0, 2: 5}
    assert any(one.startswith("The match is over") for one in said), said
    line = board.hold("2")
    assert (line["phase"], line["turn"]) == ("play", 2)
    assert told(board)[1].rounds == ()


@pytest.mark.parametrize("stopped", [False, True])
def test_a_round_may_end_without_counting(rules, stopped):
    rules["HANDS_COUNT"] = False
    board = quick_hub(seed=1)
    board.command("house draw")
    board.command("set 6")
    board.press("1")
    board.press("2")
    board.tap("6-6", "1")
    if stopped:
        line = board.press("E")
    else:
        board.command("hand 2 1")
        line = board.tap("6-5", "2")
    assert (line["phase"], line["round"]) == ("engine", 2)
    assert scores(line) == ((0, 0) if stopped else (0, 5))
    said, sheet = told(board)
    assert sheet.rounds[-1].points == {1: 0, 2: 0 if stopped else 5}
    assert ("Bo is out! The round is over." in said) != stopped, said


def test_a_script_can_expect_them(rules):
    script = "house draw\nset 6\nplayers 2\ntap 6-6 1\ntap 6-5 2\nexpect gain %d\n"
    hub_actions.played(script % 5)
    with pytest.raises(ExpectationFailed, match="it is 5"):
        hub_actions.played(script % 10)
