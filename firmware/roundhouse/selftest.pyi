# SPDX-License-Identifier: MIT
from collections.abc import Sequence
from typing import Any, Final

from roundhouse.console import Console
from roundhouse.drivers.presence import Readers
from roundhouse.drivers.strip import Strip

ALL_MS: Final[int]
DOT_MS: Final[int]
FRAME_MS: Final[int]
LEVEL: Final[int]
TRIED: Final[tuple[int, int, int]]
BUTTON: Final[tuple[int, int, int]]
READER: Final[tuple[int, int, int]]
FAULT: Final[tuple[int, int, int]]

class SelfTest:
    def __init__(
        self, slots: Sequence[int], reader: Readers, strip: Strip, console: Console, time: Any
    ) -> None: ...
    def step(self, event: int, which: int) -> bool: ...
    def end(self) -> None: ...
