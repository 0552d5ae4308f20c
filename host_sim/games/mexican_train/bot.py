# SPDX-License-Identifier: MIT
"""Players of Mexican Train who see only their own tiles and what the hub shows.

They try moves that look right. They do not repeat a refused move in the same turn.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from host_sim.games import tile_rules
from host_sim.games.tile_rules import BotTable, Disagreement, Move, fits, is_double, pips
from roundhouse import tiles

_MOST_TRIED = 3000  # tiles that the search for the longest train tries


def other_half(tile: int, end: int) -> int:
    """Return the number that a tile leaves free when it is laid at the number `end`."""
    return tiles.LOW[tile] if tiles.HIGH[tile] == end else tiles.HIGH[tile]


def longest_train(hand: Sequence[int], end: int) -> list[int]:
    """Return the longest train that can be laid from the tiles of a hand, starting at the number
    `end`. Among equally long trains, return the heaviest. The search stops early for a very large
    hand."""
    best: tuple[tuple[int, int], list[int]] = ((0, 0), [])
    tries = _MOST_TRIED

    def follow(rest: list[int], number: int, laid: list[int], weight: int) -> None:
        nonlocal best, tries
        if (len(laid), weight) > best[0]:
            best = ((len(laid), weight), list(laid))
        for tile in rest:
            if tries > 0 and fits(tile, (number,)):
                tries -= 1
                laid.append(tile)
                others = [one for one in rest if one != tile]
                follow(others, other_half(tile, number), laid, weight + pips(tile))
                laid.pop()

    follow(sorted(hand, key=pips, reverse=True), end, [], 0)
    return best[1]


def end_of(line: Mapping[str, Any], slot: int | str) -> int:
    """Return the number at the end of the train on a slot. If two numbers are possible, return the
    first of them. If the train is empty, return the number of the engine.

    line: the hub's newest console line.
    """
    end = line["ends"].get(str(slot))
    if end is None:
        end = int(line["engine"].split("-")[0])
    return end[0] if isinstance(end, list) else end


class Players:
    """The bots at a table. They decide which tile each seat lays, and when it draws or passes."""

    SURE = False  # the hub may refuse what looks right

    def __init__(self, table: BotTable) -> None:
        self.table = table
        self.options = table.options
        self.own: list[str] = []  # slots of the doubles laid in this turn
        self.passes = 0  # in a row, where the hub does not end a blocked round

    def begin_turn(self) -> None:
        """Forget the doubles laid in the previous turn."""
        self.own = []

    # ---- the engine ----

    def open(self) -> None:
        """Deal, find the engine as the house prescribes, and lay it."""
        t = self.table
        engine = tile_rules.engine_asked_for(t.options, t.set, t.line["round"])
        if tile_rules.engine_is_pulled(self.options):
            t.tap(engine, "E")
            t.deal(engine)
            return
        if t.line["phase"] == "lobby":
            t.press("E")  # the deal is done
        t.deal()
        if self.options["engine"] == "highest":
            while not t.doubles_held():
                t.deal()  # no double is held: mix and deal again
            engine = max(t.doubles_held())[0]
        turn = 0
        while (holder := self._holder(engine)) is None:  # draw for it, clockwise
            t.draw(t.seats[turn % len(t.seats)])
            turn += 1
        t.hands[holder].remove(engine)
        t.tap(engine, str(holder))

    def _holder(self, tile: int) -> int | None:
        return next((seat for seat, hand in self.table.hands.items() if tile in hand), None)

    # ---- a turn ----

    def move(self, seat: int) -> None:
        """Lay one tile. If there is no move, draw or pass."""
        if self.options["enforce"] == "tiles":
            self._move_freely(seat)
        else:
            self.table.lay_or_draw(seat)
            if self.table.line["boneyard"] is None:
                self._end_uncounted(seat)

    def _end_uncounted(self, seat: int) -> None:
        """In a house whose hub does not count tiles, say that the seat is out if its hand is
        empty, or end a blocked round. A round is blocked once every seat has passed twice; one
        pass each is not enough, since a pass may open another train."""
        t = self.table
        did = t.line["did"]
        if not t.hands[seat]:
            self._say_out(seat)
        elif did != "drew" or t.stock:
            self.passes = self.passes + 1 if did == "passed" else 0
            if self.passes == 2 * len(t.seats) and t.line["phase"] == "play":
                t.press("E")

    def _say_out(self, seat: int) -> None:
        """Press the button for "I am out" if the hub does not know that a seat has laid its last
        tile."""
        t = self.table
        self.passes = 0
        if t.line["phase"] != "play":
            return
        if t.line["turn"] == seat:
            t.press("E")  # its turn goes on, as after a double
        for _ in range(2):  # notice, and out
            if t.line["phase"] == "play":
                t.press(seat)

    def _move_freely(self, seat: int) -> None:
        """Lay one matching tile or pass, in a house whose rules the hub does not enforce."""
        t = self.table
        moves = [move for move in self.moves(seat) if move[1] in (str(seat), "M")]
        if moves:
            tile, slot = max(moves, key=lambda move: t.worth(seat, move))
            t.tap(tile, slot)
            t.hands[seat].remove(tile)
        self.passes = 0 if moves else self.passes + 1
        if not t.hands[seat]:
            self._say_out(seat)
            return
        if self.passes == len(t.seats):
            t.press("E")
            self.passes = 0
        else:
            t.press(seat)

    def laid(self, tile: int, slot: str) -> None:
        """Remember a laid tile if it is a double."""
        if is_double(tile):
            self.own.append(slot)

    def knock(self, seat: int) -> None:
        """Give notice of the seat's last tile, unless the same seat moves again."""
        t = self.table
        if len(t.hands[seat]) == 1 and t.line["phase"] == "play" and t.line["turn"] != seat:
            t.press(seat)

    def moves(self, seat: int) -> list[Move]:
        """Return the moves (tile, slot) that look right: the tile matches the train, and the lamps
        show that the train is open to the seat."""
        line, hand, own = self.table.line, self.table.hands[seat], self.own
        engine = int(line["engine"].split("-")[0])
        under_lock = len(line["doubles"]) > len(own) and self.options["lock"] == "yes"
        found = []
        for slot in line["playable"]:
            ends = line["ends"].get(slot, engine)
            ends = ends if isinstance(ends, list) else [ends]
            closing = slot in line["doubles"]
            for tile in hand:
                if not fits(tile, ends):
                    continue
                if is_double(tile) and own and not self._may_double(hand, tile):
                    continue
                if under_lock and not closing and not is_double(tile):
                    continue  # elsewhere only a drawn double may go
                found.append((tile, slot))
        return found

    def _may_double(self, hand: list[int], tile: int) -> bool:
        """Return whether the rule sheet allows this double after the doubles already laid in this
        turn."""
        line, own = self.table.line, self.own

        def has_third() -> bool:
            numbers = [tiles.HIGH[tile], line["ends"][own[0]]]
            return any(fits(t, numbers) for t in hand if not is_double(t))

        is_last = len(hand) == 1
        return tile_rules.may_follow(self.options, line["drawn"], len(own), is_last, has_third)

    def worth(self, seat: int, move: Move) -> float:
        """Return how good a move is: heavy tiles and the trains of other players are preferred."""
        tile, slot = move
        return pips(tile) + (6 if slot != str(seat) else 0)

    def good(self, seat: int, move: Move) -> float:
        """Return how good a move is. In addition to the preferences of `worth`, prefer tiles that
        continue the seat's own train and doubles that the seat can cover."""
        tile, slot = move
        ends = (tiles.HIGH[tile], tiles.LOW[tile])
        follow = sum(fits(one, ends) for one in self.table.hands[seat] if one != tile)
        more = 3 * follow if slot == str(seat) else 0
        return self.worth(seat, move) + more + (8 if is_double(tile) and follow else 0)

    def sharp(self, seat: int, move: Move) -> float:
        """Return how good a move is for the rest of the hand. A tile that leaves a long train for
        the seat's own slot is preferred."""
        tile, slot = move
        line = self.table.line
        rest = [one for one in self.table.hands[seat] if one != tile]
        own = slot == str(seat)
        end = end_of(line, seat)
        train = longest_train(rest, other_half(tile, end) if own else end)
        others = [one for one in rest if one not in train]
        worth = -sum(map(pips, others)) - 5 * len(others) - 0.5 * sum(map(pips, train))
        if is_double(tile) and rest:
            covers = any(fits(one, (tiles.HIGH[tile],)) for one in rest)
            worth += 4 if covers else -12
        if own and str(seat) in line["open"]:
            worth += 6  # the marker goes
        return worth

    def goes_on(self, seat: int, tile: int, slot: str) -> bool:
        """Return whether the seat could continue its own train after this tile."""
        left = other_half(tile, end_of(self.table.line, slot))
        rest = [one for one in self.table.hands[seat] if one != tile]
        return slot == str(seat) and any(fits(one, (left,)) for one in rest)

    def next_tiles(self, seat: int, hand: Sequence[int]) -> list[int]:
        """Return the tiles of a hand that should be laid next, in this order: the hand's longest
        train."""
        return longest_train(hand, end_of(self.table.line, seat))

    def slip(self, seat: int) -> None:
        """Tap a tile on a train that is closed to the seat; the hub must refuse it."""
        t = self.table
        if self.options["enforce"] == "tiles":
            return
        others = [s for s in t.seats if s != seat]
        wrong = [(tile, str(s)) for s in others for tile in t.hands[seat]]
        wrong = [(tile, s) for tile, s in wrong if s not in t.line["playable"]]
        if wrong and t.tap(*t.random.choice(wrong), must=False):
            raise Disagreement("a closed train took a tile")

    # ---- counting ----

    def points(self, pips: Mapping[int, int], out: Sequence[int]) -> Mapping[int, float]:
        """Return {seat: points} for a round.

        pips: {seat: pips left in hand}; out: the seats that went out, none or one.
        """
        if self.options["score"] == "penalty":
            return pips
        low = min(pips.values())
        winners = out or [seat for seat in pips if pips[seat] == low]
        others = sum(pips[seat] for seat in pips if seat not in winners)
        share = 2 * others // len(winners) / 2
        return {seat: share if seat in winners else 0 for seat in pips}
