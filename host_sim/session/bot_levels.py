# SPDX-License-Identifier: MIT
"""How well bots play: easy ones lay anything and keep what is heavy,
good ones get rid of that, sharp ones think ahead.

A `table` is a MatchSession: it has the hub's newest line, the hands as tiles, the house's options.
"""

from host_sim.games.line_games.bot import left_free, pips
from host_sim.games.player_knowledge import fits, is_double
from roundhouse import tiles

LEVELS = ("easy", "good", "sharp")
_LOOKS = 3000  # tiles that a search for a long train turns over at most


def other_half(tile, end):
    """Return the number a tile leaves open where it is laid at `end`."""
    return tiles.LOW[tile] if tiles.HIGH[tile] == end else tiles.HIGH[tile]


def longest_train(hand, end):
    """Return the tiles of a hand that follow one another from a number on, as many as can; of
    equally many those with the most pips. A very large hand is not searched to the last."""
    best = ((0, 0), [])
    looks = _LOOKS

    def follow(rest, number, laid, weight):
        nonlocal best, looks
        if (len(laid), weight) > best[0]:
            best = ((len(laid), weight), list(laid))
        for tile in rest:
            if looks > 0 and fits(tile, (number,)):
                looks -= 1
                laid.append(tile)
                others = [one for one in rest if one != tile]
                follow(others, other_half(tile, number), laid, weight + pips(tile))
                laid.pop()

    follow(sorted(hand, key=pips, reverse=True), end, [], 0)
    return best[1]


def end_of(line, slot):
    """Return the number a slot's train ends in: the first of two, the engine's if not begun."""
    end = line["ends"].get(str(slot))
    if end is None:
        end = int(line["engine"].split("-")[0])
    return end[0] if isinstance(end, list) else end


def choose(table, seat, moves, strength, chance):
    """Return the (tile, slot) of `moves` that a bot of a strength lays.

    chance: a random.Random for what is equal to it.
    """
    if strength == "easy":
        return min(chance.choices(sorted(moves), k=2), key=lambda move: pips(move[0]))
    think = {
        ("good", True): _train_by_weight,
        ("sharp", True): _train_by_plan,
        ("good", False): _line_by_weight,
        ("sharp", False): _line_by_plan,
    }[strength, table.trains]
    return max(sorted(moves), key=lambda move: (think(table, seat, *move), chance.random()))


def _train_by_weight(table, seat, tile, slot):
    """Heavy tiles first, but rather one after which one's own train goes on."""
    ends = (tiles.HIGH[tile], tiles.LOW[tile])
    follow = sum(fits(one, ends) for one in table.hands[seat] if one != tile)
    worth = pips(tile) + (3 * follow if slot == str(seat) else 6)
    return worth + (8 if is_double(tile) and follow else 0)


def _train_by_plan(table, seat, tile, slot):
    """What is left: tiles of a long train of one's own go out by themselves, the others cost."""
    line = table.line
    rest = [one for one in table.hands[seat] if one != tile]
    own = slot == str(seat)
    begins = end_of(line, seat)
    train = longest_train(rest, other_half(tile, begins) if own else begins)
    alone = [one for one in rest if one not in train]
    worth = -sum(map(pips, alone)) - 5 * len(alone) - 0.5 * sum(map(pips, train))
    if is_double(tile) and rest:
        covers = any(fits(one, (tiles.HIGH[tile],)) for one in rest)
        worth += 4 if covers else -12
    if own and str(seat) in line["open"]:
        worth += 6  # the marker goes
    return worth


def _line_by_weight(table, seat, tile, slot):
    """Heavy tiles first: what stays in the hand goes to whoever wins."""
    return pips(tile)


def _line_by_plan(table, seat, tile, slot):
    """Heavy tiles too, but so that as many of the others as possible go on."""
    line, total = table.line, table.total
    rest = [one for one in table.hands[seat] if one != tile]
    ends = [end for other, end in line["ends"].items() if other != slot]
    ends = [n for end in ends for n in (end if isinstance(end, list) else [end])]
    ends += [int(side) for side in line["sides"]]
    joined = line["ends"].get(slot, [int(side) for side in line["sides"]])
    for end in joined if isinstance(joined, list) else [joined]:
        ends += left_free(tile, end, total)
    follow = sum(any(left_free(one, end, total) for end in set(ends)) for one in rest)
    return pips(tile) + 3 * follow + (4 if is_double(tile) else 0)
