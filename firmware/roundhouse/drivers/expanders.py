# SPDX-License-Identifier: MIT
"""Two chips that save pins: a decoder for chip selects, shift registers for buttons."""


class Decoder:
    """Two 74HC138: four address pins choose which of 16 outputs goes low while the enable pin is.

    address: four output pins, A0 first, the last chooses the chip; enable: an output pin, active
    low. `decoder[n]` is the pin that pulls output n low with 0 and lets it go with 1, until
    another output is asked for.
    """

    def __init__(self, address, enable, count):
        self._address = address
        self._enable = enable
        self._count = count
        enable(1)

    def __len__(self):
        return self._count

    def __getitem__(self, number):
        a, b, c, d = self._address
        a(number & 1)
        b(number >> 1 & 1)
        c(number >> 2 & 1)
        d(number >> 3 & 1)
        return self._enable


class ShiftIn:
    """A chain of 74HC165: `count` buttons to ground, the first one at the last chip's input H.

    load: output pin, low takes the levels over; clock: output pin; data: input pin, from Q_H.
    """

    def __init__(self, load, clock, data, count):
        self._load = load
        self._clock = clock
        self._data = data
        self._count = count
        load(1)
        clock(0)

    def levels(self):
        """Return a mask, bit i set while button i is down."""
        data = self._data
        clock = self._clock
        self._load(0)
        self._load(1)
        mask = 0
        bit = 1
        for _ in range(self._count):
            if not data():
                mask |= bit
            clock(1)
            clock(0)
            bit += bit
        return mask
