# SPDX-License-Identifier: MIT
"""Adds the commands that have no row yet to the tables of host_sim/README.md, for `make made`.

A new row has the text of the command's HELP. Later changes of HELP do not change the row.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "firmware")]

from host_sim.__main__ import command_modules  # noqa: E402

PAGE = ROOT / "host_sim" / "README.md"


def fresh(text: str) -> str:
    """Return the page's text with a row for every command. A new row is at the end of the
    command's group."""
    listed = re.findall(r"^\| `.venv/bin/python -m host_sim (\w+)", text, re.M)
    for name, module in command_modules().items():
        if name not in listed:
            row = "| `.venv/bin/python -m host_sim %s` | %s |\n" % (name, module.HELP)
            table = re.search(r"^\| to %s\b.*\n(?:\|.*\n)+" % module.GROUP, text, re.M)
            if table:
                text = text[: table.end()] + row + text[table.end() :]
    return text
