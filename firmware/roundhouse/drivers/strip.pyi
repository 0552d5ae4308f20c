# SPDX-License-Identifier: MIT
from collections.abc import Sequence
from typing import Any, Final

PIXEL_MA: Final[int]
LEVEL_MA: Final[int]
FULL: Final[int]

class Strip:
    REFRESH: int
    HOLD: int
    brightness: int
    share: int
    def __init__(
        self,
        pixels: Any,
        milliamps: int,
        brightness: int = 64,
        supply: Any = None,
        order: Sequence[int] = (1, 0, 2),
    ) -> None: ...
    def show(self, rgb: bytearray, changed: int = -1) -> None: ...
    def spares(self, rgb: bytearray) -> bool: ...
