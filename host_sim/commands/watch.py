# SPDX-License-Identifier: MIT
"""The table of a real hub, live over USB: in the browser, or told in this terminal.

The hub is found by itself, and found again after its cable was pulled.
"""

import sys

from host_sim import commands
from host_sim.needs import PAGE

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
    from host_sim.maker.usb_hub import boards
    from host_sim.people.kept_names import KeptNames, parse
    from host_sim.server import told_lines
    from host_sim.server.serial_line import SerialLine

    given = parse(args.names)
    kept = KeptNames(commands.SAVED)
    names = {**kept.names, **given}
    kept.keep(names)
    source = SerialLine(boards, args.port).start()
    teller = told_lines.StoryTeller(args.lang or told_lines.language(), source=source)
    if not args.plain:
        return at_the_page(args, source, teller, kept)
    told_lines.tell_plainly(source, names, teller)
    source.close()
    return 0


def at_the_page(args, source, teller, kept):
    """Show the hub in the browser; return the exit status."""
    from host_sim.page.desk import Desk
    from host_sim.page.hall import Hall
    from host_sim.page.shown_table import WatchedTable
    from host_sim.server.addresses import own_key
    from host_sim.server.open_page import as_asked

    hall = Hall(WatchedTable(source, kept.names, kept.keep))
    key = own_key(commands.SAVED)
    return as_asked(args, commands.colour(sys.stdout)).serve(hall, Desk, key, source, [teller])
