# SPDX-License-Identifier: MIT
"""Honest and dishonest players of Mexican Train, for the soak test."""

from typing import Any

from host_sim.table.games.soak_players import Move, SoakPlayers
from host_sim.table.games.tile_rules import is_double
from roundhouse import tiles
from roundhouse.constants import E, M


class Players(SoakPlayers):
    ODD = (
        *("wrong_line", "out_of_turn", "laid_tile", "tile_of_another_set"),
        *("any_move",) * 5,
        *("press_any_seat", "catch", "catch", "forget_draw", "pass_at_once", "draw_with_e_held"),
        *("override", "take_back", "take_back", "round_over"),
    )

    def judge_tap(self, slot: int, tile: int, override: bool) -> Any:
        """Return a function (referee, console line) that lets the referee judge this tap, and
        returns the verdict.

        The console line tells the referee which seat begins, because the hub may have chosen that
        seat at random.
        """
        return lambda r, line: r.tap(slot, tile, override, line and line["turn"])

    # ---- the engine ----

    def open(self) -> None:
        """Deal, find the engine as the house prescribes, and lay it."""
        evening, r = self.evening, self.referee
        odd = self.random.random() < evening.mischief
        stock = list(range(tiles.size(r.set)))
        self.random.shuffle(stock)
        if r.phase == "lobby" and (r.from_hand() or self.random.random() < 0.5):
            evening.press(E)
            r = self.referee
        number = r.engine_asked_for()
        if number is None:
            number = self.random.randint(0, r.set)
        if odd and r.phase == "engine":
            self._open_wrongly(stock)
            r = self.referee
        if r.from_hand():
            self._open_from_a_hand(number, stock)
            return
        engine = tiles.double(number)
        stock.remove(engine)
        slot = self.random.choice([E, E] + self.seats)
        if r.phase == "lobby":  # the deal itself is not done yet
            evening.tap(slot, engine)
            self._deal(stock)
        else:
            self._deal(stock)
            evening.tap(slot, engine)

    def _open_wrongly(self, stock: list[int]) -> None:
        self.press_any_seat()
        self.evening.tap(self.random.choice([*self.seats, E, M]), self.random.choice(stock))
        while self.evening.past[-1].phase == "engine":
            self.evening.hold()

    def _open_from_a_hand(self, number: int, stock: list[int]) -> None:
        highest = self.referee.options["engine"] == "highest"
        while True:
            self._deal(list(stock))
            doubles = [t for hand in self.referee.hands.values() for t in hand if is_double(t)]
            if doubles or not highest:
                break
            self.random.shuffle(stock)  # no double is held: mix and deal again
        engine = max(doubles) if highest else tiles.double(number)
        turn = 0
        while (holder := self._holder(engine)) is None:  # draw for it, clockwise
            seat = self.seats[turn % len(self.seats)]
            if not self.evening.press(seat):  # the hub counts no tiles in the boneyard
                self.referee.hands[seat] |= {self.referee.stock.pop()}
            turn += 1
        self.evening.tap(holder, engine)

    def _deal(self, stock: list[int]) -> None:
        hands = {seat: [stock.pop() for _ in range(n)] for seat, n in self._dealt(len(stock))}
        if self.referee.phase == "play" and self.referee.from_hand():
            raise AssertionError("dealt too late")
        self.referee.deal(hands, stock)

    def _dealt(self, stock: int) -> list[tuple[int, int]]:
        """Return [(seat, count of tiles to take), ...]: the counts that the hub expects,
        occasionally all higher or lower by one."""
        counts = self.referee.counts
        if self.referee.uncounted():
            size = self.random.randint(1, min(12, stock // len(self.seats)))
            return [(seat, size) for seat in self.seats]
        more = 0
        if self.random.random() < self.evening.mischief / 2:
            more = self.random.choice((1, 1, -1))
        if sum(counts.values()) + more * len(counts) > stock or min(counts.values()) + more < 1:
            more = 0
        return [(seat, counts[seat] + more) for seat in self.seats]

    def _holder(self, tile: int) -> int | None:
        return next((s for s, hand in self.referee.hands.items() if tile in hand), None)

    # ---- a turn ----

    def take_turn(self, seat: int) -> None:
        moves = self.referee.moves()
        if self._is_blocked(moves):
            self.evening.press(E)
        elif self.referee.options["enforce"] == "tiles":
            if moves:
                self.lay(*self.random.choice(moves))
            if self.referee.phase == "play":
                self.evening.press(seat)
        elif moves:
            self.lay(*self._choose(moves))
        elif not self.evening.press(seat):  # it must lay a third tile, but has none
            self.evening.hold()

    def _is_blocked(self, moves: list[Move]) -> bool:
        """Return whether to end the round. The choice is random if the round is blocked; otherwise
        it is False."""
        r = self.referee
        if moves or not r.uncounted() or r.stock:
            return False
        return self.random.random() < 0.1

    def _choose(self, moves: list[Move]) -> Move:
        best = [move for move in moves if is_double(move[1]) == self.doubles_first]
        return self.random.choice(best if best and self.random.random() < 0.95 else moves)

    def notice_chance(self, seat: int) -> float:
        """Return the probability, 0 to 1, that a seat gives notice."""
        r = self.referee
        return 0.6 if r.counts[seat] == 1 and r.last == seat != r.turn else 0

    def can_draw(self, seat: int) -> bool:
        return self.referee.turn == seat and not self.referee.third

    # ---- odd things ----

    def any_move(self) -> None:
        """Tap a tile that matches a train, even if the rules do not allow it there."""
        r = self.referee
        slot = self.random.choice(r.slots)
        hand = [t for t in r.hands[r.turn] if set(r.end(slot)) & {tiles.HIGH[t], tiles.LOW[t]}]
        if hand:
            doubles = [t for t in hand if is_double(t)]
            self.lay(slot, self.random.choice(doubles or sorted(hand)))

    def tempt(self) -> None:
        """If a double was just laid or must be covered, lay another double that matches a
        train."""
        r = self.referee
        if not (r.owed or (r.doubles and self.random.random() < 0.5)):
            return
        tempting = [
            (slot, tile)
            for tile in sorted(r.hands[r.turn])
            for slot in r.slots
            if is_double(tile) and tiles.HIGH[tile] in r.end(slot)
        ]
        if tempting and (r.owed or r.due() is not None):
            self.lay(*self.random.choice(tempting))

    def catch(self) -> None:
        """Press the button of slot M to catch a seat, or sometimes without reason."""
        if self.referee.forgot or self.random.random() < 0.2:
            self.evening.press(M)

    def pass_at_once(self) -> None:
        """Press the button until the turn is over, even if the seat has a playable tile."""
        seat = self.referee.turn
        while self.referee.phase == "play" and self.referee.turn == seat:
            if not self.evening.press(seat):
                self.evening.hold()
                break
