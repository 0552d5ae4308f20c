# SPDX-License-Identifier: MIT
"""The houses: every rule sheet by its name, whichever game it is for, and a family's own.

A game's sheets are two modules of data. One is named in GAMES:

    GAME      the game's name
    HOUSES    the names of its sheets
    SEATS     house -> seats at most with each of tiles.SETS
    HANDS     house -> set -> hands for 2, 3, ... seats

`games.options` has the other, which is read when rules are chosen:

    OPTIONS   a row an option: "its name, rule point: its values: what each sheet says"
    VARIANTS  a row a word after the house's name: "word: option value"

A house's number is its place in HOUSES. A preset has a byte for every row, the value's place among
those of its row.
"""

from roundhouse import games, tiles
from roundhouse.games import mexican_train_sheets

GAMES = (mexican_train_sheets,)

_SHEETS = [(sheets, column) for sheets in GAMES for column in range(len(sheets.HOUSES))]
HOUSES = [sheets.HOUSES[column] for sheets, column in _SHEETS]  # then a family's own
_FREE = HOUSES.index("free")

_family = {}  # place in HOUSES -> (place of the base house, its settings)


def families(own):
    """Make the houses of config.py's FAMILY the only ones beside the sheets'.

    own: {name: (base house, {option: word, ...}), ...}, at most 10. Raises ValueError with what
    there is where a base, an option or a word does not exist, or a name is taken.
    """
    sheets = len(_SHEETS)
    del HOUSES[sheets:]
    _family.clear()
    for name, (base, options) in sorted(own.items()):  # the board's dicts have no order
        place = _place("house", base, HOUSES[:sheets])
        for option, word in options.items():
            setting(place, option, word)
        if name in HOUSES or len(name.split()) != 1 or len(HOUSES) > 15:
            raise ValueError("a family's house wants a new name of one word, and 10 are the most")
        _family[len(HOUSES)] = (place, tuple(options.items()))
        HOUSES.append(name)


def _place(what, word, words):
    if word not in words:
        raise ValueError("no %s %s; there are %s" % (what, word, " ".join(words)))
    return words.index(word)


def setting(house, option, word):
    """Return (row, place among its values) of an option and a word; ValueError with those there
    are in the house's game."""
    options = _rows(house).OPTIONS
    row = _place("option", option, [entry.split()[0] for entry in options])
    return row, _place(option, word, options[row].split(": ")[1].split())


def table(house):
    """Return the rows of a house's game as (option, rule point, its values, what each sheet says),
    the last two lists of words."""
    out = []
    for row in _rows(house).OPTIONS:
        head, values, says = row.split(": ")
        option, point = head.split()
        out.append((option, point, values.split(), says.split()))
    return out


def in_words(house, values):
    """Return a preset's values as [(option, word), ...]."""
    return [(row[0], row[2][value]) for row, value in zip(table(house), values)]


def variants(house):
    """Return [(variant word, (option, value)), ...] of a house's game."""
    out = []
    for row in _rows(house).VARIANTS:
        word, setting = row.split(": ")
        out.append((word, tuple(setting.split())))
    return out


def game(house):
    """Return the name of the game a house plays."""
    return _sheet(house)[0].GAME


def _rows(house):
    return games.options(game(house))


def _sheet(house):
    """Return (its game's sheets, its column, a family's settings); one that is gone is `free`."""
    place, settings = _family.get(house, (house if house < len(_SHEETS) else _FREE, ()))
    return _SHEETS[place] + (settings,)


def preset(house, mask=0):
    """Return a house's values, a byte for every row; `mask` has a bit for each variant word."""
    _, column, settings = _sheet(house)
    out = bytearray()
    for row in _rows(house).OPTIONS:
        _, values, says = row.split(": ")
        out.append(values.split().index(says.split()[column]))
    if mask:
        for bit, (_, change) in enumerate(variants(house)):
            if mask >> bit & 1:
                settings += (change,)
    for option, word in settings:
        row, place = setting(house, option, word)
        out[row] = place
    return out


def parse(words):
    """Return (house, mask of the variants) for a list of words, `["jassshop", "no-lock"]`.

    Raises ValueError with the words there are where one of them does not exist.
    """
    name = words[0] if words else "(none)"
    known = [word for word, _ in variants(HOUSES.index(name) if name in HOUSES else _FREE)]
    mask = 0
    for word in words[1:]:
        mask |= 1 << _place("variant", word, known)
    return _place("house", name, HOUSES), mask


def sheet(house):
    """Return the name of the rule sheet a house comes from: its own, or its base's."""
    sheets, column, _ = _sheet(house)
    return sheets.HOUSES[column]


def most_seats(house, set_):
    """Return how many seats a house allows with a set: 4..10."""
    return _sheet(house)[0].SEATS[sheet(house)][tiles.SETS.index(set_)]


def hand_size(house, set_, seats):
    """Return the tiles dealt to each of 2..10 seats: the sheet's number, or else the largest
    h <= 16 with seats * h at most 0.8 of the tiles besides the engine."""
    table = _sheet(house)[0].HANDS.get(sheet(house), {}).get(set_, ())
    if seats - 2 < len(table):
        return table[seats - 2]
    return min(16, (tiles.size(set_) - 1) * 4 // (5 * seats))
