# SPDX-License-Identifier: MIT
"""The tables that a page can show, and their histories: a simulated hub with people and bots, a
real hub, and a replayed match.

A table can change without an input, for example when a bot moves. So the program waits for the
seconds that a table's `due` returns, and then calls `step`.
"""

import time
from collections.abc import Callable

from host_sim.app.page.hub_client import HubClient
from host_sim.app.page.seat_claims import SeatClaims
from host_sim.app.players.dealt_hands import Dealer
from host_sim.app.session.lesson import Lesson
from host_sim.app.session.match_session import MatchSession
from host_sim.app.session.player_view import PlayerView
from host_sim.table import safety_net
from host_sim.table.console_line import ConsoleLine
from host_sim.table.model import Moment, TableModel
from host_sim.table.scores import ScoreSheet
from host_sim.table.streams import HubStream, Recording

PACES = {"calm": 2.5, "usual": 1.2, "quick": 0.35}  # seconds per bot move
REST = 0.7  # seconds after an input until the lamps show the resting table
KNOCK = 5  # time for a person to knock, in bot moves
PRESS_S = 0.5  # seconds; two presses of a button within them are one, as on the hub

Status = tuple[str, dict[str, str]]  # (sentence key, {placeholder: value})


class ShownTable:
    """A table of any kind that the page shows.

    moments: the newest Moments, oldest first
    forgotten: the count of older Moments that have been dropped
    names: {seat: player's name}, such as {"3": "Zoe"}
    version: rises with every visible change
    epoch: rises each time `clear` empties the story
    count: the count of lines from the hub since the last `clear`, including answers to `state`
    """

    kind = ""
    most: int | None = 2000  # Moments that are kept; None: all. A hub may be watched for days

    def __init__(self, names: dict[str, str] | None = None) -> None:
        self.names = dict(names or {})
        self.version = self.epoch = 0
        self.clear()

    def clear(self) -> None:
        """Forget all lines from the hub, because another match or moment will be shown."""
        self.epoch += 1
        self.moments: list[Moment] = []
        self.count = self.forgotten = 0
        self.model = TableModel()
        self.sheet = ScoreSheet(self.model)
        self.version += 1

    def take(self, line: ConsoleLine) -> None:
        self._show(self.model.take(line))

    def _show(self, moment: Moment) -> None:
        """Add a Moment to the table. An answer to `state` joins the story only if it shows that
        inputs were missed."""
        if moment.gesture.word != "state" or moment.missed:
            self.moments.append(moment)
        if self.most and len(self.moments) > 2 * self.most:
            self.forgotten += len(self.moments) - self.most
            del self.moments[: -self.most], self.model.standing[: -self.most]
        self.count += 1
        self.version += 1

    @property
    def state(self) -> ConsoleLine | None:
        """The newest line about an input, or None if there is none yet."""
        return self.model.state

    def due(self) -> float | None:
        """Return the seconds until the next `step`, or None if only an input changes the table."""
        return None

    def step(self) -> None:
        """Do the action that is due at the table, such as a bot's move."""

    def status(self) -> Status | None:
        """Return the sentence that says why the table cannot be shown, for example because no hub
        is connected. Return None if the table can be shown."""
        return None

    @property
    def trouble(self) -> OSError | None:
        """The error that prevents the match from being saved, or None."""
        return None

    def export(self) -> str:
        """Return the hub's answer to the command `export`, or "" if there is no hub to ask."""
        return ""

    def close(self) -> None:
        """Release the table's resources when it is no longer shown."""


class PlayedTable(ShownTable):
    """A simulated hub with people and bots as players."""

    kind = "play"
    most = None

    def __init__(
        self, session: MatchSession, pace: str = "usual", lesson: Lesson | None = None
    ) -> None:
        self.session = session
        self.lesson = lesson
        super().__init__()
        self.model = session.table
        self.sheet = ScoreSheet(self.model)
        self.player_view = PlayerView(session)
        self.seat_claims = SeatClaims(session)
        self.pace = pace
        self._pressed: dict[int | None, float] = {}  # seat -> time of its last press
        self._sorted: dict[int, str] = {}  # seat -> the order of its last sort
        self._rest_at: float | None = None
        self._act_at: float | None = None
        self.refresh_names()

    def refresh_names(self) -> None:
        """Copy the players' names from the match, after a person took or left a seat."""
        names = {str(seat): name for seat, name in self.session.names.items()}
        self.names.clear()
        self.names.update(names)
        self.update()

    def _show_new(self) -> bool:
        """Add the Moments of the match since the last call; return whether there were any."""
        new = self.session.moments[self.count :]
        for moment in new:
            self._show(moment)
        return bool(new)

    def update(self) -> None:
        """Show what has happened since the last call, and set the time of the next step."""
        self.version += 1  # also without a new Moment: a knock that is skipped has none
        now = time.monotonic()
        if self._show_new():
            self._rest_at = now + REST
        kind = self.session.waits_for().kind
        times: int | None = {"bot": 1, "table": 1, "knock": KNOCK}.get(kind)
        if kind == "knock" and self.lesson and not self.lesson.done:
            times = None  # a lesson waits without a time limit
        self._act_at = None if times is None else now + times * PACES[self.pace]

    def apply(self, action: Callable[[MatchSession], object]) -> bool:
        """Call action(session) for a person at the table, then show its effect; return True."""
        action(self.session)
        self.update()
        return True

    def press(self, seat: int | None, at: float, action: Callable[[MatchSession], object]) -> bool:
        """Press a button; return whether the press counts. A seat's second press within PRESS_S
        seconds is taken for part of a double click and does not count.

        seat: None for a viewer without a seat
        at: the time by the browser's clock, in seconds
        """
        before = self._pressed.get(seat)
        self._pressed[seat] = at
        if before is not None and abs(at - before) < PRESS_S:
            return False
        return self.apply(action)

    def sort(self, seat: int) -> None:
        """Sort the hand of a seat by the next order."""
        self._sorted[seat] = order = self.next_order(seat)
        self.player_view.sort(seat, order)
        self.version += 1

    def next_order(self, seat: int) -> str:
        """Return the order by which `sort` sorts the hand of a seat next."""
        orders = self.player_view.orders(seat)
        last = self._sorted.get(seat)
        return orders[(orders.index(last) + 1) % len(orders)] if last in orders else orders[0]

    def beside_train(self, seat: int) -> str | None:
        """Return the first tile after the train with which a seat's hand begins, if the hand was
        sorted by its longest train; else None."""
        if self._sorted.get(seat) != "train":
            return None
        hand, train = self.player_view.hand(seat), self.player_view.train(seat)
        return hand[len(train)] if hand[: len(train)] == train != hand else None

    def due(self) -> float | None:
        every = (self._rest_at, self._act_at, self.seat_claims.due())
        times = [at for at in every if at is not None]
        return max(0.0, min(times) - time.monotonic()) if times else None

    def step(self) -> None:
        """Let a bot or the table act if it is time, or end the lamps' short signal after an
        input."""
        now = time.monotonic()
        if self.seat_claims.expire():
            self.version += 1
        if self._act_at is not None and now >= self._act_at:
            self._act()
        elif self._rest_at is not None and now >= self._rest_at:
            self._rest_at = None
            self.session.rest(1000 * REST)
            self._show_new()

    def _act(self) -> None:
        if self.session.waits_for().kind == "knock":
            self.session.skip_knock()
        else:
            self.session.act()
        self.update()

    def set_pace(self, pace: str) -> None:
        """Set how fast the bots play.

        pace: a key of PACES.
        """
        self.pace = pace
        self.version += 1
        if self._act_at is not None:
            self._act_at = time.monotonic() + PACES[pace]

    @property
    def trouble(self) -> OSError | None:
        return self.session.files.trouble

    def export(self) -> str:
        return self.session.export()

    def close(self) -> None:
        self.session.close()


class LiveTable(ShownTable):
    """The table of a real hub.

    save_names: called with the names after each change, or None
    """

    kind = "watch"

    def __init__(
        self,
        source: HubStream,
        names: dict[str, str] | None = None,
        save_names: Callable[[dict[str, str]], object] | None = None,
    ) -> None:
        super().__init__(names)
        self.source = source
        self.save_names = save_names or (lambda names: None)
        self.client = HubClient(source)
        self._status: Status | None = None

    def due(self) -> float | None:
        return self.source.due()

    def step(self) -> None:
        """Process the lines that the hub has printed and, if it is time, ask the hub for
        `state`."""
        for line in self.source.poll():
            if line.get("did") == "cleared":
                self._clear_match()
            answers_client = False
            with safety_net.under(line):
                answers_client = self.client.receive(line)
            if answers_client:
                self.version += 1
            else:
                self.take(line)
        if self.source.status() != self._status:
            self._status = self.source.status()
            if self._status[0] == "usb.lost":
                self.client.disconnect()
            self.version += 1

    def mark_changed(self) -> bool:
        """Increase `version` after a change in `client`; return True."""
        self.version += 1
        return True

    def _clear_match(self) -> None:
        """Forget the match of a cleared hub, but not its game, house and set."""
        old = self.model
        self.clear()
        self.model.game, self.model.house, self.model.set = old.game, old.house, old.set

    def status(self) -> Status | None:
        """Return the sentence about the connection to the hub. Return None if the hub is connected
        and has printed a complete line."""
        status = self.source.status()
        return None if status and status[0] == "usb.here" and self.state else status

    def rename(self, names: dict[str, str]) -> None:
        """Set the players' names, {seat: name}, and save them."""
        self.names.clear()
        self.names.update(names)
        self.save_names(self.names)
        self.version += 1

    def close(self) -> None:
        if self.client.config:
            self.client.leave_config()
        self.source.close()


class ReplayedTable(ShownTable):
    """A table that replays a match.

    dealer: a Dealer, which knows the hands; None for a match from a real hub, whose hands are not
        known
    """

    kind = "replay"
    most = None  # all Moments are needed to compute the hands

    def __init__(
        self,
        recording: Recording,
        names: dict[str, str] | None = None,
        text: str = "",
        dealer: Dealer | None = None,
    ) -> None:
        super().__init__(names)
        self.recording = recording
        self.dealer = dealer
        self.text = text
        self.step()

    def step_by(self, count: int) -> None:
        """Move forward by `count` lines, or back if `count` is negative."""
        self.step_to(self.recording.at + count)

    def step_to(self, at: int) -> None:
        """Move to the line with index `at`, at most to the last one."""
        self.recording.stop()
        self.recording.go(at)
        self.step()

    def step_round(self, by: int) -> None:
        """Move to the start of the next round if `by` is 1. Move back by a round if `by` is -1."""
        self.recording.stop()
        self.recording.round(by)
        self.step()

    def toggle_running(self) -> None:
        if self.recording.is_playing:
            self.recording.stop()
        else:
            self.recording.play()
        self.version += 1

    def export(self) -> str:
        return self.text

    def due(self) -> float | None:
        return self.recording.due()

    def step(self) -> None:
        self.recording.poll()
        wanted = self.recording.lines[: self.recording.at + 1]
        if len(wanted) < self.count:
            self.clear()
        for line in wanted[self.count :]:
            self.take(line)
        self.version += 1
