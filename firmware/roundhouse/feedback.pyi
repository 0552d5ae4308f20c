# SPDX-License-Identifier: MIT
from collections.abc import Callable
from typing import Any

from roundhouse.drivers.piezo import Piezo
from roundhouse.games.match import Match
from roundhouse.journal import Journal
from roundhouse.lights import Lights

_Before = tuple[int, int, int]  # phase, seat that had laid its last tile, seat to move

class Feedback:
    piezo: Piezo | None
    def __init__(self, table: Match, lights: Lights, piezo: Piezo | None, time: Any) -> None: ...
    def answer(self, where: int, letter: str, tune: str | None = None) -> int: ...
    def accepted(self, where: int, before: _Before) -> None: ...
    def refused(self, verdict: int, where: int, tile: int = 0) -> None: ...
    def celebrate(self, before: _Before) -> None: ...
    def follow_up(
        self,
        verdict: int,
        where: int,
        tile: int,
        journal: Journal,
        meanwhile: Callable[[], object],
    ) -> None: ...
