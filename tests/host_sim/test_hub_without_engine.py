# SPDX-License-Identifier: MIT
"""A hub whose E has no reader and no button: the card `next` and the stations take its place."""

import re

import pytest
from hub_actions import played, quick_hub

from host_sim.board.hub.simulated_hub import SimulatedHub, configured, seating
from host_sim.board.hub.table_script import ScriptError
from host_sim.board.pico.emulator import IMAGE
from host_sim.lab import pico_comparison, smoke_scripts
from roundhouse import boards, settings
from roundhouse.games import houses

needs_image = pytest.mark.skipif(
    not IMAGE.exists(), reason="no MicroPython image: `make micropython` builds it (on Debian)"
)
MATCH = smoke_scripts.SCRIPTS / "match" / "an-evenings-build.table"


def without_engine(**changes):
    return configured(
        **{"ENGINE_SLOT": False, "WIRING": "breadboard", "STATIONS": 2, "FIELDS": 1, **changes}
    )


def lamps_of_e(line):
    return line["lamps"][-4:]


def of_health(board):
    return [line for line in board.lines if "input" not in line]


# ---- settings ----


def test_pins_and_lines_end_with_those_of_m():
    config = without_engine()
    settings.check(config)
    pins = boards.PINS["breadboard"]
    for name in ("selects", "buttons"):
        assert config.PINS[name] == (*pins[name][:2], pins[name][-2])
    config = without_engine(WIRING="hub12", STATIONS=(1, 4))
    settings.check(config)
    assert config.LINES == (0, 3, 10)


def test_the_pins_of_e_are_free():
    select, button = (boards.PINS["breadboard"][name][-1] for name in ("selects", "buttons"))
    for pin in (select, button):
        settings.check(without_engine(PINS={"piezo": pin}))
        with pytest.raises(settings.BadConfig, match="GP%d is both" % pin):
            settings.check(without_engine(ENGINE_SLOT=True, PINS={"piezo": pin}))


def test_own_pins_are_those_of_the_slots_there_are():
    config = without_engine(PINS={"selects": (5, 6, 7)})
    settings.check(config)
    assert config.PINS["selects"] == (5, 6, 7)


def test_a_table_on_the_screen_has_e_all_the_same(monkeypatch):
    monkeypatch.setattr("config.ENGINE_SLOT", False)
    assert configured().ENGINE_SLOT is False
    assert seating(2).ENGINE_SLOT and seating(12).ENGINE_SLOT


# ---- the board ----


@pytest.mark.parametrize("wiring", ["breadboard", "hub12"])
def test_nothing_is_said_of_an_absent_e(wiring):
    board = quick_hub(without_engine(WIRING=wiring))
    board.press("1")
    board.press("2")
    board.pause(12_000)  # longer than a reader that failed again and again rests
    assert not of_health(board)
    assert len(board.chips) == 3 and len(board.slots) == 4
    line = board.command("state")
    assert lamps_of_e(line) == "...." and len(line["lamps"]) == 16


def test_a_fault_elsewhere_is_said():
    board = quick_hub(without_engine())
    board.fault("M")
    board.run(1500)
    assert of_health(board)[0] == {"slot": "M", "reader": "fault", "pixels": ["M", "E"]}
    board.run(500)
    assert board.command("state")["lamps"][-8:] == "...v...."


def loose(board, slots):
    """Let a wire that these slots' buttons share come loose; return what the hub then says."""
    count = len(board.lines)
    for slot in slots:
        board.press_down(slot)
    board.run(500)
    return [line for line in board.lines[count:] if "input" not in line]


def test_a_loose_wire_of_all_buttons_is_told_at_m():
    board = SimulatedHub(without_engine())
    assert loose(board, ("1", "2", "M")) == [{"slot": "M", "button": "loose"}]
    assert board.command("state")["lamps"][-8:] == "...v...."
    board = SimulatedHub(without_engine(STATIONS=4))
    assert loose(board, ("1", "2", "4", "M")) == [{"slot": "M", "button": "loose"}], "all but one"


def test_the_self_test_tells_a_loose_wire_at_m():
    board = SimulatedHub(without_engine())
    board.command("selftest")
    board.run(1000)
    assert loose(board, ("1", "2", "M")) == [{"slot": "M", "button": "loose"}]


def test_the_self_test_ends_without_e():
    board = SimulatedHub(without_engine())
    board.command("selftest")
    board.run(4000)
    for slot in ("1", "2", "M"):
        board.press_down(slot)
        board.run(100)
        board.press_up(slot)
        board.put("0-0", slot)
        board.run(700)
    said = of_health(board)
    assert said[-1]["selftest"] == "end"
    assert {name: said[-1][name] for name in ("readers", "buttons", "tags")} == {
        "readers": [],
        "buttons": [],
        "tags": [],
    }
    assert not [line for line in said if line.get("slot") == "E"]


def test_the_self_test_lights_all_pixels_of_e_too():
    class Watched(SimulatedHub):
        lit: set[int]

        def _frame(self, grb):
            super()._frame(grb)
            self.__dict__.setdefault("lit", set()).update(i // 3 for i, b in enumerate(grb) if b)

    board = Watched(without_engine())
    board.command("selftest")
    board.run(1000)
    assert board.lit == set(range(16))


def test_tags_are_written_at_m():
    board = quick_hub(without_engine())
    tag = board.put("3-2", "M")
    board.run(500)
    assert board.command("write 6-5")["verdict"] == "ok"
    assert board.command("read")["tag"] == "6-5"
    assert tag in board.chips[2].tags
    for line in ("write 6-5 E", "read E", "lock E"):
        assert board.command(line)["error"] == "this hub has no reader at E", line
    assert board.command("read 7")["error"] == "this hub has no slot 7"


def test_a_script_that_touches_an_absent_e_is_told_so():
    for line in ("tap 6-6 E", "press E", "put 6-6 E", "fault E"):
        with pytest.raises(ScriptError, match="this board has no reader at E"):
            played("absent E\nplayers 2\n%s" % line)
    with pytest.raises(ScriptError, match="E alone can be absent"):
        played("absent M\nplayers 2")


# ---- the table ----


@pytest.mark.parametrize("house", houses.HOUSES)
def test_every_house_begins_at_the_starters_station(house):
    board = quick_hub(without_engine(HOUSE=house))
    set_ = board.inputs[0]["set"]
    board.press("1")
    lobby = board.press("2")
    dealt = board.tap("next", "1")
    assert dealt["phase"] == "engine"
    for line in (lobby, dealt):
        assert re.match("e...e...", line["lamps"]), "the invitation is at both seats"
        assert lamps_of_e(line)[0] == "."
    opened = board.tap("%d-%d" % (set_, set_), "2")
    assert (opened["verdict"], opened["did"], opened["by"]) == ("ok", "opened", 2)
    assert "E" not in opened["playable"]
    laid = board.tap("%d-1" % set_, "%d" % opened["turn"])
    assert (laid["verdict"], laid["did"]) == ("ok", "laid")
    assert lamps_of_e(laid)[0] == "."


def test_the_card_next_does_all_that_es_button_does():
    board = played(
        """
        absent E
        stations 1 2
        house original
        set 6
        players 2
        tap next 2           # dealt
        expect did dealt
        expect takes 10      # E's lamps still tell how many tiles each seat takes
        tap 6-6 1
        tap next M           # the round is over
        expect did round-over
        expect phase scoring
        tap next 1           # all have counted
        expect phase engine
        tap next 2           # the match is over
        expect did match-over
        expect phase finished
        tap next 1
        expect did cleared
        expect phase lobby
        say next
        expect did dealt
        """
    )
    assert not of_health(board)


SIXES_USED_UP = """
    house block
    set 6
    players 2
    given engine 6-6
    given train 1 6-1 1-0 0-6 6-4 4-5 5-6
    given train 2 6-2 2-3 3-6
    say state
"""


def test_e_does_not_invite_when_nothing_fits_any_more():
    assert lamps_of_e(played(SIXES_USED_UP).inputs[-1])[0] == "e"
    assert lamps_of_e(played("absent E" + SIXES_USED_UP).inputs[-1])[0] == "."


# ---- a match on the evening's build ----


@pytest.mark.parametrize("wiring", ["breadboard", "hub12"])
def test_a_whole_match(wiring):
    lines = pico_comparison.answers(MATCH, quick_hub, wiring)
    assert all(len(line["lamps"]) == 16 for line in lines)
    assert not [line for line in lines if set(lamps_of_e(line)) & set("ev")]
    assert not [line for line in lines if "E" in line["playable"]]


@pytest.mark.slow
@needs_image
def test_a_whole_match_on_the_pico():
    assert pico_comparison.play(MATCH, "breadboard") is None
