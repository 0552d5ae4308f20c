# SPDX-License-Identifier: MIT
"""Save all matches, evenings, own sheets and names of this computer as one zip file, for the
command `restore` or the page on another computer."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from host_sim.command_line import arguments, command
from host_sim.command_line.preflight import PAGE

GROUP = "play"
HELP = "save all matches, evenings, own sheets and names as one file"


def options(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=arguments.writable_file, help="the file to write")
    command.add_matches(parser)


def needs(args: Namespace) -> Sequence[str]:
    return PAGE


def run(args: Namespace) -> int:
    from host_sim.app.server.text_output import terminal_language
    from host_sim.app.session import backup
    from host_sim.app.views.i18n import Translator
    from host_sim.command_line.locked_folder import locked

    folder = Path(args.folder or command.saved_folder())
    if not folder.is_dir():
        raise arguments.UnusableArgument(
            "%s: no match was saved there; name the folder with --folder" % folder
        )
    with locked(folder):
        saved = backup.save(folder)
    command.write_file(args.file, saved.data)
    print(backup.saved_text(Translator(terminal_language()), saved))
    return 0
