# SPDX-License-Identifier: MIT
"""The lines on the table, as the hub may know them and as they really lie.

A hub cannot see which way round a tile lies, nor at which of two sides a line begins. So what it
knows is kept as *layouts*: for each line every (side it began at, half it leaves free) that agrees
with what was tapped. What really lies there is kept beside it, for honest players have eyes.
"""

import functools

from roundhouse import tiles


def pips(tile):
    return tiles.HIGH[tile] + tiles.LOW[tile]


def is_matador(tile, total):
    """0-0, and every tile without a blank whose halves add up to `total`."""
    return tile == 0 or (tiles.LOW[tile] > 0 and pips(tile) == total)


@functools.cache
def joins_equal(tile, number):
    """Return the halves a tile may leave free where it touches its own number: none or one."""
    high, low = tiles.HIGH[tile], tiles.LOW[tile]
    if number == high:
        return (low,)
    return (high,) if number == low else ()


@functools.cache
def joins_sum(tile, number, total):
    """Return the halves a tile may leave free where touching halves add up to `total`.

    A Matador joins anything, either way round; a blank takes Matadors alone, with a 10 too.
    """
    high, low = tiles.HIGH[tile], tiles.LOW[tile]
    if is_matador(tile, total):
        return tuple({high, low})
    if number == 0:
        return ()
    if number + high == total:
        return (low,)
    return (high,) if number + low == total else ()


class Lines:
    """The lines of one round. options: of the house; set_: highest number; slots: of the board."""

    def __init__(self, options, set_, slots):
        self.options = options
        self.set = set_
        self.slots = slots
        self.begun = {}  # slot -> ((tile, half seen to be free), ...)
        self.layouts = {}  # slot -> {(side it began at or None, half left free)}
        self.undecided = set()  # slots of lines whose second tile may tell where they began
        self.sides = []  # numbers where a line may still begin, for all that a hub knows
        self.room = 0  # how many lines may still begin
        self.seen_sides = []  # the sides that are really free
        self.wrong = set()  # (slot, place in the line) where a tile does not really join

    def clone(self, options):
        """Return a picture that can be changed without changing this one."""
        new = object.__new__(Lines)
        for name, value in self.__dict__.items():
            new.__dict__[name] = value.copy() if type(value) in (dict, set, list) else value
        new.options = options
        return new

    def state(self):
        """Return all that can change, as something that can be compared."""
        return {name: value for name, value in self.__dict__.items() if name != "options"}

    # ---- what may be laid where ----

    def joins(self, tile, number):
        """Return the halves a tile may leave free where it touches a number."""
        if self.options["join"] == "equal":
            return joins_equal(tile, number)
        total = 10 if self.options["total"] == "ten" else self.set + 1
        return joins_sum(tile, number, total)

    def may_begin(self):
        """Return whether one more line may begin."""
        return self.room > 0 and len(self.begun) < len(self.slots)

    def empty(self):
        return [slot for slot in self.slots if slot not in self.begun]

    def ends(self, slot):
        """Return the numbers of which the next tile of a line must join one, higher first."""
        return sorted({free for _, free in self.layouts[slot]}, reverse=True)

    def layouts_with(self, slot, tile):
        """Return the layouts of a slot after this tile; none where it does not join."""
        if slot in self.layouts:
            old = self.layouts[slot]
            return {(start, free) for start, end in old for free in self.joins(tile, end)}
        sides = set(self.sides) if self.room else set()  # what may be free is not, without room
        return {(start, free) for start in sides for free in self.joins(tile, start)}

    def honest_layouts(self, slot, tile):
        """The same for somebody who sees how the tiles lie."""
        if slot in self.begun:
            return {(None, free) for free in self.joins(tile, self.begun[slot][-1][1])}
        sides = set(self.seen_sides)
        return {(start, free) for start in sides for free in self.joins(tile, start)}

    def moves(self, hand):
        """Return the honest (slot, tile) of a hand: those who hold it see how the tiles lie.

        What the hub would refuse because somebody fooled it before is left out.
        """
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

    def dead(self, tiles_left):
        """Return whether none of the tiles that are not on the table fits anywhere any more."""
        numbers = {end for slot in self.begun for end in self.ends(slot)}
        if self.may_begin():
            numbers.update(self.sides)
        return not any(self.joins(tile, number) for tile in tiles_left for number in numbers)

    # ---- laying ----

    def open_with(self, tile):
        """Lay the opening tile in the middle: with it come the first sides."""
        high, low = tiles.HIGH[tile], tiles.LOW[tile]
        rule = self.options["doubles"]
        if high == low:
            self.sides = [high] * {"every": 4, "first": 4, "two": 2, "one": 1}[rule]
        else:
            self.sides = [high] if rule == "one" else [high, low]
        self.room = len(self.sides)
        self.seen_sides = self.sides.copy()

    def lay(self, slot, tile, lie=None):
        """Lay a tile, whether it joins or not. lie: how, one of `honest_layouts`, or any."""
        new = slot not in self.begun
        layouts = self.layouts_with(slot, tile)
        self._lay_really(slot, tile, lie, layouts)
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

    def _lay_really(self, slot, tile, lie, layouts):
        line = self.begun.get(slot, ())
        really = self.honest_layouts(slot, tile)
        if really:
            start, free = lie if lie in really else max(really)
            if start is not None:
                self.seen_sides.remove(start)
        else:  # an override, or a wrong tap that no hub can tell from a right one
            free = max((free for _, free in layouts), default=tiles.HIGH[tile])
            self.wrong.add((slot, len(line)))
        self.begun[slot] = (*line, (tile, free))

    def _beginning(self, slot, layouts, new):
        """Take the side a line began at, where that can be told; return the layouts to keep.

        It can be told by the line's first tile or by its second, or it is never known.
        """
        starts = {start for start, _ in layouts}
        if new and len(starts) > 1:
            self.undecided.add(slot)
            return layouts
        self.undecided.discard(slot)
        if len(starts) == 1 and starts <= set(self.sides):
            self.sides.remove(starts.pop())
        return {(None, free) for _, free in layouts}

    def wrong_chain(self):
        """Return what is no chain, or None."""
        for slot, line in self.begun.items():
            for place in range(1, len(line)):
                (_, end), (tile, free) = line[place - 1], line[place]
                if (slot, place) not in self.wrong and free not in self.joins(tile, end):
                    return "line %d is no chain at %s" % (slot, tiles.text(tile))
        return None
