# SPDX-License-Identifier: MIT
"""A file system as an image: what lies in the Pico's flash, and as a file to drag onto it."""

import struct
from pathlib import Path

from littlefs import LittleFS, UserContext

# MicroPython's file system on an RPI_PICO: 352 blocks of 4 KiB from 640 KiB on
BLOCKS = 352
BLOCK = 4096
PAGE = 256
OFFSET = 640 * 1024
# as its rp2 port mounts it: pages of 256 bytes, and caches of four
GEOMETRY = {
    "block_size": BLOCK,
    "block_count": BLOCKS,
    "prog_size": PAGE,
    "read_size": 32,
    "lookahead_size": 32,
    "cache_size": 4 * PAGE,
}
MTIME = "\x01"  # the attribute that MicroPython gives a file: the time when it was written


class Counting(UserContext):
    """A flash that counts its erases."""

    erases = 0

    def erase(self, cfg, block):
        """As UserContext's, counted."""
        self.erases += 1
        return super().erase(cfg, block)


def pack(files):
    """Return the image of a file system that holds {path: bytes}.

    What was written about each file lies in its folder's log behind all that was true before, and
    whoever looks for a file reads it all: so each log is brought to what still holds.
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
        while flash.erases == before:  # the log is full then, and begins anew
            fs.setattr(path, MTIME, bytes(8))
    return bytes(flash.buffer)


def behind(micropython, files):
    """Return one image of MicroPython's own, which begins the flash, and of a file system behind
    it; ValueError where the first reaches into the second."""
    if len(micropython) > OFFSET:
        raise ValueError("MicroPython is longer than the %d KiB before the files" % (OFFSET >> 10))
    return micropython.ljust(OFFSET, b"\xff") + files


def uf2(image, offset=OFFSET, files=0):
    """Return an image as a UF2 file for the RP2040's boot loader.

    image: bytes; offset: of its first byte in the flash; files: where in it a file system begins.
    Blocks that are all erased are left out, but for the first two of the file system, where an
    older one would be found. No block is written in part: the RP2040's boot loader may then not
    erase the next one (its datasheet's errata). Format: the UF2 specification; family 0xe48bff56
    is the RP2040.
    """
    image += b"\xff" * (-len(image) % BLOCK)
    pages = [
        at
        for at in range(0, len(image), PAGE)
        if files <= at < files + 2 * BLOCK
        or any(byte != 0xFF for byte in image[at - at % BLOCK :][:BLOCK])
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


def unpack(image):
    """Return {path: bytes} of an image."""
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
