# SPDX-License-Identifier: MIT
"""Measures the part of the performance table that a real Pico can measure without the simulator.

Through mpremote, the Pico runs the same lines of MicroPython as the emulated Pico, with the
installed firmware. Readers, lamps, taps and the start are left out, because they are measured at
the pins. The hub stops meanwhile and restarts; its journal is not changed.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

from host_sim.lab import benchmark

# Remove our folder, if an earlier run left it there.
TIDY = """
import os
if "bench" in os.listdir():
    for name in os.listdir("bench"):
        os.remove("bench/" + name)
    os.rmdir("bench")
"""


Mpremote = Callable[[list[list[str]]], str]


class NoFigures(Exception):
    """Raised if the Pico does not return benchmark figures."""


def measure(mpremote: Mpremote, games: Sequence[str] = tuple(benchmark.GAMES)) -> dict[str, Any]:
    """Return the figures "change", "record" and "games" of a real Pico, in the form of
    benchmark.measure. Raises NoFigures if the Pico has no Roundhouse firmware.

    mpremote: a function that runs a list of mpremote commands, such as [["soft-reset"], ["exec",
        "print(1)"]], on the Pico and returns their output
    """
    try:
        found: dict[str, Any] = {
            "change": _run(mpremote, benchmark.CHANGE),
            "record": _run(mpremote, benchmark.RECORDS),
            "games": {},
        }
        for game in games:
            house, _ = benchmark.GAMES[game]
            found["games"][game] = {
                "input_us": _run(mpremote, benchmark.inputs_of(game)),
                "heap": _run(mpremote, benchmark.heap_of(house)),
            }
    finally:
        mpremote([["exec", TIDY], ["reset"]])
    return found


def _run(mpremote: Mpremote, code: str) -> dict[str, Any]:
    printed = mpremote([["soft-reset"], ["exec", TIDY + benchmark.PARTS + code]])
    for line in reversed(printed.splitlines()):
        if line.startswith("{") and "figures" in line:
            return json.loads(line)
    raise NoFigures("no figures came; is Roundhouse on it? (make flash)")
