# SPDX-License-Identifier: MIT
"""A MatchSession on the rules core alone, without chips and flash, for tests that play many
matches."""

import json
import tempfile
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from host_sim.app.session.match_session import MatchSession
from host_sim.table.console_line import ConsoleLine
from roundhouse import commands, console, constants, line_keys, tiles
from roundhouse.games.match import Match


class CoreBoard:
    """The board that a MatchSession needs, with the rules core instead of a hub."""

    def __init__(self, house: str, set_: int) -> None:
        self.table = Match(set_=set_)
        self.hub = SimpleNamespace(table=self.table)
        self.lines: list[ConsoleLine] = []
        self.command("house " + house)

    @property
    def inputs(self) -> list[ConsoleLine]:
        """Return all lines, because every line on this board answers an input."""
        return self.lines

    def command(self, text: str) -> ConsoleLine:
        """Carry out a console line that changes something."""
        return self._input(text, *commands.correction(text))

    def tap(self, text: str, slot: str) -> ConsoleLine:
        tile = tiles.tile(*map(int, text.split("-")))
        return self._input(
            "tap %s %s" % (text, slot), constants.TAP, constants.slot_number(slot), tile
        )

    def press(self, slot: str) -> ConsoleLine:
        return self._input("press %s" % slot, constants.PRESS, constants.slot_number(slot), 0)

    def _input(self, said: str, kind: int, slot: int, value: int) -> ConsoleLine:
        t = self.table
        verdict = t.apply(kind, slot, value)
        by, did = (0, None) if verdict else (t.by, t.did)
        nothing_left = t.phase == constants.PLAY and t.inviting & 1
        lamps = 11 * b"...." + (b"e..." if nothing_left else b"....")
        self.lines.append(
            json.loads(console.input_line(said, verdict, by, did, t, lamps, 0, line_keys.about(t)))
        )
        return self.lines[-1]


class CoreSession(MatchSession):
    """A match that is not saved.

    strengths: {seat: one of STRENGTHS}
    """

    def __init__(
        self,
        strengths: dict[int, str],
        house: str,
        set_: int,
        seed: int,
        people: Sequence[int] = (),
    ) -> None:
        self.strengths = strengths
        self.folder_of_test = tempfile.TemporaryDirectory(prefix="roundhouse-")
        super().__init__(self.folder_of_test.name, list(strengths), people, house, set_, seed)

    def _power_on(self) -> Any:
        return CoreBoard(self.house, self.set)

    def save(self) -> None:
        """Do nothing: the match is not saved."""

    def play(self, rounds: int) -> dict[int, float]:
        """Play `rounds` rounds, or until the match ends; return {seat: points}."""
        while True:
            waiting = self.waits_for()
            if waiting.kind == "over" or self.line["round"] > rounds and waiting.kind == "round":
                return {int(seat): points for seat, points in self.line["scores"].items()}
            self.strength = self.strengths.get(waiting.seat or 0, "good")
            if waiting.kind == "round":
                self.next_round()
            else:
                assert self.act()
                assert self.line["verdict"] == "ok", self.line
