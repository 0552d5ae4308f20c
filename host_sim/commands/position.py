# SPDX-License-Identifier: MIT
"""Print the table at the end of an export as a table script that leads to it.

Report a fault with it: whoever runs the script has the same table, byte for byte.
"""

import sys
from pathlib import Path

from host_sim import arguments
from host_sim.preflight import HUB

GROUP = "look"
HELP = "the table of an export as a script that leads to it"


def options(parser):
    parser.add_argument("file", help="what `export` printed; - is standard input")


def needs(args):
    return HUB


def run(args):
    from host_sim.hub import match_export

    try:
        text = (
            sys.stdin.read() if args.file == "-" else Path(args.file).read_text(encoding="utf-8")
        )
        lines = match_export.script(text)
    except match_export.NotAnExport as error:
        raise arguments.BadArgument("%s: %s" % (args.file, error)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise arguments.BadArgument(arguments.why(error, args.file)) from None
    print("\n".join(lines))
    return 0
