# SPDX-License-Identifier: MIT
"""CircuitPython's `neopixel_write`, which here passes the bytes to the simulated pin."""


def neopixel_write(gpio, buf):
    """Pass a frame to the method `wire` of a pin."""
    gpio.pin.wire(bytes(buf))
