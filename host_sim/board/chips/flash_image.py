# SPDX-License-Identifier: MIT
"""Makes images of the Pico's file system, and UF2 files to drag onto a Pico."""

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from littlefs import LittleFS, UserContext

# MicroPython's file system on an RPI_PICO: 352 blocks of 4 KiB from 640 KiB on
BLOCKS = 352
BLOCK = 4096
PAGE = 256
SIZE = BLOCKS * BLOCK
OFFSET = 640 * 1024
# as its rp2 port mounts it: pages of 256 bytes, and caches of four
GEOMETRY: dict[str, Any] = {
    "block_size": BLOCK,
    "block_count": BLOCKS,
    "prog_size": PAGE,
    "read_size": 32,
    "lookahead_size": 32,
    "cache_size": 4 * PAGE,
}
MTIME = "\x01"  # the attribute that MicroPython gives a file: the time when it was written


class Context(UserContext):
    """A flash in RAM that does not log reads, because a logged read takes three times as long."""

    def read(self, cfg: Any, block: int, off: int, size: int) -> bytearray:
        start = block * BLOCK + off
        return self.buffer[start : start + size]


class Counting(Context):
    """A flash in RAM that counts its erase operations."""

    erases = 0

    def erase(self, cfg: Any, block: int) -> int:
        self.erases += 1
        return super().erase(cfg, block)


def pack(files: Mapping[str, bytes]) -> bytes:
    """Return the image of a file system with these files.

    Outdated entries in a folder would slow down the search for a file. So a file attribute is
    written again and again until LittleFS has compacted each folder.

    files: {path: content}
    """
    flash = Counting(BLOCK * BLOCKS)
    fs = LittleFS(context=flash, disk_version=0x00020000, **GEOMETRY)
    for path, content in sorted(files.items()):
        folder = Path(path).parent.as_posix()
        if folder != ".":
            fs.makedirs(folder, exist_ok=True)
        with fs.open(path, "wb") as file:
            file.write(content)
    for path in sorted(files):
        before = flash.erases
        while flash.erases == before:  # an erase: the log was full and was compacted
            fs.setattr(path, MTIME, bytes(8))
    return bytes(flash.buffer)


def uf2(image: bytes, offset: int = OFFSET) -> bytes:
    """Return an image as a UF2 file for the RP2040's boot loader.

    Erased blocks are left out, except the file system's first two: the flash could still hold an
    older file system there. Blocks are written whole, because the boot loader may fail to erase
    the block after a partial one (RP2040 datasheet, errata).

    The format and the number 0xe48bff56 for the RP2040 are from the UF2 specification.

    offset: the image's address in the flash
    """
    erased = b"\xff" * BLOCK
    image += b"\xff" * (-len(image) % BLOCK)
    pages = [
        page
        for block in range(0, len(image), BLOCK)
        if OFFSET <= offset + block < OFFSET + 2 * BLOCK or image[block : block + BLOCK] != erased
        for page in range(block, block + BLOCK, PAGE)
    ]
    blocks = []
    for number, at in enumerate(pages):
        head = struct.pack(
            "<8I",
            0x0A324655,
            0x9E5D5157,
            0x2000,
            0x10000000 + offset + at,
            PAGE,
            number,
            len(pages),
            0xE48BFF56,
        )
        body = image[at : at + PAGE].ljust(476, b"\0")
        blocks.append(head + body + struct.pack("<I", 0x0AB16F30))
    return b"".join(blocks)


def unpack(image: bytes) -> dict[str, bytes]:
    fs = LittleFS(mount=False, **GEOMETRY)
    fs.context.buffer = bytearray(image)
    fs.mount()
    files = {}
    for folder, _, names in fs.walk("/"):
        for name in names:
            path = "%s/%s" % (folder.rstrip("/"), name)
            with fs.open(path, "rb") as file:
                files[path.lstrip("/")] = file.read()
    return files
