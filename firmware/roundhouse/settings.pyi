# SPDX-License-Identifier: MIT
from typing import Any, Final

GPIOS: Final[tuple[int, ...]]
OFFERED: Final[dict[str, tuple[int, ...]]]
LISTS: Final[tuple[str, ...]]
DEFAULTS: Final[dict[str, Any]]
NAMES: Final[tuple[str, ...]]
OLD: Final[dict[str, str]]
NUMBERS: Final[dict[str, tuple[int, int]]]
FAINTEST: Final[int]
ORDERS: Final[tuple[str, ...]]
USB: Final[str]
MADE: Final[tuple[str, ...]]
FORM: Final[str]

class BadConfig(Exception): ...

def check(config: Any) -> tuple[int, int]: ...
