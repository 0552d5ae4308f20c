# SPDX-License-Identifier: MIT
"""Run table scripts, on the simulated hub or on the emulated Pico.

Status 1: an expectation failed; 2: a line is wrong, or a file cannot be read.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from host_sim.command_line import arguments, command
from host_sim.command_line.preflight import HUB, pico_needs

if TYPE_CHECKING:
    from host_sim.table.console_line import ConsoleLine

GROUP = "play"
HELP = "run table scripts"


def options(parser: ArgumentParser) -> None:
    command.add_json(parser)
    parser.add_argument(
        "--on",
        choices=("host", "pico"),
        default="host",
        help="run them on this machine or on the emulated Pico",
    )
    command.add_images(parser)
    parser.add_argument(
        "files",
        nargs="+",
        type=arguments.readable_file,
        metavar="FILE",
        help="a script; - for standard input",
    )


def needs(args: Namespace) -> Sequence[str]:
    return pico_needs(args.image) if args.on == "pico" else HUB


def run(args: Namespace) -> int:
    from host_sim.board.hub.simulated_hub import SimulatedHub
    from host_sim.board.hub.table_script import ExpectationFailed, Script, ScriptError
    from host_sim.lab.script_failure import report

    make_board: Callable[..., SimulatedHub] = SimulatedHub
    if args.on == "pico":
        from host_sim.board.pico.emulated_hub import maker

        make_board = maker(args.image)
    for path in args.files:
        try:
            text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
            script = Script(print_line if args.json else None, make_board=make_board)
            script.run(text, path)
        except ExpectationFailed as error:
            print(error, file=sys.stderr)
            print(report(script, path), file=sys.stderr)
            return 1
        except ScriptError as error:
            print(error, file=sys.stderr)
            return 2
        except (OSError, UnicodeDecodeError) as error:
            raise arguments.UnusableArgument(arguments.os_error_text(error, path)) from None
        if not args.json:
            print("ok %s" % path)
    return 0


def print_line(line: str, answer: ConsoleLine) -> None:
    print(json.dumps(answer), flush=True)
