# SPDX-License-Identifier: MIT
"""What is played on the emulated Pico, and how its lines are compared with the host's."""

import io

import pytest

from host_sim import emulate
from host_sim.board import Board
from roundhouse import houses, table


def test_the_selection_covers_every_house_verdict_gesture_and_card():
    text = "\n".join(path.read_text() for path in emulate.selection())
    words = set(text.split())
    assert set(houses.HOUSES) <= words
    for verdict in table.VERDICTS:
        assert "expect %s" % verdict in text, verdict
    for gesture in ("tap", "press", "hold", "override", "down", "put", "say", "unplug", "fault"):
        assert "\n%s " % gesture in text or "\n%s\n" % gesture in text, gesture
    for card in ("seat 3", "undo", "override", "next", "house", "set", "scores"):
        assert "\ntap %s" % card in text or "\nput %s" % card in text, card
    for phase in ("engine", "scoring", "finished"):
        assert "phase %s" % phase in text
    for variant, _ in houses.VARIANTS:
        assert variant in words, variant


def test_what_a_breadboard_has_room_for(tmp_path):
    story = tmp_path / "story.table"
    for text, fits in (
        ("players 4\ntap 12-12 2\n", True),
        ("set 9\ntap 9-9 2 # not 10\nsay set 9\n", True),
        ("tap 9-1 9\n", False),
        ("players 9\n", False),
        ("expect open 10\n", False),
    ):
        story.write_text(text)
        assert emulate.fits(story, "hub12")
        assert emulate.fits(story, "breadboard") == fits, text


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(emulate.SCRIPTS.glob("**/*.table"))
     if emulate.fits(path, "breadboard")],
    ids=lambda path: path.stem,
)  # fmt: skip
def test_every_story_that_fits_passes_on_a_breadboard(path):
    emulate.answers(path, Board, "breadboard")


def test_answers_that_still_run_make_no_difference():
    assert emulate.steady("t..g....", "t..h...r")
    assert emulate.steady("To..x...", "to......")
    assert emulate.steady("..N.....", "..A.....")
    assert emulate.steady("****c...", "j...c...")
    assert not emulate.steady("t.......", "d.......")
    assert not emulate.steady("to......", "t.......")
    assert not emulate.steady("..A.....", "..a.....")
    assert not emulate.steady("t...", "t.......")


def test_the_other_hub_draws_the_same_starter():
    line = {"input": "tap 12-12 E", "verdict": "ok", "round": 1, "turn": 7,
            "hands": {"1": 9, "3": 9, "7": 9}}  # fmt: skip
    assert emulate.drawn([line]) == [2]
    assert emulate.drawn([{**line, "verdict": "not-now"}, {**line, "round": 2}]) == []


def test_without_an_image_it_says_how_to_get_one(tmp_path):
    err = io.StringIO()
    assert emulate.run(images=[tmp_path / "none.uf2"], err=err) == 2
    assert "make micropython" in err.getvalue()
