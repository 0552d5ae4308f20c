# SPDX-License-Identifier: MIT
"""A made-up board needs only a section in the pin map to work with the firmware and the
simulator."""

import re

import pytest

import config
from hardware import pinmap
from host_sim.board.hub import table_script
from host_sim.board.hub.simulated_hub import SimulatedHub, configured
from host_sim.board.pico.emulated_hub import EmulatedHub
from host_sim.board.pico.emulator import IMAGE
from host_sim.lab import benchmark
from roundhouse import boards, settings

BUS = "miso = 4\nreset = 22\nsck = 6\nmosi = 7\npiezo = 21\nlights = 2\n"
DECODER = "address = [8, 9, 10, 11]\nenable = 12\n"
REGISTER = "load = 13\nclock = 14\ndata = 15\n"
CORNER = "selects = [8, 9, 10, 11, 12, 13]\nbuttons = [14, 15, 16, 17, 18, 19]\n" + BUS
# one half wired as on a hub12, the other as on a breadboard
LINES = "lines = [0, 1, 4, 9, 15]\n"  # of stations 1, 2 and 3, of M and of E
DECODED = "buttons = [14, 15, 16, 17, 18]\n" + LINES + DECODER + BUS
SHIFTED = "selects = [8, 9, 10, 11, 12]\n" + LINES + REGISTER + BUS
LIKE = 'like = "hub12"\n' + LINES
LISTENS = "sense = 27\n" + LINES + DECODER + REGISTER + BUS
IDS = ("corner", "decoded", "shifted", "listens", "like")
ROUND = """
house puremco
players 1 3
tap 12-12 1
tap 12-5 1
expect turn 3
tap 9-8 3
expect no-match
tap 12-7 3
press 1
press 1
expect turn 3
tap 7-1 3
hold M
expect turn 3
unplug
expect turn 3
"""


@pytest.fixture
def third(tmp_path, monkeypatch):
    """Return a function that adds the board `third` from its section in the pin map."""

    def add(section):
        shipped = (pinmap.HERE / "pins.toml").read_text()
        path = tmp_path / "pins.toml"
        path.write_text("%s\n[third]\n%s" % (shipped, section))
        text = pinmap.firmware(pinmap.load(path))
        made = {}
        exec(text, made)
        for table in ("STATIONS", "LINES", "PINS"):
            monkeypatch.setattr(boards, table, made[table])
        return text

    return add


def play(board, script=ROUND, **changes):
    """Play a script on a hub wired like `third`; return the hub."""
    hubs = []

    def make(config, *args, **kwargs):
        hubs.append(board(config, *args, **kwargs))
        return hubs[-1]

    settings_ = configured(WIRING="third", STATIONS=boards.STATIONS["third"], **changes)
    table_script.Script(lambda line, answer: None, settings_, make).run(script, "third")
    return hubs[-1]


@pytest.mark.parametrize("section", [CORNER, DECODED, SHIFTED, LISTENS, LIKE], ids=IDS)
def test_it_plays(section, third):
    third(section)
    hub = play(SimulatedHub)
    assert len(hub.chips) == boards.STATIONS["third"] + 2
    for slot in hub.slots:
        count = len(hub.inputs)
        assert hub.tap("bus ticket", slot)["verdict"] == "unreadable"
        assert hub.press(slot) and len(hub.inputs) == count + 2


@pytest.mark.slow
@pytest.mark.skipif(not IMAGE.exists(), reason="no MicroPython image")
@pytest.mark.parametrize("section", [DECODED, SHIFTED], ids=IDS[1:3])
def test_it_plays_on_the_emulated_pico(section, third):
    """A board with mixed wiring plays until every reader and button in play was used."""
    files = {"roundhouse/boards.py": third(section).encode()}
    begin = ROUND[: ROUND.index("tap 7-1 3")]
    play(lambda *args, **kwargs: EmulatedHub(*args, files=files, **kwargs), begin)


@pytest.mark.slow
@pytest.mark.skipif(not IMAGE.exists(), reason="no MicroPython image")
def test_the_bench_sees_its_chip_selects(third):
    files = {"roundhouse/boards.py": third(DECODED).encode()}
    probe = benchmark.Probe(configured(WIRING="third", STATIONS=3), files=files)
    probe.visits.clear()
    probe.run(200)
    assert {visit[0] for visit in probe.visits} == set(range(5))


def test_only_a_board_with_sense_hears_its_supply(third):
    third(LISTENS)
    assert play(SimulatedHub, MILLIAMPS="usb").hub.strip
    third(CORNER)
    with pytest.raises(settings.BadConfig, match="only a hub12 or hub16 hears"):
        play(SimulatedHub, MILLIAMPS="usb")


def test_it_may_have_fewer_stations_and_pins_of_its_own(third):
    third(CORNER)
    few = configured(WIRING="third", STATIONS=2, PINS={"lights": 3})
    hub = SimulatedHub(few)
    assert few.PINS["selects"] == (8, 9, 12, 13), "M and E keep their places"
    assert [hub.tap("bus ticket", slot)["verdict"] for slot in "12ME"] == ["unreadable"] * 4


@pytest.mark.parametrize(
    "section, said",
    [
        (CORNER.replace(BUS, ""), "third has buttons selects"),
        (CORNER + "address = [0, 1, 2, 3]\n", "third has address buttons"),
        (DECODED.replace("enable = 12\n", ""), "third has address buttons lights"),
        (CORNER.replace(", 19", ", 19, 20"), "buttons of third: 6 numbers"),
        (DECODED.replace("lines", "# "), "third has address buttons enable"),
        (DECODED.replace("4, 9", "9, 4"), "lines of third: 0..15, ascending"),
        (DECODED.replace("15]", "16]"), "lines of third: 0..15, ascending"),
        (DECODED.replace(", 11", ""), "address of third: 4 numbers"),
        ('like = "hub13"\n', "third is like hub13, which is not there"),
    ],
)
def test_a_section_that_cannot_be_wired_is_named(section, said, third):
    with pytest.raises(ValueError, match=said):
        third(section)


def test_no_code_asks_which_board_it_is():
    """No code branches on a board's name: only the modules listed here contain the name of a
    board."""
    names = "|".join(boards.PINS)
    folders = [pinmap.HERE.parent / folder for folder in ("firmware", "host_sim")]
    asks = [
        path.name
        for folder in folders
        for path in sorted(folder.glob("**/*.py"))
        if re.search("""["'](%s)["']""" % names, re.sub("#.*", "", path.read_text()))
    ]
    assert asks == ["config.py", "boards.py", "benchmark.py", "driver_memory.py", "fuzz_cases.py"]
    assert config.WIRING in boards.PINS
