# SPDX-License-Identifier: MIT
"""Print a table script that leads to the table at the end of an export.

Use it to report a fault: the script gives the same table, byte for byte.
"""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from host_sim.command_line import arguments
from host_sim.command_line.preflight import HUB

GROUP = "look"
HELP = "print a script that leads to the table of an export"


def options(parser: ArgumentParser) -> None:
    parser.add_argument("file", help="what `export` printed; - for standard input")


def needs(args: Namespace) -> Sequence[str]:
    return HUB


def run(args: Namespace) -> int:
    from host_sim.board.hub import match_export

    try:
        text = sys.stdin.read() if args.file == "-" else arguments.read_file(args.file).decode()
        lines = match_export.script(text)
    except match_export.NoExport as error:
        raise arguments.UnusableArgument("%s: %s" % (args.file, error)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise arguments.UnusableArgument(arguments.os_error_text(error, args.file)) from None
    print("\n".join(lines))
    return 0
