# SPDX-License-Identifier: MIT
"""The table that a page shows: its console lines, and what moves by itself.

Three kinds: a simulated one that people and bots play at, a real hub that is watched, and a match
that is looked back at. Whoever shows one asks `due` when it wants to be called, and calls `step`.
"""

import time

from host_sim.page.hub_client import HubClient
from host_sim.page.seat_claims import SeatClaims
from host_sim.session.player_view import ORDERS
from host_sim.views.score_sheet import ScoreSheet
from host_sim.views.table_state import TableState

PACES = {"calm": 2.5, "usual": 1.2, "quick": 0.35}  # seconds a bot takes
REST = 0.7  # seconds behind an input: its answer is over, the lamps are at rest
KNOCK = 5  # so many times a bot's seconds somebody has for a knock


class TableModel:
    """A table to look at.

    lines: what the hub said, oldest first, without its answers to `state`; names: {"3": "Zoe"};
    seen: a TableState, sheet: a ScoreSheet of them; version: rises with all that is shown, epoch:
    where the lines begin anew; heard: how many there were, those at rest too.
    """

    kind = ""

    def __init__(self, names=None):
        self.names = dict(names or {})
        self.version = self.epoch = 0
        self.clear()

    def clear(self):
        """Forget every line: another match is shown, or an earlier moment."""
        self.epoch += 1
        self.lines = []
        self.heard = 0
        self.seen = TableState()
        self.sheet = ScoreSheet()
        self.version += 1

    def hear(self, line):
        """Take one of the hub's lines, a dict."""
        if line.get("input") != "state":
            self.lines.append(line)
        if line.get("input") != "state" or not self.sheet.ranks():
            self.sheet.line(line)  # a hub that is asked in the middle of a match tells its totals
        self.seen.line(line)
        self.heard += 1
        self.version += 1

    @property
    def state(self):
        """The newest line with all keys, or None."""
        return self.seen.state

    def due(self):
        """Return the seconds until `step` wants to be called; None: nothing moves by itself."""

    def step(self):
        """Let time pass."""

    def status(self):
        """Return what hinders, (key of a sentence, {name: what fills it}); None: all is well."""

    @property
    def trouble(self):
        """The OSError that keeps what is played from being kept, or None."""
        return None

    def export(self):
        """Return what the hub would answer to `export`; "" where nobody can ask it."""
        return ""

    def close(self):
        """It is shown no more."""


class PlayedTable(TableModel):
    """A simulated hub at which people and bots sit.

    session: a session.match_session.MatchSession; lesson: the session.lesson.Lesson it belongs to,
    if any.
    """

    kind = "play"

    def __init__(self, session, pace="usual", lesson=None):
        self.session = session
        self.lesson = lesson
        super().__init__()
        self.seat_claims = SeatClaims(session)
        self.pace = pace
        self._told = 0
        self._sorted = {}  # seat -> by which of ORDERS last
        self._rest_at = self._act_at = None
        self.renamed()

    def renamed(self):
        """Somebody has sat down, or got up: names and people are others."""
        names = {str(seat): name for seat, name in self.session.names.items()}
        self.names.clear()
        self.names.update(names)
        self.told()
        self.version += 1

    def told(self):
        """Take what the hub has said since the last call, and see what comes next."""
        lines = self.session.board.lines[self._told :]
        self._told += len(lines)
        for line in lines:
            self.hear(line)
        now = time.monotonic()
        if lines:
            self._rest_at = now + REST
        kind = self.session.waits_for().kind
        times = {"bot": 1, "table": 1, "knock": KNOCK}.get(kind)
        if kind == "knock" and self.lesson and not self.lesson.done:
            times = None  # a lesson waits as long as it takes
        self._act_at = None if times is None else now + times * PACES[self.pace]

    def does(self, act):
        """Let people do something at the session; always True."""
        act(self.session)
        self.told()
        return True

    def sort(self, seat):
        """Sort a hand, each time another way."""
        at = self._sorted.get(seat, -1) + 1
        self._sorted[seat] = at
        self.session.sort(seat, ORDERS[at % len(ORDERS)])
        self.version += 1

    def due(self):
        times = [at for at in (self._rest_at, self._act_at) if at is not None]
        return max(0.0, min(times) - time.monotonic()) if times else None

    def step(self):
        """A bot does one thing when it is due; behind an input the lamps come to rest."""
        now = time.monotonic()
        if self._act_at is not None and now >= self._act_at:
            self._act()
        elif self._rest_at is not None and now >= self._rest_at:
            self._rest_at = None
            self._come_to_rest()

    def _act(self):
        if self.session.waits_for().kind == "knock":
            self.session.no_knock()
        else:
            self.session.act()
        self.told()

    def _come_to_rest(self):
        board = self.session.board
        board.pause(1000 * REST)
        board.say("state")
        for line in board.lines[self._told :]:
            self.hear(line)
        self._told = len(board.lines)

    def hurry(self, pace):
        """Another of PACES."""
        self.pace = pace
        self.version += 1
        if self._act_at is not None:
            self._act_at = time.monotonic() + PACES[pace]

    @property
    def trouble(self):
        return self.session.files.trouble

    def export(self):
        return "\n".join(self.session.export()) + "\n"

    def close(self):
        self.session.close()


class WatchedTable(TableModel):
    """A real hub. source: a views.line_streams.Source; keep(names) keeps names that were given."""

    kind = "watch"

    def __init__(self, source, names=None, keep=None):
        super().__init__(names)
        self.source = source
        self.keep = keep or (lambda names: None)
        self.client = HubClient(source)
        self._status = None

    def due(self):
        return self.source.due()

    def step(self):
        """Take what the hub has said, and ask it what it is time to ask."""
        for line in self.source.poll():
            if line.get("did") == "cleared":
                self._begin_anew()
            if self.client.hear(line):
                self.version += 1
            else:
                self.hear(line)
        if self.source.status() != self._status:
            self._status = self.source.status()
            if self._status[0] == "usb.lost":
                self.client.lost()
            self.version += 1

    def changed(self):
        """Something else that is shown has changed; always True."""
        self.version += 1
        return True

    def _begin_anew(self):
        """A match that is cleared is over: another one begins, by the same rules."""
        rules = self.seen.game, self.seen.house, self.seen.set
        self.clear()
        self.seen.game, self.seen.house, self.seen.set = rules

    def status(self):
        """As the source's; a hub that is here and has spoken needs no words."""
        status = self.source.status()
        return None if status and status[0] == "usb.here" and self.state else status

    def rename(self, names):
        """Take names, {seat: name}, and keep them."""
        self.names.clear()
        self.names.update(names)
        self.keep(self.names)
        self.version += 1

    def close(self):
        self.source.close()


class ReplayedTable(TableModel):
    """A match that is looked back at.

    tape: a views.line_streams.Recording; text: the export; dealer: the session.dealt_hands.Dealer
    of a match that was played here. A hub knows no hands.
    """

    kind = "replay"

    def __init__(self, tape, names=None, text="", dealer=None):
        super().__init__(names)
        self.tape = tape
        self.dealer = dealer
        self.text = text
        self.step()

    def step_by(self, count):
        """So many lines on, or back."""
        self.tape.stop()
        self.tape.step(count)
        self.step()

    def round(self, way):
        """On to the beginning of the next round (1), or back (-1)."""
        self.tape.stop()
        self.tape.round(way)
        self.step()

    def run(self):
        """Let it go by itself, or stand."""
        if self.tape.runs:
            self.tape.stop()
        else:
            self.tape.play()
        self.version += 1

    def export(self):
        return self.text

    def due(self):
        return self.tape.due()

    def step(self):
        self.tape.poll()
        wanted = self.tape.lines[: self.tape.at + 1]
        if len(wanted) < len(self.lines):
            self.clear()
        for line in wanted[len(self.lines) :]:
            self.hear(line)
        self.version += 1
