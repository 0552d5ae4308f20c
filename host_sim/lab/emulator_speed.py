# SPDX-License-Identifier: MIT
"""Compares the speed of the emulated Pico with a real Pico's, by MicroPython's own benchmarks.

The maintainer of MicroPython published the scores of a real RPI_PICO
(github.com/micropython/micropython, pull request 14182, 2024-03-26; N=100 M=100). That pull
request changed the compiler options; the scores used here are those with the new options. The
benchmarks are tests/perf_bench in MicroPython's sources, which `make micropython` keeps beside its
image.
"""

import math
import re
from collections.abc import Mapping

from host_sim.board.chips import flash_image
from host_sim.board.chips.clock import Clock
from host_sim.board.pico.emulator import IMAGE, Emulator
from host_sim.lab import worker_pool

BENCHMARKS = IMAGE.parent / "tree" / "micropython" / "tests" / "perf_bench"
# benchmark -> score of the real Pico: the benchmark's own units of work per second
PUBLISHED = {
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
_RESULT = re.compile(rb"^(\d+) (\d+) ", re.MULTILINE)  # microseconds, units of work
_SLICE_US = 100_000
_MOST_US = 60_000_000

Scores = tuple[float, float, float]  # emulated, emulated without the flash cache, real


class _BareBoard:
    """A Pico with nothing connected to its pins.

    printed: what the Pico has printed
    """

    def __init__(self) -> None:
        self.clock = Clock()
        self.printed = bytearray()
        self.opening = b""

    def spi(self, byte: int) -> tuple[int, bool]:
        return 0, True

    def pin(self, number: int, level: int) -> None:
        pass

    def read_pin(self, number: int) -> tuple[int, int]:
        return 1, 0

    def frame(self, grb: bytes) -> None:
        pass

    def usb(self, data: bytes) -> None:
        self.printed += data

    def flash(self, letter: str, address: int, length: int) -> None:
        pass

    def reset(self, cause: int) -> None:
        pass


def score(name: str, cached: bool = True) -> float:
    """Return the score of a benchmark on the emulated Pico. Raises RuntimeError if the benchmark
    fails.

    name: a key of PUBLISHED
    cached: whether to emulate the flash cache, and so the waits for flash
    """
    source = b"import sys\n" + (BENCHMARKS / (name + ".py")).read_bytes()
    source += (BENCHMARKS / "benchrun.py").read_bytes() + b"\nbm_run(100, 100)\n"
    board = _BareBoard()
    emulator = Emulator([IMAGE], board, cached)
    try:
        emulator.write_files(flash_image.pack({"main.py": source}))
        emulator.power_cycle()
        while not (found := _RESULT.search(board.printed)):
            if board.clock.us > _MOST_US or b"Traceback" in board.printed:
                raise RuntimeError("%s: %s" % (name, board.printed.decode()))
            emulator.run(_SLICE_US)
    finally:
        emulator.close()
    us, work = map(int, found.groups())
    return 1e6 * work / us


def compare() -> dict[str, Scores]:
    """Return {benchmark: Scores} for PUBLISHED: the scores on the emulated Pico with the flash
    cache and without the cache, and on the real Pico."""
    with worker_pool.pool() as pool:
        found = {
            name: (pool.submit(score, name), pool.submit(score, name, False)) for name in PUBLISHED
        }
        worker_pool.follow("bench", [run for both in found.values() for run in both])
        return {
            name: (cached.result(), bare.result(), PUBLISHED[name])
            for name, (cached, bare) in found.items()
        }


def rows(found: Mapping[str, Scores]) -> list[str]:
    """Return the lines of a table of the emulated Pico's speed, divided by the real Pico's: with
    the flash cache and without."""
    lines = ["%-24s %9s %9s  times as fast, without the cache" % ("", "emulated", "real")]
    ratios = []
    for name, (cached, bare, real) in found.items():
        ratios.append((cached / real, bare / real))
        lines.append("%-24s %9.2f %9.2f  %5.2f %5.2f" % (name, cached, real, *ratios[-1]))
    for what, figures in zip(("with the cache", "without it"), zip(*ratios)):
        mean = math.exp(sum(map(math.log, figures)) / len(figures))
        lines.append(
            "%s: %.2f times as fast as the real Pico on average, %.2f to %.2f"
            % (what, mean, min(figures), max(figures))
        )
    return lines
