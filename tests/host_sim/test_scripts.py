# SPDX-License-Identifier: MIT
"""Runs every table script, and tests the script runner itself."""

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hub_actions import quick_hub, quick_script
from mistakes import mistakes
from story_checks import wrong as untrue
from test_by_and_did import KEYS, RULES

from host_sim.__main__ import main
from host_sim.board.hub import table_script
from host_sim.board.hub.simulated_hub import SimulatedHub
from host_sim.lab.script_failure import report
from roundhouse import constants
from roundhouse.games import houses

FOLDER = Path(__file__).resolve().parents[1] / "scripts"
SCRIPTS = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.glob("**/*.table"))


@pytest.mark.parametrize("name", SCRIPTS)
def test_script(name):
    """The script's expectations hold, and its story uses plain words and names the right
    people."""
    holds(name, quick_hub)


@pytest.mark.slow
@pytest.mark.parametrize("name", SCRIPTS[::8])
def test_script_pass_by_pass(name):
    """The expectations also hold with the normal, shorter passes of the main loop."""
    holds(name, SimulatedHub)


def holds(name, make):
    """Check that a script's expectations hold on a hub that make() creates."""
    script = table_script.Script(make_board=make)
    try:
        script.run((FOLDER / name).read_text(), name)
    except table_script.ExpectationFailed as error:
        pytest.fail("%s\n%s" % (error, report(script, "tests/scripts/" + name)), pytrace=False)
    assert untrue(script.board.lines if script.board else []) == []


def test_every_verdict_has_a_script():
    text = "".join((FOLDER / name).read_text() for name in SCRIPTS)
    for verdict in constants.VERDICTS:
        assert f"expect {verdict}\n" in text.replace(" " * 2, "\n"), verdict


def test_every_rule_point_and_contradiction_has_a_story():
    """The scripts cover every rule point that a hub can check: all but the duty to play (F1, F4)
    and open hands (N30)."""
    head = "\n".join(name + (FOLDER / name).read_text().split("\nhouse")[0] for name in SCRIPTS)
    named = {re.sub(r"(?<=[A-Z])0", "", word) for word in re.findall(r"\b[A-O]\d+\b", head)}
    points = {row[1] for row in houses.options(0) if row[1] != "-"}
    cases = {"M%d" % n for n in range(1, 39)} | {"N%d" % n for n in range(1, 36) if n != 30}
    sheet = "A1 A3 A4 A5 A6 B1 B2 B3 B4 B5 B6 B8 C1 C2 C3 C4 C5 C6 D1 D2 D3 D5 E1 E2 E3 E4 E5 E7"
    turn = "F3 F5 G2 G3 G4 G5 G6 G7 G8 G9 G10 H1 H2 H3 H4 H5 H6 H8 H9 H10 I2 J1 J2 J3"
    count = "K1 K2 K3 K4 K5 K6"
    assert points | cases | {*sheet.split(), *turn.split(), *count.split()} <= named


def test_every_story_says_what_it_shows():
    for name in SCRIPTS:
        first = (FOLDER / name).read_text().splitlines()[0]
        assert first.startswith("# ") and len(first) > 10, name


def failed(text):
    with pytest.raises(table_script.ExpectationFailed) as failure:
        quick_script().run(text, "story")
    return str(failure.value)


@pytest.mark.parametrize("line, seen", mistakes("expectation"))
def test_a_wrong_expectation_fails_with_its_line(line, seen):
    said = failed("players 2\ntap 12-12 1\n\n" + line)
    assert said.startswith("story:4: " + line + ": " + seen)
    assert '"boneyard": 58' in said


def test_ends_are_expected_in_both_kinds_of_game():
    begun = "players 2\ngiven engine 12-12\ngiven train 1 12-5\n"
    quick_script().run(begun + "expect end 1 5\nexpect drawn no", "story")
    undecided = begun + "override 7-8 1\nexpect end 1 8 7\n"
    quick_script().run(undecided, "story")
    for wrong in ("expect end 1 7 8", "expect end 1 8"):
        assert failed(undecided + wrong).startswith("story:6: %s: it is 8 7" % wrong)


@pytest.mark.parametrize(
    "line",
    ["dance", "tap 12-5", "expect", "expect joy", "given joy", "tap 12-5 X", "press 0", "wait x"]
    + ["expect end", "expect end 1", "expect end 1 5 4 3", "expect end 1 x", "expect drawn"],
)
def test_a_bad_line_is_named(line):
    with pytest.raises(table_script.ScriptError, match="story:2: "):
        quick_script().run("players 2\n" + line, "story")


@pytest.mark.parametrize("line, why", mistakes("line game given"))
def test_a_given_that_a_line_game_does_not_know_is_named(line, why):
    house, _, line = line.partition(": ")
    with pytest.raises(table_script.ScriptError, match="story:3: %s: .*%s" % (line, why)):
        quick_script().run("house %s\nplayers 2\n%s\n" % (house, line), "story")


@pytest.mark.parametrize(
    "house, train, why",
    [
        ("classic", "1 12-5 6-7", "7-6: no-match"),
        ("classic", "1 12-5 5-12", "12-5 is already on the table"),
        ("two-ends", "1 12-5\ngiven train 2 12-4\ngiven train 3 12-3", "12-3: closed"),
    ],
)
def test_a_given_tile_joins_as_a_tap_would(house, train, why):
    house = house if house == "classic" else "classic " + house
    text = "house %s\nplayers 2\ngiven engine 12-12\ngiven train %s\npress 1" % (house, train)
    with pytest.raises(table_script.ScriptError, match=why):
        quick_script().run(text, "story")


def test_givens_of_matador_are_of_its_own_set():
    """The `given` lines of `matador` are for that house's own double-nine set. The boneyard has
    all tiles that are neither laid nor in a hand."""
    given = "house matador\nplayers 2\ngiven engine 9-6\ngiven train 4 8-4 7-3\n"
    told = "expect end 4 7 3\nexpect boneyard 38\nexpect hand 2 7\nexpect playable 4 1 2 3 5 6"
    quick_script().run(given + told + " 7 8 9 10 M\n", "story")


def test_setting_up_comes_first():
    with pytest.raises(table_script.ScriptError, match="before the first input"):
        quick_script().run("players 2\npress E\nset 9", "story")


def run(text, *files, monkeypatch=None, as_json=True):
    out, err = io.StringIO(), io.StringIO()
    for name, stream in (("stdin", io.StringIO(text)), ("stdout", out), ("stderr", err)):
        monkeypatch.setattr("sys." + name, stream)
    status = main(["script", *(["--json"] if as_json else []), *(files or ["-"])])
    return status, out.getvalue().splitlines(), err.getvalue()


def test_json_lines(monkeypatch):
    text = "house puremco\nplayers 2\ntap 12-12 2 # the engine\nwait 1s\npress   2\nsay dance\n"
    status, lines, _ = run(text, monkeypatch=monkeypatch)
    answers = [json.loads(line) for line in lines]
    assert status == 0
    assert [a["input"] for a in answers] == ["tap 12-12 2", "wait 1s", "press 2", "say dance"]
    assert [list(a) for a in answers[:3]] == [KEYS] * 3
    assert "error" in answers[3]
    assert answers[2]["drawn"] is True


def test_json_of_givens_begins_with_the_first_input(monkeypatch):
    text = "players 2\ngiven engine 12-12\ngiven train 1 12-5\ntap 5-1 1\n"
    _, lines, _ = run(text, monkeypatch=monkeypatch)
    assert [json.loads(line)["input"] for line in lines] == ["tap 5-1 1"]


def test_exit_status(monkeypatch, tmp_path):
    good, wrong, bad = (tmp_path / name for name in ("good", "wrong", "bad"))
    good.write_text("players 2\nexpect phase lobby\n")
    wrong.write_text("players 2\nexpect phase play\n")
    bad.write_text("dance\n")
    for files, status, said in (
        ([good, good], 0, ""),
        ([good, wrong, good], 1, "wrong:2: "),
        ([bad], 2, "bad:1: "),
    ):
        got, lines, err = run("", *map(str, files), monkeypatch=monkeypatch, as_json=False)
        assert (got, said in err) == (status, True)
    assert "ok " in run("", str(good), monkeypatch=monkeypatch, as_json=False)[1][0]


def test_state_shows_the_trains(monkeypatch):
    text = """players 2
given engine 12-12
given train 1 12-5 5-7
tap 12-4 M
tap 12-4 2
say state
hold 1
say state
"""
    _, lines, _ = run(text, monkeypatch=monkeypatch)
    answers = [json.loads(line) for line in lines]
    assert answers[2]["trains"] == {"1": ["12-5", "7-5"], "M": ["12-4"]}
    assert answers[4]["trains"] == {"1": ["12-5", "7-5"]}


def test_json_keeps_the_scripts_line_even_where_the_hub_says_it_otherwise(monkeypatch):
    text = "players 2\ntap 12-12 1\ntap   seat 1   7\nput 12-5 1\nremove 1\nunplug\nsay state\n"
    _, lines, _ = run(text, monkeypatch=monkeypatch)
    answers = [json.loads(line) for line in lines]
    assert [a["input"] for a in answers] == [
        "tap 12-12 1",
        "tap seat 1 7",
        "put 12-5 1",
        "remove 1",
        "unplug",
        "say state",
    ]
    assert [list(a) for a in answers[:-2]] == [KEYS] * 4
    assert list(answers[-2]) == [*KEYS, *RULES, "version"], "it was the power-up line"
    assert list(answers[-1]) == [*KEYS, *RULES, "trains", "vsys"]


def test_json_up_to_the_expectation_that_fails(monkeypatch):
    text = "players 2\ntap 12-12 1\nexpect turn 2\ntap 12-5 1\n"
    status, lines, err = run(text, monkeypatch=monkeypatch)
    assert (status, [json.loads(line)["input"] for line in lines]) == (1, ["tap 12-12 1"])
    assert err.startswith("-:3: expect turn 2: ")


def test_many_scripts_one_after_the_other(monkeypatch, tmp_path):
    paths = []
    for seat in (1, 2):
        paths.append(tmp_path / f"{seat}.table")
        paths[-1].write_text(f"players 2\nexpect phase lobby\ntap 12-12 {seat}\n")
    status, lines, _ = run("", *map(str, paths), monkeypatch=monkeypatch)
    assert (status, [json.loads(line)["turn"] for line in lines]) == (0, [1, 2])


def test_the_command():
    command = [sys.executable, "-m", "host_sim", "script", "--json", "-"]
    text = "players 2\ntap 12-12 1\nexpect turn 2\n"
    done = subprocess.run(
        command, input=text, capture_output=True, text=True, cwd=FOLDER.parent.parent
    )
    assert done.returncode == 1
    assert json.loads(done.stdout)["input"] == "tap 12-12 1"
    assert done.stderr.startswith("-:3: expect turn 2: it is 1")


def test_a_failed_script_shows_the_table_and_how_to_repeat_it(monkeypatch, tmp_path):
    path = tmp_path / "story.table"
    path.write_text(
        "players 2\ngiven engine 12-12\ngiven train 1 12-5 5-7\n"
        "press 1\ntap 7-3 1\nexpect turn 1\n"
    )
    status, _, err = run("", str(path), monkeypatch=monkeypatch)
    first, _, *picture, again = err.splitlines()
    assert status == 1 and first.startswith("%s:6: expect turn 1: it is 2" % path)
    assert picture[0] == (
        "    puremco, set 12, round 1: play, engine 12-12, seat 2 to move, boneyard 55"
    )
    assert picture[1] == "     1  16 in hand  12-5 7-5 7-3"
    assert picture[2] == "     2  16 in hand  -  (playable)"
    assert picture[3].startswith("    lamps    1···✓   2●··")
    assert again == "again: .venv/bin/python -m host_sim script %s" % path


def test_before_the_first_input_there_is_no_table(monkeypatch):
    status, _, err = run("players 2\nexpect phase play\n", monkeypatch=monkeypatch)
    assert status == 1 and "again: " in err
