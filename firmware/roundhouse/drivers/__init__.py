# SPDX-License-Identifier: MIT
"""The only code that touches pins and buses."""

try:
    from micropython import const
except ImportError:

    def const(value: object) -> object:  # type: ignore[misc]
        return value
