# SPDX-License-Identifier: MIT
"""The only code that touches pins and buses."""

try:
    from micropython import const
except ImportError:

    def const(value: object) -> object:  # type: ignore[misc]
        return value


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def within(ticks_diff: "Callable[[int, int], int]", now: int, since: int, span: int) -> bool:
    """Return whether fewer than `span` ticks have passed since the time `since`.

    ticks_diff turns negative after half a period, 6.2 days of ms ticks or 9 minutes of us ticks. A
    time that may lie further back must be compared here, or it seems to be yet to come.
    """
    return 0 <= ticks_diff(now, since) < span
