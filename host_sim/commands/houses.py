# SPDX-License-Identifier: MIT
"""The rule sheets side by side, from the data the firmware plays by: a table for each kind of
game, a column for each house."""

import sys

GROUP = "look"
HELP = "the rule sheets side by side, of all games or of one"


def options(parser):
    parser.add_argument(
        "which", nargs="?", metavar="GAME", help="one game or one house alone: classic, quebec"
    )


def needs(args):
    return ()


def run(args):
    from host_sim.games import house_info
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
        columns = [house for house in asked if houses.place(house)[0] == kind]
        if columns:
            blocks.append("\n".join(sheet(module, columns)))
    print("\n\n".join(blocks))
    print("(point: where firmware/RULES.md explains it; hands: for 2, 3, 4 ... players)")
    return 0


def sheet(module, columns):
    """Return the lines for one kind of game: its options, sets, seats and hands, then its words.

    module: its name in games.GAMES; columns: the houses to show, places in houses.HOUSES.
    """
    from host_sim.games import KINDS, house_info
    from roundhouse import tiles
    from roundhouse.games import houses

    kind = KINDS[module]
    of_set, of_seats, of_hands = kind.POINTS
    rows = [("option", "point", *(houses.HOUSES[house] for house in columns))]
    presets = [houses.preset(house) for house in columns]
    for row, (option, point, values, _) in enumerate(houses.table(columns[0])):
        rows.append((option, point, *(values[preset[row]] for preset in presets)))
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
        out.append("  %-22s %s" % (word, " ".join(setting)))
    return out
