# SPDX-License-Identifier: MIT
"""The seats that are played from phones. The saved match records which browser has which seat.

A browser may ask for a person's seat, for example after a phone was changed. Its request has a
sign, which that phone and the owner's page show, and a code, which only the owner's page shows.
Either the owner compares the signs and hands the seat over, or the person types the code.
"""

import secrets
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from host_sim.app.session.match_session import MatchSession

ASK_S = 120  # seconds until a request ends
DIGITS = 4  # of a code
WAITS_S = (120, 240, 480)  # how long a phone waits after its wrong codes, the last for each more
MOST_WRONG = 10  # codes of all phones within REST_S; then codes rest
REST_S = 3600
SIGNS = {
    "star": "★",
    "heart": "♥",
    "sun": "☀",
    "moon": "☾",
    "umbrella": "☂",
    "anchor": "⚓",
    "flower": "✿",
    "snowflake": "❄",
    "scissors": "✂",
    "cloud": "☁",
    "plane": "✈",
    "horse": "♞",
}  # {name: picture}


@dataclass
class Request:
    """The request of a browser for a seat.

    number: tells it from every other request, also an earlier one with the same sign
    sign: a key of SIGNS; no two requests have the same one at the same time
    ends: in seconds of time.monotonic()
    """

    browser_id: str
    seat: int
    number: int
    sign: str
    code: str
    ends: float
    is_refused: bool = False


@dataclass
class WrongCodes:
    """The wrong codes of a browser.

    wait_ends: when it may type another code, in seconds of time.monotonic()
    """

    count: int = 0
    wait_ends: float = 0.0

    @property
    def wait_s(self) -> int:
        """How long the browser waits after the last wrong code."""
        return WAITS_S[min(self.count, len(WAITS_S)) - 1]


class SeatClaims:
    """The seats that people play from their own browsers.

    Attribute `seats`: {seat: browser id}.
    """

    def __init__(self, session: MatchSession) -> None:
        self._session = session
        kept = session.metadata.get("phones", {})
        self.seats = {int(seat): id_ for seat, id_ in kept.items() if int(seat) in session.people}
        self._requests: dict[str, Request] = {}  # {browser id: Request}, the oldest first
        self._last_number = 0
        self._wrong: dict[str, WrongCodes] = {}  # {browser id: WrongCodes}
        self._wrong_at: deque[float] = deque(maxlen=MOST_WRONG)
        self._rest_ends = 0.0
        self._looked_at = time.monotonic()

    def of(self, browser_id: str) -> set[int]:
        """Return the seats that a browser has claimed; none for the id ""."""
        return {seat for seat, id_ in self.seats.items() if id_ == browser_id != ""}

    def claim(self, seat: int, browser_id: str) -> None:
        """Assign a seat to a browser, and end all requests for the seat and of the browser."""
        self._requests.pop(browser_id, None)
        self._wrong.pop(browser_id, None)
        self._end_requests(seat)
        self.seats[seat] = browser_id
        self._save()

    def release(self, seat: int) -> None:
        """End the claim to a seat and all requests for the seat."""
        self._end_requests(seat)
        if self.seats.pop(seat, None):
            self._save()

    def _end_requests(self, seat: int) -> None:
        for request in [one for one in self._requests.values() if one.seat == seat]:
            del self._requests[request.browser_id]

    def _save(self) -> None:
        self._session.metadata["phones"] = {str(seat): id_ for seat, id_ in self.seats.items()}
        self._session.save()

    # ---- requests for a seat ----

    def requests(self) -> list[Request]:
        """Return the requests that can still be granted."""
        now = time.monotonic()
        return [one for one in self._requests.values() if not one.is_refused and now < one.ends]

    def request_of(self, browser_id: str, seat: int) -> Request | None:
        """Return the request of a browser for a seat if it can still be granted."""
        for request in self.requests():
            if (request.browser_id, request.seat) == (browser_id, seat):
                return request
        return None

    def ask(self, seat: int, browser_id: str) -> bool:
        """Ask for a seat instead of any other seat that the browser asked for before. Return False
        if the owner refused the browser's request and it has not ended yet.

        If every sign is in use, the oldest request ends.
        """
        now = time.monotonic()
        old = self._requests.get(browser_id)
        if old and old.is_refused and now < old.ends:
            return False
        self._requests.pop(browser_id, None)
        if len(self._requests) == len(SIGNS):
            del self._requests[next(iter(self._requests))]
        self._last_number += 1
        code = "%0*d" % (DIGITS, secrets.randbelow(10**DIGITS))
        self._requests[browser_id] = Request(
            browser_id, seat, self._last_number, self._free_sign(), code, now + ASK_S
        )
        return True

    def _free_sign(self) -> str:
        """Return the sign that comes next in SIGNS and that no request has."""
        taken = {request.sign for request in self._requests.values()}
        signs = list(SIGNS)
        after = (self._last_number - 1) % len(signs)
        return next(sign for sign in signs[after:] + signs[:after] if sign not in taken)

    def grant(self, seat: int, browser_id: str) -> bool:
        """Give a seat to a browser; return False if that browser does not ask for the seat."""
        may = self.request_of(browser_id, seat) is not None
        if may:
            self.claim(seat, browser_id)
        return may

    def refuse(self, browser_id: str) -> None:
        """Refuse the request of a browser, which cannot ask again until the request ends."""
        if browser_id in self._requests:
            self._requests[browser_id].is_refused = True

    # ---- codes ----

    def codes_rest(self) -> bool:
        """Return whether no code can be typed because too many were wrong."""
        return time.monotonic() < self._rest_ends

    def wait_s(self, browser_id: str) -> int:
        """Return for how many seconds a browser's last wrong code makes it wait; 0 if it may type
        a code."""
        wrong = self._wrong.get(browser_id)
        return wrong.wait_s if wrong and time.monotonic() < wrong.wait_ends else 0

    def prove(self, seat: int, browser_id: str, code: str) -> bool:
        """Give a seat to the browser that asks for it if the code is right; return whether the
        browser got it. A wrong code makes the browser wait, and its request lasts longer."""
        request = self.request_of(browser_id, seat)
        if not request or self.wait_s(browser_id) or self.codes_rest():
            return False
        if secrets.compare_digest(code.encode(), request.code.encode()):
            return self.grant(seat, browser_id)
        now = time.monotonic()
        wrong = self._wrong.setdefault(browser_id, WrongCodes())
        wrong.count += 1
        wrong.wait_ends = now + wrong.wait_s
        request.ends = wrong.wait_ends + ASK_S
        self._wrong_at.append(now)
        if len(self._wrong_at) == MOST_WRONG and now - self._wrong_at[0] < REST_S:
            self._rest_ends = now + REST_S
            self._wrong_at.clear()
        return False

    # ---- time ----

    def _times(self) -> Iterator[float]:
        """Yield when a request, a wait or the rest of the codes ends, since expire() ran last."""
        for request in self._requests.values():
            yield request.ends
        yield from (wrong.wait_ends for wrong in self._wrong.values())
        yield self._rest_ends

    def due(self) -> float | None:
        """Return the time at which something ends next, in seconds of time.monotonic(), or
        None."""
        return min((at for at in self._times() if at > self._looked_at), default=None)

    def expire(self) -> bool:
        """Forget the requests that have ended. Return whether anything has ended since the last
        time."""
        now = time.monotonic()
        has_ended = any(self._looked_at < at <= now for at in self._times())
        self._looked_at = now
        for request in [one for one in self._requests.values() if now >= one.ends]:
            del self._requests[request.browser_id]
        return has_ended
