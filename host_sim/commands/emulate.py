# SPDX-License-Identifier: MIT
"""Table scripts on the emulated Pico: they must pass there, with the lines they have on the host.

Without --all and files it plays a selection that shows every house, verdict, gesture, card and
lamp on the board of config.py, and some of it once more on each other board.
Two Picos at a time, or as many as there are processors.
"""

import functools
import time

from host_sim import arguments, commands
from host_sim.checks.progress import Progress
from host_sim.preflight import pico

GROUP = "check"
HELP = "table scripts on the emulated Pico and here"


def options(parser):
    from roundhouse import boards

    parser.add_argument("--all", action="store_true", help="every script")
    parser.add_argument("--choose", action="store_true", help="only choose the selection anew")
    commands.add_images(parser)
    parser.add_argument("--wiring", choices=tuple(boards.PINS), help="only this build")
    parser.add_argument(
        "--missing", metavar="SEED", help="stations are missing at random, those no line names"
    )
    parser.add_argument(
        "files",
        nargs="*",
        type=arguments.read_file,
        metavar="FILE",
        help="only these scripts",
    )


def needs(args):
    return pico(args.image)


def run(args):
    from host_sim.checks import pico_comparison, smoke_scripts, worker_pool
    from host_sim.pico import compiled_firmware

    if args.choose:
        chosen = smoke_scripts.choose()
        smoke_scripts.write(chosen)
        print("%d of %d scripts" % (len(chosen), len(smoke_scripts.scripts())))
        return 0
    scripts = pico_comparison.chosen(args.files, args.all, args.wiring, args.missing)
    started = time.perf_counter()
    compiled_firmware.firmware()  # compiled once, for all
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
