# What the firmware uses of the board's own module, for type checkers.
from typing import TypeVar

_T = TypeVar("_T")

def const(value: _T, /) -> _T: ...
