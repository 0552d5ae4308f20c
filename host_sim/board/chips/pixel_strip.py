# SPDX-License-Identifier: MIT
"""The simulated pixel strip: a stand-in for MicroPython's `NeoPixel`, which sends its frames with
the real Adafruit NeoPixel package.

The package runs unchanged on CPython, with stand-ins (folder stubs) for four CircuitPython
modules. The package sends a frame with `neopixel_write(pin, bytes)`, which passes the bytes to
`NeoPixel.wire`.
"""

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from host_sim.board.chips.machine import Pin


def _adafruit() -> ModuleType:
    """Import and return the PyPI package `neopixel`, which has the same name as MicroPython's
    module."""
    stubs = str(Path(__file__).parent / "stubs")
    ours = sys.modules.pop("neopixel", None)
    sys.path.insert(0, stubs)
    try:
        module = importlib.import_module("neopixel")
    finally:
        sys.path.remove(stubs)
        sys.modules.pop("neopixel", None)
        if ours is not None:
            sys.modules["neopixel"] = ours
    if "Adafruit" not in getattr(module, "__repo__", ""):
        raise ImportError("adafruit-circuitpython-neopixel is hidden by " + str(module.__file__))
    return module


adafruit_neopixel = _adafruit()


def as_grb(sent: bytes, order: str) -> bytes:
    """Return the colours that the pixels show, as bytes G, R, B for each pixel.

    order: which colour each of a pixel's three bytes sets, such as `RGB`
    """
    if order == "GRB":
        return sent
    seen = bytearray(len(sent))
    for at, colour in enumerate(order):
        seen["GRB".index(colour) :: 3] = sent[at::3]
    return bytes(seen)


class NeoPixel:
    """A stand-in for MicroPython's neopixel.NeoPixel. It has `n`, `buf` (G, R, B bytes) and
    `write()`; pixels can be set as tuples.

    on_frame: a function called with the bytes (3 * n; G, R, B) of every frame sent, or None
    """

    def __init__(self, pin: Pin, n: int, bpp: int = 3, timing: int = 1) -> None:
        if bpp != 3:
            raise ValueError("three bytes a pixel")
        self.pin = pin
        self.n = n
        self.bpp = bpp
        self.buf = bytearray(3 * n)
        self.on_frame: Callable[[bytes], None] | None = None
        self._sent = bytes(3 * n)
        self._strip = adafruit_neopixel.NeoPixel(self, n, brightness=1.0, auto_write=False)

    def write(self) -> None:
        buf, sent = self.buf, self._sent
        if buf != sent:
            strip = self._strip
            for j in range(0, len(buf), 3):
                if buf[j : j + 3] != sent[j : j + 3]:
                    strip[j // 3] = buf[j + 1] << 16 | buf[j] << 8 | buf[j + 2]
        self._strip.show()

    def wire(self, grb: bytes) -> None:
        """Take the bytes of a frame (G, R, B)."""
        self._sent = grb
        if self.on_frame:
            self.on_frame(grb)

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, i: int) -> tuple[int, int, int]:
        g, r, b = self.buf[3 * i : 3 * i + 3]
        return r, g, b

    def __setitem__(self, i: int, rgb: tuple[int, int, int]) -> None:
        r, g, b = rgb
        self.buf[3 * i : 3 * i + 3] = bytes((g, r, b))

    def fill(self, rgb: tuple[int, int, int]) -> None:
        for i in range(self.n):
            self[i] = rgb
