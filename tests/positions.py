# SPDX-License-Identifier: MIT
"""Positions for tests, made by inputs: words instead of bytes."""

from roundhouse import commands, constants, tags, tiles
from roundhouse.games import houses
from roundhouse.games.match import Match


def new(house="puremco", set_=None):
    """Return a table in its lobby: `new("jassshop no-lock")`; without a set the house's own."""
    index, variants = houses.parse(house.split())
    return Match(index, variants, set_)


def tile(text):
    meaning = tags.parse(text)
    return tiles.tile(meaning[1], meaning[2])


def do(t, line):
    """Carry out `tap 12-5 3`, `override 7-1 M`, `press 3`, or a console line; return the verdict.

    Several inputs are parted by commas; the last one's verdict is returned.
    """
    verdict = None
    for part in line.split(","):
        parts = part.split()
        if parts[0] in ("tap", "override"):
            kind = constants.TAP if parts[0] == "tap" else constants.OVERRIDE
            verdict = t.apply(kind, constants.slot_number(parts[2]), tile(parts[1]))
        elif parts[0] in ("press", "draw"):
            kind = constants.PRESS if parts[0] == "press" else constants.DRAW
            verdict = t.apply(kind, constants.slot_number(parts[1]))
        else:
            kind, slot, value = commands.correction(part.strip())
            verdict = t.apply(kind, slot, value)
    return constants.VERDICTS[verdict]


def opened(house="classic", tile="6-6", seats=3, set_=None, starter=1, then=""):
    """Return a line game in play: `tile` opened the round at seat `starter`; `then`: inputs."""
    t = new(house, set_)
    for seat in range(1, seats + 1):
        t.press(seat)
    t.press(constants.E)
    do(t, "tap %s %d" % (tile, starter))
    if then:
        do(t, then)
    return t


def begun(house="puremco", seats=3, engine="12-12", set_=12, trains="", hands=15, starter=1):
    """Return a Mexican Train in play: each of `trains` ("1:12-5 5-7, M:12-9") laid by overrides.

    The seats have had their first turn, hold `hands` tiles each, and seat 1 is to move.
    """
    t = new(house, set_)
    for seat in range(1, seats + 1):
        t.press(seat)
    do(t, "tap %s %d" % (engine, starter))
    for train in trains.split(","):
        if train:
            slot, laid = train.strip().split(":")
            for text in laid.split():
                do(t, "override %s %s" % (text, slot))
                settle(t)
    for _ in range(seats):  # nobody is fresh any more
        do(t, "turn %d" % (t.turn,))
        skip(t)
    for seat in range(1, seats + 1):
        do(t, "hand %d %d" % (seat, hands))
    do(t, "turn 1")
    return t


def settle(t):
    """After a double by override: pass, and take the marker off again."""
    if t.double(0) >= 0:
        skip(t)


def skip(t):
    """Let the seat to move pass without leaving a marker or a missing tile behind."""
    seat, marked, boneyard = t.turn, t.open_mask, t.boneyard
    hand = t.hand(seat)
    t.press(seat)
    if t.turn == seat:
        t.press(seat)
    if t.phase == constants.PLAY and (t.open_mask ^ marked) >> seat & 1:
        do(t, "marker %d" % seat)
    do(t, "hand %d %d" % (seat, hand))
    do(t, "boneyard %d" % boneyard)


def slots(mask):
    """Return a mask's slots as the console names them: `"1 3 M"`."""
    return " ".join([constants.slot_name(n) for n in range(1, 12) if mask >> n & 1])
