# SPDX-License-Identifier: MIT
"""The names of people and places at a table in one language, like `Zoe` or `at Bo's station`."""

import re
from collections.abc import Iterable
from typing import Any

from host_sim.app.views import house_words
from host_sim.app.views.i18n import Said, Translator
from host_sim.table.console_line import ConsoleLine
from host_sim.table.player_names import spelling

FIRST_NAMES = (
    *("Ana", "Bo", "Zoe", "Kim", "Leo", "Mia", "Tom"),
    *("Eva", "Max", "Ida", "Pia", "Ben", "Lou", "Jan"),
)


def first_names(seats: Iterable[int | str]) -> dict[str, str]:
    """Return {seat text: an example of a first name} for the given seats."""
    return {str(seat): FIRST_NAMES[int(seat) - 1] for seat in seats}


def bot_names(bots: Iterable[int], people: Iterable[str]) -> dict[int, str]:
    """Return {seat: name}: first names for the bots that differ from those of all people."""
    taken = {spelling(name) for name in people}
    free = [name for name in FIRST_NAMES if spelling(name) not in taken]
    seats = [*bots]
    late = free[max(0, min(seats, default=1) - 1) :]
    return dict(zip(seats, [*late, *free]))


def capitalized(text: str) -> str:
    """Return a text in which each sentence begins with a capital letter."""
    return re.sub(r"(?:^|(?<=[.!] ))[a-zà-ÿ]", lambda found: found[0].upper(), text)


class TableNames:
    """The names of people and places at one table.

    names: {seat text: name}, such as {"3": "Zoe"}; the caller may change it
    you: the seat text of the reader if this player has no name, otherwise ""
    """

    def __init__(self, translator: Translator, names: dict[str, str], you: str = "") -> None:
        self.translator = translator
        self.names = names
        self.you = you
        self.seats: tuple[str, ...] = ()
        self.lines = False

    def use_line(self, line: ConsoleLine) -> None:
        """Set the attributes `seats` and `lines` from a console line about an input."""
        self.seats = tuple(line["scores"])
        self.lines = "sides" in line

    def use_sheet(self, sheet: str) -> None:
        self.translator = Translator(self.translator.language, sheet)

    def name(self, seat: int | str | None) -> str:
        """Return the name of the player at a seat, or `player 3` if the name is unknown."""
        return self.names.get(str(seat)) or self.translator("story.player", number=seat)

    def whose(self, seat: int | str | None) -> str:
        """Return the possessive form of the name of the player at a seat: `Zoe's`, `player
        3's`."""
        name = self.names.get(str(seat))
        if not name:
            return self.translator("story.whose_number", number=seat)
        return self.translator("story.whose", name=name)

    def told(self, key: str, seat: int | str | None, **values: Any) -> Said:
        """Return a sentence about the player at a seat, said to this player if it is the reader.

        key: of the sentence with {name} or {whose}, such as `story.drew`; what is said to the
            reader has the same name in the section [you]
        """
        if str(seat) == self.you:
            return self.translator("you." + key.partition(".")[2], **values)
        named = {"name": self.name(seat), "whose": self.whose(seat)}
        return self.translator(key, **{**named, **values})

    def all_of(self, seats: Iterable[int]) -> str:
        """Return the names of the players at several seats as a list in words: `Ana, Bo and
        Zoe`."""
        *first, last = [self.name(seat) for seat in seats]
        return self.translator("story.and", first=", ".join(first), last=last) if first else last

    def where(self, slot: str) -> str:
        """Return, in words, the place of a slot, such as `at Bo's station` or `on the Mexican
        Train`."""
        return self._place("where", slot)

    def of(self, slot: str) -> str:
        """Return, in words, to which slot a part of the hub belongs, such as `of the station`."""
        return self._place("of", slot)

    def source(self, slot: str) -> str:
        """Return, in words, where a tile must be picked up, such as `from Bo's station`."""
        return self._place("source", slot)

    def train_of(self, slot: str, turn: int | str | None) -> str:
        """Return, in words for the player whose turn it is, where a tile is laid, such as
        `on your train` or, in a line game, `at Bo's end`.

        turn: the seat whose turn it is, or None
        """
        if slot == str(turn) and not self.lines:
            return self.translator("to.own")
        return self._place("to", slot)

    def _place(self, section: str, slot: str) -> str:
        is_named = slot in self.seats and slot in self.names
        if self.lines and (slot in ("M", "E") or section not in ("where", "of")):
            row = "end_of" if is_named else "letter"
        elif slot in ("M", "E"):
            row = slot.lower()
        else:
            row = "seat" if is_named else "number"
        values = {"whose": self.whose(slot), "name": self.names[slot]} if is_named else {}
        return self.translator("%s.%s" % (section, row), slot=slot, **values)

    def is_seat(self, slot: str) -> bool:
        return slot in self.seats

    def tiles(self, count: int) -> str:
        """Return a number of tiles as text, such as `1 tile` or `12 tiles`."""
        return self.translator("story.tiles", count=count)

    def points(self, count: int | float) -> str:
        """Return a number of points as text, such as `1 point` or `25.5 points`."""
        return self.translator("story.points", count=count)

    def house(self, house: str) -> str:
        """Return a description of a house: the name of its rule sheet, and its variants."""
        sheet, *variants = house.split()
        translator = Translator(self.translator.language, sheet)
        known = translator.has("houses." + sheet)
        text = translator("houses.%s.told" % sheet if known else "story.own_house", house=sheet)
        changes = house_words.differences(translator, sheet)
        changes += [house_words.variant(translator, word) for word in variants]
        return house_words.joined(translator, [text, *changes])
