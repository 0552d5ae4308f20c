# SPDX-License-Identifier: MIT
"""The part of CircuitPython's `digitalio` that the NeoPixel package uses."""


class Direction:
    INPUT = "input"
    OUTPUT = "output"


class DigitalInOut:
    """A pin, as the NeoPixel package uses it. pin: the pin of the simulated board."""

    def __init__(self, pin):
        self.pin = pin
        self.direction = Direction.INPUT

    def deinit(self):
        self.pin = None
