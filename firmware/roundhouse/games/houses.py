# SPDX-License-Identifier: MIT
"""The houses: every rule sheet by its name, whichever game it is for, and a family's own.

A house's number is its place in HOUSES: the sheets of all games first, then config.py's FAMILY,
sorted. It is a name for as long as the hub is on, and is never kept: what a match keeps is the
game, the sheet, the name and the preset, a byte for every row of its sheets' OPTIONS, the value's
place among those of its row. A match takes one while it is in the lobby, on an empty table.
"""

from roundhouse import games, tiles
from roundhouse.constants import NONE
from roundhouse.games.masks import const, put

# ---- numbers of the state, written by `make numbers` ----
_SET = const(0)  # the set's highest number
_GAME = const(1)  # place in games.GAMES
_VARIANTS = const(2)  # mask of the house's variant words
_SHEET = const(6)  # place among the game's HOUSES
_NAME = const(7)  # of a family's house, ASCII; zeros where it is a sheet's own
_PHASE = const(23)  # place in constants.PHASES
_OPENING_TILE = const(90)  # the opening tile, or NONE. A round begins here
_END = const(106)  # the number the next tile of a slot must match
_HANDS = const(130)  # tiles in hand, by seat
_READING = const(197)  # the journal's format under which the match began: see constants.FORMAT
_OPTIONS = const(198)  # the game's: a byte for each of its rows
_USES = b"\x15\x12\x0a\x16"  # game by game: option rows, bytes of its own
# ---- end of the numbers ----

_SHEETS = [
    (game, column)
    for game in range(len(games.GAMES))
    for column in range(len(games.sheets(game).HOUSES))
]
HOUSES = [games.sheets(game).HOUSES[column] for game, column in _SHEETS] + sorted(games.own)


def families(own):
    """Make the houses of config.py's FAMILY the only ones beside the sheets'.

    own: {name: (base house, {option: word, ...}), ...}, at most 10. Raises ValueError with what
    there is where a base, an option or a word does not exist, or a name is taken.
    """
    del HOUSES[len(_SHEETS) :]
    games.own = {}
    for name, (base, options) in own.items():
        place = _place("house", base, HOUSES[: len(_SHEETS)])
        for option, word in options.items():
            setting(place, option, word)
        if name in HOUSES or len(name.split()) != 1 or len(name) > 16:  # the match keeps so many
            raise ValueError("a family's house needs a new name of one word, at most 16 letters")
    if len(own) > 10:
        raise ValueError("10 houses of a family are the most")
    games.own = own
    HOUSES.extend(sorted(own))  # the board's dicts have no order


def _place(what, word, words):
    if word not in words:
        raise ValueError("no %s %s; there are %s" % (what, word, " ".join(words)))
    return words.index(word)


def setting(house, option, word):
    """Return (row, place among its values) of an option and a word; ValueError with those there
    are in the house's game."""
    rows = table(house)
    row = _place("option", option, [row[0] for row in rows])
    return row, _place(option, word, rows[row][2])


def table(house):
    """Return the rows of a house's game as (option, rule point, its values, what each sheet says),
    the last two lists of words."""
    return _rows(_sheets(house))


def _rows(sheets):
    out = []
    for row in sheets.OPTIONS:
        head, values, others = (row + ": ").split(": ")[:3]
        option, point = head.split()
        values, others = values.split(), others.split()
        says = [values[0]] * len(sheets.HOUSES)
        for i in range(0, len(others), 2):
            says[sheets.HOUSES.index(others[i])] = others[i + 1]
        out.append((option, point, values, says))
    return out


def words_of(game, values):
    """Return a preset's values as [(option, word), ...], by the game's place in games.GAMES."""
    return [(row[0], row[2][value]) for row, value in zip(_rows(games.sheets(game)), values)]


def variants(house):
    """Return [(variant word, (option, value)), ...] of a house's game."""
    out = []
    for row in _sheets(house).VARIANTS:
        word, setting = row.split(": ")
        out.append((word, tuple(setting.split())))
    return out


def place(house):
    """Return (the game's place in games.GAMES, the place of its sheet, a family's name or "")."""
    game, column, _ = _sheet(house)
    return game, column, HOUSES[house] if house >= len(_SHEETS) else ""


def _sheet(house):
    """Return (game, its sheet's place, a family's settings)."""
    if house < len(_SHEETS):
        return _SHEETS[house] + ((),)
    base, options = games.own[HOUSES[house]]
    return _SHEETS[HOUSES.index(base)] + (tuple(options.items()),)


def _sheets(house):
    return games.sheets(_sheet(house)[0])


def preset(house, mask=0):
    """Return a house's values, a byte for every row; `mask` has a bit for each variant word."""
    _, column, settings = _sheet(house)
    out = bytearray()
    for _, _, values, says in table(house):
        out.append(values.index(says[column]))
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
    house = _place("house", words[0] if words else "(none)", HOUSES)
    known = [word for word, _ in variants(house)]
    mask = 0
    for word in words[1:]:
        mask |= 1 << _place("variant", word, known)
    return house, mask


def dealt(sheets, name, set_, seats):
    """Return the tiles dealt to each of 2..10 seats, by the module of a game's sheets and the name
    of one of them: its number, or else the largest h <= 16 with seats * h at most 0.8 of the tiles
    besides the engine."""
    hands = sheets.HANDS.get(name, {}).get(set_, ())
    if seats - 2 < len(hands):
        return hands[seats - 2]
    return min(16, (tiles.size(set_) - 1) * 4 // (5 * seats))


# ---- a match takes one ----


def choose(m, house, variants):
    """Play by another house's rules from now on, and with its own set where it has one."""
    s = m.state
    s[_GAME], s[_SHEET], name = place(house)
    s[_NAME:_PHASE] = (name.encode() + bytes(_PHASE - _NAME))[: _PHASE - _NAME]
    put(s, _VARIANTS, variants & 0xFFFF)
    put(s, _VARIANTS + 2, variants >> 16)
    s[_OPTIONS:] = preset(house, variants) + bytes(_USES[2 * s[_GAME] + 1])
    sheets, sheet = m.sheet()
    s[_SET] = sheets.SETS.get(sheet, s[_SET])
    m.load()


def clear(m):
    """Forget the match: an empty lobby with the same rules."""
    m.state[_PHASE:_OPTIONS] = bytes(_OPTIONS - _PHASE)
    m.read_as_today()
    clear_round(m)


def clear_round(m):
    """An empty table: nothing lies, nobody holds a tile."""
    s = m.state
    s[_OPENING_TILE:_READING] = bytes(_READING - _OPENING_TILE)
    s[_OPENING_TILE] = NONE
    for i in range(_END, _HANDS):
        s[i] = NONE
    own = _OPTIONS + len(m.options)
    s[own:] = bytes(len(s) - own)
    m.changed()
