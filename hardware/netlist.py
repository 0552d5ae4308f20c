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
    """Return what differs from the pin map, a line each."""
    wrong = []

    def same(what, net, other):
        if net is None or net != other:
            wrong.append("%s: %s is not %s" % (what, net, other))

    def gpio(number):
        return pins.get("U1.%d" % PICO_PINS[number])

    def chips(value):
        return sorted((ref for ref, v in values.items() if v == value), key=lambda r: int(r[1:]))

    slots = {v.removeprefix("slot "): ref for ref, v in values.items() if v.startswith("slot ")}
    if sorted(slots) != sorted(SLOTS):
        return ["slots are %s" % " ".join(sorted(slots))]
    at = {
        (name, signal): pins.get("%s.%d" % (ref, i + 1))
        for name, ref in slots.items()
        for i, signal in enumerate((*READER, "BTN", "GND2"))
    }

    # chip selects: what goes low at which address
    address = [gpio(n) for n in board["address"]]
    low = {}
    for chip in chips("74HC138"):
        inputs, off, on, outputs = HC138
        levels = {gpio(board["enable"]): 0, "GND": 0, "+3V3": 1}
        for high in (0, 1):
            levels[address[3]] = high
            chosen = [levels.get(pins["%s.%d" % (chip, p)]) for p in off]
            if (
                any(level != 0 for level in chosen)
                or levels.get(pins["%s.%d" % (chip, on[0])]) != 1
            ):
                continue
            for y, pin in enumerate(outputs):
                low[8 * high + y] = pins.get("%s.%d" % (chip, pin))
        for i, pin in enumerate(inputs):
            same("%s A%d" % (chip, i), pins.get("%s.%d" % (chip, pin)), address[i])
    for place, name in enumerate(SLOTS):
        same("SDA of slot %s" % name, at[name, "SDA"], low.get(place))

    # buttons: in which order they come out
    order = []
    data = gpio(board["data"])
    while data != "GND" and len(order) < 32:
        chip = next((c for c in chips("74HC165") if pins["%s.9" % c] == data), None)
        if chip is None:
            wrong.append("no 74HC165 gives %s" % data)
            break
        order += [pins["%s.%d" % (chip, p)] for p in HC165_INPUTS]
        for name, net in (
            ("load", gpio(board["load"])),
            ("clock", gpio(board["clock"])),
            ("inhibit", "GND"),
        ):
            same("%s %s" % (chip, name), pins["%s.%d" % (chip, HC165[name])], net)
        data = pins["%s.%d" % (chip, HC165["serial"])]
    for name, net in zip(SLOTS, order):
        same("button of slot %s" % name, at[name, "BTN"], net)

    # MISO: through a gate that only its own chip select opens
    gates = {
        pins["%s.%d" % (chip, into)]: (pins["%s.%d" % (chip, off)], pins["%s.%d" % (chip, out)])
        for chip in chips("74HC125")
        for into, off, out in HC125
    }
    for name in SLOTS:
        off, out = gates.get(at[name, "MISO"], (None, None))
        same("gate of slot %s" % name, off, at[name, "SDA"])
        same("MISO of slot %s" % name, out, gpio(board["miso"]))

    # SCK and MOSI: through a driver and its resistor
    driven = {}
    for chip in chips("74HC244"):
        for into, out in HC244:
            driven[pins["%s.%d" % (chip, out)]] = pins["%s.%d" % (chip, into)]
        for enable in (1, 19):
            same("%s /OE" % chip, pins["%s.%d" % (chip, enable)], "GND")
    for ref in chips("68R"):
        driven[pins[ref + ".2"]] = driven.get(pins[ref + ".1"])
    for name in SLOTS:
        same("SCK of slot %s" % name, driven.get(at[name, "SCK"]), gpio(board["sck"]))
        same("MOSI of slot %s" % name, driven.get(at[name, "MOSI"]), gpio(board["mosi"]))
        same("RST of slot %s" % name, at[name, "RST"], gpio(board["reset"]))
        same("supply of slot %s" % name, at[name, "3.3V"], "3V3_READERS")
        same("ground of slot %s" % name, at[name, "GND"], "GND")
        same("button's ground of slot %s" % name, at[name, "GND2"], "GND")

    # pixels, piezo, the inlet's CC pins
    shifter = chips("74AHCT125")[0]
    same("pixels' driver", pins[shifter + ".2"], gpio(board["lights"]))
    same("pixels' resistor", pins.get(shifter + ".3"), pins.get(chips("330R")[0] + ".1"))
    same("piezo's resistor", pins[chips("220R")[0] + ".1"], gpio(board["piezo"]))
    for ref in chips("100k"):
        same("%s senses" % ref, pins[ref + ".2"], gpio(board["sense"]))
    return wrong
