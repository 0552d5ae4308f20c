# SPDX-License-Identifier: MIT
"""Wiring pictures: WireViz sources made from the pin map, one for each build and one for a slot.

`sources()` are the texts of hardware/wiring/*.yml; `wireviz` draws them.
"""

from pathlib import Path

import yaml

from hardware import pinmap
from hardware.circuit import GATES_125, PICO_PINS, READER, SLOTS

FOLDER = Path(__file__).parent / "wiring"
HEAD = "# Made from pins.toml by `python -m hardware wiring`: change it there.\n"
CABLE = [*READER, "BTN", "GND"]
# of the ten wires to a slot; every wire of a picture has its signal's colour
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
}


def sources(boards=None):
    """Return {file name: WireViz YAML}."""
    boards = boards or pinmap.load()
    return {
        name + ".yml": HEAD + yaml.safe_dump(made, sort_keys=False, allow_unicode=True, width=99)
        for name, made in (
            ("breadboard", _breadboard(boards["breadboard"])),
            ("breadboard-slot", _breadboard_slot(boards["breadboard"])),
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

    def cable(self, name, wires, notes=None):
        """wires: (from, pin, to, pin, signal); one bundle, between the same two or not."""
        self.cables[name] = {
            "category": "bundle",
            "wirecount": len(wires),
            "colors": [COLOURS[signal] for *_, signal in wires],
            "wirelabels": [signal for *_, signal in wires],
            "show_wirenumbers": False,
        }
        if notes:
            self.cables[name]["notes"] = notes
        for n, (a, pin, b, other, _) in enumerate(wires, 1):
            self.connections.append([{a: pin}, {name: n}, {b: other}])

    def yaml(self):
        return {
            "options": {"bgcolor": "WH"},
            "connectors": self.connectors,
            "cables": self.cables,
            "connections": self.connections,
        }


def _breadboard(board):
    """What goes to the Pico: chip selects and buttons slot by slot, the bus and the pixels."""
    picture = _Picture()
    count = board["stations"] + 2
    slots = [*SLOTS[: board["stations"]], "M", "E"]
    used = {}  # pin of the Pico -> label
    for kind, gpios in (("SDA", board["selects"]), ("BTN", board["buttons"])):
        for slot, gpio in zip(slots, gpios):
            used[PICO_PINS[gpio]] = "GP%d %s %s" % (gpio, kind, slot)
    for key in ("sck", "mosi", "miso", "reset", "lights", "piezo"):
        used[PICO_PINS[board[key]]] = "GP%d %s" % (board[key], key)
    used.update({38: "GND", 39: "VSYS", 36: "3V3"})
    pins = sorted(used)
    picture.connector(
        "Pico",
        [used[pin] for pin in pins],
        "Raspberry Pi Pico",
        pins,
        "from above, its USB socket up: pins 1-20 on the left, 40-21 on the right",
    )

    def pico(key):
        return PICO_PINS[board[key]]

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
    picture.connector(
        "Supply", ["5V", "GND"], "5 V, 3 A", notes="1N5819 from 5V to VSYS, its ring at VSYS"
    )
    picture.cable(
        "selects",
        [("Pico", PICO_PINS[board["selects"][i]], "Readers", i + 1, "SDA") for i in range(count)],
    )
    buttons = [
        ("Pico", PICO_PINS[board["buttons"][i]], "Buttons", i + 1, "BTN") for i in range(count)
    ]
    picture.cable("buttons", [*buttons, ("Pico", 38, "Buttons", count + 1, "GND")])
    picture.cable(
        "SPI",
        [
            ("Pico", pico("sck"), "Bus", 1, "SCK"),
            ("Pico", pico("mosi"), "Bus", 2, "MOSI"),
            ("Pico", pico("miso"), "Bus", 3, "MISO"),
            ("Pico", pico("reset"), "Bus", 4, "RST"),
            ("Pico", 38, "Bus", 5, "GND"),
        ],
    )
    picture.cable("lights", [("Pico", pico("lights"), "74AHCT125", 2, "DATA")])
    picture.cable(
        "strip",
        [
            ("74AHCT125", 3, "Pixels", 1, "DATA"),
            ("74AHCT125", 7, "Pixels", 2, "GND"),
            ("74AHCT125", 1, "Pixels", 2, "GND"),
            ("74AHCT125", 14, "Pixels", 3, "5V"),
        ],
    )
    picture.cable(
        "5 V",
        [
            ("Pico", 39, "Supply", 1, "5V"),
            ("Pico", 38, "Supply", 2, "GND"),
            ("LF33", 1, "Supply", 1, "5V"),
            ("LF33", 2, "Supply", 2, "GND"),
            ("Pixels", 3, "Supply", 1, "5V"),
            ("Pixels", 2, "Supply", 2, "GND"),
        ],
    )
    return picture.yaml()


def _breadboard_slot(board):
    """One slot of it: the reader, its gate in MISO and its button."""
    picture = _Picture()
    gate = GATES_125[0]
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
    picture.cable(
        "bus",
        [
            ("Rails", 1, "RC522", pin["SCK"], "SCK"),
            ("Rails", 2, "RC522", pin["MOSI"], "MOSI"),
            ("Rails", 4, "RC522", pin["RST"], "RST"),
            ("Rails", 5, "RC522", pin["GND"], "GND"),
            ("Rails", 6, "RC522", pin["3.3V"], "3.3V"),
        ],
    )
    picture.cable(
        "select",
        [
            ("Pico", 1, "RC522", pin["SDA"], "SDA"),
            ("Pico", 1, "74HC125", gate[1], "SDA"),
        ],
    )
    picture.cable("MISO", [("74HC125", gate[0], "RC522", pin["MISO"], "MISO")])
    picture.cable(
        "gates",
        [
            ("Rails", 3, "74HC125", gate[2], "MISO"),
            ("Rails", 5, "74HC125", 7, "GND"),
            ("Pico", 3, "74HC125", 14, "3.3V"),
        ],
        "the same rail MISO for all gates",
    )
    picture.cable("button", [("Pico", 2, "Button", 1, "BTN"), ("Rails", 5, "Button", 2, "GND")])
    return picture.yaml()


def _hub12():
    """What is plugged and screwed to the board."""
    picture = _Picture()
    picture.connector(
        "J1-J12", CABLE, "KK 254, one a slot", notes="J1-J10: stations 1-10, J11: M, J12: E"
    )
    picture.connector("RC522", READER, "a slot's reader", notes="IRQ stays free")
    picture.connector("Button", ["a", "b"], "a slot's button")
    picture.cable(
        "slot (12 of these)",
        [
            *(("J1-J12", i + 1, "RC522", i + 1, signal) for i, signal in enumerate(READER)),
            ("J1-J12", 9, "Button", 1, "BTN"),
            ("J1-J12", 10, "Button", 2, "GND"),
        ],
        "about 120 mm",
    )
    picture.connector("J14", ["5V", "DATA", "GND"], "pixels")
    picture.connector("J15", ["5V", "GND"], "pixels' far end")
    picture.connector("First", ["5V", "DIN", "GND"], "station 1's four pixels")
    picture.connector("Last", ["5V", "DOUT", "GND"], "E's four pixels")
    picture.cable(
        "to the first",
        [
            ("J14", 1, "First", 1, "5V"),
            ("J14", 2, "First", 2, "DATA"),
            ("J14", 3, "First", 3, "GND"),
        ],
        "1 mm2 for 5V and GND",
    )
    picture.cable(
        "between slots",
        [
            ("First", 1, "Last", 1, "5V"),
            ("First", 2, "Last", 2, "DATA"),
            ("First", 3, "Last", 3, "GND"),
        ],
        "DOUT of a slot to DIN of the next: 1, 2 .. 10, M, E",
    )
    picture.cable("from the last", [("Last", 1, "J15", 1, "5V"), ("Last", 3, "J15", 2, "GND")])
    picture.connector("J13", ["5V", "GND", "CC1", "CC2"], "inlet")
    picture.connector(
        "USB-C",
        ["VBUS", "GND", "CC1", "CC2"],
        "breakout",
        notes="no supply at the Pico's own socket is needed",
    )
    picture.cable(
        "inlet",
        [
            ("J13", 1, "USB-C", 1, "5V"),
            ("J13", 2, "USB-C", 2, "GND"),
            ("J13", 3, "USB-C", 3, "CC"),
            ("J13", 4, "USB-C", 4, "CC"),
        ],
        "1 mm2 for VBUS and GND",
    )
    picture.connector("J17", ["PIEZO", "GND"], "piezo")
    picture.connector("Piezo", ["a", "b"], "passive, may be left out")
    picture.cable("piezo", [("J17", 1, "Piezo", 1, "DATA"), ("J17", 2, "Piezo", 2, "GND")])
    return picture.yaml()
