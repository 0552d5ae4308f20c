# SPDX-License-Identifier: MIT
from collections.abc import Callable
from typing import Any, Final

TUNES: Final[dict[str, tuple[int, ...]]]
QUIET: Final[str]
LOUDNESS: Final[int]

class Piezo:
    quiet: bool
    def __init__(
        self,
        pwm: Any,
        ticks_diff: Callable[[int, int], int],
        ticks_add: Callable[[int, int], int],
    ) -> None: ...
    def silence(self, quiet: bool) -> None: ...
    def play(self, tune: str, now: int) -> None: ...
    def step(self, now: int) -> None: ...
