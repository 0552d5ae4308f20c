# SPDX-License-Identifier: MIT
"""A position has a text form both ways: the script that a hub gives leads to the same table."""

import json

import pytest

from host_sim.__main__ import main
from host_sim.checks.line_soak_evening import LineSoakEvening
from host_sim.checks.soak_evening import SoakEvening
from host_sim.checks.soak_faults import CoreHub
from host_sim.games import house_info
from host_sim.hub import table_script
from host_sim.hub.position_setup import PositionSetup
from host_sim.hub.simulated_hub import SimulatedHub
from host_sim.page.app_state import AppState
from host_sim.page.page_view import PageView, Rights
from host_sim.session.bot_match import BotMatch
from host_sim.session.match_store import MatchStore
from roundhouse import commands, constants, journal, position, tiles
from roundhouse.games import houses
from roundhouse.games.match import Match

ALL = constants.STATIONS


def nothing():
    pass


def on_the_core(lines):
    """Carry out a script that `position` gives; return the state at its end."""
    given, m, drawing = None, None, False
    rules = {"set": "12", "players": ""}
    for line in lines:
        word, _, rest = line.partition(" ")
        if word in ("house", "set", "players", "stations"):
            rules[word] = rest
            continue
        house, variants = houses.parse(rules["house"].split())
        seats = sorted({int(seat) for seat in rules["players"].split()})
        if word == "given":
            if not given:
                given = PositionSetup(house, variants, int(rules["set"]), seats, ALL)
            given.line(rest.split())
            continue
        if not m:
            m = begin(given, house, variants, int(rules["set"]), seats)
        if word in ("down", "up"):
            drawing = word == "down"
        else:
            carry_out(m, word, rest, drawing)
    if not m:
        house, variants = houses.parse(rules["house"].split())
        seats = sorted({int(seat) for seat in rules["players"].split()})
        m = begin(given, house, variants, int(rules["set"]), seats)
    return bytes(m.state)


def begin(given, house, variants, set_, seats):
    m = Match()
    if given:
        m.restore(journal.Segment(given.segment(), 1, m).state)
        return m
    m.apply(constants.RULES, house, variants)
    m.apply(constants.SET, 0, set_)
    for seat in seats:
        m.apply(constants.PRESS, seat)
    return m


def carry_out(m, word, rest, drawing):
    if word == "say":
        kind, slot, value = commands.correction(rest)
    elif word == "press":
        kind, slot, value = (
            constants.DRAW if drawing else constants.PRESS,
            constants.slot_number(rest),
            0,
        )
    else:
        text, _, name = rest.partition(" ")
        kind = constants.TAP if word == "tap" else constants.OVERRIDE
        slot, value = constants.slot_number(name), tiles.tile(*map(int, text.split("-")))
    m.apply(kind, slot, value)


class Asked(CoreHub):
    """A hub that is asked for its position after every input."""

    phases = set()

    def _line(self, verdict, by=0, did=None):
        if not verdict:
            before = bytes(self.table.state)
            lines = position.lines(self.table, self.journal, nothing)
            assert before == self.table.state, "asking changes nothing"
            assert on_the_core(lines) == before, "\n".join(lines)
            self.phases.add(self.table.phase)
        return super()._line(verdict, by, did)


MATCHES = (
    "puremco",
    "original lift penalty-always",
    "quebec whole-first-train",
    "jassshop no-lock",
    "goliath last-double-lap",
    "free",
    "classic",
    "matador",
    "tiddle-a-wink",
    "block",
)


@pytest.mark.parametrize("house", MATCHES)
def test_the_script_leads_to_the_same_state_at_every_input(house, monkeypatch):
    monkeypatch.setattr(Asked, "phases", set())
    trains = house_info.game(houses.parse(house.split())[0]) == "mexican-train"
    hub = Asked(house, 6, (2, 5, 9), 7)
    (SoakEvening if trains else LineSoakEvening)(hub, house, 6, (2, 5, 9), 7, mischief=0.3).play(2)
    hub.close()
    assert Asked.phases >= {constants.LOBBY, constants.PLAY, constants.SCORING}


def asked(board):
    """Return the script that a board gives on its console."""
    count = len(board.lines)
    assert board.say("position")["verdict"] == "ok"
    return [line["script"] for line in board.lines[count:] if "script" in line]


@pytest.mark.parametrize("house", ["goliath", "matador"])
def test_a_board_prints_a_script_that_runs(house):
    board = SimulatedHub(seed=3)
    match = BotMatch(board, [1, 3, 4], house, 9, 3)
    match.sit_down()
    match.find_engine()
    for _ in range(25):
        match.take_turn(match.line["turn"])
    board.say("hand 3 9")
    board.override("9-7" if house == "matador" else "0-0", "4")
    text = "\n".join(asked(board))
    script = table_script.Script()
    script.run(text + "\nsay state", "position")
    assert script.board.hub.table.state == board.hub.table.state
    was, now = board.say("state"), script.answer
    assert {k: v for k, v in now.items() if k != "lamps"} == {
        k: v for k, v in was.items() if k != "lamps"
    }


def test_an_export_is_a_script_too(tmp_path, capsys):
    board = SimulatedHub()
    for line in ("press 2", "press 7", "tap 12-12 2", "tap 12-5 2", "press 7"):
        word, *rest = line.split()
        getattr(board, word)(*rest)
    count = len(board.lines)
    board.say("export")
    path = tmp_path / "match.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in board.lines[count:]))
    assert main(["position", str(path)]) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines() == asked(board)
    script = table_script.Script()
    script.run(printed)
    assert script.board.hub.table.state == board.hub.table.state
    path.write_text("hello")
    assert main(["position", str(path)]) == 2
    assert "no segment is in it" in capsys.readouterr().err
    assert main(["position", str(tmp_path / "none")]) == 2
    assert "no such file" in capsys.readouterr().err


def test_a_press_that_had_to_be_made_twice_is_made_twice():
    board = SimulatedHub()
    text = "players 2\ngiven engine 12-12\ngiven train 1 12-5\n"
    script = table_script.Script()
    script.run(text + "tap 5-1 1\npress 1\npress 1\npress 1\nexpect phase scoring")
    lines = asked(script.board)
    assert lines[-3:] == ["given knocked 1", "press 1", "press 1"]
    again = table_script.Script()
    again.run("\n".join(lines))
    assert again.board.hub.table.state == script.board.hub.table.state
    assert asked(board) == ["house puremco", "set 12"], "a lobby is its rules"


def test_what_was_overridden_is_given_as_such():
    script = table_script.Script()
    script.run(
        "players 2\ngiven engine 12-12\ngiven train 1 12-5 override 9-3 9-1\n"
        "given last 2\ngiven turn 1\nsay state"
    )
    assert script.answer["trains"] == {"1": ["12-5", "9-3", "9-1"]}
    lines = asked(script.board)
    assert "given train 1 12-5 override 9-3 9-1" in lines
    assert "given last 2" in lines


@pytest.mark.parametrize(
    "line, why",
    [
        ("given train 1 12-5 override", "a tile follows on override"),
        ("given passes 3", "none of 0..2"),
        ("given points 1=40000", "more than a round has"),
        ("given last 5", "nobody plays at 5"),
        ("given lap 1", "more words are needed"),
        ("given train 5 12-5\npress 1", "no train begins at 5: give it a marker"),
    ],
)
def test_a_given_that_cannot_be_is_named(line, why):
    with pytest.raises(table_script.ScriptSyntaxError, match=why):
        table_script.Script().run("players 2\ngiven engine 12-12\n" + line, "story")


def test_corrections_are_said_in_the_consoles_words():
    for word, (kind, _, ranges) in commands.NUMBERS.items():
        numbers = [3, 7][: len(ranges)]
        line = "%s %s" % (word, " ".join(map(str, numbers)))
        read = commands.correction(line)
        assert read[0] == kind
        assert position._said(*read) == ["say " + line]


def test_it_takes_nothing_more():
    assert json.dumps(SimulatedHub().say("position 3")) == (
        '{"error": "position takes nothing more"}'
    )


def test_the_page_saves_the_position(tmp_path):
    app = AppState(store=MatchStore(tmp_path), seed=4)
    app.begin(house="puremco", set_=6, seats=(1, 2, 3), people=())
    for _ in range(14):
        app.table._act()
    view = PageView(app, Rights(owner=True), "en")
    assert "save position" in view.take({"do": "open menu"}) * view.pieces()["dialog"]
    view.extras()
    assert view.take({"do": "save position"})
    (message,) = view.extras()
    assert message["file"]["name"] == "roundhouse-position.table"
    script = table_script.Script()
    script.run(message["file"]["text"], "position")
    assert script.board.hub.table.state == app.table.session.board.hub.table.state
