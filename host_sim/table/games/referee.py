# SPDX-License-Identifier: MIT
"""The base of all referees: declared tile counts, turns, last tiles, and the counting of hands.

A referee is a second judge of a match. It sees every hand, keeps a simple model of the table, and
decides for every input what the hub must answer and show. It is written from the rule sheets and
shares no code with the firmware's rules.

Slots, seats and tiles are numbers; verdicts are words. `hands` and `stock` are the real tiles;
`counts` and `boneyard` are the counts that a hub calculates from the declared inputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

from host_sim.table.games.tile_rules import left_over
from roundhouse import tiles
from roundhouse.constants import slot_name

PLENTY = 10**6  # stands for a count that is not kept: never used up, never the last


class Options(dict[str, str]):
    """The options of a house, {option: word}. The set `read` collects the names of the options
    that were looked up."""

    def __init__(self, words: Mapping[str, str]) -> None:
        super().__init__(words)
        self.read: set[str] = set()

    def __getitem__(self, option: str) -> str:
        self.read.add(option)
        return super().__getitem__(option)

    def peek(self, option: str) -> str:
        """Return the word of an option without adding the option to `read`."""
        return super().__getitem__(option)


class BaseReferee:
    """The part of a match's referee that all games share. A game's Referee adds its own inputs,
    the tiles that fit on each slot, and the points.

    Values in its dicts, lists and sets must be immutable: `clone` does not copy them.
    """

    def __init__(self, options: Options, set_: int, seats: Iterable[int]) -> None:
        self.options = options
        self.set = set_
        self.seats = sorted(seats)
        self.by: int | None = None  # the seat that made the last input
        self.did: str | None = None  # the word for what this input did
        self.to_confirm: int | None = None  # the seat that was asked to press again
        self._clear_match()

    def _clear_match(self) -> None:
        self.phase = "lobby"
        self.round = 0
        self.totals = dict.fromkeys(self.seats, 0)  # doubled
        self.winners: list[int] = []
        self._clear_round()

    def _clear_round(self) -> None:
        self.opening: int | None = None  # the opening tile
        self.hands = {seat: frozenset[int]() for seat in self.seats}
        self.stock: list[int] = []  # the last tile is drawn next
        self.counts = dict.fromkeys(self.seats, 0)
        self.undeclared = dict.fromkeys(self.seats, 0)  # tiles drawn and not declared yet
        self.boneyard = 0
        self.laid: set[int] = set()
        self.turn: int | None = None
        self.drawn = False
        self.passes = 0
        self.last: int | None = None  # the seat that laid last, until the seat to move acts
        self.noticed = False  # whether this seat has given notice of its last tile
        self.out: int | None = None
        # the tile with which the count ended the round, for `_go_on`; None after any other input
        self.last_tile: tuple[Any, ...] | None = None
        self.counted: dict[int, frozenset[int]] = {}
        self.done: set[int] = set()

    @property
    def mover(self) -> int:
        """The seat to move; valid only during play."""
        assert self.turn is not None
        return self.turn

    # ---- a game adds ----

    def hand_size(self) -> int:
        raise NotImplementedError

    def moves(self) -> list[tuple[int, int]]:
        """Return the moves (slot, tile) from which an honest player must choose."""
        raise NotImplementedError

    def press(self, slot: int) -> str:
        """Press the button of a slot; return the verdict."""
        raise NotImplementedError

    def _draw(self, seat: int) -> str:
        raise NotImplementedError

    def uncounted(self) -> bool:
        """Return whether the hub does not know how many tiles were dealt (O10)."""
        return False

    def may_deal(self) -> bool:
        """Return whether the set has enough tiles for the deal (O1)."""
        return True

    def _go_on(self, *last_tile: Any) -> None:
        """Continue a seat's turn after the hub has wrongly taken the seat's newest tile for the
        last tile in the hand (O12)."""
        raise NotImplementedError

    def round_points(self) -> dict[int, int]:
        """Return {seat: points times two} for the round that was counted."""
        raise NotImplementedError

    def match_is_over(self) -> bool:
        """Return whether the round just counted was the last one of the match."""
        raise NotImplementedError

    def table_view(self) -> dict[str, Any]:
        """Return the part of the hub's console line about the table, as {key: value} with the keys
        `open`, `doubles`, `playable` and `ends`."""
        raise NotImplementedError

    def _tiles_on_table(self) -> list[int]:
        """Return the tiles on all lines, except the opening tile."""
        raise NotImplementedError

    def wrong_chain(self) -> str | None:
        """Return a description of the first line with a tile that does not join its neighbour, or
        None."""
        raise NotImplementedError

    # ---- copies ----

    def clone(self, **options: str) -> Self:
        new = object.__new__(type(self))
        for name, value in self.__dict__.items():
            new.__dict__[name] = value.copy() if type(value) in (dict, set, list) else value
        new.options = Options({**self.options, **options})
        return new

    def state(self) -> dict[str, Any]:
        """Return everything that the rules decide, as a value that can be compared."""
        return {name: value for name, value in self.__dict__.items() if name != "options"}

    # ---- the deal ----

    def open_round(self) -> None:
        """Begin a round: set the declared tile count of each hand. The real tiles are set by
        `deal`."""
        self._clear_round()
        self.phase = "engine"
        self.round += 1
        size = self.hand_size()
        self.counts = dict.fromkeys(self.seats, size)
        self.boneyard = tiles.size(self.set) - size * len(self.seats)

    def deal(self, hands: Mapping[int, Iterable[int]], stock: Iterable[int]) -> None:
        """Set the real hands and the stock. Tiles are drawn from the end of the stock."""
        self.hands = {seat: frozenset(hand) - self.laid for seat, hand in hands.items()}
        self.stock = list(stock)

    def draw_silently(self) -> None:
        """Let the seat to move take a tile from the boneyard without declaring it."""
        self.hands[self.mover] |= {self.stock.pop()}
        self.undeclared[self.mover] += 1

    # ---- inputs ----

    def _accept(self, did: str, by: int | None = None) -> str:
        self.did, self.by = did, by
        self.to_confirm = None
        return "ok"

    def restored(self, did: str | None) -> None:
        """Record that this state was reached by an undo or a redo, so that no press waits to be
        repeated.

        did: `took-back`, `put-back`, or None if the hub refused
        """
        self.by, self.did = None, did
        if did:
            self.to_confirm = None

    def draw(self, seat: int) -> str:
        """Declare a draw with the button of slot E held down; return the verdict. A draw is
        possible even if the hub's count of the boneyard is 0."""
        self.by = self.did = None
        if self.phase != "play" or seat not in self.seats:
            return "not-now"
        if seat != self.turn:
            return "not-your-turn"
        return self._draw(seat)

    def _press_engine(self) -> str:
        if self.phase == "lobby":
            if len(self.seats) < 2 or not self.may_deal():
                return "not-now"
            self.open_round()
            return self._accept("dealt")
        if self.phase == "engine":
            self._finish()
            return self._accept("match-over")
        if self.phase == "play":
            self._round_over(None)
        elif self.phase == "scoring":
            self._count_round()
        else:
            return "not-now"
        return self._accept("round-over")

    def _next(self, seat: int) -> int:
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def _take(self, seat: int) -> None:
        """Declare a draw, and move a tile from the stock to the hand. No tile is moved if the seat
        has already taken it undeclared, or if the stock is empty."""
        if not self.uncounted():
            self.counts[seat] += 1
            self.boneyard = max(0, self.boneyard - 1)
        if self.undeclared[seat]:
            self.undeclared[seat] -= 1
        elif self.stock:
            self.hands[seat] |= {self.stock.pop()}

    def _press_after_laying(self, seat: int) -> str:
        """Press the button of a seat whose turn it is not; return the verdict. The first press
        gives notice of one tile left; the second means "I am out". If the hub counts more than one
        tile in the hand, the second press must be repeated."""
        if seat != self.last:
            return "not-your-turn"
        if not self.noticed:
            self.noticed = True
            return self._accept("knocked", seat)
        if self.counts[seat] > 1 and self.to_confirm != seat and not self.uncounted():
            self.to_confirm = seat
            return "not-now"
        if not self.uncounted():
            self.counts[seat] = 0
        self._round_over(seat)
        return self._accept("out", seat)

    # ---- counting ----

    def _round_over(self, out: int | None) -> None:
        self.phase = "scoring"
        self.last_tile = None
        self.out = out
        self.turn = self.last = None
        self.drawn = False
        self.counted = {seat: frozenset() for seat in self.seats}
        self.done = {out} if out is not None else set()

    def _tap_in_scoring(self, seat: int, tile: int) -> str:
        """Tap a leftover tile on the station of a seat that counts its hand; return the verdict.

        If the hub ended the round because it believed this hand to be empty, the tap continues the
        round instead.
        """
        last_tile, self.last_tile = self.last_tile, None
        if last_tile and seat == self.out:
            self.phase, self.turn, self.out = "play", seat, None
            self.counts[seat] = 1
            self.done, self.counted = set(), {}
            self._go_on(*last_tile)
            return self._accept("corrected", seat)
        self.laid.add(tile)
        self.counted[seat] |= {tile}
        self.done.discard(seat)
        return self._accept("counted", seat)

    def _press_in_scoring(self, seat: int) -> str:
        """Press the button of a seat that has counted its hand; return the verdict. If the seat
        tapped fewer tiles than the hub counts, the press must be repeated."""
        if seat in self.done:
            return "not-now"
        few = len(self.counted[seat]) < self.counts[seat] and not self.uncounted()
        if few and self.to_confirm != seat:
            self.to_confirm = seat
            return "not-now"
        self.last_tile = None
        self.done.add(seat)
        if self.done.issuperset(self.seats):
            self._count_round()
        return self._accept("done", seat)

    def _count_round(self) -> None:
        for seat, points in self.round_points().items():
            self.totals[seat] += points
        if self.match_is_over():
            self._finish()
        else:
            self.open_round()

    def _best_total(self) -> int:
        return max(self.totals.values())

    def _finish(self) -> None:
        self.phase = "finished"
        goal = self._best_total()
        self.winners = [seat for seat in self.seats if self.totals[seat] == goal]

    def _left_over(self) -> dict[int, int]:
        """Return {seat: pips} of the tiles that each seat counted as left over."""
        return {
            seat: sum(left_over(tile, self.options) for tile in held)
            for seat, held in self.counted.items()
        }

    def _round_winners(self, left: Mapping[int, int]) -> list[int]:
        """Return the seat that went out or, if no seat did, the seats with the fewest pips."""
        if self.out is not None:
            return [self.out]
        return [seat for seat in self.seats if left[seat] == min(left.values())]

    # ---- what must be seen ----

    def view(self) -> dict[str, Any]:
        """Return what the console line of the hub must show, as {key: value}."""
        return {
            "by": self.by,
            "did": self.did,
            "phase": self.phase,
            "round": self.round,
            "engine": None if self.opening is None else tiles.text(self.opening),
            "turn": self.turn,
            "drawn": self.drawn,
            **self.table_view(),
            "hands": {str(seat): shown(self.counts[seat]) for seat in self.seats},
            "boneyard": shown(self.boneyard),
            "scores": {str(seat): self.totals[seat] / 2 for seat in self.seats},
            "winner": self.winners or None,
        }

    def wrong_tiles(self) -> str | None:
        """Return a description of a mistake in the tiles of the round, or None."""
        there = [self.opening, *self.stock, *self._tiles_on_table()]
        for hand in self.hands.values():
            there += hand
        if sorted(t for t in there if t is not None) != list(range(tiles.size(self.set))):
            return "a tile is missing or there twice"
        return self.wrong_chain()


def shown(count: int) -> int | None:
    """Return a count of tiles as on the console line: PLENTY becomes None."""
    return None if count == PLENTY else count


def slot_names(slots: Iterable[int]) -> list[str]:
    """Return the names of slots in ascending order, as on a console line."""
    return [slot_name(slot) for slot in sorted(slots)]
