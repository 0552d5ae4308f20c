# SPDX-License-Identifier: MIT
"""The player's guide, two sides of A4 to print, for the house in config.py or for another one, in
any of the languages; its lamps are drawn from what the firmware shows."""

import sys
from pathlib import Path

from host_sim import arguments
from host_sim.views.languages import LANGUAGES
from roundhouse import tiles

GROUP = "look"
HELP = "the player's guide to a game, two sides to print"


def options(parser):
    parser.add_argument("--house", help="of another game than config.py's: matador ten")
    parser.add_argument(
        "--set", type=int, choices=tiles.SETS, help="config.py's, or the game's own"
    )
    parser.add_argument("--language", default="en", help=", ".join(LANGUAGES))
    parser.add_argument(
        "-o",
        "--out",
        type=arguments.written_file,
        help="where it is put: build/players.html, and so on",
    )


def needs(args):
    return ()


def run(args):
    import config
    from roundhouse.games import houses

    try:
        houses.families(config.FAMILY)
        made = page(args.house or config.HOUSE, args.set or config.SET, args.language)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    words = (args.house or "").split() + ([str(args.set)] if args.set else [])
    name = "-".join(["players", *words]) + ("" if args.language == "en" else "." + args.language)
    to = Path(args.out or "build/%s.html" % name)
    if not args.out:
        to.parent.mkdir(exist_ok=True)
    to.write_text(made, encoding="utf-8")
    print("%s: two pages to print" % to)
    return 0


def page(words, set_=None, language="en"):
    """Return the guide to a house, "classic first-double", as HTML; ValueError where there is no
    such house or language. set_: its highest number, None for the house's own."""
    from host_sim.views import guide

    return guide.page(house(words, set_), language)


def house(words, set_=None):
    """Return what the guide has to know of a house, asked of the firmware."""
    from host_sim.games import house_info
    from host_sim.views import guide
    from roundhouse.games import houses

    number, variants = houses.parse(words.split())
    set_ = set_ or house_info.own_set(number)
    options = dict(house_info.in_words(number, houses.preset(number, variants)))
    players = range(2, house_info.most_seats(number, set_) + 1)
    hands = [house_info.hand_size(number, set_, count) for count in players]
    if options.get("hand") == "five":
        hands = [5 for _ in players]
    return guide.House(
        house_info.game(number), words, house_info.sheet(number), set_, options, hands
    )
