# SPDX-License-Identifier: MIT
"""The table of an exported journal: forward, back, by rounds, by itself."""

import sys

from host_sim import commands
from host_sim.needs import SCREEN

GROUP = "look"
HELP = "the table of an exported journal"


def options(parser):
    parser.add_argument("file", help="what the hub answered to export, a line each")


def needs(args):
    return SCREEN


def run(args):
    from host_sim.hub import exported_match
    from host_sim.views.line_sources import Tape
    from host_sim.views.terminal_table import Replay

    try:
        tape = Tape(exported_match.lines(args.file), args.file)
    except (exported_match.NoExport, OSError, UnicodeDecodeError) as error:
        print(error, file=sys.stderr)
        return 2
    Replay(tape, colour=commands.colour()).run()
    return 0
