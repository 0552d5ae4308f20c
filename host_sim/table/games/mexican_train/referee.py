# SPDX-License-Identifier: MIT
"""The referee of Mexican Train, written from the rule sheets.

From the firmware's `houses` it takes only the options of a house and the hand sizes.
"""

from collections.abc import Iterable
from typing import Any

from host_sim.table.games import house_info
from host_sim.table.games.referee import PLENTY, BaseReferee, Options, slot_names
from host_sim.table.games.tile_rules import is_double
from roundhouse import tiles
from roundhouse.constants import USUAL_STATIONS, E, M, slot_name
from roundhouse.games import houses

# Option -> its words; if they are numbers, some of them.
VALUES = {option: words for option, _, words, _ in houses.options(0)} | {
    "rounds": ["each", "free", "2"],
    "deal": ["sheet", "any", "9 8 6"],
    "first-engine": ["highest", "3"],
}


def shows(tile: int, number: int) -> bool:
    return number in (tiles.HIGH[tile], tiles.LOW[tile])


def options_of(house: int, variants: int) -> Options:
    """Return the Options of a house and its variants.

    house, variants: as houses.parse returns them
    """
    return Options(dict(house_info.in_words(house, houses.preset(house, variants))))


class Referee(BaseReferee):
    """The referee of one match of Mexican Train.

    house: the house and its variants in words
    stations: the number of stations on the board, 4 to 14
    """

    def __init__(
        self, house: str, set_: int, seats: Iterable[int] = (), stations: int = USUAL_STATIONS
    ) -> None:
        self.house, variants = houses.parse(house.split())
        self.stations = range(1, stations + 1)
        self.slots = (*self.stations, M)
        self.starter: int | None = None
        super().__init__(options_of(self.house, variants), set_, seats)

    def _clear_round(self) -> None:
        super()._clear_round()
        self.engine: int | None = None  # the number of the engine on the table
        self.trains: dict[int, tuple[int, ...]] = {}  # slot -> its tiles
        # slot -> places in the train where an override broke the chain
        self.forced: dict[int, frozenset[int]] = {}
        self.ends: dict[int, tuple[int, ...]] = {}  # slot -> numbers the next tile may match
        self.used = [0] * (tiles.HIGHEST + 1)
        self.markers: set[int] = set()
        self.doubles: list[int] = []  # slots of the uncovered doubles, in closing order
        self.own: list[int] = []  # the slots of `doubles` laid in this turn
        self.owed = False  # a double was just laid, a tile must follow
        self.third = False  # a third tile must cover one of two doubles
        self.train_turn = False  # a whole first train has been begun in this turn
        self.fresh: set[int] = set()  # seats without a turn yet
        self.waiting: set[int] = set()  # slots of open doubles that ended a first train
        self.forgot: list[int] = []  # seats that can be caught
        self.lap: int | None = None  # the seat whose last tile, a double, may still be covered
        self.turns_left = 0  # turns in which it may be covered

    # ---- the deal ----

    def from_hand(self) -> bool:
        return self.options["engine"] in ("in-hand", "highest")

    def open_round(self) -> None:
        super().open_round()
        self.boneyard = PLENTY if self.uncounted() else self.undealt()

    def hand_size(self) -> int:
        """Return the number of tiles dealt to each seat (O1)."""
        deal, seats = self.options["deal"], len(self.seats)
        if deal == "any":
            return PLENTY
        if deal == "sheet":
            return house_info.hand_size(self.house, self.set, seats)
        numbers = deal.split()
        return int(numbers[min(seats - 2, len(numbers) - 1)])

    def undealt(self) -> int:
        """Return how many tiles are left after the deal; negative if the set has too few."""
        dealt = self.hand_size() * len(self.seats)
        return tiles.size(self.set) - (not self.from_hand()) - dealt

    def may_deal(self) -> bool:
        """Return whether the set has enough tiles for the deal (O1)."""
        return self.uncounted() or self.undealt() >= 0

    def uncounted(self) -> bool:
        """Return whether the hub does not know the number of tiles dealt (O2)."""
        return self.options["deal"] == "any"

    def engine_asked_for(self) -> int | None:
        """Return the number of this round's engine (O4 to O6), or None if any double may be the
        engine."""
        if self.options["engine"] not in ("pulled", "in-hand"):
            return None
        return self._engines()[(max(1, self.round) - 1) % (self.set + 1)]

    def _engines(self) -> list[int]:
        first = self.options["first-engine"]
        if self.options["engines"] == "up":
            begin = 0 if first == "highest" else min(int(first), self.set)
            return [*range(begin, self.set + 1), *range(begin)]
        begin = self.set if first == "highest" else min(int(first), self.set)
        return [*range(begin, -1, -1), *range(self.set, begin, -1)]

    # ---- the table ----

    def end(self, slot: int) -> tuple[int, ...]:
        """Return the numbers that the next tile on a train can match."""
        return self.ends[slot] if slot in self.ends else (self._engine(),)

    def _engine(self) -> int:
        assert self.engine is not None
        return self.engine

    def used_up(self, number: int) -> bool:
        return self.used[number] == self.set + 1

    # ---- which tile may go where ----

    def lifted(self, slot: int) -> bool:
        """Return whether the open double on a slot need not be covered, because all tiles with its
        number are on the table (H8)."""
        return self.options["lift"] == "yes" and self.used_up(self.end(slot)[0])

    def ownerless(self) -> list[int]:
        """Return the slots of trains without an owner: M, and the stations without a player
        (D1)."""
        if self.options["mexican"] == "one":
            return [M]
        return [slot for slot in self.stations if slot not in self.seats] + [M]

    def open_trains(self) -> set[int]:
        """Return the trains open to all seats: with a marker, or begun and without an owner."""
        return self.markers | (self.trains.keys() - self.seats)

    def may_begin(self) -> set[int]:
        """Return the slots on which the seat to move may begin a train without an owner (D1,
        D2)."""
        free = [slot for slot in self.ownerless() if slot not in self.trains]
        if self.options["mexican"] == "bonus":
            begun = sum(seat in self.trains for seat in self.seats)
            bonus = len(self.ownerless()) - len(free)
            if self.turn not in self.trains or bonus >= begun:
                return set()
        return set(free)

    def due(self) -> int | None:
        """Return the slot of the double that must be covered first, or None (H2, H6, H8). Doubles
        of this turn do not count. Doubles that ended a first train count only after every seat has
        had a turn (M11)."""
        if self.options["lock"] == "no":
            return None
        waiting = self.waiting if self.fresh else ()
        earlier = [slot for slot in self.doubles if slot not in (*self.own, *waiting)]
        return next((slot for slot in earlier if not self.lifted(slot)), None)

    def own_only(self) -> bool:
        """Return whether the seat to move may play only on its own train (C1, C2, M10, N32)."""
        if self.train_turn and not self.owed:
            return True
        if self.turn in self.fresh:
            first = self.options["first-turn"]
            if first == "own" or (first == "starter-own" and self.turn == self.starter):
                return True
        return (
            self.options["not-begun"] == "own"
            and self.turn not in self.trains
            and not self.used_up(self._engine())
        )

    def eligible(self) -> set[int]:
        """Return the trains on which the seat to move could lay a tile if no double had to be
        covered."""
        if self.own_only():
            return {self.mover}
        return {self.mover} | self.open_trains() | self.may_begin()

    def unlocked(self) -> set[int]:
        """Return the trains on which the doubles of this turn allow the next tile (G3, G4)."""
        if self.third:
            return set(self.own)
        if not self.owed:
            return self.eligible()
        place = self.options["second-tile"]
        if place == "double" and not self.lifted(self.own[-1]):
            return {self.own[-1]}
        if place == "open":
            return set(self.own) | self.open_trains()
        return set(self.own) | self.eligible()

    def targets(self) -> set[int]:
        """Return all trains on which the seat whose turn it is may lay a tile."""
        if self.options["enforce"] == "tiles":
            return set(self.slots)
        first = self.due()
        if first is None:
            return self.unlocked()
        if self.options["drawn-elsewhere"] == "yes" and self.drawn:
            return {first} | self.unlocked()
        return {first}

    def may_double(self, tile: int) -> bool:
        """Return whether this double may follow the doubles already laid in this turn (G4, G6,
        G9).

        A rule can require a third tile to cover this double or the double before it. Then return
        False if all tiles that can do this are already on the table.
        """
        last = self.counts[self.mover] == 1
        if (last or self.uncounted()) and self.options["last-two"] == "yes":
            return True
        rule = self.options["second-double"]
        if rule == "drawn":
            return self.drawn
        if rule != "third" or len(self.own) != 1 or self.drawn or last:
            return False
        numbers = (tiles.HIGH[tile], self.end(self.own[0])[0])
        outside = set(range(tiles.size(self.set))) - self.laid
        return any(not is_double(t) and any(shows(t, n) for n in numbers) for t in outside)

    def why_not(self, slot: int, tile: int) -> str:
        """Return the verdict on a tile that belongs to the set and is not yet on the table."""
        if self.options["enforce"] == "tiles":
            return "ok"
        first = self.due()
        if first is not None:
            elsewhere = self.options["drawn-elsewhere"] == "yes" and self.drawn
            if slot != first and not (elsewhere and is_double(tile) and slot in self.unlocked()):
                return "double-first"
        else:
            open_here = self.unlocked()
            if slot not in open_here:
                named = self.options["second-tile"] == "double"
                if self.third or (self.owed and named and not self.lifted(self.own[-1])):
                    return "cover-it"
                return "own-first" if self.own_only() else "closed"
        if not any(shows(tile, number) for number in self.end(slot)):
            return "no-match"
        if is_double(tile) and self.owed and not self.may_double(tile):
            return "no-second-double"
        return "ok"

    def moves(self) -> list[tuple[int, int]]:
        found = []
        hand = self.hands[self.mover]
        for slot in sorted(self.targets()):
            for tile in sorted(hand):
                if not any(shows(tile, number) for number in self.end(slot)):
                    continue
                if self.why_not(slot, tile) == "ok" and not self._needs_third(slot, tile):
                    found.append((slot, tile))
        return found

    def _needs_third(self, slot: int, tile: int) -> bool:
        """Return whether this tile would be the turn's second double (G4) and the hand has no
        third tile that can cover one of the two doubles."""
        if not (is_double(tile) and self.owed) or self.options["second-double"] != "third":
            return False
        rest = self.hands[self.mover] - {tile}
        numbers = (tiles.HIGH[tile], self.end(self.own[0])[0])
        return bool(rest) and not any(
            not is_double(other) and any(shows(other, number) for number in numbers)
            for other in rest
        )

    def playable(self) -> set[int]:
        """Return the `targets` without the trains on which the rules forbid every remaining tile
        that matches. A train for which no matching tile remains stays in the set."""
        return {slot for slot in self.targets() if self._is_useful(slot)}

    def _is_useful(self, slot: int) -> bool:
        ends = self.end(slot)
        if self.options["enforce"] == "tiles" or len(ends) > 1 or self.used_up(ends[0]):
            return True
        tiles_of_it = (tiles.tile(ends[0], other) for other in range(self.set + 1))
        return any(t not in self.laid and self.why_not(slot, t) == "ok" for t in tiles_of_it)

    # ---- inputs ----

    def tap(self, slot: int, tile: int, override: bool = False, starter: int | None = None) -> str:
        """Tap a tile on a slot; return the verdict.

        starter: the seat that the hub chose at random to begin, or None
        """
        self.by = self.did = None
        begin = self.phase in ("lobby", "engine")
        if self._has_no_meaning(slot, tile):
            return "not-now"
        if tile >= tiles.size(self.set):
            return "not-in-set"
        if begin:
            return self._lay_engine(slot, tile, starter)
        if tile in self.laid:
            return "on-table"
        if self.phase == "scoring":
            return self._tap_in_scoring(slot, tile)
        if not override:
            verdict = self.why_not(slot, tile)
            if verdict != "ok":
                return verdict
        seat = self.mover
        self._close_notice()
        self._lay(slot, tile)
        return self._accept("laid", seat)

    def _has_no_meaning(self, slot: int, tile: int) -> bool:
        """Return whether a tap on the slot is meaningless in this phase (verdict `not-now`)."""
        if self.phase == "lobby" and not (is_double(tile) and self.may_deal()):
            return True
        if self.phase in ("lobby", "engine"):
            return slot not in self.seats and (slot != E or self.from_hand())
        if self.phase == "play":
            return slot == E
        return self.phase == "finished" or slot not in self.seats

    def press(self, slot: int) -> str:
        self.by = self.did = None
        if slot == M:
            return self._press_mexican_train()
        if slot == E:
            return self._press_engine()
        if slot not in self.seats or self.phase == "lobby":
            return "not-now"
        if self.phase == "engine":
            if self.options["engine"] != "in-hand" or not self.boneyard:
                return "not-now"
            self._take(slot)
            return self._accept("drew", slot)
        if self.phase == "play":
            return self._press_in_play(slot)
        if self.phase == "scoring":
            return self._press_in_scoring(slot)
        return "not-now"

    def _draw(self, seat: int) -> str:
        if self.third:
            return "cover-it"
        self._take(seat)
        self._close_notice()
        self.drawn = self.options["enforce"] == "all"
        return self._accept("drew", seat)

    # ---- the engine ----

    def _lay_engine(self, slot: int, tile: int, starter: int | None) -> str:
        number = tiles.HIGH[tile]
        if not is_double(tile) or self.engine_asked_for() not in (None, number):
            return "not-an-engine"
        if self.phase == "lobby":
            self.open_round()
        if self.from_hand():
            self.counts[slot] -= not self.uncounted()
            self.hands[slot] -= {tile}
        if slot != E:
            self.starter = slot
        elif self.round == 1:
            self.starter = starter
        else:
            assert self.starter is not None
            self.starter = self._next(self.starter)
        self.engine, self.opening = number, tile
        self.laid.add(tile)
        self.used[number] += 1
        self.fresh = set(self.seats)
        self.turn = self.starter
        self.phase = "play"
        return self._accept("opened", self.starter)

    def _press_mexican_train(self) -> str:
        """Press the button of slot M; return the verdict. The seat that most recently forgot to
        give notice is caught and must take a tile. If no seat forgot it, the hub shows the totals,
        and the press does not count as an input."""
        if not self.forgot or self.phase != "play":
            self.did = "showed"
            return "ok"
        seat = self.forgot.pop()
        if self.boneyard:
            self._take(seat)
        return self._accept("caught", seat)

    # ---- a turn ----

    def _close_notice(self) -> None:
        """Record that the seat to move has acted: this seat can no longer be caught, and the
        previous seat can no longer give notice (I1, I2)."""
        if self.turn in self.forgot:
            self.forgot.remove(self.turn)
        late = self.last
        silent = late != self.turn and not self.noticed
        if late is not None and silent and self.counts[late] == 1:
            penalty = self.options["penalty"]
            if penalty == "caught":
                self.forgot.append(late)
            elif penalty == "always" and self.boneyard:
                self._take(late)
        self.last, self.noticed = None, False

    def _lay(self, slot: int, tile: int) -> None:
        seat, double = self.mover, is_double(tile)
        self._join(slot, tile)
        self.hands[seat] -= {tile}
        if not self.uncounted():
            self.counts[seat] = max(0, self.counts[seat] - 1)
        self._cover(slot)
        self._marker_off(seat, slot)
        second, self.owed = self.owed and not self.drawn, double
        self.drawn = False
        self.passes = 0
        if double:
            self.doubles.append(slot)
            self.own.append(slot)
            if slot == seat and self._first_train():
                self.waiting.add(slot)
        if self.counts[seat] == 0:
            first_out = self.lap is None
            self._hand_is_empty(seat, double)
            if self.phase == "scoring" and first_out:
                self.last_tile = seat, slot, double, second
            return
        self._after_a_tile(seat, slot, double, second)

    def _go_on(self, *last_tile: Any) -> None:
        self.last, self.noticed = self.turn, False
        self._after_a_tile(*last_tile)

    def _after_a_tile(self, seat: int, slot: int, double: bool, second: bool) -> None:
        """Update the turn after a tile was laid, if the seat still has tiles in hand.

        second: whether the seat laid a double just before this tile, without a draw in between
        """
        if self.options["enforce"] == "tiles":
            self.last, self.noticed = seat, False
            return
        if slot == seat and self._first_train():
            self.train_turn = True
        third = double and second and self.options["second-double"] == "third"
        self.third = third and not all(self.used_up(self.end(n)[0]) for n in self.own)
        if not double and not (self.train_turn and slot == seat):
            self._turn_over(laid=True)

    def _first_train(self) -> bool:
        """Return whether this first turn of a seat may be a whole train (C2)."""
        if self.turn not in self.fresh or self.options["enforce"] == "tiles":
            return False
        return self.options["first-train"] == "whole"

    def _join(self, slot: int, tile: int) -> None:
        """Add a tile to the end of a train, turned round if necessary."""
        high, low = tiles.HIGH[tile], tiles.LOW[tile]
        match = [number for number in self.end(slot) if shows(tile, number)]
        train = self.trains.get(slot, ())
        if high == low:
            self.ends[slot] = (high,)
        elif match:
            self.ends[slot] = (high + low - match[0],)
        else:
            self.ends[slot] = (high, low)
        if not match:
            self.forced[slot] = self.forced.get(slot, frozenset()) | {len(train)}
        self.trains[slot] = (*train, tile)
        self.laid.add(tile)
        for number in {high, low}:
            self.used[number] += 1

    def _cover(self, slot: int) -> None:
        if slot in self.doubles:
            self.doubles.remove(slot)
            self.waiting.discard(slot)
            if slot in self.own:
                self.own.remove(slot)

    def _marker_off(self, seat: int, slot: int) -> None:
        off = self.options["marker-off"]
        if off == "any-play":
            self.markers.discard(seat)
        elif off == "any-tile" or slot == seat:
            self.markers.discard(slot)

    def _hand_is_empty(self, seat: int, double: bool) -> None:
        if self.lap is not None:
            self._round_over(self.lap)
        elif double and self.options["last-double"] == "lap":
            self.lap = seat
            self.turns_left = len(self.seats)
            self._turn_over(laid=True)
        else:
            self._round_over(seat)

    def _turn_over(self, laid: bool = False) -> None:
        seat = self.mover
        self.fresh.discard(seat)
        self.own = []
        self.drawn = self.owed = self.third = self.train_turn = False
        if laid:
            self.last, self.noticed = seat, False
        if self.lap is not None:
            self.turns_left -= 1
        if (
            self.passes >= len(self.seats)
            or (self.lap is not None and not (self.turns_left and self.doubles))
            or (self.options["boneyard-ends"] == "yes" and not self.boneyard)
        ):
            self._round_over(self.lap)
            return
        self.turn = self._next(seat)

    def _press_in_play(self, seat: int) -> str:
        if self.options["enforce"] == "tiles":
            by = self.turn
            self.turn = self._next(seat) if seat == self.turn else seat
            self.own, self.owed, self.last = [], False, None
            return self._accept("passed", by)
        if seat == self.turn:
            return "cover-it" if self.third else self._press_on_turn(seat)
        return self._press_after_laying(seat)

    def _press_on_turn(self, seat: int) -> str:
        """Press the button of the seat to move; return the verdict. The seat draws, or passes if
        it cannot draw."""
        whole = self.train_turn and not self.owed
        if not whole and not self.drawn and self.boneyard:
            self._take(seat)  # the tile is in the hand before anybody is fined
            self._close_notice()
            self.drawn = True
            return self._accept("drew", seat)
        self._close_notice()
        if whole:
            self._turn_over()
        else:
            self._pass(seat)
        return self._accept("passed", seat)

    def _pass(self, seat: int) -> None:
        due = self.due()
        if due is None:
            opening = self.options["marker-opening"] == "no" and seat not in self.trains
            spared = opening and not self.owed
        else:  # a due double on the seat's own train did not lock it out
            spared = due != seat and self.options["marker-locked"] == "no"
        if not spared:
            self.markers.add(seat)
        if not self.boneyard:
            self.passes += 1
        self._turn_over()

    # ---- counting ----

    def _round_over(self, out: int | None) -> None:
        super()._round_over(self.lap if self.lap is not None else out)
        self.lap = None

    def round_points(self) -> dict[int, int]:
        """Return {seat: points times two} for the round that was counted (K1, K2, K6)."""
        left = self._left_over()
        if self.options["score"] == "penalty":
            return {seat: 2 * points for seat, points in left.items()}
        winners = self._round_winners(left)
        others = sum(points for seat, points in left.items() if seat not in winners)
        share = 2 * others // len(winners)
        return {seat: share if seat in winners else 0 for seat in self.seats}

    def match_is_over(self) -> bool:
        """Return whether the match has had its fixed count of rounds (O3), or a round for every
        engine (O5)."""
        rounds = self.options["rounds"]
        if rounds.isdigit():
            return self.round >= int(rounds)
        if self.options["engine"] in ("pulled", "in-hand"):
            last = self.set if self.options["engines"] == "up" else 0
            return self.round > self._engines().index(last)
        return rounds == "each" and self.round > self.set

    def _best_total(self) -> int:
        return (max if self.options["score"] == "plus" else min)(self.totals.values())

    # ---- what must be seen ----

    def table_view(self) -> dict[str, Any]:
        play = self.phase == "play"
        ends = {slot: self.ends[slot] for slot in sorted(self.ends)}
        return {
            "open": slot_names(self.open_trains()) if play else [],
            "doubles": [slot_name(slot) for slot in self.doubles] if play else [],
            "playable": slot_names(self.playable()) if play else [],
            "ends": {slot_name(n): e[0] if len(e) == 1 else list(e) for n, e in ends.items()},
        }

    def _tiles_on_table(self) -> list[int]:
        return [tile for train in self.trains.values() for tile in train]

    def wrong_chain(self) -> str | None:
        """Return a description of the first train with a tile that does not join its neighbour, or
        None. Overrides are not checked."""
        for slot, train in self.trains.items():
            numbers = {self._engine()}
            for place, tile in enumerate(train):
                match = [number for number in numbers if shows(tile, number)]
                if match:
                    numbers = {tiles.HIGH[tile] + tiles.LOW[tile] - match[0]}
                elif place in self.forced.get(slot, ()):
                    numbers = {tiles.HIGH[tile], tiles.LOW[tile]}
                else:
                    return "train %d is not a chain at %s" % (slot, tiles.text(tile))
        return None
