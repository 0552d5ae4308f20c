# SPDX-License-Identifier: MIT
"""Seats played from phones: which browser owns which seat, saved with the match."""

from host_sim.session.match_session import MatchSession


class SeatClaims:
    """The seats that people play from their own browsers.

    Attribute `seats`: {seat: browser id}.
    """

    def __init__(self, session: MatchSession) -> None:
        self._session = session
        kept = session.metadata.get("phones", {})
        self.seats = {int(seat): id_ for seat, id_ in kept.items() if int(seat) in session.people}

    def of(self, browser_id: str) -> set[int]:
        """Return the seats that a browser has claimed. For the id "", the result is empty."""
        return {seat for seat, id_ in self.seats.items() if id_ == browser_id != ""}

    def claim(self, seat: int, browser_id: str) -> None:
        """Assign a seat to a browser."""
        self.seats[seat] = browser_id
        self._save()

    def release(self, seat: int) -> None:
        """End a browser's claim to a seat, if the seat is claimed."""
        if self.seats.pop(seat, None):
            self._save()

    def _save(self) -> None:
        self._session.metadata["phones"] = {str(seat): id_ for seat, id_ in self.seats.items()}
        self._session.save()
