# SPDX-License-Identifier: MIT
"""Which tile may go where, once more from the rule sheets: what the referee judges by.

Every function gets the referee `r`, a plain picture of the table, and changes nothing; slots are
numbers, tiles too, a verdict is its word. `moves` is stricter than any hub can be: the moves of
which an honest player has to make one.
"""

from host_sim.games.player_knowledge import is_double
from roundhouse import tiles
from roundhouse.constants import M

STATIONS = range(1, 11)


def shows(tile, number):
    return number in (tiles.HIGH[tile], tiles.LOW[tile])


def lifted(r, slot):
    """Return whether the double at a slot binds nobody, its number being used up (H8)."""
    return r.options["lift"] == "yes" and r.used_up(r.end(slot)[0])


def everybodys(r):
    """Return the slots of trains that belong to nobody: M, and the empty stations (D1)."""
    if r.options["mexican"] == "one":
        return [M]
    return [slot for slot in STATIONS if slot not in r.seats] + [M]


def open_trains(r):
    """Return the trains open to all: with a marker, or begun ones of nobody."""
    return r.markers | (r.trains.keys() - r.seats)


def may_begin(r):
    """Return the slots where the seat to move may begin a train of nobody (D1, D2)."""
    free = [slot for slot in everybodys(r) if slot not in r.trains]
    if r.options["mexican"] == "bonus":
        begun = sum(seat in r.trains for seat in r.seats)
        bonus = len(everybodys(r)) - len(free)
        if r.turn not in r.trains or bonus >= begun:
            return set()
    return set(free)


def due(r):
    """Return the slot of the double of earlier turns that binds all, or None (H2, H6, H8)."""
    if r.options["lock"] == "no":
        return None
    earlier = [slot for slot in r.line if slot not in r.own]
    return next((slot for slot in earlier if not lifted(r, slot)), None)


def own_only(r):
    """Return whether the seat to move may use its own train alone (C1, C2, M10, N32)."""
    if r.train_turn and not r.owed:
        return True
    if r.turn in r.fresh:
        first = r.options["first-turn"]
        if first == "own" or (first == "starter-own" and r.turn == r.starter):
            return True
    return r.options["not-begun"] == "own" and r.turn not in r.trains and not r.used_up(r.engine)


def eligible(r):
    """Return the trains open to the seat to move as if no double were open."""
    if own_only(r):
        return {r.turn}
    return {r.turn} | open_trains(r) | may_begin(r)


def unlocked(r):
    """Return the trains for the next tile, doubles of earlier turns apart (G3, G4)."""
    if r.third:
        return set(r.own)
    if not r.owed:
        return eligible(r)
    place = r.options["second-tile"]
    if place == "double" and not lifted(r, r.own[-1]):
        return {r.own[-1]}
    if place == "open":
        return set(r.own) | open_trains(r)
    return set(r.own) | eligible(r)


def targets(r):
    """Return every train the rules open to the seat to move now."""
    if r.options["enforce"] == "tiles":
        return set(STATIONS) | {M}
    first = due(r)
    if first is None:
        return unlocked(r)
    if r.options["drawn-elsewhere"] == "yes" and r.drawn:
        return {first} | unlocked(r)
    return {first}


def may_double(r, tile):
    """Return whether this double may follow on those of this turn (G4, G6, G9): where a third
    tile has to cover one of the two, there must be one that is not on the table."""
    last = r.counts[r.turn] == 1
    if last and r.options["last-two"] == "yes":
        return True
    rule = r.options["second-double"]
    if rule == "drawn":
        return r.drawn
    if rule != "third" or len(r.own) != 1 or r.drawn or last:
        return False
    numbers = (tiles.HIGH[tile], r.end(r.own[0])[0])
    outside = set(range(tiles.size(r.set))) - r.laid
    return any(not is_double(t) and any(shows(t, n) for n in numbers) for t in outside)


def why_not(r, slot, tile):
    """Return the verdict on a tile that is real and not on the table."""
    if r.options["enforce"] == "tiles":
        return "ok"
    first = due(r)
    if first is not None:
        elsewhere = r.options["drawn-elsewhere"] == "yes" and r.drawn
        if slot != first and not (elsewhere and is_double(tile) and slot in unlocked(r)):
            return "double-first"
    else:
        open_here = unlocked(r)
        if slot not in open_here:
            named = r.options["second-tile"] == "double"
            if r.third or (r.owed and named and not lifted(r, r.own[-1])):
                return "cover-it"
            return "own-first" if own_only(r) else "closed"
    if not any(shows(tile, number) for number in r.end(slot)):
        return "no-match"
    if is_double(tile) and r.owed and not may_double(r, tile):
        return "no-second-double"
    return "ok"


def moves(r):
    """Return the (slot, tile) of which an honest player has to make one."""
    found = []
    hand = r.hands[r.turn]
    for slot in sorted(targets(r)):
        for tile in sorted(hand):
            if not any(shows(tile, number) for number in r.end(slot)):
                continue
            if why_not(r, slot, tile) == "ok" and not _needs_third(r, slot, tile):
                found.append((slot, tile))
    return found


def _needs_third(r, slot, tile):
    """Return whether a second double needs a third tile that is not there (G4)."""
    if not (is_double(tile) and r.owed) or r.options["second-double"] != "third":
        return False
    rest = r.hands[r.turn] - {tile}
    numbers = (tiles.HIGH[tile], r.end(r.own[0])[0])
    return bool(rest) and not any(
        not is_double(other) and any(shows(other, number) for number in numbers) for other in rest
    )


def playable(r):
    """Return the trains open to the seat to move: those that some tile that does not lie yet
    could join, and those whose number is used up."""
    return {slot for slot in targets(r) if _is_useful(r, slot)}


def _is_useful(r, slot):
    ends = r.end(slot)
    if r.options["enforce"] == "tiles" or len(ends) > 1 or r.used_up(ends[0]):
        return True
    tiles_of_it = (tiles.tile(ends[0], other) for other in range(r.set + 1))
    return any(t not in r.laid and why_not(r, slot, t) == "ok" for t in tiles_of_it)


def wrong_chain(r):
    """Return which train is no chain, or None; an override may have broken it."""
    for slot, train in r.trains.items():
        numbers = {r.engine}
        for place, tile in enumerate(train):
            match = [number for number in numbers if shows(tile, number)]
            if match:
                numbers = {tiles.HIGH[tile] + tiles.LOW[tile] - match[0]}
            elif place in r.forced.get(slot, ()):
                numbers = {tiles.HIGH[tile], tiles.LOW[tile]}
            else:
                return "train %d is no chain at %s" % (slot, tiles.text(tile))
    return None
