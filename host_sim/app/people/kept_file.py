# SPDX-License-Identifier: MIT
"""Writes and reads one file, so that neither a crash nor a strange file does harm."""

import errno
import json
import os
import stat
from pathlib import Path
from typing import Any

MOST = 100_000_000  # bytes of a file that is read
NEW_SUFFIX = ".new"  # of a file while it is written
DAMAGED = ".damaged"  # of a file that was set aside
# the exceptions that a file with other content can cause
BAD_CONTENT = (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError)
BINARY = getattr(os, "OBINARY", 0)  # else Windows changes line ends


def replace(path: str, data: bytes, suffix: str = NEW_SUFFIX, private: bool = True) -> None:
    """Write a file so that a crash leaves either the old or the new content. It is synced to the
    disk. If writing fails, OSError is raised and the old file stays.

    private: whether only its owner may read the file; otherwise a replaced file keeps its
        permissions, and a new one has the system's usual ones.
    """
    beside = path + suffix
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | BINARY
    out = os.open(beside, flags, 0o600 if private else 0o666)
    try:
        if hasattr(os, "fchmod"):
            if private:  # a file left from before may be readable by others
                os.fchmod(out, 0o600)
            elif os.path.exists(path):
                os.fchmod(out, stat.S_IMODE(os.stat(path).st_mode))
        left = memoryview(data)
        while left:
            left = left[os.write(out, left) :]
        os.fsync(out)
    finally:
        os.close(out)
    os.replace(beside, path)


def read_file(path: str | Path, most: int = MOST) -> bytes:
    """Return the content of a file. Raises OSError if it cannot be read, is a pipe or a device, or
    is longer than `most` bytes."""
    file = os.open(path, os.O_RDONLY | BINARY | getattr(os, "O_NONBLOCK", 0))
    try:
        about = os.fstat(file)
        if not stat.S_ISREG(about.st_mode):
            raise OSError(errno.EINVAL, "it is not a file", str(path))
        if about.st_size > most:
            raise OSError(errno.EINVAL, "it is too long", str(path))
        with open(file, "rb", closefd=False) as opened:
            return opened.read()
    finally:
        os.close(file)


def read_json(path: str | Path, most: int = MOST) -> Any:
    """Return the value in a JSON file. Raises OSError if it cannot be read, and one of BAD_CONTENT
    if it is not JSON."""
    return json.loads(read_file(path, most).decode())


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file like `replace`; make its folder if there is none. Half a surrogate pair is
    written as an escape."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(value, ensure_ascii=False, indent=1)
    replace(str(path), text.encode(errors="backslashreplace"))


def set_aside(path: Path) -> None:
    """Rename a damaged file, but never over an older one. Raises OSError if that fails."""
    aside = path.with_suffix(DAMAGED)
    number = 1
    while os.path.lexists(aside):
        number += 1
        aside = path.with_suffix("%s-%d" % (DAMAGED, number))
    os.rename(path, aside)
