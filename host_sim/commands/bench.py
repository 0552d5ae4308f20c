# SPDX-License-Identifier: MIT
"""The performance table, measured on the emulated Pico."""

import json
import sys
import time

from host_sim.needs import BENCHMARKS, pico

GROUP = "check"
HELP = "the performance table, on the emulated Pico"


def options(parser):
    parser.add_argument("--json", action="store_true", help="as one object")
    parser.add_argument(
        "--beside-a-real-one",
        action="store_true",
        help="MicroPython's own benchmarks on the emulated Pico, beside published figures",
    )


def needs(args):
    return (*pico(), BENCHMARKS) if args.beside_a_real_one else pico()


def run(args):
    from host_sim.checks import performance, performance_table, published_figures

    started = time.perf_counter()
    if args.beside_a_real_one:
        found = published_figures.compare()
        print(json.dumps(found) if args.json else "\n".join(published_figures.rows(found)))
        return 0
    figures = performance.measure()
    if args.json:
        print(json.dumps(figures))
        return 0
    for what, figure, goal in performance_table.rows(figures):
        print("%-30s %-62s %s" % (what, figure, goal and "goal: " + goal))
    print("measured in %.0f s" % (time.perf_counter() - started), file=sys.stderr)
    return 0
