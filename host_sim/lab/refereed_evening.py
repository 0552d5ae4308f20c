# SPDX-License-Identifier: MIT
"""Plays an evening: honest and dishonest players use a hub, and the game's referee checks it.

After every input, the hub's answer and lamps must be what the referee expects. After every round
each tile must exist exactly once, and the tiles of every line must join.
"""

import collections
import json
import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from host_sim.table import games
from host_sim.table.console_line import ConsoleLine
from host_sim.table.games import house_info
from host_sim.table.games.referee import BaseReferee
from host_sim.table.games.tile_rules import Disagreement
from roundhouse import tiles
from roundhouse.constants import USUAL_STATIONS, E, slot_name
from roundhouse.games import houses

ENOUGH = 20  # times a value decided something, after which it is tried only once in a while


class Hub(Protocol):
    """The interface of a hub in the soak test. Methods that make an input return its console line
    as a dict, or None if the hub does not answer."""

    set_up: int  # inputs that chose the rules and the seats

    def tap(self, slot: int, tile: int, override: bool = False) -> ConsoleLine | None:
        """Tap a tile on a slot."""

    def press(self, slot: int) -> ConsoleLine | None:
        """Press a slot's button."""

    def draw(self, seat: int) -> ConsoleLine | None:
        """Press a seat's button while E's is held down."""

    def hold(self) -> ConsoleLine | None:
        """Take back the last input."""

    def redo(self) -> ConsoleLine | None:
        """Redo the input that was taken back last."""

    def close(self) -> None:
        """Remove the files that the hub has written."""


class Evening:
    """One random match of the soak test: players, the hub, and the referee that checks it.

    house: the house and its variants in words
    mischief: the probability, 0 to 1, that players do something odd before a tile is laid
    tally: {(option, value): count of inputs that would have another outcome with another value}
    done: {what happened: how often}
    """

    def __init__(
        self,
        hub: Hub,
        house: str,
        set_: int,
        seats: Iterable[int],
        seed: int,
        mischief: float = 0.15,
        stations: int = USUAL_STATIONS,
    ) -> None:
        game = house_info.game(houses.parse(house.split())[0])
        rules = games.part(game, "referee")
        self.values: dict[str, tuple[str, ...]] = rules.VALUES
        self.hub = hub
        self.referee: BaseReferee = rules.Referee(house, set_, seats, stations)
        self.random = random.Random(seed)
        self.mischief = mischief
        self.past: list[BaseReferee] = []  # the referee before every accepted input
        self.future: list[BaseReferee] = []  # the referees of inputs that were taken back
        self.inputs: list[str] = []  # the inputs of this round, in words
        self.line: ConsoleLine = {}
        self.tally: collections.Counter[tuple[str, str]] = collections.Counter()
        self.done: collections.Counter[str] = collections.Counter()
        self.players = games.part(game, "soak_players").Players(self)

    # ---- one input, to hub and referee ----

    def tap(self, slot: int, tile: int, override: bool = False) -> bool:
        """Tap a tile on a slot; return whether the hub and the referee accept it."""
        text = "%s %s %s" % ("override" if override else "tap", tiles.text(tile), slot_name(slot))
        judge = self.players.judge_tap(slot, tile, override)
        line = self.hub.tap(slot, tile, override)
        return self._judge(text, line, lambda r: judge(r, line))

    def press(self, slot: int) -> bool:
        """Press the button of a slot; return whether the hub and the referee accept it."""
        line = self.hub.press(slot)
        return self._judge("press " + slot_name(slot), line, lambda r: r.press(slot))

    def draw(self, seat: int) -> bool:
        """Press a seat's button while E's is held down; return whether hub and referee accept the
        draw."""
        return self._judge("draw %d" % seat, self.hub.draw(seat), lambda r: r.draw(seat))

    def hold(self) -> None:
        """Take back the last input."""
        self.future.append(self.referee)
        self.referee = self.past.pop()
        self.referee.restored("took-back")
        self._compare("hold", self.hub.hold(), "ok")

    def redo(self) -> None:
        self._put_back(self.hub.redo())

    def _put_back(self, line: ConsoleLine | None) -> None:
        self.past.append(self.referee)
        self.referee = self.future.pop()
        self.referee.restored("put-back")
        self._compare("redo", line, "ok")

    def _judge(self, text: str, line: ConsoleLine | None, act: Callable[[Any], str]) -> bool:
        before = self.referee.clone()
        options = self.referee.options
        options.read.clear()
        verdict = act(self.referee)
        read = options.read.copy()
        if verdict == "ok" and self.referee.did != "showed":  # which is not an input of the match
            self.past.append(before)
            self.future.clear()
        self._compare(text, line, verdict)
        self._try_other_values(before, read, verdict, act)
        self.done[verdict] += 1
        return verdict == "ok"

    def _compare(self, text: str, line: ConsoleLine | None, verdict: str) -> None:
        self.inputs.append(text)
        if line is None:
            raise self._disagreement("the hub does not answer")
        self.line = line
        said: Mapping[str, object] = line
        view = {**self.referee.view(), "verdict": verdict}
        wrong = [
            "%s: the hub %s, the referee %s" % (key, json.dumps(said[key]), json.dumps(value))
            for key, value in view.items()
            if said[key] != value
        ]
        if wrong:
            raise self._disagreement("; ".join(wrong))

    def _disagreement(self, text: str) -> Disagreement:
        return Disagreement("\n".join([*self.inputs, text]))

    def _try_other_values(
        self, before: BaseReferee, read: set[str], verdict: str, act: Callable[[Any], str]
    ) -> None:
        """Count, in `tally`, the option values that decide an input. A value decides an input if a
        copy of the referee with another value of this option gives another verdict or reaches
        another state.

        before: the referee before the input
        read: the options that the referee looked up
        verdict: the referee's verdict
        act: a function that gives the input to a referee and returns that referee's verdict
        """
        after = self.referee.state()
        for option in read:
            word = before.options.peek(option)
            if self.tally[option, word] >= ENOUGH and self.random.random() > 0.01:
                continue
            for other in self.values[option]:
                if other == word:
                    continue
                referee = before.clone(**{option: other})
                if act(referee) != verdict or referee.state() != after:
                    self.tally[option, word] += 1
                    break

    # ---- a match ----

    def play(self, rounds: int) -> None:
        """Play `rounds` rounds, or fewer if the match ends earlier."""
        for _ in range(rounds):
            self.inputs.clear()
            while self.referee.phase in ("lobby", "engine"):  # again: see SoakPlayers.take_back
                self.players.open()
                while self.referee.phase == "play":
                    self.players.move()
            wrong = self.referee.wrong_tiles()
            if wrong:
                raise self._disagreement(wrong)
            self.players.count()
            if self.referee.phase == "scoring":
                raise self._disagreement("counting does not end")
            self.done["rounds"] += 1
            if self.referee.phase == "finished":
                return
        self.press(E)  # enough for tonight

    def back_to_the_lobby(self) -> None:
        """Take back all inputs of the match."""
        while self.past:
            self.hold()
        for _ in range(self.hub.set_up):
            self.hub.hold()
        line = self.hub.hold()
        if line is None or line["verdict"] != "not-now":
            raise Disagreement("there was something before the empty lobby")
