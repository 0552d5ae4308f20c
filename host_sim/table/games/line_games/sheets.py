# SPDX-License-Identifier: MIT
"""The referee's own copy of the line games' rule sheets: options, variants, houses, hand sizes.

OWN contains the user-made houses that are being played.
"""

from collections.abc import Mapping, Sequence

from host_sim.table.games.referee import Options

# option -> its possible words; the first is the default
VALUES = {
    "doubles": ("every", "first", "two", "one"),  # which doubles have sides, and how many
    "join": ("equal", "sum"),
    "total": ("set", "ten"),  # what two halves add up to where they join by sum
    "opening": ("double", "any"),
    "draw": ("until", "none"),
    "again": ("no", "double"),  # what earns another turn
    "target": ("100", "200", "61", "150"),
    "tie": ("none", "shared", "each"),  # several lowest hands in a blocked round
    "hand": ("sheet", "five"),
    "blank": ("0", "25", "50"),  # pips of 0-0
}

HOUSES: dict[str, dict[str, str]] = {
    "classic": {},
    "matador": {"doubles": "two", "join": "sum", "opening": "any"},
    "tiddle-a-wink": {"doubles": "two", "draw": "none", "again": "double", "target": "200"},
    "draw": {"doubles": "two"},
    "block": {"doubles": "two", "draw": "none"},
}

VARIANTS = {
    "every-double": {"doubles": "every"},
    "first-double": {"doubles": "first"},
    "two-ends": {"doubles": "two"},
    "one-end": {"doubles": "one"},
    "ten": {"total": "ten"},
    "five-each": {"hand": "five"},
    "no-draw": {"draw": "none"},
    "tie-shared": {"tie": "shared"},
    "tie-each": {"tie": "each"},
    "blank-25": {"blank": "25"},
    "blank-50": {"blank": "50"},
    "to-61": {"target": "61"},
    "to-100": {"target": "100"},
    "to-150": {"target": "150"},
    "to-200": {"target": "200"},
}

# of a family: name -> (the house it comes from, {option: word}), as in config.py
OWN: dict[str, tuple[str, dict[str, str]]] = {}

OWN_SET = {"matador": 9}  # the set that a house prescribes; the others do not change it
SETS = (6, 9, 12, 15, 18)
CLASSIC_SEATS = dict(zip(SETS, (4, 6, 7, 7, 7)))
SEATS = {
    "matador": dict(zip(SETS, (4, 8, 8, 8, 8))),
    "tiddle-a-wink": dict(zip(SETS, (5, 10, 10, 10, 10))),
}
CLASSIC_HAND = dict(zip(SETS, (5, 7, 9, 9, 9)))


def options_of(words: Sequence[str]) -> Options:
    """Return the Options of a house and its variants: `options_of(["classic", "two-ends"])`.

    Of contradicting variants, the later one in VARIANTS applies. Raises KeyError for an unknown
    word.
    """
    options = {option: values[0] for option, values in VALUES.items()}
    options.update(HOUSES[sheet_of(words[0])])
    options.update(OWN.get(words[0], ("", {}))[1])
    for word in sorted(words[1:], key=list(VARIANTS).index):
        options.update(VARIANTS[word])
    return Options(options)


def sheet_of(house: str) -> str:
    """Return the house on which a user-made house is based. For any other house, return `house`
    itself."""
    return OWN.get(house, (house,))[0]


def most_seats(house: str, set_: int) -> int:
    """Return the maximum number of seats that can play a house, 4 to 10."""
    return SEATS.get(house, CLASSIC_SEATS)[set_]


def sum_of(options: Mapping[str, str], set_: int) -> int | None:
    """Return the sum that touching halves must make, or None if they must be equal."""
    if options["join"] == "equal":
        return None
    return 10 if options["total"] == "ten" else set_ + 1


def hand_size(house: str, options: Mapping[str, str], set_: int, seats: int) -> int:
    if options["hand"] == "five" or house == "tiddle-a-wink":
        return 5
    if house != "matador":
        return CLASSIC_HAND[set_]
    if set_ == 6:
        return 9 - seats
    return 7 if seats <= 6 else 5
