# SPDX-License-Identifier: MIT
"""The score sheet: points by round, ranks and left-over tiles, from a hub's lines alone."""

import json

import hub_actions
import pytest
from hub_actions import quick_hub
from record_exports import FOLDER, text

from host_sim.app.players.bot_match import BotMatch
from host_sim.board.hub import match_export
from host_sim.table.model import Round, TableModel
from host_sim.table.scores import Rank, ScoreSheet
from roundhouse.games import houses

SLOW = pytest.mark.slow  # the others are made in the same way


@pytest.mark.parametrize(
    "house",
    [
        house if house in ("puremco", "classic") else pytest.param(house, marks=SLOW)
        for house in houses.HOUSES
    ],
)
def test_make_recordings_makes_the_same_bytes_each_time(house):
    assert (FOLDER / (house + ".jsonl")).read_text() == text(house)


TO_THE_END = """
house puremco
players 3
given engine 12-12
given train 1 12-5
given hand 1 1
given turn 1
tap 5-1 1
"""

EVENING = """
say house jassshop
press 1
press 2
tap 12-12 2
press E
tap 6-4 1
say score 1 10
say score 2 3
say score 1 7
tap 11-11 2
press E
tap 5-4 1
say score 2 4
press E
press E
press E
say house jassshop plus-points
"""


def sheet_of(lines=()):
    sheet = ScoreSheet(TableModel())
    for line in lines:
        sheet.table.take(line)
    return sheet


def played(script):
    board = hub_actions.played(script)
    return sheet_of(board.lines), board


def all_of(sheet):
    return sheet.rounds, sheet.left_now, sheet.ranks(), sheet.most_win


def test_a_round_is_counted_and_written_down():
    sheet, board = played(TO_THE_END + "tap 6-4 2\ntap 3-3 2\ntap 0-1 3\n")
    assert sheet.left_now == {2: ["6-4", "3-3"], 3: ["0-1"]} and sheet.rounds == []
    assert [row.out for row in sheet.ranks()] == [True, False, False]
    for seat, pips in (("2", 16), ("3", 1)):
        sheet.table.take(board.command("score %s %d" % (seat, pips)))
    assert sheet.left_now == {}
    assert sheet.rounds == [
        Round(
            number=1,
            engine="12-12",
            points={1: 0, 2: 16, 3: 1},
            left={2: ["6-4", "3-3"], 3: ["0-1"]},
            out=1,
        )
    ]
    assert sheet.ranks() == [
        Rank(1, 1, 0, 15, True),
        Rank(2, 3, 1, 15, False),
        Rank(3, 2, 16, 15, False),
    ]


def test_every_take_back_brings_back_what_was_there():
    """Every undo, back to the empty lobby, and every redo restores the score sheet."""
    board = quick_hub()
    sheet, heard, past = sheet_of(), 0, []

    def does(method, *rest):
        nonlocal heard
        assert getattr(board, method)(*rest)["verdict"] == "ok", rest
        for line in board.lines[heard:]:
            sheet.table.take(line)
        heard = len(board.lines)

    for step in EVENING.strip().splitlines():
        past.append(all_of(sheet))
        word, *rest = step.split()
        does(*(("command", " ".join(rest)) if word == "say" else (word, *rest)))
    end = all_of(sheet)
    assert len({str(one) for one in past}) > 9
    for was in reversed(past[1:]):
        does("command", "undo")
        assert all_of(sheet) == was
    for was in [*past[2:], end]:
        does("command", "redo")
        assert all_of(sheet) == was


def test_points_of_the_last_round_are_corrected():
    script = TO_THE_END + "say score 2 16\nsay score 3 1\n"
    sheet, board = played(script)
    sheet.table.take(board.command("score 3 21"))
    assert sheet.rounds[0].points == {1: 0, 2: 16, 3: 21}
    assert [row.seat for row in sheet.ranks()] == [1, 2, 3]
    sheet.table.take(board.command("undo"))
    assert sheet.rounds[0].points == {1: 0, 2: 16, 3: 1}


def test_equal_totals_share_a_place():
    sheet, _ = played(TO_THE_END + "say score 2 5\nsay score 3 5\n")
    assert [(row.place, row.seat) for row in sheet.ranks()] == [(1, 1), (2, 2), (2, 3)]


@pytest.mark.parametrize("house", ["jassshop plus-points", "draw"])
def test_where_points_are_won_the_most_come_first(house):
    script = "house %s\nset 6\nplayers 3\npress E\ntap 6-6 1\npress E\n" % house
    script += "say score 1 3\nsay score 2 9\n"
    sheet, board = played(script)
    assert sheet.most_win
    sheet.table.take(board.command("score 3 12"))
    assert sheet.most_win and sheet.ranks()[0].seat == 1
    assert sheet.ranks()[0].total > 0 == sheet.ranks()[1].total


def test_a_seat_that_went_out_and_gained_tells_that_the_most_win():
    """A seat that went out and gains points shows that the most points win, even if the house is
    unknown."""
    script = TO_THE_END.replace("puremco", "jassshop plus-points") + "say score 2 9\n"
    board = hub_actions.played(script)
    lines = [*board.lines, board.command("score 3 12")]
    sheet = sheet_of()
    for line in lines:
        sheet.table.take({key: line[key] for key in line if key not in ("house", "game", "rules")})
    assert sheet.most_win and sheet.ranks()[0][:3] == (1, 1, 21)


def test_half_points():
    lines = [
        {"phase": "scoring", "scores": {"1": 0, "2": 0, "3": 0}},
        {"phase": "engine", "scores": {"1": 25.5, "2": 25.5, "3": 0}},
    ]
    rest = {"verdict": "ok", "by": 3, "did": "done", "round": 1, "engine": "6-6", "winner": None}
    sheet = sheet_of()
    for line in lines:
        sheet.table.take({"input": "press 3", **rest, **line, "hands": {"1": 0, "2": 1, "3": 2}})
    assert sheet.rounds[0].points == {1: 25.5, 2: 25.5, 3: 0}


def test_a_take_back_that_was_not_seen():
    """A score sheet forgets a round whose result is taken back, even if the sheet has not received
    the round's inputs."""
    script = TO_THE_END + "say score 2 16\nsay score 3 1\n"
    board = hub_actions.played(script)
    sheet = sheet_of(board.lines[-2:])
    assert len(sheet.rounds) == 1
    for _ in range(3):
        sheet.table.take(board.command("undo"))
    assert sheet.rounds == [] and sheet.left_now == {}


@pytest.mark.parametrize("house", houses.HOUSES)
def test_an_export_of_each_house_has_the_same_sheet(house):
    path = FOLDER / (house + ".jsonl")
    printed = [json.loads(line) for line in path.read_text().splitlines()]
    printed = printed[: next(at for at, line in enumerate(printed) if "segment" in line)]
    found = []
    for lines in (printed, match_export.read(path.read_text())):
        sheet = sheet_of(lines)
        found.append(all_of(sheet))
        assert len(sheet.rounds) == 1 and sheet.rounds[0].left
        winners = [row.seat for row in sheet.ranks() if row.place == 1]
        assert winners == lines[-1]["winner"]
    assert found[0] == found[1]


@pytest.mark.parametrize("house", ["puremco", "jassshop plus-points", "matador"])
def test_the_sheet_adds_up_over_a_match(house):
    board = quick_hub(seed=2)
    match = BotMatch(board, (1, 3, 4), house, 6, 3, slips=0.1)
    match.play(3)
    sheet = sheet_of(board.lines)
    assert len(sheet.rounds) >= 1
    assert match.totals == {
        seat: sum(row.points[seat] for row in sheet.rounds) for seat in match.seats
    }
    assert [row.seat for row in sheet.ranks() if row.place == 1] == match.line["winner"]
