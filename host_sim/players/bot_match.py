# SPDX-License-Identifier: MIT
"""A whole match of bots on a simulated board, through the firmware.

A bot knows what a person knows: its own tiles, the hub's lines and the rule sheet. `BotMatch`
deals, taps and presses for all of them, and counts the left-over tiles itself. The choice of moves
is in each game's `bot` module.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any

from host_sim.games import house_info, part, tile_rules
from host_sim.games.tile_rules import Disagreement, Move, is_double
from host_sim.hub import ConsoleLine
from host_sim.hub.simulated_hub import SimulatedHub
from roundhouse import tiles
from roundhouse.games import houses


class BotMatch:
    """A match of any game, played by bots on a simulated board.

    seats: the station numbers of the bots
    house: the house as typed on the console, like "jassshop no-lock"
    set_: the highest number on the tiles
    seed: the random seed for the shuffling and for the bots' choices
    slips: the probability, 0..1, that a bot makes a deliberate mistake at the beginning of its
        turn
    on_input: a function called after every input with (the action as text, the hub's line)

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
        self.board = board
        self.seats = list(seats)
        self.house = house.split()
        index, variants = houses.parse(self.house)
        self.index = index
        self.options = tile_rules.options_of(index, variants)
        self.set = set_
        self.random = random.Random(seed)
        self.slips = slips
        self.on_input = on_input or (lambda action, line: None)
        self.line: ConsoleLine = {}
        self.hands: dict[int, list[int]] = {}
        self.stock: list[int] = []
        self.totals: dict[int, float] = dict.fromkeys(self.seats, 0)
        self.refusals = 0
        self.players: Any = part(house_info.game(index), "bot").Players(self)
        self.begin_turn()

    # ---- through the board ----

    def take(self, action: str, line: ConsoleLine | None, must: bool = True) -> bool:
        """Record the hub's line about an input; return whether the hub accepted the input. Raises
        Disagreement if there is no line, or if `must` is true and the hub refused the input.

        action: the input as text
        line: the hub's line, or None if the hub printed none
        must: whether the hub must accept the input
        """
        if line is None:
            raise Disagreement("%s: the hub does not answer" % action)
        self.line = line
        if line["verdict"] != "ok":
            self.refusals += 1
            if must:
                raise Disagreement("%s: %s" % (action, line["verdict"]))
        self.on_input(action, line)
        return bool(line["verdict"] == "ok")

    def tap(self, tile: int, slot: str, must: bool = True) -> bool:
        """Tap a tile on a slot; return whether the hub accepted it.

        must: whether to raise Disagreement if the hub refuses
        """
        text = tiles.text(tile)
        return self.take("tap %s %s" % (text, slot), self.board.tap(text, slot), must)

    def press(self, slot: int | str, must: bool = True) -> bool:
        """Press a slot's button; return whether the hub accepted it.

        must: whether to raise Disagreement if the hub refuses
        """
        return self.take("press %s" % slot, self.board.press(str(slot)), must)

    # ---- the match ----

    def join(self) -> None:
        """Choose the rules on the console and join at the stations."""
        for command in ("house " + " ".join(self.house), "set %d" % self.set):
            self.take(command, self.board.command(command))
        for seat in self.seats:
            self.press(seat)

    def play(self, rounds: int) -> ConsoleLine:
        """Play up to `rounds` rounds; return the hub's last line. The match may end earlier."""
        self.join()
        for _ in range(rounds):
            self.play_round()
            if self.line["phase"] == "finished":
                break
        else:
            if self.line["phase"] == "engine":
                self.press("E")  # end the match
        return self.line

    def play_round(self) -> None:
        """Play a round, and count the tiles that are left in the hands."""
        self.players.open()
        while self.line["phase"] == "play":
            self.take_turn(self.line["turn"])
        self.count()

    def deal(self, *apart: int) -> None:
        """Shuffle all tiles except those in `apart`, and deal them. Each seat gets the number of
        tiles that the hub shows, or the rule sheet's number if the hub shows none."""
        stock = [tile for tile in range(tiles.size(self.set)) if tile not in apart]
        self.random.shuffle(stock)
        by_sheet = house_info.hand_size(self.index, self.set, len(self.seats))
        self.hands = {}
        for seat in self.seats:
            shown = self.line["hands"][str(seat)]
            count = by_sheet if shown is None else shown
            self.hands[seat] = [stock.pop() for _ in range(count)]
        self.stock = stock

    def doubles_held(self) -> list[tuple[int, int]]:
        """Return (double, seat that holds it) for all doubles in the hands."""
        return [(t, s) for s, hand in self.hands.items() for t in hand if is_double(t)]

    # ---- a turn ----

    def take_turn(self, seat: int) -> None:
        """Play a seat's turn to its end."""
        self.begin_turn()
        if self.random.random() < self.slips:
            self.players.slip(seat)
        while self.line["phase"] == "play" and self.line["turn"] == seat:
            self.players.move(seat)

    def begin_turn(self) -> None:
        """Forget which moves the hub refused in the previous turn."""
        self.refused: set[Move] = set()
        self.players.begin_turn()

    def lay_or_draw(self, seat: int) -> None:
        """Make the best of the moves that look legal. If there are none, draw a tile or pass."""
        moves = self.players.moves(seat)
        moves = [move for move in moves if move not in self.refused]
        if moves:
            self.lay(seat, *max(moves, key=lambda move: self.worth(seat, move)))
        else:
            self.draw(seat)

    def worth(self, seat: int, move: Move) -> float:
        """Return the rating of a move, with a small random amount added."""
        return float(self.players.worth(seat, move) + self.random.random())

    def lay(self, seat: int, tile: int, slot: str) -> None:
        """Tap a tile of a seat's hand on a slot, where it should fit by what the bots know."""
        if not self.tap(tile, slot, must=self.players.SURE):
            self.refused.add((tile, slot))
            return
        self.hands[seat].remove(tile)
        self.refused.clear()
        self.players.laid(tile, slot)
        self.players.knock(seat)

    def draw(self, seat: int) -> None:
        """Press a seat's button, which draws a tile, or passes if the stock is empty. If the hub
        does not count tiles (O10), it takes the first press for a draw even when the stock is
        empty."""
        boneyard = self.line["boneyard"]
        self.press(seat)
        if boneyard is None:
            drew = self.line["did"] == "drew" and bool(self.stock)
        else:
            drew = self.line["boneyard"] < boneyard
        if drew:
            self.hands[seat].append(self.stock.pop())

    # ---- counting ----

    def count(self) -> None:
        """Count the tiles left in every hand, and compare the hub's totals with the hands."""
        out = [seat for seat in self.seats if not self.hands[seat]]
        pips = {seat: sum(map(self.pips, self.hands[seat])) for seat in self.seats}
        for seat in self.seats:
            for tile in self.hands[seat]:
                self.tap(tile, str(seat))
            if self.hands[seat] or len(out) > 1:  # another seat went out first
                self.press(seat, must=bool(self.hands[seat]))
        if len(out) == 1 and self.line["phase"] == "scoring":
            self.press(out[0])  # E ended the round
        for seat, points in self.players.points(pips, out).items():
            self.totals[seat] += points
        if self.line["phase"] == "scoring":
            raise Disagreement("the hub waits for tiles that no seat holds")
        scores = {int(seat): points for seat, points in self.line["scores"].items()}
        if scores != self.totals:
            raise Disagreement("the hub counts %s, the hands %s" % (scores, self.totals))

    def pips(self, tile: int) -> int:
        """Return the points of a tile that is left in a hand. The house sets the points of the
        double blank."""
        return tile_rules.pips(tile) if tile else int(self.options["blank"])
