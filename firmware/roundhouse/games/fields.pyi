# SPDX-License-Identifier: MIT
from collections.abc import Mapping, Sequence
from typing import Final

_Field = tuple[str, int, str]

SHARED: Final[Sequence[_Field]]
OWN: Final[Mapping[str, Sequence[_Field]]]
USES: Final[Mapping[str, tuple[int, int]]]

def __getattr__(name: str) -> int: ...  # the offset of each field
