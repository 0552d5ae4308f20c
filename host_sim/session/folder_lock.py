# SPDX-License-Identifier: MIT
"""A lock that lets only one program write a folder of matches. Other programs learn from it the
address of that program's page.

The operating system holds the lock, so the lock ends with the program, even after `kill -9`. The
address is in a file that only its owner can read, since the address contains the page's secret
key.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from host_sim.session.durable_files import replace

if TYPE_CHECKING:  # only the local server needs it
    from filelock import BaseFileLock

LOCK = ".writer.lock"
ADDRESS = ".writer"


class FolderTaken(Exception):
    """Raised if another program has locked the folder. `address` is the address of that program's
    page, or "" if it has no page."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


class FolderLock:
    """The lock that this program holds on a folder. It does nothing if the folder could not be
    locked."""

    def __init__(self, folder: Path, lock: BaseFileLock | None) -> None:
        self.folder = folder
        self._lock = lock

    def write_address(self, address: str) -> None:
        """Write the address of this program's page to a file next to the lock. A write error is
        ignored."""
        if self._lock:
            with contextlib.suppress(OSError):
                replace(str(self.folder / ADDRESS), address.encode())

    def release(self) -> None:
        """Release the lock, so that another program can lock the folder."""
        if self._lock:
            with contextlib.suppress(OSError):
                (self.folder / ADDRESS).unlink(missing_ok=True)
            self._lock.release()
            self._lock = None


def acquire(folder: str | Path) -> FolderLock:
    """Lock a folder and return the FolderLock; create the folder if needed. Raises FolderTaken if
    another program has locked the folder.

    If the folder cannot be written, or its disk does not support locks, the folder stays unlocked.
    """
    from filelock import FileLock, Timeout

    folder = Path(folder)
    lock = FileLock(folder / LOCK, timeout=0)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire()
        (folder / ADDRESS).unlink(missing_ok=True)
    except Timeout:
        raise FolderTaken(_address(folder)) from None
    except (OSError, NotImplementedError):
        return FolderLock(folder, None)
    return FolderLock(folder, lock)


def _address(folder: Path) -> str:
    try:
        return (folder / ADDRESS).read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return ""
