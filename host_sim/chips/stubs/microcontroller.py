# SPDX-License-Identifier: MIT
"""CircuitPython's `microcontroller`, as much of it as the NeoPixel package names."""


class Pin:
    """The type of a pin; the package only names it."""
