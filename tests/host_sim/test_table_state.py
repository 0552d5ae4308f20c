# SPDX-License-Identifier: MIT
"""What a view knows: console lines only; and the pictures made of it."""

import re
from pathlib import Path

import pytest

from host_sim.__main__ import main
from host_sim.commands import picture
from host_sim.hub.simulated_hub import SimulatedHub, configured
from host_sim.people.bots import BotMatch
from host_sim.views import lamp_text, table_picture
from host_sim.views.table_state import REASONS, TableState
from roundhouse import words

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


def test_sentences():
    board = SimulatedHub()
    for seat in ("1", "2"):
        board.press(seat)
    seen = TableState({"2": "Ana"})
    seen.line(board.tap("12-12", "1"))
    seen.line(board.tap("12-5", "1"))
    assert seen.log[-1] == "station 1: 12-5; Ana's turn"
    seen.line(board.tap("12-4", "1"))
    assert seen.log[-1] == "station 1: 12-4 refused, this train is not open to this seat"
    seen.line(board.press("2"))
    seen.line(board.press("1"))
    assert seen.log[-1] == "station 1: press refused, it is Ana's turn"
    seen.line(board.hold("2"))
    assert "taken back" in seen.log[-1]
    seen.line({"slot": "4", "reader": "fault"})
    assert seen.log[-1] == "station 4: its reader does not work" and seen.faults
    seen.line({"slot": "4", "reader": "ok"})
    assert seen.log[-1] == "station 4: its reader works again" and not seen.faults
    seen.line({"error": "no command x; try help"})
    assert seen.log[-1].startswith("the hub: no command x")
    assert set(REASONS) == set(words.VERDICTS) - {"ok"}


def test_tiles_are_turned_to_match():
    seen = TableState()
    seen.state = {"engine": "12-12"}
    seen.trains = {"1": ["12-5", "7-5", "7-7", "11-7"], "M": ["9-8"]}
    assert seen.train("1") == [(12, 5), (5, 7), (7, 7), (7, 11)]
    assert seen.train("M") == [(9, 8)], "an override that does not match"
    assert seen.train("4") == []


@pytest.mark.parametrize("number", range(19))
def test_pips(number):
    places = table_picture.pips(number)
    assert len(places) == len(set(places)) == number
    assert all(-1 <= x <= 1 and -1 <= y <= 1 for x, y in places)


def test_the_pictures_in_the_repository_are_what_the_scripts_show():
    for script in PICTURES.glob("*.table"):
        drawn = table_picture.svg(picture.seen_at_the_end(script))
        assert script.with_suffix(".svg").read_text() == drawn, script


def test_a_picture_shows_lamps_trains_and_words(tmp_path):
    to = tmp_path / "a.svg"
    assert main(["picture", str(PICTURES / "table.table"), "-o", str(to)]) == 0
    image = to.read_text()
    seen = picture.seen_at_the_end(PICTURES / "table.table")
    for letters in seen.lamps().values():
        for k, letter in enumerate(letters):
            if letter != ".":
                assert "#%02x%02x%02x" % lamp_text.hue(k, letter) in image
                assert ">%s</text>" % lamp_text.glyph(k, letter) in image
    tiles = sum(len(train) for train in seen.trains.values())
    folded = int(re.search(r">\+(\d+)<", image)[1])
    assert image.count("<rect x=") == tiles - folded + 1, "and the engine"
    assert "12-4 refused, the double at station 7 comes first" in image
    assert "boneyard 21" in image


def test_a_png(tmp_path):
    to = tmp_path / "a.png"
    assert main(["picture", str(PICTURES / "table.table"), "-o", str(to)]) == 0
    assert to.read_bytes().startswith(b"\x89PNG")
