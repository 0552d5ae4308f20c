# SPDX-License-Identifier: MIT
"""The hubs that a soak test plays on; they implement `refereed_evening.Hub`.

`CoreHub` is the rules core and the journal; `BoardHub` the whole firmware on the simulated board.
"""

import json
import random
import tempfile
from collections.abc import Iterable
from typing import Any

from host_sim.board.hub.simulated_hub import SimulatedHub, seating
from host_sim.table.console_line import ConsoleLine
from host_sim.table.games.tile_rules import Disagreement
from roundhouse import console, constants, line_keys, tiles
from roundhouse.constants import USUAL_STATIONS, M, slot_name
from roundhouse.drivers import files
from roundhouse.games import houses
from roundhouse.games.match import Match
from roundhouse.journal import Journal

# Houses of a family with option words that no sheet or variant has, as in config.py.
FAMILY = {
    "one-lap": ("jassshop", {"last-double": "lap"}),
    "ouvert": ("quebec", {"second-tile": "open"}),
    "single-minded": ("puremco", {"second-double": "no", "last-two": "no"}),
    "two-at-most": ("puremco", {"last-two": "no"}),
    "own-first": ("original", {"first-turn": "own"}),
    "once-through": ("goliath", {"rounds": "each"}),
}


class CoreHub:
    """A fast hub for the soak test: only the rules and the journal. After an undo, it compares the
    state with the state before the input that was taken back."""

    def __init__(
        self,
        house: str,
        set_: int,
        seats: Iterable[int],
        seed: int,
        stations: int = USUAL_STATIONS,
    ) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="roundhouse-")
        self.random = random.Random(seed)
        self.table = Match(slots=(2 << stations) - 2)
        self.scratch = Match(slots=self.table.slots)
        self.journal = Journal(files, self.folder.name, self.table)
        self.journal.resume()
        self.states = [bytes(self.table.state)]
        self._tried: set[bytes] = set()  # states whose `playable` was tried
        self.taken: list[bytes] = []  # states that can be put back
        index, variants = houses.parse(house.split())
        self._input(constants.RULES, index, variants)
        self._input(constants.SET, 0, set_)
        for seat in seats:
            self._input(constants.PRESS, seat)
        self.set_up = len(self.states) - 1

    def _input(self, kind: int, slot: int, value: int = 0) -> ConsoleLine:
        table = self.table
        verdict = table.apply(kind, slot, value)
        if verdict:
            return self._line(verdict)
        self.journal.record(kind, slot, value)
        self.states.append(bytes(table.state))
        self.taken.clear()
        return self._line(constants.OK, table.by, table.did)

    def _line(self, verdict: int, by: int = 0, did: str | None = None) -> ConsoleLine:
        self._check_playable()
        return json.loads(
            console.input_line("", verdict, by, did, self.table, b"", self.journal.n)
        )

    def tap(self, slot: int, tile: int, override: bool = False) -> ConsoleLine:
        """Tap a tile. The hub also gets a random byte to choose a starter."""
        chance = self.random.randrange(256) << 8
        return self._input(constants.OVERRIDE if override else constants.TAP, slot, tile | chance)

    def press(self, slot: int) -> ConsoleLine:
        """Press a button. If a seat forgot to announce its last tile, M's button makes this seat
        draw a tile; otherwise M's button shows the totals."""
        if slot == M and not self.table.catchable:
            return self._line(constants.OK, 0, "showed")
        return self._input(constants.PRESS, slot)

    def draw(self, seat: int) -> ConsoleLine:
        return self._input(constants.DRAW, seat)

    def hold(self) -> ConsoleLine:
        if self.journal.take_back() is None:
            return self._line(constants.NOT_NOW)
        self.taken.append(self.states.pop())
        if bytes(self.table.state) != self.states[-1]:
            raise Disagreement("taking back arrives at another state")
        return self._line(constants.OK, 0, "took-back")

    def redo(self) -> ConsoleLine:
        self.journal.redo()
        self.states.append(self.taken.pop())
        if bytes(self.table.state) != self.states[-1]:
            raise Disagreement("going forward arrives at another state")
        return self._line(constants.OK, 0, "put-back")

    def _check_playable(self) -> None:
        """Check `playable` of a match of Mexican Train by trying every tile on every slot. Every
        slot that accepts a tile must be in `playable`. A slot that accepts none may be in
        `playable` only if the end of the slot's train is uncertain or all tiles for this end are
        laid."""
        t, scratch = self.table, self.scratch
        state = bytes(t.state)
        if state in self._tried:  # after a refusal, and when taking back
            return
        self._tried.add(state)
        if (
            t.phase != constants.PLAY
            or t.sides is not None
            or dict(line_keys.options(t))["enforce"] == "tiles"
        ):
            return
        scratch.restore(state)
        for slot in range(1, M + 1):
            ends = {t.end(slot), t.second_end(slot)} - {constants.NONE}
            free = [
                tile
                for tile in {tiles.tile(n, other) for n in ends for other in range(t.set + 1)}
                if not t.is_laid(tile)
            ]
            takes = False
            for tile in free:
                if not scratch.tap(slot, tile):
                    scratch.restore(state)
                    takes = True
                    break
            shown = t.playable >> slot & 1
            if (takes and not shown) or (shown and free and not takes and len(ends) == 1):
                raise Disagreement("playable is wrong about %s" % slot_name(slot))

    def close(self) -> None:
        self.journal.close()
        self.folder.cleanup()


class BoardHub:
    """A hub for the soak test: the whole firmware on the simulated board, from bytes of tags to
    bytes of pixels."""

    def __init__(
        self,
        house: str,
        set_: int,
        seats: Iterable[int],
        seed: int,
        storage: Any = None,
        stations: int = USUAL_STATIONS,
        **changes: Any,
    ) -> None:
        config = seating(stations, FAMILY=FAMILY, STATIONS=stations, **changes)
        self.board = SimulatedHub(config, seed=seed, storage=storage, coarse_waits=True)
        for line in ("house " + house, "set %d" % set_):
            self.board.command(line)
        for seat in seats:
            self.board.press(str(seat))
        self.set_up = 2 + len(list(seats))

    def tap(self, slot: int, tile: int, override: bool = False) -> ConsoleLine | None:
        """Put a tag with the tile on the slot and remove it. Return the console line, or None."""
        tap = self.board.override if override else self.board.tap
        return tap(tiles.text(tile), slot_name(slot))

    def press(self, slot: int) -> ConsoleLine | None:
        return self.board.press(slot_name(slot))

    def draw(self, seat: int) -> ConsoleLine | None:
        """Press the seat's button while E's is held down, to draw even from a boneyard that the
        hub counts as empty."""
        self.board.press_down("E")
        self.board.run(100)
        line = self.board.press(str(seat))
        self.board.press_up("E")
        self.board.run(100)
        return line

    def hold(self) -> ConsoleLine | None:
        return self.board.hold("E")

    def redo(self) -> ConsoleLine | None:
        return self.board.command("redo")

    def close(self) -> None:
        pass
