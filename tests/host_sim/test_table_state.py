# SPDX-License-Identifier: MIT
"""What a view knows: console lines only; and the pictures made of it."""

import re
from pathlib import Path

import pytest

from host_sim.__main__ import main
from host_sim.commands import picture
from host_sim.hub.simulated_hub import SimulatedHub, configured
from host_sim.people import sheets
from host_sim.people.bots import BotMatch
from host_sim.views import lamp_text, table_picture
from host_sim.views.speech import TABLE
from host_sim.views.table_state import TRAINS, TableState
from roundhouse.games import houses

PICTURES = Path(table_picture.__file__).resolve().parent / "pictures"


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
    seen = TableState({"2": "Ana"})
    seen.line({"slot": "4", "reader": "fault"})
    seen.line({"slot": "4", "reader": "reset"})
    assert seen.faults == {"4": "reader"}
    seen.line({"slot": "4", "reader": "ok"})
    seen.line({"error": "no command x; try help"})
    assert not seen.faults and seen.state is None and seen.names == {"2": "Ana"}


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


def test_undecided_ends_are_both_shown(tmp_path):
    script = tmp_path / "undecided.table"
    script.write_text("house matador\nplayers 3\npress E\ntap 9-6 2\ntap 4-1 1\n")
    image = table_picture.svg(*picture.seen_at_the_end(script))
    assert ">4 1</text>" in image and ">Matador</text>" in image
    assert "a line may begin at 9 (1), 6 (1)" in image
    opening = image.split('rotate(90.0)">')[1].split("</g>")[0]
    assert opening.count("<circle") == 9 + 6, "the opening tile in the middle is no double"


def test_a_line_game_has_no_engine_and_no_trains():
    seen, _ = at_a_line_game("block")
    image = table_picture.svg(seen)
    assert "round 1, opening" in image and "engine" not in image


def test_every_game_of_the_firmware_has_a_title():
    assert {sheets.game(house) for house in range(len(houses.HOUSES))} == set(TABLE["games"])
    assert TRAINS in TABLE["games"]


@pytest.mark.parametrize("number", range(19))
def test_pips(number):
    places = table_picture.pips(number)
    assert len(places) == len(set(places)) == number
    assert all(-1 <= x <= 1 and -1 <= y <= 1 for x, y in places)


def test_the_pictures_in_the_repository_are_what_the_scripts_show():
    for script in PICTURES.glob("*.table"):
        drawn = table_picture.svg(*picture.seen_at_the_end(script))
        assert script.with_suffix(".svg").read_text() == drawn, script


def test_a_picture_shows_lamps_trains_and_words(tmp_path):
    to = tmp_path / "a.svg"
    assert main(["picture", str(PICTURES / "table.table"), "-o", str(to)]) == 0
    image = to.read_text()
    seen, _ = picture.seen_at_the_end(PICTURES / "table.table")
    for letters in seen.lamps().values():
        for k, letter in enumerate(letters):
            if letter != ".":
                assert "#%02x%02x%02x" % lamp_text.hue(k, letter) in image
                assert ">%s</text>" % lamp_text.glyph(k, letter) in image
    tiles = sum(len(train) for train in seen.trains.values())
    folded = int(re.search(r">\+(\d+)<", image)[1])
    assert image.count("<rect x=") == tiles - folded + 1, "and the engine"
    assert "12-4 is refused: close the double at station 7 first." in image
    assert "boneyard 21" in image


def test_a_png(tmp_path):
    to = tmp_path / "a.png"
    assert main(["picture", str(PICTURES / "table.table"), "-o", str(to)]) == 0
    assert to.read_bytes().startswith(b"\x89PNG")
