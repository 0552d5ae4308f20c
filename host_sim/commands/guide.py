# SPDX-License-Identifier: MIT
"""The player's guide, a page to print about the game in config.py, its lamps drawn from what the
firmware shows."""

import sys
from pathlib import Path

GROUP = "look"
HELP = "the player's guide to a game, a page to print"


def options(parser):
    parser.add_argument("--house", help="of another game than config.py's: matador ten")
    parser.add_argument("-o", "--out", default="hardware/players.html")


def needs(args):
    return ()


def run(args):
    import config
    from roundhouse.games import houses

    try:
        houses.families(config.FAMILY)
        made = page(args.house or config.HOUSE, config.SET)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    Path(args.out).write_text(made)
    return 0


def page(words, set_=None):
    """Return the guide to a house, "classic first-double", as HTML; ValueError where there is no
    such house. set_: its highest number, None for the house's own."""
    from host_sim.people import sheets
    from host_sim.views import players_page
    from roundhouse import tiles
    from roundhouse.games import houses

    house, variants = houses.parse(words.split())
    set_ = set_ or sheets.own_set(house)
    game = sheets.game(house)
    if game == "mexican-train":
        return players_page.page(words, set_)
    options = dict(sheets.in_words(house, houses.preset(house, variants)))
    # where sums join, a page is about the one set that gives their total
    sets = [set_] if options["join"] == "sum" else tiles.SETS
    return players_page.line_game_page(
        game, words, set_, options, {of: hands(house, of, options) for of in sets}
    )


def hands(house, set_, options):
    """Return the tiles to take for 2, 3, ... players with a set, as many as the house allows."""
    from host_sim.people import sheets

    players = range(2, sheets.most_seats(house, set_) + 1)
    if options["hand"] == "five":
        return [5 for _ in players]
    return [sheets.hand_size(house, set_, count) for count in players]
