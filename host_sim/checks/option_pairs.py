# SPDX-License-Identifier: MIT
"""Houses of a family in which every two values of two options meet, for the soak.

The sheets have some of those combinations, a family may have any. A few dozen houses are enough
for all of them: each has a value of every option, and so a pair with every other option.
"""

import functools
import itertools
import random

from host_sim.games.line_games import sheets as line_sheets
from roundhouse.games import houses

TRIED = 8  # rows, of which the one with the most new pairs is taken
# The sheets that these houses come from in turn: they say how many sit and what is dealt.
OF_TRAINS = ("puremco", "goliath", "quebec", "jassshop", "original")
OF_LINES = ("classic", "matador", "tiddle-a-wink")


def covering(values, seed=1):
    """Return rows, {option: word} for every option, in which each pair of words of two options of
    `values`, {option: [word, ...]}, stands at least once."""
    chance = random.Random(seed)
    missing = {
        frozenset(((one, a), (other, b)))
        for one, other in itertools.combinations(values, 2)
        for a in values[one]
        for b in values[other]
    }
    rows = []
    while missing:
        found = [_row(values, missing, chance) for _ in range(TRIED)]
        best = max(found, key=lambda row: len(missing & _pairs(row)))
        missing -= _pairs(best)
        rows.append(best)
    return rows


def _row(values, missing, chance):
    """Return a row with one of the missing pairs, and with many of the others."""
    row = dict(chance.choice(sorted(map(sorted, missing))))
    rest = [option for option in values if option not in row]
    chance.shuffle(rest)
    for option in rest:
        words = list(values[option])
        chance.shuffle(words)
        row[option] = max(
            words,
            key=lambda word: sum(
                frozenset(((option, word), other)) in missing for other in row.items()
            ),
        )
    return row


def _pairs(row):
    return set(map(frozenset, itertools.combinations(row.items(), 2)))


@functools.cache
def trains():
    """Return {name: (sheet, {option: word})} of Mexican Train, as config.py's FAMILY has it. Where
    nothing is enforced the other options say little: each of their words is there with that."""
    values = {option: words for option, _, words, _ in houses.table(0)}
    enforced = values.pop("enforce")
    rows = [{**row, "enforce": enforced[0]} for row in covering(values)]
    for n in range(max(map(len, values.values()))):
        row = {option: words[n % len(words)] for option, words in values.items()}
        rows += [{**row, "enforce": word} for word in enforced[1:]]
    return _named("trains-%d", OF_TRAINS, rows)


@functools.cache
def lines():
    """Return the same of the line games."""
    return _named("lines-%d", OF_LINES, covering(line_sheets.VALUES))


def _named(name, sheets, rows):
    return {name % n: (sheets[n % len(sheets)], row) for n, row in enumerate(rows)}
