# SPDX-License-Identifier: MIT
"""The file system that the journal uses. On a Pico it is LittleFS in flash, and a FlashFolder
reduces the number of erases.

The journal takes this module, a FlashFolder, or any object with the functions `open`, `listdir`
and `remove`. `flash` is the flash below the file system, or None on a computer.
"""

import io
import os

try:
    import rp2
except ImportError:
    rp2 = None
from roundhouse.drivers import const

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_PAGE = const(256)  # bytes that are programmed together: MicroPython's progsize on a Pico
_PAGES = const(16)  # in a block
_ERASED = b"\xff" * 256
_FILLING = const(12)  # bytes that a change must leave in its last page, or it takes another one
_LAST = const(3)  # last used pages to search: the file takes two, moving another one away one
_ABSENT = (2, 20)  # ENOENT and ENOTDIR, which MicroPython's `errno` does not have
_AT_ONCE = const(8)  # blocks that a call looks at, all but the last one erased
_NEWEST = "newest"  # name of the folder inside a FlashFolder

open = io.open  # (path, mode) -> a file
remove = os.remove  # (path)
rename = os.rename  # (path, new path)
mkdir = os.mkdir  # (path)
flash: "Any" = rp2 and rp2.Flash()


def listdir(folder: str) -> list[str]:
    """Return the names in a folder; none if there is no such folder."""
    try:
        return os.listdir(folder)
    except OSError as error:
        if error.errno not in _ABSENT:
            raise
        return []


class FlashFolder:
    """A folder of numbered files on LittleFS. Only the newest file is written to.

    LittleFS keeps small files in their folder's block and rewrites the whole small file at each
    change. If the folder has older files, a file can be changed only four times before LittleFS
    must erase a block. If the file is alone in the folder, it can be changed seven times. So the
    newest file is in an inner folder until the next file is made. The caller sees only one folder.

    files: the file system, an object with the functions of this module.
    folder: the path of the folder.

    flash_room: the FlashRoom of the flash.
    """

    def __init__(self, files: "Any", folder: str) -> None:
        self._files = files
        self._folder = folder
        self._inner = folder + "/" + _NEWEST
        self.flash_room = FlashRoom(files.flash)
        self._names = []  # of the files in the inner folder, oldest first
        self._made = _NEWEST in files.listdir(folder)
        if self._made:
            try:
                # After a power cut in the middle of a move, LittleFS shows neither folder right
                # until it changes something: this lets it complete the move.
                files.remove(self._inner + "/none")
            except OSError:
                pass
            # Files here that are newer are from a firmware that does not know the inner folder.
            last = max([""] + [name for name in files.listdir(folder) if name[0] <= "9"])
            self._names = sorted([name for name in files.listdir(self._inner) if name > last])

    def prepare(self) -> bool:
        """Make the inner folder, or move an older file out of the inner folder. Return whether
        anything was done. This is slow, so call it in idle time."""
        try:
            if not self._made:
                self._files.mkdir(self._inner)
                self._made = True
                return True
            if len(self._names) > 1:
                path = self._folder + "/" + self._names[0]
                self._files.rename(self._place(path), path)
                self._names = self._names[1:]
                return True
        except OSError:
            pass
        return False

    def open(self, path: str, mode: str) -> "Any":
        """Open a file, as io.open does. A new file (mode "wb") must have a name that sorts
        last."""
        if not self._made or mode != "wb":
            return self._files.open(self._place(path), mode)
        name = self._name(path)
        file = self._files.open(self._inner + "/" + name, mode)
        self._names.append(name)
        return file

    def listdir(self, folder: str) -> list[str]:
        """Return the names of the files, in no particular order."""
        return [name for name in self._files.listdir(folder) if name != _NEWEST] + self._names

    def remove(self, path: str) -> None:
        place = self._place(path)
        self._files.remove(place)
        if place != path:
            self._names.remove(self._name(path))

    def _name(self, path: str) -> str:
        return path[len(self._folder) + 1 :]

    def _place(self, path: str) -> str:
        """Return the path under which LittleFS has the file that the caller knows by `path`."""
        name = self._name(path)
        return self._inner + "/" + name if name in self._names else path


class FlashRoom:
    """Measures how much LittleFS can still write to a folder's block before it has to erase
    another block, which takes 50 ms.

    LittleFS keeps a folder with its small files in one block, and writes each change to the
    block's next free pages. It does not tell how many are free. So this class searches the flash
    for the block with a file's newest bytes, and counts its erased pages. It never writes.

    device: the flash, like MicroPython's rp2.Flash(), with readblocks(block, buf, offset) and
        ioctl(4, 0), which returns the count of blocks.
    """

    def __init__(self, device: "Any") -> None:
        self._device = device
        self._blocks = device.ioctl(4, 0)
        self._pair = [0, 0]  # the blocks found last, newest first
        self._at = -2  # the block to look at next; negative: one of the pair
        self._newest: bytes | bytearray | None = None  # the bytes that the last call looked for
        self._found: tuple[int, int] | None = None  # (block, pages used) where it found them

    def free(self, newest: bytes | bytearray) -> int | None:
        """Return the count of free bytes in the block where a file ends; -1 if no such block is
        found; None if the search needs another call with the same bytes. A call takes at most 3
        ms.

        newest: the last 8 to 64 bytes of the file, which must not be in any other block.

        After a search has found a file, the next search for the same bytes skips that place. So
        search for the same bytes again only after LittleFS has written them to another place.
        """
        if newest != self._newest:
            self._newest = newest
            self._found = None
        for _ in range(_AT_ONCE):
            at = self._at
            if at >= self._blocks:
                self._at = -2
                return -1
            self._at = at + 1
            block = self._pair[at] if at < 0 else at
            used = self._used(block)
            if used and self._found != (block, used) and self._ends_with(block, used, newest):
                self._found = block, used
                if block != self._pair[0]:
                    self._pair = [block, self._pair[0]]
                self._at = -2
                return _PAGE * (_PAGES - used)
            if used:
                break
        return None

    def _used(self, block: int) -> int:
        """Return how many pages of a block are in use. A single erased page between used pages
        counts as used, because LittleFS does not write a page that has only padding."""
        edge = bytearray(_FILLING)
        self._device.readblocks(block, edge, 0)
        if edge == _ERASED[:_FILLING]:
            return 0  # as most blocks are
        probe = bytearray(_PAGE)
        low, high = 0, _PAGES - 1
        if not self._is_erased(block, high, probe):
            return _PAGES
        while low < high:
            page = (low + high) // 2
            if self._is_erased(block, page, probe) and self._is_erased(block, page + 1, probe):
                high = page
            else:
                low = page + 1
        self._device.readblocks(block, edge, _PAGE * low - _FILLING)
        return low + (edge != _ERASED[:_FILLING])

    def _is_erased(self, block: int, page: int, probe: bytearray) -> bool:
        self._device.readblocks(block, probe, _PAGE * page)
        return probe == _ERASED

    def _ends_with(self, block: int, used: int, newest: bytes | bytearray) -> bool:
        """Return whether `newest` occurs in the last three used pages of a block."""
        last = bytearray(min(_LAST, used) * _PAGE)
        self._device.readblocks(block, last, _PAGE * used - len(last))
        return newest in last
