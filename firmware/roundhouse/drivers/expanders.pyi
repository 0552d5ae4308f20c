# SPDX-License-Identifier: MIT
from collections.abc import Sequence
from typing import Any

class Decoder:
    def __init__(self, address: Sequence[Any], enable: Any, lines: Sequence[int]) -> None: ...

class ShiftIn:
    def __init__(self, load: Any, clock: Any, data: Any, lines: Sequence[int]) -> None: ...
    def levels(self) -> int: ...
