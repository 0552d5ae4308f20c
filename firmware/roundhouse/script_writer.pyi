# SPDX-License-Identifier: MIT
from collections.abc import Callable

from roundhouse.games.match import Match
from roundhouse.journal import Journal

def lines(table: Match, kept: Journal, meanwhile: Callable[[], object]) -> list[str]: ...
