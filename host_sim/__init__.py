# SPDX-License-Identifier: MIT
"""The simulator. It runs the unchanged firmware on a simulated board. It also has programs to play
with the firmware and to check it.

The firmware's modules are imported under the same names as on the board, so this package adds the
firmware's folder to the import path. In a checkout, this folder is beside the package. In an
installed package, it is inside the package.
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
LET_PHONES_IN = "roundhouse play --host" if IS_INSTALLED else "make run HOST=1"


def build_folder() -> Path:
    """Return the folder for files that are made from the firmware. In a checkout, this is the
    folder `build`. In an installed package, it is a folder in the user's cache."""
    if not IS_INSTALLED:
        return _HERE.parent / "build"
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(cache) / "roundhouse"


sys.path.insert(0, str(FIRMWARE))
