# SPDX-License-Identifier: MIT
"""The sheets of the line games as the referee has them: options, variants, houses, hands.

Classic, Matador, Tiddle-a-Wink, Draw and Block are columns of one table. The four functions at
the end are all that the referee asks. A family's houses are in OWN while one is played.
"""

from host_sim.games.tracked_options import TrackedOptions

# option -> the words it may have; the first is the one a house has unless it says another
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

HOUSES = {
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

OWN = {}  # of a family: name -> (the house it comes from, {option: word}), as in config.py

OWN_SET = {"matador": 9}  # the set a house brings along; the others leave it as it is
SETS = (6, 9, 12, 15, 18)
CLASSIC_SEATS = dict(zip(SETS, (4, 6, 7, 7, 7)))
SEATS = {
    "matador": dict(zip(SETS, (4, 8, 8, 8, 8))),
    "tiddle-a-wink": dict(zip(SETS, (5, 10, 10, 10, 10))),
}
CLASSIC_HAND = dict(zip(SETS, (5, 7, 9, 9, 9)))


def options_of(words):
    """Return the TrackedOptions of a house and its variants: `options_of(["classic",
    "two-ends"])`.

    Of two words that contradict each other the later one in VARIANTS counts, in whatever order
    they were said. KeyError where a word is neither.
    """
    options = {option: values[0] for option, values in VALUES.items()}
    options.update(HOUSES[sheet_of(words[0])])
    options.update(OWN.get(words[0], ("", {}))[1])
    for word in sorted(words[1:], key=list(VARIANTS).index):
        options.update(VARIANTS[word])
    return TrackedOptions(options)


def sheet_of(house):
    """Return the house that a family's comes from; another one's is itself."""
    return OWN.get(house, (house,))[0]


def most_seats(house, set_):
    """Return how many may play at most, 4..10; never fewer than 2 play."""
    return SEATS.get(house, CLASSIC_SEATS)[set_]


def hand_size(house, options, set_, seats):
    """Return how many tiles each of so many seats is dealt."""
    if options["hand"] == "five" or house == "tiddle-a-wink":
        return 5
    if house != "matador":
        return CLASSIC_HAND[set_]
    if set_ == 6:
        return 9 - seats
    return 7 if seats <= 6 else 5
