# SPDX-License-Identifier: MIT
"""The glue chips of a hub12 board, at pin level: 74HC138 decoders, 74HC165 shift registers."""


class Decoder138:
    """address: three wires, A0 first; low, high: wires that must be so for an output to go low;
    outputs: eight wires, the first is Y0."""

    def __init__(self, address, low, high, outputs):
        self.address = address
        self.low = low
        self.high = high
        self.outputs = outputs
        self._chosen = None
        for wire in (*address, *low, *high):
            wire.watchers.append(self._change)
        for wire in outputs:
            wire.level = 1
        self._change(None)

    def _address(self):
        # plain loops: this is asked at every edge of five wires
        for wire in self.low:
            if wire.level:
                return None
        for wire in self.high:
            if not wire.level:
                return None
        a, b, c = self.address
        return a.level | b.level << 1 | c.level << 2

    def _change(self, _level):
        chosen = self._address()
        if chosen == self._chosen:
            return
        before, self._chosen = self._chosen, chosen
        for output, level in ((before, 1), (chosen, 0)):
            if output is not None and output < len(self.outputs):
                self.outputs[output].set(level)


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
