# SPDX-License-Identifier: MIT
"""Let honest and dishonest players fill whole evenings while a referee checks the hub.

Status 1 if hub and referee differ, or if some value of an option never changed an answer.
"""

import itertools
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from host_sim.command_line import arguments, command
from host_sim.command_line.preflight import HUB, missing, pico_needs
from host_sim.command_line.progress import Progress

GROUP = "check"
HELP = "let dishonest players try the hub beside a referee"
STORIES = 3  # most stories that are printed


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--long", action="store_true", help="play every set and number of players")
    parser.add_argument(
        "--matches",
        type=arguments.count,
        help="instead: this number of random matches of each line game",
    )
    parser.add_argument(
        "--seats",
        type=arguments.seats_range,
        help="instead: rounds of Mexican Train at tables of these sizes, such as 9-14",
    )
    parser.add_argument(
        "--tables", type=arguments.count, default=500, help="with --seats: how many rounds"
    )
    parser.add_argument(
        "--slips",
        type=arguments.count,
        help="instead: this number of rounds with slips of the hand",
    )
    parser.add_argument(
        "--hours",
        type=arguments.hours,
        help="instead: hours of table time on the whole firmware, with faults",
    )
    command.add_seed(parser)


def needs(args: Namespace) -> Sequence[str]:
    return (*HUB, "allpairspy")


def run(args: Namespace) -> int:
    if args.hours:
        return run_troubled(args.hours, args.seed)
    if args.slips:
        return run_slipping(args.slips, args.seed)
    from host_sim.lab import soak, soak_runner

    started = time.perf_counter()
    if args.matches:
        todo: Sequence[soak.Planned] = soak.matches(args.matches, args.seed)
    elif args.seats:
        todo = soak.tables(args.tables, args.seats, args.seed)
    else:
        todo = soak.evenings(args.seed, args.long)
    with Progress("soak", "evenings", len(todo)) as progress:
        done, stories = soak_runner.soak(soak.play, todo, progress)
    idle = [] if args.matches or args.seats else soak.idle(done)
    for game, options in soak.OPTIONS.items():
        for option, values in options.items():
            counts = ["%s %d" % (word, done[game, option, word]) for word in values]
            print("%-6s  %-16s %s" % (game, option, "  ".join(counts)))
    print(
        "%d evenings, %d rounds, %d inputs (%d refused), %d taken back in the middle, %.0f s"
        % (
            len(todo),
            done["rounds"],
            done["inputs"],
            done["inputs"] - done["ok"],
            done["taken back"],
            time.perf_counter() - started,
        )
    )
    print_stories(stories)
    print("%d disagreements" % len(stories))
    if idle:
        print("never decided anything: %s" % ", ".join(idle), file=sys.stderr)
    return 1 if stories or idle else 0


def run_slipping(rounds: int, seed: int) -> int:
    """Play rounds in which the players make mistakes; return the exit status."""
    from host_sim.lab import soak_runner, soak_slips

    seeds = range(seed * 100_000, seed * 100_000 + rounds)
    with Progress("soak", "rounds", rounds) as progress:
        done, stories = soak_runner.soak(soak_slips.play, seeds, progress)
    late = []
    for slip, most in soak_slips.MOST.items():
        passed = {what[1]: times for what, times in done.items() if what[0] == slip}
        worst, times = max(passed, default=0), sum(passed.values())
        print("%-26s %6d times, shown after %d inputs at most" % (slip, times, worst))
        if worst > most or not passed:
            late.append(slip)
    print_stories(stories)
    print("%d rounds, %d not shown or not put right" % (rounds, len(stories)))
    if late:
        print("too late, or never tried: %s" % ", ".join(late), file=sys.stderr)
    return 1 if stories or late else 0


def run_troubled(hours: float, seed: int) -> int:
    """Play on a hub with random faults; return the exit status.

    hours: simulated time at the table
    """
    from host_sim.lab import soak_faults, soak_runner

    lacks = missing(pico_needs())
    if lacks:
        print("without the heap's figure, which needs %s" % lacks, file=sys.stderr)
    started = time.perf_counter()
    seeds = itertools.count(seed * 100_000)
    with Progress("soak", "hours of the table's time", hours) as progress:
        done, stories = soak_runner.soak(soak_faults.play, seeds, progress, soak_faults.HOURS)
    for kind in (
        *(name.replace("_", " ") for name in soak_faults.TROUBLES),
        "power cut while writing",
    ):
        print("%-26s %6d" % (kind, done[kind]))
    print(
        "%.1f hours, %d evenings, %d rounds, %d inputs (%d refused), %d resumes, %.2f erases a "
        "kept input, %.0f s"
        % (
            done[soak_faults.HOURS],
            done[soak_runner.MATCHES],
            done["rounds"],
            done["inputs"],
            done["refused"],
            done["resumes"],
            done[soak_faults.ERASES] / max(1, done["kept"]),
            time.perf_counter() - started,
        )
    )
    if not lacks:
        from host_sim.lab import benchmark

        heap = benchmark.heap("puremco")
        print(
            "heap on the emulated Pico: %d KiB free in play, lowest %d KiB"
            % (heap["free"] // 1024, heap["low"] // 1024)
        )
    print_stories(stories)
    print(
        "%d disagreements, %d inputs lost"
        % (len(stories), sum("lost" in story for story in stories))
    )
    return 1 if stories else 0


def print_stories(stories: Sequence[str]) -> None:
    for story in stories[:STORIES]:
        print(story, file=sys.stderr)
