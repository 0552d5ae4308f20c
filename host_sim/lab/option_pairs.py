# SPDX-License-Identifier: MIT
"""Makes houses for the soak test that together cover every pair of option values.

The rule sheets have only some pairs, but a family can choose any pair. A few dozen houses are
enough.
"""

import functools
from collections.abc import Mapping, Sequence

from allpairspy import AllPairs

from host_sim.table.games.line_games import sheets as line_sheets
from host_sim.table.games.mexican_train.referee import VALUES

Values = Mapping[str, Sequence[str]]  # option -> its words
Row = dict[str, str]  # option -> word
Family = dict[str, tuple[str, Row]]  # name -> (the sheet it comes from, its options)

# The sheets that these houses come from in turn: they set the seats and the hands.
OF_TRAINS = ("puremco", "goliath", "quebec", "jassshop", "original")
OF_LINES = ("classic", "matador", "tiddle-a-wink")


def covering(values: Values) -> list[Row]:
    """Return houses that cover every pair of option values. Each house is {option: word}.

    values: {option: its possible words}
    """
    return [dict(zip(values, words)) for words in AllPairs(list(values.values()))]


@functools.cache
def trains() -> Family:
    """Return houses of Mexican Train that cover nearly every pair of option values. Not covered
    are:

    - pairs in houses that do not enforce all the rules
    - pairs with the order of the engines in houses where any double may be the engine
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
    """Return houses of the line games that cover every pair of option values."""
    return _named("lines-%d", OF_LINES, covering(line_sheets.VALUES))


def _named(name: str, sheets: Sequence[str], rows: list[Row]) -> Family:
    return {name % n: (sheets[n % len(sheets)], row) for n, row in enumerate(rows)}
