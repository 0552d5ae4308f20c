# SPDX-License-Identifier: MIT
"""What people and places at the table are called, in a language: `Zoe`, `at Bo's station`.

Where a name is known no number is said: a station that somebody plays at is that player's.
"""

import re

from host_sim.views.i18n import Translator

FIRST_NAMES = ("Ana", "Bo", "Zoe", "Kim", "Leo", "Mia", "Tom", "Eva", "Max", "Ida")


def first_names(seats):
    """Return {seat text: a name} for seats that have none: by their station, 1..10."""
    return {str(seat): FIRST_NAMES[int(seat) - 1] for seat in seats}


def sentence(text):
    """Return a text with a capital where a sentence begins: an unknown `player 3` has none."""
    return re.sub(r"(?:^|(?<=[.!] ))[a-zà-ÿ]", lambda found: found[0].upper(), text)


class TablePhrases:
    """The names of one table.

    translator: a Translator; names: {seat text: name}, which may be changed at any time.
    seats: those who play, as texts; lines: whether a line game is played, whose lines belong to
    nobody and where M and E mean nothing. `look` takes both from a console line.
    """

    def __init__(self, translator, names):
        self.translator = translator
        self.names = names
        self.seats = ()
        self.lines = False

    def look(self, line):
        """Take from an input's line who plays, and which kind of game."""
        self.seats = tuple(line["scores"])
        self.lines = "sides" in line

    def words_of(self, sheet):
        """Use another rule sheet's own words from now on."""
        self.translator = Translator(self.translator.language, sheet)

    def name(self, seat):
        """Return who sits at a seat: the name, or `player 3`."""
        return self.names.get(str(seat)) or self.translator("story.player", number=seat)

    def whose(self, seat):
        """Return the same as an owner: `Zoe's`, `player 3's`."""
        name = self.names.get(str(seat))
        if not name:
            return self.translator("story.whose_number", number=seat)
        return self.translator("story.whose", name=name)

    def all_of(self, seats):
        """Return several names: `Ana, Bo and Zoe`."""
        *first, last = [self.name(seat) for seat in seats]
        return self.translator("story.and", first=", ".join(first), last=last) if first else last

    def where(self, slot):
        """Return a place as `at Bo's station`, `on the Mexican Train`."""
        return self._place("where", slot)

    def source(self, slot):
        """Return where a tile is picked up: `from Bo's station`."""
        return self._place("source", slot)

    def _place(self, section, slot):
        if slot in ("M", "E"):
            row = "letter" if self.lines else slot.lower()
        else:
            row = "seat" if slot in self.seats and slot in self.names else "number"
        whose = self.whose(slot) if row == "seat" else ""
        return self.translator("%s.%s" % (section, row), slot=slot, whose=whose)

    def is_seat(self, slot):
        """Return whether somebody plays at a slot."""
        return slot in self.seats

    def tiles(self, count):
        """Return so many tiles: `1 tile`, `12 tiles`."""
        return self.translator("story.tiles", count=count)

    def points(self, count):
        """Return so many points: `1 point`, `25.5 points`."""
        return self.translator("story.points", count=count)

    def house(self, house):
        """Return a house's plain description with its sheet's name, and each of its variants."""
        sheet, *variants = house.split()
        translator = Translator(self.translator.language, sheet)
        known = translator.has("houses." + sheet)
        told = translator("houses.%s.told" % sheet if known else "story.own_house", house=sheet)
        for word in variants:
            if translator.has("variants." + word):
                also = translator("variants.%s.told" % word)
                told = translator("story.also", first=told, second=also)
        return told
