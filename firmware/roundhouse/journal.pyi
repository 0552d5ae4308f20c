# SPDX-License-Identifier: MIT
from collections.abc import Iterator
from typing import Any, Final

from roundhouse.games.match import Match

FORMAT: Final[int]
RECORD: Final[int]
LAID: Final[int]
_UNDO: Final[int]
_HEADER: Final[str]
_SIZE: Final[int]
CHOICES: Final[tuple[int, ...]]
FULL: Final[int]
TORN: Final[int]
DAMAGED: Final[int]
NEWER: Final[int]
OLDER: Final[int]
EMPTY: Final[int]
LAST: Final[int]

class Segment:
    wrong: int
    match: int
    back: int
    began: int
    state: bytearray
    live: bytearray
    records: int
    room: int
    torn: int
    def __init__(self, data: bytes | None, number: int, table: Match) -> None: ...

class Journal:
    trouble: str
    number: int
    match: int
    back: int
    began: int
    files: Any
    folder: str
    table: Match
    def __init__(self, files: Any, folder: str, table: Match) -> None: ...
    def resume(self) -> int: ...
    def go_on(self, state: bytes | bytearray) -> None: ...
    def record(self, kind: int, slot: int, value: int, new_match: bool = False) -> None: ...
    def prepare(self) -> bool: ...
    def take_back(self) -> tuple[int, int] | None: ...
    def taken(self, last: bytes) -> tuple[int, int]: ...
    def redo(self) -> tuple[int, int] | None: ...
    def inputs(self) -> Iterator[tuple[int, int, int]]: ...
    def numbers(self) -> list[int]: ...
    def segments(self) -> Iterator[tuple[int, bytes]]: ...
    def read(self, number: int) -> Segment: ...
    def close(self) -> None: ...
    def restore(self) -> bool: ...
    def note_lobby(self) -> None: ...
    def choose(self, kind: int, state: bytes | bytearray) -> None: ...
    def begin(
        self, back: int, state: bytes | bytearray, live: bytes = b"", began: int = 0
    ) -> None: ...

def segment(
    number: int,
    back: int,
    match: int,
    packed: bytes,
    live: bytes | bytearray = b"",
    began: int = 0,
) -> bytes: ...
def unpacked(inputs: bytes | bytearray, i: int) -> tuple[int, int, int]: ...
