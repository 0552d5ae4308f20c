# SPDX-License-Identifier: MIT
from collections.abc import Mapping
from typing import Any, Final

TURN: Final[int]
OPEN: Final[int]
DOUBLE: Final[int]
ANSWER: Final[int]
ANSWERS: Final[str]
TICK_SHIFT: Final[int]
TICKS: Final[int]
REPEATS: Final[int]
ONCE: Final[int]
COUNTS: Final[int]
TELLS: Final[int]
LEAD: Final[int]
BEAT: Final[int]
REST: Final[int]
TWELVE: Final[bytes]
TONE: Final[int]
PULSES_AT: Final[int]
PULSES: Final[int]
CALLING_AT: Final[int]
EVERYWHERE: Final[Mapping[str, tuple[str, str]]]
# see lamp_letters.py: (lamp, letter, glyph, ...), (how it moves, levels), (words, meaning)
LETTERS: Final[tuple[tuple[tuple[int, str, str, str, str], tuple[int, Any], tuple[str, str]], ...]]

def swell(rise: int, fall: int, low: int) -> bytes: ...
def steps(*pairs: tuple[int, int]) -> bytes: ...
def learned(
    palette: Mapping[str, tuple[int, int, int]],
) -> tuple[dict[int, int], list[Any], bytes, list[int]]: ...
