# SPDX-License-Identifier: MIT
"""The base of the honest and dishonest players of a soak test, for all games.

The players see every hand through the referee. Mostly they make legal moves. Sometimes they lay on
a wrong line, play out of turn, tap a tile twice, override a refusal, forget to declare a draw, or
take an input back.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any, Protocol

from host_sim.table.console_line import ConsoleLine
from roundhouse import tiles
from roundhouse.constants import E

Move = tuple[int, int]  # a slot, a tile


class Evening(Protocol):
    """A random match of the soak test, with the methods that its players call. Each input goes to
    both a hub and the referee."""

    referee: Any  # the game's Referee
    random: random.Random
    mischief: float
    past: list[Any]  # referees before each input that can be taken back
    future: list[Any]  # referees that can be put back
    done: Counter[str]

    def tap(self, slot: int, tile: int, override: bool = False) -> bool:
        """Tap a tile on a slot; return whether it was accepted."""

    def press(self, slot: int) -> bool:
        """Press a slot's button; return whether it was accepted."""

    def draw(self, seat: int) -> bool:
        """Press a seat's button while E's button is held down, which declares a draw; return
        whether it was accepted."""

    def hold(self) -> None:
        """Take back the last input."""

    def redo(self) -> None:
        """Redo the input that was taken back last."""


class SoakPlayers:
    ODD: tuple[str, ...] = ()  # methods for odd things; one listed twice is twice as likely

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.random = evening.random
        self.seats: list[int] = evening.referee.seats.copy()
        self.doubles_first = self.random.choice((True, False, None))

    @property
    def referee(self) -> Any:
        """The referee in its present state. After an undo, this is an older copy of the
        referee."""
        return self.evening.referee

    # ---- a game adds ----

    def judge_tap(
        self, slot: int, tile: int, override: bool
    ) -> Callable[[Any, ConsoleLine | None], str]:
        """Return a function (referee, console line) that lets the referee judge this tap, and
        returns the verdict."""
        raise NotImplementedError

    def open(self) -> None:
        """Deal, and lay the opening tile."""
        raise NotImplementedError

    def take_turn(self, seat: int) -> None:
        """Let the seat to move do one thing that the rules allow."""
        raise NotImplementedError

    def any_move(self) -> None:
        """Tap a tile that matches a line, on a random slot."""
        raise NotImplementedError

    def tempt(self) -> None:
        """Try to lay a tile that matches a line but that the rules refuse for another reason. This
        base class does nothing."""

    def notice_chance(self, seat: int) -> float:
        """Return the probability, 0 to 1, that a seat gives notice after laying a tile."""
        raise NotImplementedError

    def can_draw(self, seat: int) -> bool:
        return self.referee.turn == seat

    # ---- a turn ----

    def move(self) -> None:
        """Let the seat to move do one thing that the rules allow."""
        if self.random.random() < self.evening.mischief:
            getattr(self, self.random.choice(self.ODD))()
        else:
            self.tempt()
        if self.referee.phase != "play":
            return
        seat = self.referee.turn
        if self.referee.hands[seat]:
            self.take_turn(seat)
        else:
            self.say_out(seat)

    def lay(self, slot: int, tile: int, override: bool = False) -> None:
        """Lay a tile of the seat to move. If the hub is then wrong about whether the hand is
        empty, correct the hub; otherwise perhaps give notice."""
        seat = self.referee.turn
        if not self.evening.tap(slot, tile, override):
            return
        r = self.referee
        if r.phase == "scoring" and r.hands[seat] and r.out == seat and r.last_tile:
            self._still_hold(seat, slot, tile, override)
        elif r.phase == "play" and not r.hands[seat]:
            self.say_out(seat)
        else:
            chance = self.notice_chance(seat)
            if chance and self.random.random() < chance:
                self.evening.press(seat)

    def _still_hold(self, seat: int, slot: int, tile: int, override: bool) -> None:
        """Continue a round that the hub ended too early because it miscounted the seat's hand."""
        self.evening.done["ended too early"] += 1
        if self.random.random() < 0.7:
            self.evening.tap(seat, min(self.referee.hands[seat]))
            self.evening.done["went on"] += self.referee.phase != "scoring"
        else:
            self.evening.hold()
            if self.can_draw(seat):
                self.evening.draw(seat)
                self.evening.tap(slot, tile, override)

    def say_out(self, seat: int) -> None:
        """End a round that the hub did not end although the seat's hand is empty."""
        press = self.evening.press
        if self.referee.last != seat or self.referee.turn == seat:
            press(E)
            return
        press(seat)
        if not press(seat):  # more than one, by the count
            press(seat)

    # ---- odd things ----

    def any_slot(self) -> int:
        return self.random.choice([E, *self.referee.slots])

    def wrong_line(self) -> None:
        """Lay a random tile of the seat to move on a random slot."""
        hand = self.referee.hands[self.referee.turn]
        if hand:
            self.lay(self.any_slot(), self.random.choice(sorted(hand)))

    def out_of_turn(self) -> None:
        """Tap a tile of a seat whose turn it is not."""
        seat = self.random.choice(self.seats)
        hand = self.referee.hands[seat]
        if seat == self.referee.turn or not hand:
            return
        if self.evening.tap(self.any_slot(), self.random.choice(sorted(hand))):
            self.evening.hold()

    def laid_tile(self) -> None:
        """Tap a tile that is already on the table."""
        self.evening.tap(self.any_slot(), self.random.choice(sorted(self.referee.laid)))

    def tile_of_another_set(self) -> None:
        if self.referee.set < tiles.HIGHEST:
            self.evening.tap(self.any_slot(), tiles.tile(self.referee.set + 1, 0))

    def press_any_seat(self) -> None:
        self.evening.press(self.random.choice(self.seats))

    def forget_draw(self) -> None:
        """Let the seat to move take a tile without declaring the draw."""
        if self.referee.stock:
            self.referee.draw_silently()

    def draw_with_e_held(self) -> None:
        """Press a button while E's button is held down, which declares a draw."""
        self.evening.draw(self.random.choice([self.referee.turn] * 3 + self.seats))

    def override(self) -> None:
        """Lay a random tile of the seat to move on a random slot, as an override."""
        hand = self.referee.hands[self.referee.turn]
        if hand and self.random.random() < 0.3:
            self.lay(self.any_slot(), self.random.choice(sorted(hand)), True)

    def take_back(self) -> None:
        """Undo a few inputs, and perhaps redo some of them."""
        evening = self.evening
        started = len(evening.past)
        back = min(started, self.random.choice((1, 1, 1, 2, 3, 5, 8, 13)))
        while back and self.referee.phase == "play":
            evening.hold()
            back -= 1
        if self.referee.phase != "play":
            evening.redo()
        while evening.future and self.random.random() < 0.5:
            evening.redo()
        evening.done["taken back"] += started - len(evening.past)

    def round_over(self) -> None:
        """Rarely, press the button of E, which can end the round early."""
        if self.random.random() < 0.02:
            self.evening.press(E)

    # ---- counting ----

    def count(self) -> None:
        """Count the hands: each seat taps its left-over tiles, and some first try something
        wrong."""
        evening = self.evening
        order = list(self.seats)
        self.random.shuffle(order)
        for seat in order:
            for tile in sorted(self.referee.hands[seat]):
                if self.random.random() < evening.mischief / 4:
                    evening.press(seat)
                    if self.referee.phase != "scoring":
                        evening.hold()
                if self.random.random() < evening.mischief / 4:
                    self.laid_tile()
                    if evening.tap(self.random.choice(self.seats), tile):
                        evening.hold()
                evening.tap(seat, tile)
        for seat in order:
            for _ in range(2):
                if self.referee.phase == "scoring" and seat not in self.referee.done:
                    evening.press(seat)
