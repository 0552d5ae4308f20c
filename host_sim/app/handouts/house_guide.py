# SPDX-License-Identifier: MIT
"""The player's guide to a house, filled in from the firmware's rule sheets."""

from host_sim.app.handouts import guide
from host_sim.table.games import house_info
from roundhouse import games
from roundhouse.games import houses


def page(words: str, set_: int | None = None, language: str = "en") -> str:
    """Return the player's guide to a house as an HTML page. Raises ValueError for an unknown house
    or language.

    words: the house as typed on the console, like "classic first-double"
    set_: the highest number on the tiles, or None for the usual set
    """
    return guide.page(house(words, set_), language)


def house(words: str, set_: int | None = None) -> guide.House:
    """Return the House with everything that the guide needs to know.

    words, set_: as for `page`
    """
    number, variants = houses.parse(words.split())
    set_ = set_ or house_info.own_set(number)
    options = dict(house_info.in_words(number, houses.preset(number, variants)))
    sheet = house_info.sheet(number)
    is_family = words.split()[0] in games.family
    hands = house_info.hands(number, variants, set_)
    return guide.House(
        *(house_info.game(number), words, sheet, set_, options, hands),
        house_info.changes(sheet, options) if is_family else [],
        house_info.most_seats(number, set_, variants) if hands is None else len(hands) + 1,
        house_info.fast_game(number),
    )
