# SPDX-License-Identifier: MIT
"""Honest and dishonest players of the line games, for the soak test."""

from typing import Any

from host_sim.table.games.line_games.layout import pips
from host_sim.table.games.soak_players import Evening, Move, SoakPlayers
from host_sim.table.games.tile_rules import is_double
from roundhouse import tiles
from roundhouse.constants import E, M


class Players(SoakPlayers):
    ODD = (
        *("wrong_line", "out_of_turn", "laid_tile", "tile_of_another_set"),
        *("any_move",) * 4,
        *("undecided_end", "knock_too_early", "knock_too_late"),
        *("show_totals", "take_back_and_ask_again"),
        *("press_any_seat", "forget_draw", "pass_at_once", "draw_with_e_held"),
        *("override", "take_back", "take_back", "round_over"),
    )

    def __init__(self, evening: Evening) -> None:
        super().__init__(evening)
        self.heavy = self.random.choice((1, 0.9, 0.5, 0))  # how often the heaviest is laid

    def judge_tap(self, slot: int, tile: int, override: bool) -> Any:
        """Return a function (referee, console line) that lets the referee judge this tap, and
        returns the verdict.

        The way the tile is laid is chosen at random, because the hub cannot see it.
        """
        layouts = sorted(self.referee.lines.honest_layouts(slot, tile), key=str)
        layout = self.random.choice(layouts) if layouts else None
        return lambda r, line: r.tap(slot, tile, override, layout)

    # ---- before the first tile ----

    def open(self) -> None:
        """Deal until a tile may open, and lay the opening tile."""
        if self.random.random() < self.evening.mischief:
            self._open_wrongly()
        r = self.referee
        size = r.hand_size()
        opens = None
        while not opens:
            stock = list(range(tiles.size(r.set)))
            self.random.shuffle(stock)
            hands = {seat: [stock.pop() for _ in range(size)] for seat in self.seats}
            r.deal(hands, stock)
            opens = r.highest()
        if r.phase == "lobby" and (not is_double(opens[1]) or self.random.random() < 0.5):
            self.evening.press(E)
        self.evening.tap(*opens)
        self.referee.deal(hands, stock)

    def _open_wrongly(self) -> None:
        evening = self.evening
        started = len(evening.past)
        tile = self.random.randrange(tiles.size(self.referee.set))
        station = self.random.choice(self.referee.stations)
        if self.referee.phase == "lobby" and evening.press(station):
            evening.hold()
        if self.referee.phase == "lobby" and self.random.random() < 0.5:
            evening.press(E)
        evening.press(self.random.choice([M, station]))
        evening.tap(self.any_slot(), tile)
        evening.tap(self.random.choice(self.seats), tile)
        self.tile_of_another_set()
        while len(evening.past) > started:
            evening.hold()

    # ---- a turn ----

    def take_turn(self, seat: int) -> None:
        r = self.referee
        moves = r.moves()
        if moves:
            self.lay(*self._choose(moves))
        elif r.stock and not r.boneyard and r.options.peek("draw") == "until":
            self.evening.draw(seat)  # the hub counts no tiles in the boneyard, but some are left
        elif r.dead() and self.random.random() < 0.2:
            self.evening.press(E)
        else:
            self.evening.press(seat)

    def _choose(self, moves: list[Move]) -> Move:
        heaviest = max(pips(tile) for _, tile in moves)
        best = [move for move in moves if pips(move[1]) == heaviest]
        return self.random.choice(best if self.random.random() < self.heavy else moves)

    def notice_chance(self, seat: int) -> float:
        """Return the probability, 0 to 1, that a seat gives notice: high with one tile left."""
        r = self.referee
        if r.last != seat:
            return 0
        return 0.6 if r.counts[seat] == 1 else 0.02

    # ---- odd things ----

    def any_move(self) -> None:
        """Tap a tile that fits somewhere, on a random slot."""
        moves = self.referee.moves()
        if moves:
            self.lay(self.any_slot(), self.random.choice(moves)[1])

    def undecided_end(self) -> None:
        """Lay a tile that the hub must accept, although the tile does not fit on the real
        table."""
        r = self.referee
        fooling = [
            (slot, tile)
            for slot in r.slots
            for tile in sorted(r.hands[r.turn])
            if r.why_not(slot, tile) == "ok" and not r.lines.honest_layouts(slot, tile)
        ]
        if fooling:
            self.lay(*self.random.choice(fooling))
            if self.random.random() < 0.7 and self.referee.phase == "play":
                self.evening.hold()

    def knock_too_early(self) -> None:
        """Press too early the button of the seat that laid the newest tile; then take the presses
        back."""
        evening, seat = self.evening, self.referee.last
        if seat is None:
            return
        for _ in range(self.random.randint(1, 4)):
            if self.referee.phase == "play":
                evening.press(seat)
            if self.random.random() < 0.2:
                evening.press(M)
        while self.referee.phase != "play" or (evening.past and evening.past[-1].last == seat):
            evening.hold()
            if self.referee.last != seat:
                evening.redo()
                break

    def knock_too_late(self) -> None:
        """Let the next seat draw or pass. Then press the button of the seat that laid the newest
        tile."""
        seat = self.referee.last
        if seat is None:
            return
        self.evening.press(self.referee.turn)
        if self.referee.phase == "play":
            self.evening.press(seat)

    def show_totals(self) -> None:
        """Press the button of slot M, which shows the totals."""
        self.evening.press(M)

    def pass_at_once(self) -> None:
        """Press the button of the seat to move, even if this seat holds a playable tile."""
        for _ in range(self.random.randint(1, 3)):
            if self.referee.phase == "play":
                self.evening.press(self.referee.turn)

    def take_back_and_ask_again(self) -> None:
        """Press a button until the hub asks for a second press, then make another input and take
        it back."""
        evening, r = self.evening, self.referee
        if r.last is None or r.counts[r.last] < 2:
            return
        seat = r.last
        evening.press(seat)
        evening.press(seat)
        if self.referee.phase == "play" and evening.draw(self.referee.turn):
            evening.hold()
            evening.press(seat)
            if self.referee.phase == "scoring":
                evening.hold()

    # ---- counting ----

    def count(self) -> None:
        """Count the hands, or occasionally end the round too early."""
        if self.random.random() < self.evening.mischief / 2:
            seat = self.random.choice(self.seats)
            for tile in sorted(self.referee.hands[seat]):
                self.evening.tap(seat, tile)
            self.evening.press(E)
        else:
            super().count()
