# SPDX-License-Identifier: MIT
"""Memory runs out on the MicroPython VM, in the middle of an input, an export and power-up.

`MEMORY_EVERY=1` tries every amount of memory, block by block, which takes hours; without it a few
amounts of each case are tried, with the same ones each time.
"""

import os

import pytest

import vm

HEAP = 1 << 20  # bytes: what is tried is what is left of them
FEW = 3  # amounts of memory that are tried of each case
EVERY = int(os.environ.get("MEMORY_EVERY", "0"))  # blocks from one amount to the next; 0: few
BOARD = {b'WIRING = "hub12"': b'WIRING = "breadboard"', b"STATIONS = 10": b"STATIONS = 4"}
SCRIPT = """
import out_of_memory
def main():
    yield from out_of_memory.sweep(%r, %d, %d)
"""

# every case of tests/micropython/out_of_memory.py, by what they have in common
CASES = {
    "play": ("tap", "refused", "last-tile", "press", "totals", "round-over"),
    "back": ("undo", "redo", "undo-house", "redo-house", "undo-segment"),
    "console": ("correction", "house", "state", "export", "segment", "new-match", "sound"),
    "start": ("power-up", "new-flash"),
}

pytestmark = pytest.mark.skipif(
    not vm.is_installed(), reason="the MicroPython VM is not installed: `make test` does it"
)


@pytest.mark.parametrize("version", vm.VERSIONS if EVERY else (vm.NEWEST,))
@pytest.mark.parametrize(
    "cases",
    [pytest.param(name, marks=pytest.mark.slow) for name in CASES],
)
def test_nothing_is_lost_and_the_hub_goes_on(cases, version):
    config = (vm.ROOT / "firmware" / "config.py").read_bytes()
    for usual, here in BOARD.items():
        assert usual in config
        config = config.replace(usual, here)
    said = vm.run_vm(
        files={"firmware/config.py": config},
        script=SCRIPT % (CASES[cases], EVERY, FEW),
        heap=HEAP,
        version=version,
        timeout=24 * 3600 if EVERY else vm.TIMEOUT,
    )
    print(said)
    rows = [line.split() for line in said.splitlines()]
    told = {row[0].rstrip(":"): int(row[-3]) for row in rows}
    assert set(told) == set(CASES[cases])
    assert all(told.values()), "a case in which memory never ran out"


def test_the_heap_has_its_size():
    script = """
def main():
    kept = []
    try:
        while True:
            kept.append(bytearray(10000))
    except MemoryError:
        print(len(kept))
    yield
"""
    assert 80 < int(vm.run_vm(script=script, heap=HEAP)) < 105
