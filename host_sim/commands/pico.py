# SPDX-License-Identifier: MIT
"""Run an emulated Pico at a serial port: flash it, try it and watch it as you would a real one.

Like a new Pico, it has only MicroPython on it. Once it is flashed, tap tiles at the prompt here.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from host_sim.command_line import command
from host_sim.command_line.preflight import pico_needs

GROUP = "make"
HELP = "run an emulated Pico at a serial port, to flash and try"
TABLE = """\
Then type here what happens at the table, such as `press 1`; `help` lists it all. `make selftest`
and `make tags` with that PORT= want the same hands: `press 1`, `tap 6-5 1`; `put 0-0 E` lays a
tag on E to be written, `remove E` takes it away; both before a hub runs, too. `unplug` is the
reset."""


def options(parser: ArgumentParser) -> None:
    command.add_images(parser)
    parser.add_argument("--flashed", action="store_true", help="start with the firmware on it")


def needs(args: Namespace) -> Sequence[str]:
    return pico_needs(args.image)


def run(args: Namespace) -> int:
    from host_sim.board.hub.simulated_hub import configured
    from host_sim.board.pico.pty_port import HubOnPty, NewPico
    from host_sim.commands.type import NO_ANSWER, converse

    board = (HubOnPty if args.flashed else NewPico)(configured(), images=args.image, paced=True)
    flash = "make flash PORT=%s" % board.port_name
    print("An emulated Pico is at %s until you end this with Ctrl-D." % board.port_name)
    if not args.flashed:
        print("Only MicroPython is on it. In another terminal:\n  " + flash)
    print(TABLE)
    try:
        return converse(board, board.lock, NO_ANSWER % flash)
    finally:
        board.close()
