# SPDX-License-Identifier: MIT
"""Show the table of an exported match in the browser: step forward and back, or let it play."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from host_sim.command_line import arguments, command
from host_sim.command_line.preflight import PAGE

GROUP = "look"
HELP = "look back at an exported match"


def options(parser: ArgumentParser) -> None:
    parser.add_argument("file", help="what `export` saved")
    command.add_page(parser)


def needs(args: Namespace) -> Sequence[str]:
    return PAGE


def run(args: Namespace) -> int:
    from host_sim.app.page.app import App
    from host_sim.app.page.shown_tables import ReplayedTable
    from host_sim.app.page.viewer_page import ViewerPage
    from host_sim.app.server.addresses import owner_key
    from host_sim.app.server.launcher import PageLauncher
    from host_sim.board.hub import match_export
    from host_sim.table.streams import Recording

    launcher = PageLauncher.from_args(args, command.wants_colour(sys.stdout))
    try:
        text = arguments.read_file(args.file).decode(errors="replace")
        recording = Recording(match_export.read(text))
    except OSError as error:
        why = error.strerror or "?"
        raise arguments.UnusableArgument(
            launcher.translate("server.no_file", file=args.file, why=why)
        ) from None
    except match_export.NoExport:
        raise arguments.UnusableArgument(
            launcher.translate("server.no_export", file=args.file)
        ) from None
    app = App(ReplayedTable(recording, text=text))
    return launcher.serve(app, ViewerPage, owner_key(command.saved_folder()))
