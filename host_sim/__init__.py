# SPDX-License-Identifier: MIT
"""The simulator: runs the unchanged firmware on a simulated board, and has programs to play with
it and to check it.

The firmware's modules are imported under the same names as on the board, so this package adds the
folder of these modules to the import path. The folder is beside the package in a checkout, and
inside the package when installed.
"""

import os
import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_INSIDE = _HERE / "_firmware"  # setup.py packs it

IS_INSTALLED = _INSIDE.is_dir()
FIRMWARE = _INSIDE if IS_INSTALLED else _HERE.parent / "firmware"
# the commands to type
COMMAND = "roundhouse" if IS_INSTALLED else ".venv/bin/python -m host_sim"


def build_folder() -> Path:
    """Return the folder for files made from the firmware: `build` in a checkout, else a folder in
    the user's cache."""
    if not IS_INSTALLED:
        return _HERE.parent / "build"
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(cache) / "roundhouse"


sys.path.insert(0, str(FIRMWARE))
