# SPDX-License-Identifier: MIT
"""A pass of the hub's loop tells boot.py whether it is time to collect garbage."""

import pytest
from hub_actions import quick_hub

from host_sim.board.hub.simulated_hub import configured


@pytest.mark.parametrize("takes", [True, False])
def test_the_host_has_the_line_before_anything_is_tidied_up(takes):
    board = quick_hub(configured(STATIONS=4))
    if not takes:
        board.port.write = lambda buf: 0
    board.hub.press(1, "press 1", 1)
    tidied = [board.hub.step() for _ in range(4)]
    assert tidied == ([False, True, False, False] if takes else [True, False, False, False])
