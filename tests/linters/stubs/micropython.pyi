# What the firmware uses of the board's own module, for type checkers.
from typing import Any

def const(value: Any) -> Any: ...
