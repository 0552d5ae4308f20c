# SPDX-License-Identifier: MIT
"""The glue chips of a hub12 board, at pin level: 74HC154 decoder, 74HC165 shift registers."""


class Decoder154:
    """address: four wires, A0 first; enable: a wire, active low; outputs: up to 16 wires."""

    def __init__(self, address, enable, outputs):
        self.address = address
        self.outputs = outputs
        self._low = None
        for wire in address:
            wire.watchers.append(self._address)
        enable.watchers.append(self._change)
        for wire in outputs:
            wire.level = 1

    def _address(self, _level):
        if self._low is not None:
            self._change(0)

    def _change(self, level):
        low = None
        if not level:
            a, b, c, d = self.address
            low = a.level | b.level << 1 | c.level << 2 | d.level << 3
        if low != self._low:
            if self._low is not None and self._low < len(self.outputs):
                self.outputs[self._low].set(1)
            self._low = low
            if low is not None and low < len(self.outputs):
                self.outputs[low].set(0)


class Shift165:
    """load, clock, data: wires; inputs: wires, the first is at input H and comes out first."""

    def __init__(self, load, clock, data, inputs):
        self.load = load
        self.data = data
        self.inputs = inputs
        self._bits = 0
        load.watchers.append(self._load)
        clock.watchers.append(self._clock)

    def _load(self, level):
        if not level:
            self._bits = sum(wire.level << i for i, wire in enumerate(self.inputs))
            self.data.level = self._bits & 1

    def _clock(self, level):
        if level and self.load.level:
            self._bits >>= 1
            self.data.level = self._bits & 1
