# SPDX-License-Identifier: MIT
"""The file system that the journal uses; on a Pico it is in flash. And how much LittleFS can still
write there without an erase.

This module is passed to the journal; any object with its three functions can replace it.
`flash` is the flash below the file system, or None on a computer.
"""

import io
import os

try:
    import rp2
except ImportError:
    rp2 = None
try:
    from micropython import const
except ImportError:

    def const(value):
        return value


_PAGE = const(256)  # bytes that are programmed together: MicroPython's progsize on a Pico
_PAGES = const(16)  # in a block
_ERASED = b"\xff" * 256
_AT_ONCE = const(4)  # blocks that a call looks at

open = io.open  # (path, mode) -> a file
listdir = os.listdir  # (folder) -> names
remove = os.remove  # (path)
flash = rp2 and rp2.Flash()


class FlashRoom:
    """Measures how much LittleFS can still write to a folder's block before it has to erase
    another block, which takes 50 ms.

    LittleFS keeps a folder with its small files in one block. It writes each change to the next
    free pages of the block. When all pages are used, it erases a second block and copies the valid
    data there. LittleFS does not tell how many pages are free, so this class searches the flash
    for the block that has the newest bytes of a file, and counts the erased pages of that block.
    It never writes to the flash.

    device: the flash, like MicroPython's rp2.Flash(), with readblocks(block, buf, offset) and
    ioctl(4, 0), which returns the number of blocks.
    """

    def __init__(self, device):
        self._device = device
        self._blocks = device.ioctl(4, 0)
        self._pair = [0, 0]  # the blocks found last, newest first
        self._at = -2  # the next to look at; negative: one of the pair
        self._newest = None  # the bytes that the last call looked for
        self._found = None  # (block, pages used) where it found them

    def free(self, newest):
        """Return how many bytes are free in the block that has the end of a file; -1 if no block
        has it; None if the search is not finished and needs another call. A call takes at most 3
        ms.

        newest: the last 8 to 64 bytes of the file. They identify the block, so no other block may
        have the same bytes. After a finished search, pass the same bytes again only if LittleFS
        has written them again: the search then ignores the place where it found them before.
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
        return None

    def _used(self, block):
        """Return how many pages of a block are not erased, counted from its beginning."""
        probe = bytearray(_PAGE)
        low, high = 0, _PAGES
        while low < high:
            page = (low + high) // 2
            self._device.readblocks(block, probe, _PAGE * page)
            if probe == _ERASED:
                high = page
            else:
                low = page + 1
        return low

    def _ends_with(self, block, used, newest):
        """Return whether the bytes `newest` occur in the last used pages of a block. used: the
        number of used pages."""
        last = bytearray(min(2, used) * _PAGE)
        self._device.readblocks(block, last, _PAGE * used - len(last))
        return newest in last
