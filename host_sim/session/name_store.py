# SPDX-License-Identifier: MIT
"""Who sits where at a hub that is watched: given once, kept in a file."""

import json
from pathlib import Path

from host_sim.views.player_names import clean_name, clean_names, printable

SEATS = {str(seat) for seat in range(1, 11)}


def parse(text):
    """Return {seat: name} of `1=Ana,3=Bo`. Raises ValueError."""
    names = {}
    for pair in filter(None, text.split(",")):
        seat, _, name = pair.partition("=")
        seat, name = seat.strip().lstrip("0"), clean_name(name)
        if seat not in SEATS or not name:
            pair = printable(pair)
            raise ValueError("--names: %s is not a seat from 1 to 10 and its name, 1=Ana" % pair)
        names[seat] = name
    return names


class NameStore:
    """{seat: name}, read from names.json in a folder and written there when they change."""

    def __init__(self, folder):
        self.path = Path(folder, "names.json")
        try:
            names = clean_names(json.loads(self.path.read_text(encoding="utf-8")))
            self.names = {seat: name for seat, name in names.items() if seat in SEATS}
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
