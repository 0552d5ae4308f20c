# SPDX-License-Identifier: MIT
"""Players make slips, and the hub shows them at once."""

import pytest

from host_sim.board.hub.simulated_hub import SimulatedHub
from host_sim.lab import soak_slips
from host_sim.table.games.tile_rules import Disagreement
from roundhouse.drivers import buttons
from roundhouse.feedback import Feedback


@pytest.mark.parametrize(
    "seed",
    [3, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3))],
)
def test_what_slips_is_shown_and_put_right(seed):
    passed, story = soak_slips.play(seed)
    assert story is None
    assert all(inputs <= soak_slips.MOST[slip] for slip, inputs in passed), passed


def slipping(slip, house="puremco"):
    """Return a function that makes one slip in a match: it is the turn of a seat that can lay a
    tile."""
    board = SimulatedHub()
    match = soak_slips.SlippingMatch(board, [1, 2, 3], house, 12, slip_rate=0)
    match.join()
    while match.line["phase"] != "play" or not match.moves(match.line["turn"]):
        match.act()
    seat = match.line["turn"]
    return lambda: getattr(match, slip)(seat, *match.moves(seat)[0])


@pytest.mark.parametrize(
    "slip", ["forget_tap", "tap_late", "wave_over_slot", "lean_on_button", "hold_by_mistake"]
)
def test_each_slip_by_itself_is_shown(slip):
    slipping(slip)()


def test_a_hub_that_does_not_show_it_is_found(monkeypatch):
    monkeypatch.setattr(Feedback, "follow_up", lambda *_: None)
    with pytest.raises(Disagreement, match="waves over another slot: nothing shows it"):
        slipping("wave_over_slot")()
    monkeypatch.setattr(buttons.Buttons, "LEANT_MS", 5000)
    with pytest.raises(Disagreement, match="a leaning elbow was an input"):
        slipping("lean_on_button")()


def test_a_tile_too_many_for_all_is_put_right_by_a_tap():
    board = SimulatedHub()
    match = soak_slips.SlippingMatch(board, [1, 4], "puremco", 9, 2, slip_rate=1)
    match.slip_rate = 0  # but for the deal
    match.play(1)
    assert set(match.passed) == {("deals one too many", 0)}
    corrected = [line["did"] for line in board.inputs].count("corrected")
    assert corrected == len(match.passed)  # one for each seat that is too early out
