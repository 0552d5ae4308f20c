# SPDX-License-Identifier: MIT
"""The table of an exported journal: forward, back, by rounds, by itself."""

import sys
from pathlib import Path

from host_sim import arguments, commands
from host_sim.preflight import PAGE

GROUP = "look"
HELP = "the table of an exported journal"


def options(parser):
    parser.add_argument("file", help="what the hub answered to export, a line each")
    commands.add_page(parser)


def needs(args):
    return PAGE


def run(args):
    from host_sim.hub import match_export
    from host_sim.page.app_state import AppState
    from host_sim.page.page_view import PageView
    from host_sim.page.table_models import ReplayedTable
    from host_sim.server.addresses import own_key
    from host_sim.server.launcher import as_asked
    from host_sim.views.line_streams import Recording

    opened = as_asked(args, commands.colour(sys.stdout))
    try:
        text = Path(args.file).read_bytes().decode(errors="replace")
        tape = Recording(match_export.read(text))
    except OSError as error:
        why = error.strerror or "?"
        raise arguments.BadArgument(
            opened.translator("server.no_file", file=args.file, why=why)
        ) from None
    except match_export.NotAnExport:
        raise arguments.BadArgument(
            opened.translator("server.no_export", file=args.file)
        ) from None
    app = AppState(ReplayedTable(tape, text=text))
    return opened.serve(app, PageView, own_key(commands.SAVED))
