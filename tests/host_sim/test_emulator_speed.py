# SPDX-License-Identifier: MIT
"""The emulated Pico is about as fast as a real one, by MicroPython's own benchmarks."""

import pytest

from host_sim.board.pico.emulator import IMAGE
from host_sim.lab import emulator_speed

needs_benchmarks = pytest.mark.skipif(
    not (IMAGE.exists() and emulator_speed.BENCHMARKS.exists()),
    reason="no MicroPython image and benchmarks: `make micropython` builds them (on Debian)",
)


@pytest.mark.slow
@needs_benchmarks
def test_a_benchmark_that_a_real_pico_reads_from_flash():
    name = "core_import_mpy_multi"
    real = emulator_speed.PUBLISHED[name]
    assert 0.9 < emulator_speed.score(name) / real < 1.1
    assert emulator_speed.score(name, cached=False) / real > 1.4, "kinder than a real one"


def test_the_table():
    lines = emulator_speed.rows({"a": (10.0, 20.0, 10.0), "b": (40.0, 40.0, 10.0)})
    assert lines[1].split() == ["a", "10.00", "10.00", "1.00", "2.00"]
    assert lines[-2].startswith("with the cache: 2.00 times")
    assert lines[-2].endswith("1.00 to 4.00")
    assert lines[-1].startswith("without it: 2.83 times")
