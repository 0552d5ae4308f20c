# SPDX-License-Identifier: MIT
"""The table script that the hub prints for a position leads to the same position."""

import contextlib
import json
import random

import pytest
from hub_actions import act, quick_hub, quick_script
from mistakes import mistakes

from host_sim.__main__ import main
from host_sim.app.page.app import App
from host_sim.app.page.rights import Rights
from host_sim.app.page.viewer_page import ViewerPage
from host_sim.app.players.bot_match import BotMatch
from host_sim.app.session.match_store import MatchStore
from host_sim.board.hub import match_export, table_script
from host_sim.board.hub.position_setup import PositionSetup
from host_sim.board.hub.simulated_hub import SimulatedHub, configured, seating
from host_sim.lab import soak
from host_sim.lab.hub_adapters import CoreHub
from host_sim.lab.refereed_evening import Evening
from host_sim.table.games.line_games import sheets as line_sheets
from roundhouse import commands, constants, journal, position, tiles
from roundhouse.games import houses
from roundhouse.games.match import Match

ALL = constants.STATIONS


def nothing():
    pass


def on_the_core(lines):
    """Run a script printed by `position` on the rules core; return the state at its end."""
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
            given.add(rest.split())
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
    """A hub that checks its position after every input that it accepts."""

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
    "cardinal deal-5 first-3",
    "puremco deal-any",
    "classic",
    "matador",
    "tiddle-a-wink",
    "block",
)


@pytest.mark.parametrize("house", MATCHES)
def test_the_script_leads_to_the_same_state_at_every_input(house, monkeypatch):
    monkeypatch.setattr(Asked, "phases", set())
    hub = Asked(house, 6, (2, 5, 9), 7)
    Evening(hub, house, 6, (2, 5, 9), 7, mischief=0.3).play(2)
    hub.close()
    assert Asked.phases >= {constants.LOBBY, constants.PLAY, constants.SCORING}


class Stopped(Exception):
    """Raised when the match has had the planned number of inputs."""


class UpTo(CoreHub):
    """A hub that stops after `last` accepted inputs of play."""

    last = 1000
    set_up = 0

    def _line(self, verdict, by=0, did=None):
        if len(self.states) - self.set_up > self.last:
            raise Stopped
        return super()._line(verdict, by, did)


def table_of(planned, last):
    """Return (state, script) of a random match after `last` accepted inputs."""
    own = soak.family(planned.house)
    houses.set_family(own)
    line_sheets.OWN = {name: of for name, of in own.items() if of[0] in line_sheets.HOUSES}
    board = range(1, planned.stations + 1)
    seats = sorted(random.Random(planned.seed).sample(board, planned.seats))
    of_match = planned.house, planned.set, seats, planned.seed
    hub = UpTo(*of_match, stations=planned.stations)
    hub.last = last
    with contextlib.suppress(Stopped):
        Evening(hub, *of_match, stations=planned.stations).play(9)
    lines = position.lines(hub.table, hub.journal, nothing)
    hub.close()
    houses.set_family({})
    line_sheets.OWN = {}
    return bytes(hub.table.state), "\n".join(lines)


TABLES = 30  # tried by the test; 1,000 were tried once


@pytest.mark.slow
def test_random_tables_of_all_games_lead_to_the_same_bytes():
    """The script for a random table leads to the state of this table, byte by byte, on a hub
    without the family's houses."""
    chance = random.Random(5)
    for planned in chance.sample(soak.evenings(5, long=True), TABLES):
        state, lines = table_of(planned, chance.randrange(1, 120))
        script = quick_script()
        script.run(lines + "\nsay state")
        assert bytes(script.board.hub.table.state) == state, lines
        houses.set_family({})


def asked(board):
    count = len(board.lines)
    assert board.command("position")["verdict"] == "ok"
    return [line["script"] for line in board.lines[count:] if "script" in line]


@pytest.mark.parametrize("house", ["goliath", "matador"])
def test_a_board_prints_a_script_that_runs(house):
    board = quick_hub(seed=3)
    match = BotMatch(board, [1, 3, 4], house, 9, 3)
    match.join()
    for _ in range(50):
        match.act()
    board.command("hand 3 9")
    board.override("9-7" if house == "matador" else "0-0", "4")
    text = "\n".join(asked(board))
    script = quick_script()
    script.run(text + "\nsay state", "position")
    assert script.board.hub.table.state == board.hub.table.state
    was, now = board.command("state"), script.answer
    assert {k: v for k, v in now.items() if k not in ("lamps", "n")} == {
        k: v for k, v in was.items() if k not in ("lamps", "n")
    }


ENDED_TOO_EARLY = (
    *("press 1", "press 2", "tap 12-12 1", "tap 12-5 1", "tap 12-6 2", "tap 5-4 1"),
    *("tap 9-3 1", "press 2", "press 2"),
)


@pytest.mark.parametrize("until", (7, 8, 9))
def test_a_round_that_went_on_is_the_same_in_script_and_export(until):
    board = quick_hub(configured(HOUSE="puremco deal-2"))
    for line in ENDED_TOO_EARLY[:until]:
        act(board, line)
    assert [line["did"] for line in board.inputs].count("corrected") == 1
    script = quick_script()
    script.run("\n".join(asked(board)) + "\nsay state")
    assert script.board.hub.table.state == board.hub.table.state
    inputs = [line for line in board.inputs if line["did"] not in ("showed", None)]
    count = len(board.lines)
    board.command("export")
    export = "\n".join(json.dumps(line) for line in board.lines[count:])
    again = [line for line in match_export.read(export) if line["did"] != "showed"]
    for key in ("input", "by", "did", "phase", "turn", "hands", "ends"):
        assert [line[key] for line in again] == [line[key] for line in inputs]
    assert again[-1]["trains"] == board.command("state")["trains"]
    assert again[-1]["trains"] == {"1": ["12-5", "5-4"], "2": ["12-6"]}


def test_an_export_is_a_script_too(tmp_path, capsys):
    board = quick_hub()
    for line in ("press 2", "press 7", "tap 12-12 2", "tap 12-5 2", "press 7"):
        act(board, line)
    count = len(board.lines)
    board.command("export")
    path = tmp_path / "match.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in board.lines[count:]))
    assert main(["position", str(path)]) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines() == asked(board)
    script = quick_script()
    script.run(printed)
    assert script.board.hub.table.state == board.hub.table.state
    path.write_text("hello")
    assert main(["position", str(path)]) == 2
    assert "no segment is in it" in capsys.readouterr().err
    assert main(["position", str(tmp_path / "none")]) == 2
    assert "no such file" in capsys.readouterr().err


def test_a_press_that_had_to_be_made_twice_is_made_twice():
    board = quick_hub()
    text = "players 2\ngiven engine 12-12\ngiven train 1 12-5\n"
    script = quick_script()
    script.run(text + "tap 5-1 1\npress 1\npress 1\npress 1\nexpect phase scoring")
    lines = asked(script.board)
    assert lines[-3:] == ["given knocked 1", "press 1", "press 1"]
    again = quick_script()
    again.run("\n".join(lines))
    assert again.board.hub.table.state == script.board.hub.table.state
    assert asked(board) == ["house puremco", "set 12"], "a lobby is its rules"


def test_what_was_overridden_is_given_as_such():
    script = quick_script()
    script.run(
        "players 2\ngiven engine 12-12\ngiven train 1 12-5 override 9-3 9-1\n"
        "given last 2\ngiven turn 1\nsay state"
    )
    assert script.answer["trains"] == {"1": ["12-5", "9-3", "9-1"]}
    lines = asked(script.board)
    assert "given train 1 12-5 override 9-3 9-1" in lines
    assert "given last 2" in lines


@pytest.mark.parametrize("line, why", mistakes("late given"))
def test_a_given_that_cannot_be_is_named(line, why):
    with pytest.raises(table_script.ScriptError, match=why):
        quick_script().run("players 2\ngiven engine 12-12\n" + line + "\npress 1", "story")


def test_corrections_are_said_in_the_consoles_words():
    for word, (kind, _, ranges) in commands.NUMBERS.items():
        numbers = [3, 7][: len(ranges)]
        line = "%s %s" % (word, " ".join(map(str, numbers)))
        read = commands.correction(line)
        assert read[0] == kind
        assert position._said(*read) == ["say " + line]


def test_it_takes_nothing_more():
    assert json.dumps(SimulatedHub().command("position 3")) == (
        '{"error": "position takes nothing more"}'
    )


def test_the_page_saves_the_position(tmp_path):
    app = App(store=MatchStore(tmp_path), seed=4)
    app.start_match(house="puremco", set_=6, seats=(1, 2, 3), people=())
    for _ in range(14):
        app.table._act()
    page = ViewerPage(app, Rights(owner=True), "en")
    assert "save position" in page.handle({"do": "open menu"}) * page.components()["dialog"]
    page.viewer.take_messages()
    assert page.handle({"do": "save position"})
    (message,) = page.viewer.take_messages()
    assert message["file"]["name"] == "roundhouse-position.table"
    script = quick_script()
    script.run(message["file"]["text"], "position")
    assert script.board.hub.table.state == app.table.session.board.hub.table.state


def again(board):
    """Run the script that a board prints; return (lines of the script, state at its end)."""
    lines = asked(board)
    script = quick_script()
    script.run("\n".join(lines) + "\nsay state")
    return lines, script.board.hub.table.state


def test_one_seat_alone_in_the_lobby_is_in_the_script():
    board = quick_hub()
    board.press("3")
    lines, state = again(board)
    assert lines[-1] == "players 3 3" and state == board.hub.table.state


def test_more_seats_than_the_house_takes_are_in_the_script():
    board = quick_hub()
    for seat in range(1, 9):
        board.press(str(seat))
    board.command("set 6")
    lines, state = again(board)
    assert lines[1:] == ["set 6", "players 1 2 3 4 5 6 7 8"] and state == board.hub.table.state


@pytest.mark.parametrize(
    "base, options, words, said",
    [
        ("puremco", {"first-turn": "own"}, "", "puremco name=grandma first-turn=own"),
        (
            "puremco",
            {"deal": "13 12", "blank": "50"},
            " lift",
            "puremco lift name=grandma blank=50 deal=13-12",
        ),
        ("matador", {"target": "61"}, "", "matador name=grandma target=61"),
        ("goliath", {}, "", "goliath name=grandma"),
    ],
)
@pytest.mark.parametrize("seats", ["", "134"])
def test_a_familys_house_is_in_the_script(base, options, words, said, seats):
    board = quick_hub(configured(FAMILY={"grandma": (base, options)}))
    board.command("house grandma" + words)
    for seat in seats:
        board.press(seat)
    if seats:
        engine = "9-9" if base == "matador" else "12-12"
        board.command("set 12")
        assert board.tap(engine, seats[0])["phase"] == "play"
    lines, state = again(board)
    assert lines[0].startswith("house " + said) and state == board.hub.table.state


SEATS_THAT_LEFT = {
    "before its first turn": "house puremco\nplayers 3\ntap 12-12 1\ntap 12-5 1\nsay leave 3",
    "after it went out": (
        "house goliath last-double-lap\nset 12\nplayers 4\ngiven engine 12-12\ngiven train 1 12-5"
        "\ngiven hand 1 1\ngiven turn 1\noverride 5-5 1\nsay leave 1"
    ),
    "with its points": (
        "house puremco\nplayers 4\ngiven engine 12-12\ngiven score 2=7 3=9\nsay leave 2"
        "\nsay leave 3\nsay join 3\nsay join 6 0\nsay join 7"
    ),
}


@pytest.mark.parametrize("played", SEATS_THAT_LEFT.values(), ids=SEATS_THAT_LEFT)
def test_a_seat_that_left_is_in_the_script(played):
    script = quick_script()
    script.run(played + "\nexpect ok\nexpect phase play")
    assert again(script.board)[1] == script.board.hub.table.state


def test_a_double_that_waits_is_in_the_script():
    script = quick_script()
    script.run(
        "house jassshop whole-first-train\nplayers 3\ntap 12-12 1\ntap 12-5 1\ntap 5-5 1\n"
        "press 1\npress 1\nexpect turn 2"
    )
    lines, state = again(script.board)
    assert "given waiting 1" in lines and state == script.board.hub.table.state


def test_a_match_begun_before_is_in_the_script():
    script = quick_script()
    script.run("players 3\ngiven engine 12-12\ngiven reading 2\ntap 12-5 1\nexpect ok")
    lines, state = again(script.board)
    assert "given reading 2" in lines and state == script.board.hub.table.state


def test_a_station_that_the_board_has_lost_is_in_the_script(tmp_path):
    board = quick_hub(folder=tmp_path)
    for line in ("press 2", "press 4", "press 7", "tap 12-12 2", "tap 12-5 2", "tap 12-6 4"):
        assert act(board, line)["verdict"] == "ok"
    fewer = quick_hub(configured(STATIONS=(1, 2, 3, 5, 6, 7)), tmp_path)
    lines, state = again(fewer)
    assert lines[0] == "stations 1 2 3 4 5 6 7" and state == fewer.hub.table.state


def test_a_lost_station_whose_seat_has_come_in_this_turn_is_in_the_script(tmp_path):
    board = quick_hub(folder=tmp_path)
    for line in ("press 2", "press 7", "tap 12-12 2", "press 2", "say join 4"):
        assert act(board, line)["verdict"] == "ok"
    fewer = quick_hub(configured(STATIONS=(1, 2, 3, 5, 6, 7)), tmp_path)
    lines, state = again(fewer)
    assert lines[0] == "stations 1 2 3 4 5 6 7" and state == fewer.hub.table.state


THIRTEEN = "16 15 14 13 12 11 10 9 8 7 6 5 4"


@pytest.mark.parametrize(
    "house, family, said",
    [
        ("puremco deal-" + THIRTEEN.replace(" ", "-"), {}, "puremco deal-%s"),
        ("grandma", {"grandma": ("puremco", {"deal": THIRTEEN})}, "puremco name=grandma deal=%s"),
    ],
)
def test_a_deal_of_thirteen_numbers_is_in_script_and_export(house, family, said):
    board = quick_hub(seating(constants.MOST_SEATS, HOUSE=house, FAMILY=family))
    for seat in constants.SEATS:
        board.press(str(seat))
    assert again(board)[1] == board.hub.table.state, "in the lobby"
    assert board.tap("12-12", "14")["did"] == "opened"
    assert board.tap("12-5", "14")["did"] == "laid"
    lines, state = again(board)
    assert (
        lines[1] == "house " + said % THIRTEEN.replace(" ", "-") and state == board.hub.table.state
    )
    count = len(board.lines)
    now = board.command("state")["hands"]
    assert now == {str(seat): 4 if seat < 14 else 3 for seat in constants.SEATS}
    board.command("export")
    export = "\n".join(json.dumps(line) for line in board.lines[count:])
    assert match_export.read(export)[-1]["hands"] == now
