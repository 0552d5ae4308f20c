# SPDX-License-Identifier: MIT
"""The rows of the performance table that a Pico can measure by itself, on a real one.

The same lines of MicroPython run there as on the emulated Pico, handed over by mpremote, with the
firmware that `make flash` has put there. What is measured at the pins (readers, lamps, taps, the
start) needs the emulated Pico, which writes down what happens at them. The hub stands still
meanwhile and starts again afterwards; its journal is not touched.
"""

import json

from host_sim.checks import benchmark

# What is left behind goes, if it is ours.
TIDY = """
import os
if "bench" in os.listdir():
    for name in os.listdir("bench"):
        os.remove("bench/" + name)
    os.rmdir("bench")
"""
WITHOUT = "needs the emulated Pico: readers, lamps, taps and the start are measured at its pins"


class NoFigures(Exception):
    """The board answers, but not with figures."""


def measure(mpremote, games=tuple(benchmark.GAMES)):
    """Return {"change", "record", "games"} as benchmark.measure does, of a real Pico.

    mpremote: a callable that carries out mpremote's commands there, lists of words, and returns
    what they print. Raises NoFigures where there is no Roundhouse on it.
    """
    try:
        found = {
            "change": _run(mpremote, benchmark.CHANGE),
            "record": _run(mpremote, benchmark.RECORDS),
            "games": {},
        }
        for game in games:
            house, _ = benchmark.GAMES[game]
            found["games"][game] = {
                "input_us": _run(mpremote, benchmark.inputs_of(game)),
                "heap": _run(mpremote, benchmark.HEAP % house),
            }
    finally:
        mpremote([["exec", TIDY], ["reset"]])
    return found


def _run(mpremote, code):
    said = mpremote([["soft-reset"], ["exec", TIDY + benchmark.PARTS + code]])
    for line in reversed(said.splitlines()):
        if line.startswith("{") and "figures" in line:
            return json.loads(line)
    raise NoFigures("no figures came; is Roundhouse on it? (make flash)")


def rows(found):
    """Return the table: what, and the figure."""
    change, record, kib = found["change"], found["record"], 1024
    lines = []
    for game, figures in found["games"].items():
        took, heap = figures["input_us"], figures["heap"]
        lines += [
            (
                game + ": an input",
                "%.2f ms in play, worst %.1f ms; between rounds worst %.1f ms"
                % (took["mean"] / 1000, took["worst"] / 1000, took["most"] / 1000),
            ),
            (
                "  heap free in play",
                "%.1f KiB, behind a command %.1f KiB, lowest %.1f KiB"
                % (heap["free"] / kib, heap["behind"] / kib, heap["low"] / kib),
            ),
            ("  grown in 1000 passes", "%d bytes" % heap["grown"]),
        ]
    return [
        *lines,
        (
            "input that changes the game",
            "%.0f ms, worst %.0f" % (change["median"] / 1000, change["worst"] / 1000),
        ),
        (
            "journal record, call to return",
            "%.1f ms on average, worst %.0f" % (record["mean"] / 1000, record["worst"] / 1000),
        ),
        ("everything else", WITHOUT),
    ]
