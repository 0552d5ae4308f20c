# SPDX-License-Identifier: MIT
"""The seats that are played from phones. The saved match records which browser has which seat.

A browser may ask for a person's seat, for example after a phone was changed. The owner's page then
shows the seat and a code. Either the owner hands the seat over, or the person types the code.
"""

import secrets
import time
from dataclasses import dataclass

from host_sim.app.session.match_session import MatchSession

ASK_S = 120  # seconds until a request ends
GUESSES = 3  # codes that may be typed for a request
DIGITS = 3  # of a code


@dataclass
class Request:
    """The request of a browser for a seat.

    ends: when the request ends, in seconds of time.monotonic()
    guesses: how many codes may still be typed
    """

    browser_id: str
    code: str
    ends: float
    guesses: int = GUESSES


class SeatClaims:
    """The seats that people play from their own browsers.

    Attribute `seats`: {seat: browser id}.
    """

    def __init__(self, session: MatchSession) -> None:
        self._session = session
        kept = session.metadata.get("phones", {})
        self.seats = {int(seat): id_ for seat, id_ in kept.items() if int(seat) in session.people}
        self._requests: dict[int, Request] = {}

    def of(self, browser_id: str) -> set[int]:
        """Return the seats that a browser has claimed; none for the id ""."""
        return {seat for seat, id_ in self.seats.items() if id_ == browser_id != ""}

    def claim(self, seat: int, browser_id: str) -> None:
        """Assign a seat to a browser, and end any request for the seat."""
        self._requests.pop(seat, None)
        self.seats[seat] = browser_id
        self._save()

    def release(self, seat: int) -> None:
        """End the claim to a seat and any request for the seat."""
        self._requests.pop(seat, None)
        if self.seats.pop(seat, None):
            self._save()

    def _save(self) -> None:
        self._session.metadata["phones"] = {str(seat): id_ for seat, id_ in self.seats.items()}
        self._session.save()

    # ---- requests for a seat ----

    def requests(self) -> dict[int, Request]:
        """Return {seat: Request} of the requests that can still be granted."""
        now = time.monotonic()
        return {
            seat: request
            for seat, request in self._requests.items()
            if request.guesses and now < request.ends
        }

    def ask(self, seat: int, browser_id: str) -> bool:
        """Ask for a seat; return False if an earlier request has not ended yet."""
        request = self._requests.get(seat)
        if request and time.monotonic() < request.ends:
            return False
        code = "%0*d" % (DIGITS, secrets.randbelow(10**DIGITS))
        self._requests[seat] = Request(browser_id, code, time.monotonic() + ASK_S)
        return True

    def grant(self, seat: int) -> bool:
        """Give a seat to the browser that asks for it; return False if none does."""
        request = self.requests().get(seat)
        if request:
            self.claim(seat, request.browser_id)
        return bool(request)

    def prove(self, seat: int, browser_id: str, code: str) -> bool:
        """Give a seat to the browser that asked for it if the code is right; return whether the
        browser got it. A request can no longer be granted after GUESSES wrong codes."""
        request = self.requests().get(seat)
        if not request or request.browser_id != browser_id:
            return False
        if not secrets.compare_digest(code.encode(), request.code.encode()):
            request.guesses -= 1
            return False
        return self.grant(seat)

    def refuse(self, seat: int) -> None:
        """Refuse a request for a seat. The seat cannot be requested again until the refused
        request ends."""
        if seat in self._requests:
            self._requests[seat].guesses = 0

    def due(self) -> float | None:
        """Return the time at which the next request ends, in seconds of time.monotonic(), or
        None."""
        return min((request.ends for request in self._requests.values()), default=None)

    def expire(self) -> bool:
        """Forget the requests that have ended. Return whether any had ended."""
        now = time.monotonic()
        ended = [seat for seat, request in self._requests.items() if now >= request.ends]
        for seat in ended:
            del self._requests[seat]
        return bool(ended)
