# SPDX-License-Identifier: MIT
"""Run table scripts, on the simulated hub or on the emulated Pico.

Status 1: an expectation failed; 2: a line is none, or a file cannot be read.
"""

import json
import sys
from pathlib import Path

from host_sim import arguments, commands
from host_sim.preflight import HUB, pico

GROUP = "play"
HELP = "run table scripts"


def options(parser):
    commands.add_lines(parser)
    parser.add_argument("--on", choices=("host", "pico"), default="host", help="where it runs")
    commands.add_images(parser)
    parser.add_argument(
        "files",
        nargs="+",
        type=arguments.read_file,
        metavar="FILE",
        help="a script; - is standard input",
    )


def needs(args):
    return pico(args.image) if args.on == "pico" else HUB


def run(args):
    from host_sim.checks.script_failure import told
    from host_sim.hub.table_script import ExpectationFailed, Script, ScriptSyntaxError

    make = {}
    if args.on == "pico":
        from host_sim.pico.emulated_hub import maker

        make = {"make": maker(args.image)}
    for path in args.files:
        try:
            text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
            script = Script(print_line if args.json else None, **make)
            script.run(text, path)
        except ExpectationFailed as error:
            print(error, file=sys.stderr)
            print(told(script, path), file=sys.stderr)
            return 1
        except ScriptSyntaxError as error:
            print(error, file=sys.stderr)
            return 2
        except (OSError, UnicodeDecodeError) as error:
            raise arguments.BadArgument(arguments.why(error, path)) from None
        if not args.json:
            print("ok %s" % path)
    return 0


def print_line(_, answer):
    print(json.dumps(answer), flush=True)
