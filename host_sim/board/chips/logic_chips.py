# SPDX-License-Identifier: MIT
"""The glue chips of a hub12 board, at pin level: 74HC138 decoders, 74HC165 shift registers."""

from collections.abc import Sequence

from host_sim.board.chips.machine import Net


class Decoder138:
    """A 74HC138 decoder. While it is enabled, only the output that the address chooses is low.

    address: three wires, A0 first
    low: the enabling wires that must be low
    high: the enabling wires that must be high
    outputs: up to eight wires, Y0 first
    """

    def __init__(
        self,
        address: Sequence[Net],
        low: Sequence[Net],
        high: Sequence[Net],
        outputs: Sequence[Net],
    ) -> None:
        self.address = address
        self._outputs = [*outputs, *(Net() for _ in range(8 - len(outputs)))]
        for wire in self._outputs:
            wire.level = 1
        self._output = self._outputs[0]  # the one that is addressed
        # how many enabling wires are at the wrong level. The first of `low` has edges with every
        # byte on the bus: it is watched only while all others are right
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
        self._readdress(0)

    def _count(self, level: int) -> None:
        if level:
            self._shut += 1
            if self._shut == 1:
                self._low.watchers.remove(self._output_of)
                self._output.set(1)
        else:
            self._shut -= 1
            if not self._shut:
                self._open()

    def _count_high(self, level: int) -> None:
        self._count(not level)

    def _open(self) -> None:
        self._low.watchers.append(self._output_of)
        self._output.set(self._low.level)

    def _output_of(self, level: int) -> None:
        output = self._output
        if level != output.level:
            output.level = level
            for watch in output.watchers:
                watch(level)

    def _readdress(self, _level: int) -> None:
        a, b, c = self.address
        output = self._outputs[a.level | b.level << 1 | c.level << 2]
        before, self._output = self._output, output
        if output is not before and not self._shut and not self._low.level:
            before.set(1)
            output.set(0)


class Shift165:
    """A 74HC165 shift register.

    inputs: wires; the first is input H, whose level is shifted out first
    """

    def __init__(self, load: Net, clock: Net, data: Net, inputs: Sequence[Net]) -> None:
        self.load = load
        self.data = data
        self.inputs = inputs
        self._bits = 0
        load.watchers.append(self._load)
        clock.watchers.append(self._clock)

    @property
    def shifts(self) -> int:
        """The number of further shifts for which `data` keeps its present level, at most 15."""
        same = self._bits if self._bits & 1 else ~self._bits
        return next((n for n in range(15) if not same >> n + 1 & 1), 15)

    def _load(self, level: int) -> None:
        if not level:
            self._bits = sum(wire.level << i for i, wire in enumerate(self.inputs))
            self.data.level = self._bits & 1

    def _clock(self, level: int) -> None:
        if level and self.load.level:
            self._bits >>= 1
            self.data.level = self._bits & 1
