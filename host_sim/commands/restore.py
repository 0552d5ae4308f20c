# SPDX-License-Identifier: MIT
"""Add what the command `backup`, or the page, has saved as one file to the matches, evenings, own
sheets and names of this computer. Nothing here is replaced."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from host_sim.command_line import arguments, command
from host_sim.command_line.preflight import PAGE

GROUP = "play"
HELP = "add what such a file has; nothing here is replaced"


def options(parser: ArgumentParser) -> None:
    parser.add_argument("file", help="a file that `backup` wrote")
    command.add_matches(parser)


def needs(args: Namespace) -> Sequence[str]:
    return PAGE


def run(args: Namespace) -> int:
    from host_sim.app.people.kept_file import read_file
    from host_sim.app.people.own_sheets import OwnSheets
    from host_sim.app.people.people_statistics import Evenings
    from host_sim.app.server.text_output import terminal_language
    from host_sim.app.session import backup
    from host_sim.app.session.match_store import MatchStore
    from host_sim.app.views.i18n import Translator
    from host_sim.command_line.locked_folder import locked

    try:
        files = backup.read(read_file(args.file, backup.LARGEST))
    except backup.NoBackup as error:
        raise arguments.UnusableArgument(
            "%s: `backup` did not write it (%s); choose another" % (args.file, error)
        ) from None
    store = MatchStore(args.folder or command.saved_folder())
    with locked(store.folder):
        taken = backup.take_in(files, store, Evenings(store), OwnSheets(store.folder))
    print(backup.taken_text(Translator(terminal_language()), taken))
    return 0
