# SPDX-License-Identifier: MIT
"""Play at a table in the browser: people at this screen or on their phones, and bots.

Every match is saved. Without --house, the last match continues, or the page asks what to play.
Ctrl-C stops.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from host_sim.command_line import arguments, command
from host_sim.command_line.preflight import PAGE
from roundhouse import tiles

if TYPE_CHECKING:
    from pathlib import Path

    from host_sim.app.page.app import App
    from host_sim.app.server.launcher import PageLauncher
    from host_sim.app.session.folder_lock import FolderLock

GROUP = "play"
HELP = "play at a table in the browser, with bots"


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--house", help='start a match at once: puremco, "jassshop no-lock", ...')
    parser.add_argument(
        "--set", type=int, choices=tiles.SETS, help="default: 12, or the house's own"
    )
    parser.add_argument("--seed", type=arguments.seed, help="deal the same tiles each time")
    command.add_matches(parser)
    command.add_page(parser, outside=True)


def needs(args: Namespace) -> Sequence[str]:
    return PAGE


def run(args: Namespace) -> int:
    from host_sim.app.server.launcher import PageLauncher
    from host_sim.app.session import folder_lock

    if args.at_port is not None and not isinstance(args.at, str):
        raise arguments.UnusableArgument("--at-port: say --at https://your.name too")
    folder = args.folder or command.saved_folder()
    launcher = PageLauncher.from_args(args, command.wants_colour(sys.stdout))
    try:
        lock = folder_lock.acquire(folder)
    except folder_lock.FolderTaken as taken:
        return launcher.open_running(taken.address, lambda: folder_lock.address_in(folder))
    if lock.trouble:
        launcher.print_sentence("server.no_lock", folder=folder)
    try:
        with launcher.port_taken(lock.last_port()) as port:
            lock.keep_port(port)
            return play(args, folder, launcher, lock)
    finally:
        lock.release()


def play(args: Namespace, folder: Path, launcher: PageLauncher, lock: FolderLock) -> int:
    from host_sim.app.page.app import App
    from host_sim.app.page.viewer_page import ViewerPage
    from host_sim.app.server.addresses import owner_key
    from host_sim.app.server.text_output import StoryPrinter
    from host_sim.app.session.match_store import MatchStore

    app = App(store=MatchStore(folder), seed=args.seed)
    if args.house or args.set:
        begin(app, args.house or "puremco", args.set)
    else:
        carry_on(app, launcher)
    printer = StoryPrinter(launcher.language, folder=folder)
    return launcher.serve(
        app,
        ViewerPage,
        owner_key(folder),
        listeners=[printer],
        playing=True,
        on_url=lock.write_address,
    )


def carry_on(app: App, launcher: PageLauncher) -> None:
    """Continue the match that was played last, or print why it cannot be read."""
    from host_sim.app.page.dialogs import unreadable
    from host_sim.app.server import text_output
    from host_sim.app.views.disk_errors import reason

    assert app.store
    try:
        app.continue_match()
        trouble = app.store.trouble
    except OSError as error:
        trouble = error
    if app.store.unreadable:
        text_output.print_line(unreadable(launcher.translate, app.store.unreadable), sys.stdout)
    if trouble:
        why = "page.disk_" + reason(trouble)
        launcher.print_sentence(why, folder=app.store.folder, why=trouble.strerror)


def begin(app: App, house: str, set_: int | None) -> None:
    """Begin a match between one person and three bots. Raises ValueError if the house is unknown.

    set_: the highest number on the tiles, or None for the house's own set.
    """
    from host_sim.app.views.table_names import first_names
    from host_sim.table.games import house_info
    from roundhouse.games import houses

    index = houses.parse(house.split())[0]
    set_ = set_ or house_info.own_set(index)
    seats = tuple(range(1, min(4, house_info.most_seats(index, set_)) + 1))
    names = {int(seat): name for seat, name in first_names(seats).items()}
    app.start_match(house=house, set_=set_, seats=seats, people=(1,), names=names)
