# SPDX-License-Identifier: MIT
"""A match with people and bots at a simulated hub, saved in a folder.

People act through `lay`, `press` and `take_back`; bots and the table through `act`. The session
knows only what the hub's lines show.

The folder has the rules, the seats and the seed from the beginning; the hands follow from them and
the hub's journal (see dealt_hands). So a match survives a crash between any two writes.
"""

import json
import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

from host_sim.app.people import own_sheets
from host_sim.app.players.dealt_hands import parse_tile
from host_sim.app.players.played_match import BEFORE_PLAY, PlayedMatch, Waiting
from host_sim.app.session import match_metadata
from host_sim.app.session.durable_files import DurableFiles
from host_sim.app.session.match_metadata import FORMAT, JOURNAL, METADATA, utc_time
from host_sim.app.views.table_names import bot_names
from host_sim.board.hub import match_export
from host_sim.board.hub.simulated_hub import COARSE_PASS_US, SimulatedHub
from host_sim.table.console_line import ConsoleLine
from host_sim.table.model import Moment
from host_sim.table.player_names import clean_name, clean_names, free_name, spelling

OWN = ("laid", "drew", "passed", "knocked", "out")  # `did` of what a seat does itself
MOVES = (*OWN, "opened", "caught", "round-over")  # `did` of what people call a move


class Undo(NamedTuple):
    """An input that can be taken back or put back.

    seat: the seat that made the input, or None
    did: what the input did, as in the hub's lines, or None
    tile: the text of the tapped tile, or None
    slot: the name of the slot, or None
    more: how many other moves are taken back or put back with the input
    round: the number of the round to which taking back or putting back leads
    asks: whether the page must ask first, because other inputs are taken back or put back, too
    """

    seat: int | None
    did: str | None
    tile: str | None
    slot: str | None
    more: int = 0
    round: int = 0
    asks: bool = False


class MatchSession(PlayedMatch):
    """A match of people and bots.

    folder: for a new match; ValueError if the folder already has a match
    seats: the station numbers of all players
    people: the seats of people; the others are bots
    house: as typed on the console, like "jassshop no-lock"
    set_: the highest number on the tiles
    seed: for the deals and the bots' choices
    strength: the bots' strength, one of STRENGTHS
    names: {seat: name}
    more: metadata entries, such as the `family` of a table's own rule sheet

    board.lines: all lines of the hub, also from before the match was resumed
    files.trouble: the error if the match cannot be written to the disk, else None; the match then
        continues unsaved

    people, names and strength may be changed during the match. For the other attributes see
    PlayedMatch.
    """

    KIND = "match"  # in the metadata

    def __init__(
        self,
        folder: str | Path,
        seats: Sequence[int] = (1, 2, 3),
        people: Sequence[int] = (1,),
        house: str = "puremco",
        set_: int = 12,
        seed: int = 1,
        strength: str = "good",
        names: Mapping[int, str] | None = None,
        **more: Any,
    ) -> None:
        folder = Path(folder)
        if os.path.lexists(folder / METADATA):
            raise ValueError(
                "%s already has a match: resume it, or choose another folder" % folder
            )
        now = utc_time()
        self._set_up(
            folder,
            {
                "roundhouse": self.KIND,
                "format": FORMAT,
                "house": house,
                "set": set_,
                "seats": sorted(seats),
                "seed": seed,
                "people": sorted(people),
                "names": {str(seat): name for seat, name in (names or {}).items()},
                "strength": strength,
                "begun": now,
                "played": now,
                "order": {},
                **more,
            },
        )

    @classmethod
    def resume(cls, folder: str | Path) -> Self | None:
        """Return the match in a folder, ready to continue, or None. Raises OSError if its journal
        cannot be read."""
        metadata = match_metadata.read(folder, cls.KIND)
        if metadata is None:
            return None
        session = cls.__new__(cls)
        session._set_up(Path(folder), metadata)
        return session

    def _set_up(self, folder: Path, metadata: dict[str, Any]) -> None:
        self.folder, self.metadata = folder, metadata
        with own_sheets.known(own_sheets.family_of(metadata)):
            self._begin(metadata)

    def _begin(self, metadata: dict[str, Any]) -> None:
        rules = ("house", "set", "seats", "seed", "strength")
        self._set_rules(*[metadata[key] for key in rules])
        self.people = set(metadata["people"])
        self.names = {int(seat): name for seat, name in clean_names(metadata["names"]).items()}
        self._holds: list[int] = []  # inputs in each `take_back` that can be put back
        self._knock_skipped: int | None = None  # len(past) when a notice was skipped
        self._bot_plays: int | None = None  # the person whose turn a bot plays
        self.files = DurableFiles(self.folder, JOURNAL)
        self.save()
        kept_lines = self._kept_lines()
        board = self._power_on()
        board.lines[:0] = kept_lines
        self.begin_at(board)
        if self.line["phase"] == "lobby":
            self.join()

    def _power_on(self) -> SimulatedHub:
        config = match_metadata.hub_config(self.metadata)
        return SimulatedHub(
            config, JOURNAL, self.seed, coarse_waits=True, files=self.files, pass_us=COARSE_PASS_US
        )

    def _kept_lines(self) -> list[ConsoleLine]:
        """Return the lines that the hub has printed in this match, oldest first, computed from the
        saved journal."""
        segments = self.files.segments()
        try:
            return match_export.replay(segments, whole=False) if segments else []
        except match_export.NoExport:
            return []

    # ---- the folder and the seats ----

    def save(self) -> None:
        """Save the metadata, which contains the players' seats and the data for the list of
        matches."""
        metadata = self.metadata
        metadata["people"] = sorted(self.people)
        metadata["names"] = {str(seat): name for seat, name in self.names.items()}
        metadata["strength"] = self.strength
        line = getattr(self, "line", None)
        if line:
            metadata["played"] = utc_time()
            metadata["told"] = {key: line[key] for key in ("round", "phase", "scores", "winner")}
        self.files.put(METADATA, json.dumps(metadata, indent=1).encode())

    def sit_down(self, seat: int, name: str | None = None) -> None:
        """Give a bot's seat to a person.

        name: the person's name, or None to keep the seat's name. If another person has this name,
            a number is added; a bot with this name gets another one.
        """
        if seat not in self.seats:
            raise ValueError("seat %s is not in this match" % seat)
        self.people.add(seat)
        others = [self.names[other] for other in self.names if other in self.people - {seat}]
        if found := free_name(clean_name(name), others):
            self.names[seat] = found
            self._rename_bots(spelling(found))
        self.save()

    def _rename_bots(self, name: str) -> None:
        """Give another name to each bot whose name is spelled like this one."""
        for bot in {*self.seats} - self.people:
            if spelling(self.names.get(bot, "")) == name:
                self.names |= bot_names([bot], self.names.values())

    def forget_names(self, seats: Collection[int]) -> None:
        """Take the names of seats out of the match. Their players play on."""
        self.names = {seat: name for seat, name in self.names.items() if seat not in seats}
        self.save()

    def stand_up(self, seat: int) -> None:
        """Give a person's seat to a bot, which continues with the same tiles."""
        self.people.discard(seat)
        self.save()

    # ---- inputs ----

    def _input(self, action: str, line: ConsoleLine | None) -> bool:
        accepted = super()._input(action, line)
        if accepted and self.line["did"] not in ("took-back", "put-back", "showed", *BEFORE_PLAY):
            self._holds.clear()
        return accepted

    def rest(self, ms: float) -> None:
        """Let the simulated hub run for `ms` milliseconds, so that its lamps come to rest; then
        ask the hub for its state."""
        self.board.pause(ms)
        self.board.command("state")
        self.follow()

    def tap(self, tile: int, slot: str, override: bool = False) -> bool:
        """Tap a tile on a slot as in PlayedMatch, and save the match."""
        accepted = super().tap(tile, slot, override)
        self.save()
        return accepted

    def press(self, slot: int | str | None) -> bool:
        """Press the button of a slot (a seat's number, "M" or "E"); return whether the hub
        accepted the press.

        After its turn, the seat that laid the newest tile may only knock, with one tile left. Any
        other press by this seat is not sent to the hub, because it could wrongly end the round.
        """
        last = self.past[-1] if self.past else {"did": None}
        laid_last = last["did"] in ("laid", "knocked") and last["by"] == slot
        if laid_last and self.line["turn"] not in (None, slot) and self.may_knock() != slot:
            return False
        return self._press(slot)

    def _press(self, slot: int | str | None) -> bool:
        accepted = super()._press(slot)
        self.save()
        return accepted

    def draw(self, seat: int) -> bool:
        """Draw a tile by pressing the seat's button while E's button is held; return whether the
        hub accepted the draw. This is for the house `free`, where the seat's button alone means a
        pass."""
        self.board.press_down("E")
        self.board.run(80)
        accepted = self.press(seat)
        self.board.press_up("E")
        self.board.run(80)
        return accepted

    def lay(self, seat: int, tile: str, slot: str, override: bool = False) -> bool:
        """Tap a tile of a seat's hand on a slot, as a move of the seat whose turn it is; return
        whether the hub accepted it. Raises ValueError if the seat does not hold the tile.

        override: whether to hold the slot's button, so that even a tile against the rules counts
        """
        if parse_tile(tile) not in self.hands.get(seat, ()):
            raise ValueError("seat %s does not hold %s" % (seat, tile))
        return self.tap(parse_tile(tile), slot, override)

    # ---- taking back ----

    def next_undo(self, own: int | None = None) -> Undo | None:
        """Return the last input that can be taken back, or None.

        own: the seat whose last move to return; None for the last input of any seat
        """
        at = self._last_of(own)
        if at is None:
            return None
        found, *later = self.standing[at:]
        return _undo(found, later, found.before["round"])

    def next_redo(self) -> Undo | None:
        if not self._holds:
            return None
        *later, found = self.table.undone[-self._holds[-1] :]
        return _undo(found, later, (later or [found])[0].line["round"])

    def _last_of(self, own: int | None) -> int | None:
        """Return the index in `past` of the last input, or None if there is none.

        own: the seat whose last move to find; None for the last input of any seat
        """
        for at in range(len(self.past) - 1, -1, -1):
            line = self.past[at]
            if own is None or (line["by"] == own and line["did"] in OWN):
                return at
        return None

    def take_back(self, own: int | None = None) -> bool:
        """Take back inputs by holding a button; return whether any input was taken back.

        own: the seat whose last move to take back, with all inputs after it; None for the last
            input
        """
        at = self._last_of(own)
        if at is None:
            return False
        holds = 0
        while len(self.past) > at:
            if not self._input("hold E", self.board.hold("E")):
                break
            holds += 1
        if holds:
            self._holds.append(holds)
        self._next_round = self._knock_skipped = None
        self.save()
        return bool(holds)

    def put_back(self) -> bool:
        """Put back what the last `take_back` took back; return whether anything was put back. This
        is impossible after another input, or after the match was resumed."""
        holds = self._holds.pop() if self._holds else 0
        accepted = False
        for _ in range(holds):
            accepted = self._input("redo", self.board.command("redo"))
        self.save()
        return accepted

    # ---- what the people decide ----

    @property
    def stops_after(self) -> int:
        """The round after which people wanted to stop, 0 for none; the hub knows nothing of it."""
        return self.metadata.get("stops_after", 0)

    @property
    def hands_are_open(self) -> bool:
        """Whether everybody sees all hands. It is decided before the match, and the hub knows
        nothing of it."""
        return self.metadata.get("open_hands", False)

    def waits_for(self) -> Waiting:
        """Return what the match waits for: a Waiting, whose kind is a kind of PlayedMatch or one
        of these:

        person: a move by a person
        knock: a person who may knock now
        """
        waiting = super().waits_for()
        if waiting.kind != "bot":
            return waiting
        turn, seat = self.line["turn"], waiting.seat
        if self._knock_skipped == len(self.past):
            seat = turn
        if seat not in self.people or seat == self._bot_plays:
            return Waiting("bot", seat)
        return Waiting("person" if seat == turn else "knock", seat)

    def play_turn_of(self, seat: int) -> None:
        """Play the turn of a person who is away as a bot does; the seat stays the person's."""
        self._bot_plays = seat
        try:
            while self.waits_for() == Waiting("bot", seat):
                self.act()
        finally:
            self._bot_plays = None

    def skip_knock(self) -> None:
        self._knock_skipped = len(self.past)

    def end_match(self) -> bool:
        """End the match after a round has been counted; return whether the hub ended it."""
        return self._is_counted() and self.press("E")

    def close(self) -> None:
        """Close the match's files, so that the match can be resumed later."""
        journal = self.board.hub.journal
        journal.close()
        self.files.sync()

    def export(self) -> str:
        """Return what the hub prints for the console command `export`. Raises
        match_export.NoExport if that is impossible."""
        return match_export.replay_export(self.files.segments())[1]


def _undo(moment: Moment, others: Sequence[Moment], round_: int) -> Undo:
    line, gesture = moment.line, moment.gesture
    more = sum(other.line["did"] in MOVES for other in others)
    what = (line["by"], line["did"], gesture.tile or None, gesture.slot or None)
    return Undo(*what, more, round_, bool(others))
