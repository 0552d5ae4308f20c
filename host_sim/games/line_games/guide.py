# SPDX-License-Identifier: MIT
"""What the player's guide says of a line game: which sentences, by its options."""

from roundhouse import lamps


def total(options, set_):
    """Return what touching halves make with a set, where sums join."""
    return 10 if options["total"] == "ten" else set_ + 1


def matadors(options, set_):
    """Return the tiles that join anything, as words."""
    whole = total(options, set_)
    pairs = [(high, whole - high) for high in range(set_, 0, -1)]
    found = ["%d-%d" % (high, low) for high, low in pairs if 0 < low <= high]
    return ", ".join([*found, "0-0"])


def tiles(house):
    """Return what lies in the picture: the opening tile, a tile that is being tapped, two lines;
    halves that touch are equal, or make the total."""
    top, equal = house.set, house.options["join"] == "equal"
    whole = total(house.options, top)
    if not equal:
        top = min(top, whole - 1)  # a higher one takes matadors alone

    def joins(half):
        return half if equal else whole - half

    first = joins(top)
    lines = [[(first, half), (joins(half), other)] for half, other in ((4, 2), (5, 1))]
    return (top, top), (first, 3), *lines


def sentences(say, house):
    """Return the game in six sentences."""
    options = house.options
    return [
        say("lines.goal", target=options["target"]),
        say("lines.opening_" + options["opening"]),
        say("lines.join_" + options["join"], total=total(options, house.set)),
        say("lines.doubles_" + options["doubles"]),
        say("lines.draw_" + options["draw"]),
        say("lines.over"),
    ]


def rules(say, house):
    """Return what else this house has, each as a sentence."""
    keys = ["lines_rule.%s_%s" % option for option in house.options.items()]
    tiles = matadors(house.options, house.set)
    return [say(key, matadors=tiles) for key in keys if say.has(key)]


def first(say, house):
    """Return what to do before the first turn, step by step."""
    begin = "next" if house.options["again"] == "no" else "again"
    if house.options["opening"] == "any":
        begin = "any"
    return [say("first.join"), say("first.deal_all"), say("first.begin_line_" + begin)]


def turn(say, house):
    """Return what to do on one's own turn."""
    sides = house.options["doubles"] in ("every", "first")
    return [say("turn.lines_" + ("sides" if sides else "ends")), say("turn.light")]


def nothing(say, house):
    """Return what to do where no tile fits."""
    if house.options["draw"] == "none":
        return [say("nothing.lines_none")]
    return [say("nothing.lines_until"), say("nothing.lines_empty")]


def end(say, house):
    """Return what to do with the last tiles, and when a round is over."""
    return [say("end.stuck"), say("end.count"), say("end.points")]


def points(say, house):
    """Return how points are counted, and who wins."""
    options = house.options
    found = [say("points.lines_winner"), say("points.lines")]
    found.append(say("points.target", target=options["target"]))
    if options["blank"] != "0":
        found.append(say("points.blank", pips=options["blank"]))
    return found


def lit(options):
    """Return the six lamps that the guide explains, as (lamp, letter)."""
    told = [(lamps.TURN, "t"), (lamps.TURN, "d"), (lamps.OPEN, "o"), (lamps.ANSWER, "h")]
    told += [(lamps.ANSWER, "g"), (lamps.ANSWER, "r")]
    if options["draw"] == "none":
        told[1] = (lamps.ANSWER, "w")
        told = [told[0], *told[2:], told[1]]
    return told


def when(options):
    """Return the cases that this game has of its own: keys of case and help."""
    found = [("elsewhere", "elsewhere_do"), ("rule", "rule_do")]
    if options["draw"] == "until":
        found.append(("empty", "empty_do"))
    return [*found, ("out", "out_do" if options["again"] == "no" else "out_again_do")]


def trust(options):
    """Return the keys of what the hub trusts here."""
    drawn = ["honest", "press"] if options["draw"] == "until" else ["pass"]
    return ["duty", *drawn, "highest"]
