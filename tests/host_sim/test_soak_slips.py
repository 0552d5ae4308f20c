# SPDX-License-Identifier: MIT
"""Hands that slip, and that the hub shows it at once."""

import pytest

from host_sim.checks import soak_slips
from host_sim.games.player_knowledge import Disagreement
from host_sim.hub.simulated_hub import SimulatedHub
from roundhouse.drivers import buttons
from roundhouse.feedback import Feedback


@pytest.mark.parametrize(
    "seed",
    [1, 3, pytest.param(0, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)],
)
def test_what_slips_is_shown_and_put_right(seed):
    passed, story = soak_slips.play(seed)
    assert story is None
    for slip, inputs in passed.items():
        assert max(inputs) <= soak_slips.MOST[slip], slip


def slipping(slip, house="puremco"):
    """A match at which exactly this slip is about to be made; returns what makes it."""
    board = SimulatedHub()
    match = soak_slips.SlippingMatch(board, [1, 2, 3], house, 12, often=0)
    match.sit_down()
    match.find_engine()
    seat = match.line["turn"]
    while not match.players.moves(seat):
        match.draw(seat)
        seat = match.line["turn"]
    tile, slot = match.players.moves(seat)[0]
    return lambda: getattr(match, slip)(seat, tile, slot)


@pytest.mark.parametrize("slip", ["forget", "late", "wave", "lean", "hold"])
def test_each_slip_by_itself_is_shown(slip):
    slipping(slip)()


def test_a_hub_that_does_not_show_it_is_found(monkeypatch):
    monkeypatch.setattr(Feedback, "follow", lambda *_: None)
    with pytest.raises(Disagreement, match="waves over another slot: nothing shows it"):
        slipping("wave")()
    monkeypatch.setattr(buttons.Buttons, "LEANT_MS", 5000)
    with pytest.raises(Disagreement, match="a leaning elbow was an input"):
        slipping("lean")()
