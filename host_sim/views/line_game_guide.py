# SPDX-License-Identifier: MIT
"""What the player's page says of a line game: its rules in six sentences, from its options."""

from roundhouse import lamps

# A sentence, or a part of one, for each value of an option: how this game is played.
OPENING = {
    "double": "Whoever has the highest double lays it in the middle. Nobody has one: mix and deal "
    "again.",
    "any": "Whoever has the highest double begins with it in the middle; if nobody has one, the "
    "tile with the most pips.",
}
JOIN = {
    "equal": "one half touches an equal number",
    "sum": "the halves that touch make {total}",
}
DOUBLES = {
    "every": "at the end of a line, or at a free side of a double. Every double has four sides, "
    "so that new lines begin there.",
    "first": "at the end of a line, or at one of the four sides of the opening double, where new "
    "lines begin. Later doubles have no sides.",
    "two": "at an end. There is one line, which grows both ways from the opening tile.",
    "one": "at the end. There is one line, which grows one way from the opening tile.",
}
MATADORS = " The matadors {matadors} go anywhere, either way round; next to a blank only they fit."
DRAW = {
    "until": "If nothing fits, take one tile after the other until one does, and lay it; none "
    "left: pass.",
    "none": "If nothing fits, pass. Nobody draws.",
}
AGAIN = {"no": "", "double": " A double, the opening one too, earns another turn."}
TIE = {
    "none": "if several do, nobody scores",
    "shared": "if several do, they share the points",
    "each": "if several do, each of them scores",
}
BLANK = {"0": "", "25": " The double blank counts 25.", "50": " The double blank counts 50."}

PRESS = {
    "until": "take a tile and press; again, until one fits. None left: a press passes.",
    "none": "press: you pass.",
}
LAST_TILE = {
    "no": "press your button twice at once: that was my last tile. While the hub counts more than "
    "one tile, it blinks red and needs a third press.",
    "double": "press your button twice at once: that was my last tile. After a double, press E.",
}

DRAWN = {
    "until": "it has drawn: the next press draws again, or passes when none is left",
    "none": None,
}
# What a lamp tells here, where that is not what it tells of trains; None: it is never lit.
TELLS = {
    (lamps.TURN, "f"): None,
    (lamps.OPEN, "o"): "a line is here, and everybody may go on with it",
    (lamps.OPEN, "x"): "refused, because no line is here, and none may begin",
    (lamps.ANSWER, "h"): "a tile may go here; with no line yet it begins one",
}


def total(options, set_):
    """Return what touching halves make with a set, where sums join."""
    return 10 if options["total"] == "ten" else set_ + 1


def matadors(options, set_):
    """Return the tiles that join anything, as words."""
    whole = total(options, set_)
    pairs = [(high, whole - high) for high in range(set_, 0, -1)]
    found = ["%d-%d" % (high, low) for high, low in pairs if 0 < low <= high]
    return ", ".join([*found, "0-0"])


def sentences(options, set_):
    """Return the rules in six sentences or so.

    options: {option: word} of the house; set_: its highest number.
    """
    sums = {"total": total(options, set_), "matadors": matadors(options, set_)}
    join = "Then clockwise, a tile a turn: %s, " % JOIN[options["join"]]
    third = join + DOUBLES[options["doubles"]]
    if options["join"] == "sum":
        third += MATADORS
    return (
        "Mix all tiles face down. Everybody takes a hand; the rest is the boneyard.",
        OPENING[options["opening"]],
        third.format(**sums),
        DRAW[options["draw"]] + AGAIN[options["again"]] + " Who can play has to.",
        "Whoever lays the last tile wins the round. If nobody can play, whoever holds the fewest "
        "pips does (%s)." % TIE[options["tie"]],
        "The winner gets what each of the others holds, less what the winner holds: with 5 pips "
        "left, 19 and 12 give 14 + 7 = 21. %s points win the match.%s"
        % (options["target"], BLANK[options["blank"]]),
    )


def steps(options, set_):
    """Return what to do at the hub as (when, what), in order."""
    lays = "tap the tile where you lay it: on a slot with a lit open lamp it goes on there"
    if options["doubles"] in ("every", "first"):
        lays += "; on an empty slot it begins a new line at a double."
    else:
        lays += "; on an empty slot it begins a line at the opening tile."
    return (
        ("Join", "press the button of your station; press again to leave."),
        ("Deal", "take your tiles, then somebody presses E."),
        (
            "Begin",
            "tap the opening tile on your own station. %s"
            % (
                "It is your turn again."
                if options["again"] == "double"
                else "It is the next player's turn."
            ),
        ),
        ("Your turn", lays),
        ("Nothing fits", PRESS[options["draw"]]),
        ("The end", "tap your left-over tiles on your own station, then press: done."),
    )


def tells(options):
    """Return {(lamp, letter): what it tells here, or None} where that is not as with trains."""
    no_doubles = dict.fromkeys([(lamps.DOUBLE, "A"), (lamps.DOUBLE, "b")])
    return {**TELLS, **no_doubles, (lamps.TURN, "d"): DRAWN[options["draw"]]}


def when(options):
    """Return what to do in the cases that this game has of its own, as (when, what)."""
    found = [
        (
            "nobody can play any more",
            "press E: the round is over; its lamp pulses where the hub can tell. Between rounds E "
            "ends the match.",
        ),
        ("you are out, the hub says no", LAST_TILE[options["again"]]),
    ]
    if options["draw"] == "until":
        found.append(("the hub thinks that no tile is left", "hold E and press yours: a draw."))
    return found


def takes(hands):
    """Return how many tiles to take, in words.

    hands: {set: (tiles for 2, 3, ... players)}; sets with the same hands are said together.
    """
    rows = {}
    for set_, sizes in hands.items():
        rows.setdefault(tuple(sizes), []).append(str(set_))
    found = []
    for sizes, sets in rows.items():
        runs = []
        for players, size in enumerate(sizes, 2):
            if runs and runs[-1][1] == size:
                runs[-1][2] = players
            else:
                runs.append([players, size, players])
        said = ["%s players %d tiles" % (_range(a, b), size) for a, size, b in runs]
        found.append("<b>double %s</b>: %s" % (", ".join(sets), ", ".join(said)))
    return "; ".join(found) + "."


def _range(first, last):
    return str(first) if first == last else "%d-%d" % (first, last)
