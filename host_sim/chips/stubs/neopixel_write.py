# SPDX-License-Identifier: MIT
"""CircuitPython's `neopixel_write`: where the bytes leave for the wire, here into the pin."""


def neopixel_write(gpio, buf):
    """gpio: a DigitalInOut whose pin has `wire(bytes)`; buf: the bytes as they would be sent."""
    gpio.pin.wire(bytes(buf))
