# SPDX-License-Identifier: MIT
"""Folders that a command fills: only what it wrote itself is ever replaced or removed.

A folder keeps a list of what was written, LIST, a line for each file as `sha256sum` prints it.
The next run replaces those files and removes the ones it no longer makes. Anything else stays, and
what stands in the way is named before anything is changed.

Everything is made in a temporary folder first. Then the list grows by what is to come, each file
is written beside its place and renamed, and the list shrinks to what is there. So a run that was
interrupted leaves files that the next one knows: of a name it then has two checksums.
"""

import contextlib
import hashlib
import os
import re
import shutil
import tempfile
from pathlib import Path

LIST = ".made-by-roundhouse"
PART = LIST + ".part"  # ends the name of a file that is being written
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")


class FolderOccupied(OSError):
    """Something stands where a folder or a file is to be written; the text says what to do."""


@contextlib.contextmanager
def filled(folder, adopted=None):
    """Yield an empty temporary folder; what is in it at the end is moved into `folder`.

    adopted: {name: checksum, or None for any} of files that are ours though the folder has no
    list, because an older version wrote them.

    Raises FolderOccupied, or any OSError, and leaves what is not ours as it was.
    """
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise FolderOccupied("%s is a file: name a folder" % folder)
    with tempfile.TemporaryDirectory(prefix="roundhouse-") as made:
        yield Path(made)
        _move(Path(made), folder, adopted or {})


def _move(made, folder, adopted):
    """Move the files of `made` into a folder."""
    sums = {name: _checksum(made / name) for name in _files(made)}
    ours = _read(folder)
    if ours is None:
        ours = {name: {checksum} for name, checksum in adopted.items() if _is_below(name)}
    _look(folder, sums, ours)
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder, {name: ours.get(name, set()) | {sums.get(name)} for name in {**ours, **sums}})
    for name in sums:
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        part = place.with_name(place.name + PART)
        shutil.copyfile(made / name, part)
        os.replace(part, place)
    for name in ours.keys() - sums.keys():
        if _is_ours(folder / name, ours[name]):
            (folder / name).unlink()
    for name in {**ours, **sums}:
        place = folder / name
        place.with_name(place.name + PART).unlink(missing_ok=True)
        _prune(place.parent, folder)
    _write(folder, {name: {sums[name]} for name in sums})


def _is_ours(place, checksums):
    """Return whether a file is there as it was written."""
    return place.is_file() and (None in checksums or _checksum(place) in checksums)


def _look(folder, sums, ours):
    """Raise FolderOccupied for the first file that is to be written and cannot be."""
    for name in sorted(sums):
        for above in reversed((folder / name).relative_to(folder).parents):
            there = folder / above
            if there.is_symlink() and there != folder:
                raise FolderOccupied("%s is a link: move it away, or name another folder" % there)
            if there.exists() and not there.is_dir() and above.as_posix() not in ours:
                raise FolderOccupied("%s is a file: move it away, or name another folder" % there)
        place = folder / name
        if not (place.exists() or place.is_symlink()):
            continue
        if name not in ours or place.is_dir():
            raise FolderOccupied(
                "%s was not made by this command: move it away, or name another folder" % place
            )
        if not _is_ours(place, ours[name]):
            raise FolderOccupied("%s was changed after it was made: move it away" % place)


def _prune(folder, top):
    """Remove a folder below `top` that is empty, and those above it."""
    while folder != top and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def _files(folder):
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )


def _checksum(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _is_below(name):
    """Return whether a name of a list stays inside its folder."""
    parts = name.split("/")
    return bool(name) and not name.startswith("/") and not {"", ".", ".."} & set(parts)


def _read(folder):
    """Return {name: {checksum, ...}} of a folder's list, or None where it has none."""
    try:
        text = (folder / LIST).read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, NotADirectoryError):
        return None
    found = {}
    for line in text.splitlines():
        match = _LINE.fullmatch(line)
        if match and _is_below(match[2]):
            found.setdefault(match[2], set()).add(match[1])
    return found


def _write(folder, sums):
    part = folder / (LIST + PART)
    lines = ["%s  %s\n" % (one, name) for name in sorted(sums) for one in sums[name] if one]
    part.write_text("".join(lines), encoding="utf-8")
    os.replace(part, folder / LIST)
