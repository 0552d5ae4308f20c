# SPDX-License-Identifier: MIT
"""Small functions about tiles and rules for bots, referees and views. BotTable is the interface of
a table for bots.

`options` is {option: word}, as returned by `options_of`.
"""

from collections.abc import Callable, Container, Mapping
from typing import Any, Protocol

from host_sim.table.games import house_info
from roundhouse import tiles
from roundhouse.games import houses

Move = tuple[int, str]  # a tile, a slot's name
NO_KNOCK = ("free", "jassshop")  # Mexican Train houses without notice of the last tile (I1)
PRESCRIBED = ("pulled", "in-hand")  # values of `engine` with which each round's engine is fixed


class Disagreement(Exception):
    """Raised if the hub's answer or lamps differ from what is expected."""


class BotTable(Protocol):
    """The table at which bots play, as they see it."""

    options: Mapping[str, str]
    set: int
    seats: list[int]
    line: Any  # the hub's last console line, a dict

    @property
    def hands(self) -> Mapping[int, list[int]]:
        """The hands, {seat: tiles}."""

    def own_doubles(self, seat: int) -> list[str]:
        """Return the slots of the open doubles that a seat has laid in its turn."""


def fits(tile: int, ends: Container[int]) -> bool:
    return tiles.HIGH[tile] in ends or tiles.LOW[tile] in ends


def pips(tile: int) -> int:
    return tiles.HIGH[tile] + tiles.LOW[tile]


def left_over(tile: int, options: Mapping[str, str]) -> int:
    """Return the points of a tile that is left in a hand when a round ends (K2, T4)."""
    return pips(tile) if tile else int(options["blank"])


def is_double(tile: int) -> bool:
    return tiles.HIGH[tile] == tiles.LOW[tile]


def options_of(house: int, variants: int) -> dict[str, str]:
    """Return the options of a house, changed by its variants, as {option: value in words}, such as
    {"doubles": "first", ...}.

    house, variants: as houses.parse returns them
    """
    return dict(house_info.in_words(house, houses.preset(house, variants)))


def engine_is_pulled(options: Mapping[str, str]) -> bool:
    """Return whether the engine is set aside before the deal. Otherwise the player who holds the
    engine lays it."""
    return options["engine"] in ("pulled", "any")


def first_engine(options: Mapping[str, str], set_: int) -> int:
    """Return the number of the first round's engine, such as 12 (rule points O4 and O5). The house
    must prescribe an engine.

    set_: the highest number of the set
    """
    word = options["first-engine"]
    if word != "highest":
        return min(int(word), set_)
    return 0 if options["engines"] == "up" else set_


def engine_asked_for(options: Mapping[str, str], set_: int, round_: int) -> int:
    """Return the tile that is the engine of a round (rule points O4 to O6). The house must
    prescribe an engine.

    round_: counted from 1; 0 in the lobby, for the first engine
    """
    later = max(0, round_ - 1)
    step = later if options["engines"] == "up" else -later
    return tiles.double((first_engine(options, set_) + step) % (set_ + 1))


def rounds_of(options: Mapping[str, str], set_: int) -> int | None:
    """Return how many rounds a match has, or None if the sheet does not fix the number (rule
    points O3, O5 and B4)."""
    word = options.get("rounds", "free")
    if word.isdecimal():
        return int(word)
    if options.get("engines") == "up":
        return set_ - first_engine(options, set_) + 1
    if options.get("first-engine", "highest") != "highest":
        return first_engine(options, set_) + 1
    return set_ + 1 if word == "each" else None


def may_follow(
    options: Mapping[str, str],
    drawn: bool,
    own: int,
    is_last: bool,
    has_third: Callable[[], bool],
) -> bool:
    """Return whether a double may be laid after other doubles in the same turn.

    drawn: whether the seat has declared a draw since its last tile
    own: the count of doubles already laid in the turn
    has_third: returns whether another tile of the hand covers this double or the previous one
    """
    if is_last and options["last-two"] == "yes":
        return True
    rule = options["second-double"]
    if rule == "third":
        return own == 1 and not drawn and has_third()
    return rule == "drawn" and bool(drawn)
