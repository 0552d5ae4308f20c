# SPDX-License-Identifier: MIT
"""Checks the sources of the wiring pictures (wiring/*.yml, for WireViz) against the pin map and
the pin numbers in pinouts.py."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from hardware import pinmap, silkscreen_check
from hardware.guide_tables import EVENING
from hardware.kicad_files import HUB12
from hardware.pinmap import Pins
from hardware.pinouts import GATES_125, GROUND, PICO_PINS, READER, RIBBON, V33, VBUS

FOLDER = Path(__file__).parent / "wiring"
NAMES = ("first-reader", "breadboard-slot", "evening", "hub12")
HEADERS = {"RC522": READER, "J2": READER, "Slot": RIBBON, "J1-J12": RIBBON}
SAME = {"PIX_IN": "DATA", "PIX_OUT": "DATA"}  # signals of one name on a wire
GATE = {"SDA 1/OE", "MISO 1A", "MISO 1Y", "GND GND", "3.3V VCC"}  # wires at the 74HC125


class End(NamedTuple):
    """One end of a wire in a wiring picture."""

    connector: str
    pin: int
    label: str


class Wire(NamedTuple):
    signal: str
    colour: str
    ends: tuple[End, End]


def load(name: str, folder: Path = FOLDER) -> Any:
    """Return the parsed YAML of a wiring source."""
    return yaml.safe_load((folder / (name + ".yml")).read_text())


def mistakes(folder: Path = FOLDER, boards: dict[str, Pins] | None = None) -> list[str]:
    """Return the mistakes in the wiring sources, one line of text each."""
    board = (boards or pinmap.load())["breadboard"]
    wrong: list[str] = []
    colours: dict[str, str] = {}
    for name in NAMES:
        tree = load(name, folder)
        lines = list(_labels(tree["connectors"]))
        if name == "evening":
            lines += _evening(tree, board)
        for wire in _wires(tree):
            if colours.setdefault(wire.signal, wire.colour) != wire.colour:
                lines.append("%s has two colours" % wire.signal)
            if name != "evening":
                lines += _wire(wire, board if name == "first-reader" else None)
        wrong += ["%s.yml: %s" % (name, line) for line in lines]
    return wrong


def _labels(connectors: Any) -> Iterator[str]:
    gates = {7: "GND", 14: "VCC"}
    for n, numbers in enumerate(GATES_125, 1):
        gates |= {pin: "%d%s" % (n, what) for pin, what in zip(numbers, ("A", "/OE", "Y"))}
    inlet = tuple(silkscreen_check.names_at(HUB12.board, "J13"))
    chip = tuple(gates[pin] for pin in sorted(gates))
    known = {**HEADERS, "74HC125": chip, "74AHCT125": chip, "J13": inlet}
    for name, connector in connectors.items():
        kind = name.split()[0]  # a reader may have its slot behind it
        if kind in known and tuple(connector["pinlabels"]) != known[kind]:
            yield "the pins of %s are %s" % (name, " ".join(known[kind]))


def _wires(tree: Any) -> Iterator[Wire]:
    for one, cable, other in tree["connections"]:
        ((name, numbers),) = cable.items()
        labels, colours = tree["cables"][name]["wirelabels"], tree["cables"][name]["colors"]
        ends = [list(_ends(tree["connectors"], side)) for side in (one, other)]
        for number, a, b in zip(numbers, *ends, strict=True):
            yield Wire(labels[number - 1], colours[number - 1], (a, b))


def _ends(connectors: Any, side: dict[str, list[int]]) -> Iterator[End]:
    ((name, pins),) = side.items()
    labels = connectors[name]["pinlabels"]
    numbers = connectors[name].get("pins") or range(1, len(labels) + 1)
    for pin in pins:
        yield End(name, pin, dict(zip(numbers, labels))[pin])


def _wire(wire: Wire, board: Pins | None) -> Iterator[str]:
    """Yield a mistake for each end of a wire at a pin that has another signal than the wire.
    board: the breadboard's section of the pin map, or None to skip pins of a Pico."""
    for name, pin, label in wire.ends:
        if name in HEADERS and SAME.get(label, label) != wire.signal:
            yield "%s goes to pin %d of %s, which is %s" % (wire.signal, pin, name, label)
        if name == "74HC125" and "%s %s" % (wire.signal, label) not in GATE:
            yield "%s goes to %s of the 74HC125" % (wire.signal, label)
        if name == "Pico" and board and (pin, label) != _of_pico(wire.signal, board):
            yield "%s goes to pin %d of the Pico, %s" % (wire.signal, pin, label)


def _of_pico(signal: str, board: Pins) -> tuple[int, str]:
    """Return (pin number, label) at the Pico for a signal of slot E, the breadboard's only
    reader."""
    if signal in ("GND", "3.3V"):
        return (GROUND, "GND") if signal == "GND" else (V33, "3V3")
    slot = pinmap.slots(board).index("E")
    gpios = {name.upper(): board[name] for name in ("sck", "mosi", "miso")}
    gpios |= {"RST": board["reset"], "SDA": board["selects"][slot], "BTN": board["buttons"][slot]}
    return PICO_PINS[gpios[signal]], "GP%d" % gpios[signal]


Link = tuple[str, tuple[str, int], tuple[str, int]]  # signal, (connector, pin) of each end


def _evening(tree: Any, board: Pins) -> Iterator[str]:
    """Yield a mistake for each wire that the evening's build has and should not, or should have
    and has not, and for each pin of its Pico with another name."""
    found: list[Link] = []
    labels = {pin: "GP%d" % gpio for gpio, pin in PICO_PINS.items()}
    labels |= {V33: "3V3", GROUND: "GND", VBUS: "VBUS"}
    for wire in _wires(tree):
        one, other = ((end.connector, end.pin) for end in wire.ends)
        found.append((wire.signal, one, other))
        for end in wire.ends:
            if end.connector == "Pico" and end.label != labels[end.pin]:
                yield "pin %d of the Pico is %s, not %s" % (end.pin, labels[end.pin], end.label)
    wanted = list(_evening_links(board))
    for links, others, words in ((found, wanted, "too much"), (wanted, found, "missing")):
        for signal, one, other in links:
            if links.count((signal, one, other)) > others.count((signal, one, other)):
                yield "%s from %s %d to %s %d is %s" % (signal, *one, *other, words)


def _evening_links(board: Pins) -> Iterator[Link]:
    """Yield every wire of the evening's build."""
    slots = pinmap.slots(board)
    bus = {name.upper(): PICO_PINS[board[name]] for name in ("sck", "mosi")}
    bus |= {"RST": PICO_PINS[board["reset"]], "GND": GROUND, "3.3V": V33}
    for slot, (into, enable, out) in zip(EVENING, GATES_125):
        at = slots.index(slot)
        reader, button = "RC522 " + slot, "Button " + slot
        select = ("Pico", PICO_PINS[board["selects"][at]])
        yield "SDA", select, (reader, READER.index("SDA") + 1)
        yield "SDA", select, ("74HC125", enable)
        yield "MISO", ("74HC125", into), (reader, READER.index("MISO") + 1)
        yield "MISO", ("Pico", PICO_PINS[board["miso"]]), ("74HC125", out)
        for signal, pin in bus.items():
            yield signal, ("Pico", pin), (reader, READER.index(signal) + 1)
        yield "BTN", ("Pico", PICO_PINS[board["buttons"][at]]), (button, 1)
        yield "GND", ("Pico", GROUND), (button, 2)
    idle, off, _ = GATES_125[len(EVENING)]
    data, on, lifted = GATES_125[0]
    for pin in (7, idle):
        yield "GND", ("Pico", GROUND), ("74HC125", pin)
    for pin in (14, off):
        yield "3.3V", ("Pico", V33), ("74HC125", pin)
    for pin in (7, on, *(gate[0] for gate in GATES_125[1:])):
        yield "GND", ("Pico", GROUND), ("74AHCT125", pin)
    for pin in (14, *(gate[1] for gate in GATES_125[1:])):
        yield "5V", ("Pico", VBUS), ("74AHCT125", pin)
    yield "DATA", ("Pico", PICO_PINS[board["lights"]]), ("74AHCT125", data)
    yield "DATA", ("74AHCT125", lifted), ("Strip", 1)
    yield "5V", ("Pico", VBUS), ("Strip", 2)
    yield "GND", ("Pico", GROUND), ("Strip", 3)
