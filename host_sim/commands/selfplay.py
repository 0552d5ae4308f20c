# SPDX-License-Identifier: MIT
"""Play whole matches on the rules core alone, as fast as one process can."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from host_sim.command_line import arguments, command

GROUP = "check"
HELP = "play whole matches on the rules core alone"


def options(parser: ArgumentParser) -> None:
    command.add_rules(parser)
    command.add_players(parser)
    parser.add_argument("--games", type=arguments.count, default=100)
    command.add_seed(parser)
    parser.add_argument(
        "--json", action="store_true", help="print the last line as one JSON object"
    )


def needs(args: Namespace) -> Sequence[str]:
    return ()


def run(args: Namespace) -> int:
    from host_sim.lab import selfplay

    return selfplay.run(args.house, args.set, args.players, args.games, args.seed, args.json)
