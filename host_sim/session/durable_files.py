# SPDX-License-Identifier: MIT
"""A match's folder that goes on without its disk.

Everything is held in memory too, a few kilobytes a match. What the disk refuses waits there, in
its order, and is tried again with the next write: a table goes on whatever the disk does, and what
is on the disk is always a match as it once stood.
"""

import contextlib
import errno
import io
import os
import re
from pathlib import Path

OURS = re.compile(r"\d{8,}\.rhj|quiet")  # what a hub writes into its journal's folder
BESIDE = ".new"  # behind the name of a file while it is written
_BINARY = getattr(os, "O_BINARY", 0)  # Windows turns line ends round without it


def replace(path, data):
    """Put a file in place of another in one step, on the disk for good, readable by its owner
    alone. Raises OSError; what was there stays then."""
    beside = path + BESIDE
    out = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _BINARY, 0o600)
    try:
        if hasattr(os, "fchmod"):  # it may have been there, readable by others
            os.fchmod(out, 0o600)
        left = memoryview(data)
        while left:
            left = left[os.write(out, left) :]
        os.fsync(out)
    finally:
        os.close(out)
    os.replace(beside, path)


class ResilientFiles:
    """The files below one folder, for the journal as drivers.files has them: `open`, `listdir`
    and `remove`; none of these fails because of the disk.

    folder: made where it is not there, as soon as that can be; journal: the name of the
    sub-folder that the hub has. trouble: the OSError that keeps something from the disk, or None.
    Raises OSError where what is there cannot be read.
    """

    def __init__(self, folder, journal):
        self.folder = str(folder)
        self.trouble = None
        self._journal = journal
        self._held = {}  # name below the folder -> its bytes
        self._behind = {}  # names that the disk has otherwise, the oldest first -> None
        self._kept = {}  # name -> how many of its bytes are on the disk, where no others are
        inside = Path(folder, journal)
        for name in sorted(os.listdir(inside)) if _is_folder(inside) else ():
            if OURS.fullmatch(name):
                self._take_up(journal + "/" + name)

    def _take_up(self, name):
        with open(self._path(name), "rb") as file:
            self._held[name] = file.read()
        self._kept[name] = len(self._held[name])

    def _path(self, name):
        return self.folder + "/" + name

    # ---- what a file system does ----

    def open(self, name, mode):
        """Return a file: `rb`, `wb` or `ab`."""
        if mode == "rb":
            if name not in self._held:
                raise FileNotFoundError(errno.ENOENT, "", name)
            return io.BytesIO(self._held[name])
        if mode == "wb":
            self.put(name, b"")
        return _Written(self, name)

    def listdir(self, folder):
        """Return the names of the files in a sub-folder."""
        before = folder + "/"
        return [name[len(before) :] for name in self._held if name.startswith(before)]

    def remove(self, name):
        """Remove a file."""
        if self._held.pop(name, None) is None:
            raise FileNotFoundError(errno.ENOENT, "", name)
        self._changed(name)

    # ---- and the rest ----

    def put(self, name, data):
        """Put a file, bytes, in place of another."""
        self._held[name] = data
        self._kept.pop(name, None)
        if data:  # an empty one is about to be written
            self._changed(name)

    def append(self, name, data):
        """Write at the end of a file."""
        self._held[name] = self._held.get(name, b"") + data
        self._changed(name)

    def segments(self):
        """Return {number: bytes} of the journal's segments."""
        return {
            int(Path(name).stem): data
            for name, data in sorted(self._held.items())
            if name.startswith(self._journal + "/") and name.endswith(".rhj")
        }

    def settle(self):
        """Bring the disk to where the table is, as far as it lets."""
        name = None
        try:
            while self._behind:
                name = next(iter(self._behind))
                self._write(name)
                del self._behind[name]
        except OSError as error:
            self._kept.pop(name, None)  # it may have taken a part
            self.trouble = error
        else:
            self.trouble = None

    def _changed(self, name):
        self._behind.setdefault(name)
        self.settle()

    def _write(self, name):
        path = self._path(name)
        data = self._held.get(name)
        if data is None:
            self._kept.pop(name, None)
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
            return
        kept = self._kept.get(name)
        if kept is None:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            replace(path, data)
        else:
            out = os.open(path, os.O_WRONLY | os.O_APPEND | _BINARY)
            try:
                if os.write(out, data[kept:]) < len(data) - kept:
                    raise OSError(errno.ENOSPC, "written in part", path)
            finally:
                os.close(out)
        self._kept[name] = len(data)


class _Written:
    """A file that is written, as the journal wants it."""

    def __init__(self, files, name):
        self._files, self._name = files, name

    def write(self, data):
        self._files.append(self._name, bytes(data))
        return len(data)

    def flush(self):
        pass  # it is on the disk, or waits for it

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


def _is_folder(path):
    """Return whether a folder is there. Raises OSError where nobody can say."""
    try:
        return os.path.isdir(path) or not os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
