# SPDX-License-Identifier: MIT
"""How long the line games last: honest random matches, played by the referee alone.

A match is of one of the sets and numbers of seats that its sheet names, each as likely. People
see the table; most of the time they lay their heaviest tile, at an end by chance.
"""

import collections
import random
import sys

from host_sim.games.line_games import sheets as line_sheets
from host_sim.games.line_games.lines import pips
from host_sim.games.line_games.referee import Referee
from roundhouse import tiles
from roundhouse.constants import E

# (sets, seats from, seats to): at most tables, and where a house is played otherwise
PLAYED = ((6, 9, 12), 2, 7)
ELSE = {"matador": ((6, 9, 12), 3, 8), "tiddle-a-wink": ((9, 12), 6, 10)}
HEAVY = 0.7  # how often the heaviest tile is laid; else any that fits


class RandomMatch:
    """One match of honest people. count: a Counter that is added to.

    house: its words; stations: how many the board has.
    """

    def __init__(self, house, set_, seats, chance, count, stations=10):
        self.referee = Referee(house, set_, range(1, seats + 1), stations)
        self.random = chance
        self.count = count

    def play(self):
        """Play it to its end, and count what happened."""
        r = self.referee
        r.press(E)
        while r.phase != "finished":
            self.open()
            while r.phase == "play":
                self.turn()
            self.tally()
            self.score()
        self.count["matches"] += 1

    def open(self):
        """Deal until somebody can lay the opening tile, and lay it."""
        r = self.referee
        stock = list(range(tiles.size(r.set)))
        self.random.shuffle(stock)
        r.deal({seat: [stock.pop() for _ in range(r.counts[seat])] for seat in r.seats}, stock)
        opens = r.highest()
        if opens:
            r.tap(*opens)
        else:  # nobody has a double: mix and deal again
            self.open()

    def turn(self):
        """Lay a tile, or draw, or pass."""
        r = self.referee
        moves = r.moves()
        if not moves:
            r.press(r.turn)
            self.count[r.did] += 1
            return
        fitting = sorted({tile for _, tile in moves}, key=pips)
        tile = fitting[-1] if self.random.random() < HEAVY else self.random.choice(fitting)
        slots = [slot for slot, one in moves if one == tile]
        begun = [slot for slot in slots if slot in r.lines.begun]
        new = [slot for slot in slots if slot not in r.lines.begun]
        slot = self.random.choice(begun + new[:1])  # the empty slots are one chance together
        ways = sorted(r.lines.honest_layouts(slot, tile), key=str)
        verdict = r.tap(slot, tile, lie=self.random.choice(ways))
        if verdict != "ok":
            raise AssertionError("%s on %d: %s" % (tiles.text(tile), slot, verdict))
        self.count["laid"] += 1
        self.count["ends"] += len(r.lines.begun)
        self.count["undecided"] += sum(len(r.lines.ends(line)) > 1 for line in r.lines.begun)

    def tally(self):
        r, count = self.referee, self.count
        count["rounds"] += 1
        count["blocked" if r.out is None else "out"] += 1
        count["lines"] = max(count["lines"], len(r.lines.begun))
        count["full"] += not r.lines.empty()

    def score(self):
        r = self.referee
        for seat in r.seats:
            for tile in r.hands[seat]:
                r.tap(seat, tile)
        for seat in r.seats:
            if seat not in r.done:
                r.press(seat)


def figures(house, matches=2000, seed=1, stations=10):
    """Return the Counter of so many random matches of a house, `classic` or with variants."""
    chance, count = random.Random(seed), collections.Counter()
    name = house.split()[0]
    sets, fewest, most = ELSE.get(name, PLAYED)
    for _ in range(matches):
        set_ = chance.choice(sets)
        at_most = min(most, stations, line_sheets.most_seats(name, set_))
        RandomMatch(house, set_, chance.randint(fewest, at_most), chance, count, stations).play()
    return count


def row(house, count):
    """Return one line of the table: figures a match, a round, and at most."""
    rounds = count["rounds"]
    return (
        "%-14s %5.1f rounds a match  out %3.0f %% blocked %3.0f %%  "
        "laid %4.1f drawn %4.1f passed %4.1f a round  lines at most %2d (all slots in %.1f %%)  "
        "undecided ends %.1f %%"
    ) % (
        house,
        rounds / count["matches"],
        100 * count["out"] / rounds,
        100 * count["blocked"] / rounds,
        count["laid"] / rounds,
        count["drew"] / rounds,
        count["passed"] / rounds,
        count["lines"],
        100 * count["full"] / rounds,
        100 * count["undecided"] / count["ends"],
    )


def table(matches=2000, seed=1, houses=tuple(line_sheets.HOUSES), out=sys.stdout):
    """Print a row for each house."""
    for house in houses:
        print(row(house, figures(house, matches, seed)), file=out, flush=True)
