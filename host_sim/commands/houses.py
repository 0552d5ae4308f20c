# SPDX-License-Identifier: MIT
"""Print the rule sheets side by side, from the data that the firmware uses."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

GROUP = "look"
HELP = "print the rule sheets side by side, of all games or of one"


def options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "which", nargs="?", metavar="GAME", help="only this game or house: classic, quebec"
    )


def needs(args: Namespace) -> Sequence[str]:
    return ()


def run(args: Namespace) -> int:
    from host_sim.table.games import house_info
    from roundhouse import games
    from roundhouse.games import houses

    asked = [
        house
        for house, name in enumerate(houses.HOUSES)
        if args.which in (None, name, house_info.game(house))
    ]
    if not asked:
        known = dict.fromkeys([house_info.game(0), *houses.HOUSES])
        print("no %s; there are %s" % (args.which, " ".join(known)), file=sys.stderr)
        return 2
    blocks = []
    for kind, module in enumerate(games.GAMES):
        columns = [house for house in asked if houses.identify(house)[0] == kind]
        if columns:
            blocks.append("\n".join(sheet(module, columns)))
    print("\n\n".join(blocks))
    print("(point: where firmware/RULES.md explains it; hands: for 2, 3, 4 ... players)")
    return 0


def sheet(module: str, columns: Sequence[int]) -> list[str]:
    """Return the table for one kind of game as lines of text. It has a line for each option, then
    lines for sets, seats, hands and variant words.

    module: a key of games.KINDS
    columns: indices in houses.HOUSES
    """
    from host_sim.table.games import KINDS, house_info
    from roundhouse import tiles
    from roundhouse.games import houses

    kind = KINDS[module]
    of_set, of_seats, of_hands = kind.POINTS
    rows = [("option", "point", *(houses.HOUSES[house] for house in columns))]
    says = [dict(house_info.in_words(house, houses.preset(house))) for house in columns]
    points = {option: point for option, point, _, _ in houses.options(columns[0])}
    for option, point in points.items():
        rows.append((option, point, *(words[option] for words in says)))
    rows.append(("set, if none is chosen", of_set, *(str(house_info.own_set(h)) for h in columns)))
    for set_ in tiles.SETS:
        limits = [house_info.most_seats(house, set_) for house in columns]
        rows.append((f"seats, set {set_}", of_seats, *(f"2-{most}" for most in limits)))
    for set_ in tiles.SETS:
        hands = []
        for house in columns:
            seats = range(2, house_info.most_seats(house, set_) + 1)
            hands.append(" ".join(str(house_info.hand_size(house, set_, n)) for n in seats))
        rows.append((f"hands, set {set_}", of_hands, *hands))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    out = [kind.TITLE]
    out += ["  ".join(cell.ljust(n) for cell, n in zip(row, widths)).rstrip() for row in rows]
    out.append("variant words, after a house's name:")
    for word, setting in houses.variants(columns[0]):
        out.append("  %-22s %s" % (word, " ".join([*setting, *numbers(columns[0], *setting)])))
    return out


def numbers(house: int, option: str, *value: str) -> list[str]:
    """Return the values that N can have in a variant word such as `deal-N`: ranges such as
    `1..30`, or `any`. Return [] if `value` is given.

    value: the value that the variant word sets; given only for a word without N
    """
    from roundhouse.games import houses

    if value:
        return []
    values = next(row[2] for row in houses.options(house) if row[0] == option)
    return [word for word in values if word == "any" or ".." in word]
