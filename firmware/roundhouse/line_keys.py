# SPDX-License-Identifier: MIT
"""Makes the JSON keys at the end of some console lines: game and rules, the round's tiles,
changes.

Keys are returned as JSON text that begins with `, `, for `console.input_line` to append. The other
functions turn numbers of a match into words. Loaded when a line needs it.
"""

from roundhouse import constants, games
from roundhouse.console import quote
from roundhouse.games import at
from roundhouse.games.slot_masks import seats_of
from roundhouse.journal import LAID
from roundhouse.tiles import text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from roundhouse.games import _Sheets
    from roundhouse.games.match import Match
    from roundhouse.journal import Journal


def game(t: "Match") -> str:
    """Return the name of the game, such as `mexican-train` or `matador`. t: the Match."""
    return _sheet(t)[0].GAMES[t.state[at.SHEET]]


def house(t: "Match") -> str:
    """Return the house and its variants in words, such as `jassshop no-lock`. t: the Match."""
    sheets, sheet = _sheet(t)
    said = [bytes(t.state[at.NAME : at.PHASE]).decode().rstrip("\0") or sheet]
    for bit, row in enumerate(sheets.VARIANTS):
        if t.variants >> bit & 1:
            word, option = row.split(": ")
            if word.endswith("-N"):  # the option's value takes the place of N
                word = word[:-1] + dict(options(t))[option].replace(" ", "-")
            said.append(word)
    return " ".join(said)


def _sheet(t: "Match") -> "tuple[_Sheets, str]":
    """Return (module, name) of the rule sheet of a match."""
    sheets = games.sheets(t.state[at.GAME])
    return sheets, sheets.HOUSES[t.state[at.SHEET]]


def options(t: "Match", before: bytes = b"") -> list[tuple[str, str]]:
    """Return [(option, value), ...] for the options that differ from `before`, an earlier
    `Match.rules`. If `before` is empty or of another game, return all options."""
    from roundhouse.games import houses  # not needed for a line's trains

    number = t.state[at.GAME]
    now = houses.words_of(number, t.options)
    if before[:1] != t.rules[:1]:
        return now
    was = houses.words_of(number, before[at.PHASE - at.GAME :])
    return [option for option in now if option not in was]


def about(t: "Match") -> str:
    """Return the JSON keys for the game, its rules and its set, and for the stations if their
    numbers have a gap. t: the Match."""
    names = quote(game(t)), quote(house(t))
    said = ', "game": %s, "house": %s, "set": %d' % (names + (t.set,))
    there = t.slots & constants.STATIONS
    if there & there + 2:  # a station is missing before the last one
        stations = ['"%d"' % n for n in seats_of(there)]
        said += ', "stations": [%s]' % ", ".join(stations)
    return said


def changed(t: "Match", rules: bytes) -> str:
    """Return the JSON key with the options that differ from `rules`, an earlier `Match.rules`."""
    return ', "rules": {%s}' % ", ".join(['"%s": "%s"' % one for one in options(t, rules)])


def trains(
    table: "Match", journal: "Journal", meanwhile: "Callable[[], object]"
) -> dict[int, list[int]]:
    """Return the tiles laid in this round as {slot: [tile, ...]}, from the journal.

    This may take long, so meanwhile() is called between inputs.
    """
    found: dict[int, list[int]] = {}
    seen: list[int] = []
    if table.opening == constants.NONE:
        return found
    counted = [table.counted(slot) for slot in range(constants.SLOT_COUNT)]
    for kind, slot, value in journal.inputs():
        meanwhile()
        if kind == constants.TAP and value & 255 == table.opening:
            break
        if kind == constants.TAP and counted[slot]:
            counted[slot] -= 1  # a left-over tile
            seen.append(value & 255)
        elif kind not in (constants.TAP, constants.OVERRIDE, LAID):
            continue
        elif table.is_laid(value & 255) and value & 255 not in seen:
            found.setdefault(slot, []).insert(0, value & 255)
            seen.append(value & 255)
    return found


def laid(trains: dict[int, list[int]]) -> str:
    """Return the JSON key with the tiles of the round. trains: {slot: [tile, ...]}."""
    said = [
        "%s: %s" % (quote(constants.slot_name(n)), _tiles(trains[n]))
        for n in range(1, constants.SLOT_COUNT)
        if n in trains
    ]
    return ', "trains": {%s}' % ", ".join(said)


def _tiles(laid: list[int]) -> str:
    return "[%s]" % ", ".join(['"%s"' % text(tile) for tile in laid])


def behind(slots: "Sequence[int]", place: int) -> str:
    """Return the JSON key that lists the slots whose pixels stop changing if the cable at a place
    is unplugged: the slot at that place and all slots after it."""
    names = [quote(constants.slot_name(slot)) for slot in slots[place:]]
    return ', "pixels": [%s]' % ", ".join(names)


def config(t: "Match", said: str, rules: bytes) -> str:
    """Return the JSON key that names the house of config.py; "" if the match has the rules of that
    house.

    t: the Match.
    said: the house of config.py in words.
    rules: the rules of that house, in the form of `Match.rules`.

    If the match has the same house with other variants or options, the key's value ends in
    `changed`.
    """
    if rules == t.rules:
        return ""
    return ', "config": ' + quote(said + ", changed" if said == house(t) else said)
