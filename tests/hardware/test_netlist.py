# SPDX-License-Identifier: MIT
"""Pin map, firmware, boards, guide and wiring agree, and wrong connections are found."""

import math

import pytest
from kicad_copies import needs_kicad, part, remove, with_parts

from hardware import (
    checks,
    external_tools,
    guide_tables,
    measuring,
    netlist,
    pinmap,
    s_expressions,
)
from hardware.kicad_files import HUB12, HUB16, HUBS, SLOT
from hardware.pinmap import SLOTS
from roundhouse import power_supply

HUB = HUB12.board.pins, HUB12.board.values
OF_SLOT = SLOT.board.pins, SLOT.board.values
PINS = pinmap.load()["hub12"]


def swapped(pins, one, two):
    return {**pins, one: pins[two], two: pins[one]}


@pytest.mark.parametrize("hub", HUBS, ids=lambda hub: hub.name)
def test_the_copper_has_the_pin_map(hub):
    pins = pinmap.load()[hub.name]
    assert netlist.mistakes(pins, hub.board.pins, hub.board.values) == []
    assert netlist.slot_mistakes(*OF_SLOT) == []


@pytest.mark.parametrize(
    "two", ("J17.11 J18.11", "J17.8 J17.6", "J18.4 J18.3", "J19.13 J20.13", "J20.11 J11.11")
)
def test_two_exchanged_wires_of_the_larger_hub_are_found(two):
    board = HUB16.board
    pins = swapped(board.pins, *two.split())
    assert netlist.mistakes(pinmap.load()["hub16"], pins, board.values)


def test_a_board_for_fewer_stations_is_found():
    (line,) = netlist.mistakes(pinmap.load()["hub16"], *HUB)
    assert line == "slots are 1 10 2 3 4 5 6 7 8 9 E M"


@pytest.mark.parametrize("name", sorted(set(PINS) - {"lines", "address"}))
def test_a_swapped_pin_in_the_map_is_found(name):
    assert netlist.mistakes({**PINS, name: 15}, *HUB)


def test_swapped_address_pins_are_found():
    lines = netlist.mistakes({**PINS, "address": (1, 0, 2, 3)}, *HUB)
    assert any("A0" in line for line in lines)


@pytest.mark.parametrize("line", (12, 16))
def test_a_line_of_the_map_that_leads_elsewhere_is_found(line):
    lines = netlist.mistakes({**PINS, "lines": (*PINS["lines"][:-1], line)}, *HUB)
    assert any("SDA of slot E" in line for line in lines)
    assert any("button of slot E" in line for line in lines)


@pytest.mark.parametrize(
    "two",
    (
        *("J3.1 J3.14", "J3.3 J3.4", "J3.6 J3.8", "J12.13 J12.2", "J1.12 J1.14", "J7.9 J7.11"),
        *("U5.15 U5.14", "U6.15 U6.9", "U5.5 U5.6", "U7.6 U7.5", "U8.9 U8.2", "U8.11 U8.4"),
        *("U2.18 U2.3", "U2.2 U2.17", "R21.1 R21.2", "R10.1 R10.2", "U4.2 U4.4", "R3.1 R3.2"),
        *("J13.5 J13.6", "J14.2 J14.3"),
    ),
)
def test_two_exchanged_wires_of_the_hub_are_found(two):
    pins, values = HUB
    assert netlist.mistakes(PINS, swapped(pins, *two.split()), values)


@pytest.mark.parametrize(
    "two",
    (
        *("J2.1 J2.4", "J2.2 J2.3", "J2.6 J2.8", "J1.3 J1.4", "J1.9 J1.11", "U1.1 U1.2"),
        *("U1.4 U1.2", "D1.2 D1.4", "D3.2 D3.4", "D2.1 D2.3", "SW1.1 J1.11", "R3.1 R3.2"),
    ),
)
def test_two_exchanged_wires_of_the_slot_board_are_found(two):
    pins, values = OF_SLOT
    assert netlist.slot_mistakes(swapped(pins, *two.split()), values)


@pytest.mark.parametrize(
    ("ref", "line"),
    [
        ("R8", "one 330R is expected, there are 0"),
        ("R9", "one 220R is expected, there are 0"),
        ("R3", "R3.2 is not connected"),
        ("U4", "one 74AHCT1G125 is expected, there are 0"),
        ("U7", "no 74HC165 drives DATA"),
        ("R21", "SCK of slot 1: None is not SCK"),
        ("J5", "slots are 1 10 2 3 4 6 7 8 9 E M"),
    ],
)
def test_a_part_that_is_removed_is_found(ref, line):
    board = with_parts(HUB12, remove(ref)).board
    assert line in netlist.mistakes(PINS, board.pins, board.values)


def test_a_pad_on_another_net_is_found():
    def change(tree):
        pads = {pad[1]: pad for pad in s_expressions.find(part(tree, "J3"), "pad")}
        one, two = (s_expressions.one(pads[number], "net") for number in ("6", "8"))
        one[1:], two[1:] = two[1:], one[1:]

    board = with_parts(HUB12, change).board
    lines = netlist.mistakes(PINS, board.pins, board.values)
    assert [line[:14] for line in lines] == ["SCK of slot 3:", "MOSI of slot 3"]


def test_connectors_are_named_by_slot():
    _, values = HUB
    assert [values["J%d" % (i + 1)] for i in range(12)] == ["slot " + name for name in SLOTS]
    larger = HUB16.board.values
    assert {ref: larger[ref] for ref in values} == values
    assert [larger["J%d" % (17 + i)] for i in range(4)] == ["slot %d" % (11 + i) for i in range(4)]


# ---- what the guide says to measure ----


def measured(pins, values):
    return [*measuring.without_supply(pins, values), *measuring.first_power(pins, values)]


def test_the_guide_measures_what_the_board_has():
    text = guide_tables.FILE.read_text()
    for row in measured(*HUB):
        assert "| %s | %s | %s |\n" % row in text


@needs_kicad
def test_the_guide_measures_what_the_schematic_has():
    drawn = netlist.load(external_tools.netlist(HUB12.file("kicad_sch")))
    assert measured(*drawn) == measured(*HUB)


def test_neighbours_that_are_one_net_are_said_to_beep():
    pads = HUB12.board.header("1").pads
    near = {
        (int(a.number), int(b.number))
        for a in pads
        for b in pads
        if int(a.number) < int(b.number) and math.dist(a.place, b.place) < 2.6
    }
    assert near == {*measuring.NEIGHBOURS}
    pins, _ = HUB
    for ref in ("J%d" % n for n in range(1, 13)):
        one = [pair for pair in near if len({pins["%s.%d" % (ref, n)] for n in pair}) == 1]
        assert one == [(5, 7)]
    rows = {where: must for where, must, _ in measuring.without_supply(*HUB)}
    assert rows.pop("J1 to J12: pins 5 and 7") == "0 Ω: both are GND"
    (others,) = [where for where, must in rows.items() if must == "no 0 Ω"]
    assert others.endswith(": 1-2, 3-4 .. 13-14; 1-3, 2-4 .. 12-14, not 5-7")


@pytest.mark.parametrize(
    ("changes", "row"),
    [
        ({"J3.6": "GND"}, ("J3: pins 5 and 6", "0 Ω: both are GND", "a cold joint")),
        ({"J7.9": "SCK_7"}, ("J7: pin 1 to 5V, pin 12 to RST, pin 14 to 3V3R", "0 Ω")),
        ({"TP8.1": "GND"}, ("J1 to J12: pin 1 to 5V, pin 12 to RST, pin 14 to 3V3R", "0 Ω")),
        ({"D1.2": "GND"}, ("5V and VSYS", "open (above 100 kΩ)")),
        ({"C3.1": "+3V3"}, ("3V3 and GND", "climbing above 1 kΩ while C3 charges")),
        ({"D9.1": "VFUSED", "D9.2": "GND", "D2.1": "GND"}, ("J13, 5V and GND", "above", "D9")),
    ],
)
def test_a_changed_wire_changes_what_is_measured(changes, row):
    pins, values = HUB
    rows = [*measuring.without_supply({**pins, **changes}, values)]
    assert any(all(map(str.startswith, found, row)) for found in rows), rows
    assert not any(all(map(str.startswith, found, row)) for found in measured(*HUB))


@pytest.mark.parametrize("two", ["J3.3 J3.5", "J12.3 J12.1"])
def test_a_broken_chain_is_not_written_into_the_guide(two):
    pins, values = HUB
    with pytest.raises(ValueError, match="the chain ends after slot"):
        measured(swapped(pins, *two.split()), values)


# ---- guide and wiring ----


def test_the_guide_has_the_pin_map_and_the_firmwares_budget():
    text = guide_tables.FILE.read_text()
    assert sorted(found[2] for found in guide_tables.BLOCK.finditer(text)) == sorted(
        guide_tables.blocks()
    )


def test_the_budget_follows_the_firmware(monkeypatch):
    assert "| 3 A | 3000 | 4 | 504 | 60 | 2000 | 2564 | 436 |" in guide_tables.budget()
    monkeypatch.setattr(power_supply, "FIELD_MA", 150)
    assert "| 3 A | 3000 | 4 | 704 | 60 | 2000 | 2764 | 236 |" in guide_tables.budget()


def test_no_supply_is_asked_for_more_than_it_offers():
    for row in guide_tables.budget().split("\n")[2:5]:
        assert int(row.split("|")[-2]) > 0, row


@pytest.fixture
def wiring():
    return pytest.importorskip("hardware.wiring_check", reason="`make tools` installs PyYAML")


def test_the_wiring_has_the_pin_map(wiring):
    assert wiring.mistakes() == []


@pytest.mark.parametrize(
    ("name", "old", "new", "line"),
    [
        ("first-reader", "Pico: [12, 24,", "Pico: [24, 12,", "SDA goes to pin 24 of the Pico"),
        ("first-reader", "[GP9, GP16", "[GP8, GP16", "SDA goes to pin 12 of the Pico, GP8"),
        ("first-reader", "RC522: [1, 2, 3, 4", "RC522: [1, 3, 2, 4", "SCK goes to pin 3 of RC522"),
        ("first-reader", "colors: [YE", "colors: [BU", "SDA has two colours"),
        ("breadboard-slot", "MISO, IRQ, GND", "IRQ, MISO, GND", "the pins of RC522 are SDA"),
        ("breadboard-slot", "[1/OE, 1A", "[1A, 1/OE", "the pins of 74HC125 are 1/OE"),
        ("breadboard-slot", "74HC125: [3, 7]", "74HC125: [7, 3]", "MISO goes to GND of the 74"),
        ("evening", "Pico: [1, 24,", "Pico: [2, 24,", "SDA from Pico 2 to RC522 1 1 is too much"),
        ("evening", "[GP0, GP1", "[GP1, GP0", "pin 1 of the Pico is GP0, not GP1"),
        ("evening", "RC522 2: [4]", "RC522 2: [5]", "MISO from 74HC125 5 to RC522 2 4 is missing"),
        ("evening", "[40, 38]", "[36, 38]", "5V from Pico 36 to Strip 2 is too much"),
        ("evening", "&gates [1/OE, 1A", "&gates [1A, 1/OE", "the pins of 74AHCT125 are 1/OE"),
        ("hub12", "[5V, GND, CC1, CC2", "[5V, GND, CC2, CC1", "the pins of J13 are 5V GND"),
        ("hub12", "  - Slot: [1, 2, 3", "  - Slot: [2, 1, 3", "5V goes to pin 2 of Slot"),
    ],
)
def test_a_wrong_wire_is_found(tmp_path, wiring, name, old, new, line):
    for file in wiring.FOLDER.glob("*.yml"):
        text = file.read_text()
        assert file.stem != name or old in text
        (tmp_path / file.name).write_text(text.replace(old, new) if file.stem == name else text)
    assert any(line in words for words in wiring.mistakes(tmp_path))


@pytest.mark.parametrize("name", ["sck", "mosi", "miso", "reset", "selects", "buttons"])
def test_a_swapped_pin_is_found_in_the_wiring(wiring, name):
    boards = pinmap.load()
    pins = boards["breadboard"]
    pins[name] = pins[name][:-1] + (2,) if isinstance(pins[name], tuple) else 2
    assert wiring.mistakes(boards=boards)


def test_a_swapped_pin_changes_firmware_and_guide(monkeypatch, wiring):
    boards = pinmap.load()
    selects = boards["breadboard"]["selects"]
    boards["breadboard"]["selects"] = (selects[1], selects[0], *selects[2:])
    monkeypatch.setattr(pinmap, "load", lambda: boards)
    assert guide_tables.fresh(guide_tables.FILE.read_text()) != guide_tables.FILE.read_text()
    with pytest.raises(checks.Wrong, match="boards.py is not what its source makes"):
        checks.texts()
