# SPDX-License-Identifier: MIT
"""The data that all viewers share: the table that is shown, and the store of matches."""

import contextlib
import random
from collections.abc import Callable
from typing import Any

from host_sim.app.page.shown_tables import PACES, LiveTable, PlayedTable, ReplayedTable, ShownTable
from host_sim.app.people.kept_match import KeptMatch
from host_sim.app.people.own_sheets import OwnSheets
from host_sim.app.people.people_statistics import Evenings
from host_sim.app.session import backup
from host_sim.app.session.invitations import FAR, Invitations
from host_sim.app.session.match_metadata import Unreadable
from host_sim.app.session.match_session import MatchSession
from host_sim.app.session.match_store import MatchStore
from host_sim.board.hub import match_export
from host_sim.table.model import Moment
from host_sim.table.streams import HubStream, Recording

KEPT = ("family", "phones", "stops_after", "open_hands")  # metadata that a rematch keeps
SEEDS = 1 << 30  # number of different deals


class EmptyTable(ShownTable):
    """The empty table that is shown before the first match."""

    kind = "empty"


class App:
    """The table that is shown to all viewers, and the store of matches.

    store: None if matches cannot be stored
    seed: the random seed of every new match; None for a different one each time

    own_sheets: the user-made rule sheets; None if they cannot be stored
    evenings: the statistics of the stored matches; None without a store
    is_room_let_in: whether other devices in the room may open the page; None without a server
    room_url: the page's address for them, or ""
    room_trouble: the key of a sentence why there is none, or ""
    on_room: called when `is_room_let_in` has changed
    outside_url: the page's address for invited people outside, or ""
    invitations: their links; None without such an address
    site_url: the page's public address, or "" on a local server
    has_web_serial: whether the browser itself can connect to a real hub
    present: the ids of the browsers that show the page now
    """

    def __init__(
        self,
        table: ShownTable | None = None,
        store: MatchStore | None = None,
        seed: int | None = None,
    ) -> None:
        self.table = table or EmptyTable()
        self.store = store
        self.own_sheets = OwnSheets(store.folder) if store else None
        self.evenings = Evenings(store) if store else None
        self.seed = seed
        self.is_room_let_in: bool | None = None
        self.room_url = ""
        self.room_trouble = ""
        self.on_room: Callable[[], None] = lambda: None
        self.outside_url = ""
        self.invitations: Invitations | None = None
        self.site_url = ""
        self.has_web_serial = False
        self.present: frozenset[str] = frozenset()
        self.pace = "usual"
        self.match_id = ""  # of the match that is being played

    # ---- the table ----

    @property
    def state_key(self) -> tuple[object, ...]:
        """A value that changes with every visible change."""
        statistics = self.evenings.version if self.evenings else 0
        doors = self.room_url, self.room_trouble, self.invitations and self.invitations.version
        return id(self.table), self.table.version, statistics, self.present, doors

    @property
    def moments(self) -> list[Moment]:
        """The Moments of the table's story, oldest first: lines from the hub with the changes that
        they made."""
        return self.table.moments

    @property
    def forgotten(self) -> int:
        """The count of Moments, older than those in `moments`, that have been dropped."""
        return self.table.forgotten

    @property
    def names(self) -> dict[str, str]:
        """The names at the table, {seat: name}."""
        return self.table.names

    @property
    def trouble(self) -> OSError | None:
        """The error that prevents the match from being saved, or None."""
        return self.table.trouble

    def due(self) -> float | None:
        """Return the seconds until the next `step`, or None if only an input changes the table."""
        reading = self.evenings.due() if self.evenings else None
        return self.table.due() if reading is None else reading

    def step(self) -> None:
        """Do what is due at the table, such as a bot's move; otherwise read a stored match for the
        statistics."""
        if self.table.due() == 0 or not self.evenings or self.evenings.due() is None:
            self.table.step()
        else:
            self.evenings.step()

    def close(self) -> None:
        """Close the table. A match in progress stays in the store."""
        self.table.close()

    def export(self) -> str:
        """Return the hub's answer to the command `export`, or "" if there is no hub to ask."""
        return self.table.export()

    def let_room_in(self, is_let_in: bool) -> bool:
        """Let other devices in the room open the page, or no longer. Return False without a
        server."""
        if self.is_room_let_in is None:
            return False
        self.is_room_let_in = is_let_in
        self.on_room()
        return True

    def open_outside(self, url: str) -> None:
        """Let invited people in by a public address."""
        self.outside_url = url
        self.invitations = Invitations(self.store.folder if self.store else None)

    def seat_invited(self, seat: int, browser_id: str, name: str) -> None:
        """Give a seat to an invited person, if no phone in the room plays it."""
        table = self.table
        if not isinstance(table, PlayedTable) or seat not in table.session.seats:
            return
        claimed = table.seat_claims.seats.get(seat, FAR)
        if claimed != browser_id and claimed.startswith(FAR):
            table.session.sit_down(seat, name or None)
            table.seat_claims.claim(seat, browser_id)
            table.refresh_names()

    def set_pace(self, pace: str) -> None:
        """Set how fast the bots play.

        pace: a key of PACES.
        """
        if pace in PACES:
            self.pace = pace
            if isinstance(self.table, PlayedTable):
                self.table.set_pace(pace)

    def _show(self, table: ShownTable, match_id: str = "") -> None:
        self.table.close()
        self.table = table
        self.match_id = match_id

    # ---- matches that are played ----

    @property
    def _store(self) -> MatchStore:
        assert self.store, "no match can be kept here: give App a store"
        return self.store

    def find_match(self, match_id: str) -> KeptMatch | None:
        return self.store.find(match_id) if self.store else None

    def _play(self, session: MatchSession) -> None:
        self._show(PlayedTable(session, self.pace), session.folder.name)

    def start_match(self, **settings: Any) -> None:
        """Start a match.

        settings: keyword arguments for MatchSession.
        """
        seed = random.randrange(SEEDS) if self.seed is None else self.seed
        self._play(self._store.new(**{"seed": seed, **settings}))

    def rematch(self) -> None:
        """Start a match with the rules, the players and the phones of the match that is shown."""
        assert isinstance(self.table, PlayedTable)
        old = self.table.session
        kept = {key: old.metadata[key] for key in KEPT if key in old.metadata}
        self.start_match(
            house=old.house,
            set_=old.set,
            seats=old.seats,
            people=sorted(old.people),
            names=old.names,
            strength=old.strength,
            **kept,
        )

    def continue_match(self, match_id: str = "") -> bool:
        """Continue a stored match; return whether a match was found. Raises Unreadable if the
        match with this id cannot be carried on.

        match_id: "" for the match that was played last, of those that can be carried on.
        """
        if match_id:
            self._play(self._store.open(match_id))
            return True
        for kept in self._store.matches():
            if kept.phase != "finished":
                with contextlib.suppress(Unreadable):
                    self._play(self._store.open(kept.id))
                    return True
        return False

    def start_lesson(self, topic: str = "round", name: str = "") -> None:
        """Start a lesson, or resume it where the player left it.

        topic: `round`, with eight steps, or `forgotten`, about a forgotten tap.
        name: the learner's name, or "" if it is not known
        """
        lesson = self._store.lesson(topic, name)
        self._show(PlayedTable(lesson.session, self.pace, lesson))

    def forget_person(self, key: str) -> None:
        """Take a person's name out of everything that is stored, and of the table that is shown.
        Raises OSError if the folder cannot be written.

        key: as in Evenings.forget_person
        """
        assert self.evenings
        names = {int(seat): name for seat, name in self.table.names.items()}
        gone = self.evenings.seats_of(key, names)
        if isinstance(self.table, PlayedTable):
            self.table.session.forget_names(gone)  # first, as it writes its own names
            self.table.refresh_names()
        elif isinstance(self.table, LiveTable):
            self.table.rename({str(n): name for n, name in names.items() if n not in gone})
        self.evenings.forget_person(key)

    def take_in(self, files: backup.Files) -> backup.TakenIn:
        """Add what a saved file has to the stored matches, evenings, sheets and names. Raises
        OSError if the folder cannot be written.

        files: as returned by backup.read
        """
        assert self.evenings and self.own_sheets
        return backup.take_in(files, self._store, self.evenings, self.own_sheets)

    # ---- replays and real hubs ----

    def replay_match(self, match_id: str) -> None:
        """Replay a stored match, with the hands of all players visible."""
        segments, names, dealer = self._store.recorded(match_id)
        lines, text = match_export.replay_export(segments)
        self._show(ReplayedTable(Recording(lines), names, text, dealer))

    def replay_export(self, text: str, names: dict[str, str] | None = None) -> None:
        """Replay the match in an export. Raises match_export.NoExport if the text is not an
        export."""
        self._show(ReplayedTable(Recording(match_export.read(text)), names, text))

    def watch(
        self,
        source: HubStream,
        names: dict[str, str] | None = None,
        save_names: Callable[[dict[str, str]], object] | None = None,
    ) -> None:
        """Show the table of a real hub.

        save_names: called with the names after each change, or None
        """
        self._show(LiveTable(source, names, save_names))
