# SPDX-License-Identifier: MIT
"""Save a hub's answer to `export`, which contains its matches, as a file for the commands
`replay` and `load`."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from host_sim.command_line import arguments, command

GROUP = "make"
HELP = "save a hub's matches to a file"


def options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file", type=arguments.writable_file, help="the file to write; `replay` shows it"
    )
    command.add_port(parser)


def needs(args: Namespace) -> Sequence[str]:
    return ("serial",)


def run(args: Namespace) -> int:
    from host_sim.maker import usb_hub

    text = usb_hub.HubConsole(usb_hub.find_port(args.port)).export()
    path = Path(args.file)
    command.write_file(path, text)
    print("%s: %d segments" % (path, text.count("\n") - 1))
    return 0
