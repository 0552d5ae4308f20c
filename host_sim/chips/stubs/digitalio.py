# SPDX-License-Identifier: MIT
"""CircuitPython's `digitalio`, as much of it as the NeoPixel package touches."""


class Direction:
    """Which way a pin goes: the two there are."""

    INPUT = "input"
    OUTPUT = "output"


class DigitalInOut:
    """A pin as the package holds it. pin: the simulated board's, which takes the bytes."""

    def __init__(self, pin):
        self.pin = pin
        self.direction = Direction.INPUT

    def deinit(self):
        self.pin = None
