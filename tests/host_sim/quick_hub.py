# SPDX-License-Identifier: MIT
"""A simulated hub in strides, for tests that look at its lines and not at its timing."""

import functools

from host_sim.hub.simulated_hub import COARSE_PASS_US, SimulatedHub
from host_sim.hub.table_script import Script

QuickHub = functools.partial(SimulatedHub, coarse_waits=True, pass_us=COARSE_PASS_US)


def played(text, config=None):
    """Run a table script; return its board."""
    script = Script(config=config, make_board=QuickHub)
    script.run(text)
    return script.board
