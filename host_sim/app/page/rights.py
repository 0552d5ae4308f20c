# SPDX-License-Identifier: MIT
"""What a viewer may do, which seats they play, and whose hand they see."""

from dataclasses import dataclass

from host_sim.app.page.app import App
from host_sim.app.page.shown_tables import PlayedTable
from host_sim.app.session.match_session import MatchSession


@dataclass(frozen=True)
class Rights:
    """What a viewer may do.

    owner: whether the viewer started the program
    browser_id: the id of the viewer's browser, or ""
    television: whether the page is for a television, which never shows a hand
    local: whether the browser is on this machine
    outside: whether an invited person looks from outside the room
    """

    owner: bool = False
    browser_id: str = ""
    television: bool = False
    local: bool = False
    outside: bool = False


class Seats:
    """The seats that a viewer plays at the table of an App.

    at_screen: the seat of the person who is now at a screen that several people share, or None
    """

    def __init__(self, app: App, rights: Rights) -> None:
        self.at_screen: int | None = None
        self._app = app
        self._rights = rights

    @property
    def _session(self) -> MatchSession:
        assert isinstance(self._app.table, PlayedTable)
        return self._app.table.session

    def own(self) -> set[int]:
        """Return the seats that the viewer plays: none on a television."""
        table = self._app.table
        if not isinstance(table, PlayedTable) or self._rights.television:
            return set()
        claims, people = table.seat_claims, table.session.people
        own = claims.of(self._rights.browser_id)
        return (people - set(claims.seats)) | own if self._rights.owner else own & people

    def hand(self) -> int | None:
        """Return the seat whose hand the viewer sees. Return None if the viewer has no seat, or if
        the curtain hides all hands."""
        own = self.own()
        if len(own) == 1:
            return min(own)
        return self.at_screen if self.at_screen in own and not self.curtain() else None

    def bottom(self) -> int | None:
        """Return the seat at the bottom of the viewer's picture. It stays the same while several
        people share a screen, so that their table does not turn."""
        return min(self.own(), default=None)

    def curtain(self) -> int | None:
        """Return the seat of the person who must act next but has not come to this shared screen,
        or None."""
        own = self.own()
        if len(own) < 2:
            return None
        waits = self._session.waits_for()
        to_act = waits.seat if waits.kind == "person" else None
        return to_act if to_act in own and to_act != self.at_screen else None

    def is_on_turn(self) -> bool:
        """Return whether the player whose hand is shown may act now."""
        seat = self.hand()
        if not seat:
            return False
        waits = self._session.waits_for()
        return waits.seat == seat and waits.kind in ("person", "knock")
