# SPDX-License-Identifier: MIT
"""Who plays from their own phone: which seat belongs to which browser, kept with the match."""


class SeatClaims:
    """{seat: the id its browser keeps} of a session.match_session.MatchSession, which keeps it."""

    def __init__(self, session):
        self._session = session
        kept = session.kept.get("phones", {})
        self.seats = {int(seat): me for seat, me in kept.items() if int(seat) in session.people}

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
        self._session.kept["phones"] = {str(seat): me for seat, me in self.seats.items()}
        self._session.save()
