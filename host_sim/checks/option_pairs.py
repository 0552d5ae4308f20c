# SPDX-License-Identifier: MIT
"""Makes house definitions for the soak test that together contain every pair of values of any two
options.

The rule sheets have only some of these combinations, but a family may choose any combination. A
few dozen houses are enough, because every house sets all options and so contains a pair of values
for any two of them.
"""

import functools
from collections.abc import Mapping, Sequence

from allpairspy import AllPairs

from host_sim.games.line_games import sheets as line_sheets
from host_sim.games.mexican_train.referee import VALUES

Values = Mapping[str, Sequence[str]]  # option -> its words
Row = dict[str, str]  # option -> word
Family = dict[str, tuple[str, Row]]  # name -> (the sheet it comes from, its options)

# The sheets that these houses come from in turn: they set the seats and the hands.
OF_TRAINS = ("puremco", "goliath", "quebec", "jassshop", "original")
OF_LINES = ("classic", "matador", "tiddle-a-wink")


def covering(values: Values) -> list[Row]:
    """Return houses, each as {option: word}, that together contain every pair of words of any two
    options.

    values: {option: its words}
    """
    return [dict(zip(values, words)) for words in AllPairs(list(values.values()))]


@functools.cache
def trains() -> Family:
    """Return houses of Mexican Train that together contain nearly every pair of values of any two
    options.

    There are two exceptions. In houses that do not enforce the rules, each value of every other
    option occurs at least once, but not every pair does. In houses where any double may be the
    engine, the options for the order of the engines do not vary.
    """
    values = dict(VALUES)
    enforced = values.pop("enforce")
    order = {option: values.pop(option) for option in ("first-engine", "engines")}
    rows = [{**row, "enforce": enforced[0]} for row in covering(values)]
    for engine in ("pulled", "in-hand"):
        for n, row in enumerate(row for row in rows if row["engine"] == engine):
            row |= {
                "first-engine": order["first-engine"][n % 2],
                "engines": order["engines"][n // 2 % 2],
            }
    for n in range(max(map(len, values.values()))):
        row = {option: words[n % len(words)] for option, words in values.items()}
        rows += [{**row, "enforce": word} for word in enforced[1:]]
    return _named("trains-%d", OF_TRAINS, rows)


@functools.cache
def lines() -> Family:
    """Return houses of the line games that together contain every pair of values of any two
    options."""
    return _named("lines-%d", OF_LINES, covering(line_sheets.VALUES))


def _named(name: str, sheets: Sequence[str], rows: list[Row]) -> Family:
    return {name % n: (sheets[n % len(sheets)], row) for n, row in enumerate(rows)}
