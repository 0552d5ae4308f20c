# SPDX-License-Identifier: MIT
"""Wiring pictures: WireViz sources made from the pin map, one for each build and one for a slot.

`sources()` are the texts of hardware/wiring/*.yml; `wireviz` draws them.
"""

from pathlib import Path

import yaml

from hardware import pinmap
from hardware.circuit import GATES_125, PICO_PINS, READER, RIBBON
from hardware.pinmap import GROUND, V33, VSYS

FOLDER = Path(__file__).parent / "wiring"
HEAD = "# Made from pins.toml by `python -m hardware wiring`: change it there.\n"
# every wire of a picture has its signal's colour
COLOURS = {
    "SDA": "YE",
    "SCK": "BU",
    "MOSI": "GN",
    "MISO": "VT",
    "IRQ": "GY",
    "GND": "BK",
    "RST": "OG",
    "3.3V": "RD",
    "BTN": "BN",
    "5V": "PK",
    "DATA": "WH",
    "CC": "TQ",
    "USB": "TQ",
}
COLOUR_OF = {"PIX_IN": "DATA", "PIX_OUT": "DATA"}  # a ribbon's signals that have another's colour


def sources(boards=None):
    """Return {file name: WireViz YAML}."""
    boards = boards or pinmap.load()
    return {
        name + ".yml": HEAD + yaml.safe_dump(made, sort_keys=False, allow_unicode=True, width=99)
        for name, made in (
            ("first-reader", _first_reader(boards["breadboard"])),
            ("breadboard", _breadboard(boards["breadboard"])),
            ("breadboard-slot", _breadboard_slot()),
            ("hub12", _hub12()),
        )
    }


class _Picture:
    """Connectors, and wires between their pins: a cable for every bundle."""

    def __init__(self):
        self.connectors = {}
        self.cables = {}
        self.connections = []

    def connector(self, name, labels, kind, pins=None, notes=None):
        self.connectors[name] = {"type": kind, "pinlabels": list(labels)}
        if pins:
            self.connectors[name]["pins"] = list(pins)
        if notes:
            self.connectors[name]["notes"] = notes

    def cable(self, name, bundle, notes=None):
        """wires: as `wires` returns them; one bundle, between the same two connectors or not."""
        self.cables[name] = {
            "category": "bundle",
            "wirecount": len(bundle),
            "colors": [COLOURS[signal] for *_, signal in bundle],
            "wirelabels": [signal for *_, signal in bundle],
            "show_wirenumbers": False,
        }
        if notes:
            self.cables[name]["notes"] = notes
        for n, (a, pin, b, other, _) in enumerate(bundle, 1):
            self.connections.append([{a: pin}, {name: n}, {b: other}])

    def yaml(self):
        return {
            "options": {"bgcolor": "WH"},
            "connectors": self.connectors,
            "cables": self.cables,
            "connections": self.connections,
        }


def wires(one, pins, other, others, signals):
    """Return wires between two connectors, [(from, pin, to, pin, signal)].

    pins, others: those of the one and of the other, as many each; signals: words.
    """
    return [(one, a, other, b, what) for a, b, what in zip(pins, others, signals.split())]


def _pico(picture, used, notes):
    """Put a Pico into a picture; used: {its pin: label}."""
    pins = sorted(used)
    picture.connector("Pico", [used[pin] for pin in pins], "Raspberry Pi Pico", pins, notes)


def _first_reader(board):
    """One reader alone, as E's, and its button: enough to try a reader and to write tags."""
    picture = _Picture()
    place = pinmap.slots(board).index("E")
    gpios = {
        "SDA": board["selects"][place],
        "SCK": board["sck"],
        "MOSI": board["mosi"],
        "MISO": board["miso"],
        "RST": board["reset"],
    }
    used = {PICO_PINS[gpio]: "GP%d" % gpio for gpio in gpios.values()}
    button = PICO_PINS[board["buttons"][place]]
    used.update({GROUND: "GND", V33: "3V3", button: "GP%d" % board["buttons"][place]})
    _pico(picture, used, "pin 1 is on the left of the USB socket")
    picture.connector("RC522", READER, "the reader, as slot E", notes="IRQ stays free")
    picture.connector("Button", ["a", "b"], "any push button", notes="it ends the self-test")
    numbers = {name: i + 1 for i, name in enumerate(READER)}
    signals = [*gpios, "GND", "3.3V"]
    of_pico = [*(PICO_PINS[gpio] for gpio in gpios.values()), GROUND, V33]
    of_reader = [numbers[name] for name in signals]
    picture.cable(
        "seven wires", wires("Pico", of_pico, "RC522", of_reader, " ".join(signals)), "up to 15 cm"
    )
    picture.cable("button", wires("Pico", [button, GROUND], "Button", (1, 2), "BTN GND"))
    return picture.yaml()


def _breadboard(board):
    """What goes to the Pico: chip selects and buttons slot by slot, the bus and the pixels."""
    picture = _Picture()
    slots = pinmap.slots(board)
    count = len(slots)
    used = {}  # pin of the Pico -> label
    for kind, gpios in (("SDA", board["selects"]), ("BTN", board["buttons"])):
        for slot, gpio in zip(slots, gpios):
            used[PICO_PINS[gpio]] = "GP%d %s %s" % (gpio, kind, slot)
    for key in ("sck", "mosi", "miso", "reset", "lights", "piezo"):
        used[PICO_PINS[board[key]]] = "GP%d %s" % (board[key], key)
    used.update({GROUND: "GND", VSYS: "VSYS", V33: "3V3"})
    _pico(
        picture, used, "from above, its USB socket up: pins 1-20 on the left, 40-21 on the right"
    )
    picture.connector(
        "Readers",
        ["SDA " + s for s in slots],
        "pin 1 of each RC522",
        notes="10 kOhm from each SDA to 3V3: off while the Pico starts",
    )
    picture.connector("Buttons", [*("button " + s for s in slots), "GND"], "one side of each")
    picture.connector(
        "Bus",
        ["SCK", "MOSI", "MISO", "RST", "GND"],
        "rails to all readers",
        notes="MISO comes from the gates: see breadboard-slot",
    )
    picture.connector(
        "74AHCT125",
        ["1/OE", "1A", "1Y", "GND", "VCC"],
        "level shifter",
        (1, 2, 3, 7, 14),
        "5, 9, 12 to GND; 4, 10, 13 to VCC",
    )
    picture.connector(
        "Pixels",
        ["DATA", "GND", "5V"],
        "first of the strip",
        notes="330 Ohm in DATA, 1000 uF between 5V and GND",
    )
    picture.connector(
        "LF33",
        ["IN", "GND", "OUT"],
        "3.3 V for the readers",
        notes="100 nF at IN, 100 uF at OUT; OUT is the rail 3.3V",
    )
    picture.connector("Supply", ["5V", "GND"], "5 V, 3 A")
    picture.connector("1N5819", ["A", "K, its ring"], "diode", notes="readers and Pico behind it")
    each = range(1, count + 1)
    selects, buttons = ([PICO_PINS[gpio] for gpio in board[k]] for k in ("selects", "buttons"))
    bus = [PICO_PINS[board[key]] for key in ("sck", "mosi", "miso", "reset")]
    lights = PICO_PINS[board["lights"]]
    ground = wires("Pico", [GROUND], "Buttons", [count + 1], "GND")
    picture.cable("selects", wires("Pico", selects, "Readers", each, "SDA " * count))
    picture.cable("buttons", wires("Pico", buttons, "Buttons", each, "BTN " * count) + ground)
    signals = "SCK MOSI MISO RST GND"
    picture.cable("SPI", wires("Pico", [*bus, GROUND], "Bus", (1, 2, 3, 4, 5), signals))
    picture.cable("lights", wires("Pico", [lights], "74AHCT125", [2], "DATA"))
    shifted = wires("74AHCT125", (3, 7, 1, 14), "Pixels", (1, 2, 2, 3), "DATA GND GND 5V")
    picture.cable("strip", shifted)
    picture.cable(
        "5 V",
        wires("Pixels", (3, 2), "Supply", (1, 2), "5V GND")
        + wires("1N5819", [1], "Supply", [1], "5V"),
    )
    picture.cable(
        "VSYS",
        wires("Pico", [VSYS], "1N5819", [2], "5V")
        + wires("LF33", [1], "1N5819", [2], "5V")
        + wires("Pico", [GROUND], "LF33", [2], "GND")
        + wires("LF33", [2], "Supply", [2], "GND"),
    )
    return picture.yaml()


def _breadboard_slot():
    """One slot of it: the reader, its gate in MISO and its button."""
    picture = _Picture()
    into, enable, out = GATES_125[0]
    picture.connector(
        "Rails",
        ["SCK", "MOSI", "MISO", "RST", "GND", "3.3V"],
        "from the Pico",
        notes="3.3V is the LF33's, not the Pico's",
    )
    picture.connector(
        "Pico",
        ["SDA of this slot", "BTN of this slot", "3V3"],
        "its own two pins",
        notes="which: see breadboard, or the table in the guide",
    )
    labels = {
        pin: "%d%s" % (n + 1, what)
        for n, pins in enumerate(GATES_125)
        for pin, what in zip(pins, ("A", "/OE", "Y"))
    }
    labels.update({7: "GND", 14: "VCC"})
    picture.connector(
        "74HC125",
        [labels[pin] for pin in sorted(labels)],
        "four gates",
        sorted(labels),
        "gate 1 is for this slot, 2-4 for the next three",
    )
    picture.connector("RC522", READER, "a slot's reader", notes="IRQ stays free")
    picture.connector("Button", ["a", "b"], "a slot's button")
    pin = {name: i + 1 for i, name in enumerate(READER)}
    signals = "SCK MOSI RST GND 3.3V"
    reader = [pin[name] for name in signals.split()]
    picture.cable("bus", wires("Rails", (1, 2, 4, 5, 6), "RC522", reader, signals))
    picture.cable(
        "select",
        wires("Pico", [1], "RC522", [pin["SDA"]], "SDA")
        + wires("Pico", [1], "74HC125", [enable], "SDA"),
    )
    picture.cable("MISO", wires("74HC125", [into], "RC522", [pin["MISO"]], "MISO"))
    picture.cable(
        "gates",
        wires("Rails", (3, 5), "74HC125", (out, 7), "MISO GND")
        + wires("Pico", [3], "74HC125", [14], "3.3V"),
        "the same rail MISO for all gates",
    )
    button = wires("Pico", [2], "Button", [1], "BTN") + wires("Rails", [5], "Button", [2], "GND")
    picture.cable("button", button)
    return picture.yaml()


def _hub12():
    """What is plugged and screwed to the boards."""
    picture = _Picture()
    count = len(RIBBON)
    picture.connector(
        "J1-J12", RIBBON, "2x7 header", notes="J1-J10: stations 1-10, J11: M, J12: E"
    )
    picture.connector(
        "Slot", RIBBON, "J1 of a slot board", notes="plugs pressed on, pin 1 to pin 1"
    )
    each = range(1, count + 1)
    signals = [COLOUR_OF.get(name, name) for name in RIBBON]
    picture.cable(
        "ribbon (12 of these)",
        wires("J1-J12", each, "Slot", each, " ".join(signals)),
        "how long: the table in the guide",
    )
    picture.connector("J2", READER, "of the slot board")
    picture.connector("RC522", READER, "a slot's reader", notes="stands in J2; IRQ is not used")
    eight = range(1, len(READER) + 1)
    picture.cable("plugged in", wires("J2", eight, "RC522", eight, " ".join(READER)))
    picture.connector("Empty", ["PIX_IN", "PIX_OUT"], "a header without a slot", (3, 4))
    picture.connector("Jumper", ["a", "b"], "jumper", notes="takes the pixels on to the next slot")
    picture.cable("bridge", wires("Empty", (3, 4), "Jumper", (1, 2), "DATA DATA"))
    inlet = ("5V", "GND", "CC1", "CC2", "D-", "D+")
    picture.connector("J13", inlet, "inlet")
    picture.connector("USB-C", ("VBUS", *inlet[1:]), "breakout, in M's sector")
    six = range(1, len(inlet) + 1)
    picture.cable(
        "inlet",
        wires("J13", six, "USB-C", six, "5V GND CC CC USB USB"),
        "1 mm2 for VBUS and GND; D- and D+ twisted",
    )
    picture.connector("J14", ["-", "D-", "D+", "GND"], "USB to the Pico")
    picture.connector(
        "Micro-USB",
        ["D-", "D+", "GND"],
        "angled plug in the Pico's socket",
        (2, 3, 5),
        notes="its red wire, VBUS, stays free",
    )
    picture.cable("console", wires("J14", (2, 3, 4), "Micro-USB", (2, 3, 5), "USB USB GND"))
    return picture.yaml()
