# SPDX-License-Identifier: MIT
"""firmware/README.md and REFERENCE.md describe the formats as the firmware uses them."""

import binascii
import json
import re
from html import unescape

import firmware_readme
import grimp
import pytest
from firmware_readme import FIRMWARE, MISSING, PAGES, blocks, cells, fresh
from hub_actions import quick_hub

from hardware import guide_tables
from host_sim.board.hub.simulated_hub import configured
from roundhouse import commands, console, constants, hub, journal, settings, tag_writer, tiles
from roundhouse.drivers import strip
from roundhouse.drivers.buttons import Buttons

TEXT = "\n".join(page.read_text() for page in PAGES)
DRAWING = (FIRMWARE / "tile-way.svg").read_text()


def test_every_table_is_on_the_page_as_the_firmware_has_it():
    there = [found[2] for found in guide_tables.BLOCK.finditer(TEXT)]
    assert sorted(there) == sorted(blocks(TEXT))
    assert "| %s |" % MISSING not in TEXT, "a row without words"


def test_the_drawing_shows_a_real_tile():
    """firmware/tile-way.svg shows the real bytes, numbers and words for tile 12-7 at station 3."""
    board = quick_hub()
    for seat in "23":
        board.press(seat)
    for tap in ("12-12", "12-5"):
        board.tap(tap, "2")
    line = board.tap("12-7", "3")
    kind, slot, tile = record = next(iter(board.hub.journal.inputs()))
    assert record == (constants.TAP, 3, tiles.tile(12, 7))
    at = board.hub.slots.index(3)
    shown = re.findall(r">([^<]+)</text>", unescape(DRAWING.replace("&quot;", '"')))
    assert {
        binascii.hexlify(tag_writer.message("12-7")[:8], " ").decode() + " ...",
        "TAP, slot 3, tile %d" % tile,
        "%02x %02x %02x, and a check" % (kind << 4 | slot, tile & 255, tile >> 8),
        '{"input": "%s", ...' % line["input"],
        line["verdict"],
        "lamps of the slot: " + " ".join(line["lamps"][4 * at : 4 * at + 4]),
    } <= {*shown}
    for module in re.findall(r"\w+(?:/\w+)*\.py", DRAWING):
        assert (FIRMWARE / "roundhouse" / module).exists(), module
    assert "](tile-way.svg)" in TEXT


@pytest.mark.parametrize(
    "owner, name, value",
    [
        (
            constants,
            "VERDICTS",
            (*constants.VERDICTS[:2], *constants.VERDICTS[3:1:-1], *constants.VERDICTS[4:]),
        ),
        (settings, "NUMBERS", {**settings.NUMBERS, "FIELDS": (1, 5)}),
        (settings, "DEFAULTS", {**settings.DEFAULTS, "FIELDS": 2}),
        (commands, "NUMBERS", {**commands.NUMBERS, "turn": (constants.TURN, "N", ((1, 12),))}),
        (journal, "MOST", 40),
        (Buttons, "HOLD_MS", 1200),
        (firmware_readme, "SAYS", {**firmware_readme.SAYS, "turn": "other words"}),
        (firmware_readme, "SAYS", {**firmware_readme.SAYS, "trains": "other words"}),
    ],
)
def test_a_change_of_the_firmware_is_seen(monkeypatch, owner, name, value):
    monkeypatch.setattr(owner, name, value)
    assert fresh(TEXT) != TEXT


def test_a_segment_is_as_the_table_says(tmp_path):
    """A real segment, cut at the rows of the table, has the expected values."""
    hub = quick_hub(folder=tmp_path)
    for seat in ("1", "2"):
        hub.press(seat)
    (file,) = tmp_path.glob("*.rhj")
    data = file.read_bytes()
    n = int.from_bytes(data[15:17], "little")
    said = [[cell.replace("n", str(n)) for cell in row] for row in cells(TEXT, "segment")]
    rows = [(sum(map(int, at.split(" + "))), int(size)) for at, size, _ in said]
    parts = [data[at : at + size] for at, size in rows]
    assert parts[0] == b"RHJ" + bytes([journal.FORMAT])
    assert int.from_bytes(parts[5], "little") == len(parts[7]) == n
    at = [int(row[0]) for row in cells(TEXT, "record")] + [journal.RECORD]
    record = parts[9]
    assert record[at[0]] == constants.PRESS << 4 | 1
    assert len(data) == rows[9][0] + 2 * journal.RECORD


def test_the_console_takes_what_the_table_says():
    for command, takes, _ in cells(TEXT, "console_commands"):
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
    shown = re.findall(r'^    ("game": .*})$', re.sub(r",\n +(?=\")", ", ", TEXT), re.MULTILINE)
    hub = quick_hub()
    hub.command("house classic first-double to-150")
    hub.command("house matador")
    chosen = json.dumps(hub.inputs[-1])
    hub = quick_hub(config=configured(HOUSE="puremco"))
    hub.command("house classic")
    hub.unplug()
    assert [chosen.endswith(shown[0]), json.dumps(hub.inputs[-1]).endswith(shown[1])] == [True] * 2
    assert len(shown) == 2


def test_the_lines_of_health_that_are_shown():
    hub = quick_hub(config=configured(STATIONS=(1, 4, 7)))
    hub.fault("4", 0x12)  # something answers, but not well
    hub.run(1000)
    hub.repair("4")
    hub.run(2000)
    hub.pull_cable("4")
    hub.run(1000)
    told = [json.dumps(line) for line in hub.lines if "slot" in line]
    shown = [line for line in re.findall(r"^\| `({\"slot\".*?})`", TEXT, re.M) if "fault" in line]
    shown = [line for line in shown if "register" not in line]  # test_reader_faults has that one
    assert len(shown) == 2 and set(shown) <= set(told), told


def test_the_rooms_are_listed_from_above_to_below():
    """In the table of modules in firmware/README.md, each module imports only from its own room (a
    group of rows) or from rooms further down."""
    room, place = {}, 0
    for title, link, _ in cells(TEXT, "modules"):
        place += bool(title)
        name = link.split("](")[1][:-1].replace("/", ".")
        room[name.removesuffix(".py").removesuffix(".__init__")] = place
    imports = grimp.build_graph("roundhouse", cache_dir=None, exclude_type_checking_imports=True)
    for path in room.keys() & imports.modules:
        for imported in imports.find_modules_directly_imported_by(path):
            assert room[path] <= room.get(imported, place), (path, imported)


def test_the_figures_between_the_tables_are_the_firmwares():
    prose = " ".join(TEXT.split())
    low, well, nobody = (
        "%.1f" % (3 * 3.3 * four / 4 / 65535) for four in (strip._LOW, strip._WELL, strip._NOBODY)
    )
    often = strip.Strip.HOLD * hub._FRAME_MS / 1000
    for said in (
        "%d characters at most" % console.LONGEST,
        "every %s seconds. Below %s V" % ({4: "four"}[often], low),
        "two eighths of their current",
        "after a %s above %s V" % ({60: "minute"}[often * strip._PATIENCE], well),
        "A reading below %g V is not VSYS" % float(nobody),
    ):
        assert said in prose, said
    assert strip.FULL == 8
