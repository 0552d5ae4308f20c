# SPDX-License-Identifier: MIT
"""The keys at the end of a line that are seldom wanted: which game by which rules, the round's
tiles, what a choice of rules has changed. The hub loads it when it has to tell one of them.

Each function returns text that `console.line` puts behind its own keys, with `, ` before it.
"""

from roundhouse.console import by_slot, quote
from roundhouse.tiles import text


def about(t):
    """Return the keys that say which game is played, by which rules, with which set."""
    names = quote(t.game_name()), quote(t.house_words())
    return ', "game": %s, "house": %s, "set": %d' % (names + (t.set,))


def changed(t, rules):
    """Return the key with the options that the match's `rules`, as they were, had otherwise."""
    return ', "rules": {%s}' % ", ".join(['"%s": "%s"' % one for one in t.changed_options(rules)])


def laid(trains):
    """Return the key with the tiles of the round: {slot: [tile, ...]}."""
    slots = [n for n in range(1, 12) if n in trains]
    return ', "trains": %s' % by_slot(slots, lambda n: _tiles(trains[n]))


def _tiles(laid):
    return "[%s]" % ", ".join(['"%s"' % text(tile) for tile in laid])


def config(t, house, rules):
    """Return the key with config.py's house, in words, where the match is played by other rules:
    `rules` are those of config.py."""
    if (house, rules) == (t.house_words(), t.rules):
        return ""
    return ', "config": ' + quote(house)
