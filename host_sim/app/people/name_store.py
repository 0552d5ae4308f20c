# SPDX-License-Identifier: MIT
"""Saves, in a file, the players' names that the page shows for a real hub."""

import contextlib
import json
from collections.abc import Mapping
from pathlib import Path

from host_sim.app.people.kept_file import BAD_CONTENT, read_file, set_aside, write_json
from host_sim.table.player_names import clean_name, clean_names, free_name, printable
from roundhouse.constants import MOST_SEATS, SEATS

NAMES = {str(seat) for seat in SEATS}


def parse(text: str) -> dict[str, str]:
    """Return {seat: name} from a text like `1=Ana,3=Bo`. Raises ValueError if the text is
    malformed."""
    names: dict[str, str] = {}
    for pair in filter(None, text.split(",")):
        seat, _, name = pair.partition("=")
        seat, name = seat.strip().lstrip("0"), clean_name(name)
        if seat not in NAMES or not name:
            pair = printable(pair)
            raise ValueError(
                "--names: %s is not a seat from 1 to %d and its name, 1=Ana" % (pair, MOST_SEATS)
            )
        free = free_name(name, (names[other] for other in names if other != seat))
        if free != name:
            raise ValueError("--names: two seats are called %s; try %s" % (name, free))
        names[seat] = name
    return names


class NameStore:
    """The players' names, {seat: name}, saved as names.json in a folder. A file that cannot be
    read counts as empty, and is renamed."""

    def __init__(self, folder: str | Path) -> None:
        self.path = Path(folder, "names.json")
        try:
            self.names = self.parse(read_file(self.path))
        except FileNotFoundError:
            self.names = {}
        except (OSError, *BAD_CONTENT):
            self.names = {}
            with contextlib.suppress(OSError):
                set_aside(self.path)

    @staticmethod
    def parse(data: bytes) -> dict[str, str]:
        """Return the names in the content of a names.json. Raises one of BAD_CONTENT for another
        content."""
        names = clean_names(json.loads(data.decode()))
        return {seat: name for seat, name in names.items() if seat in NAMES}

    def save(self, names: Mapping[str, str]) -> None:
        """Write the names to the file if they have changed."""
        if names == self.names:
            return
        self.names = dict(names)
        with contextlib.suppress(OSError):  # else the names last until the program ends
            write_json(self.path, self.names)
