# SPDX-License-Identifier: MIT
"""Who comes in from outside: finds the invitation of a cookie or link, and counts wrong links."""

import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from host_sim.app.page.app import App
from host_sim.app.session.invitations import FAR, Invitation

COOKIE = "__Host-roundhouse"  # such a name is taken only with Secure and Path=/, without Domain
COOKIE_S = 14 * 24 * 3600
WRONG_S = 600  # wrong links are counted for so long
MOST_WRONG = 10  # of one network
MOST_WRONG_OF_ALL = 500


class Visitor(NamedTuple):
    """A browser outside.

    network: see addresses.network
    cookie: "" if it has none
    """

    network: str
    cookie: str


class WrongLinks:
    """The wrong links of the last minutes. clock: returns seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: deque[tuple[float, str]] = deque(maxlen=MOST_WRONG_OF_ALL)

    def add(self, network: str) -> None:
        self._seen.append((self._clock(), network))

    def are_too_many(self, network: str) -> bool:
        """Return whether people of a network have to wait; "" stands for no known network."""
        while self._seen and self._seen[0][0] < self._clock() - WRONG_S:
            self._seen.popleft()
        of_it = sum(1 for _, other in self._seen if other == network != "")
        return of_it >= MOST_WRONG or len(self._seen) == MOST_WRONG_OF_ALL


class Outsiders:
    def __init__(self, app: App) -> None:
        self._app = app
        self._wrong = WrongLinks()

    def invitation(self, visitor: Visitor) -> Invitation | None:
        """Return the invitation of a browser's cookie, and give it its seat."""
        if not self._app.invitations or not visitor.cookie:
            return None
        found = self._app.invitations.with_cookie(self._app.match_id, visitor.cookie)
        if found and found.seat:
            self._app.seat_invited(found.seat, found.browser_id, found.name)
        return found

    def is_over(self, browser_id: str) -> bool:
        """Return whether the invitation of a browser outside has ended."""
        app = self._app
        if not browser_id.startswith(FAR) or not app.invitations:
            return False
        return browser_id not in [one.browser_id for one in app.invitations.of(app.match_id)]

    def is_invited(self, cookie: str) -> bool:
        app = self._app
        return bool(cookie and app.invitations and app.invitations.knows(app.match_id, cookie))

    def knock(self, visitor: Visitor, secret: str) -> tuple[str, str]:
        """Answer a link's secret: return (a ticket, "") or ("", the key of a sentence). A right
        link is never refused for wrong ones."""
        invitations = self._app.invitations
        found = invitations.with_link(self._app.match_id, secret) if invitations else None
        if invitations and found:
            return (invitations.ticket(found), "") if found.is_open else ("", "outside.used")
        if self._wrong.are_too_many(visitor.network):
            return "", "outside.later"
        self._wrong.add(visitor.network)
        return "", "outside.wrong"
