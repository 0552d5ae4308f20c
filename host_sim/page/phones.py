# SPDX-License-Identifier: MIT
"""Who plays from their own phone: which seat belongs to which browser, kept with the match."""


class Phones:
    """{seat: the id its browser keeps} of a people.sitting.Sitting, which keeps it."""

    def __init__(self, sitting):
        self._sitting = sitting
        kept = sitting.kept.get("phones", {})
        self.seats = {int(seat): me for seat, me in kept.items() if int(seat) in sitting.people}

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
        self._sitting.kept["phones"] = {str(seat): me for seat, me in self.seats.items()}
        self._sitting.save()
