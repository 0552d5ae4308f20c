# SPDX-License-Identifier: MIT
"""A table in the browser: people at this screen or on their phones, bots on the other seats.

Every match is kept. Without --house the one played last goes on, or the page asks what to play.
Ctrl-C stops.
"""

import sys

from host_sim import arguments, commands
from host_sim.preflight import PAGE
from roundhouse import tiles

GROUP = "play"
HELP = "sit at a table in the browser, with bots"


def options(parser):
    parser.add_argument("--house", help='begin at once: puremco, "jassshop no-lock", ...')
    parser.add_argument("--set", type=int, choices=tiles.SETS, help="12, or the house's own")
    parser.add_argument("--seed", type=arguments.seed, help="the same tiles each time")
    parser.add_argument("--folder", type=arguments.folder, help="where the matches are kept")
    commands.add_page(parser)


def needs(args):
    return PAGE


def run(args):
    from host_sim.server.launcher import as_asked
    from host_sim.session import folder_lock

    folder = args.folder or commands.SAVED
    opened = as_asked(args, commands.colour(sys.stdout))
    try:
        writer = folder_lock.hold(folder)
    except folder_lock.FolderInUse as taken:
        return opened.elsewhere(taken.address)
    try:
        return play(args, folder, opened, writer)
    finally:
        writer.release()


def play(args, folder, opened, writer):
    """Play at the matches of a folder that this program writes; return the exit status."""
    from host_sim.page.app_state import AppState
    from host_sim.page.page_view import PageView
    from host_sim.server.addresses import own_key
    from host_sim.server.text_output import StoryPrinter
    from host_sim.session.match_store import MatchStore

    app = AppState(store=MatchStore(folder), seed=args.seed)
    if args.house or args.set:
        begin(app, args.house or "puremco", args.set)
    else:
        carry_on(app, opened)
    teller = StoryPrinter(opened.language)
    return opened.serve(app, PageView, own_key(folder), told=[teller], playing=True, at=writer.at)


def carry_on(app, opened):
    """Go on with the match that was played last; say so where it cannot be read."""
    from host_sim.views.disk_errors import reason

    try:
        app.carry_on()
        trouble = app.store.trouble
    except OSError as error:
        trouble = error
    if trouble:
        why = "page.disk_" + reason(trouble)
        opened.tell(why, folder=app.store.folder, why=trouble.strerror)


def begin(app, house, set_):
    """Begin a match of somebody with three bots. Raises ValueError for a house that is none."""
    from host_sim.games import house_info
    from host_sim.views.table_phrases import first_names
    from roundhouse.games import houses

    index = houses.parse(house.split())[0]
    set_ = set_ or house_info.own_set(index)
    seats = tuple(range(1, min(4, house_info.most_seats(index, set_)) + 1))
    names = {int(seat): name for seat, name in first_names(seats).items()}
    app.begin(house=house, set_=set_, seats=seats, people=(1,), names=names)
