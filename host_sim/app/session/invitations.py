# SPDX-License-Identifier: MIT
"""The links that let people outside look at a match or play a seat of it.

A link has a secret of 128 bits. A person who opens it gets a cookie with another one. Both are
kept as SHA-256 in a file of their own, which only its owner may read; each is known only where it
is used.
"""

import hashlib
import secrets
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from host_sim.app.people.kept_file import BAD_CONTENT, read_json, set_aside, write_json

FILE = "invitations.json"
MOST_BYTES = 1_000_000
SECRET_BYTES = 16
LASTS_S = 14 * 24 * 3600
MOST = 40  # links at a time
MOST_WATCHERS = 20  # browsers that one link to watch lets in
TICKET_S = 60  # from a click to the cookie
FAR = "far."  # begins the browser id of an invited person; no browser's own id has a full stop


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


@dataclass
class Invitation:
    """seat: 0 to watch. made: seconds since 1970. link, cookies: as SHA-256."""

    id: str
    match_id: str
    seat: int
    name: str
    made: float
    link: str
    cookies: list[str] = field(default_factory=list)

    @property
    def browser_id(self) -> str:
        return FAR + self.id

    @property
    def is_open(self) -> bool:
        """Whether the link still lets a browser in."""
        return len(self.cookies) < (1 if self.seat else MOST_WATCHERS)


def _rows(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(value)
    return value


def _from_row(row: Any) -> Invitation:
    """Return the invitation in a row of the file. Raises one of BAD_CONTENT for any other row."""
    found = Invitation(**row)
    words = [found.id, found.match_id, found.name, found.link, *found.cookies]
    if not all(isinstance(word, str) for word in words):
        raise TypeError(row)
    return replace(found, seat=int(found.seat), made=float(found.made))


class Invitations:
    """The invitations of a folder of matches.

    folder: None to keep them only as long as the program runs
    clock: returns seconds since 1970
    """

    def __init__(self, folder: Path | None, clock: Callable[[], float] = time.time) -> None:
        self._path = folder / FILE if folder else None
        self._clock = clock
        self._tickets: dict[str, tuple[Invitation, float]] = {}  # {as SHA-256: (…, its end)}
        self._new_cookies: dict[str, Invitation] = {}  # sent, but not yet come back
        self.version = 0
        self._all: list[Invitation] = self._read()

    def _read(self) -> list[Invitation]:
        if not self._path or not self._path.exists():
            return []
        try:
            return [_from_row(row) for row in _rows(read_json(self._path, MOST_BYTES))]
        except OSError:
            return []
        except BAD_CONTENT:
            set_aside(self._path)
            return []

    def _save(self) -> None:
        self.version += 1
        if self._path:
            write_json(self._path, [asdict(one) for one in self._all])

    def of(self, match_id: str) -> list[Invitation]:
        """Return the invitations to a match that have not ended, the oldest first."""
        oldest = self._clock() - LASTS_S
        return [one for one in self._all if one.match_id == match_id and one.made > oldest]

    def invite(self, match_id: str, seat: int, name: str) -> str:
        """Make a link, and return its secret. A seat's older link ends. Raises OSError if it
        cannot be kept."""
        secret = secrets.token_urlsafe(SECRET_BYTES)
        new = Invitation(
            *(secrets.token_hex(8), match_id, seat, name, self._clock(), _hashed(secret))
        )
        kept = [one for one in self.of(match_id) if not seat or one.seat != seat]
        self._all = [*kept, new][-MOST:]
        self._save()
        return secret

    def withdraw(self, id_: str) -> None:
        """End an invitation. Raises OSError if that cannot be kept."""
        self._all = [one for one in self._all if one.id != id_]
        self._save()

    def with_link(self, match_id: str, secret: str) -> Invitation | None:
        """Return the invitation to a match whose link has this secret."""
        link = _hashed(secret)
        return next((one for one in self.of(match_id) if one.link == link), None)

    def ticket(self, invitation: Invitation) -> str:
        """Return a secret for which `cookie` gives a cookie, once, within TICKET_S seconds."""
        now = self._clock()
        self._tickets = {key: row for key, row in self._tickets.items() if row[1] > now}
        secret = secrets.token_urlsafe(SECRET_BYTES)
        self._tickets[_hashed(secret)] = invitation, now + TICKET_S
        return secret

    def cookie(self, ticket: str) -> str:
        """Return a new cookie for a ticket, or "" if the ticket is not right any more. The link is
        used up when the cookie comes back."""
        invitation, ends = self._tickets.pop(_hashed(ticket), (None, 0.0))
        if not invitation or ends <= self._clock():
            return ""
        secret = secrets.token_urlsafe(SECRET_BYTES)
        self._new_cookies[_hashed(secret)] = invitation
        return secret

    def knows(self, match_id: str, cookie: str) -> bool:
        """Return whether a cookie is, or may become, that of an invitation to a match."""
        hashed = _hashed(cookie)
        return hashed in self._new_cookies or any(
            hashed in one.cookies for one in self.of(match_id)
        )

    def with_cookie(self, match_id: str, cookie: str) -> Invitation | None:
        """Return the invitation to a match whose cookie this is."""
        hashed = _hashed(cookie)
        new = self._new_cookies.get(hashed)
        if new and new in self.of(match_id) and new.is_open:
            del self._new_cookies[hashed]
            new.cookies.append(hashed)
            self._save()
        return next((one for one in self.of(match_id) if hashed in one.cookies), None)
