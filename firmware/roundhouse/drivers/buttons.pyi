# SPDX-License-Identifier: MIT
from collections.abc import Callable
from typing import Final

PRESS: Final[int]
HOLD: Final[int]
LONG: Final[int]
STUCK: Final[int]
FREE: Final[int]

class Buttons:
    DEBOUNCE_MS: int
    AWAY_MS: int
    TWICE_MS: int
    HOLD_MS: int
    LEANT_MS: int
    LONG_MS: int
    STUCK_MS: int
    which: int
    down: int
    def __init__(
        self, levels: Callable[[], int], count: int, ticks_diff: Callable[[int, int], int]
    ) -> None: ...
    def scan(self, now: int) -> int: ...
    def any_down(self) -> bool: ...
    def use(self, i: int) -> None: ...
    def held_ms(self, i: int, now: int) -> int: ...
