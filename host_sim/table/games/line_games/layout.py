# SPDX-License-Identifier: MIT
"""The lines on the table: what the hub can know about them, and the real ones.

A hub cannot see which half of a tile was left free, nor at which side of the opening tile or of
another double a line began.

A *layout* of a line is a pair (start, free): the number at which the line began, and the number
left free at its end. `start` is None if it does not matter any more.

For each line, this module stores all layouts that agree with the taps: this is all that a hub can
know. It also stores the real layout, which honest players see.
"""

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from host_sim.table.games.line_games import sheets
from host_sim.table.games.referee import Options
from host_sim.table.games.tile_rules import is_double, pips
from roundhouse import tiles

Layout = tuple[int | None, int]  # the side a line began at, if it matters; the half left free


def is_matador(tile: int, total: int) -> bool:
    """Return whether a tile is a matador, and so joins any number. Matadors are 0-0, and the tiles
    without a blank whose halves add up to `total`."""
    return tile == 0 or (tiles.LOW[tile] > 0 and pips(tile) == total)


@functools.cache
def left_free(tile: int, number: int, total: int | None) -> tuple[int, ...]:
    """Return the halves (none, one or two) that a tile may leave free when it is laid at `number`.

    total: the sum of touching halves, or None if they must be equal. A matador joins any number
    with either half; only a matador joins a blank.
    """
    high, low = tiles.HIGH[tile], tiles.LOW[tile]
    if total is None:
        if number == high:
            return (low,)
        return (high,) if number == low else ()
    if is_matador(tile, total):
        return tuple({high, low})
    if number == 0:
        return ()
    if number + high == total:
        return (low,)
    return (high,) if number + low == total else ()


def who_opens(
    hands: Mapping[int, Iterable[int]], options: Mapping[str, str]
) -> tuple[int, int] | None:
    """Return (opening tile, seat that holds it), or None if the tiles must be shuffled again.

    The highest double opens. If no seat holds a double and the options allow any tile, the
    heaviest tile opens; among equally heavy tiles, the higher half decides.

    hands: {seat: tiles}.
    """
    held = [(tile, seat) for seat, hand in hands.items() for tile in hand]
    doubles = [one for one in held if is_double(one[0])]
    if doubles or options["opening"] == "double":
        return max(doubles, default=None)
    return max(held, key=lambda one: (pips(one[0]), one[0]))


class Lines:
    """The lines of one round: the real ones, and what a hub can know about them."""

    def __init__(self, options: Options, set_: int, slots: Sequence[int]) -> None:
        self.options = options
        self.set = set_
        self.slots = slots
        # slot -> ((tile, the half that is really free), ...)
        self.begun: dict[int, tuple[tuple[int, int], ...]] = {}
        self.layouts: dict[int, set[Layout]] = {}  # slot -> the layouts that a hub must allow for
        self.undecided: set[int] = set()  # lines whose second tile may show where they began
        self.sides: list[int] = []  # numbers where a line may begin, as far as a hub can know
        self.room = 0  # how many lines may still begin
        self.seen_sides: list[int] = []  # the sides that are really free
        self.wrong: set[tuple[int, int]] = set()  # (slot, place) where a tile does not join

    def clone(self, options: Options) -> "Lines":
        new = object.__new__(Lines)
        for name, value in self.__dict__.items():
            new.__dict__[name] = value.copy() if type(value) in (dict, set, list) else value
        new.options = options
        return new

    def state(self) -> dict[str, Any]:
        """Return everything that can change, as a value that can be compared."""
        return {name: value for name, value in self.__dict__.items() if name != "options"}

    # ---- what may be laid where ----

    def joins(self, tile: int, number: int) -> tuple[int, ...]:
        """Return the halves that a tile may leave free when it is laid next to a number."""
        return left_free(tile, number, sheets.sum_of(self.options, self.set))

    def may_begin(self) -> bool:
        return self.room > 0 and len(self.begun) < len(self.slots)

    def empty(self) -> list[int]:
        """Return the slots that have no line yet."""
        return [slot for slot in self.slots if slot not in self.begun]

    def ends(self, slot: int) -> list[int]:
        """Return the possible numbers at the end of a line, the higher one first."""
        return sorted({free for _, free in self.layouts[slot]}, reverse=True)

    def layouts_with(self, slot: int, tile: int) -> set[Layout]:
        """Return the layouts (start, free) that a slot's line may have after this tile, as a hub
        can know them. The set is empty if the tile does not fit."""
        if slot in self.layouts:
            old = self.layouts[slot]
            return {(start, free) for start, end in old for free in self.joins(tile, end)}
        sides = set(self.sides) if self.room else set()  # no line may begin without room
        return {(start, free) for start in sides for free in self.joins(tile, start)}

    def honest_layouts(self, slot: int, tile: int) -> set[Layout]:
        """Return the layouts (start, free) in which an honest player may lay this tile on a slot.
        `start` is None if the slot already has a line."""
        if slot in self.begun:
            return {(None, free) for free in self.joins(tile, self.begun[slot][-1][1])}
        sides = set(self.seen_sides)
        return {(start, free) for start in sides for free in self.joins(tile, start)}

    def moves(self, hand: Sequence[int]) -> list[tuple[int, int]]:
        """Return the moves (slot, tile) that are possible with a hand. A tile must fit on the real
        table, and the hub must accept it."""
        found = [
            (slot, tile)
            for slot, line in self.begun.items()
            for tile in hand
            if self.joins(tile, line[-1][1]) and self.layouts_with(slot, tile)
        ]
        empty = self.empty()
        if self.room and empty:
            for tile in hand:
                if self.honest_layouts(empty[0], tile) and self.layouts_with(empty[0], tile):
                    found += [(slot, tile) for slot in empty]
        return found

    def dead(self, tiles_left: Iterable[int]) -> bool:
        """Return True if no tile of `tiles_left` fits on any slot."""
        numbers = {end for slot in self.begun for end in self.ends(slot)}
        if self.may_begin():
            numbers.update(self.sides)
        return not any(self.joins(tile, number) for tile in tiles_left for number in numbers)

    # ---- laying ----

    def open_with(self, tile: int) -> None:
        """Lay the opening tile in the middle of the table."""
        high, low = tiles.HIGH[tile], tiles.LOW[tile]
        rule = self.options["doubles"]
        if high == low:
            self.sides = [high] * {"every": 4, "first": 4, "two": 2, "one": 1}[rule]
        else:
            self.sides = [high] if rule == "one" else [high, low]
        self.room = len(self.sides)
        self.seen_sides = self.sides.copy()

    def lay(self, slot: int, tile: int, layout: Layout | None = None) -> None:
        """Lay a tile, even if it does not fit.

        layout: how the tile really lies, from `honest_layouts`; None to choose one of them
        """
        new = slot not in self.begun
        layouts = self.layouts_with(slot, tile)
        self._lay_really(slot, tile, layout, layouts)
        if new and self.room:
            self.room -= 1
        if not layouts:
            layouts = {(None, tiles.HIGH[tile]), (None, tiles.LOW[tile])}
        if new or slot in self.undecided:
            layouts = self._beginning(slot, layouts, new)
        self.layouts[slot] = layouts
        if tiles.HIGH[tile] == tiles.LOW[tile] and self.options["doubles"] == "every":
            self.sides += [tiles.HIGH[tile]] * 2
            self.seen_sides += [tiles.HIGH[tile]] * 2
            self.room += 2

    def _lay_really(
        self, slot: int, tile: int, layout: Layout | None, layouts: set[Layout]
    ) -> None:
        line = self.begun.get(slot, ())
        really = self.honest_layouts(slot, tile)
        if really:
            start, free = layout if layout in really else max(really)
            if start is not None:
                self.seen_sides.remove(start)
        else:  # an override, or a wrong tap that a hub cannot recognize
            free = max((free for _, free in layouts), default=tiles.HIGH[tile])
            self.wrong.add((slot, len(line)))
        self.begun[slot] = (*line, (tile, free))

    def _beginning(self, slot: int, layouts: set[Layout], new: bool) -> set[Layout]:
        """If a new tile shows at which number its line began, remove this number from `sides`, the
        numbers at which lines may begin. Return the layouts that remain possible.

        layouts: the layouts (start, free) that are possible with the new tile
        new: whether the tile begins the line
        """
        starts = {start for start, _ in layouts}
        if new and len(starts) > 1:
            self.undecided.add(slot)
            return layouts
        self.undecided.discard(slot)
        start = starts.pop() if len(starts) == 1 else None
        if start in self.sides:
            self.sides.remove(start)
        return {(None, free) for _, free in layouts}

    def wrong_chain(self) -> str | None:
        """Return a description of the first line with a tile that does not join its neighbour, or
        None."""
        for slot, line in self.begun.items():
            for place in range(1, len(line)):
                (_, end), (tile, free) = line[place - 1], line[place]
                if (slot, place) not in self.wrong and free not in self.joins(tile, end):
                    return "line %d is not a chain at %s" % (slot, tiles.text(tile))
        return None
