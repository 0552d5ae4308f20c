# SPDX-License-Identifier: MIT
"""The rule sheets side by side, from the data the firmware plays by."""

GROUP = "look"
HELP = "the rule sheets side by side"


def options(parser):
    """It has none."""


def run(args):
    from roundhouse import tiles
    from roundhouse.games import houses

    names = houses.HOUSES
    rows = [("option", "point", *names)]
    for row, (option, point, values, _) in enumerate(houses.table(0)):
        words = [values[houses.preset(house)[row]] for house in range(len(names))]
        rows.append((option, point, *words))
    for set_ in tiles.SETS:
        limits = [houses.most_seats(house, set_) for house in range(len(names))]
        rows.append((f"seats, set {set_}", "A1", *(f"2-{most}" for most in limits)))
    for set_ in tiles.SETS:
        hands = []
        for house in range(len(names)):
            seats = range(2, houses.most_seats(house, set_) + 1)
            hands.append(" ".join(str(houses.hand_size(house, set_, n)) for n in seats))
        rows.append((f"hands, set {set_}", "A4", *hands))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(n) for cell, n in zip(row, widths)).rstrip())
    print("\nvariant words, after a house's name:")
    for word, setting in houses.variants(0):
        print("  %-22s %s" % (word, " ".join(setting)))
    return 0
