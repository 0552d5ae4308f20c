# SPDX-License-Identifier: MIT
"""The bench counts what it says: on the emulated Pico, a little of everything."""

import pytest

from host_sim.checks import performance
from host_sim.pico.emulator import IMAGE

needs_image = pytest.mark.skipif(
    not IMAGE.exists(), reason="no MicroPython image: `make micropython` builds it (Debian, root)"
)


def test_an_answer_in_a_frame():
    dark = bytes(12)
    assert not performance.answered(dark + dark, 1)
    assert performance.answered(dark + bytes(9) + b"\x60\x00\x00", 1), "green"
    assert performance.answered(dark + bytes(9) + b"\x00\x60\x00", 1), "red"
    assert not performance.answered(dark + bytes(9) + b"\x00\x00\x0b", 1), "the hint"
    assert not performance.answered(bytes(9) + b"\x60\x00\x00" + dark, 1), "another slot's"


def test_the_99th_percentile():
    assert performance.p99(list(range(1, 101))) == 99
    assert performance.p99([5.0]) == 5.0


@needs_image
def test_a_poll_and_a_sweep():
    ms, (calls, count, us) = performance.sweep(3)
    assert calls <= 12
    assert 0 < count <= 40
    assert us <= 600
    assert ms <= 40


@needs_image
def test_taps_are_answered_in_time():
    lights, lines, reads = performance.taps(1, 6)
    assert len(lights) == len(lines) == len(reads) == 6
    assert all(0 < light < line < 150 for light, line in zip(lights, lines))
    assert max(lights) < 80
    assert all(5000 < us < 20000 for us in reads)


@needs_image
def test_nothing_is_allocated_in_the_steady_loop():
    heap = performance.heap("puremco")
    assert heap["grown"] == 0
    assert min(heap["free"], heap["behind"]) >= 150 * 1024
