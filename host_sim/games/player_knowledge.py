# SPDX-License-Identifier: MIT
"""What honest players know of tiles and of a rule sheet, whoever plays them.

options: {option: word}, as `options_of` returns them.
"""

from host_sim.games import house_info
from roundhouse import tiles
from roundhouse.games import houses


class Disagreement(Exception):
    """The hub and somebody at the table differ: who holds tiles, sees lamps, or judges."""


def fits(tile, ends):
    """Return whether a tile shows one of the numbers `ends`."""
    return tiles.HIGH[tile] in ends or tiles.LOW[tile] in ends


def is_double(tile):
    return tiles.HIGH[tile] == tiles.LOW[tile]


def options_of(house, variants):
    """Return {option: word} for a house and its variants as houses.parse returns them."""
    return dict(house_info.in_words(house, houses.preset(house, variants)))


def engine_is_pulled(options):
    """Return whether the engine is taken out before the deal; else it comes from a hand."""
    return options["engine"] in ("pulled", "any")


def engine_asked_for(set_, round_):
    """Return the double with which a round begins where they go down; round_ is 0 in the lobby."""
    return tiles.double(set_ - max(0, round_ - 1))


def may_follow(options, drawn, own, is_last, has_third):
    """Return whether a double may follow on `own` doubles of the same turn.

    drawn: a draw was declared since the last tile; is_last: it is the last tile in hand;
    has_third: called for whether the hand has a third tile, that covers one of two doubles.
    """
    if is_last and options["last-two"] == "yes":
        return True
    rule = options["second-double"]
    if rule == "third":
        return own == 1 and not drawn and has_third()
    return rule == "drawn" and bool(drawn)
