# SPDX-License-Identifier: MIT
"""Two chips that save pins: a decoder for chip selects, shift registers for buttons."""


class Decoder:
    """Two 74HC138: four address pins choose which of 16 outputs is low while the enable pin is.

    address: four output pins, A0 first, the last chooses the chip; enable: an output pin, active
    low. lines: the outputs in use. `decoder[n]` is a pin: 0 pulls the n-th of them low, 1 lets it
    go. It is good until another one is asked for.
    """

    def __init__(self, address, enable, lines):
        self._address = address
        self._enable = enable
        self._lines = lines
        enable(1)

    def __len__(self):
        return len(self._lines)

    def __getitem__(self, n):
        number = self._lines[n]
        a, b, c, d = self._address
        a(number & 1)
        b(number >> 1 & 1)
        c(number >> 2 & 1)
        d(number >> 3 & 1)
        return self._enable


class ShiftIn:
    """A chain of 74HC165 with buttons to ground, the first input is the last chip's H.

    load: output pin, low takes the levels over; clock: output pin; data: input pin, from Q_H;
    lines: the inputs in use, ascending.
    """

    def __init__(self, load, clock, data, lines):
        self._load = load
        self._clock = clock
        self._data = data
        self._lines = lines
        load(1)
        clock(0)

    def levels(self):
        """Return a mask, bit i set while the button on the i-th line is down."""
        data = self._data
        clock = self._clock
        self._load(0)
        self._load(1)
        mask = 0
        bit = 1
        at = 0
        for line in self._lines:
            while at < line:
                clock(1)
                clock(0)
                at += 1
            if not data():
                mask |= bit
            bit += bit
        return mask
