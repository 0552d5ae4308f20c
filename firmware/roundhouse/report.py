# SPDX-License-Identifier: MIT
"""The keys at the end of a line that only some lines have: which game by which rules, the round's
tiles, what a choice of rules has changed. The hub loads it when it has to tell one of them.

Those that make keys return text that `console.line` puts behind its own, with `, ` before it; the
others say in words what a match keeps as numbers.
"""

from roundhouse import constants, games
from roundhouse.console import by_slot, quote
from roundhouse.games.masks import const
from roundhouse.journal import LAID
from roundhouse.tiles import text

# ---- numbers of the state, written by `make numbers` ----
_GAME = const(1)  # place in games.GAMES
_SHEET = const(6)  # place among the game's HOUSES
_NAME = const(7)  # of a family's house, ASCII; zeros where it is a sheet's own
_PHASE = const(23)  # place in constants.PHASES
# ---- end of the numbers ----


def game(t):
    """Return the game's name, `mexican-train` or `matador`."""
    return _sheet(t)[0].GAMES[t.state[_SHEET]]


def house(t):
    """Return the house and its variants in words, `jassshop no-lock`."""
    sheets, sheet = _sheet(t)
    said = [bytes(t.state[_NAME:_PHASE]).decode().rstrip("\0") or sheet]
    for bit, row in enumerate(sheets.VARIANTS):
        if t.variants >> bit & 1:
            said.append(row.split(": ")[0])
    return " ".join(said)


def _sheet(t):
    """Return (module, name) of the rule sheet."""
    sheets = games.sheets(t.state[_GAME])
    return sheets, sheets.HOUSES[t.state[_SHEET]]


def options(t, before=b""):
    """Return [(option, word), ...] for what `before`, once the match's `rules`, had otherwise: all
    of them where the game was another one."""
    from roundhouse.games import houses  # not needed for a line's trains

    number = t.state[_GAME]
    now = houses.words_of(number, t.options)
    if before[:1] != t.rules[:1]:
        return now
    was = houses.words_of(number, before[_PHASE - _GAME :])
    return [option for option in now if option not in was]


def about(t):
    """Return the keys that say which game is played, by which rules, with which set, and where a
    station is missing which ones there are."""
    names = quote(game(t)), quote(house(t))
    said = ', "game": %s, "house": %s, "set": %d' % (names + (t.set,))
    there = t.slots & constants.STATIONS
    if there & there + 2:  # one of them is missing before the last: else their number says it
        stations = ['"%d"' % n for n in range(1, 11) if there >> n & 1]
        said += ', "stations": [%s]' % ", ".join(stations)
    return said


def changed(t, rules):
    """Return the key with the options that the match's `rules`, as they were, had otherwise."""
    return ', "rules": {%s}' % ", ".join(['"%s": "%s"' % one for one in options(t, rules)])


def trains(table, journal, meanwhile):
    """Return {slot: [tile, ...]} of this round, from the journal.

    That takes long, late in a round: meanwhile() is called between two of its inputs.
    """
    found = {}
    if table.opening == constants.NONE:
        return found
    counted = [table.counted(slot) for slot in range(12)]
    for kind, slot, value in journal.inputs():
        meanwhile()
        if kind == constants.TAP and value & 255 == table.opening:
            break
        if kind == constants.TAP and counted[slot]:
            counted[slot] -= 1  # a left-over tile
        elif kind in (constants.TAP, constants.OVERRIDE, LAID):
            found.setdefault(slot, []).insert(0, value & 255)
    return found


def laid(trains):
    """Return the key with the tiles of the round: {slot: [tile, ...]}."""
    slots = [n for n in range(1, 12) if n in trains]
    return ', "trains": %s' % by_slot(slots, lambda n: _tiles(trains[n]))


def _tiles(laid):
    return "[%s]" % ", ".join(['"%s"' % text(tile) for tile in laid])


def behind(slots, place):
    """Return the key with the slots whose pixels stand still where a place's cable is off: its own
    and those behind it in the chain."""
    names = [quote(constants.slot_name(slot)) for slot in slots[place:]]
    return ', "pixels": [%s]' % ", ".join(names)


def config(t, said, rules):
    """Return the key with config.py's house, in words, where the match is played by other rules:
    `rules` are those of config.py. Where the house has the same name they were changed there."""
    if rules == t.rules:
        return ""
    return ', "config": ' + quote(said + ", changed" if said == house(t) else said)
