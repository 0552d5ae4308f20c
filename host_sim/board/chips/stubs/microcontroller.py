# SPDX-License-Identifier: MIT
"""The part of CircuitPython's `microcontroller` that the NeoPixel package names."""


class Pin:
    """The type of a pin."""
