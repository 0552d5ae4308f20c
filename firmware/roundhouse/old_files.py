# SPDX-License-Identifier: MIT
"""Removes the files that an older version left in the folder roundhouse of a board whose firmware
is now part of MicroPython's image.

A file is removed only if it is byte for byte one of a release. Any other file stays, and a remark
names it.
"""

import hashlib
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


OURS = "roundhouse"
STAYS = (
    "the hub does not use %s%s: no release wrote such a file, so it stays; "
    "copy it to a computer if you need it, then delete it with an editor for MicroPython"
)
_NAMED = 4  # at most; the rest is counted
_FOLDER = 0x4000  # in the type of a file, from os.stat
_PART = 512


def removal(digests: bytes, remark: "Callable[[str], None]") -> "Iterator[bool]":
    """Remove the files, one in each step. A power cut in between loses nothing, and the rest is
    removed after the next power-up.

    digests: `digest` of each file of a release, 32 bytes each
    remark: is called with a sentence about the files that stay
    """
    files: list[str] = []
    folders = [OURS]
    listed = []  # LittleFS' rmdir would remove a file, too
    for folder in folders:
        try:
            for name in sorted(os.listdir(folder)):
                path = folder + "/" + name
                # os.stat is slow; no release made a folder with a dot in its name
                is_folder = "." not in name and os.stat(path)[0] & _FOLDER
                (folders if is_folder else files).append(path)
            listed.append(folder)
        except (OSError, ValueError):  # ValueError: a name that is not UTF-8
            pass
    stay: list[str] = []
    for path in files:
        yield False
        try:
            if digests.find(digest(path)) < 0:
                stay.append(path)
            else:
                os.remove(path)
        except OSError:
            stay.append(path)
    for folder in reversed(listed):
        try:
            os.rmdir(folder)
        except OSError:  # not empty
            pass
    if stay:
        rest = len(stay) - _NAMED
        more = " and %d more files there" % rest if rest > 0 else ""
        remark(STAYS % (", ".join(stay[:_NAMED]), more))


def digest(path: str) -> bytes:
    """Return the SHA-256 of a file's path and of the SHA-256 of its content. Raises OSError if the
    file cannot be read."""
    content = hashlib.sha256()
    with open(path, "rb") as file:
        while True:
            part = file.read(_PART)
            if not part:
                break
            content.update(part)
    return hashlib.sha256(path.encode() + content.digest()).digest()
