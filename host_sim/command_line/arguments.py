# SPDX-License-Identifier: MIT
"""Argument types of the commands, checked before a command starts.

Each argument type is a function for argparse's `type=`. It returns the argument's value, or raises
an ArgumentTypeError that names the argument and says what to do; argparse then exits with status
2.

`os_error_text` returns a similar message for an OSError that occurs later.
"""

import argparse
import errno
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit

from host_sim.app.views.disk_errors import reason
from host_sim.maker import CommandError
from roundhouse.constants import MOST_SEATS

MOST = 10**12  # larger than any command can use
PORTS = 65535
LEAST_IMAGE = 512  # bytes
OPENED = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")
CENTURY_H = 876_600


class UnusableArgument(CommandError):
    """Raised for an argument that cannot be used. Its text names the argument and says what to
    do."""

    status = 2


def whole_number(least: int = 0, most: int = MOST) -> Callable[[str], int]:
    """Return an argument type for whole numbers from `least` to `most`, both included."""
    limits = "%d to %d" % (least, most) if most < MOST else "%d or more" % least

    def number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = None
        if value is None or not least <= value <= most:
            raise argparse.ArgumentTypeError(
                "%s: give a whole number, %s" % (_short(text), limits)
            ) from None
        return value

    return number


count = whole_number(1)
seed = whole_number(0)
port = whole_number(0, PORTS)
seats = whole_number(2, MOST_SEATS)


def seats_range(text: str) -> range:
    """Return typed counts of seats, one such as `12` or a range such as `9-14`."""
    least, dash, most = text.partition("-")
    found = range(seats(least), seats(most if dash else least) + 1)
    if not found:
        raise argparse.ArgumentTypeError("%s: the smaller number comes first" % _short(text))
    return found


def hours(text: str) -> float:
    """Return a typed number of simulated hours, above 0 and at most a century."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= CENTURY_H:
        raise argparse.ArgumentTypeError("%s: give hours above 0, such as 0.5" % _short(text))
    return value


def slot(text: str) -> str:
    """Return the typed name of a slot in capital letters."""
    from roundhouse import constants

    if text.upper() not in constants.SLOTS:
        raise argparse.ArgumentTypeError(
            "%s: give a slot, one of %s" % (_short(text), " ".join(constants.SLOTS))
        )
    return text.upper()


def readable_file(text: str) -> str:
    """Return the path of a readable file. `-` stands for standard input."""
    if text == "-":
        return text
    try:
        with _opened(text):
            return text
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(os_error_text(error, text)) from None


def read_file(text: str) -> bytes:
    """Return the content of a file named on the command line. Raises OSError for an unreadable
    file, a named pipe or a device."""
    with _opened(text) as file:
        return file.read()


def firmware_image(text: str) -> str:
    """Return the path of an image for the emulated Pico. A missing file is reported later, with
    the remedy."""
    _reject_nul(text)
    try:
        if Path(text).exists() and len(read_file(text)) < LEAST_IMAGE:
            raise OSError(errno.EINVAL, "it is too short for an image of MicroPython")
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(os_error_text(error, text)) from None
    return text


def writable_file(text: str) -> str:
    """Return the path of a file that can be written, in a folder that exists."""
    _reject_nul(text)
    path = Path(text)
    try:
        if not text or path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "", text)
        if not path.exists() and not path.parent.exists():
            raise argparse.ArgumentTypeError(
                "%s: there is no folder %s; make it first, or choose another place"
                % (_short(str(path)), _short(str(path.parent)))
            )
        if not path.exists() and not path.parent.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, "", str(path.parent))
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise PermissionError(errno.EACCES, "", text)
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(os_error_text(error, text)) from None
    return text


def folder(text: str) -> str:
    """Return the path of a folder that exists or can be created."""
    _reject_nul(text)
    try:
        _nearest_folder(text)
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(os_error_text(error, text)) from None
    return text


def writable_folder(text: str) -> str:
    """Return the path of a folder that can be written. It need not exist yet."""
    folder(text)
    if not os.access(_nearest_folder(text), os.W_OK):
        error = PermissionError(errno.EACCES, "", text)
        raise argparse.ArgumentTypeError(os_error_text(error, text))
    return text


def os_error_text(error: OSError | ValueError, name: str | None = None) -> str:
    """Return a message for an OSError, or for the ValueError that an impossible path causes.

    name: the file's name, for an error without a file name
    """
    named = getattr(error, "filename", None)
    name = os.fsdecode(named) if isinstance(named, str | bytes) else name
    where = "what is written" if name is None else _short(name)
    number = getattr(error, "errno", None)
    kind = reason(error)
    cause = getattr(error, "strerror", None) or str(error) or type(error).__name__
    if kind == "full":
        return "%s: the device is full; make room, or choose another place" % where
    if kind == "too_many":
        return "%s: too many files are open; raise the limit (ulimit -n)" % where
    if name is None:
        return _nameless_text(number, cause)
    if kind == "forbidden":
        return "%s: this user is not allowed to use it; choose another place" % where
    if number == errno.ENOENT:
        return "%s: there is no such file or folder; correct its name" % where
    if number == errno.EISDIR:
        return "%s: it is a folder; name a file" % where
    if number in (errno.ENOTDIR, errno.EEXIST):
        return "%s: a file of that name is in the way; name another folder" % where
    return "%s: it cannot be used (%s); choose another" % (where, cause)


def _nameless_text(number: int | None, cause: str) -> str:
    if number is None:  # raised by this program, which names the thing
        return cause
    if number == errno.ENOENT:  # from os.getcwd
        return "the folder in which this runs was removed; change to another"
    return "the system says: %s" % cause


def _opened(text: str) -> BinaryIO:
    """Open a file for reading; raise OSError for a named pipe, which would wait for a writer, and
    for a device, which might never end."""
    path = Path(text)
    if not text.startswith(OPENED):
        if path.is_fifo():
            raise OSError(errno.EINVAL, "it is a pipe", text)
        if path.is_char_device() or path.is_block_device():
            raise OSError(errno.EINVAL, "it is a device", text)
    return open(text, "rb")


def _reject_nul(text: str) -> None:
    if "\0" in text:
        raise argparse.ArgumentTypeError("%s: no path has a NUL in it; correct it" % _short(text))


def _nearest_folder(text: str) -> Path:
    """Return a path if it is a folder, else its nearest existing parent folder. Raises
    NotADirectoryError if a parent is a file."""
    if not text:
        raise FileNotFoundError(errno.ENOENT, "", text)
    path = Path(os.path.abspath(text))
    while not path.exists() and path != path.parent:
        if path.is_symlink():
            raise NotADirectoryError(errno.ENOTDIR, "", str(path))
        path = path.parent
    if not path.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "", str(path))
    return path


def place(text: str) -> int | str:
    """An argument type for a port, or for the page's public address, of which it returns the
    name."""
    if "/" not in text and "." not in text:
        return port(text)
    try:
        return _public_name(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            "%s: give a port, or an address such as https://dominoes.example" % _short(text)
        ) from None


def _public_name(url: str) -> str:
    """Return the name, with its port if it has one, in an address such as
    https://dominoes.example. Raises ValueError for any other address."""
    parts = urlsplit(url.strip())
    name = parts.hostname or ""
    more = parts.path.strip("/"), parts.query, parts.fragment, parts.username, parts.password
    if parts.scheme != "https" or "." not in name or any(more):
        raise ValueError(url)
    ascii_name = name.encode("idna").decode()
    return ascii_name if parts.port in (None, 443) else "%s:%d" % (ascii_name, parts.port)


def _short(text: str) -> str:
    """Return an argument shortened for an error message: one line of at most 200 characters."""
    shown = "".join(c if c.isprintable() else "?" for c in text)
    return (shown if len(shown) <= 200 else shown[:200] + "...") or "an empty name"
