# SPDX-License-Identifier: MIT
"""Which scripts the emulated Pico plays, and how its lines are compared."""

import pytest

from host_sim.board.hub.simulated_hub import SimulatedHub
from host_sim.lab import pico_comparison, smoke_scripts


@pytest.mark.slow
def test_the_selection_shows_everything():
    """The selected scripts show everything that they must. If this fails, make a new selection:
    .venv/bin/python -m host_sim emulate --choose."""
    seen = set()
    for path in smoke_scripts.selection():
        seen |= smoke_scripts.shown(path)[0]
    assert sorted(smoke_scripts.wanted() - seen) == []


FIT = [path for path in smoke_scripts.scripts() if pico_comparison.fits(path, "breadboard")]


@pytest.mark.parametrize("path", FIT[:: len(FIT) // 30], ids=lambda path: path.stem)
def test_a_story_that_fits_passes_on_a_breadboard(path):
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
