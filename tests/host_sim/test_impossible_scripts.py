# SPDX-License-Identifier: MIT
"""An impossible line in a table script ends the script with an error that names file and line."""

import pytest
from hub_actions import quick_script
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mistakes import mistakes

from host_sim.__main__ import main
from host_sim.board.hub import table_script
from host_sim.table.games import house_info
from roundhouse import console
from roundhouse.constants import SLOTS
from roundhouse.games import houses

BEGUN = "players 2\ngiven engine 12-12\ngiven train 1 12-5 5-5\n"


def bad(text):
    with pytest.raises(table_script.ScriptError) as error:
        quick_script().run(text, "story")
    return str(error.value)


@pytest.mark.parametrize("line, why", mistakes("given"))
def test_an_impossible_given_is_named_with_its_line(line, why):
    said = bad(BEGUN + line + "\npress 1\n")
    assert said.startswith("story:4: %s: " % line), said
    assert why in said


def test_thirteen_doubles_are_named():
    said = bad(BEGUN + "given double 1\n" * 13 + "press 1")
    assert said == "story:5: given double 1: 1 is given twice"


def test_a_double_may_be_given_before_its_train():
    script = (
        "players 2\ngiven double 1\ngiven engine 12-12\ngiven train 1 12-5 5-5\nexpect double 1"
    )
    quick_script().run(script, "story")


@pytest.mark.parametrize("start", ["given engine 12-12", "press 1"])
@pytest.mark.parametrize(
    "players, why",
    [
        ("players", "more words are needed"),
        ("players 0", "0 is not a number from 1 to 14"),
        ("players 15", "15 is not a number from 1 to 14"),
        ("players 1 2 1", "seat 1 is named twice"),
        ("players x", "x is not a number from 1 to 14"),
        ("players " + "9" * 5000, "is not a number from 1 to 14"),
    ],
)
def test_impossible_players_are_named(players, why, start):
    said = bad(players + "\n" + start)
    assert said.startswith("story:1: ") and why in said


@pytest.mark.parametrize(
    "words, why",
    [
        ("puremco first-turn=fast", "no first-turn fast; there are any starter-own own"),
        ("puremco hands=11", "no option hands; there are engine rounds"),
        ("grandma first-turn=own", "no house grandma; there are original"),
        ("puremco name=goliath", "goliath: a family's house needs a new name"),
        ("puremco name=", "a family's house needs a new name"),
        ("a=b", "no house a=b; there are"),
    ],
)
def test_an_impossible_house_of_a_family_is_named(words, why):
    said = bad("house %s\npress 1" % words)
    assert said.startswith("story:1: house %s: " % words) and why in said
    assert "deal deal" not in said


@pytest.mark.parametrize("players", ["", "players 1\n"])
def test_a_round_has_two_seats(players):
    assert "players: a round in progress needs at least 2" in bad(players + "given engine 12-12")


def test_more_seats_than_the_house_has_are_named():
    said = bad("house original\nplayers 10\ngiven engine 12-12\nexpect turn 1")
    assert "story:3: given engine 12-12: players: original with the set 12 has at most 8" in said


def test_givens_without_an_engine_are_named():
    assert bad("players 2\ngiven turn 2\npress 1") == "story:3: press 1: given engine is missing"


@pytest.mark.parametrize("line, why", mistakes("script line"))
def test_a_line_that_cannot_be_is_named(line, why):
    said = bad("players 2\n" + line)
    assert said.startswith("story:2: ") and why in said


def test_a_picture_of_what_is_no_script_is_one_line(tmp_path, capsys):
    out = str(tmp_path / "out.svg")
    for name, text, status in (
        ("none", None, 2),
        ("empty", "# nothing", 2),
        ("bad", "dance", 2),
        ("given", BEGUN + "given train 2 12-5\npress 1", 2),
        ("failed", "players 2\nexpect phase play", 1),
        ("latin", b"# \xe9", 2),
        ("good", BEGUN + "press 1", 0),
    ):
        path = tmp_path / name
        if text is not None:
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        try:
            ended = main(["picture", str(path), "-o", out])
        except SystemExit as end:  # of argparse: there is no such file
            ended = end.code
        assert ended == status, name
        err = capsys.readouterr().err
        assert bool(err) == bool(status), name
        assert not status or str(path) in err and len(err.splitlines()) <= 2, err
    with pytest.raises(SystemExit):
        main(["picture", str(tmp_path / "good"), "-o", str(tmp_path / "no" / "out.svg")])
    assert "out.svg" in capsys.readouterr().err
    assert main(["picture", str(tmp_path / "good"), "-o", "out.jpg"]) == 2
    assert "out.jpg: a picture is .svg or .png" in capsys.readouterr().err


FIRST = "house set players given tap override press hold put remove down up say wait unplug"
FIRST = [*FIRST.split(), "fault", "repair", "expect", "dance", "line", "_do_tap"]
GIVEN = "engine train marker double starter turn fresh hand boneyard round score end drawn"
WORDS = "12-12 9-6 12-5 5-5 5-4 18-18 0-0 1=5 2=inf classic matador goliath 9 12 190 -1 256 300ms"
WORDS += " 2s nan inf seat undo state export \u00b2 \u2013 ok closed playable open"
WORDS = [*SLOTS, *GIVEN.split(), *WORDS.split(), ""]


def lines():
    word = st.one_of(st.sampled_from(WORDS), st.text(max_size=3))
    given_ = st.builds(
        lambda kind, rest: " ".join(["given", kind, *rest]),
        st.sampled_from(GIVEN.split()),
        st.lists(word, max_size=4),
    )
    any_ = st.builds(
        lambda first, rest: " ".join([first, *rest]),
        st.sampled_from(FIRST),
        st.lists(word, max_size=3),
    )
    good = st.sampled_from(
        ["players 3", "given engine 12-12", "given train 1 12-5 5-5", "given double 1", "set 9"]
        + ["house matador", "house goliath", "press 1", "tap 12-4 2", "given train M 12-7"]
    )
    return st.lists(st.one_of(good, given_, any_), max_size=7)


@settings(max_examples=250, suppress_health_check=list(HealthCheck))
@given(st.booleans(), lines())
def test_random_words_never_give_a_traceback(begun, more):
    text = "\n".join((["players 2", "given engine 12-12"] if begun else []) + more)
    try:
        quick_script().run(text, "story")
    except (table_script.ScriptError, table_script.ExpectationFailed) as error:
        assert str(error).startswith("story:"), error


LONG = "house puremco " + " ".join(
    "%s=%s" % (option, value.replace(" ", "-"))
    for option, value in house_info.in_words(
        houses.HOUSES.index("puremco"), houses.preset(houses.HOUSES.index("puremco"))
    )
    if option != "deal"
)


def test_a_house_that_is_too_long_to_type_is_played():
    assert len(LONG) > console.LONGEST
    quick_script().run(LONG + " deal=3\nplayers 2\ntap 12-12 1\nexpect hand 2 3", "story")


def test_what_the_hub_refuses_of_a_set_up_is_named_with_its_line():
    said = bad("set 6\n" + LONG + "\nplayers 10\npress 1")  # typed after ten seats have joined
    assert said.startswith("story:2: house puremco ") and "at most 160 characters" in said
    said = bad("stations 1 2 4\nplayers 3\npress 1")
    assert said == "story:2: players 3: this board has no slot 3"
