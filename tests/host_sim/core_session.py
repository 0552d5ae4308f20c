# SPDX-License-Identifier: MIT
"""A MatchSession at the rules core alone, for tests that play many matches: no chips, no flash."""

import json
import tempfile

from host_sim.session.match_session import MatchSession
from roundhouse import commands, console, constants, report, tiles
from roundhouse.games.match import Match


class CoreBoard:
    """What a MatchSession asks of a board, answered by the rules core."""

    def __init__(self, house, set_):
        self.table = Match(set_=set_)
        self.lines = []
        self.say("house " + house)

    @property
    def inputs(self):
        """All lines answer inputs."""
        return self.lines

    def say(self, text):
        """A console line that changes something."""
        return self._input(text, *commands.correction(text))

    def tap(self, text, slot):
        """A tile is tapped; what the hub draws by chance is always the same."""
        tile = tiles.tile(*map(int, text.split("-")))
        return self._input(
            "tap %s %s" % (text, slot), constants.TAP, constants.slot_number(slot), tile
        )

    def press(self, slot):
        """A button is pressed."""
        return self._input("press %s" % slot, constants.PRESS, constants.slot_number(slot), 0)

    def _input(self, said, kind, slot, value):
        t = self.table
        verdict = t.apply(kind, slot, value)
        by, did = (0, None) if verdict else (t.by, t.did)
        nothing_left = t.phase == constants.PLAY and t.wants & 1
        lamps = b"e..." if nothing_left else b"...."
        self.lines.append(
            json.loads(console.line(said, verdict, by, did, t, lamps, report.about(t)))
        )
        return self.lines[-1]


class CoreSession(MatchSession):
    """A match of which nothing is kept; strengths: {seat: one of STRENGTHS}."""

    def __init__(self, strengths, house, set_, seed):
        self.strengths = strengths
        self.folder_of_test = tempfile.TemporaryDirectory(prefix="roundhouse-")
        super().__init__(self.folder_of_test.name, list(strengths), (), house, set_, seed)

    def _power_on(self):
        return CoreBoard(self.house, self.set)

    def save(self):
        """Nothing is kept."""

    def play(self, rounds):
        """Play so many rounds, or to the end of the match; return {seat: points}."""
        while True:
            waiting = self.waits_for()
            if waiting.kind == "over" or self.line["round"] > rounds and waiting.kind == "round":
                return {int(seat): points for seat, points in self.line["scores"].items()}
            self.strength = self.strengths.get(waiting.seat, "good")
            if waiting.kind == "round":
                self.next_round()
            else:
                assert self.act()
                assert self.line["verdict"] == "ok", self.line
