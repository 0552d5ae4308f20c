# SPDX-License-Identifier: MIT
from typing import Final

from roundhouse.drivers.presence import Readers
from roundhouse.hub import Hub

LOCKED: Final[int]
TOO_BIG: Final[int]
NO_TEXT: Final[int]
PASSWORD: Final[int]
ERRORS: Final[dict[int, str]]
SURE_MS: Final[int]

def command(hub: Hub, line: str) -> None: ...
def scores(hub: Hub, line: str, place: int) -> None: ...
def message(text: str, card: str | None = None) -> bytes | bytearray: ...
def write(readers: Readers, place: int, image: bytes | bytearray) -> int: ...
