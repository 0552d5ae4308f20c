# SPDX-License-Identifier: MIT
"""What a command is, and what several commands share: options, questions, output files.

Each module in the folder `commands` has the interface of the class `Command`. Imports that take
time are inside `run`, so that the list of commands appears quickly.
"""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, TextIO

from host_sim.app.views.languages import LANGUAGES
from host_sim.command_line import arguments
from host_sim.maker import CommandError
from roundhouse import tiles

GROUPS = {
    "play": "at a simulated table",
    "look": "at a table, its rules and its lamps",
    "make": "a hub and its tags",
    "check": "the rules and the firmware",
}


def saved_folder() -> Path:
    """Return the default folder for matches, names and the page's key (XDG Base Directory
    Specification).

    Raises CommandError if there is neither a home directory nor XDG_DATA_HOME.
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
    """Write the output file of a command. If that fails, the old file stays intact, and OSError is
    raised."""
    from host_sim.app.people import kept_file

    path = Path(os.path.realpath(path))
    data = data.encode() if isinstance(data, str) else data
    # a device such as /dev/stdout cannot be replaced, nor a file in a folder that is read-only
    if path.exists() and not (path.is_file() and os.access(path.parent, os.W_OK)):
        path.write_bytes(data)
        return
    suffix = ".%d.part" % os.getpid()
    try:
        kept_file.replace(str(path), data, suffix, private=False)
    except BaseException:
        Path(str(path) + suffix).unlink(missing_ok=True)
        raise


class Command(Protocol):
    """The interface of a command's module."""

    GROUP: str  # a key of GROUPS
    HELP: str  # one line for the list of commands

    def options(self, parser: ArgumentParser) -> None:
        """Add the command's own options to a parser."""

    def needs(self, args: Namespace) -> Sequence[str]:
        """Return all that the command needs with these arguments, as names that preflight.py can
        check."""

    def run(self, args: Namespace) -> int:
        """Run the command; return the exit status."""


def wants_colour(out: TextIO | None = None) -> bool:
    """Return whether to print colours: only to a terminal, and never if NO_COLOR is set."""
    return "NO_COLOR" not in os.environ and (out is None or out.isatty())


def add_rules(parser: ArgumentParser) -> None:
    """Add the options --house and --set, with defaults from config.py."""
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
    """
    parser.add_argument(name, help="its serial port, if several boards are plugged in", **more)


def add_json(parser: ArgumentParser) -> None:
    """Add the option --json, for commands that print the hub's answers."""
    parser.add_argument(
        "--json", action="store_true", help="print the console line of every input"
    )


def add_page(parser: ArgumentParser, outside: bool = False) -> None:
    """Add the options shared by all commands that open the page in a browser.

    outside: whether the page can also have a public address
    """
    parser.add_argument(
        "--host",
        action="store_true",
        help="let the room join: prints address and QR code",
    )
    usual = "use this port, not the next free one"
    if outside:
        more = "; or let invited people in through a proxy with this https:// address"
        parser.add_argument("--at", type=arguments.place, metavar="PORT|URL", help=usual + more)
        parser.add_argument(
            "--at-port", type=arguments.port, metavar="PORT", help="where that proxy comes in"
        )
    else:
        parser.add_argument("--at", type=arguments.port, metavar="PORT", help=usual)
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument("--lang", choices=LANGUAGES, default="", help="the page's language")


def add_matches(parser: ArgumentParser) -> None:
    """Add the option --folder, for commands that use saved matches."""
    parser.add_argument("--folder", type=arguments.folder, help="the folder of the matches")


def add_folder(parser: ArgumentParser, default: str) -> None:
    parser.add_argument(
        "folder",
        nargs="?",
        type=arguments.writable_folder,
        default=default,
        help="default: " + default,
    )


def add_images(parser: ArgumentParser) -> None:
    """Add the option --image: a file with MicroPython for the emulated Pico. Without this option,
    the image built here is used."""
    parser.add_argument(
        "--image",
        action="append",
        type=arguments.firmware_image,
        help="MicroPython for the emulated Pico, .uf2 or .bin",
    )
