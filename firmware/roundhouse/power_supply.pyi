# SPDX-License-Identifier: MIT
from typing import Any, Final

OFFERS: Final[tuple[tuple[int, int, int, int], ...]]
READINGS: Final[int]
FIELD_MA: Final[int]
IDLE_MA: Final[int]
HUB_MA: Final[int]
LEAST_MV: Final[int]
LOW: Final[str]

def vsys(adc: Any) -> str: ...
def said(adc: Any) -> str: ...
def offer(adc: Any) -> tuple[int, int, int]: ...
