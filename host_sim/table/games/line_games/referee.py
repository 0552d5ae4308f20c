# SPDX-License-Identifier: MIT
"""The referee of the line games, written from the rule sheets alone.

Verdicts depend on the layouts that a hub must consider possible. `moves`, the choices of honest
players, depends on the real layouts.
"""

from collections.abc import Iterable
from typing import Any, Self

from host_sim.table.games.line_games import sheets
from host_sim.table.games.line_games.layout import Layout, Lines, who_opens
from host_sim.table.games.referee import BaseReferee, slot_names
from host_sim.table.games.tile_rules import is_double
from roundhouse import tiles
from roundhouse.constants import USUAL_STATIONS, E, M, slot_name

VALUES = sheets.VALUES


class Referee(BaseReferee):
    """The referee of one match of a line game.

    house: the house and its variants in words, such as `classic two-ends`
    set_: the highest number of the set, or None for the house's own
    stations: the count of stations on the board, 4 to 14
    """

    def __init__(
        self,
        house: str,
        set_: int | None = None,
        seats: Iterable[int] = (),
        stations: int = USUAL_STATIONS,
    ) -> None:
        words = house.split()
        self.house = sheets.sheet_of(words[0])
        self.stations = range(1, stations + 1)
        self.slots = (*self.stations, M)
        set_ = set_ or sheets.OWN_SET.get(self.house, 12)
        super().__init__(sheets.options_of(words), set_, seats)

    def _clear_round(self) -> None:
        super()._clear_round()
        self.lines = Lines(self.options, self.set, self.slots)

    def clone(self, **options: str) -> Self:
        """Return an independent copy of the referee and its lines. options: the options that
        change in the copy, with their new values."""
        new = super().clone(**options)
        new.lines = self.lines.clone(new.options)
        return new

    def state(self) -> dict[str, Any]:
        """Return everything that the rules decide, including the lines, as a value that can be
        compared."""
        return {**super().state(), "lines": self.lines.state()}

    # ---- the deal ----

    def hand_size(self) -> int:
        return sheets.hand_size(self.house, self.options, self.set, len(self.seats))

    def highest(self) -> tuple[int, int] | None:
        """Return (seat, tile) for the tile that opens the round, or None if the tiles must be
        shuffled again."""
        opens = who_opens(self.hands, self.options)
        return opens and (opens[1], opens[0])

    # ---- what may be laid where ----

    def why_not(self, slot: int, tile: int, override: bool = False) -> str:
        """Return the verdict on a tap, as a word of the console."""
        if self.phase == "finished":
            return "not-now"
        if self.phase == "lobby" and (len(self.seats) < 2 or not is_double(tile)):
            return "not-now"
        if slot == E or (self.phase != "play" and slot not in self.seats):
            return "not-now"
        if tile >= tiles.size(self.set):
            return "not-in-set"
        if tile in self.laid:
            return "on-table"
        if self.phase == "play":
            return "ok" if override else self._why_not_there(slot, tile)
        single = self.phase == "engine" and not is_double(tile)
        if single and self.options["opening"] == "double":
            return "not-an-engine"
        return "ok"

    def _why_not_there(self, slot: int, tile: int) -> str:
        if slot not in self.lines.begun and not self.lines.may_begin():
            return "closed"
        return "ok" if self.lines.layouts_with(slot, tile) else "no-match"

    def moves(self) -> list[tuple[int, int]]:
        return self.lines.moves(sorted(self.hands[self.mover]))

    # ---- inputs ----

    def tap(
        self, slot: int, tile: int, override: bool = False, layout: Layout | None = None
    ) -> str:
        """Tap a tile on a slot; return the verdict as a word of the console.

        layout: how the tile really lies, from `lines.honest_layouts`; None for any of these
            layouts.
        """
        self.by = self.did = None
        verdict = self.why_not(slot, tile, override)
        if verdict != "ok":
            return verdict
        if self.phase in ("lobby", "engine"):
            return self._lay_opening(slot, tile)
        if self.phase == "scoring":
            return self._tap_in_scoring(slot, tile)
        seat = self.mover
        self._close_notice()
        self._lay(slot, tile, layout)
        return self._accept("laid", seat)

    def press(self, slot: int) -> str:
        """Press the button of a slot; return the verdict as a word of the console."""
        self.by = self.did = None
        if slot == M:
            self.did = "showed"  # not an input of the match: `to_confirm` stays as it is
            return "ok"
        if slot == E:
            return self._press_engine()
        if self.phase == "lobby":
            return self._press_in_lobby(slot)
        if slot not in self.seats or self.phase == "engine":
            return "not-now"
        if self.phase == "play":
            return self._press_in_play(slot)
        if self.phase == "scoring":
            return self._press_in_scoring(slot)
        self._clear_match()
        return self._accept("cleared", slot)

    # ---- before the first tile ----

    def _press_in_lobby(self, station: int) -> str:
        if station in self.seats:
            self.seats.remove(station)
            did = "left"
        elif len(self.seats) == sheets.most_seats(self.house, self.set):
            return "not-now"
        else:
            self.seats = sorted([*self.seats, station])
            did = "joined"
        self._clear_match()
        return self._accept(did, station)

    def _press_engine(self) -> str:
        if self.phase == "finished":
            self._clear_match()
            return self._accept("cleared")
        return super()._press_engine()

    def _lay_opening(self, seat: int, tile: int) -> str:
        if self.phase == "lobby":
            self.open_round()
        self.opening = tile
        self.laid.add(tile)
        self.hands[seat] -= {tile}
        self.counts[seat] -= 1
        self.lines.open_with(tile)
        self.phase = "play"
        self.turn = seat
        self._after_a_tile(seat, tile)
        return self._accept("opened", seat)

    # ---- a turn ----

    def _close_notice(self) -> None:
        """Record that the seat to move has acted, so that the previous seat can no longer press "I
        am out"."""
        self.last, self.noticed = None, False

    def _lay(self, slot: int, tile: int, layout: Layout | None) -> None:
        seat = self.mover
        self.lines.lay(slot, tile, layout)
        self.laid.add(tile)
        self.hands[seat] -= {tile}
        self.counts[seat] = max(0, self.counts[seat] - 1)
        self.passes = 0
        if self.counts[seat] == 0:
            self._round_over(seat)
            self.last_tile = seat, tile
        else:
            self._after_a_tile(seat, tile)

    def _go_on(self, *last_tile: Any) -> None:
        self._after_a_tile(*last_tile)

    def _after_a_tile(self, seat: int, tile: int) -> None:
        """Give the turn to the next seat, or to the same seat if its double earned another
        turn."""
        self.drawn = False
        if is_double(tile) and self.options["again"] == "double":
            return
        self.turn = self._next(seat)
        self.last, self.noticed = seat, False

    def _press_in_play(self, seat: int) -> str:
        if seat == self.turn:
            if self.options["draw"] == "until" and self.boneyard:
                return self._draw(seat)
            return self._pass(seat)
        return self._press_after_laying(seat)

    def _draw(self, seat: int) -> str:
        self._close_notice()
        self._take(seat)
        self.drawn = True
        return self._accept("drew", seat)

    def _pass(self, seat: int) -> str:
        self._close_notice()
        self.passes += 1
        self.drawn = False
        self.turn = self._next(seat)
        if self.passes >= len(self.seats):
            self._round_over(None)
        return self._accept("passed", seat)

    # ---- counting ----

    def round_points(self) -> dict[int, int]:
        """Return {seat: points times two}: from each other seat, the winner gets the difference
        between the pips in the two hands. The option `tie` decides what each of several winners
        gets."""
        left = self._left_over()
        if self.out is not None:
            left[self.out] = 0
        winners = self._round_winners(left)
        gain = 2 * sum(points - left[winners[0]] for points in left.values())
        if len(winners) > 1:
            tie = self.options["tie"]
            gain = {"none": 0, "shared": gain // len(winners), "each": gain}[tie]
        return {seat: gain if seat in winners else 0 for seat in self.seats}

    def match_is_over(self) -> bool:
        """Return whether the total of a seat has reached the match's target."""
        return max(self.totals.values()) >= 2 * int(self.options["target"])

    # ---- what must be seen ----

    def playable(self) -> set[int]:
        """Return the slots with a line, and every empty slot if another line may begin."""
        return set(self.slots) if self.lines.may_begin() else set(self.lines.begun)

    def dead(self) -> bool:
        """Return whether the game is blocked: no tile that is left fits on any slot."""
        return self.lines.dead(set(range(tiles.size(self.set))) - self.laid)

    def table_view(self) -> dict[str, Any]:
        play = self.phase == "play"
        lines = self.lines
        ends = {slot_name(slot): lines.ends(slot) for slot in sorted(lines.begun)}
        sides = sorted(lines.sides, reverse=True) if play and lines.may_begin() else []
        return {
            "open": slot_names(lines.begun) if play else [],
            "doubles": [],
            "playable": slot_names(self.playable()) if play else [],
            "ends": {name: end[0] if len(end) == 1 else end for name, end in ends.items()},
            "sides": {str(number): sides.count(number) for number in sides},
        }

    def _tiles_on_table(self) -> list[int]:
        return [tile for line in self.lines.begun.values() for tile, _ in line]

    def wrong_chain(self) -> str | None:
        return self.lines.wrong_chain()
