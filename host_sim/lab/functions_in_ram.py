# SPDX-License-Identifier: MIT
"""Chooses which C functions of MicroPython the image keeps in RAM, for `make inram`.

The RP2040 runs its program from flash through a small cache. While the hub polls its readers, a
few functions evict one another from this cache. Which functions these are differs from build to
build.

The functions with the most cache misses for their size are added to functions_in_ram.txt, until
the hub waits for flash less than GOAL of the time. build-firmware.sh moves them into RAM.
"""

import bisect
import collections
import subprocess
import sys
from typing import NamedTuple

from host_sim.board.pico import build_firmware
from host_sim.lab import benchmark, worker_pool
from host_sim.maker import CommandError

LIMIT = 0.05  # greatest share of the time spent waiting; a test checks it
GOAL = 0.04  # lower than LIMIT, because the share changes with every build
STEP = 0.7  # share of the excess misses to remove before counting again
COUNTED_MS = 300
SPARE = 16  # bytes that a function needs in RAM in addition to its code, about
LINE = 8  # bytes of a line of the cache
FLASH_END = 0x11000000
WITH = {"nlr_push_tail": "nlr_push", "nlr_push": "nlr_push_tail"}  # a short jump needs both in RAM


class Symbol(NamedTuple):
    """A function or constant in the image.

    kind: the letter that nm prints for the symbol; "T" or "t" for a function
    """

    address: int
    size: int
    kind: str
    name: str


def symbols() -> list[Symbol]:
    """Return the symbols in the flash of the image that was built last, in order of address."""
    command = ["arm-none-eabi-nm", "-S", "--numeric-sort", str(build_firmware.ELF)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [row.split() for row in printed.splitlines()]
    found = [Symbol(int(row[0], 16), int(row[1], 16), *row[2:]) for row in rows if len(row) == 4]
    return [symbol for symbol in found if symbol.address < FLASH_END]


def waiting() -> tuple[float, dict[int, int]]:
    """Return what the flash cache costs a hub that polls its readers, as (share, misses).

    share: the share of the time that the hub waits for flash, 0 to 1
    misses: {address of a cache line: count of misses}
    """
    board = benchmark.in_play(3)
    return board.emulator.count_misses(lambda: board.run(COUNTED_MS))


def missed(lines: dict[int, int]) -> dict[Symbol, int]:
    """Return {symbol: count of cache misses in it}. lines: {address of a cache line: count of
    misses}."""
    table = symbols()
    starts = [symbol.address for symbol in table]
    found: collections.Counter[Symbol] = collections.Counter()
    for address, misses in lines.items():
        at = bisect.bisect_left(starts, address + LINE) - 1
        found[table[at]] += misses
    return found


def choose() -> None:
    """Choose the functions and write functions_in_ram.txt. Needs a MicroPython build tree, see
    `build_firmware.can_freeze`."""
    names: set[str] = set()
    while True:
        with worker_pool.pool(1) as pool:  # a process that has no other image in its Pico
            build_firmware.IN_RAM.write_text("".join(name + "\n" for name in sorted(names)))
            build_firmware.FROZEN.unlink(missing_ok=True)  # ELF would be of another image
            share, lines = pool.submit(waiting).result()
        percent = 100 * share
        print("%d functions in RAM: waits for flash %.1f %% of the time" % (len(names), percent))
        if share < GOAL:
            return
        misses = missed(lines)
        enough = sum(misses.values()) * (1 - GOAL / share) * STEP
        functions = [s for s in misses if s.kind in "tT" and not s.name.endswith("_veneer")]
        functions.sort(key=lambda s: misses[s] / (s.size + SPARE), reverse=True)
        for symbol in functions:
            names |= {symbol.name, WITH.get(symbol.name, symbol.name)}
            enough -= misses[symbol]
            if enough < 0:
                break


if __name__ == "__main__":
    try:
        choose()
    except CommandError as error:
        sys.exit(str(error))
