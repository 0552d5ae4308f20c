# SPDX-License-Identifier: MIT
"""What is between the Pico and the slots' readers and buttons: chips or plain wires.

The names of a board's pins say which, see hardware/pins.toml. pins, lines: config.PINS and
config.LINES, as settings.check leaves them: a pin, or a line of the chips, for each place.
"""

from host_sim.chips import machine
from host_sim.chips.logic_chips import Decoder138, Shift165


def selects(pins, lines):
    """Connect what makes chip selects; return the readers' select wires, by place."""
    if "selects" in pins:
        return [machine.wire(pin) for pin in pins["selects"]]
    outputs = [machine.wire(("select", i)) for i in range(lines[-1] + 1)]
    *address, which = [machine.wire(pin) for pin in pins["address"]]
    enable = machine.wire(pins["enable"])
    Decoder138(address, [enable, which], [], outputs[:8])
    Decoder138(address, [enable], [which], outputs[8:])
    return [outputs[line] for line in lines]


def buttons(pins, lines):
    """Connect what reads buttons; return the buttons' wires, by place: 0 while one is down."""
    if "buttons" in pins:
        return [machine.wire(pin) for pin in pins["buttons"]]
    inputs = [machine.wire(("button", i)) for i in range(lines[-1] + 1)]
    Shift165(*[machine.wire(pins[name]) for name in ("load", "clock", "data")], inputs)
    for button in inputs:
        button.drive(1)
    return [inputs[line] for line in lines]
