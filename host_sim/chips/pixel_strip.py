# SPDX-License-Identifier: MIT
"""The simulated strip: MicroPython's `NeoPixel`, sent by the real Adafruit NeoPixel package.

The package runs unchanged on plain CPython once small stand-ins for four CircuitPython modules
(folder stubs) are on the path; its last call, `neopixel_write(pin, bytes)`, ends in our pin.
"""

import importlib
import sys
from pathlib import Path


def _adafruit():
    """Import the PyPI package `neopixel`, whose name the firmware's own module shares."""
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


class NeoPixel:
    """MicroPython's neopixel.NeoPixel: `n`, `buf` (G, R, B bytes), `write()`, pixels as tuples.

    on_frame: None, or a function that gets the 3 * n bytes (G, R, B) of every frame sent.
    """

    def __init__(self, pin, n, bpp=3, timing=1):
        if bpp != 3:
            raise ValueError("three bytes a pixel")
        self.pin = pin
        self.n = n
        self.bpp = bpp
        self.buf = bytearray(3 * n)
        self.on_frame = None
        self._sent = bytes(3 * n)
        self._strip = adafruit_neopixel.NeoPixel(self, n, brightness=1.0, auto_write=False)

    def write(self):
        """Send a frame: all pixels as they are in `buf`."""
        buf, sent = self.buf, self._sent
        if buf != sent:
            strip = self._strip
            for j in range(0, len(buf), 3):
                if buf[j : j + 3] != sent[j : j + 3]:
                    strip[j // 3] = buf[j + 1] << 16 | buf[j] << 8 | buf[j + 2]
        self._strip.show()

    def wire(self, grb):
        """What `neopixel_write` calls: grb is on the wire now."""
        self._sent = grb
        if self.on_frame:
            self.on_frame(grb)

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g, r, b = self.buf[3 * i : 3 * i + 3]
        return r, g, b

    def __setitem__(self, i, rgb):
        r, g, b = rgb
        self.buf[3 * i : 3 * i + 3] = bytes((g, r, b))

    def fill(self, rgb):
        """Set all pixels to one colour."""
        for i in range(self.n):
            self[i] = rgb
