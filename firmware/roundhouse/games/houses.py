# SPDX-License-Identifier: MIT
"""Houses: looks up rule sheets by name: those of all games, and a family's own.

A house's number is its index in HOUSES: first the sheets of all games, then the family's houses,
which are those of FAMILY in config.py, sorted. The numbers are valid only while the hub runs; a
match saves the game, the sheet, the house's name and the preset instead. A preset has one byte per
option: the index of the chosen value in the option's row. This module is loaded only for choices
of rules and the deal.

    >>> from roundhouse import line_keys
    >>> from roundhouse.games import houses
    >>> from roundhouse.games.match import Match
    >>> house, variants = houses.parse(["jassshop", "no-lock"])
    >>> houses.HOUSES[house]
    'jassshop'
    >>> line_keys.house(Match(house, variants))
    'jassshop no-lock'
"""

from roundhouse import games, tiles
from roundhouse.constants import NONE, const
from roundhouse.games import at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from roundhouse.games import _Sheets
    from roundhouse.games.match import Match

    _Row = tuple[str, str, list[str], list[str]]


_MASK_BITS = const(32)  # of the variant words in the state
NAMED = "a family's house needs a new name of at most 16 letters, digits and dashes"
_NOTHING = "-"  # value of a row whose option has fewer numbers

_SHEETS = [
    (game, column)
    for game in range(len(games.GAMES))
    for column in range(len(games.sheets(game).HOUSES))
]
HOUSES: list[str] = [games.sheets(game).HOUSES[column] for game, column in _SHEETS] + sorted(
    games.family
)


def set_family(family: "Mapping[str, tuple[str, Mapping[str, str]]]", added: str = "") -> None:
    """Replace the family's houses, which are those of FAMILY in config.py.

    family: {name: (base house, {option: value, ...}), ...}, with at most 10 houses besides
        `added`.
    added: the name of the house in `family` that a card or a console line added; "" for none.

    Raises ValueError with the valid words if a name is taken or a word does not exist; the family
    is then unchanged.
    """
    before = games.family
    del HOUSES[len(_SHEETS) :]
    try:
        for name, (base, changes) in family.items():
            rows = options(_index("house", base, HOUSES))
            for option, word in changes.items():
                lookup(rows, option, word)
            if name in HOUSES or not is_name(name):
                raise ValueError("%s: %s" % (name, NAMED))
        if len(family) > 10 + (added in family):
            raise ValueError("at most 10 houses")
        games.family = family
        HOUSES.extend(sorted(family))  # the board's dicts have no order
    except ValueError:
        games.family = before
        HOUSES[len(_SHEETS) :] = sorted(before)
        raise
    games.added = added


def is_name(name: object) -> bool:
    """Return whether a house may have this name on cards, in console lines and in the journal."""
    if not isinstance(name, str) or not 0 < len(name) <= 16:  # NAME in the state
        return False
    return not name.encode().lower().strip(b"abcdefghijklmnopqrstuvwxyz0123456789-")


def _add(base: str, changes: "Sequence[str]") -> str:
    """Add the house of a card or a console line to the family's houses, in place of the house
    added before; return the new house's name.

    base: the name of its rule sheet.
    changes: words such as `deal=15-12` and `name=idaho`. Without a name, the house is called
        `own`.
    """
    options = {}
    for word in changes:
        option, _, value = word.partition("=")
        options[option] = value.replace("-", " ") if value.replace("-", "").isdigit() else value
    name = options.pop("name", "own")
    if games.family.get(name) == (base, options):
        return name
    if name in games.family and name != games.added:
        raise ValueError("config.py has another house %s" % name)
    family = {other: games.family[other] for other in games.family if other != games.added}
    family[name] = base, options
    set_family(family, name)
    return name


def _index(what: str, word: str, words: "Sequence[str]") -> int:
    """Return the index of a word in `words`. The last item may be a range such as 1..30; then each
    number of the range has an index.

    Raises ValueError with all words if the word is not in the list.
    """
    low, dots, high = words[-1].partition("..")
    if not dots:
        if word in words:
            return words.index(word)
    elif word in words[:-1]:
        return words.index(word)
    elif word.isdigit() and len(word) < 3 and int(low) <= int(word) <= int(high):
        return len(words) - 1 + int(word) - int(low)
    there = [known for place, known in enumerate(words) if known not in words[:place]]
    raise ValueError("no %s %s; there are %s" % (what, word, " ".join(there)))


def _word(place: int, words: "Sequence[str]") -> str:
    """Return the word at the index `place`; the reverse of `_index`. Raises IndexError if there is
    none."""
    low, dots, high = words[-1].partition("..")
    if not dots or place < len(words) - 1:
        return words[place]
    number = int(low) + place - len(words) + 1
    if number > int(high):
        raise IndexError(place)
    return str(number)


def lookup(rows: "Sequence[_Row]", option: str, text: str) -> list[tuple[int, int]]:
    """Look up an option and its value by their words. The value is one word, such as `first`, or
    several, such as `15 15 12`. rows: the result of options(house), which takes milliseconds to
    make.

    Return [(row, index), ...], one pair for each word: the option's index in `rows`, and the
    value's index in the option's list of values.

    Raises ValueError with the options or values that exist.
    """
    _index("option", option, [row[0] for row in rows])
    places = _places(rows, option)
    words = str(text).split()
    found = []
    for row, word in zip(places, words):
        place = _index(option, word, rows[row][2])
        if word == _NOTHING or len(words) > 1 and place < len(rows[row][2]) - 1:
            raise ValueError("%s %s: only numbers may follow on each other" % (option, text))
        found.append((row, place))
    if len(found) != len(words) or not found:
        raise ValueError("%s %s: 1 to %d words" % (option, text, len(places)))
    return found


def _places(rows: "Sequence[_Row]", option: str) -> list[int]:
    """Return the indexes of an option's rows. rows: the result of options(house)."""
    return [row for row in range(len(rows)) if rows[row][0] == option]


def options(house: int) -> "Sequence[_Row]":
    """Return the options of a house's game as rows (option, rule point, list of values, the
    option's value in each rule sheet)."""
    return _rows(_sheets(house))


def _rows(sheets: "Any") -> "Sequence[_Row]":
    out: list[tuple[str, str, list[str], list[str]]] = []
    before = ""
    for row in sheets.OPTIONS:
        if row == before:  # another row of the same option
            out.append(out[-1])
            continue
        before = row
        head, values, others = (row + ": ").split(": ")[:3]
        option, point = head.split()
        values, others = values.split(), others.split()
        says = [values[0]] * len(sheets.HOUSES)
        for i in range(0, len(others), 2):
            says[sheets.HOUSES.index(others[i])] = others[i + 1]
        out.append((option, point, values, says))
    return out


def words_of(game: int, values: bytes | bytearray) -> list[tuple[str, str]]:
    """Return option values in words, as [(option, value), ...].

    game: the game's index in games.GAMES.
    values: one byte per option, as `preset` returns.

    A value of several numbers is one text, such as `15 15 12`.
    """
    return _words_of(_rows(games.sheets(game)), values)


def _words_of(rows: "Sequence[_Row]", values: bytes | bytearray) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for row, value in zip(rows, values):
        word = _word(value, row[2])
        if word != _NOTHING:
            for i in range(len(found)):
                if found[i][0] == row[0]:
                    found[i] = row[0], found[i][1] + " " + word
                    break
            else:
                found.append((row[0], word))
    return found


def variants(house: int) -> "Sequence[tuple[str, tuple[Any, ...]]]":
    """Return the variant words of a house's game as [(word, (option, value)), ...]. For a word
    like `deal-N`, the pair is (word, (option,)), because N is the value."""
    out = []
    for row in _sheets(house).VARIANTS:
        word, setting = row.split(": ")
        out.append((word, tuple(setting.split())))
    return out


def identify(house: int) -> tuple[int, int, str]:
    """Return (index in games.GAMES, index of the sheet, name). The name is "" for a house that is
    not from FAMILY in config.py."""
    game, column, _ = _sheet(house)
    return game, column, HOUSES[house] if house >= len(_SHEETS) else ""


def _sheet(house: int) -> tuple[int, int, tuple[tuple[str, str], ...]]:
    """Return (index of the game, index of the sheet, changes). The changes of a house from FAMILY
    are (option, value) pairs."""
    if house < len(_SHEETS):
        return _SHEETS[house] + ((),)
    base, options = games.family[HOUSES[house]]
    return _SHEETS[HOUSES.index(base)] + (tuple(options.items()),)


def _sheets(house: int) -> "_Sheets":
    return games.sheets(_sheet(house)[0])


def preset(house: int, chosen: int = 0, rows: "Sequence[_Row] | None" = None) -> bytearray:
    """Return a house's preset: the value of each option as a byte.

    chosen: the variants, as from `parse`.
    rows: the result of options(house), if it is known.
    """
    _, column, settings = _sheet(house)
    sheets = _sheets(house)
    name = sheets.HOUSES[column]
    out = bytearray()
    for row in sheets.OPTIONS:
        place = 0
        if name in row:  # most rows are not split: a board waits for this at power-up
            _, values, others = (row + ": ").split(": ")[:3]
            said = others.split()
            if name in said[::2]:
                place = values.split().index(said[1::2][said[::2].index(name)])
        out.append(place)
    if not settings and not chosen:
        return out
    rows = rows or options(house)
    for option, text in settings:
        _set(out, lookup(rows, option, text))
    numbers = chosen >> _MASK_BITS
    for bit, (_, change) in enumerate(variants(house)):
        if len(change) == 1:
            places = _places(rows, change[0])
            chosen_places = [(row, numbers >> 8 * i & 255) for i, row in enumerate(places)]
            numbers >>= 8 * len(places)
            if chosen >> bit & 1:
                _set(out, chosen_places)
        elif chosen >> bit & 1:
            _set(out, lookup(rows, *change))
    return out


def _set(values: bytearray, places: "Sequence[tuple[int, int]]") -> None:
    for row, place in places:
        values[row] = place


def parse(words: "Sequence[str]") -> tuple[int, int]:
    """Translate words such as `["jassshop", "no-lock", "deal-15-12"]` into (house, chosen).

    house: the house's index in HOUSES.
    chosen: bit n is set if the game's n-th variant word is among `words`. The bits from 32 on hold
        the numbers of words like `deal-N`, one byte each.

    A word with `=`, such as `first-turn=any`, makes a new house, which is added to the family's
    houses (see `_add`).

    Raises ValueError, with the words that exist, for an unknown word; and for a word that has no
    effect together with the others. The family's houses are then unchanged.
    """
    changes = [word for word in words[1:] if "=" in word]
    if not changes:
        return _parse(words)
    before, added = games.family, games.added
    try:
        name = _add(words[0], changes)
        return _parse([name] + [word for word in words[1:] if "=" not in word])
    except ValueError:
        set_family(before, added)
        raise


def _parse(words: "Sequence[str]") -> tuple[int, int]:
    """Like `parse`, for words without `=`."""
    house = _index("house", words[0] if words else "(none)", HOUSES)
    if len(words) == 1 and house < len(_SHEETS):
        return house, 0
    rows = options(house)
    known = variants(house)
    names = [word for word, _ in known]
    mask, numbers = 0, {}
    for word in words[1:]:
        name, dash, text = word.partition("-")
        if word not in names and name + "-N" in names:
            bit = names.index(name + "-N")
            option = known[bit][1][0]
            if text != "any" and not text.replace("-", "").isdigit():
                raise ValueError("no variant %s; after %s- come numbers" % (word, name))
            numbers[bit] = lookup(rows, option, text.replace("-", " "))
        else:
            bit = _index("variant", "" if word.endswith("-N") else word, names)
        mask |= 1 << bit
    chosen = mask
    if numbers:
        shift, of_rows = _MASK_BITS, [row[0] for row in rows]
        for bit, (_, change) in enumerate(known):
            if len(change) == 1:
                for i, (_, place) in enumerate(numbers.get(bit, ())):
                    chosen |= place << shift + 8 * i
                shift += 8 * of_rows.count(change[0])
    _check(house, rows, preset(house, chosen, rows))
    return house, chosen


def _check(house: int, rows: "Sequence[_Row]", values: bytes | bytearray) -> None:
    """Raise ValueError if one of a house's option values has no effect because of its other
    values. rows: the result of options(house)."""
    said = dict(_words_of(rows, values))
    plain = {row[0]: row[2][0] for row in rows if row[2][0] != _NOTHING}
    for row in _sheets(house).MEANINGLESS:
        names, where = row.split(": ")
        option, *words = where.split()
        wrong = [name for name in names.split() if said[name] != plain[name]]
        if wrong and said[option] in words:
            raise ValueError("%s means nothing where %s is %s" % (wrong[0], option, said[option]))


def hand_size(sheets: "_Sheets", name: str, set_: int, seats: int) -> int:
    """Return the count of tiles dealt to each of `seats` seats, 2 or more.

    name: the name of a sheet in the module `sheets`.

    If the sheet gives no count, each seat gets as many tiles as possible: at most 16, and all
    seats together at most 80 % of the set without its engine.
    """
    hands = sheets.HANDS.get(name, {}).get(set_, ())
    if seats - 2 < len(hands):
        return hands[seats - 2]
    return min(16, (tiles.size(set_) - 1) * 4 // (5 * seats))


# ---- a match takes a house ----


def choose(m: "Match", house: int, variants: int) -> None:
    """Give a match the rules of another house, and the set that the house prescribes, if any."""
    s = m.state
    s[at.GAME], s[at.SHEET], name = identify(house)
    s[at.NAME : at.PHASE] = (name.encode() + bytes(at.PHASE - at.NAME))[: at.PHASE - at.NAME]
    s[at.VARIANTS : at.SHEET] = (variants & 0xFFFFFFFF).to_bytes(4, "little")
    s[at.OPTIONS :] = preset(house, variants) + bytes(at.USES[2 * s[at.GAME] + 1] - at.ENDED_AT)
    sheets, sheet = m.sheet()
    s[at.SET] = sheets.SETS.get(sheet, s[at.SET])
    m.load_game()


def clear_match(m: "Match") -> None:
    """Empty the match: a lobby with the same rules and no seats."""
    m.state[at.PHASE : at.OPTIONS] = bytes(at.OPTIONS - at.PHASE)
    m.new_format()
    clear_round(m)


def clear_round(m: "Match") -> None:
    """Clear the table: no tile is laid, and every hand is empty."""
    s = m.state
    s[at.OPENING_TILE : at.READING] = bytes(at.READING - at.OPENING_TILE)
    s[at.OPENING_TILE] = NONE
    for i in range(at.END, at.HANDS):
        s[i] = NONE
    own = at.OPTIONS + len(m.options)
    s[own:] = bytes(len(s) - own)
    m.invalidate()
