# SPDX-License-Identifier: MIT
"""The files in a match's folder, which the match can use even if the disk fails.

Each file is also kept in memory, a few kilobytes per match. Changes that cannot be written wait in
a queue, and the next write tries them again in order. So the disk always has a state that the
match once had. The next write also restores files that another program has changed or removed.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
from pathlib import Path
from typing import BinaryIO

from host_sim.app.people.kept_file import BINARY, read_file, replace

JOURNAL_FILE = re.compile(r"\d{8,}\.rhj|quiet")  # what a hub writes into its journal folder
_Mark = tuple[int, int, int]


class DurableFiles:
    """The files of one match's folder, kept in memory and written to the disk.

    The hub's journal calls `open`, `listdir` and `remove`; a fault of the disk does not make them
    fail.

    folder: the path of the folder, which is created with its first file
    journal: the name of the sub-folder for the hub's journal
    trouble: the OSError of the last attempt to write, or None

    Raises OSError if the existing files cannot be read.
    """

    def __init__(self, folder: str | Path, journal: str) -> None:
        self.folder = str(folder)
        self.trouble: OSError | None = None
        self._journal = journal
        self._content: dict[str, bytes] = {}  # by name
        self._pending: dict[str, None] = {}  # names that differ on the disk, the oldest first
        self._on_disk: dict[str, int] = {}  # by name: how many bytes the disk has, all correct
        self._marks: dict[str, _Mark] = {}  # by name: of the file when it was written last
        inside = Path(folder, journal)
        for name in sorted(os.listdir(inside)) if _is_folder(inside) else ():
            if JOURNAL_FILE.fullmatch(name):
                self._load(journal + "/" + name)

    def _load(self, name: str) -> None:
        self._content[name] = read_file(self._path(name))
        self._on_disk[name] = len(self._content[name])
        self._marks[name] = _mark(os.stat(self._path(name)))

    def _path(self, name: str) -> str:
        return self.folder + "/" + name

    # ---- what the journal calls ----

    def open(self, name: str, mode: str) -> BinaryIO | _WriteHandle:
        """Open a file; return the file object. Raises FileNotFoundError for `rb` if the file does
        not exist.

        mode: `rb`, `wb` or `ab`
        """
        if mode == "rb":
            if name not in self._content:
                raise FileNotFoundError(errno.ENOENT, "", name)
            return io.BytesIO(self._content[name])
        if mode == "wb":
            self.put(name, b"")
        return _WriteHandle(self, name)

    def listdir(self, folder: str) -> list[str]:
        before = folder + "/"
        return [name[len(before) :] for name in self._content if name.startswith(before)]

    def remove(self, name: str) -> None:
        """Remove a file. Raises FileNotFoundError if it does not exist."""
        if self._content.pop(name, None) is None:
            raise FileNotFoundError(errno.ENOENT, "", name)
        self._changed(name)

    # ---- what a session calls ----

    def put(self, name: str, data: bytes) -> None:
        """Replace the whole content of a file, or create it."""
        self._content[name] = data
        self._on_disk.pop(name, None)
        if data:  # an empty file is about to be filled
            self._changed(name)

    def append(self, name: str, data: bytes) -> None:
        """Add data to the end of a file, or create it."""
        self._content[name] = self._content.get(name, b"") + data
        self._changed(name)

    def segments(self) -> dict[int, bytes]:
        """Return {number: content} of the files, called segments, that make up the hub's
        journal."""
        return {
            int(Path(name).stem): data
            for name, data in sorted(self._content.items())
            if name.startswith(self._journal + "/") and name.endswith(".rhj")
        }

    def sync(self) -> None:
        """Try to write all waiting changes to the disk, and set `trouble` to the error or None."""
        name = ""
        self._look_for_changes()
        try:
            while self._pending:
                name = next(iter(self._pending))
                self._write(name)
                del self._pending[name]
        except OSError as error:
            self._on_disk.pop(name, None)  # a part of it may have been written
            self.trouble = error
        else:
            self.trouble = None

    def _look_for_changes(self) -> None:
        """Mark the files that other programs have changed, removed or restored on the disk, so
        that `sync` writes them again."""
        for name in list(self._on_disk):
            try:
                is_ours = _mark(os.stat(self._path(name))) == self._marks.get(name)
            except OSError:
                is_ours = False
            if not is_ours:
                del self._on_disk[name]
                self._pending.setdefault(name)

    def _changed(self, name: str) -> None:
        self._pending.setdefault(name)
        self.sync()

    def _write(self, name: str) -> None:
        path = self._path(name)
        data = self._content.get(name)
        if data is None:
            self._on_disk.pop(name, None)
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
            return
        kept = self._on_disk.get(name)
        if kept is None:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            replace(path, data)
            self._marks[name] = _mark(os.stat(path))
        else:
            out = os.open(path, os.O_WRONLY | os.O_APPEND | BINARY)
            try:
                if os.write(out, data[kept:]) < len(data) - kept:
                    raise OSError(errno.ENOSPC, "written in part", path)
                self._marks[name] = _mark(os.fstat(out))
            finally:
                os.close(out)
        self._on_disk[name] = len(data)


class _WriteHandle:
    """A file opened for writing, with only the methods that the hub's journal calls."""

    def __init__(self, files: DurableFiles, name: str) -> None:
        self._files, self._name = files, name

    def write(self, data: bytes) -> int:
        self._files.append(self._name, bytes(data))
        return len(data)

    def flush(self) -> None:
        pass  # `write` has done it

    def close(self) -> None:
        pass

    def __enter__(self) -> _WriteHandle:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def _mark(about: os.stat_result) -> _Mark:
    """Return a value that changes when another program writes or replaces the file. about: the
    result of os.stat for the file."""
    return about.st_ino, about.st_size, about.st_mtime_ns


def _is_folder(path: Path) -> bool:
    try:
        return os.path.isdir(path) or not os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
