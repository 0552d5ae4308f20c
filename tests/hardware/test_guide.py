# SPDX-License-Identifier: MIT
"""The guide's drawings, its tick list, its parts list, and its examples of the commands'
output."""

import json
import re
import xml.etree.ElementTree as tree

import pytest
from page_browsers import needs_browser

from hardware import (
    bom,
    checks,
    guide_drawings,
    guide_tables,
    housing_plan,
    pinmap,
    pinouts,
    tick_list,
    tray,
)
from hardware.kicad_files import HUB12, SLOT
from host_sim.commands import selftest, tags

GUIDE = guide_tables.FILE.read_text()
SVG = "{http://www.w3.org/2000/svg}"


def shown(name):
    """Return the lines of code in the guide's section whose heading ends with `name`."""
    part = re.search(r"^#+ [^\n]*%s\n(.*?)(?=^## |^### |\Z)" % name, GUIDE, re.M | re.S)[1]
    return [line.strip() for line in part.splitlines() if re.match(r"    ", line)]


# ---- drawings ----


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("breadboard-supply.svg", "Pico's pin 34", "Pico's pin 32"),
        ("breadboard-supply.svg", "to pin 2<", "to pin 1<"),
        ("tag-place.svg", "51 x 26 mm", "50 x 26 mm"),
    ],
)
def test_a_wrong_number_in_a_drawing_by_hand_is_found(tmp_path, name, old, new):
    assert guide_drawings.mistakes() == []
    for file in PICTURES:
        (tmp_path / file.name).write_text(file.read_text().replace(old, new))
    (line,) = guide_drawings.mistakes(tmp_path)
    assert line.startswith(name)


PICTURES = sorted(guide_drawings.FOLDER.glob("*.svg"))


@pytest.mark.parametrize("file", PICTURES, ids=lambda file: file.stem)
def test_nothing_is_drawn_outside_a_drawing(file):
    assert "(pictures/%s)" % file.name in GUIDE
    root = tree.fromstring(file.read_text())
    wide, high = float(root.get("width")), float(root.get("height"))
    for box in root.iter(SVG + "rect"):
        x, y = float(box.get("x", 0)), float(box.get("y", 0))
        assert x >= 0 and x + float(box.get("width")) <= wide + 0.1, box.attrib
        assert y >= 0 and y + float(box.get("height")) <= high + 0.1, box.attrib
    for words in root.iter(SVG + "text"):
        # no letter of that font is wider than 0.65 of its size, on the average of a text
        size = float(words.get("font-size"))
        long = 0.6 * size * len(words.text)
        left = (
            float(words.get("x"))
            - long * {"start": 0, "middle": 0.5, "end": 1}[words.get("text-anchor")]
        )
        assert left >= -5 and left + long <= wide + 5, words.text
        assert size >= 10 and size <= float(words.get("y")) <= high, words.text


def test_the_distance_follows_the_housing(monkeypatch):
    assert housing_plan.tag_distance() == pytest.approx((1.7, 3.3))
    assert housing_plan.tag_distance(9.5) == pytest.approx((11.2, 12.8))
    monkeypatch.setattr(housing_plan, "THIN", 1.0)
    assert housing_plan.tag_distance() == pytest.approx((1.3, 2.9))
    assert "| 1.0 | 0.3 | 0.0 | 1.3 | 2.9 |" in guide_tables.distance()


@pytest.mark.parametrize(
    ("name", "value", "draw"),
    [
        ("JOINTS", 0.5, guide_drawings.soldered_reader),
        ("READER", (40.0, 58.0, 1.6), guide_drawings.soldered_reader),
        ("TAPE", 0.5, guide_drawings.inlet),
        ("INLET", (22.0, 14.4, 6.0), guide_drawings.inlet),
    ],
)
def test_reader_and_inlet_are_drawn_from_the_housings_measures(name, value, draw, monkeypatch):
    before = draw()
    monkeypatch.setattr(guide_drawings, name, value)
    assert draw() != before


@pytest.mark.parametrize(("name", "value"), [("THIN", 1.1), ("AIR", 0.5), ("TILE_THICK", 12.7)])
def test_the_section_is_drawn_from_the_housings_measures(name, value, monkeypatch):
    before = guide_drawings.distance()
    monkeypatch.setattr(housing_plan, name, value)
    monkeypatch.setattr(guide_drawings, name, value)
    after = guide_drawings.distance()
    assert before != after
    thick = value if name == "TILE_THICK" else housing_plan.TILE_THICK
    for tile in (0.0, thick):
        assert "%.1f mm from coil to coil" % housing_plan.tag_distance(tile)[0] in after


def test_a_tag_fits_on_a_tile():
    assert housing_plan.TAG < guide_drawings.WIDE <= housing_plan.TILE[1]


def test_the_ladder_is_green_from_what_a_lid_is():
    marks = re.findall(r'fill="(#c9d8c5|#9aa6ae)"', guide_drawings.ladder())
    needed = housing_plan.tag_distance()[0]
    assert marks == ["#9aa6ae" if step < needed else "#c9d8c5" for step in housing_plan.LADDER]


def test_the_bench_has_every_header_and_test_point():
    words = re.findall(r">([^<>]+)</text>", guide_drawings.bench())
    inlet = ("5V", "GND", "CC1", "CC2", "D-", "D+")
    assert {*pinmap.SLOTS, *guide_drawings.points(), *inlet} <= set(words)
    assert len(guide_drawings.points()) == 10


def test_a_part_is_drawn_where_the_board_has_it(monkeypatch):
    before = guide_drawings.bench()
    monkeypatch.setattr(HUB12.board["C1"], "place", (20.0, 30.0))
    after = guide_drawings.bench()
    assert before != after
    assert '<text x="180" y="258" font-size="22" text-anchor="middle"' in after, "its plus"


def test_the_breadboards_pico_has_the_pin_map(monkeypatch):
    found = guide_drawings.labels()
    board = pinmap.load()["breadboard"]
    assert found[1][:2] == ("GP%d" % board["selects"][0], "SDA of station 1")
    assert found[12][1] == "SDA of E" and found[31][1] == "button of E"
    assert len(found) == 2 * len(pinmap.slots(board)) + 6 + 3, "every pin once"
    paler = [what for _, what, colour in found.values() if colour == guide_drawings.PALE]
    assert {what.split()[-1] for what in paler} == {"5", "6", "7", "8", "like"}
    swapped = {**board, "sck": board["mosi"], "mosi": board["sck"], "lights": 27, "piezo": 28}
    monkeypatch.setattr(pinmap, "load", lambda: {"breadboard": swapped})
    assert guide_drawings.labels()[24][1] == "MOSI of all readers"
    assert guide_drawings.mistakes() == ["breadboard-supply.svg does not have: Pico's pin 32"]
    assert (
        guide_drawings.breadboard_pico()
        != guide_drawings.FOLDER.joinpath("breadboard-pico.svg").read_text()
    )


def test_a_stale_drawing_is_found(monkeypatch):
    pytest.importorskip("wireviz", reason="`make tools` installs it")
    monkeypatch.setattr(guide_drawings, "LADDER", (1.0, 2.0, 3.0, 4.0))
    with pytest.raises(checks.Wrong, match="ladder.svg is not what its source makes"):
        checks.texts()


# ---- the tick list ----


def test_the_tick_list_is_that_of_the_guide():
    page = tick_list.FILE.read_text()
    assert page.count("<li>") == GUIDE.count("- [ ]") > 8
    assert "No hub has been built" in page
    for value in ("5.1 kΩ each", "4.75 to 5.25 V", "3.2 to 3.4 V"):
        assert "<td>%s</td><td></td>" % value in page, "what it must be, and room to write"


def test_the_hours_of_the_tick_list_are_summed():
    hours = re.findall(r"^- \[ \] .*(?:\n  .*)*?: ([\d.]+) h$", GUIDE, re.M)
    assert len(hours) == GUIDE.count("- [ ]") - 1, "all but telling us"
    assert "%g h of yours" % sum(map(float, hours)) in GUIDE


@pytest.mark.parametrize(
    ("old", "new"),
    [("- [ ]", "-"), ("## 4. Measure", "## 4. Look"), ("## 5. First power", "## 5. Measure")],
)
def test_a_guide_without_its_list_or_tables_is_refused(old, new):
    with pytest.raises(ValueError, match="GUIDE.md has no"):
        tick_list.page(GUIDE.replace(old, new))


@pytest.mark.slow
@needs_browser
def test_the_tick_list_is_one_page_to_print(browser):
    page = browser.new_page()
    page.goto(tick_list.FILE.as_uri())
    pdf = page.pdf(prefer_css_page_size=True)
    page.close()
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1


# ---- an evening's build ----


def test_an_evenings_build_costs_at_most_31_euros_and_two_hours():
    part = GUIDE.split("## An evening's build")[1].split("## ")[0]
    minutes = [int(number) for number in re.findall(r"^\d+\. \((\d+) min\) ", part, re.M)]
    assert len(minutes) == len(re.findall(r"^\d+\. ", part, re.M)) and sum(minutes) <= 120
    assert bom.evening() <= 31
    assert "%.2f euros in all" % bom.evening() in bom.text()
    assert "cost %d euros" % round(bom.evening()) in " ".join(part.split())


def test_an_evenings_build_has_a_reader_a_button_and_lamps_for_each_slot():
    pieces = {item["name"]: bom.on_evening(item) for item in bom.PARTS["breadboard"]}
    slots = len(guide_tables.EVENING)
    for name, count in pieces.items():
        if name.startswith(("RC522", "push button", "10 kOhm")):
            assert count == slots, name
        elif name.startswith("jumper wire, socket"):
            assert count == slots * (len(pinouts.READER) - 1), name
        elif name.startswith("WS2812B"):
            assert count == tray.LAMPS * (slots + 1), "E's lamps are in the strip"
        elif name.startswith(("LF33", "1N5819", "USB supply")):
            assert count == 0, name
        else:
            assert count == 1, name


def test_the_evenings_readers_leave_something_of_the_picos_3v3(monkeypatch):
    rows = guide_tables.without_regulator().splitlines()[2:]
    assert all(int(row.split("|")[-2]) > 0 for row in rows)
    readers = {int(row.split("|")[1]) for row in rows}
    assert len(guide_tables.EVENING) in readers
    assert "Up to four readers" in GUIDE and max(readers) == 4
    monkeypatch.setattr(guide_tables.readers_supply, "IDLE_MA", 19 + 30)
    assert "| 4 | 139 | %d |" % (119 + 3 * 49) in guide_tables.without_regulator()


def test_the_tray_is_a4_and_nothing_overlaps():
    assert tray.left(len(tray.SLOTS)) <= tray.SHEET[0] - tray.EDGE
    assert tray.left(0) >= tray.EDGE
    assert tray.LONG < tray.LAMPS * tray.PITCH
    assert tray.AT_BOARD + tray.BOARD[1] < tray.AT_SLIT
    assert tray.AT_SLIT + tray.SLIT[1] < tray.AT_STRIP
    assert tray.AT_STRIP + tray.STRIP < tray.AT_READER
    assert tray.AT_READER + housing_plan.READER[1] + 20 < tray.SHEET[1] - tray.EDGE
    assert tray.drawing() in tray.page() and "size: A4 landscape" in tray.page()


@pytest.mark.slow
@needs_browser
def test_the_tray_prints_on_one_sheet_at_its_size(browser):
    page = browser.new_page()
    page.goto(tray.FILE.as_uri())
    box = page.locator("svg").bounding_box()
    pdf = page.pdf(prefer_css_page_size=True)
    page.close()
    assert (box["width"], box["height"]) == pytest.approx(
        tuple(mm / 25.4 * 96 for mm in tray.SHEET), abs=0.1
    )
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert [float(side) for side in box.groups()] == pytest.approx(
        [mm / 25.4 * 72 for mm in tray.SHEET], abs=1
    )


# ---- sections ----


def test_a_section_that_is_named_is_there():
    """Every section that the guide or its tick list names exists."""
    heads = set(re.findall(r"^## (\d+)\. ", GUIDE, re.M))
    assert heads == {str(n) for n in range(1, len(heads) + 1)}
    named = set(re.findall(r"[Ss]ections? (\d+)", GUIDE + bom.FILE.read_text()))
    assert named and named <= heads


def test_what_is_measured_has_the_names_that_are_printed():
    part = GUIDE.split("## 4. ")[1].split("## 6. ")[0]
    assert not re.findall(r"\bTP\d", part), "the board prints other names"
    first = [row.split("|")[1] for row in part.splitlines() if row.startswith("| ")]
    points = {word for cell in first for word in re.findall(r"\b(5V|VSYS|3V3R|3V3|RST)\b", cell)}
    assert points == {"5V", "VSYS", "3V3R", "3V3", "RST"} and points <= set(
        guide_drawings.points()
    )


def test_the_slot_boards_supplies_are_measured_at_their_pins():
    pins = SLOT.board.pins
    (step,) = re.findall(
        r"alone, at its J1: from pin (\d+) to pin (\d+), and from pin (\d+)", GUIDE
    )
    assert [pins["J1." + number] for number in step] == ["+5V", "GND", "+3V3"]


def test_the_first_readers_wires_are_those_of_e():
    table = guide_tables.first_reader()
    board = pinmap.load()["breadboard"]
    assert "| SDA | GP%d | 12 |" % board["selects"][-1] in table
    assert table.count("\n| ") == len(pinouts.READER) + 2


# ---- what the guide shows of the commands is what they print ----


class Console:
    """A hub's console; `send` yields the given lines, then the end of the self-test."""

    def __init__(self, *lines):
        self.lines = lines
        self.line = self

    def send(self, command, seconds):
        yield from (*self.lines, {"selftest": "end"})

    def write(self, text):
        pass

    def ask(self, command):
        return {"slot": "E", "tag": ""} if command == "read E" else {"verdict": "ok"}


def test_the_check_that_the_guide_shows(tmp_path, capsys):
    wanted = tags.tiles_of(6)
    texts = [text for text in wanted if text not in ("5-3", "6-6")]
    texts = [*texts[:19], "?", "12-7", *texts[19:], "2-1"]
    lines = [{"slot": "E", "tag": text, "uid": str(n)} for n, text in enumerate(texts)]
    lines[19]["why"] = "classic"
    assert tags.check_set(Console(*lines), wanted, tmp_path / "kept") == 1
    printed = capsys.readouterr().out.splitlines()
    example = shown("Check a set")
    assert len(example) == 6
    assert [line for line in example if line not in printed] == []


def test_the_writing_that_the_guide_shows(tmp_path, monkeypatch):
    asked = []
    answers = ["", "", "q"]
    monkeypatch.setattr("builtins.input", lambda text: asked.append(text) or answers.pop(0))
    tags.write_set(Console(), tags.tiles_of(12), "E", False, tmp_path / "kept")
    assert [text.rstrip() for text in asked] == shown("Write a set")
    assert "%d of them" % len(tags.cards()) in GUIDE


def test_the_self_test_that_the_guide_shows():
    said = [{"slot": "E", "reader": "0x92"}]
    said += [{"slot": slot, "reader": "fault"} for slot in ("1", "2", "M")]
    said.append({"slot": "E", "button": "ok"})
    lines = [
        "slot %-2s %-6s %s" % part
        for line in json.loads(json.dumps(said))
        for part in selftest.results(line)
    ]
    assert lines == [line for line in shown("One reader, alone") if line.startswith("slot ")]


# ---- what to buy ----


def test_every_part_has_a_number_or_what_to_search_for():
    for key, item in bom.PARTS["board"].items():
        found = bom.numbers(item)
        words = bom.order(item)
        assert (words.startswith("choose by value: ") and len(words) > 24) != bool(found), key
        for shop, form in (("LCSC", r"C\d+"), ("Mouser", r"\d+-.+"), ("Digi-Key", r".+-ND")):
            assert re.fullmatch(form, found.get(shop, "C1" if shop == "LCSC" else "1-ND")), key
        assert not found or "mpn" in item, "a number is of a part"


def test_what_has_no_number_is_listed(monkeypatch):
    text = bom.text()
    listed = text.split("Look for them first:\n\n")[1].split("\n\n")[0].splitlines()
    for item in bom.PARTS["board"].values():
        line = "- " + (item.get("mpn") or item["search"])
        assert (line in listed) == (not bom.numbers(item)), item["name"]
    known = dict(bom.PARTS["board"]["schottky"])
    for key in bom.SHOPS:
        known.pop(key, None)
    monkeypatch.setitem(bom.PARTS["board"], "schottky", known)
    assert "- B340A-13-F\n" in bom.text() and "| choose by value: B340A-13-F |" in bom.text()


def test_the_bill_is_the_sum_of_its_lines():
    part = bom.text().split("## The whole bill")[1]
    rows = re.findall(r"^\| (.+) \| (\d+) \|$", part, re.M)
    euros = [int(price) for _, price in rows]
    assert [name.strip("*") for name, _ in rows[4::2]] == ["without tools", "with tools"]
    assert euros[4] == pytest.approx(sum(euros[:4]), abs=2)
    assert euros[6] == pytest.approx(euros[4] + euros[5], abs=1)
    assert euros[5] == round(sum(item.get("price", 0) for item in bom.PARTS["tools"]))
    for item in bom.PARTS["parcels"]:
        assert "| %(name)s | %(days)s | %(price).2f |" % item in part
    lists = re.findall(r"About (\d+) euros(?: for all of it on the boards|\.)", bom.text())
    assert euros[:2] == [int(price) for price in lists]


def test_a_dearer_part_makes_the_bill_dearer(monkeypatch):
    def whole():
        return int(re.search(r"\*\*with tools\*\* \| (\d+)", bom.text())[1])

    before = whole()
    for kind, more in (("tools", 10.0), ("parcels", 20.0), ("around", 40.0)):
        first, *rest = bom.PARTS[kind]
        dearer = {**first, "price": first["price"] + more}
        monkeypatch.setitem(bom.PARTS, kind, [dearer, *rest])
        before += more
        assert whole() == before


def test_the_wires_have_the_colours_of_the_pictures():
    rows = guide_tables.wires().splitlines()[2:]
    assert "| 5V | pink |" in rows and "| 3.3V | red |" in rows and "| GND | black |" in rows


def test_a_breadboard_takes_what_its_slots_want():
    items = bom.PARTS["breadboard"]
    gates = next(item for item in items if "quarter" in item)
    assert [bom.on_breadboard(gates, slots) for slots in (1, 4, 5, 8, 10)] == [1, 1, 2, 2, 3]
    pixels = next(item for item in items if "WS2812B" in item["name"])
    assert bom.on_breadboard(pixels, 6) == 24
    text = bom.text()
    assert "| 16 | 24 | WS2812B" in text and "| 1 | 2 | 74HC125" in text


def test_sockets_plugs_ribbon_and_tools_are_listed():
    text = bom.text()
    for words in ("socket strip 1x20", "socket strip 1x8", "IDC plug 2x7", "flat ribbon cable"):
        assert words in text, words
    tools = text.split("## Tools")[1]
    for words in ("soldering iron", "multimeter", "vice", "3D printer", "NFC"):
        assert words in tools, words
