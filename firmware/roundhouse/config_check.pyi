# SPDX-License-Identifier: MIT
from collections.abc import Callable
from typing import Any, Final

LIGHTS: Final[int]
FIRST: Final[tuple[int, int, int]]

def load(lamp: Callable[[int, tuple[int, int, int]], object]) -> tuple[Any, str | None]: ...
