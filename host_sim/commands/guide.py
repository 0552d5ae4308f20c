# SPDX-License-Identifier: MIT
"""Write the player's guide to a house: two sides of A4, in any of the languages, with the lamps as
the firmware shows them."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from host_sim.app.views.languages import LANGUAGES
from host_sim.command_line import arguments, command
from roundhouse import tiles

GROUP = "look"
HELP = "write the player's guide to a game, two sides to print"


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--house", help="default: config.py's; with a variant: matador ten")
    parser.add_argument(
        "--set", type=int, choices=tiles.SETS, help="default: config.py's, or the game's own"
    )
    parser.add_argument("--language", default="en", help=", ".join(LANGUAGES))
    parser.add_argument(
        "-o",
        "--out",
        type=arguments.writable_file,
        help="default: build/players.html, or a name with house and language",
    )


def needs(args: Namespace) -> Sequence[str]:
    return ()


def run(args: Namespace) -> int:
    import config
    from host_sim.app.handouts import house_guide
    from roundhouse.games import houses

    try:
        houses.set_family(config.FAMILY)
        made = house_guide.page(args.house or config.HOUSE, args.set or config.SET, args.language)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    words = (args.house or "").split() + ([str(args.set)] if args.set else [])
    name = "-".join(["players", *words]) + ("" if args.language == "en" else "." + args.language)
    to = Path(args.out or "build/%s.html" % name)
    if not args.out:
        to.parent.mkdir(exist_ok=True)
    command.write_file(to, made)
    print("%s: two pages to print" % to)
    return 0
