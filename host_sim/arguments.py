# SPDX-License-Identifier: MIT
"""The kinds of arguments that commands have, each checked before anything is begun.

A kind is what argparse takes as `type=`: it returns the argument's value, or raises an
ArgumentTypeError whose sentence names the argument and the remedy. Argparse ends with status 2.
`why` has such a sentence for an error of the operating system that comes later.
"""

import argparse
import errno
import math
import os
from pathlib import Path

from host_sim.flashing import UserError
from host_sim.output_folder import FolderOccupied
from host_sim.views.disk_errors import reason

MOST = 10**12  # more than any command can do
PORTS = 65535
CENTURY_H = 876_600


class BadArgument(UserError):
    """An argument that cannot be used as it is; the text names it and the remedy. Status 2."""

    status = 2


def whole(least=0, most=MOST):
    """Return the kind of whole numbers from `least` to `most`."""
    limits = "%d to %d" % (least, most) if most < MOST else "%d or more" % least

    def number(text):
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


count = whole(1)
seed = whole(0)
port = whole(0, PORTS)
seats = whole(2, 10)


def hours(text):
    """A time of the table's in hours, more than 0 and less than a century."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= CENTURY_H:
        raise argparse.ArgumentTypeError("%s: give hours above 0, such as 0.5" % _short(text))
    return value


def slot(text):
    """A slot of the hub by its name."""
    from roundhouse import constants

    if text.upper() not in constants.SLOTS:
        raise argparse.ArgumentTypeError(
            "%s: give a slot, one of %s" % (_short(text), " ".join(constants.SLOTS))
        )
    return text.upper()


def read_file(text):
    """A file that can be read; `-` is standard input."""
    if text == "-":
        return text
    try:
        with _opened(text):
            return text
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(why(error, text)) from None


def written_file(text):
    """A file that can be written: it is there already, or the folder that it belongs in is."""
    _possible(text)
    path = Path(text)
    try:
        if not text or path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "", text)
        if not path.exists() and not path.parent.exists():
            return _no_folder(path)
        if not path.exists() and not path.parent.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, "", str(path.parent))
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise PermissionError(errno.EACCES, "", text)
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(why(error, text)) from None
    return text


def folder(text):
    """A folder, or the name of one that can be made."""
    _possible(text)
    try:
        _nearest(text)
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(why(error, text)) from None
    return text


def written_folder(text):
    """A folder that can be written, or the name of one that can be made."""
    folder(text)
    if not os.access(_nearest(text), os.W_OK):
        error = PermissionError(errno.EACCES, "", text)
        raise argparse.ArgumentTypeError(why(error, text))
    return text


def why(error, name=""):
    """Return the sentence for an OSError, or for the ValueError of a path that cannot be one.

    name: of what it happened to, where the error itself has none.
    """
    if isinstance(error, FolderOccupied):  # which says all of it
        return str(error)
    named = getattr(error, "filename", None)
    name = os.fsdecode(named) if isinstance(named, str | bytes) else name
    where = _short(name) if name else "what is written"
    number = getattr(error, "errno", None)
    kind = reason(error)
    if kind == "full":
        return "%s: the device is full; make room, or choose another place" % where
    if kind == "forbidden":
        return "%s: this user is not allowed to use it; choose another place" % where
    if number == errno.ENOENT:
        return "%s: there is no such file or folder; correct its name" % where
    if number == errno.EISDIR:
        return "%s: it is a folder; name a file" % where
    if number in (errno.ENOTDIR, errno.EEXIST):
        return "%s: a file of that name is in the way; name another folder" % where
    if kind == "too_many":
        return "%s: too many files are open; raise the limit (ulimit -n)" % where
    said = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return "%s: it cannot be used (%s); choose another" % (where, said)


def _opened(text):
    """Open a file for reading without waiting for the other end of a pipe."""
    if Path(text).is_fifo():
        return open(os.devnull, "rb")
    return open(text, "rb")


def _possible(text):
    """Raise ArgumentTypeError for what can never be a path."""
    if "\0" in text:
        raise argparse.ArgumentTypeError("%s: no path has a NUL in it; correct it" % _short(text))


def _no_folder(path):
    raise argparse.ArgumentTypeError(
        "%s: there is no folder %s; make it first, or choose another place"
        % (_short(str(path)), _short(str(path.parent)))
    )


def _nearest(text):
    """Return the folder, or the nearest one above it that is there. Raises NotADirectoryError
    where a file is in the way."""
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


def _short(text):
    """Return an argument as it is shown: on one line, and not for ever."""
    shown = "".join(c if c.isprintable() else "?" for c in text)
    return (shown if len(shown) <= 200 else shown[:200] + "...") or "an empty name"
