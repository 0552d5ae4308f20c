# SPDX-License-Identifier: MIT
from typing import Final

HOUSES: Final[tuple[str, ...]]
GAMES: Final[tuple[str, ...]]
SETS: Final[dict[str, int]]
SEATS: Final[dict[str, tuple[int, ...]]]
HANDS: Final[dict[str, dict[int, tuple[int, ...]]]]
OPTIONS: Final[tuple[str, ...]]
VARIANTS: Final[tuple[str, ...]]
MEANINGLESS: Final[tuple[str, ...]]
