# SPDX-License-Identifier: MIT
from collections.abc import Callable, Sequence
from typing import Any, Final

from roundhouse.hub import Hub

VSYS: Final[int]
SLOW: Final[str]

def build(
    config: Any,
    machine: Any,
    time: Any,
    neopixel: Any,
    port: Any,
    random: Callable[[], int],
    files: Any,
    folder: str,
) -> Hub: ...
def begin(hub: Hub) -> None: ...
def chip_class(name: str) -> type: ...
def straight(pins: Sequence[Any]) -> Callable[[], int]: ...
