# SPDX-License-Identifier: MIT
"""The commands, one file each, and the options that several commands share.

Each command has the name of its file: `tags.py` is the command `tags`. Each module defines the
functions that the class `Command` describes. Imports that take time are inside `run`, so that the
list of commands appears quickly.
"""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, TextIO

from host_sim import arguments
from host_sim.flashing import CommandError
from host_sim.views.languages import LANGUAGES
from roundhouse import tiles

GROUPS = {
    "play": "at a simulated table",
    "look": "at a table, its rules and its lamps",
    "make": "a hub and its tags",
    "check": "the rules and the firmware",
}


def saved_folder() -> Path:
    """Return the default folder for matches, names and the page's key, following the XDG Base
    Directory Specification.

    Raises CommandError if the user has no home directory and XDG_DATA_HOME is not set.
    """
    data = os.environ.get("XDG_DATA_HOME")
    try:
        return Path(data or Path.home() / ".local" / "share") / "roundhouse"
    except RuntimeError:
        raise CommandError(
            "this user has no home directory: set HOME, or name a folder in XDG_DATA_HOME"
        ) from None


def ask(question: str) -> str:
    """Print a question and return the typed answer, or "q" at the end of input."""
    try:
        return input(question)
    except EOFError:
        print()
        return "q"


def write_file(path: str | Path, data: str | bytes) -> None:
    """Write the output file of a command. If that fails, the old file stays intact.

    A device is written directly, and so is a file in a read-only folder. Raises OSError if writing
    fails.

    data: the content; a str becomes UTF-8
    """
    from host_sim.session import durable_files

    path = Path(os.path.realpath(path))
    data = data.encode() if isinstance(data, str) else data
    # a device such as /dev/stdout cannot be replaced, nor a file in a folder that is read-only
    if path.exists() and not (path.is_file() and os.access(path.parent, os.W_OK)):
        path.write_bytes(data)
        return
    suffix = ".%d.part" % os.getpid()
    try:
        durable_files.replace(str(path), data, suffix, private=False)
    except BaseException:
        Path(str(path) + suffix).unlink(missing_ok=True)
        raise


class Command(Protocol):
    """The interface of a command's module. `COMMAND --help` prints the module's docstring."""

    GROUP: str  # a key of GROUPS
    HELP: str  # one line for the list of commands

    def options(self, parser: ArgumentParser) -> None:
        """Add the command's own options to a parser."""

    def needs(self, args: Namespace) -> Sequence[str]:
        """Return everything that the command needs in order to run with these arguments, as names
        that preflight.py can check."""

    def run(self, args: Namespace) -> int:
        """Run the command; return the exit status."""


def wants_colour(out: TextIO | None = None) -> bool:
    """Return whether to print colours: only to a terminal, and never if NO_COLOR is set.

    out: the stream to print to, or None for standard output.
    """
    return "NO_COLOR" not in os.environ and (out is None or out.isatty())


def add_rules(parser: ArgumentParser) -> None:
    """Add the options --house and --set, which choose the rules. Their defaults come from
    config.py."""
    import config

    parser.add_argument(
        "--house",
        default=config.HOUSE,
        help='the rules; with variants in quotes: "jassshop no-lock"',
    )
    parser.add_argument(
        "--set", type=int, choices=tiles.SETS, help="default: 12, or the house's own"
    )


def add_set(parser: ArgumentParser) -> None:
    parser.add_argument("--set", type=int, default=12, choices=tiles.SETS)


def add_players(parser: ArgumentParser) -> None:
    parser.add_argument("--players", type=arguments.seats, default=4)


def add_seed(parser: ArgumentParser) -> None:
    parser.add_argument("--seed", type=arguments.seed, default=1)


def add_port(parser: ArgumentParser, name: str = "--port", **more: Any) -> None:
    """Add an argument for a hub's serial port.

    name: the option's name, or `port` for a positional argument
    more: further arguments for argparse's add_argument
    """
    parser.add_argument(name, help="its serial port, if several boards are plugged in", **more)


def add_json(parser: ArgumentParser) -> None:
    """Add the option --json, for commands that print the hub's answers."""
    parser.add_argument(
        "--json", action="store_true", help="print the console line of every input"
    )


def add_page(parser: ArgumentParser) -> None:
    """Add the options shared by all commands that open the page in a browser."""
    parser.add_argument(
        "--host",
        action="store_true",
        help="let the room join: prints address and QR code",
    )
    parser.add_argument(
        "--at", type=arguments.port, metavar="PORT", help="use this port, not the next free one"
    )
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument("--lang", choices=LANGUAGES, default="", help="the page's language")


def add_folder(parser: ArgumentParser, default: str) -> None:
    """Add the argument for the output folder.

    default: the folder that is used if the argument is missing
    """
    parser.add_argument(
        "folder",
        nargs="?",
        type=arguments.writable_folder,
        default=default,
        help="default: " + default,
    )


def add_images(parser: ArgumentParser) -> None:
    """Add the option --image: a file with the MicroPython that the emulated Pico boots. By
    default, it boots the image that was built here."""
    parser.add_argument(
        "--image",
        action="append",
        type=arguments.firmware_image,
        help="MicroPython for the emulated Pico, .uf2 or .bin",
    )
