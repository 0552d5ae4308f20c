# SPDX-License-Identifier: MIT
"""Sit at the simulated table: a start screen, then the table with a hand of tiles below it."""

import os
from pathlib import Path

from host_sim import commands
from host_sim.needs import HUB, SCREEN

GROUP = "play"
HELP = "sit at a table, with mouse and keys"
SAVED = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "roundhouse"


def options(parser):
    commands.add_rules(parser)
    parser.add_argument("--folder", help="where the match is kept")


def needs(args):
    return (*HUB, *SCREEN)


def run(args):
    from host_sim.people.play_screen import Play, Start

    while True:
        start = Start(args.folder or SAVED, args.house, args.set)
        sitting = start.run()
        if not sitting:
            return 0
        play = Play(sitting, commands.colour(), start.teaches)
        play.run()
        if not play.anew:
            return 0
