# SPDX-License-Identifier: MIT
from collections.abc import Mapping
from typing import Final

_Field = tuple[str, int, str]

SHARED: Final[tuple[_Field, ...]]
ENDED: Final[tuple[_Field, ...]]
OWN: Final[Mapping[str, tuple[_Field, ...]]]
USES: Final[Mapping[str, tuple[int, int]]]

def __getattr__(name: str) -> int: ...  # the offset of each field
