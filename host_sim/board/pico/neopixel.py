# SPDX-License-Identifier: MIT
"""MicroPython's module `neopixel`, frozen into this project's image as into the official one."""

from machine import bitstream

_NS = ((400, 850, 800, 450), (1250, 1250, 2500, 1250))  # high and low of a 0 and a 1: 800, 400 kHz


class NeoPixel:
    """A strip of WS2812 pixels. `buf` has three bytes per pixel, in the order of sending."""

    ORDER = (1, 0, 2)

    def __init__(self, pin: object, n: int, bpp: int = 3, timing: int = 1) -> None:
        self.pin = pin
        self.n = n
        self.bpp = bpp
        self.buf = bytearray(n * bpp)
        self.timing = _NS[not timing]
        pin.init(pin.OUT)  # type: ignore[attr-defined]

    def __len__(self) -> int:
        return self.n

    def __setitem__(self, i: int, colour: tuple[int, ...]) -> None:
        for at, level in zip(self.ORDER, colour):
            self.buf[i * self.bpp + at] = level

    def __getitem__(self, i: int) -> tuple[int, ...]:
        return tuple(self.buf[i * self.bpp + at] for at in self.ORDER)

    def fill(self, colour: tuple[int, ...]) -> None:
        for i in range(self.n):
            self[i] = colour

    def write(self) -> None:
        bitstream(self.pin, 0, self.timing, self.buf)
