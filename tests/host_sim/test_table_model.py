# SPDX-License-Identifier: MIT
"""The table model: what the hub's lines show, which inputs still count, and which were missed."""

import pytest
from hub_actions import act, quick_hub

from host_sim.app.players.bot_match import BotMatch
from host_sim.app.views.i18n import TABLE
from host_sim.board.hub.simulated_hub import configured
from host_sim.table.games import house_info
from host_sim.table.model import Moment, TableModel
from host_sim.table.streams import ABOUT, Recording
from roundhouse.games import houses


def after(lines):
    table = TableModel()
    for line in lines:
        table.take(line)
    return table


def test_lines_alone_give_the_trains_of_a_round():
    board = quick_hub(configured(SET=6))
    table = after(board.lines)
    taken = [len(board.lines)]

    def told(said, line):
        for one in board.lines[taken[0] :]:
            table.take(one)
        trains = board.command("state")["trains"]
        taken[0] = len(board.lines)
        assert table.trains_known
        if line["phase"] == "play":
            assert table.trains == trains, said
        assert table.lamps()["E"] == table.state["lamps"][-4:]

    BotMatch(board, (1, 3, 4), "puremco", 6, 3, slips=0.2, on_input=told).play(1)


def test_a_late_viewer_learns_the_trains_from_state_and_so_it_is_after_a_take_back():
    board = quick_hub()
    for seat in ("1", "2"):
        board.press(seat)
    board.tap("12-12", "1")
    board.tap("12-5", "1")
    late = TableModel()
    late.take(board.tap("12-6", "2"))
    assert not late.trains_known
    late.take(board.command("state"))
    assert late.trains == {"1": ["12-5"], "2": ["12-6"]} and late.trains_known
    late.take(board.hold("1"))
    assert not late.trains_known
    late.take(board.command("state"))
    assert late.trains == {"1": ["12-5"]} and late.trains_known


def stood(table):
    """Return the text of each input that has not been taken back, oldest first."""
    return [moment.line["input"] for moment in table.standing]


def test_a_take_back_gives_up_the_newest_input_and_a_put_back_brings_it_back():
    board = quick_hub()
    table = after(board.press(seat) for seat in "12")
    assert stood(table) == ["press 1", "press 2"]
    joined = table.standing[-1]
    assert table.take(board.command("undo")).undone is joined and stood(table) == ["press 1"]
    assert table.take(board.command("redo")).undone is joined and stood(table)[-1] == "press 2"
    table.take(board.command("undo"))
    table.take(board.press("3"))
    assert table.take(board.command("redo")).line["verdict"] != "ok"
    assert stood(table) == ["press 1", "press 3"]


@pytest.mark.parametrize("lost", ["missed", "dropped", "late"])
def test_after_missing_inputs_a_take_back_takes_an_unknown_one(lost):
    board = quick_hub()
    table = after(board.press(seat) for seat in "12")
    board.press("3")
    if lost == "missed":
        assert table.take(board.command("state")).missed
    elif lost == "dropped":
        table.take({"dropped": 1})
    else:
        table = TableModel()
    assert stood(table) == []
    assert table.take(board.command("undo")).undone is None
    assert table.take(board.press("4")).undone is None and stood(table) == ["press 4"]


def test_readers_and_buttons_that_do_not_work():
    table = after(({"slot": "4", "reader": "fault"}, {"slot": "4", "reader": "reset"}))
    assert table.faults == {"4": "reader"}
    table.take({"slot": "4", "reader": "ok"})
    table.take({"error": "no command x; try help"})
    assert not table.faults and table.state is None


def test_tiles_are_turned_to_match():
    table = TableModel()
    table.moment = Moment({"engine": "12-12"})
    table.trains = {"1": ["12-5", "7-5", "7-7", "11-7"], "M": ["9-8"]}
    assert table.train("1") == [(12, 5), (5, 7), (7, 7), (7, 11)]
    assert table.train("M") == [(9, 8)], "an override that does not match"
    assert table.train("4") == []


def at_a_line_game(house, *taps):
    """Return (model of the table, board) with three seats after the taps. A tap is a tile and a
    slot, such as `9-6 2`."""
    board = quick_hub()
    board.command("house " + house)
    for seat in ("1", "2", "3"):
        board.press(seat)
    board.press("E")
    for tap in taps:
        line = board.tap(*tap.split())
        assert line["verdict"] == "ok", (tap, line)
    return after(board.lines), board


def test_a_line_begins_at_any_place_and_its_end_says_how_it_lies():
    table, board = at_a_line_game("classic", "9-9 2", "9-5 1", "5-5 1", "8-5 7", "0-8 7", "9-2 4")
    assert table.trains_known
    assert table.train("1") == [(9, 5), (5, 5)]
    assert table.train("7") == [(5, 8), (8, 0)]
    assert table.train("4") == [(9, 2)]
    late = after([board.command("state")])
    assert [late.train(slot) for slot in "174"] == [table.train(slot) for slot in "174"]


def test_halves_that_touch_in_matador_make_the_total():
    laid = ("9-6 2", "4-1 1", "6-3 1", "4-7 8", "3-3 8", "7-2 8")
    table, _ = at_a_line_game("matador", *laid)
    assert table.train("1") == [(1, 4), (6, 3)]
    assert table.train("8") == [(4, 7), (3, 3), (7, 2)]
    table, _ = at_a_line_game("matador", *laid, "4-6 8", "5-4 8")
    assert table.train("8")[-2:] == [(4, 6), (4, 5)], "the next tile tells how a Matador lies"
    assert not table.is_across(3, 3), "endwise"


@pytest.mark.parametrize("house, outer", [("matador", 6), ("matador ten", 3)])
def test_the_total_of_matador_is_the_sets_or_ten(house, outer):
    table = TableModel()
    table.moment = Moment({"engine": "12-12", "ends": {}})
    table.game, table.house, table.set = "matador", house, 12
    table.trains = {"1": ["6-3", "7-1"]}
    assert table.train("1")[0][1] == outer


def test_every_game_of_the_firmware_has_a_title():
    assert {house_info.game(house) for house in range(len(houses.HOUSES))} == set(
        TABLE["en"]["games"]
    )


def test_a_view_knows_which_stations_there_are():
    board = quick_hub(configured(STATIONS=(1, 2, 4, 7)))
    table = after([board.press("7")])
    assert list(table.lamps()) == ["1", "2", "3", "4", "M", "E"], "no line lists them yet"
    table.take(board.command("state"))
    assert list(table.lamps()) == ["1", "2", "4", "7", "M", "E"]
    table.take(board.press("2"))
    assert {slot for slot, four in table.lamps().items() if four[0] == "j"} == {"2", "7"}
    table.take(quick_hub(configured(STATIONS=4)).inputs[0])
    assert list(table.lamps()) == ["1", "2", "3", "4", "M", "E"], "another hub"


def test_a_recorded_match_says_in_each_line_which_stations_there_are():
    line = quick_hub(configured(STATIONS=(1, 4))).inputs[0]
    later = {key: value for key, value in line.items() if key not in (*ABOUT, "stations")}
    other = {**later, "game": "draw", "house": "draw", "set": 6}
    recording = Recording([line, later, other, later])
    assert [one.get("stations") for one in recording.lines] == [["1", "4"]] * 2 + [None] * 2


def test_a_round_that_goes_on_keeps_its_trains_and_is_not_counted():
    board = quick_hub(configured(HOUSE="puremco deal-2"))
    for action in ("press 1", "press 2", "tap 12-12 1", "tap 12-5 1", "tap 12-6 2", "tap 5-4 1"):
        act(board, action)
    table = after(board.lines)
    trains = dict(table.trains)
    assert table.state["phase"] == "scoring" and table.scores.out == 1
    inputs = (
        lambda: board.tap("9-3", "1"),
        lambda: board.hold("1"),
        lambda: board.command("redo"),
    )
    for do, phase, out in zip(inputs, ("play", "scoring", "play"), (None, 1, None)):
        table.take(do())
        assert table.state["phase"] == phase and table.scores.out == out
        assert table.trains == trains == board.command("state")["trains"]
        assert table.trains_known and not table.scores.rounds
    late = TableModel()
    late.take(table.state)
    assert not late.trains_known
    late.take(board.command("state"))
    assert late.trains == trains and late.trains_known
