# SPDX-License-Identifier: MIT
"""The netlists that KiCad reads from the schematics, against the pin map.

They follow the copper from the Pico's pins through the chips and the ribbons to a reader's pins,
as their datasheets number them, and know of the circuits only the slots, the ribbon, a reader's
pins and where a GPIO is on a Pico.
"""

from hardware import sexp
from hardware.circuit import PICO_PINS, READER, RIBBON, SLOTS

# 74HC138: pins of A0 A1 A2, of the enables that want low and high, of Y0..Y7
HC138 = ((1, 2, 3), (4, 5), (6,), (15, 14, 13, 12, 11, 10, 9, 7))
GATE = (2, 1, 4)  # 74x1G125: input, /OE, output
HC165 = {"data": 9, "serial": 10, "load": 1, "clock": 2, "inhibit": 15}
HC165_INPUTS = (6, 5, 4, 3, 14, 13, 12, 11)  # as they come out
AHC244 = ((2, 18), (4, 16), (6, 14), (8, 12), (17, 3), (15, 5), (13, 7), (11, 9))
PIXEL = {"5V": 1, "out": 2, "GND": 3, "in": 4}


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
    checks = (_selects, _buttons, _bus, _chain, _single)
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

    def gpio(self, name):
        """Return the net at the GPIO of that name, of all of them where there are several."""
        numbers = self.board[name]
        if isinstance(numbers, int):
            return self.pins.get("U1.%d" % PICO_PINS[numbers])
        return [self.pins.get("U1.%d" % PICO_PINS[number]) for number in numbers]

    def slot(self, name, signal):
        """Return the net of a signal at a slot's header; None where GND's pins differ."""
        return ribbon(self.pins, self._slots[name], signal)

    def chips(self, value):
        """Return the parts with that value, by number."""
        refs = (ref for ref, v in self.values.items() if v == value)
        return sorted(refs, key=lambda ref: int(ref[1:]))

    def of(self, ref, *numbers):
        """Return the nets of some pins of a part; KeyError where one is connected to nothing."""
        return [self.pins["%s.%d" % (ref, number)] for number in numbers]


def ribbon(pins, ref, signal):
    """Return the net of a signal at a ribbon's header; None where its pins are on several."""
    nets = {pins.get("%s.%d" % (ref, n)) for n, name in enumerate(RIBBON, 1) if name == signal}
    return nets.pop() if len(nets) == 1 else None


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
    for net in order[len(SLOTS) :]:
        yield from _same("a button that nobody has", net, "+3V3")


def _bus(nets):
    """SCK and MOSI come through a driver and a resistor; the rest of a ribbon, straight."""
    driven = {}
    for chip in nets.chips("74AHC244"):
        for gate in AHC244:
            into, out = nets.of(chip, *gate)
            driven[out] = into
        for enable in (1, 19):
            yield from _same("%s /OE" % chip, *nets.of(chip, enable), "GND")
    for ref in nets.chips("33R"):
        before, behind = nets.of(ref, 1, 2)
        driven[behind] = driven.get(before)
    behind = {nets.of(ref, 1)[0]: nets.of(ref, 2)[0] for ref in nets.chips("100R")}
    reset = behind.get(nets.gpio("reset"))
    for name in SLOTS:
        sck, mosi = driven.get(nets.slot(name, "SCK")), driven.get(nets.slot(name, "MOSI"))
        yield from _same("SCK of slot %s" % name, sck, nets.gpio("sck"))
        yield from _same("MOSI of slot %s" % name, mosi, nets.gpio("mosi"))
        yield from _same("MISO of slot %s" % name, nets.slot(name, "MISO"), nets.gpio("miso"))
        yield from _same("RST of slot %s" % name, nets.slot(name, "RST"), reset)
        yield from _same("3.3 V of slot %s" % name, nets.slot(name, "3.3V"), "3V3_READERS")
        yield from _same("5 V of slot %s" % name, nets.slot(name, "5V"), "+5V")
        yield from _same("ground of slot %s" % name, nets.slot(name, "GND"), "GND")


def _chain(nets):
    """The pixels: through the level shifter to the first slot, and from each to the next."""
    (shifter,) = nets.chips("74AHCT1G125")
    into, enable, out = nets.of(shifter, *GATE)
    yield from _same("pixels' driver", into, nets.gpio("lights"))
    yield from _same("pixels' driver's /OE", enable, "GND")
    before, chain = nets.of(nets.chips("330R")[0], 1, 2)
    yield from _same("pixels' resistor", out, before)
    for name in SLOTS:
        yield from _same("pixels into slot %s" % name, nets.slot(name, "PIX_IN"), chain)
        chain = nets.slot(name, "PIX_OUT")


def _single(nets):
    """Piezo, the inlet's CC pins, its data on the way to the Pico's own socket."""
    yield from _same("piezo's resistor", *nets.of(nets.chips("220R")[0], 1), nets.gpio("piezo"))
    for ref in ("R3", "R4"):
        yield from _same("%s senses" % ref, *nets.of(ref, 2), nets.gpio("sense"))
    for pin, other in ((5, 2), (6, 3)):
        yield from _same("USB data", *nets.of("J13", pin), *nets.of("J14", other))


# ---- the slot board ----


def slot_mistakes(pins, values):
    """Return what is wrong on the slot board, a line each; pins, values: as for `mistakes`."""
    reader = {name: pins.get("J2.%d" % n) for n, name in enumerate(READER, 1)}
    gate = next((ref for ref, value in values.items() if value == "74LVC1G125"), None)
    into, enable, out = (pins.get("%s.%d" % (gate, n)) for n in GATE)
    found = []
    for name in ("SDA", "SCK", "MOSI", "GND", "RST", "3.3V"):
        found += _same("reader's %s" % name, reader[name], ribbon(pins, "J1", name))
    found += _same("the gate's input", into, reader["MISO"])
    found += _same("the gate's /OE", enable, ribbon(pins, "J1", "SDA"))
    behind = {pins.get(ref + ".1"): pins.get(ref + ".2") for ref in values if ref[0] == "R"}
    found += _same("MISO", behind.get(out), ribbon(pins, "J1", "MISO"))
    button = {pins.get("SW1.1"), pins.get("SW1.2")}
    if button != {ribbon(pins, "J1", "BTN"), "GND"}:
        found.append("the button is on %s" % sorted(map(str, button)))
    chain = ribbon(pins, "J1", "PIX_IN")
    for i in range(1, 5):
        pixel = {name: pins.get("D%d.%d" % (i, n)) for name, n in PIXEL.items()}
        found += _same("pixel %d in" % i, pixel["in"], chain)
        for supply in ("5V", "GND"):
            what = "pixel %d %s" % (i, supply)
            found += _same(what, pixel[supply], ribbon(pins, "J1", supply))
        chain = pixel["out"]
    return found + _same("pixels out", behind.get(chain), ribbon(pins, "J1", "PIX_OUT"))
