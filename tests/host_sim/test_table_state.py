# SPDX-License-Identifier: MIT
"""What a view knows: console lines only."""

import pytest

from host_sim.games import house_info
from host_sim.hub.simulated_hub import SimulatedHub, configured
from host_sim.session.bot_match import BotMatch
from host_sim.views.i18n import TABLE
from host_sim.views.line_streams import ABOUT, Recording
from host_sim.views.table_state import TableState
from roundhouse.games import houses


def follow(seen, board, since):
    for line in board.lines[since[0] :]:
        seen.line(line)
    since[0] = len(board.lines)


def test_a_whole_round_keeps_the_trains_without_asking():
    """After the first `state` the lines alone tell the trains; a take-back asks again."""
    board = SimulatedHub(configured(SET=6))
    seen, since = TableState(), [0]
    asked = [0]

    def told(said, line):
        follow(seen, board, since)
        if seen.wants_state:
            asked[0] += 1
            board.say("state")
            follow(seen, board, since)
        board.say("state")
        trains = board.inputs[-1]["trains"]
        since[0] = len(board.lines)
        if line["phase"] == "play":
            assert seen.trains == trains, said
        assert seen.lamps()["E"] == seen.state["lamps"][-4:]

    BotMatch(board, (1, 3, 4), "puremco", 6, 3, slips=0.2, told=told).play(1)
    assert asked[0] <= 3
    board.press("E")


def test_a_late_comer_and_a_take_back_ask_for_state():
    board = SimulatedHub()
    for seat in ("1", "2"):
        board.press(seat)
    board.tap("12-12", "1")
    board.tap("12-5", "1")
    late = TableState()
    assert late.wants_state
    late.line(board.say("state"))
    assert late.trains == {"1": ["12-5"]} and not late.wants_state
    late.line(board.hold("1"))
    assert late.wants_state
    late.line(board.say("state"))
    assert late.trains == {}


def test_readers_and_buttons_that_do_not_work():
    seen = TableState()
    seen.line({"slot": "4", "reader": "fault"})
    seen.line({"slot": "4", "reader": "reset"})
    assert seen.faults == {"4": "reader"}
    seen.line({"slot": "4", "reader": "ok"})
    seen.line({"error": "no command x; try help"})
    assert not seen.faults and seen.state is None


def test_tiles_are_turned_to_match():
    seen = TableState()
    seen.state = {"engine": "12-12"}
    seen.trains = {"1": ["12-5", "7-5", "7-7", "11-7"], "M": ["9-8"]}
    assert seen.train("1") == [(12, 5), (5, 7), (7, 7), (7, 11)]
    assert seen.train("M") == [(9, 8)], "an override that does not match"
    assert seen.train("4") == []


def at_a_line_game(house, *taps):
    """Return what is seen of a table of three after the taps `9-6 2`, and the board."""
    board = SimulatedHub()
    board.say("house " + house)
    for seat in ("1", "2", "3"):
        board.press(seat)
    board.press("E")
    for tap in taps:
        line = board.tap(*tap.split())
        assert line["verdict"] == "ok", (tap, line)
    seen = TableState()
    for line in board.lines:
        seen.line(line)
    return seen, board


def test_a_line_begins_at_any_place_and_its_end_says_how_it_lies():
    seen, board = at_a_line_game("classic", "9-9 2", "9-5 1", "5-5 1", "8-5 7", "0-8 7", "9-2 4")
    assert not seen.wants_state, "the lines alone told the tiles"
    assert seen.train("1") == [(9, 5), (5, 5)]
    assert seen.train("7") == [(5, 8), (8, 0)]
    assert seen.train("4") == [(9, 2)]
    late = TableState()
    late.line(board.say("state"))
    assert [late.train(slot) for slot in "174"] == [seen.train(slot) for slot in "174"]


def test_halves_that_touch_in_matador_make_the_total():
    laid = ("9-6 2", "4-1 1", "6-3 1", "4-7 8", "3-3 8", "7-2 8")
    seen, _ = at_a_line_game("matador", *laid)
    assert seen.train("1") == [(1, 4), (6, 3)]
    assert seen.train("8") == [(4, 7), (3, 3), (7, 2)]
    seen, _ = at_a_line_game("matador", *laid, "4-6 8", "5-4 8")
    assert seen.train("8")[-2:] == [(4, 6), (4, 5)], "the next tile tells how a Matador lies"
    assert not seen.is_across(3, 3), "endwise"


@pytest.mark.parametrize("house, outer", [("matador", 6), ("matador ten", 3)])
def test_the_total_of_matador_is_the_sets_or_ten(house, outer):
    seen = TableState()
    seen.state = {"engine": "12-12", "ends": {}}
    seen.game, seen.house, seen.set = "matador", house, 12
    seen.trains = {"1": ["6-3", "7-1"]}
    assert seen.train("1")[0][1] == outer


def test_every_game_of_the_firmware_has_a_title():
    assert {house_info.game(house) for house in range(len(houses.HOUSES))} == set(
        TABLE["en"]["games"]
    )


def test_a_view_knows_which_stations_there_are():
    board = SimulatedHub(configured(STATIONS=(1, 2, 4, 7)))
    seen, since = TableState(), [1]
    board.press("7")
    follow(seen, board, since)
    assert list(seen.lamps()) == ["1", "2", "3", "4", "M", "E"], "as long as nobody has told it"
    board.say("state")
    follow(seen, board, since)
    assert list(seen.lamps()) == ["1", "2", "4", "7", "M", "E"]
    board.press("2")
    follow(seen, board, since)
    assert {slot for slot, four in seen.lamps().items() if four[0] == "j"} == {"2", "7"}
    seen.line(SimulatedHub(configured(STATIONS=4)).inputs[0])
    assert list(seen.lamps()) == ["1", "2", "3", "4", "M", "E"], "another hub"


def test_a_recorded_match_says_in_each_line_which_stations_there_are():
    line = SimulatedHub(configured(STATIONS=(1, 4))).inputs[0]
    later = {key: value for key, value in line.items() if key not in (*ABOUT, "stations")}
    other = {**later, "game": "draw", "house": "draw", "set": 6}
    tape = Recording([line, later, other, later])
    assert [one.get("stations") for one in tape.lines] == [["1", "4"]] * 2 + [None] * 2
