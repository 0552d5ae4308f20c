# SPDX-License-Identifier: MIT
"""Who sits where at a hub that is watched: given once, kept in a file."""

import json
from pathlib import Path

LONGEST = 24  # characters of a name


def _checked(names):
    """Return the pairs of {seat: name} that are a seat and its name."""
    return {
        str(int(seat)): name.strip()[:LONGEST]
        for seat, name in names.items()
        if isinstance(name, str) and name.strip() and 1 <= int(seat) <= 10
    }


def parse(text):
    """Return {seat: name} of `1=Ana,3=Bo`. Raises ValueError."""
    names = {}
    for pair in filter(None, text.split(",")):
        seat, is_one, name = pair.partition("=")
        if not (is_one and seat.strip().isdecimal() and 1 <= int(seat) <= 10 and name.strip()):
            raise ValueError("--names: %s is not a seat from 1 to 10 and its name, 1=Ana" % pair)
        names[str(int(seat))] = name
    return _checked(names)


class KeptNames:
    """{seat: name}, read from names.json in a folder and written there when they change."""

    def __init__(self, folder):
        self.path = Path(folder, "names.json")
        try:
            self.names = _checked(json.loads(self.path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError, AttributeError, RecursionError):
            self.names = {}

    def keep(self, names):
        """Write names down, where they are others than those in the file."""
        if names == self.names:
            return
        self.names = dict(names)
        fresh = self.path.with_suffix(".new")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_text(json.dumps(self.names, ensure_ascii=False), encoding="utf-8")
            fresh.replace(self.path)
        except OSError:
            pass  # a folder that cannot be written: they hold for this once
