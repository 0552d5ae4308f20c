# SPDX-License-Identifier: MIT
"""Whole matches on the rules core alone, as fast as one process goes."""

from host_sim import arguments, commands

GROUP = "check"
HELP = "whole matches on the rules core alone"


def options(parser):
    commands.add_rules(parser)
    commands.add_players(parser)
    parser.add_argument("--games", type=arguments.count, default=100)
    commands.add_seed(parser)
    parser.add_argument("--json", action="store_true", help="the last line as one object")


def needs(args):
    return ()


def run(args):
    from host_sim.checks import selfplay_match

    return selfplay_match.run(args.house, args.set, args.players, args.games, args.seed, args.json)
