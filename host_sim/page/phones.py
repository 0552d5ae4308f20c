# SPDX-License-Identifier: MIT
"""Who plays from an own phone: which seat belongs to which browser, kept beside the match."""

import json
from pathlib import Path


class Phones:
    """{seat: the id its browser keeps} of one match. folder: of the match; None keeps nothing."""

    FILE = "phones.json"

    def __init__(self, folder):
        self.path = Path(folder) / self.FILE if folder else None
        self.seats = {}
        try:
            kept = json.loads(self.path.read_text()) if self.path else {}
            self.seats = {int(seat): str(me) for seat, me in kept.items()}
        except (OSError, ValueError, AttributeError):
            pass  # nobody has taken a seat yet

    def of(self, me):
        """Return the seats of a browser."""
        return {seat for seat, one in self.seats.items() if one == me and me}

    def take(self, seat, me):
        """A browser takes a seat."""
        self.seats[seat] = me
        self._save()

    def leave(self, seat):
        """A seat is nobody's phone's any more."""
        if self.seats.pop(seat, None):
            self._save()

    def _save(self):
        if self.path:
            fresh = self.path.with_suffix(".new")
            fresh.write_text(json.dumps(self.seats))
            fresh.replace(self.path)
