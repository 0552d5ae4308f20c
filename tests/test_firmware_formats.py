# SPDX-License-Identifier: MIT
"""What firmware/README.md says of formats is what the firmware has."""

import json
import re
import xml.etree.ElementTree as ElementTree

import firmware_formats
import format_texts
import pytest
import test_layers
import tile_path_drawing

from hardware import guide_tables
from host_sim.hub.simulated_hub import SimulatedHub, configured
from roundhouse import commands, console, constants, hub, journal, settings
from roundhouse.drivers import strip
from roundhouse.drivers.buttons import Buttons

PAGE = firmware_formats.PAGE.read_text()


def cells(block):
    """Return the rows of a table as lists of their cells, without its head."""
    lines = block.strip().splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def test_every_table_is_on_the_page_and_as_the_firmware_has_it():
    there = [found[2] for found in guide_tables.BLOCK.finditer(PAGE)]
    assert sorted(there) == sorted(firmware_formats.blocks())
    assert firmware_formats.fresh(PAGE) == PAGE, "make formats"


def test_the_drawing_is_as_its_source_makes_it():
    assert tile_path_drawing.FILE.read_text() == tile_path_drawing.drawing(), "make formats"
    assert "](tile-way.svg)" in PAGE


def test_the_drawings_words_are_in_their_boxes():
    tree = ElementTree.fromstring(tile_path_drawing.drawing())
    told = [node.text for node in tree.iter() if node.tag.endswith("text")]
    assert "TAP, slot 3, tile 85" in told and "Console" in told
    assert '{"input": "tap 12-7 3", ...' in told
    inside = [text for text in told if not text.startswith(("in:", "out:"))]
    assert max(map(len, inside)) <= 32


@pytest.mark.parametrize(
    "table, name",
    [
        ("VERDICTS", "closed"),
        ("COMMANDS", "undo"),
        ("TAGS", "undo"),
        ("SETTINGS", "BAUD"),
        ("LINE", "turn"),
        ("MORE", "rules"),
        ("HOLDS", "HOLD_MS"),
        ("KINDS", "SCORE"),
    ],
)
def test_a_name_without_words_is_an_error(monkeypatch, table, name):
    monkeypatch.delitem(getattr(format_texts, table), name)
    with pytest.raises(ValueError):
        firmware_formats.blocks()


@pytest.mark.parametrize(
    "table, name",
    [("VERDICTS", "silly"), ("SETTINGS", "COLOUR"), ("MORE", "by"), ("ROOMS", "cellar")],
)
def test_words_without_a_name_are_an_error(monkeypatch, table, name):
    monkeypatch.setitem(getattr(format_texts, table), name, ("hole",))
    with pytest.raises(ValueError):
        firmware_formats.blocks()


@pytest.mark.parametrize(
    "owner, name, value",
    [
        (
            constants,
            "VERDICTS",
            (*constants.VERDICTS[:2], *constants.VERDICTS[3:1:-1], *constants.VERDICTS[4:]),
        ),
        (settings, "NUMBERS", {**settings.NUMBERS, "FIELDS": (1, 4)}),
        (settings, "DEFAULTS", {**settings.DEFAULTS, "FIELDS": 2}),
        (commands, "NUMBERS", {**commands.NUMBERS, "turn": (constants.TURN, "N", ((1, 12),))}),
        (journal, "FULL", 400),
        (Buttons, "HOLD_MS", 1200),
    ],
)
def test_a_change_of_the_firmware_is_seen(monkeypatch, owner, name, value):
    monkeypatch.setattr(owner, name, value)
    assert firmware_formats.fresh(PAGE) != PAGE


def test_a_header_of_another_form_is_an_error(monkeypatch):
    monkeypatch.setattr(journal, "_HEADER", "<4sIIHHH")
    with pytest.raises(ValueError):
        firmware_formats.segment()


def test_a_segment_is_as_the_table_says(tmp_path):
    """The bytes of a real one, taken apart by the table's rows."""
    hub = SimulatedHub(folder=tmp_path)
    for seat in ("1", "2"):
        hub.press(seat)
    (file,) = tmp_path.glob("*.rhj")
    data = file.read_bytes()
    n = int.from_bytes(data[15:17], "little")
    said = [
        [cell.replace("n", str(n)) for cell in row] for row in cells(firmware_formats.segment())
    ]
    rows = [(sum(map(int, at.split(" + "))), int(size)) for at, size, _ in said]
    parts = [data[at : at + size] for at, size in rows]
    assert parts[0] == b"RHJ" + bytes([journal.FORMAT])
    assert int.from_bytes(parts[5], "little") == len(parts[6]) == n
    at = [int(row[0]) for row in cells(firmware_formats.record())] + [journal.RECORD]
    record = parts[8]
    assert record[at[0]] == constants.PRESS << 4 | 1
    assert len(data) == rows[8][0] + 2 * journal.RECORD
    packed, most = re.search(r"(\d+) bytes and at most (\d+)", firmware_formats.segment()).groups()
    assert int(packed) == n
    most = int(most)
    assert rows[8][0] + most * journal.RECORD <= journal.FULL
    assert rows[8][0] + (most + 1) * journal.RECORD > journal.FULL


def test_the_console_takes_what_the_table_says():
    for command, takes, _ in cells(firmware_formats.console_commands()):
        word, ranges = command.strip("`").split()[0], re.findall(r"(\d+) to (\d+)", takes)
        if word not in commands.NUMBERS:
            continue
        for place in range(len(ranges)):
            for end, beyond in zip(map(int, ranges[place]), (-1, 1)):
                numbers = [low for low, _ in ranges]
                numbers[place] = str(end)
                commands.correction(" ".join([word, *numbers]))
                numbers[place] = str(end + beyond)
                with pytest.raises(ValueError):
                    commands.correction(" ".join([word, *numbers]))


def test_the_ends_of_lines_that_are_shown():
    shown = re.findall(r'^    ("game": .*})$', re.sub(r",\n +(?=\")", ", ", PAGE), re.MULTILINE)
    hub = SimulatedHub()
    hub.say("house classic first-double to-150")
    hub.say("house matador")
    chosen = json.dumps(hub.inputs[-1])
    hub = SimulatedHub(config=configured(HOUSE="puremco"))
    hub.say("house classic")
    hub.unplug()
    assert [chosen.endswith(shown[0]), json.dumps(hub.inputs[-1]).endswith(shown[1])] == [True] * 2
    assert len(shown) == 2


def test_the_lines_of_health_that_are_shown():
    hub = SimulatedHub(config=configured(STATIONS=(1, 4, 7)))
    hub.fault("4", 0x12)  # something answers, but not well
    hub.run(1000)
    hub.repair("4")
    hub.run(2000)
    hub.pull("4")
    hub.run(1000)
    told = [json.dumps(line) for line in hub.lines if "slot" in line]
    shown = [line for line in re.findall(r"^\| `({\"slot\".*?})`", PAGE, re.M) if "fault" in line]
    assert len(shown) == 2 and set(shown) <= set(told), told


def test_the_rooms_are_listed_from_above_to_below():
    """No module imports one of a room that is listed above its own."""
    rooms = list(format_texts.ROOMS.values())
    room = {name: place for place, names in enumerate(rooms) for name in names}
    for name in room:
        folder = firmware_formats.FIRMWARE / ("" if name == "main" else "roundhouse")
        for imported in test_layers.imports(folder / (name + ".py")):
            below = imported.removeprefix("roundhouse.").replace(".", "/")
            below = below if below in room else below + "/__init__"
            assert room[name] <= room.get(below, len(rooms)), (name, imported)


def test_the_figures_between_the_tables_are_the_firmwares():
    prose = " ".join(PAGE.split())
    low, well, nobody = (
        "%.1f" % (3 * 3.3 * four / 4 / 65535) for four in (strip._LOW, strip._WELL, strip._NOBODY)
    )
    often = strip.Strip.HOLD * hub._FRAME_MS / 1000
    for said in (
        "%d characters at most" % console.LONGEST,
        "every %s seconds. Below %s V" % ({4: "four"}[often], low),
        "two eighths of their current",
        "after a %s above %s V" % ({60: "minute"}[often * strip._PATIENCE], well),
        "less than %g V there" % float(nobody),
    ):
        assert said in prose, said
    assert strip.FULL == 8
