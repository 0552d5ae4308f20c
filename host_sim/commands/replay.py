# SPDX-License-Identifier: MIT
"""The table of an exported journal: forward, back, by rounds, by itself."""

import sys
from pathlib import Path

from host_sim import arguments, commands
from host_sim.needs import PAGE

GROUP = "look"
HELP = "the table of an exported journal"


def options(parser):
    parser.add_argument("file", help="what the hub answered to export, a line each")
    commands.add_page(parser)


def needs(args):
    return PAGE


def run(args):
    from host_sim.hub import exported_match
    from host_sim.page.desk import Desk
    from host_sim.page.hall import Hall
    from host_sim.page.shown_table import ReplayedTable
    from host_sim.server.addresses import own_key
    from host_sim.server.open_page import as_asked
    from host_sim.views.line_sources import Tape

    opened = as_asked(args, commands.colour(sys.stdout))
    try:
        text = Path(args.file).read_bytes().decode(errors="replace")
        tape = Tape(exported_match.read(text))
    except OSError as error:
        why = error.strerror or "?"
        raise arguments.Unusable(
            opened.speech("server.no_file", file=args.file, why=why)
        ) from None
    except exported_match.NoExport:
        raise arguments.Unusable(opened.speech("server.no_export", file=args.file)) from None
    hall = Hall(ReplayedTable(tape, text=text))
    return opened.serve(hall, Desk, own_key(commands.SAVED))
