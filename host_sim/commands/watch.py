# SPDX-License-Identifier: MIT
"""Watch the table of a real hub live over USB, in the browser or as text in this terminal.

The hub is found automatically, also after it was unplugged.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from host_sim.command_line import command
from host_sim.command_line.preflight import PAGE

if TYPE_CHECKING:
    from host_sim.app.people.name_store import NameStore
    from host_sim.app.server.hub_port import HubPort
    from host_sim.app.server.text_output import StoryPrinter

GROUP = "look"
HELP = "watch the table of a real hub, live over USB"


def options(parser: ArgumentParser) -> None:
    command.add_port(parser, "port", nargs="?")
    parser.add_argument(
        "--names", default="", help="who sits where, such as 1=Ana,3=Bo; remembered"
    )
    parser.add_argument(
        "--plain", action="store_true", help="print the story as text instead of the page"
    )
    command.add_page(parser)


def needs(args: Namespace) -> Sequence[str]:
    return ("serial",) if args.plain else (*PAGE, "serial")


def run(args: Namespace) -> int:
    from host_sim.app.people.name_store import NameStore, parse
    from host_sim.app.server import text_output
    from host_sim.app.server.hub_port import HubPort
    from host_sim.maker.usb_hub import pico_ports

    given = parse(args.names)
    store = NameStore(command.saved_folder())
    names = {**store.names, **given}
    store.save(names)
    source = HubPort(pico_ports, args.port).start()
    printer = text_output.StoryPrinter(args.lang or text_output.terminal_language(), source=source)
    if not args.plain:
        return show_page(args, source, printer, store)
    text_output.print_story(source, names, printer)
    source.close()
    return 0


def show_page(args: Namespace, source: HubPort, printer: StoryPrinter, store: NameStore) -> int:
    from host_sim.app.page.app import App
    from host_sim.app.page.shown_tables import LiveTable
    from host_sim.app.page.viewer_page import ViewerPage
    from host_sim.app.server.addresses import owner_key
    from host_sim.app.server.launcher import PageLauncher

    app = App(LiveTable(source, store.names, store.save))
    key = owner_key(command.saved_folder())
    return PageLauncher.from_args(args, command.wants_colour(sys.stdout)).serve(
        app, ViewerPage, key, source, [printer]
    )
