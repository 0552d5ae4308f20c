# SPDX-License-Identifier: MIT
"""Which scripts are played on the emulated Pico, and how its lines are compared with the
host's."""

import pytest

from host_sim.__main__ import main
from host_sim.checks import pico_comparison, smoke_scripts
from host_sim.hub.simulated_hub import SimulatedHub


@pytest.mark.slow
def test_the_selection_shows_everything():
    """If this fails, make a new selection: python -m host_sim emulate --choose."""
    seen = set()
    for path in smoke_scripts.selection():
        seen |= smoke_scripts.shown(path)[0]
    assert sorted(smoke_scripts.wanted() - seen) == []


def test_what_a_script_shows_is_seen():
    """Fewer inputs show fewer things; nothing is assumed."""
    story = smoke_scripts.SCRIPTS / "verdicts" / "fault.table"
    seen, seconds = smoke_scripts.shown(story)
    assert {"phase play", "gesture fault"} <= seen and seconds > 0
    assert any(name.startswith("lamp 3 v") for name in seen)
    assert not smoke_scripts.wanted() <= seen
    words = smoke_scripts.shown_by_words(
        "house draw blank-50\ntap seat 3 7\nsay undo\npress E # M\n"
    )
    assert words == {
        *("house draw", "house blank-50", "gesture tap", "card seat", "say undo"),
        *("gesture press", "press E"),
    }


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
        assert pico_comparison.fits(story, "hub12")
        assert pico_comparison.fits(story, "breadboard") == fits, text


FIT = [path for path in smoke_scripts.scripts() if pico_comparison.fits(path, "breadboard")]


@pytest.mark.parametrize("path", FIT[:: len(FIT) // 30], ids=lambda path: path.stem)
def test_a_story_that_fits_passes_on_a_breadboard(path):
    """Thirty scripts. test_third_board tests the wirings of the other boards."""
    pico_comparison.answers(path, SimulatedHub, "breadboard")


def test_answers_that_still_run_make_no_difference():
    assert pico_comparison.steady("t..g....", "t..h...r")
    assert pico_comparison.steady("To...x..", "to......")
    assert pico_comparison.steady("D...E...", "d...e...")
    assert not pico_comparison.steady("..E.....", "..e.....")
    assert pico_comparison.steady("..N.....", "..A.....")
    assert pico_comparison.steady("****c...", "j...c...")
    assert pico_comparison.steady("B...c...", "t...c..."), "the long flash of the same seat again"
    assert not pico_comparison.steady("tB......", "to......")
    assert not pico_comparison.steady("t.......", "d.......")
    assert not pico_comparison.steady("to......", "t.......")
    assert not pico_comparison.steady("..A.....", "..a.....")
    assert not pico_comparison.steady("t...", "t.......")


def test_the_other_hub_draws_the_same_starter():
    line = {
        "input": "tap 12-12 E",
        "verdict": "ok",
        "round": 1,
        "turn": 7,
        "hands": {"1": 9, "3": 9, "7": 9},
    }
    assert pico_comparison.drawn([line]) == [2]
    assert pico_comparison.drawn([{**line, "verdict": "not-now"}, {**line, "round": 2}]) == []


def test_what_is_chosen():
    short = pico_comparison.chosen([], False, None)
    assert {wiring for _, wiring in short} == {"hub12", "breadboard"}
    assert all(pico_comparison.fits(path, wiring) for path, wiring in short)
    every = pico_comparison.chosen([], True, None)
    assert len(every) == len(smoke_scripts.scripts())
    on_breadboard = pico_comparison.chosen([], True, "breadboard")
    assert 0 < len(on_breadboard) < len(every)
    assert {wiring for _, wiring in on_breadboard} == {"breadboard"}
    unfit = next(path for path, _ in every if not pico_comparison.fits(path, "breadboard"))
    assert pico_comparison.chosen([unfit], False, "breadboard") == [(unfit, "breadboard")]


def test_without_an_image_it_says_how_to_get_one(tmp_path, capsys):
    assert main(["emulate", "--image", str(tmp_path / "none.uf2")]) == 1
    assert "make micropython" in capsys.readouterr().err
