# SPDX-License-Identifier: MIT
"""Lists the files of the reader driver for firmware/drivers.json, from which mip installs it
without the hub."""

import ast
import json
from pathlib import Path

from roundhouse import VERSION

FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"
PACKAGE = FIRMWARE / "drivers.json"
# what a program imports: readers of many slots, one tag in hand, and the text on a tag
IMPORTED = (
    *("roundhouse.drivers.mfrc522", "roundhouse.drivers.presence"),
    *("roundhouse.drivers.tag_access", "roundhouse.tags"),
)


def path_of(module: str) -> Path | None:
    """Return the file of a module, or None if the module is not part of the firmware."""
    path = FIRMWARE.joinpath(*module.split("."))
    files = (path.with_suffix(".py"), path / "__init__.py")
    return next((file for file in files if file.is_file()), None)


def files() -> list[Path]:
    found: set[Path] = set()
    todo = [*IMPORTED]
    while todo:
        module = todo.pop()
        path = path_of(module)
        if path is None or path in found:
            continue
        found.add(path)
        todo += [module.rpartition(".")[0]]
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module:
                todo += [node.module, *("%s.%s" % (node.module, a.name) for a in node.names)]
    return sorted(found)


def text() -> str:
    urls = [[path.relative_to(FIRMWARE).as_posix()] * 2 for path in files()]
    return json.dumps({"version": VERSION, "urls": urls}, indent=2) + "\n"
