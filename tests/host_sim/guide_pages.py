# SPDX-License-Identifier: MIT
"""Shared by the tests of the player's guide: all houses, and the text of a page."""

import re
from collections.abc import Iterator

from host_sim.table.games import house_info
from roundhouse.games import houses
from roundhouse.games.line_games import sheets as lines_sheets
from roundhouse.games.mexican_train import sheets as mexican_train_sheets

TRAIN_GAMES, LINE_GAMES = mexican_train_sheets.HOUSES, lines_sheets.HOUSES
GAMES = tuple(houses.HOUSES)


def with_variants(house: str) -> list[str]:
    """Return a list of `house WORD` for each variant word of a house. Numbers in the words are
    examples."""
    words = house_info.variant_words(houses.HOUSES.index(house))
    return ["%s %s" % (house, word) for word in words]


def families() -> Iterator[tuple[str, str, str]]:
    """Yield (base, option, value) for every option value that a family may set."""
    for name in GAMES:
        for option, _, values, _ in houses.options(houses.HOUSES.index(name)):
            for value in values if values[0] != "-" else ():
                value = value.partition("..")[0]
                try:
                    houses.set_family({"club": (name, {option: value})})
                except ValueError:
                    continue  # it means nothing in this house
                yield name, option, value
    houses.set_family({})


def text(page: str) -> str:
    """Return the text of a page, without pictures and tags, and with plain spaces."""
    page = re.sub(
        r"<style>.*?</style>|<svg.*?</svg>|</?(?:i|b|span)\b[^>]*>", "", page, flags=re.S
    )
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
