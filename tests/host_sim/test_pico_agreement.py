# SPDX-License-Identifier: MIT
"""What is played on the emulated Pico, and how its lines are compared with the host's."""

import pytest

from host_sim.__main__ import main
from host_sim.checks import pico_agreement
from host_sim.hub.simulated_hub import SimulatedHub
from roundhouse import words
from roundhouse.games import houses


def test_the_selection_covers_every_house_verdict_gesture_and_card():
    text = "\n".join(path.read_text() for path in pico_agreement.selection())
    said = set(text.split())
    houses.families({})  # the sheets' houses, whatever a test before has named
    assert set(houses.HOUSES) <= said
    for verdict in words.VERDICTS:
        assert "expect %s" % verdict in text, verdict
    for gesture in ("tap", "press", "hold", "override", "down", "put", "say", "unplug", "fault"):
        assert "\n%s " % gesture in text or "\n%s\n" % gesture in text, gesture
    for card in ("seat 3", "undo", "override", "next", "totals", "house", "set", "scores"):
        assert "\ntap %s" % card in text or "\nput %s" % card in text, card
    for phase in ("engine", "scoring", "finished"):
        assert "phase %s" % phase in text
    for house in (0, 6):
        for variant, _ in houses.variants(house):
            assert variant in said, variant


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
        assert pico_agreement.fits(story, "hub12")
        assert pico_agreement.fits(story, "breadboard") == fits, text


@pytest.mark.parametrize(
    "path",
    [
        path
        for path in sorted(pico_agreement.SCRIPTS.glob("**/*.table"))
        if pico_agreement.fits(path, "breadboard")
    ],
    ids=lambda path: path.stem,
)
def test_every_story_that_fits_passes_on_a_breadboard(path):
    pico_agreement.answers(path, SimulatedHub, "breadboard")


def test_answers_that_still_run_make_no_difference():
    assert pico_agreement.steady("t..g....", "t..h...r")
    assert pico_agreement.steady("To...x..", "to......")
    assert pico_agreement.steady("D...E...", "d...e...")
    assert not pico_agreement.steady("..E.....", "..e.....")
    assert pico_agreement.steady("..N.....", "..A.....")
    assert pico_agreement.steady("****c...", "j...c...")
    assert not pico_agreement.steady("t.......", "d.......")
    assert not pico_agreement.steady("to......", "t.......")
    assert not pico_agreement.steady("..A.....", "..a.....")
    assert not pico_agreement.steady("t...", "t.......")


def test_the_other_hub_draws_the_same_starter():
    line = {
        "input": "tap 12-12 E",
        "verdict": "ok",
        "round": 1,
        "turn": 7,
        "hands": {"1": 9, "3": 9, "7": 9},
    }
    assert pico_agreement.drawn([line]) == [2]
    assert pico_agreement.drawn([{**line, "verdict": "not-now"}, {**line, "round": 2}]) == []


def test_what_is_chosen():
    short = pico_agreement.chosen([], False, None)
    assert {wiring for _, wiring in short} == {"hub12", "breadboard"}
    assert all(pico_agreement.fits(path, wiring) for path, wiring in short)
    every = pico_agreement.chosen([], True, None)
    assert len(every) == len(list(pico_agreement.SCRIPTS.glob("**/*.table")))
    on_breadboard = pico_agreement.chosen([], True, "breadboard")
    assert 0 < len(on_breadboard) < len(every)
    assert {wiring for _, wiring in on_breadboard} == {"breadboard"}
    unfit = next(path for path, _ in every if not pico_agreement.fits(path, "breadboard"))
    assert pico_agreement.chosen([unfit], False, "breadboard") == [(unfit, "breadboard")]


def test_without_an_image_it_says_how_to_get_one(tmp_path, capsys):
    assert main(["emulate", "--image", str(tmp_path / "none.uf2")]) == 1
    assert "make micropython" in capsys.readouterr().err
