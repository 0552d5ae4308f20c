# SPDX-License-Identifier: MIT
"""The kinds of games, one folder each. A folder has the same name here and in
firmware/roundhouse/games.

The `__init__` of each folder declares:

    TITLE        the title of the table that compares the game's rule sheets
    NAMES        the console names of the folder's games
    TRAINS       true if a line is a train that belongs to a seat; false if it belongs to all
    POINTS       three rule points (texts like "A3"): for the sets, the seats, the hands
    HOUSES       the houses in the order in which users see them, the easiest first
    LAST         further houses, shown after the HOUSES of all games
    MEASURED     {game: house} for the command `bench`, which plays these houses
    sum_of(game, house, set_)    the sum of touching halves; None if they must be equal

The other modules of a folder are loaded by `part` when they are needed:

    bot             `Players`: players who see their own tiles and the hub
    guide           the game's part of the players' guide
    referee         `Referee`: the rules, written a second time; VALUES: {option: its values}
    soak_players    `Players`: honest and dishonest players, who see everything

The modules next to the folders are shared by all games: what players know about tiles and rule
sheets, and the base classes of the referees and of the soak test's players. Nothing here depends
on the web page or on a hub.
"""

import importlib
from pathlib import Path
from types import ModuleType


def _found() -> dict[str, ModuleType]:
    found = Path(__file__).parent.glob("*/__init__.py*")  # .pyc on the site
    names = sorted(path.parent.name for path in found)
    return {name: importlib.import_module("%s.%s" % (__name__, name)) for name in names}


KINDS = _found()  # {folder: its declaration}
_KIND_OF = {name: kind for kind in KINDS.values() for name in kind.NAMES}
NAMES = tuple(_KIND_OF)


def of(game: str) -> ModuleType:
    """Return the package of a game. Raise KeyError if no game has this console name."""
    return _KIND_OF[game]


def are_trains(game: str) -> bool:
    return _KIND_OF[game].TRAINS


def sum_of(game: str, house: str, set_: int) -> int | None:
    """Return the sum that touching halves must make in a game, or None if they must be equal."""
    return _KIND_OF[game].sum_of(game, house, set_)


def part(game: str, name: str) -> ModuleType:
    """Import a module from a game's folder, such as `bot` or `referee`, and return it."""
    return importlib.import_module("%s.%s" % (_KIND_OF[game].__name__, name))


def offered() -> tuple[str, ...]:
    """Return the names of all houses, in the order in which users see them."""
    kinds = sorted(KINDS.values(), key=lambda kind: not kind.TRAINS)
    return tuple(
        house for what in ("HOUSES", "LAST") for kind in kinds for house in getattr(kind, what)
    )
