# SPDX-License-Identifier: MIT
"""The netlist that KiCad reads from the schematic, against the pin map.

It follows the copper from the Pico's pins through the chips to the slots' connectors, as their
datasheets number them, and knows of circuit.py only the slots, a reader's pins and where a GPIO
is on a Pico.
"""

from hardware import sexp
from hardware.circuit import PICO_PINS, READER, SLOTS

# 74HC138: pins of A0 A1 A2, of the enables that want low and high, of Y0..Y7
HC138 = ((1, 2, 3), (4, 5), (6,), (15, 14, 13, 12, 11, 10, 9, 7))
HC125 = ((2, 1, 3), (5, 4, 6), (9, 10, 8), (12, 13, 11))  # input, /OE, output of each gate
HC165 = {"data": 9, "serial": 10, "load": 1, "clock": 2, "inhibit": 15}
HC165_INPUTS = (6, 5, 4, 3, 14, 13, 12, 11)  # as they come out
HC244 = ((2, 18), (4, 16), (6, 14), (8, 12), (17, 3), (15, 5), (13, 7), (11, 9))


def load(text):
    """Return ({"U1.3": net}, {ref: value}) of a KiCad netlist."""
    tree = sexp.loads(text)
    pins = {}
    for net in sexp.find(tree, "nets", "net"):
        name = sexp.one(net, "name")[1].removeprefix("/")
        for node in sexp.find(net, "node"):
            pins["%s.%s" % (sexp.one(node, "ref")[1], sexp.one(node, "pin")[1])] = name
    values = {
        sexp.one(part, "ref")[1]: sexp.one(part, "value")[1]
        for part in sexp.find(tree, "components", "comp")
    }
    return pins, values


def copper(text):
    """Return the same of a KiCad board: what its pads are connected to."""
    pins = {}
    values = {}
    for part in sexp.find(sexp.loads(text), "footprint"):
        texts = {p[1]: p[2] for p in sexp.find(part, "property")}
        values[texts["Reference"]] = texts["Value"]
        for pad in sexp.find(part, "pad"):
            for net in sexp.find(pad, "net"):
                pins["%s.%s" % (texts["Reference"], pad[1])] = net[2].removeprefix("/")
    return pins, values


def mistakes(board, pins, values):
    """Return what differs from the pin map, a line each.

    board: its section of the pin map; pins, values: as `load` and `copper` return them.
    """
    found = sorted(v.removeprefix("slot ") for v in values.values() if v.startswith("slot "))
    if found != sorted(SLOTS):
        return ["slots are %s" % " ".join(found)]
    nets = _Nets(board, pins, values)
    checks = (_selects, _buttons, _misos, _bus, _single)
    return [line for check in checks for line in check(nets)]


class _Nets:
    """What is connected to what; names are the pin map's, a chip's and a slot's."""

    def __init__(self, board, pins, values):
        self.board = board
        self.pins = pins
        self.values = values
        self._slots = {
            value.removeprefix("slot "): ref
            for ref, value in values.items()
            if value.startswith("slot ")
        }
        self._signals = {name: i for i, name in enumerate((*READER, "BTN", "GND2"), 1)}

    def gpio(self, name):
        """Return the net at the GPIO of that name, of all of them where there are several."""
        numbers = self.board[name]
        if isinstance(numbers, int):
            return self.pins.get("U1.%d" % PICO_PINS[numbers])
        return [self.pins.get("U1.%d" % PICO_PINS[number]) for number in numbers]

    def slot(self, name, signal):
        """Return the net of a signal at a slot's connector."""
        return self.pins.get("%s.%d" % (self._slots[name], self._signals[signal]))

    def chips(self, value):
        """Return the parts with that value, by number."""
        refs = (ref for ref, v in self.values.items() if v == value)
        return sorted(refs, key=lambda ref: int(ref[1:]))

    def of(self, ref, *numbers):
        """Return the nets of some pins of a part; KeyError where one is connected to nothing."""
        return [self.pins["%s.%d" % (ref, number)] for number in numbers]


def _same(what, net, other):
    """Return [] where two nets are one, else the line that says so."""
    return [] if net is not None and net == other else ["%s: %s is not %s" % (what, net, other)]


def _selects(nets):
    """Which chip select goes low at which address."""
    address = nets.gpio("address")
    low = {}
    inputs, off, on, outputs = HC138
    for chip in nets.chips("74HC138"):
        levels = {nets.gpio("enable"): 0, "GND": 0, "+3V3": 1}
        for high in (0, 1):
            levels[address[3]] = high
            enables = [levels.get(net) for net in nets.of(chip, *off, *on)]
            if enables == [0] * len(off) + [1] * len(on):
                for y, pin in enumerate(outputs):
                    low[8 * high + y] = nets.pins.get("%s.%d" % (chip, pin))
        for i, pin in enumerate(inputs):
            net = nets.pins.get("%s.%d" % (chip, pin))
            yield from _same("%s A%d" % (chip, i), net, address[i])
    for place, name in enumerate(SLOTS):
        yield from _same("SDA of slot %s" % name, nets.slot(name, "SDA"), low.get(place))


def _buttons(nets):
    """In which order the buttons come out of the chain."""
    order = []
    data = nets.gpio("data")
    while data != "GND" and len(order) < 32:
        chips = nets.chips("74HC165")
        chip = next((c for c in chips if nets.of(c, HC165["data"]) == [data]), None)
        if chip is None:
            yield "no 74HC165 gives %s" % data
            break
        order += nets.of(chip, *HC165_INPUTS)
        load, clock, inhibit = nets.of(chip, HC165["load"], HC165["clock"], HC165["inhibit"])
        yield from _same("%s load" % chip, load, nets.gpio("load"))
        yield from _same("%s clock" % chip, clock, nets.gpio("clock"))
        yield from _same("%s inhibit" % chip, inhibit, "GND")
        (data,) = nets.of(chip, HC165["serial"])
    for name, net in zip(SLOTS, order):
        yield from _same("button of slot %s" % name, nets.slot(name, "BTN"), net)


def _misos(nets):
    """MISO comes through a gate that only its own chip select opens."""
    gates = {}
    for chip in nets.chips("74HC125"):
        for gate in HC125:
            into, off, out = nets.of(chip, *gate)
            gates[into] = off, out
    for name in SLOTS:
        off, out = gates.get(nets.slot(name, "MISO"), (None, None))
        yield from _same("gate of slot %s" % name, off, nets.slot(name, "SDA"))
        yield from _same("MISO of slot %s" % name, out, nets.gpio("miso"))


def _bus(nets):
    """SCK and MOSI come through a driver and its resistor; the rest of a connector, straight."""
    driven = {}
    for chip in nets.chips("74HC244"):
        for gate in HC244:
            into, out = nets.of(chip, *gate)
            driven[out] = into
        for enable in (1, 19):
            yield from _same("%s /OE" % chip, *nets.of(chip, enable), "GND")
    for ref in nets.chips("68R"):
        before, behind = nets.of(ref, 1, 2)
        driven[behind] = driven.get(before)
    for name in SLOTS:
        sck, mosi = driven.get(nets.slot(name, "SCK")), driven.get(nets.slot(name, "MOSI"))
        yield from _same("SCK of slot %s" % name, sck, nets.gpio("sck"))
        yield from _same("MOSI of slot %s" % name, mosi, nets.gpio("mosi"))
        yield from _same("RST of slot %s" % name, nets.slot(name, "RST"), nets.gpio("reset"))
        yield from _same("supply of slot %s" % name, nets.slot(name, "3.3V"), "3V3_READERS")
        yield from _same("ground of slot %s" % name, nets.slot(name, "GND"), "GND")
        yield from _same("button's ground of slot %s" % name, nets.slot(name, "GND2"), "GND")


def _single(nets):
    """Pixels, piezo, the inlet's CC pins."""
    into, out = nets.of(nets.chips("74AHCT125")[0], *HC125[0][::2])
    yield from _same("pixels' driver", into, nets.gpio("lights"))
    yield from _same("pixels' resistor", out, *nets.of(nets.chips("330R")[0], 1))
    yield from _same("piezo's resistor", *nets.of(nets.chips("220R")[0], 1), nets.gpio("piezo"))
    for ref in nets.chips("100k"):
        yield from _same("%s senses" % ref, *nets.of(ref, 2), nets.gpio("sense"))
