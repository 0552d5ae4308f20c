# SPDX-License-Identifier: MIT
from types import ModuleType
from typing import Final

from roundhouse.games.match import Match

GAMES: Final[tuple[str, ...]]
family: dict[str, tuple[str, dict[str, str]]]
added: str

def play(number: int) -> ModuleType: ...
def rounds(number: int) -> ModuleType: ...
def sheets(number: int) -> ModuleType: ...
def free_unused(m: Match) -> None: ...
