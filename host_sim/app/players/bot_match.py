# SPDX-License-Identifier: MIT
"""A whole match of bots on a simulated board, through the firmware.

A bot knows its own tiles, the hub's lines and the rule sheet, as a person does.
"""

import random
from collections.abc import Callable, Sequence

from host_sim.app.players.played_match import PlayedMatch
from host_sim.board.hub.simulated_hub import SimulatedHub
from host_sim.table.console_line import ConsoleLine
from host_sim.table.games import part, tile_rules
from host_sim.table.games.tile_rules import Disagreement


class BotMatch(PlayedMatch):
    """A match of any game, played by bots on a simulated board.

    seats, house, set_, seed: see PlayedMatch
    slips: the probability, 0..1, of a deliberate mistake at the beginning of a turn
    on_input: called after every input with (the action as text, the hub's line)

    Raises Disagreement if the hub refuses a correct input or counts differently from the bots.
    """

    def __init__(
        self,
        board: SimulatedHub,
        seats: Sequence[int],
        house: str,
        set_: int,
        seed: int = 1,
        slips: float = 0.0,
        on_input: Callable[[str, ConsoleLine], object] | None = None,
    ) -> None:
        self._set_rules(house, set_, seats, seed)
        self.random = random.Random(seed)
        self.slips = slips
        self.on_input = on_input or (lambda action, line: None)
        self.totals: dict[int, float] = dict.fromkeys(self.seats, 0)
        self.refusals = 0
        self.begin_at(board)

    def _input(self, action: str, line: ConsoleLine | None) -> bool:
        accepted = super()._input(action, line)
        self.refusals += not accepted
        self.on_input(action, self.line)
        return accepted

    # ---- the match ----

    def play(self, rounds: int) -> ConsoleLine:
        """Play up to `rounds` rounds; return the hub's last line."""
        self.join()
        for _ in range(rounds):
            self.play_round()
        if self.line["phase"] == "engine":
            self.press("E")  # end the match
        return self.line

    def play_round(self) -> None:
        """Play a round, unless the match is over, and count the tiles left in the hands."""
        if self.waits_for().kind == "over":
            return
        self.next_round()
        while self.act():
            pass
        self.compare_points()

    def compare_points(self) -> None:
        """Count the tiles left in every hand, add the points to the bots' totals, and compare
        these with the hub's totals."""
        hands = self.hands
        left = {
            seat: sum(tile_rules.left_over(tile, self.options) for tile in hands[seat])
            for seat in self.seats
        }
        out = [seat for seat in self.seats if not hands[seat]]
        points = part(self.game, "bot").points(left, out, self.options)
        for seat in self.seats:
            self.totals[seat] += points[seat]
        scores = {int(seat): points for seat, points in self.line["scores"].items()}
        if scores != self.totals:
            raise Disagreement("the hub counts %s, the hands %s" % (scores, self.totals))

    # ---- a turn ----

    def _move(self, seat: int) -> None:
        if not self.this_turn(seat) and self.random.random() < self.slips:
            wrong = self.players.wrong_moves(seat)
            if wrong and self.tap(*self.random.choice(wrong)):
                raise Disagreement("the hub took a tile that does not go there")
        super()._move(seat)

    def bot_lays(self, seat: int, tile: int, slot: str) -> None:
        """Lay a tile. Raises Disagreement if the hub refuses a tile that fits according to the
        hub's line."""
        super().bot_lays(seat, tile, slot)
        if self.refused and self.players.SURE:
            raise Disagreement("tap %s %s: %s" % (tile, slot, self.line["verdict"]))
