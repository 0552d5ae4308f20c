# SPDX-License-Identifier: MIT
"""A quick simulated hub, and functions that act on it by the words of a table script. Tests of
timing must not use this hub."""

import functools
from types import SimpleNamespace

from host_sim.board.hub.simulated_hub import COARSE_PASS_US, SimulatedHub
from host_sim.board.hub.table_script import Script
from host_sim.table.console_line import ConsoleLine

quick_hub = functools.partial(SimulatedHub, coarse_waits=True, pass_us=COARSE_PASS_US)
quick_script = functools.partial(Script, make_board=quick_hub)


def played(text: str, config: SimpleNamespace | None = None) -> SimulatedHub:
    """Run a table script; return its board."""
    script = quick_script(config=config)
    script.run(text)
    assert script.board
    return script.board


def act(hub: SimulatedHub, step: str) -> ConsoleLine | None:
    """Carry out one step; return the console line that answers it.

    step: `tap 12-5 2`, `override 7-1 M`, `press 3`, `hold 3`, `unplug`, `forget` (a long hold of
        E, confirmed), or a console command, with or without `say` before it
    """
    word, *rest = step.split()
    if word == "unplug":
        hub.unplug()
        return hub.inputs[-1]
    if word == "forget":
        hub.press("E", 5500)
        return hub.press("E")
    if word in ("tap", "override"):
        return getattr(hub, word)(" ".join(rest[:-1]), rest[-1])
    if word in ("press", "hold"):
        return getattr(hub, word)(rest[0])
    return hub.command(step.removeprefix("say "))
