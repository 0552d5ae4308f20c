# SPDX-License-Identifier: MIT
"""A lock that allows only one program to write to a folder of matches. A file beside the lock's
file contains the address of that program's page. Only programs of the same user can read the
address, because it contains the page's secret key.

The lock ends with the program, even after `kill -9`. Where possible, the folder itself is locked
too, in case the lock's file is deleted.
"""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from host_sim.app.people.kept_file import read_file, replace

if TYPE_CHECKING:  # only the local server needs it
    from filelock import BaseFileLock

LOCK = ".writer.lock"
ADDRESS = ".writer"
PORT = ".port"
_PAGE = re.compile(r"http://[!-~]{1,500}")  # an address that may be printed and opened


class FolderTaken(Exception):
    """Raised if another program has locked the folder. `address` is the address of that program's
    page, or ""."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


class FolderLock:
    """The lock that this program holds on a folder.

    trouble: the error if the folder could not be locked, else None. After an error, the methods
    that write files or release the lock do nothing.
    """

    def __init__(
        self,
        folder: Path,
        lock: BaseFileLock | None,
        inside: int | None = None,
        trouble: Exception | None = None,
    ) -> None:
        self.folder = folder
        self.trouble = trouble
        self._lock = lock
        self._inside = inside  # file descriptor of the folder, which is locked too

    def write_address(self, address: str) -> None:
        """Write the address of this program's page to a file next to the lock, if possible."""
        if self._lock:
            with contextlib.suppress(OSError):
                replace(str(self.folder / ADDRESS), address.encode())

    def last_port(self) -> int | None:
        """Return the port of the program that had this lock last, or None if it is not known."""
        try:
            port = int(read_file(self.folder / PORT, 10))
        except (OSError, ValueError):
            return None
        return port if 1 <= port <= 65535 else None

    def keep_port(self, port: int) -> None:
        """Save this program's port for the next program, if possible. If the port changes, phones
        lose their seats."""
        if self._lock and port != self.last_port():
            with contextlib.suppress(OSError):
                replace(str(self.folder / PORT), b"%d" % port)

    def release(self) -> None:
        if self._lock:
            with contextlib.suppress(OSError):
                (self.folder / ADDRESS).unlink(missing_ok=True)
            self._lock.release()
            self._lock = None
            if self._inside is not None:
                os.close(self._inside)
                self._inside = None


def acquire(folder: str | Path) -> FolderLock:
    """Lock a folder, created if needed, and return the FolderLock. Raises FolderTaken if another
    program has locked the folder.

    If the folder cannot be written to or locked, return a FolderLock that locks nothing; its
    `trouble` is the error.
    """
    from filelock import FileLock, Timeout

    folder = Path(folder)
    lock = FileLock(folder / LOCK, timeout=0)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise FolderTaken(address_in(folder)) from None
    except (OSError, NotImplementedError) as error:
        return FolderLock(folder, None, trouble=error)
    try:
        inside = _lock_inside(folder)
    except BlockingIOError:
        lock.release()
        raise FolderTaken(address_in(folder)) from None
    with contextlib.suppress(OSError):
        (folder / ADDRESS).unlink(missing_ok=True)
    return FolderLock(folder, lock, inside)


def _lock_inside(folder: Path) -> int | None:
    """Lock the folder itself, and return its file descriptor, or None where that is impossible.
    Raises BlockingIOError if another program has locked it."""
    try:
        import fcntl

        inside = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):
        return None
    try:
        fcntl.flock(inside, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(inside)
        raise
    except OSError:
        os.close(inside)
        return None
    return inside


def address_in(folder: str | Path) -> str:
    """Return the page's address that the program with a folder's lock has written, or "" if the
    address is missing or invalid."""
    try:
        text = read_file(Path(folder, ADDRESS), 1000).decode().strip()
    except (OSError, ValueError):
        return ""
    return text if _PAGE.fullmatch(text) else ""
