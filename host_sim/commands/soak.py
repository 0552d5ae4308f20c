# SPDX-License-Identifier: MIT
"""Let honest and dishonest players fill whole evenings while a referee checks the hub.

Status 1 if hub and referee differ, or if a value of an option never decided anything.
"""

import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from host_sim import arguments, commands
from host_sim.checks.progress import Progress
from host_sim.preflight import HUB, missing, pico_needs

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
        "--slips",
        type=arguments.count,
        help="instead: this number of rounds with slips of the hand",
    )
    parser.add_argument(
        "--hours",
        type=arguments.hours,
        help="instead: hours of table time on the whole firmware, with faults",
    )
    commands.add_seed(parser)


def needs(args: Namespace) -> Sequence[str]:
    return HUB


def run(args: Namespace) -> int:
    if args.hours:
        return run_troubled(args.hours, args.seed)
    if args.slips:
        return run_slipping(args.slips, args.seed)
    from host_sim.checks import soak

    started = time.perf_counter()
    if args.matches:
        todo: Sequence[soak.Planned] = soak.matches(args.matches, args.seed)
    else:
        todo = soak.evenings(args.seed, args.long)
    with Progress("soak", "evenings", len(todo)) as progress:
        tally, done, stories = soak.soak(todo, progress.to)
    idle = [] if args.matches else soak.idle(tally)
    for game, options in soak.OPTIONS.items():
        for option, values in options.items():
            counts = ["%s %d" % (word, tally[game, option, word]) for word in values]
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
    """Play rounds in which the players make mistakes, such as a wrong tile; return the exit
    status.

    seed: the seed of the random numbers.
    """
    from host_sim.checks import soak_slips

    with Progress("soak", "rounds", rounds) as progress:
        passed, stories = soak_slips.soak(rounds, seed, progress.to)
    late = []
    for slip, most in soak_slips.MOST.items():
        worst = max(passed[slip], default=0)
        print("%-26s %6d times, shown after %d inputs at most" % (slip, len(passed[slip]), worst))
        if worst > most or not passed[slip]:
            late.append(slip)
    print_stories(stories)
    print("%d rounds, %d not shown or not put right" % (rounds, len(stories)))
    if late:
        print("too late, or never tried: %s" % ", ".join(late), file=sys.stderr)
    return 1 if stories or late else 0


def run_troubled(hours: float, seed: int) -> int:
    """Play on a hub with random faults; return the exit status.

    hours: the simulated time at the table; seed: the seed of the random numbers.
    """
    from host_sim.checks import soak_faults

    lacks = missing(pico_needs())
    if lacks:
        print("without the heap's figure, which needs %s" % lacks, file=sys.stderr)
    started = time.perf_counter()
    with Progress("soak", "hours of the table's time", hours) as progress:
        took, evenings, erases, done, stories = soak_faults.soak(hours, seed, progress.to)
    for kind in (
        *(name.replace("_", " ") for name in soak_faults.TROUBLES),
        "power cut while writing",
    ):
        print("%-26s %6d" % (kind, done[kind]))
    print(
        "%.1f hours, %d evenings, %d rounds, %d inputs (%d refused), %d resumes, %.2f erases a "
        "kept input, %.0f s"
        % (
            took,
            evenings,
            done["rounds"],
            done["inputs"],
            done["refused"],
            done["resumes"],
            erases / max(1, done["kept"]),
            time.perf_counter() - started,
        )
    )
    if not lacks:
        from host_sim.checks import benchmark

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
