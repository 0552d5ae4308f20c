# SPDX-License-Identifier: MIT
"""CircuitPython's `digitalio`, as much of it as the NeoPixel package touches."""


class Direction:
    INPUT = "input"
    OUTPUT = "output"


class DigitalInOut:
    def __init__(self, pin):
        self.pin = pin
        self.direction = Direction.INPUT

    def deinit(self):
        self.pin = None
