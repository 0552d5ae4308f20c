# SPDX-License-Identifier: MIT
"""Run table scripts on the emulated Pico, and check that it prints the simulated hub's lines.

By default, only a selection of the scripts runs, which covers every game, gesture, card and lamp
on the board of config.py. With --all, all scripts run.
"""

import functools
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from host_sim.command_line import arguments, command
from host_sim.command_line.preflight import pico_needs
from host_sim.command_line.progress import Progress

GROUP = "check"
HELP = "run table scripts on the emulated Pico, and compare"


def options(parser: ArgumentParser) -> None:
    from roundhouse import boards

    parser.add_argument("--all", action="store_true", help="every script")
    parser.add_argument("--choose", action="store_true", help="only choose the selection again")
    command.add_images(parser)
    parser.add_argument("--wiring", choices=tuple(boards.PINS), help="only this build")
    parser.add_argument(
        "--missing", metavar="SEED", help="leave out random stations that the script does not name"
    )
    parser.add_argument(
        "files",
        nargs="*",
        type=arguments.readable_file,
        metavar="FILE",
        help="run only these scripts",
    )


def needs(args: Namespace) -> Sequence[str]:
    return pico_needs(args.image)


def run(args: Namespace) -> int:
    from host_sim.board.pico import build_firmware
    from host_sim.lab import pico_comparison, smoke_scripts, worker_pool

    if args.choose:
        chosen = smoke_scripts.choose()
        smoke_scripts.write(chosen)
        print("%d of %d scripts" % (len(chosen), len(smoke_scripts.scripts())))
        return 0
    scripts = pico_comparison.chosen(args.files, args.all, args.wiring, args.missing)
    started = time.perf_counter()
    build_firmware.firmware()  # compiled once for all runs
    wrong = 0
    with Progress("emulate", "scripts", len(scripts)) as progress, worker_pool.pool() as pool:
        work = functools.partial(pico_comparison.play, images=args.image, missing=args.missing)
        for n, story in enumerate(pool.map(work, *zip(*scripts)), 1):
            if story:
                wrong += 1
                progress.say(story)
            progress.to(n)
    seconds = time.perf_counter() - started
    wirings = [wiring for _, wiring in scripts]
    counts = ", ".join("%d on a %s" % (wirings.count(w), w) for w in dict.fromkeys(wirings))
    print(
        "%d scripts on the emulated Pico (%s), %d wrong, %.0f s"
        % (len(scripts), counts, wrong, seconds)
    )
    return 1 if wrong else 0
