# SPDX-License-Identifier: MIT
"""One program at a time writes a folder of matches; a second one is told where the first is.

The lock is the operating system's: it is gone when the program is, also after `kill -9`. What is
written beside it, the first one's address, is readable by its owner alone, since it has the key.
"""

import contextlib
from pathlib import Path

from host_sim.session.durable_files import replace

LOCK = ".writer.lock"
ADDRESS = ".writer"


class FolderInUse(Exception):
    """Another program writes the folder. address: of its page, "" where it has none."""

    def __init__(self, address):
        super().__init__(address)
        self.address = address


class FolderLock:
    """A folder's lock while it is held; without one where the folder cannot have it."""

    def __init__(self, folder, lock):
        self.folder = folder
        self._lock = lock

    def at(self, address):
        """Write down where this program's page is, where the disk lets."""
        if self._lock:
            with contextlib.suppress(OSError):
                replace(str(self.folder / ADDRESS), address.encode())

    def release(self):
        """Let another program write."""
        if self._lock:
            with contextlib.suppress(OSError):
                (self.folder / ADDRESS).unlink(missing_ok=True)
            self._lock.release()
            self._lock = None


def hold(folder):
    """Return the FolderLock of a folder, which is made where it is not there; raise FolderInUse.

    A folder that cannot be written, or on a disk that knows no locks, has none.
    """
    from filelock import FileLock, Timeout

    folder = Path(folder)
    lock = FileLock(folder / LOCK, timeout=0)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire()
        (folder / ADDRESS).unlink(missing_ok=True)
    except Timeout:
        raise FolderInUse(_address(folder)) from None
    except (OSError, NotImplementedError):
        return FolderLock(folder, None)
    return FolderLock(folder, lock)


def _address(folder):
    try:
        return (folder / ADDRESS).read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return ""
