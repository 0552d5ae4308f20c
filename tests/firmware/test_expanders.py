# SPDX-License-Identifier: MIT
"""Decoder and shift registers, tested on models of the chips at pin level."""

from host_sim.board.chips import machine
from host_sim.board.chips.logic_chips import Decoder138, Shift165
from roundhouse.drivers.expanders import Decoder, ShiftIn


def pin(number):
    return machine.Pin(number, machine.Pin.OUT)


def test_one_output_at_a_time():
    machine.power_up()
    outputs = [machine.wire(("out", i)) for i in range(16)]
    address = [machine.wire(n) for n in range(3)]
    Decoder138(address, [machine.wire(4), machine.wire(3)], [], outputs[:8])
    Decoder138(address, [machine.wire(4)], [machine.wire(3)], outputs[8:])
    decoder = Decoder([pin(n) for n in range(4)], pin(4), range(16))
    glitches = []
    for wire in outputs:
        wire.watchers.append(glitches.append)
    assert len(decoder) == 16
    for i in range(16):
        drive = decoder[i]
        assert [wire.level for wire in outputs] == [1] * 16
        drive(0)
        assert [wire.level for wire in outputs] == [int(k != i) for k in range(16)]
        drive(1)
    assert len(glitches) == 32, "no other output moved on the way"


def test_every_button_has_its_bit():
    machine.power_up()
    buttons = [machine.wire(("button", i)) for i in range(12)]
    for button in buttons:
        button.drive(1)
    Shift165(machine.wire(5), machine.wire(6), machine.wire(7), buttons)
    shift = ShiftIn(pin(5), pin(6), machine.Pin(7, machine.Pin.IN), range(12))
    assert shift.levels() == 0
    for i, button in enumerate(buttons):
        button.drive(0)
        assert shift.levels() == 1 << i
        button.drive(1)
    buttons[0].drive(0)
    buttons[11].drive(0)
    assert shift.levels() == 1 | 1 << 11


def test_only_the_lines_in_use():
    machine.power_up()
    outputs = [machine.wire(("out", i)) for i in range(16)]
    address = [machine.wire(n) for n in range(3)]
    Decoder138(address, [machine.wire(4), machine.wire(3)], [], outputs[:8])
    Decoder138(address, [machine.wire(4)], [machine.wire(3)], outputs[8:])
    lines = (0, 1, 10, 11)
    decoder = Decoder([pin(n) for n in range(4)], pin(4), lines)
    buttons = [machine.wire(("button", i)) for i in range(12)]
    for button in buttons:
        button.drive(1)
    Shift165(machine.wire(5), machine.wire(6), machine.wire(7), buttons)
    shift = ShiftIn(pin(5), pin(6), machine.Pin(7, machine.Pin.IN), lines)
    assert len(decoder) == 4
    for n, line in enumerate(lines):
        decoder[n](0)
        assert [wire.level for wire in outputs].index(0) == line
        decoder[n](1)
        buttons[line].drive(0)
        assert shift.levels() == 1 << n
        buttons[line].drive(1)
    buttons[5].drive(0)
    assert shift.levels() == 0, "nobody is wired there"
