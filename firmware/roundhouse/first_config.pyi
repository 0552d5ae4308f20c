# SPDX-License-Identifier: MIT
from typing import Final

NEW: Final[str]
WROTE: Final[str]
NONE: Final[str]
MISSING: Final[str]

class Defaults: ...

def write() -> tuple[Defaults, str]: ...
