# SPDX-License-Identifier: MIT
"""The guide to Mexican Train: chooses sentences by the options of a house."""

from collections.abc import Mapping

from host_sim.table.games.guide_types import Case, House, Letter, Tile, Translate
from roundhouse import lamp_letters

OPEN_HANDS = ("original", "quebec")  # sheets that tell of hands laid open


def enforces(options: Mapping[str, str]) -> bool:
    """Return whether the hub enforces the rules. If it does not, it only checks that a tile
    belongs to the set and is not yet on the table."""
    return options["enforce"] == "all"


def tiles(house: House) -> tuple[Tile, Tile, list[Tile], list[Tile]]:
    """Return the tiles in the guide's picture: (engine, tile being tapped, tiles of a train, tiles
    of another train)."""
    top = engines(house)[0]
    a, b, c, d, e = [half for half in (3, 4, 2, 5, 1, 0) if half != top][:5]
    return (top, top), (top, a), [(top, b), (b, c)], [(top, d), (d, e)]


def engines(house: House) -> list[int]:
    """Return the numbers of the engines, in the order of the rounds. Without a fixed count of
    rounds, the list ends at 0, or at the highest number if the engines rise."""
    top, options = house.set, house.options
    first, step = top, -1
    if options["engines"] == "up":
        first, step = 0, 1
    if options["first-engine"] != "highest":
        first = min(top, int(options["first-engine"]))
    count = top - first + 1 if step > 0 else first + 1
    if options["rounds"].isdigit():
        count = int(options["rounds"])
    return [(first + step * n) % (top + 1) for n in range(count)]


def counts(options: Mapping[str, str]) -> bool:
    """Return whether the hub knows how many tiles are dealt."""
    return options["deal"] != "any"


def _ending(options: Mapping[str, str]) -> str:
    """Return the ending that some sentence keys have for these options, such as `each_penalty` or
    `free_plus`."""
    rounds = "free" if options["rounds"] == "free" else "each"
    return "%s_%s" % (rounds, options["score"])


def sentences(text: Translate, house: House) -> list[str]:
    """Return six sentences that sum up the game."""
    options = house.options
    if not enforces(options):
        win = "free.win_plus" if options["score"] == "plus" else "free.win"
        keys = ("own_rules", "begin", "anywhere", "press", "drawn")
        return [*(text("free." + key) for key in keys), text(win)]
    return [
        text("trains.goal_" + _ending(options), count=len(engines(house))),
        text("trains.engine"),
        text("trains.tile_" + options["mexican"]),
        text("trains.second_" + options["second-tile"]),
        text("trains.lock_" + options["lock"]),
        text("trains.pass_" + options["marker-off"]),
    ]


def rules(text: Translate, house: House) -> list[str]:
    """Return a sentence for each option whose value needs explaining, except default values."""
    options = house.options
    found = [] if counts(options) else [text("trains_rule.deal_any")]
    if not enforces(options):
        return found
    changed = [option for option, _, _ in house.changes]
    taken = (*_DECIDED, *changed, *(() if counts(options) else _COUNTED))
    keys = ["trains_rule.%s_%s" % option for option in options.items() if option[0] not in taken]
    found += [text(key) for key in keys if text.has(key)]
    numbers = engines(house)
    if options["first-engine"] != "highest" and "first-engine" not in changed:
        found.append(text("trains_rule.first-engine", tile=_double(numbers[0])))
    if options["engines"] == "up" and "engines" not in changed:
        found.append(text("trains_rule.engines_up"))
    if house.fast and house.set >= house.fast[0] and options["deal"] == "sheet":
        low, most = house.fast
        key = "trains_rule.put_aside" if house.set == low else "trains_rule.fast"
        found.append(text(key, more=low + 1, tile=_double(low), most=most))
    if house.sheet in OPEN_HANDS:
        found.append(text("trains_rule.open_hands"))
    for one, other in zip(numbers, numbers[1:]):
        if abs(one - other) > 1:
            found.append(text("trains_rule.engines_again", tile=_double(one), next=_double(other)))
            break
    return found


_DECIDED = ("deal", "first-engine", "engines")  # explained by other sentences
_COUNTED = ("penalty", "boneyard-ends")  # rules that need a count


def _double(number: int) -> str:
    return "%d-%d" % (number, number)


def first(text: Translate, house: House) -> list[str]:
    """Return the sentences for what to do before the first turn, step by step."""
    engine = house.options["engine"]
    deal = "first.deal_pulled" if engine == "pulled" else "first.deal_all"
    deal += "" if counts(house.options) else "_any"
    begin = engine
    if engine == "pulled":
        begin = "youngest" if house.sheet == "quebec" else "drawn"
    tile = _double(engines(house)[0])
    step = text("first." + house.options["engines"])
    return [
        text("first.join"),
        text(deal, tile=tile),
        text("first.begin_" + begin, tile=tile, step=step),
    ]


def turn(text: Translate, house: House) -> list[str]:
    """Return the sentences for what to do on your turn."""
    if not enforces(house.options):
        return [text("turn.free"), text("turn.light")]
    return [text("turn.trains_" + house.options["mexican"]), text("turn.light")]


def nothing(text: Translate, house: House) -> list[str]:
    """Return the sentences for what to do when none of your tiles fits."""
    if not enforces(house.options):
        return [text("nothing.free"), text("nothing.free_pass")]
    found = [text("nothing.draw"), text("nothing.then")]
    if not counts(house.options):
        found.append(text("nothing.empty_any"))
    elif house.options["boneyard-ends"] == "no":
        found.append(text("nothing.empty"))
    return found


def end(text: Translate, house: House) -> list[str]:
    """Return the sentences about a player's last tiles and the end of a round."""
    knock = "end.knock" if enforces(house.options) else "end.free"
    count = "end.count" if counts(house.options) else "end.count_any"
    return [text(knock), text(count), text("end.points")]


def points(text: Translate, house: House) -> list[str]:
    """Return the sentences about how points are counted and who wins."""
    options = house.options
    last = text("points." + _ending(options), count=len(engines(house)))
    found = [text("points." + options["score"]), last]
    if options["blank"] != "0":
        found.append(text("points.blank", pips=options["blank"]))
    if enforces(options) and options["boneyard-ends"] == "no" and counts(options):
        found.append(text("points.blocked"))
    found.append(text("points.leaves"))
    return found


def lit(options: Mapping[str, str]) -> list[Letter]:
    """Return the six lamp signals that the guide explains, as pairs (lamp, letter) of
    lamp_letters.LETTERS."""
    open_double = "A"  # a double that must be covered next
    if options["lock"] == "no" and options["second-tile"] != "double":
        open_double = "a"
    shown = [
        (lamp_letters.TURN, "t"),
        (lamp_letters.TURN, "d"),
        (lamp_letters.OPEN, "o"),
        (lamp_letters.DOUBLE, open_double),
    ]
    shown += [(lamp_letters.ANSWER, "g"), (lamp_letters.ANSWER, "r")]
    if not enforces(options):
        shown[1] = (lamp_letters.ANSWER, "w")
    return shown


def when(options: Mapping[str, str]) -> list[Case]:
    """Return the troubleshooting cases that occur only in this game, as pairs (key of the problem,
    key of the remedy)."""
    held = [("held", "held_do")] if counts(options) else []
    if not enforces(options):
        return [*held, ("over", "over_do")]
    found = [("elsewhere", "elsewhere_do"), ("rule", "rule_do"), *held]
    if not counts(options):
        return [*found, ("out", "out_again_do"), ("over", "over_do")]
    if options["penalty"] != "none":
        found.append(("caught", options["penalty"] + "_do"))
    return [*found, ("empty", "empty_do"), ("out", "out_do"), ("over", "over_do")]


def trust(options: Mapping[str, str]) -> list[str]:
    """Return the keys of the sentences about rules that the hub cannot check."""
    honest = "honest" if counts(options) else "honest_any"
    found = ["duty", honest, "press"] if enforces(options) else [honest]
    return [*found, *(["highest"] if options["engine"] == "highest" else [])]
