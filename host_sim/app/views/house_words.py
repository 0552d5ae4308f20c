# SPDX-License-Identifier: MIT
"""Explanations of the words of a house: its variants, and the options of a table's own sheet."""

import re

from host_sim.app.views.i18n import Translator
from host_sim.table.games import house_info

ENDS_IN_NUMBERS = re.compile(r"(deal|rounds|first)-((?:\d+-)*\d+|any)")  # `rounds-6`


def variant(translator: Translator, word: str) -> str:
    """Return a clause, without a full stop, on what a variant like `no-lock` or `deal-15-12`
    changes; return "" for an unknown variant."""
    found = ENDS_IN_NUMBERS.fullmatch(word)
    if not found:
        known = "variants.%s.told" % word
        is_known = translator.has(known) and not word.endswith("-N")
        return translator(known) if is_known else ""
    kind, number = found.groups()
    if kind == "deal":
        return _deal(translator, number)
    if not number.isdigit():
        return ""
    if kind == "rounds":
        return translator("variants.rounds-N.told", count=int(number))
    return translator("variants.first-N.told", tile="%s-%s" % (number, number))


def _deal(translator: Translator, number: str) -> str:
    if number == "any":
        return translator("variants.deal-N.any")
    runs = deal_runs(number.split("-"))
    if len(runs) == 1:
        return translator("variants.deal-N.all", count=int(number.split("-")[0]))
    parts = []
    for tiles, players, last in runs:
        key = "several" if last else "one_number"
        if (tiles, players, last) == runs[-1]:
            key = "more"
        values = {"tiles": tiles, "players": players, "last": last}
        parts.append(translator("variants.deal-N." + key, **values))
    return translator("variants.deal-N.told", deal=", ".join(parts))


def deal_runs(numbers: list[str]) -> list[tuple[str, int, int]]:
    """Return [(tiles per player, fewest players, most players), ...]. The third value is 0 if only
    one count of players gets these tiles. numbers: the tiles for each of 2, 3, ... players.

    ["15", "15", "12"] becomes [("15", 2, 3), ("12", 4, 0)].
    """
    runs: list[tuple[str, int, int]] = []
    for players, tiles in enumerate(numbers, 2):
        if runs and runs[-1][0] == tiles:
            runs[-1] = (tiles, runs[-1][1], players)
        else:
            runs.append((tiles, players, 0))
    return runs


def differences(translator: Translator, name: str) -> list[str]:
    """Return a list with a clause for each difference of the own rule sheet `name` from its
    base."""
    return clauses(translator, house_info.differences(name))


def clauses(translator: Translator, changes: list[tuple[str, str, str]]) -> list[str]:
    """Return a clause for each change that `house_info.changes` returned."""
    return [
        variant(translator, word) if word else translator("options.%s_%s" % (option, value))
        for option, value, word in changes
    ]


def joined(translator: Translator, clauses: list[str]) -> str:
    """Join clauses, except empty ones, with semicolons."""
    text, *others = filter(None, clauses)
    for other in others:
        text = translator("story.also", first=text, second=other)
    return text
