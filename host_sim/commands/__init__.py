# SPDX-License-Identifier: MIT
"""The commands, a file each, and the options that several of them have.

A command is called as its file is; where the firmware has a file of that name, as the last word
of its file: `tags.py` is the command `tags`. Its module has

    GROUP            one of GROUPS: where it stands in the list
    HELP             what it does, in a line
    options(parser)  adds its options to an argparse parser
    needs(args)      what it needs with these options, in the words of host_sim/preflight.py
    run(args)        carries it out; returns the exit status

What takes time to import is imported inside `run`: the list of commands does not wait for it.
"""

import os
from pathlib import Path

from host_sim import arguments
from host_sim.views.languages import LANGUAGES
from roundhouse import tiles

GROUPS = {
    "play": "at a simulated table",
    "look": "at a table, its rules and its lamps",
    "make": "a hub and its tags",
    "check": "the rules and the firmware",
}

# where matches, names and the page's key are kept, unless told otherwise
SAVED = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "roundhouse"


def colour(out=None):
    """Return whether colours are wanted: not NO_COLOR, and where `out` is named a terminal."""
    return "NO_COLOR" not in os.environ and (out is None or out.isatty())


def add_rules(parser):
    """Add --house and --set: by which rules is played; else by those of config.py."""
    import config

    parser.add_argument(
        "--house", default=config.HOUSE, help='"jassshop no-lock": with variants, in quotes'
    )
    parser.add_argument("--set", type=int, choices=tiles.SETS, help="12, or the house's own")


def add_set(parser):
    parser.add_argument("--set", type=int, default=12, choices=tiles.SETS)


def add_players(parser):
    parser.add_argument("--players", type=arguments.seats, default=4)


def add_seed(parser):
    parser.add_argument("--seed", type=arguments.seed, default=1)


def add_port(parser, name="--port", **more):
    """Add the serial port of a hub; name: `port` where it needs no dashes."""
    parser.add_argument(name, help="its serial port, where there are several boards", **more)


def add_lines(parser):
    """Add --json of the commands that print what the hub says."""
    parser.add_argument("--json", action="store_true", help="the console line of every input")


def add_page(parser):
    """Add the options of the commands that open the page in a browser."""
    parser.add_argument("--host", action="store_true", help="let the room in: address and QR code")
    parser.add_argument(
        "--at", type=arguments.port, metavar="PORT", help="this port, not the next free one"
    )
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument("--lang", choices=LANGUAGES, default="", help="the language")


def add_folder(parser, default):
    """Add the folder that is made."""
    parser.add_argument(
        "folder",
        nargs="?",
        type=arguments.written_folder,
        default=default,
        help="where it is put: " + default,
    )


def add_images(parser):
    """Add --image: what the emulated Pico boots from, instead of the image that is built."""
    parser.add_argument("--image", action="append", help="MicroPython for the pico, .uf2 or .bin")
