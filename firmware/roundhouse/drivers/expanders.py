# SPDX-License-Identifier: MIT
"""Chips that save pins: decoders for chip selects, and shift registers for buttons."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class Decoder:
    """A pair of 74HC138 decoder chips: four address pins choose which of 16 outputs is low while
    the enable pin is low.

    address: four output pins, A0 first; the last pin chooses the chip.
    enable: an output pin, active low.
    lines: the numbers of the outputs in use.

    `decoder[n]` is a function: its argument 0 pulls output lines[n] low, 1 releases the output.
    The function is valid only until the decoder is indexed again.
    """

    def __init__(self, address: "Sequence[Any]", enable: "Any", lines: "Sequence[int]") -> None:
        self._address = address
        self._enable = enable
        self._lines = lines
        enable(1)

    def __len__(self) -> int:
        return len(self._lines)

    def __getitem__(self, n: int) -> "Any":
        number = self._lines[n]
        a, b, c, d = self._address
        a(number & 1)
        b(number >> 1 & 1)
        c(number >> 2 & 1)
        d(number >> 3 & 1)
        return self._enable


class ShiftIn:
    """A chain of 74HC165 shift registers with buttons to ground. Input 0 is input H of the last
    chip.

    load: an output pin; low latches the levels.
    data: an input pin, wired to Q_H.
    lines: the numbers of the inputs in use, ascending.
    """

    def __init__(self, load: "Any", clock: "Any", data: "Any", lines: "Sequence[int]") -> None:
        self._load = load
        self._clock = clock
        self._data = data
        self._lines = lines
        load(1)
        clock(0)

    def levels(self) -> int:
        """Return a mask with bit i set if the button on input lines[i] is down."""
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
