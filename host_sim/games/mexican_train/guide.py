# SPDX-License-Identifier: MIT
"""What the player's guide says of Mexican Train: which sentences, by the options of a house."""

from roundhouse import lamps


def enforces(options):
    """Return whether the hub knows this table's rules; else it only sees that tiles are real."""
    return options["enforce"] == "all"


def tiles(house):
    """Return what lies in the picture: the engine, a tile that is being tapped, two trains."""
    top = house.set
    return (top, top), (top, 3), [(top, 4), (4, 2)], [(top, 5), (5, 1)]


def sentences(say, house):
    """Return the game in six sentences."""
    options = house.options
    if not enforces(options):
        win = "free.win_plus" if options["score"] == "plus" else "free.win"
        keys = ("own_rules", "begin", "anywhere", "press", "drawn")
        return [*(say("free." + key) for key in keys), say(win)]
    goal = "trains.goal_%s_%s" % (options["rounds"], options["score"])
    return [
        say(goal, rounds=house.set + 1),
        say("trains.engine"),
        say("trains.tile_" + options["mexican"]),
        say("trains.second_" + options["second-tile"]),
        say("trains.lock_" + options["lock"]),
        say("trains.pass_" + options["marker-off"]),
    ]


def rules(say, house):
    """Return what else this house has: of each option whose value is told in a sentence of its
    own, the usual value being told in none."""
    if not enforces(house.options):
        return []
    keys = ["trains_rule.%s_%s" % option for option in house.options.items()]
    return [say(key) for key in keys if say.has(key)]


def first(say, house):
    """Return what to do before the first turn, step by step."""
    engine = house.options["engine"]
    deal = "first.deal_pulled" if engine == "pulled" else "first.deal_all"
    begin = engine
    if engine == "pulled":
        begin = "youngest" if house.sheet == "quebec" else "drawn"
    tile = "%d-%d" % (house.set, house.set)
    return [say("first.join"), say(deal, tile=tile), say("first.begin_" + begin, tile=tile)]


def turn(say, house):
    """Return what to do on one's own turn."""
    if not enforces(house.options):
        return [say("turn.free"), say("turn.light")]
    return [say("turn.trains_" + house.options["mexican"]), say("turn.light")]


def nothing(say, house):
    """Return what to do where no tile fits."""
    if not enforces(house.options):
        return [say("nothing.free"), say("nothing.free_pass")]
    ends = house.options["boneyard-ends"] == "yes"
    return [say("nothing.draw"), say("nothing.then"), *([] if ends else [say("nothing.empty")])]


def end(say, house):
    """Return what to do with the last tiles, and when a round is over."""
    knock = "end.knock" if enforces(house.options) else "end.free"
    return [say(knock), say("end.count"), say("end.points")]


def points(say, house):
    """Return how points are counted, and who wins."""
    options = house.options
    last = "points.%s_%s" % (options["rounds"], options["score"])
    found = [say("points." + options["score"]), say(last, rounds=house.set + 1)]
    if options["blank"] != "0":
        found.append(say("points.blank", pips=options["blank"]))
    if enforces(options) and options["boneyard-ends"] == "no":
        found.append(say("points.blocked"))
    return found


def lit(options):
    """Return the six lamps that the guide explains, as (lamp, letter)."""
    open_double = "A"  # where no double has to be closed, none is ever due
    if options["lock"] == "no" and options["second-tile"] != "double":
        open_double = "a"
    told = [(lamps.TURN, "t"), (lamps.TURN, "d"), (lamps.OPEN, "o"), (lamps.DOUBLE, open_double)]
    told += [(lamps.ANSWER, "g"), (lamps.ANSWER, "r")]
    if not enforces(options):
        told[1] = (lamps.ANSWER, "w")
    return told


def when(options):
    """Return the cases that this game has of its own: keys of case and help."""
    if not enforces(options):
        return [("over", "over_do")]
    found = [("elsewhere", "elsewhere_do"), ("rule", "rule_do")]
    if options["penalty"] != "none":
        found.append(("caught", options["penalty"] + "_do"))
    return [*found, ("empty", "empty_do"), ("out", "out_do"), ("over", "over_do")]


def trust(options):
    """Return the keys of what the hub trusts here."""
    found = ["duty", "honest", "press"] if enforces(options) else ["honest"]
    return [*found, *(["highest"] if options["engine"] == "highest" else [])]
