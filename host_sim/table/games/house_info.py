# SPDX-License-Identifier: MIT
"""Looks up facts about a house in the firmware's rule sheets. The argument `house` is an index in
houses.HOUSES."""

from roundhouse import games, line_keys
from roundhouse.constants import MOST_SEATS, NONE, USUAL_STATIONS
from roundhouse.games import between_rounds, houses
from roundhouse.games.match import Match

MOST = 100  # matches that are kept
_matches: dict[tuple[str, int, str], Match] = {}


def _match(house: int, chosen: int = 0) -> Match:
    """Return the match that answers for a house. It is never played. It is made once for each set
    of rules, because a family's house can get other rules, and another house its number.

    chosen: the variants, as returned by houses.parse
    """
    name = houses.HOUSES[house]
    key = name, chosen, str(games.family.get(name))
    if key not in _matches:
        if len(_matches) == MOST:
            _matches.clear()
        _matches[key] = Match(house, chosen)
    return _matches[key]


def game(house: int) -> str:
    """Return the name of the game that a house plays, such as `mexican-train` or `matador`."""
    return line_keys.game(_match(house))


def sheet(house: int) -> str:
    """Return the name of the rule sheet on which a house is based."""
    return _match(house).sheet()[1]


def stations(seats: int) -> int:
    """Return how many stations the simulated hub has for a count of seats."""
    return USUAL_STATIONS if seats <= USUAL_STATIONS else MOST_SEATS


def own_set(house: int) -> int:
    """Return the highest number of a house's default set."""
    return _match(house).set


def most_seats(house: int, set_: int, chosen: int = 0) -> int:
    """Return the maximum number of seats that can play a house.

    chosen: the variants, as returned by houses.parse
    """
    return between_rounds.max_seats(_match(house, chosen), set_)


def hand_size(house: int, set_: int, seats: int) -> int:
    """Return how many tiles the rule sheet deals to each seat. Variants are ignored.

    seats: the count of seats, 2 to 14
    """
    return houses.hand_size(*_match(house).sheet(), set_, seats)


def fast_game(house: int) -> tuple[int, int] | None:
    """Return the fast game that the rule sheet describes, as (highest number, most seats), or
    None."""
    sheets, name = _match(house).sheet()
    row = sheets.HANDS.get(name, {})
    set_ = min(row, default=0)
    return (set_, most_seats(house, set_)) if row and set_ < own_set(house) else None


def hands(house: int, chosen: int, set_: int) -> list[int] | None:
    """Return the hand sizes for 2, 3, ... seats; 0 where the set has too few tiles. Return None if
    the hub does not know the deal.

    chosen: the variants, as returned by houses.parse
    """
    match = _match(house, chosen)
    found = []
    for seats in range(2, 1 + most_seats(house, set_, chosen)):
        dealt = match.hand_size(set_, seats)
        if dealt == NONE:
            return None
        enough = between_rounds.tiles_left(match, set_, seats, dealt) >= 0
        found.append(dealt if enough else 0)
    while found and not found[-1]:
        found.pop()
    return found


def left(words: str, set_: int, seats: int) -> int | None:
    """Return how many tiles remain to draw from after the deal; negative if the set has too few.
    Return None if the hub does not know the deal, or this program the house.

    words: the house and its variants, as typed on the console
    seats: the count of seats, 2 to 14
    """
    try:
        match = _match(*houses.parse(words.split()))
    except ValueError:
        return None
    dealt = match.hand_size(set_, seats)
    return None if dealt == NONE else between_rounds.tiles_left(match, set_, seats, dealt)


def in_words(house: int, values: bytes | bytearray) -> list[tuple[str, str]]:
    """Return [(option, value in words), ...] for the options of a house.

    values: one byte for each option
    """
    return houses.words_of(houses.identify(house)[0], values)


# Variant words that end in numbers -> some of them, for bots, soaks and tests.
WITH_NUMBERS = {
    "deal-N": ("deal-9-8-6", "deal-any"),
    "rounds-N": ("rounds-2",),
    "first-N": ("first-3",),
}


def variant_words(house: int) -> list[str]:
    """Return the variant words that may follow the name of a house. Numbers in them are
    examples."""
    found = []
    for word, _ in houses.variants(house):
        for text in WITH_NUMBERS.get(word, (word,)):
            try:
                houses.parse([houses.HOUSES[house], text])
            except ValueError:
                continue  # it means nothing in this house
            found.append(text)
    return found


def differences(name: str) -> list[tuple[str, str, str]]:
    """Return how a user-made house differs from the house on which it is based, in the form of
    `changes`. Return [] for any other house."""
    base, own = games.family.get(name, ("", {}))
    return changes(base, dict(own)) if base else []


def changes(base: str, own: dict[str, str]) -> list[tuple[str, str, str]]:
    """Return how the options `own` differ from those of the house `base`: [(option, value, word),
    ...]. `word` is the variant word that sets this value, or "" if there is no such word."""
    house = houses.HOUSES.index(base)
    words = {change: word for word, change in houses.variants(house)}
    found = []
    for option, usual in in_words(house, houses.preset(house)):
        value = str(own.get(option, usual))
        if value != usual:
            word = words.get((option, value), "")
            if not word and (option,) in words and (value == "any" or value[0].isdigit()):
                word = words[option,].replace("N", value.replace(" ", "-"))
            found.append((option, value, word))
    return found
