# SPDX-License-Identifier: MIT
"""Fill a command's output folder. Only files that a command wrote there are replaced or removed.

The file LIST (`.made-by-roundhouse`) in the output folder lists these files in the format of
`sha256sum`. The next run replaces the listed files, and removes those that it no longer makes. If
another file is in the way, the run stops before it changes anything.

A run has four steps:

- Make all files in a temporary folder.
- Add the new files to the list.
- Write each file under a temporary name in the output folder, and rename it.
- Remove old files, and drop them from the list.

So the list contains every file even after an interrupted run, but perhaps two checksums for the
same file.
"""

import contextlib
import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

LIST = ".made-by-roundhouse"
PART = LIST + ".part"  # the suffix of a file that is being written
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")


class InTheWay(OSError):
    """Raised if a file or folder is in the way of the output; the text names it and says what to
    do."""


@contextlib.contextmanager
def filled(folder: str | Path, adopted: Mapping[str, str | None] | None = None) -> Iterator[Path]:
    """Yield an empty temporary folder, whose contents are moved into `folder` when the `with`
    block ends.

    Raises InTheWay or another OSError if the files cannot be moved; files that no command wrote
    are then unchanged.

    adopted: {file name: checksum} of files that an older version wrote without listing them; a
        checksum of None accepts any content
    """
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise InTheWay("%s is a file: name a folder" % folder)
    with tempfile.TemporaryDirectory(prefix="roundhouse-") as made:
        yield Path(made)
        _move(Path(made), folder, adopted or {})


def _move(made: Path, folder: Path, adopted: Mapping[str, str | None]) -> None:
    """Move the files in the folder `made` into `folder`, and replace or remove the files of
    earlier runs."""
    sums = {name: _checksum(made / name) for name in _files(made)}
    ours = _read_list(folder)
    if ours is None:
        ours = {name: {checksum} for name, checksum in adopted.items() if _is_below(name)}
    _check_free(folder, sums, ours)
    folder.mkdir(parents=True, exist_ok=True)
    _write_list(
        folder, {name: ours.get(name, set()) | {sums.get(name)} for name in {**ours, **sums}}
    )
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
    _write_list(folder, {name: {sums[name]} for name in sums})


def _is_ours(place: Path, checksums: set[str | None]) -> bool:
    """Return whether a file has not changed since a command wrote it.

    checksums: the possible checksums of the file; None in the set accepts any content.
    """
    return place.is_file() and (None in checksums or _checksum(place) in checksums)


def _check_free(
    folder: Path, sums: Mapping[str, str], ours: Mapping[str, set[str | None]]
) -> None:
    """Raise InTheWay if a file or folder that no command wrote has the path of a new file.

    ours: {file that a command wrote: its possible checksums}
    """
    for name in sorted(sums):
        for above in reversed((folder / name).relative_to(folder).parents):
            there = folder / above
            if there.is_symlink() and there != folder:
                raise InTheWay("%s is a link: move it away, or name another folder" % there)
            if there.exists() and not there.is_dir() and above.as_posix() not in ours:
                raise InTheWay("%s is a file: move it away, or name another folder" % there)
        place = folder / name
        if not (place.exists() or place.is_symlink()):
            continue
        if name not in ours or place.is_dir():
            raise InTheWay(
                "%s was not made by this command: move it away, or name another folder" % place
            )
        if not _is_ours(place, ours[name]):
            raise InTheWay("%s was changed after it was made: move it away" % place)


def _prune(folder: Path, top: Path) -> None:
    """Remove an empty folder, and then its empty parents below `top`."""
    while folder != top and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def _files(folder: Path) -> list[str]:
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _is_below(name: str) -> bool:
    """Return whether the path of a listed file stays inside the folder: no part of the path may be
    empty, `.` or `..`."""
    parts = name.split("/")
    return bool(name) and not name.startswith("/") and not {"", ".", ".."} & set(parts)


def _read_list(folder: Path) -> dict[str, set[str | None]] | None:
    """Return {file name: {checksum, ...}} from the list in a folder, or None if there is no
    list."""
    try:
        text = (folder / LIST).read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, NotADirectoryError):
        return None
    found: dict[str, set[str | None]] = {}
    for line in text.splitlines():
        match = _LINE.fullmatch(line)
        if match and _is_below(match[2]):
            found.setdefault(match[2], set()).add(match[1])
    return found


def _write_list(folder: Path, sums: Mapping[str, set[str | None]]) -> None:
    part = folder / (LIST + PART)
    lines = ["%s  %s\n" % (one, name) for name in sorted(sums) for one in sums[name] if one]
    part.write_text("".join(lines), encoding="utf-8")
    os.replace(part, folder / LIST)
