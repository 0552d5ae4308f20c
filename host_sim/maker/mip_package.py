# SPDX-License-Identifier: MIT
"""The firmware as a package for mip, MicroPython's installer: compiled modules and their list. The
package has no config.py, so that an installation never overwrites the maker's config.py."""

import json
from pathlib import Path

from host_sim.board.pico import build_firmware
from roundhouse import VERSION

LIST = "package.json"


def write(folder: Path) -> None:
    """Write the package into a new folder. The paths in the package's list are relative to the
    list, so the folder can be anywhere."""
    files = build_firmware.firmware()
    del files["config.py"]
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    about = {"version": VERSION, "urls": [[name, name] for name in sorted(files)]}
    (folder / LIST).write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
