# SPDX-License-Identifier: MIT
"""The guide to the line games: chooses sentences by the options of a house."""

from collections.abc import Mapping

from host_sim.table.games.guide_types import Case, House, Letter, Tile, Translate
from roundhouse import lamp_letters


def total(options: Mapping[str, str], set_: int) -> int:
    """Return the sum that touching halves must make, in a house that joins by sums."""
    return 10 if options["total"] == "ten" else set_ + 1


def matadors(options: Mapping[str, str], set_: int) -> str:
    """Return the matadors, the tiles that join any number, as text."""
    whole = total(options, set_)
    pairs = [(high, whole - high) for high in range(set_, 0, -1)]
    found = ["%d-%d" % (high, low) for high, low in pairs if 0 < low <= high]
    return ", ".join([*found, "0-0"])


def tiles(house: House) -> tuple[Tile, Tile, list[Tile], list[Tile]]:
    """Return the tiles in the guide's picture: (opening tile, tile being tapped, tiles of a line,
    tiles of another line)."""
    top, equal = house.set, house.options["join"] == "equal"
    whole = total(house.options, top)
    if not equal:
        top = min(top, whole - 1)  # only matadors join a higher number

    def joins(half: int) -> int:
        return half if equal else whole - half

    first = joins(top)
    one, other = ([(first, half), (joins(half), end)] for half, end in ((4, 2), (5, 1)))
    return (top, top), (first, 3), one, other


def sentences(text: Translate, house: House) -> list[str]:
    """Return six sentences that sum up the game."""
    options = house.options
    return [
        text("lines.goal", target=options["target"]),
        text("lines.opening_" + options["opening"]),
        text("lines.join_" + options["join"], total=total(options, house.set)),
        text("lines.doubles_" + options["doubles"]),
        text("lines.draw_" + options["draw"]),
        text("lines.over"),
    ]


def rules(text: Translate, house: House) -> list[str]:
    """Return the sentences about options with unusual values."""
    changed = [option for option, _, _ in house.changes]
    options = [option for option in house.options.items() if option[0] not in changed]
    keys = ["lines_rule.%s_%s" % option for option in options]
    tiles = matadors(house.options, house.set)
    return [text(key, matadors=tiles) for key in keys if text.has(key)]


def first(text: Translate, house: House) -> list[str]:
    """Return the sentences for what to do before the first turn, step by step."""
    begin = "next" if house.options["again"] == "no" else "again"
    if house.options["opening"] == "any":
        begin = "any"
    return [
        text("first.join"),
        text("first.deal_all"),
        text("first.begin_line_" + begin),
    ]


def turn(text: Translate, house: House) -> list[str]:
    """Return the sentences for what to do on your turn."""
    sides = house.options["doubles"] in ("every", "first")
    return [text("turn.lines_" + ("sides" if sides else "ends")), text("turn.light")]


def nothing(text: Translate, house: House) -> list[str]:
    """Return the sentences for what to do when none of your tiles fits."""
    if house.options["draw"] == "none":
        return [text("nothing.lines_none")]
    return [text("nothing.lines_until"), text("nothing.lines_empty")]


def end(text: Translate, house: House) -> list[str]:
    """Return the sentences about a player's last tiles and the end of a round."""
    return [text("end.stuck"), text("end.count"), text("end.points")]


def points(text: Translate, house: House) -> list[str]:
    """Return the sentences about how points are counted and who wins."""
    options = house.options
    found = [text("points.lines_winner"), text("points.lines")]
    found.append(text("points.target", target=options["target"]))
    if options["blank"] != "0":
        found.append(text("points.blank", pips=options["blank"]))
    found.append(text("points.leaves"))
    return found


def lit(options: Mapping[str, str]) -> list[Letter]:
    """Return the six lamp signals that the guide explains, as pairs (lamp, letter) of
    lamp_letters.LETTERS."""
    shown = [
        (lamp_letters.TURN, "t"),
        (lamp_letters.TURN, "d"),
        (lamp_letters.OPEN, "o"),
        (lamp_letters.ANSWER, "h"),
    ]
    shown += [(lamp_letters.ANSWER, "g"), (lamp_letters.ANSWER, "r")]
    if options["draw"] == "none":
        shown[1] = (lamp_letters.ANSWER, "w")
        shown = [shown[0], *shown[2:], shown[1]]
    return shown


def when(options: Mapping[str, str]) -> list[Case]:
    """Return the troubleshooting cases that occur only in this game, as pairs (key of the problem,
    key of the remedy)."""
    found = [("elsewhere", "elsewhere_do"), ("rule", "rule_do"), ("held", "held_do")]
    if options["draw"] == "until":
        found.append(("empty", "empty_do"))
    return [*found, ("out", "out_do" if options["again"] == "no" else "out_again_do")]


def trust(options: Mapping[str, str]) -> list[str]:
    """Return the keys of the sentences about rules that the hub cannot check."""
    drawn = ["honest", "press"] if options["draw"] == "until" else ["pass"]
    return ["duty", *drawn, "highest"]
