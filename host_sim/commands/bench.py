# SPDX-License-Identifier: MIT
"""The performance table, measured on the emulated Pico."""

import json
import sys
import time

GROUP = "check"
HELP = "the performance table, on the emulated Pico"


def options(parser):
    parser.add_argument("--json", action="store_true", help="as one object")


def run(args):
    from host_sim.checks import performance
    from host_sim.pico.emulator import IMAGE

    if not IMAGE.exists():
        print("no MicroPython image: `make micropython` builds it (Debian, root)", file=sys.stderr)
        return 2
    started = time.perf_counter()
    figures = performance.measure()
    if args.json:
        print(json.dumps(figures))
        return 0
    for what, figure, goal in performance.rows(figures):
        print("%-26s %-62s %s" % (what, figure, goal and "goal: " + goal))
    print("measured in %.0f s" % (time.perf_counter() - started), file=sys.stderr)
    return 0
