# SPDX-License-Identifier: MIT
"""Connects the Pico to the slots' readers and buttons, by glue chips or plain wires.

The names of a board's pins (hardware/pins.toml) decide whether the board has chips or wires.

Both functions take the same arguments:

pins: config.PINS after settings.check; with plain wires, a pin for each slot
lines: config.LINES after settings.check; with glue chips, each slot's line on the chips

Both arguments list the slots in board order. A slot's place is the slot's index in this order.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from host_sim.board.chips import machine
from host_sim.board.chips.logic_chips import Decoder138, Shift165
from host_sim.board.chips.machine import Net

Pins = Mapping[str, Any]  # a name -> a GPIO, or one for each place


def selects(pins: Pins, lines: Sequence[int]) -> list[Net]:
    """Connect the readers' select wires; return them in the order of places."""
    if "selects" in pins:
        return [machine.wire(pin) for pin in pins["selects"]]
    outputs = [machine.wire(("select", i)) for i in range(lines[-1] + 1)]
    *address, which = [machine.wire(pin) for pin in pins["address"]]
    enable = machine.wire(pins["enable"])
    Decoder138(address, [enable, which], [], outputs[:8])
    Decoder138(address, [enable], [which], outputs[8:])
    return [outputs[line] for line in lines]


def buttons(pins: Pins, lines: Sequence[int]) -> tuple[list[Net], Shift165 | None]:
    """Connect the buttons; return (wires, register).

    wires: the buttons' wires in the order of places; a wire is 0 while its button is pressed
    register: the shift register that reads the wires, or None
    """
    if "buttons" in pins:
        return [machine.wire(pin) for pin in pins["buttons"]], None
    inputs = [machine.wire(("button", i)) for i in range(lines[-1] + 1)]
    load, clock, data = (machine.wire(pins[name]) for name in ("load", "clock", "data"))
    register = Shift165(load, clock, data, inputs)
    for button in inputs:
        button.drive(1)
    return [inputs[line] for line in lines], register
