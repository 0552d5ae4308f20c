# SPDX-License-Identifier: MIT
"""What the tests of the player's guide share: all houses, and what a page says."""

import re

from roundhouse.games.line_games import sheets as lines_sheets
from roundhouse.games.mexican_train import sheets as mexican_train_sheets

TRAIN_GAMES, LINE_GAMES = mexican_train_sheets.HOUSES, lines_sheets.HOUSES
GAMES = TRAIN_GAMES + LINE_GAMES


def with_variants(house):
    """Return a house with each of its variant words, as words that choose it."""
    sheets = mexican_train_sheets if house in TRAIN_GAMES else lines_sheets
    return ["%s %s" % (house, row.split(":")[0]) for row in sheets.VARIANTS]


def text(page):
    """Return what a page says, without its pictures and tags, each space a plain one."""
    page = re.sub(
        r"<style>.*?</style>|<svg.*?</svg>|</?(?:i|b|span)\b[^>]*>", "", page, flags=re.S
    )
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
