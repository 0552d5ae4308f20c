# SPDX-License-Identifier: MIT
"""The table of a real hub, live over USB: in this terminal, or in every browser that asks."""

import functools
import sys

from host_sim import commands
from host_sim.needs import SCREEN

GROUP = "look"
HELP = "the table of a real hub, live over USB"


def options(parser):
    commands.add_port(parser, "port", nargs="?")
    parser.add_argument("--serve", action="store_true", help="in a browser on this machine")
    parser.add_argument("--at", type=int, default=8000, help="the browser's port")
    parser.add_argument("--names", default="", help="1=Ana,3=Bo: who sits where")
    parser.add_argument("--lines", help="a file with the hub's lines instead of a hub")


def needs(args):
    return ("serial", "textual_serve") if args.serve else SCREEN


def run(args):
    from host_sim.views import browser_relay, terminal_table

    try:
        if args.serve:
            return browser_relay.serve(source(args), args.at)
        names = dict(pair.split("=", 1) for pair in args.names.split(",") if "=" in pair)
        terminal_table.TableScreen(source(args), names, commands.colour()).run()
    except (OSError, UnicodeDecodeError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def source(args):
    """Return where the lines come from: the file that is named, else the hub on its port."""
    from host_sim.maker.usb_hub import find_port
    from host_sim.views.line_sources import SerialLine, Tail

    if args.lines:
        return Tail(args.lines)
    return SerialLine(functools.partial(find_port, args.port))
