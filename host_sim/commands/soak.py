# SPDX-License-Identifier: MIT
"""Evenings of honest and dishonest players, a referee beside the hub; with trouble by the hour.

Status 1 where hub and referee differ, or where a value of an option never decided anything.
"""

import sys
import time

from host_sim import arguments, commands
from host_sim.checks.progress import Progress
from host_sim.preflight import HUB, lacking, pico

GROUP = "check"
HELP = "dishonest players, and a referee beside the hub"
STORIES = 3  # at most, of those that are told


def options(parser):
    parser.add_argument("--long", action="store_true", help="every set and number of players")
    parser.add_argument(
        "--matches",
        type=arguments.count,
        help="instead, so many whole random matches of each line game",
    )
    parser.add_argument(
        "--slips", type=arguments.count, help="instead, so many rounds of people whose hands slip"
    )
    parser.add_argument(
        "--hours", type=arguments.hours, help="evenings with trouble at the whole firmware"
    )
    commands.add_seed(parser)


def needs(args):
    return HUB


def run(args):
    if args.hours:
        return run_troubled(args.hours, args.seed)
    if args.slips:
        return run_slipping(args.slips, args.seed)
    from host_sim.checks import referee_soak

    started = time.perf_counter()
    if args.matches:
        todo = referee_soak.matches(args.matches, args.seed)
    else:
        todo = referee_soak.evenings(args.seed, args.long)
    with Progress("soak", "evenings", len(todo)) as progress:
        tally, done, stories = referee_soak.soak(todo, progress.to)
    idle = [] if args.matches else referee_soak.idle(tally)
    for game, options in referee_soak.OPTIONS.items():
        for option, values in options.items():
            said = ["%s %d" % (word, tally[game, option, word]) for word in values]
            print("%-6s  %-16s %s" % (game, option, "  ".join(said)))
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
    tell(stories)
    print("%d disagreements" % len(stories))
    if idle:
        print("never decided anything: %s" % ", ".join(idle), file=sys.stderr)
    return 1 if stories or idle else 0


def run_slipping(rounds, seed):
    """Play so many rounds of people whose hands slip; return the exit status."""
    from host_sim.checks import soak_slips

    with Progress("soak", "rounds", rounds) as progress:
        passed, stories = soak_slips.soak(rounds, seed, progress.to)
    late = []
    for slip, most in soak_slips.MOST.items():
        worst = max(passed[slip], default=0)
        print("%-26s %6d times, shown after %d inputs at most" % (slip, len(passed[slip]), worst))
        if worst > most or not passed[slip]:
            late.append(slip)
    tell(stories)
    print("%d rounds, %d not shown or not put right" % (rounds, len(stories)))
    if late:
        print("too late, or never tried: %s" % ", ".join(late), file=sys.stderr)
    return 1 if stories or late else 0


def run_troubled(hours, seed):
    """Play so many hours of the table's time with trouble; return the exit status."""
    from host_sim.checks import fault_soak
    from host_sim.checks.soak_faults import TROUBLES

    gone = lacking(pico())
    if gone:
        print("without the heap's figure, which needs %s" % gone, file=sys.stderr)
    started = time.perf_counter()
    with Progress("soak", "hours of the table's time", hours) as progress:
        took, evenings, erases, done, stories = fault_soak.soak(hours, seed, progress.to)
    for kind in (*(name.replace("_", " ") for name in TROUBLES), "power cut while writing"):
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
    if not gone:
        from host_sim.checks import benchmark

        heap = benchmark.heap("puremco")
        print(
            "heap on the emulated Pico: %d KiB free in play, lowest %d KiB"
            % (heap["free"] // 1024, heap["low"] // 1024)
        )
    tell(stories)
    print(
        "%d disagreements, %d inputs lost"
        % (len(stories), sum("lost" in story for story in stories))
    )
    return 1 if stories else 0


def tell(stories):
    for story in stories[:STORIES]:
        print(story, file=sys.stderr)
