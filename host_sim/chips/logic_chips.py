# SPDX-License-Identifier: MIT
"""The glue chips of a hub12 board, at pin level: 74HC138 decoders, 74HC165 shift registers."""

from host_sim.chips.machine import Wire


class Decoder138:
    """address: three wires, A0 first; low, high: wires that must be so for an output to go low;
    outputs: up to eight wires, the first is Y0."""

    def __init__(self, address, low, high, outputs):
        self.address = address
        self._outputs = [*outputs, *(Wire() for _ in range(8 - len(outputs)))]
        for wire in self._outputs:
            wire.level = 1
        self._output = self._outputs[0]  # the one that is addressed
        # how many of the enabling wires are not as they must be. The first of `low` has edges with
        # every byte on the bus: it is only watched while all others are as they must be
        self._low, *others = low
        self._shut = sum(wire.level for wire in others) + sum(not wire.level for wire in high)
        for wire in others:
            wire.watchers.append(self._count)
        for wire in high:
            wire.watchers.append(self._count_high)
        for wire in address:
            wire.watchers.append(self._readdress)
        if not self._shut:
            self._open()
        self._readdress(None)

    def _count(self, level):
        if level:
            self._shut += 1
            if self._shut == 1:
                self._low.watchers.remove(self._output_of)
                self._output.set(1)
        else:
            self._shut -= 1
            if not self._shut:
                self._open()

    def _count_high(self, level):
        self._count(not level)

    def _open(self):
        self._low.watchers.append(self._output_of)
        self._output.set(self._low.level)

    def _output_of(self, level):
        output = self._output
        if level != output.level:
            output.level = level
            for watch in output.watchers:
                watch(level)

    def _readdress(self, _level):
        a, b, c = self.address
        output = self._outputs[a.level | b.level << 1 | c.level << 2]
        before, self._output = self._output, output
        if output is not before and not self._shut and not self._low.level:
            before.set(1)
            output.set(0)


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
