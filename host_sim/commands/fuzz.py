# SPDX-License-Identifier: MIT
"""Feed random junk to tags, console, config.py, journal, saved files and views.

Status 1 if anything failed.
"""

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from host_sim.command_line import arguments, command
from host_sim.command_line.preflight import HUB
from host_sim.command_line.progress import Progress

GROUP = "check"
HELP = "feed junk to tags, console, config.py, journal, saved files and views"
PART = 25_000  # cases per task of a process
FEWER = {"files": 400}  # each case starts the program


def options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--cases",
        type=arguments.count,
        default=1_000_000,
        help="cases for each kind; of files 1 in 400",
    )
    command.add_seed(parser)


def needs(args: Namespace) -> Sequence[str]:
    return (*HUB, "htpy", "markupsafe", "segno", "hypothesis")


def run(args: Namespace) -> int:
    from host_sim.lab import worker_pool
    from host_sim.lab.fuzzer import TARGETS, attack

    started = time.perf_counter()
    part = min(args.cases, PART)
    jobs = [
        (
            target,
            max(1, min(part, args.cases - n) // FEWER.get(target, 1)),
            args.seed * 1000 + n // part,
        )
        for n in range(0, args.cases, part)
        for target in TARGETS
    ]
    tried = dict.fromkeys(TARGETS, 0)
    failed = 0
    total = sum(cases for _, cases, _ in jobs)
    with Progress("fuzz", "cases", total) as progress, worker_pool.pool() as pool:
        for (target, _, _), (count, story) in zip(jobs, pool.map(attack, *zip(*jobs))):
            tried[target] += count
            if story:
                failed += 1
                progress.say(story)
            progress.to(min(total, sum(tried.values())))
    for target, count in tried.items():
        print("%-8s %9d cases" % (target, count))
    print(
        "%d exceptions or wrong tiles, seed %d, %.0f s"
        % (failed, args.seed, time.perf_counter() - started)
    )
    return 1 if failed else 0
