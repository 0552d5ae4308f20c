# SPDX-License-Identifier: MIT
"""How fast the emulated Pico is beside a real one: MicroPython's own benchmarks on both.

The real one's figures are what MicroPython's maintainer published for an RPI_PICO of his, with
the compiler's options that the firmware has since then (github.com/micropython/micropython, pull
request 14182, 2024-03-26; N=100 M=100). The benchmarks are tests/perf_bench of MicroPython's
sources; `make micropython` keeps them beside the image it builds.
"""

import math
import re
import types

from host_sim.checks import worker_pool
from host_sim.chips import flash_image
from host_sim.pico.emulator import IMAGE, Emulator

BENCHMARKS = IMAGE.parent / "perf_bench"
PUBLISHED = {  # a benchmark -> its score on the real one: its own unit of work, so many a second
    "bm_chaos": 218.64,
    "bm_fannkuch": 53.75,
    "bm_fft": 1524.90,
    "bm_float": 2497.01,
    "bm_hexiom": 36.02,
    "bm_nqueens": 2252.63,
    "bm_pidigits": 474.88,
    "bm_wordcount": 39.99,
    "core_import_mpy_multi": 331.06,
    "core_import_mpy_single": 62.73,
    "core_locals": 28.87,
    "core_qstr": 139.92,
    "core_str": 17.91,
    "core_yield_from": 213.00,
}
RESULT = re.compile(rb"^(\d+) (\d+) ", re.MULTILINE)  # microseconds, units of work
SLICE_US = 100_000
MOST_US = 60_000_000


class BarePico:
    """A Pico with nothing at its pins."""

    def __init__(self):
        self.clock = types.SimpleNamespace(us=0)
        self.said = bytearray()

    def usb(self, data):
        """Keep what the Pico prints."""
        self.said += data

    def pin(self, number, level):
        """Nobody watches."""

    def frame(self, grb):
        """There are no pixels."""

    def flash(self, letter, address, length):
        """Nobody counts."""

    def reset(self, cause):
        """Nobody minds."""


def score(name, cached=True):
    """Return the score of a benchmark on the emulated Pico, with its flash cache or without."""
    source = b"import sys\n" + (BENCHMARKS / (name + ".py")).read_bytes()
    source += (BENCHMARKS / "benchrun.py").read_bytes() + b"\nbm_run(100, 100)\n"
    board = BarePico()
    emulator = Emulator([IMAGE], board, cached=cached)
    try:
        emulator.write_files(flash_image.pack({"main.py": source}))
        emulator.power_cycle()
        while not RESULT.search(board.said):
            if board.clock.us > MOST_US or b"Traceback" in board.said:
                raise RuntimeError("%s: %s" % (name, board.said.decode()))
            emulator.run(SLICE_US)
    finally:
        emulator.close()
    us, work = map(int, RESULT.search(board.said).groups())
    return 1e6 * work / us


def compare():
    """Return {benchmark: (score, score without the cache, published score)}."""
    with worker_pool.pool() as pool:
        found = {
            name: (pool.submit(score, name), pool.submit(score, name, False)) for name in PUBLISHED
        }
        worker_pool.follow("bench", [run for both in found.values() for run in both])
        return {
            name: (with_cache.result(), without.result(), PUBLISHED[name])
            for name, (with_cache, without) in found.items()
        }


def rows(found):
    """Return the table's lines: times as fast as the real one, with the cache and without."""
    lines = ["%-24s %9s %9s  times as fast, without the cache" % ("", "here", "real")]
    ratios = []
    for name, (cached, bare, real) in found.items():
        ratios.append((cached / real, bare / real))
        lines.append("%-24s %9.2f %9.2f  %5.2f %5.2f" % (name, cached, real, *ratios[-1]))
    for what, figures in zip(("with the cache", "without it"), zip(*ratios)):
        mean = math.exp(sum(map(math.log, figures)) / len(figures))
        lines.append(
            "%s: %.2f times as fast as the real one on average, %.2f to %.2f"
            % (what, mean, min(figures), max(figures))
        )
    return lines
