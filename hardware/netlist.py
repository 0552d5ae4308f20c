# SPDX-License-Identifier: MIT
"""Checks the connections of the boards against the pin map.

Each signal is followed from the Pico's pin through chips and ribbon to the reader's pin. What is
expected comes only from the pin map, the slots, the ribbon and the datasheets' pin numbers.
"""

from collections.abc import Iterator

from hardware import pinmap, s_expressions
from hardware.pinmap import Pins
from hardware.pinouts import (
    AHC244,
    GATE,
    HC138,
    HC165,
    HC165_INPUTS,
    PICO_PINS,
    PIXEL,
    READER,
    RIBBON,
)

Names = dict[str, str]
Netlist = tuple[Names, Names]  # {"U1.3": net}, {ref: value}


def load(text: str) -> Netlist:
    """Return the netlist from a text that kicad-cli exported."""
    tree = s_expressions.loads(text)
    pins = {}
    for net in s_expressions.find(tree, "nets", "net"):
        name = s_expressions.one(net, "name")[1].removeprefix("/")
        for node in s_expressions.find(net, "node"):
            pins[
                "%s.%s" % (s_expressions.one(node, "ref")[1], s_expressions.one(node, "pin")[1])
            ] = name
    values = {
        s_expressions.one(part, "ref")[1]: s_expressions.one(part, "value")[1]
        for part in s_expressions.find(tree, "components", "comp")
    }
    return pins, values


def mistakes(board: Pins, pins: Names, values: Names) -> list[str]:
    """Return the differences between the hub's netlist and the pin map, one line of text each.

    board: the hub's section of the pin map.
    pins, values: the net of each pin and the value of each part.
    """
    found = sorted(v.removeprefix("slot ") for v in values.values() if v.startswith("slot "))
    if found != sorted(pinmap.slots(board)):
        return ["slots are %s" % " ".join(found)]
    nets = _Nets(board, pins, values)
    lines: list[str] = []
    for check in (_selects, _buttons, _bus, _chain, _single):
        try:
            lines += check(nets)
        except LookupError as missing:
            lines.append(str(missing.args[0]))
    return lines


class _Nets:
    """Finds nets by a name in the pin map, by chip or by slot."""

    def __init__(self, board: Pins, pins: Names, values: Names) -> None:
        self.board = board
        self.pins = pins
        self.values = values
        self.names = pinmap.slots(board)
        self._slots = {
            value.removeprefix("slot "): ref
            for ref, value in values.items()
            if value.startswith("slot ")
        }

    def at(self, gpio: int) -> str | None:
        return self.pins.get("U1.%d" % PICO_PINS[gpio])

    def gpio(self, name: str) -> str | None:
        return self.at(self.board[name])

    def slot(self, name: str, signal: str) -> str | None:
        """Return the net of a signal at a slot's header, or None if its pins are on different
        nets."""
        return ribbon(self.pins, self._slots[name], signal)

    def chips(self, value: str) -> list[str]:
        """Return the references of the parts with this value, in numerical order."""
        refs = (ref for ref, v in self.values.items() if v == value)
        return sorted(refs, key=lambda ref: int(ref[1:]))

    def one(self, value: str) -> str:
        """Return the reference of the only part with this value. Raise LookupError if there is no
        such part, or more than one."""
        refs = self.chips(value)
        if len(refs) != 1:
            raise LookupError("one %s is expected, there are %d" % (value, len(refs)))
        return refs[0]

    def pin(self, ref: str, number: int) -> str:
        """Return the net of a part's pin. Raise LookupError if the pin is not connected."""
        name = "%s.%d" % (ref, number)
        if name not in self.pins:
            raise LookupError("%s is not connected" % name)
        return self.pins[name]

    def of(self, ref: str, *numbers: int) -> list[str]:
        """Return the nets of several pins of a part. Raise LookupError if any of these pins is not
        connected."""
        return [self.pin(ref, number) for number in numbers]


def ribbon(pins: Names, ref: str, signal: str) -> str | None:
    """Return the net of a signal at a ribbon's header, or None if its pins are on different
    nets."""
    nets = {pins.get("%s.%d" % (ref, n)) for n, name in enumerate(RIBBON, 1) if name == signal}
    return nets.pop() if len(nets) == 1 else None


def _same(what: str, net: str | None, other: str | None) -> list[str]:
    """Return [] if two nets are the same, else [a line of text that starts with `what`]."""
    return [] if net is not None and net == other else ["%s: %s is not %s" % (what, net, other)]


def _selects(nets: _Nets) -> Iterator[str]:
    """Yield the mistakes at the decoders: each slot's address must activate its chip select."""
    address = [nets.at(gpio) for gpio in nets.board["address"]]
    low: dict[int, str | None] = {}
    inputs, off, on, outputs = HC138
    for chip in nets.chips("74HC138"):
        levels: dict[str | None, int] = {nets.gpio("enable"): 0, "GND": 0, "+3V3": 1}
        for high in (0, 1):
            levels[address[3]] = high
            enables = [levels.get(net) for net in nets.of(chip, *off, *on)]
            if enables == [0] * len(off) + [1] * len(on):
                for y, pin in enumerate(outputs):
                    low[8 * high + y] = nets.pins.get("%s.%d" % (chip, pin))
        for i, pin in enumerate(inputs):
            net = nets.pins.get("%s.%d" % (chip, pin))
            yield from _same("%s A%d" % (chip, i), net, address[i])
    for line, name in zip(nets.board["lines"], nets.names):
        yield from _same("SDA of slot %s" % name, nets.slot(name, "SDA"), low.get(line))


def _buttons(nets: _Nets) -> Iterator[str]:
    order: list[str] = []
    data = nets.gpio("data")
    while data != "GND" and len(order) < 32:
        chips = nets.chips("74HC165")
        chip = next((c for c in chips if nets.pin(c, HC165["data"]) == data), None)
        if chip is None:
            yield "no 74HC165 drives %s" % data
            break
        order += nets.of(chip, *HC165_INPUTS)
        load, clock, inhibit = nets.of(chip, HC165["load"], HC165["clock"], HC165["inhibit"])
        yield from _same("%s load" % chip, load, nets.gpio("load"))
        yield from _same("%s clock" % chip, clock, nets.gpio("clock"))
        yield from _same("%s inhibit" % chip, inhibit, "GND")
        data = nets.pin(chip, HC165["serial"])
    lines = dict(zip(nets.board["lines"], nets.names))
    for line, net in enumerate(order):
        if line in lines:
            name = lines.pop(line)
            yield from _same("button of slot %s" % name, nets.slot(name, "BTN"), net)
        else:
            yield from _same("an input without a button", net, "+3V3")
    for name in lines.values():
        yield "button of slot %s: no input" % name


def _bus(nets: _Nets) -> Iterator[str]:
    """Yield the mistakes in the ribbons. SCK and MOSI pass through a driver and a resistor; all
    other signals are connected directly."""
    driven: dict[str | None, str | None] = {}
    for chip in nets.chips("74AHC244"):
        for gate in AHC244:
            into, out = nets.of(chip, *gate)
            driven[out] = into
        for enable in (1, 19):
            yield from _same("%s /OE" % chip, nets.pin(chip, enable), "GND")
    for ref in nets.chips("33R"):
        before, after = nets.of(ref, 1, 2)
        driven[after] = driven.get(before)
    through = _resistors(nets.pins, nets.chips("100R"))
    reset = through.get(nets.gpio("reset"))
    for name in nets.names:
        sck, mosi = driven.get(nets.slot(name, "SCK")), driven.get(nets.slot(name, "MOSI"))
        yield from _same("SCK of slot %s" % name, sck, nets.gpio("sck"))
        yield from _same("MOSI of slot %s" % name, mosi, nets.gpio("mosi"))
        yield from _same("MISO of slot %s" % name, nets.slot(name, "MISO"), nets.gpio("miso"))
        yield from _same("RST of slot %s" % name, nets.slot(name, "RST"), reset)
        yield from _same("3.3 V of slot %s" % name, nets.slot(name, "3.3V"), "3V3_READERS")
        yield from _same("5 V of slot %s" % name, nets.slot(name, "5V"), "+5V")
        yield from _same("ground of slot %s" % name, nets.slot(name, "GND"), "GND")


def _chain(nets: _Nets) -> Iterator[str]:
    into, enable, out = nets.of(nets.one("74AHCT1G125"), *GATE)
    yield from _same("pixels' driver", into, nets.gpio("lights"))
    yield from _same("pixels' driver's /OE", enable, "GND")
    chain: str | None
    before, chain = nets.of(nets.one("330R"), 1, 2)
    yield from _same("pixels' resistor", out, before)
    for name in nets.names:
        yield from _same("pixels into slot %s" % name, nets.slot(name, "PIX_IN"), chain)
        chain = nets.slot(name, "PIX_OUT")


def _single(nets: _Nets) -> Iterator[str]:
    """Yield the mistakes at the piezo, the CC pins and the USB data lines."""
    yield from _same("piezo's resistor", nets.pin(nets.one("220R"), 1), nets.gpio("piezo"))
    for ref in ("R3", "R4"):
        yield from _same("%s senses" % ref, nets.pin(ref, 2), nets.gpio("sense"))
    for pin, other in ((5, 2), (6, 3)):
        yield from _same("USB data", nets.pin("J13", pin), nets.pin("J14", other))


def _resistors(pins: Names, refs: list[str]) -> dict[str | None, str | None]:
    """Return {net at pin 1: net at pin 2} for the resistors with these references."""
    return {pins.get(ref + ".1"): pins.get(ref + ".2") for ref in refs}


# ---- the slot board ----


def slot_mistakes(pins: Names, values: Names) -> list[str]:
    """Return the mistakes on the slot board, one line of text each.

    pins: the net of each pin.
    values: the value of each part.
    """
    reader = {name: pins.get("J2.%d" % n) for n, name in enumerate(READER, 1)}
    gate = next((ref for ref, value in values.items() if value == "74LVC1G125"), None)
    into, enable, out = (pins.get("%s.%d" % (gate, n)) for n in GATE)
    found: list[str] = []
    for name in ("SDA", "SCK", "MOSI", "GND", "RST", "3.3V"):
        found += _same("reader's %s" % name, reader[name], ribbon(pins, "J1", name))
    found += _same("the gate's input", into, reader["MISO"])
    found += _same("the gate's /OE", enable, ribbon(pins, "J1", "SDA"))
    through = _resistors(pins, [ref for ref in values if ref[0] == "R"])
    found += _same("MISO", through.get(out), ribbon(pins, "J1", "MISO"))
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
    return found + _same("pixels out", through.get(chain), ribbon(pins, "J1", "PIX_OUT"))
