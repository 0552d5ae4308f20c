# SPDX-License-Identifier: MIT
"""The console: JSON lines out, commands in, and the ring buffer."""

import json

import pytest
from mistakes import mistakes
from positions import begun, do, new, opened

from host_sim.board.hub.simulated_hub import Port
from roundhouse import commands, console, constants, line_keys
from roundhouse.console import Console
from roundhouse.constants import MOST_SEATS
from roundhouse.games import houses


def said(t, **more):
    return json.loads(console.input_line("press 1", 0, 0, "showed", t, b"....", 0, **more))


def test_an_empty_lobby():
    assert console.input_line("press 1", 1, 0, None, new(), b"..", 0) == (
        '{"input": "press 1", "verdict": "not-now", "n": 0, "by": null, "did": null, '
        '"phase": "lobby",'
        ' "round": 0, "engine": null, "turn": null, "drawn": false, "open": [], "doubles": [],'
        ' "playable": [], "ends": {},'
        ' "hands": {}, "boneyard": 0, "scores": {}, "winner": null, "lamps": ".."}'
    )


def test_play():
    t = begun(trains="1:12-5, M:12-9", hands=14)
    do(t, "press 1, tap 5-5 1")
    assert console.input_line("tap 5-5 1", 0, t.by, t.did, t, b"....", 7) == (
        '{"input": "tap 5-5 1", "verdict": "ok", "n": 7, "by": 1, "did": "laid",'
        ' "phase": "play", "round": 1, "engine": "12-12", "turn": 1, "drawn": false,'
        ' "open": ["M"], "doubles": ["1"], "playable": ["1", "M"], "ends": {"1": 5, "M": 9},'
        ' "hands": {"1": 14, "2": 14, "3": 14}, "boneyard": 44,'
        ' "scores": {"1": 0, "2": 0, "3": 0}, "winner": null, "lamps": "...."}'
    )


def test_two_ends_after_an_override():
    t = begun(trains="1:12-5")
    do(t, "override 7-1 1")
    assert said(t)["ends"] == {"1": [7, 1]}
    do(t, "override 8-8 M")
    assert said(t)["ends"] == {"1": [7, 1], "M": 8}, "a double has one number"


def test_outside_play_the_lists_are_empty():
    t = begun(trains="1:12-5 5-5, M:12-9")
    do(t, "press E")
    line = said(t)
    assert (line["turn"], line["open"], line["doubles"], line["playable"]) == (None, [], [], [])
    assert line["ends"] == {"1": 5, "M": 9}, "the tiles still lie"


def test_half_points_and_winners():
    t = new("puremco plus-points", 6)
    do(t, "press 1, press 2, press 3")
    for number in range(6, -1, -1):
        do(t, "tap %d-%d E, press E, score 1 3, score 2 3, score 3 1" % (number, number))
    assert said(t)["winner"] == [3]
    t = new("puremco plus-points", 6)
    do(t, "press 1, press 2, press 3, tap 6-6 1, press E, score 1 3, score 2 3, score 3 9")
    assert '"scores": {"1": 4.5, "2": 4.5, "3": 0}' in console.input_line(
        "", 0, 0, None, t, b"", 0
    )
    assert [console.points(n) for n in (0, 2, 51)] == ["0", "1", "25.5"]


def test_a_line_game():
    t = opened("matador", "9-6", 2, then="tap 1-4 M")
    assert console.input_line("tap 4-1 M", 0, t.by, t.did, t, b"....", 7) == (
        '{"input": "tap 4-1 M", "verdict": "ok", "n": 7, "by": 2, "did": "laid",'
        ' "phase": "play", "round": 1, "engine": "9-6", "turn": 1, "drawn": false, "open": ["M"],'
        ' "doubles": [],'
        ' "playable": ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "M"],'
        ' "ends": {"M": [4, 1]}, "sides": {"9": 1, "6": 1}, "hands": {"1": 6, "2": 6},'
        ' "boneyard": 41, "scores": {"1": 0, "2": 0}, "winner": null, "lamps": "...."}'
    )


def test_where_a_line_may_begin_by_number_the_highest_first():
    t = opened("classic", "6-6", then="tap 6-12 3, tap 12-12 3")
    assert said(t)["sides"] == {"12": 2, "6": 3}
    assert list(said(t)["sides"]) == ["12", "6"]
    assert list(said(t))[list(said(t)).index("ends") + 1] == "sides"
    do(t, "press E")
    assert said(t)["sides"] == {}
    assert said(new("block"))["sides"] == {}
    assert "sides" not in said(begun()), "every train has its place"


def test_two_ends_of_a_matador_the_higher_first():
    t = opened("matador", "9-9", 2, then="tap 1-9 M")
    assert said(t)["ends"] == {"M": [9, 1]}
    do(t, "tap 1-2 M")
    assert said(t)["ends"] == {"M": 2}


def test_what_comes_behind_the_lamps_in_its_order():
    t = new("jassshop no-lock plus-points", 9)
    assert line_keys.about(t) == (
        ', "game": "mexican-train", "house": "jassshop no-lock plus-points", "set": 9'
    )
    assert line_keys.about(new("matador ten")) == (
        ', "game": "matador", "house": "matador ten", "set": 9'
    )
    before = t.rules
    do(t, "house jassshop no-lock")
    more = (
        line_keys.about(t)
        + line_keys.laid({constants.M: [3, 5], 2: [8]})
        + line_keys.changed(t, before)
    )
    line = said(t, more=more)
    assert list(line)[-6:] == ["lamps", "game", "house", "set", "trains", "rules"]
    assert line["trains"] == {"2": ["3-2"], "M": ["2-0", "2-2"]}
    assert line["rules"] == {"score": "penalty"}


def test_another_game_has_all_its_rules():
    t = new("puremco")
    before = t.rules
    do(t, "house tiddle-a-wink one-end")
    rules = json.loads("{%s}" % line_keys.changed(t, before)[2:])["rules"]
    assert list(rules) == [row[0] for row in houses.options(houses.HOUSES.index("classic"))]
    assert (rules["doubles"], rules["target"]) == ("one", "200")
    before = t.rules
    do(t, "house block")
    rules = json.loads("{%s}" % line_keys.changed(t, before)[2:])["rules"]
    assert rules == {"doubles": "two", "again": "no", "target": "100"}, "the same game's module"


@pytest.mark.parametrize(
    "line, kind, slot, value",
    [
        ("house jassshop no-lock", constants.RULES, 2, 16),
        ("house classic first-double", constants.RULES, 7, 2),
        ("set 18", constants.SET, 0, 18),
        ("join 14", constants.JOIN, 14, 0),
        ("leave 1", constants.LEAVE, 1, 0),
        ("hand 3 14", constants.HAND, 3, 14),
        ("boneyard 0", constants.BONEYARD, 0, 0),
        ("turn 7", constants.TURN, 7, 0),
        ("marker 4", constants.MARKER, 4, 0),
        ("score 2 117", constants.SCORE, 2, 117),
        ("total 2 117", constants.SCORE, 2, 117 | constants.TOTAL),
    ],
)
def test_commands(line, kind, slot, value):
    assert commands.correction(line) == (kind, slot, value)


@pytest.mark.parametrize("line, remedy", mistakes("console"))
def test_what_a_command_should_have_been(line, remedy):
    with pytest.raises(ValueError, match=remedy.replace(".", r"\.")):
        commands.correction(line)


@pytest.mark.parametrize(
    "line, lowest, highest",
    [
        ("join %d", 1, MOST_SEATS),
        ("leave %d", 1, MOST_SEATS),
        ("turn %d", 1, MOST_SEATS),
        ("marker %d", 1, MOST_SEATS),
        ("hand %d 3", 1, MOST_SEATS),
        ("hand 3 %d", 0, 190),
        ("boneyard %d", 0, 190),
        ("score %d 3", 1, MOST_SEATS),
        ("score 3 %d", 0, 3420),
    ],
)
def test_a_number_has_a_lowest_and_a_highest_value(line, lowest, highest):
    for number in (lowest, highest):
        assert number in commands.correction(line % number)
    for number in (lowest - 1, highest + 1):
        with pytest.raises(ValueError, match=r"is %d\.\.%d$" % (lowest, highest)):
            commands.correction(line % number)


def test_slots():
    for slot in range(constants.SLOT_COUNT):
        assert constants.slot_number(constants.slot_name(slot)) == slot
    for name in ("0", "15", "m", "", "01", "1.0"):
        with pytest.raises(ValueError, match="1..14, M and E"):
            constants.slot_number(name)


def test_quotes_are_escaped():
    assert json.loads(console.error('a "b" \\c')) == {"error": 'a "b" \\c'}


def drain(c):
    for _ in range(400):
        c.flush()


def test_names_of_files_in_any_script_are_ascii_on_the_wire():
    for word, line in (("error", console.error), ("remark", console.remark)):
        made = line('config für "mich" \x7f.py')
        assert made.isascii() and json.loads(made) == {word: 'config für "mich" \x7f.py'}
    assert json.loads(console.remark("\U0001f600.py")) == {"remark": "\ufffd.py"}


def test_lines_arrive_in_order():
    c = Console(Port(), 100)
    for n in range(20):
        c.put("line %d" % n)
        drain(c)
    assert c.port.lines == ["line %d" % n for n in range(20)]


def test_a_host_that_does_not_read_loses_the_newest_lines_and_is_told():
    c = Console(Port(), 100)
    c.port.open, c.port.room = False, 0
    for n in range(20):
        c.put("this is line %d" % n)
        c.flush()
    assert c.waiting <= 100
    c.port.open = True
    drain(c)
    c.put("back")
    drain(c)
    kept = len(c.port.lines) - 2
    assert c.port.lines[:kept] == ["this is line %d" % n for n in range(kept)]
    assert c.port.lines[kept:] == ['{"dropped": %d}' % (20 - kept), "back"]


def test_a_line_fits_to_the_last_byte():
    for size, waits in ((100, 100), (99, 0)):
        c = Console(Port(), size)
        c.port.open, c.port.room = False, 0
        c.put("x" * 60)
        c.put("y" * 38)
        assert c.waiting == (waits or 61)
        c.port.open = True
        drain(c)
        assert c.port.lines == ["x" * 60] + ["y" * 38] * bool(waits)


def test_the_host_gets_at_once_what_it_takes():
    c = Console(Port(), 400)
    line = "x" * 300
    c.put(line)
    assert c.flush() and c.port.lines == [line]
    assert not c.flush(), "nothing waits"
    c.port.open = False
    c.put(line)
    assert not c.flush() and c.waiting == 301 - 16, "it takes part of a piece"
    drain(c)
    assert c.port.lines == [line]
    c.put(line)
    drain(c)
    assert c.waiting == 602 - 320, "the buffer is full"
    c.port.open = True
    drain(c)
    assert c.port.lines == [line] * 3


def test_lines_in():
    c = Console(Port())
    c.port.type("state")
    c.port.type("")
    c.port.type("  hand 1 2\r")
    assert [c.read() for _ in range(3)] == ["state", "hand 1 2", None]


def answers(c):
    """Return what the console `c` reads: lines, and the texts of errors."""
    found = []
    while c.port._in:
        try:
            found.append(c.read())
        except ValueError as error:
            found.append(str(error))
    return [one for one in found if one]


@pytest.mark.parametrize("junk", ["x" * 161, "x" * 5000, "h\xe4nd", "\x00state", "a\tb"])
def test_junk_is_one_error_and_the_next_line_counts(junk):
    c = Console(Port())
    c.port.type(junk)
    c.port.type("state")
    error, line = answers(c)
    assert error.startswith("a line") and line == "state"


def test_a_line_may_be_as_long_as_the_limit():
    c = Console(Port())
    c.port.type("x" * console.LONGEST)
    assert answers(c) == ["x" * console.LONGEST]


def test_input_without_end_does_not_hold_the_loop():
    c = Console(Port())
    c.port._in += b"hand" * 5000
    errors = 0
    for taken in range(64, 20001, 64):
        try:
            assert c.read() is None
        except ValueError:
            errors += 1
        assert len(c.port._in) == 20000 - taken or errors, "never more than 64 bytes a pass"
    assert errors == 1, "however long the line is"
    c.port.type("")
    c.port.type("state")
    assert answers(c) == ["state"]


def test_a_line_takes_several_passes():
    c = Console(Port())
    c.port.type("write " + "x" * 100)
    assert c.read() is None and len(c.port._in) == 43
    assert c.read() == "write " + "x" * 100


@pytest.mark.parametrize("end", ["", "\r"])
def test_its_own_lines_echoed_are_ignored(end):
    c = Console(Port())
    for line in (console.error("no such command"), "{" + "x" * 400, "{", "{" * 161):
        c.port.type(line + end)
    c.port.type("state")
    assert answers(c) == ["state"]
    c.port.type("state {")
    assert answers(c) == ["state {"], "only the first letter tells"


def test_half_a_line_waits():
    c = Console(Port())
    c.port._in += b"sta"
    assert c.read() is None
    c.port.type("te")
    assert c.read() == "state"
