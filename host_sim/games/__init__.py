# SPDX-License-Identifier: MIT
"""The games, a folder each, called as the game's folder in firmware/roundhouse/games.

A folder is found by being there. Its `__init__` says what others have to know of the game:

    TITLE        of all its sheets, side by side
    NAMES        its games, as the console calls them
    TRAINS       whether its lines are trains, which belong to seats; else they are everybody's
    POINTS       the rule points of its sets, seats and hands
    HOUSES       its houses, as they are offered: the easiest sheet first
    LAST         those that are offered behind all others
    MEASURED     {game: the house with which `bench` measures it}
    sum_of(game, house, set_)    what halves that touch add up to; None where they are equal

What stands beside it is loaded by `part`, where it is needed:

    bot          `Players`: how it is played by those who see their own tiles and the hub
    guide        what the player's guide says of it
    referee      `Referee`: its rules once more from the sheets; shares no code with the others

Here are also what all games have in common: honest players' knowledge, the printed sheets, and
what a referee is asked. Nothing here knows a console line, a page or a hub.
"""

import importlib
from pathlib import Path


def _found():
    names = sorted(path.parent.name for path in Path(__file__).parent.glob("*/__init__.py"))
    return {name: importlib.import_module("%s.%s" % (__name__, name)) for name in names}


KINDS = _found()  # {folder: its declaration}
_KIND_OF = {name: kind for kind in KINDS.values() for name in kind.NAMES}
NAMES = tuple(_KIND_OF)


def of(game):
    """Return the declaration of a game, by its name on the console; KeyError where there is none
    such."""
    return _KIND_OF[game]


def are_trains(game):
    """Return whether a game's lines are trains."""
    return _KIND_OF[game].TRAINS


def sum_of(game, house, set_):
    """Return what halves that touch add up to in a game, by its house in words and the set; None
    where they are to be equal."""
    return _KIND_OF[game].sum_of(game, house, set_)


def part(game, name):
    """Return a module of a game's folder, `bot`, `guide` or `referee`."""
    return importlib.import_module("%s.%s" % (_KIND_OF[game].__name__, name))


def offered():
    """Return all houses in the order in which they are offered."""
    kinds = sorted(KINDS.values(), key=lambda kind: not kind.TRAINS)
    return tuple(
        house for what in ("HOUSES", "LAST") for kind in kinds for house in getattr(kind, what)
    )
