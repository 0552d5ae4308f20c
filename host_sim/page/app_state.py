# SPDX-License-Identifier: MIT
"""What all viewers of one server see: the table that is shown, and the matches that are kept."""

import random

from host_sim.hub import match_export
from host_sim.page.table_models import PACES, PlayedTable, ReplayedTable, TableModel, WatchedTable
from host_sim.views.line_streams import Recording

SEEDS = 1 << 30  # as many different matches


class EmptyTable(TableModel):
    """No match yet."""

    kind = "empty"


class AppState:
    """One table, and the store of matches where there is one.

    table: a TableModel; store: a session.match_store.MatchStore, or None: nothing is kept here.
    seed: of the tiles of every match that is begun; None: others each time.
    address: where the room finds the page, "" where it cannot; home: the page's own, where anybody
    can open it, else ""; serial: the browser itself has a way to a real hub.
    """

    def __init__(self, table=None, store=None, seed=None):
        self.table = table or EmptyTable()
        self.store = store
        self.seed = seed
        self.address = ""
        self.home = ""
        self.serial = False
        self.pace = "usual"
        self.match = ""  # its id in the store

    # ---- for whoever shows it ----

    @property
    def version(self):
        """Differs whenever what is shown differs."""
        return id(self.table), self.table.version

    @property
    def lines(self):
        """What the hub has said, of the table that is shown."""
        return self.table.lines

    @property
    def names(self):
        """{seat: name} at the table that is shown."""
        return self.table.names

    def due(self):
        """Return the seconds until `step` wants to be called; None: nothing moves by itself."""
        return self.table.due()

    def step(self):
        """Let time pass at the table."""
        self.table.step()

    def close(self):
        """The program ends; what is played is kept."""
        self.table.close()

    # ---- matches ----

    def _show(self, table, match=""):
        self.table.close()
        self.table = table
        self.match = match

    def kept(self, match):
        """Return what the store knows of a match, or None."""
        found = self.store.matches() if self.store else ()
        return next((kept for kept in found if kept.id == match), None)

    def where(self, rights):
        """Return the folder of the matches for a sentence: as it is for the owner, for others its
        name."""
        if not self.store:
            return ""
        return str(self.store.folder if rights.owner else self.store.folder.name)

    def play(self, session):
        """Show a match of the store that people and bots play."""
        self._show(PlayedTable(session, self.pace), session.folder.name)

    def begin(self, **chosen):
        """Begin a match; chosen: what a session.match_session.MatchSession asks for."""
        seed = random.randrange(SEEDS) if self.seed is None else self.seed
        self.play(self.store.new(**{"seed": seed, **chosen}))

    def carry_on(self, match=None):
        """Go on with a match, or with the one played last; return whether there was one."""
        unfinished = [kept.id for kept in self.store.matches() if kept.phase != "finished"]
        match = match or next(iter(unfinished), None)
        if not match:
            return False
        self.play(self.store.open(match))
        return True

    def learn(self, topic="round"):
        """Begin a lesson, `round` or `forgotten`, or take it up where it was left."""
        lesson = self.store.lesson(topic)
        self._show(PlayedTable(lesson.session, self.pace, lesson))

    def look_back(self, match):
        """Look back at a match of the store."""
        text = "\n".join(self.store.export(match)) + "\n"
        names = {str(seat): name for seat, name in self.kept(match).names.items()}
        tape = Recording(match_export.read(text))
        self._show(ReplayedTable(tape, names, text, self.store.dealer(match)))

    def look_at(self, text, names=None):
        """Look back at an export; names: {seat: name}. Raises match_export.NotAnExport."""
        self._show(ReplayedTable(Recording(match_export.read(text)), names, text))

    def watch(self, source, names=None, keep=None):
        """Show a real hub; as WatchedTable takes them."""
        self._show(WatchedTable(source, names, keep))

    def export(self):
        """Return what the hub would answer to `export`; "" where nobody can ask it."""
        return self.table.export()

    def leave(self):
        """Nothing is shown any more; what was played is kept."""
        self._show(EmptyTable())

    def hurry(self, pace):
        """Bots take another time from now on: one of PACES."""
        if pace in PACES:
            self.pace = pace
            if self.table.kind == "play":
                self.table.hurry(pace)
