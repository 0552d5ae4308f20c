# SPDX-License-Identifier: MIT
"""The table of a real hub, live over USB: in the browser, or told in this terminal.

The hub is found by itself, and found again after its cable was pulled.
"""

import sys

from host_sim import commands
from host_sim.preflight import PAGE

GROUP = "look"
HELP = "the table of a real hub, live over USB"


def options(parser):
    commands.add_port(parser, "port", nargs="?")
    parser.add_argument("--names", default="", help="1=Ana,3=Bo: who sits where; kept")
    parser.add_argument("--plain", action="store_true", help="the story as lines of text, no page")
    commands.add_page(parser)


def needs(args):
    return ("serial",) if args.plain else (*PAGE, "serial")


def run(args):
    from host_sim.flashing.usb_hub import boards
    from host_sim.server import text_output
    from host_sim.server.hub_port import SerialLine
    from host_sim.session.name_store import NameStore, parse

    given = parse(args.names)
    kept = NameStore(commands.SAVED)
    names = {**kept.names, **given}
    kept.keep(names)
    source = SerialLine(boards, args.port).start()
    teller = text_output.StoryPrinter(args.lang or text_output.terminal_language(), source=source)
    if not args.plain:
        return at_the_page(args, source, teller, kept)
    text_output.print_story(source, names, teller)
    source.close()
    return 0


def at_the_page(args, source, teller, kept):
    """Show the hub in the browser; return the exit status."""
    from host_sim.page.app_state import AppState
    from host_sim.page.page_view import PageView
    from host_sim.page.table_models import WatchedTable
    from host_sim.server.addresses import own_key
    from host_sim.server.launcher import as_asked

    app = AppState(WatchedTable(source, kept.names, kept.keep))
    key = own_key(commands.SAVED)
    return as_asked(args, commands.colour(sys.stdout)).serve(app, PageView, key, source, [teller])
