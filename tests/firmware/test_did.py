# SPDX-License-Identifier: MIT
"""Whose an input was and what it was: `by` and `did`, in the match and in its lines.

Also the lines' last keys, and what the lamps of the whole hub add to them.
"""

import pytest
from positions import do, new

from host_sim.chips import fake_flash
from host_sim.hub.simulated_hub import SimulatedHub, configured
from roundhouse import VERSION, animations, round_end_lights
from roundhouse.games import houses

KEYS = ["input", "verdict", "by", "did", "phase", "round", "engine", "turn", "drawn", "open"]
KEYS += ["doubles", "playable", "ends", "hands", "boneyard", "scores", "winner", "lamps"]
OF_A_LINE_GAME = [*KEYS[:13], "sides", *KEYS[13:]]
RULES = ["game", "house", "set"]

# Inputs one after the other, each with whose it was and what. None: it is refused.
TRAINS = """
press 3: 3 joined
press 5: 5 joined
press 9: 9 joined
press 9: 9 left
join 7: 7 joined
leave 7: 7 left
set 9: - chose
house jassshop one-foreign-tile: - chose
set 12: - chose
tap 12-5 3: None
press E: - dealt
hand 3 0: None
hand 3 9: 3 corrected
boneyard 20: - corrected
press 5: 5 drew
tap 12-12 E: None
tap 12-12 3: 3 opened
tap 12-5 3: 3 laid
press 3: 3 knocked
press 5: 5 drew
press 3: None
press 5: 5 passed
marker 5: 5 corrected
override 9-9 3: 3 laid
press 3: 3 drew
draw 3: 3 drew
press 3: 3 passed
turn 3: 3 corrected
tap 9-1 3: 3 laid
press 3: 3 knocked
press 3: None
press 3: 3 out
tap 6-6 5: 5 counted
press 5: None
press 5: 5 done
score 3 7: 3 corrected
join 1: 1 joined
press E: - match-over
press 3: 3 cleared
tap 12-12 3: 3 opened
press E: - round-over
press E: - round-over
press E: - match-over
press E: - cleared
forget: - cleared
"""
LINES = """
press 3: 3 joined
press 5: 5 joined
press E: - dealt
press 3: None
tap 12-12 E: None
tap 12-12 3: 3 opened
press 3: 3 knocked
tap 12-5 5: 5 laid
press 3: 3 drew
marker 3: None
override 9-9 M: 3 laid
boneyard 0: - corrected
press 5: 5 passed
press 3: 3 passed
score 3 10: 3 done
tap 6-6 5: 5 counted
press 5: None
press 5: 5 done
tap 12-12 5: 5 opened
hand 3 1: 3 corrected
tap 12-1 7: 3 laid
score 5 3: 5 done
"""


def inputs_of(story):
    for line in story.strip().splitlines():
        said, _, what = line.partition(": ")
        by, _, did = what.partition(" ")
        yield said, None if what == "None" else (0 if by == "-" else int(by), did)


@pytest.mark.parametrize("house, story", [("puremco", TRAINS), ("classic", LINES)])
def test_every_kind_of_input_says_whose_it_was_and_what(house, story):
    t = new(house)
    t.by, t.did = 99, "something else"
    for said, expected in inputs_of(story):
        if said == "forget":
            t.apply(4)
            verdict = "ok"
        else:
            verdict = do(t, said)
        if expected is None:
            assert verdict != "ok", said
            continue
        assert (said, verdict, t.by, t.did) == (said, "ok", *expected)


def test_what_ends_a_round_is_still_what_it_was():
    t = new("puremco")
    do(t, "press 1, press 2, tap 12-12 1, boneyard 0, press 1, press 2")
    assert (t.phase, t.by, t.did) == (3, 2, "passed")
    t = new("quebec")
    do(t, "press 1, press 2, tap 12-12 1, boneyard 1, press 1, press 1")
    assert (t.phase, t.by, t.did) == (3, 1, "passed")
    t = new("free")
    do(t, "press 1, press 2, tap 12-12 1, press 2")
    assert (t.turn, t.by, t.did) == (2, 1, "passed"), "whose turn it was"


def test_the_engine_on_e_is_whoevers_the_hub_draws():
    for chance, by in ((0, 2), (1, 5)):
        t = new("puremco")
        do(t, "press 2, press 5")
        t.tap(0, 90, chance)
        assert (t.by, t.did, t.turn) == (by, "opened", by)


# ---- the same in the lines ----


def said(board, line):
    """Carry out a script's line at a board; return its line on the console."""
    word, *rest = line.split()
    if word in ("tap", "override"):
        return getattr(board, word)(*rest)
    if word in ("press", "hold"):
        return getattr(board, word)(*rest)
    return board.say(line)


@pytest.mark.parametrize("house, story", [("puremco", TRAINS), ("classic", LINES)])
def test_the_lines_say_the_same(house, story):
    board = SimulatedHub(configured(HOUSE=house, SET=None))
    keys = KEYS if house == "puremco" else OF_A_LINE_GAME
    for line, expected in inputs_of(story):
        if line == "forget" or line.startswith("draw"):
            continue
        answer = said(board, line)
        if expected is None:
            assert answer["verdict"] != "ok"
            assert (line, answer["by"], answer["did"]) == (line, None, None)
        else:
            shown = (line, answer["verdict"], answer["by"], answer["did"])
            assert shown == (line, "ok", expected[0] or None, expected[1])
        if line.startswith(("house", "set")):
            assert list(answer)[: len(keys) + 3] == keys + RULES
        else:
            assert list(answer) == keys
    assert board.press("M")["did"] == "showed"


def test_what_changes_nothing_and_what_takes_back():
    board = SimulatedHub(configured(HOUSE="puremco"))
    for seat in "123":
        board.press(seat)
    for line, did in (
        ("state", "showed"),
        ("press M", "showed"),
        ("tap totals 4", "showed"),
        ("tap override 2", "showed"),
        ("tap 12-12 1", "opened"),
        ("undo", "took-back"),
        ("redo", "put-back"),
        ("hold 1", "took-back"),
        ("redo", "put-back"),
        ("tap 12-5 1", "laid"),
        ("tap undo 2", "took-back"),
        ("redo", "put-back"),
        ("press M", "showed"),
    ):
        answer = said(board, line)
        assert (line, answer["verdict"], answer["did"]) == (line, "ok", did)
        assert answer["by"] == (1 if did in ("opened", "laid") else None), line
    for line in ("redo", "press 9", "tap ? 1", "tap 9-9 E"):
        answer = said(board, line)
        assert (answer["verdict"] != "ok", answer["by"], answer["did"]) == (True, None, None)
    board.say("export")
    board.run(2000)
    assert (board.inputs[-1]["input"], board.inputs[-1]["did"]) == ("export", "showed")


def test_a_press_of_m_shows_the_totals_in_every_phase_and_is_no_input(monkeypatch):
    board = SimulatedHub(configured(HOUSE="puremco", SET=None))
    counted = []
    monkeypatch.setattr(
        round_end_lights, "points", lambda _, seat, points: counted.append((seat, points))
    )
    phases = []
    for lines, slot in (
        (("press 1", "press 2"), "2"),
        (("press E",), "E"),
        (("tap 12-12 1",), "1"),
        (("press E",), "E"),
        (("score 1 5", "score 2 7"), "2"),
        (("press E",), "E"),
    ):
        for line in lines:
            assert said(board, line)["verdict"] == "ok"
        state, phase = bytes(board.hub.table.state), board.inputs[-1]["phase"]
        phases.append(phase)
        counted.clear()
        for line in ("press M", "tap totals 3"):
            answer = said(board, line)
            assert (answer["verdict"], answer["by"], answer["did"]) == ("ok", None, "showed")
            assert bytes(board.hub.table.state) == state
        totals = answer["scores"].items()
        assert counted == [(int(seat), points) for seat, points in totals] * 2
        assert said(board, "undo")["did"] == "took-back"
        assert bytes(board.hub.table.state) != state, "of the input before"
        assert lamp(board, slot, 3) == "w"
        assert said(board, "redo")["phase"] == phase
    assert phases == ["lobby", "engine", "play", "scoring", "engine", "finished"]


def test_a_press_of_m_ends_no_time_for_a_notice():
    board = SimulatedHub(configured(HOUSE="goliath", SET=None))
    for line in ("press 1", "press 2", "tap 12-12 1", "tap 12-5 1"):
        assert said(board, line)["verdict"] == "ok"
    for line, verdict, did in (
        ("press M", "ok", "showed"),
        ("press 1", "ok", "knocked"),
        ("press M", "ok", "showed"),
        ("press 1", "not-now", None),
        ("press M", "ok", "showed"),
        ("press 1", "ok", "out"),
    ):
        answer = said(board, line)
        assert (line, answer["verdict"], answer["did"]) == (line, verdict, did)


def test_that_was_my_last_tile_has_one_red_blink():
    board = SimulatedHub(configured(HOUSE="puremco", SET=None))
    for line in ("press 1", "press 2", "tap 12-12 1", "tap 12-5 1", "press 1"):
        assert said(board, line)["verdict"] == "ok"
    answer = said(board, "press 1")
    assert (answer["verdict"], lamp(board, "1", 3)) == ("not-now", "r")


def test_a_card_says_whose_it_was():
    board = SimulatedHub(configured(HOUSE="goliath", SET=None))
    for line, by, did in (
        ("tap seat 3 7", 3, "joined"),
        ("tap seat 4 E", 4, "joined"),
        ("tap house goliath penalty-always 1", None, "chose"),
        ("tap set 9 1", None, "chose"),
        ("tap next 1", None, "dealt"),
        ("tap 9-9 3", 3, "opened"),
        ("tap seat 3 7", 3, "drew"),
        ("tap seat 3 7", 3, "passed"),
        ("tap next 1", None, "round-over"),
    ):
        *_, slot = line.split()
        answer = board.tap(line[4 : -len(slot) - 1], slot)
        assert (line, answer["verdict"], answer["by"], answer["did"]) == (line, "ok", by, did)


def test_caught_and_fined_in_the_lines():
    for house in ("goliath", "goliath penalty-always"):
        board = SimulatedHub(configured(HOUSE=house, SET=None))
        first = ("press 1", "press 2", "press 3", "tap 12-12 2", "tap 12-3 2", "turn 1")
        for line in (*first, "tap 12-5 1", "hand 1 2", "turn 1"):
            assert said(board, line)["verdict"] == "ok"
        assert said(board, "tap 5-0 1")["hands"]["1"] == 1
        answer = said(board, "tap 3-4 2")
        assert (answer["by"], answer["did"]) == (2, "laid")
        if house == "goliath":
            assert (answer["hands"]["1"], lamp(board, "1", 0)) == (1, ".")
            answer = said(board, "press M")
            assert (answer["input"], answer["by"], answer["did"]) == ("press M", 1, "caught")
            assert lamp(board, "M", 3) == "g"
        else:
            assert lamp(board, "1", 0) == "f", "its turn lamp flashes"
        assert answer["hands"]["1"] == 2
        said(board, "undo")
        assert board.inputs[-1]["hands"]["1"] == 1


# ---- the keys behind the lamps ----


def test_power_up_says_game_house_set_and_version():
    board = SimulatedHub(configured(HOUSE="matador ten", SET=None))
    line = board.inputs[0]
    assert list(line) == [*OF_A_LINE_GAME, *RULES, "version"]
    assert (line["input"], line["by"], line["did"]) == ("power-up", None, "showed")
    assert [line[key] for key in RULES] == ["matador", "matador ten", 9]
    assert line["version"] == VERSION


def test_power_up_says_where_config_has_another_house_than_the_match():
    flash = fake_flash.Flash()
    board = SimulatedHub(configured(HOUSE="puremco", SET=None), storage=flash)
    answer = board.say("house tiddle-a-wink one-end")
    assert list(answer) == [*OF_A_LINE_GAME, *RULES, "rules"]
    assert list(answer["rules"]) == [row[0] for row in houses.table(6)]
    board.say("set 9")
    board.unplug()
    line = board.inputs[-1]
    assert list(line) == [*OF_A_LINE_GAME, *RULES, "config", "version"]
    assert [line[key] for key in (*RULES, "config")] == [
        "tiddle-a-wink",
        "tiddle-a-wink one-end",
        9,
        "puremco",
    ]
    state = board.say("state")
    assert list(state) == [*OF_A_LINE_GAME, *RULES, "trains", "config", "vsys"]
    board.say("house puremco")
    assert list(board.say("state")) == [*KEYS, *RULES, "trains", "vsys"]


def test_state_and_export_carry_the_lines():
    board = SimulatedHub(configured(HOUSE="classic", SET=None))
    for line in ("press 1", "press 2", "tap 12-12 1", "tap 12-5 3", "tap 5-5 3", "tap 12-6 M"):
        said(board, line)
    state = board.say("state")
    assert list(state) == [*OF_A_LINE_GAME, *RULES, "trains", "vsys"]
    assert state["trains"] == {"3": ["12-5", "5-5"], "M": ["12-6"]}
    assert state["sides"] == {"12": 2, "5": 2}
    board.say("export")
    board.run(2000)
    assert list(board.inputs[-1]) == list(state)[:-1], "but what the supply gives now"
    assert board.inputs[-1]["trains"] == state["trains"]


def test_what_is_left_over_is_no_tile_of_a_train():
    board = SimulatedHub(configured(HOUSE="puremco", SET=None))
    for line in ("press 1", "press 2", "tap 12-12 1", "tap 12-5 1", "tap 12-4 M", "press E"):
        said(board, line)
    before = board.say("state")["trains"]
    assert before == {"1": ["12-5"], "M": ["12-4"]}
    for line in ("tap 6-3 1", "tap 8-8 1", "tap 9-2 2"):
        assert said(board, line)["did"] == "counted"
    assert board.say("state")["trains"] == before


# ---- the lamps of a line game ----


def lamp(board, slot, k, line=None):
    lamps = (line or board.inputs[-1])["lamps"]
    return lamps[4 * board.place(slot) + k]


def test_the_invitation_is_where_the_opening_tile_is_taken():
    for house, where in (("classic", "seats"), ("goliath", "seats"), ("puremco", "E")):
        board = SimulatedHub(configured(HOUSE=house, SET=None))
        board.press("2")
        assert (lamp(board, "2", 0), lamp(board, "E", 0)) == ("j", ".")
        board.press("5")
        wanted = ("e", "e", ".") if where == "seats" else ("j", "j", "e")
        assert tuple(lamp(board, slot, 0) for slot in ("2", "5", "E")) == wanted
        board.press("E")
        wanted = ("e", "e", ".") if where == "seats" else (".", ".", "e")
        assert tuple(lamp(board, slot, 0) for slot in ("2", "5", "E")) == wanted


def test_no_match_flashes_the_lines_that_would_take_the_tile():
    board = SimulatedHub(configured(HOUSE="classic", SET=None))
    for line in ("press 1", "press 2", "tap 12-12 1", "tap 12-5 3", "tap 12-7 M", "tap 12-9 7"):
        assert said(board, line)["verdict"] == "ok"
    answer = board.tap("7-5", "7")
    assert answer["verdict"] == "no-match"
    assert [lamp(board, slot, 1, answer) for slot in ("3", "M", "7", "1")] == list("OOo.")
    assert board.tap("8-5", "1")["verdict"] == "no-match"
    assert [lamp(board, slot, 1) for slot in ("3", "7")] == ["O", "o"]
    board.run(3000)
    assert board.tap("12-8", "E")["verdict"] == "not-now"
    for slot in ("1", "2"):
        assert board.tap("12-%s" % slot, slot)["verdict"] == ("ok" if slot == "1" else "closed")
    assert lamp(board, "2", 1) == "x"


def test_e_pulses_when_nothing_fits_any_more():
    board = SimulatedHub(configured(HOUSE="block one-end", SET=6))
    for line in ("press 1", "press 2", "tap 6-6 1", "hand 1 20", "hand 2 20"):
        said(board, line)
    for tile in ("6-0", "0-1", "1-6", "6-2", "2-0", "0-3", "3-6", "6-4", "4-0", "0-0", "0-5"):
        assert board.tap(tile, "1")["verdict"] == "ok"
    assert lamp(board, "E", 0) == "."
    assert board.tap("5-6", "1")["verdict"] == "ok"
    assert lamp(board, "E", 0) == "e", "every 6 lies"
    assert board.hold("1")["did"] == "took-back"
    assert lamp(board, "E", 0) == "."


# ---- what has ended ----


def celebrated(board, *lines):
    """Carry lines out; return what was celebrated by the last of them."""
    found = []
    for line in lines[:-1]:
        assert said(board, line)["verdict"] == "ok", line
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            round_end_lights, "celebrate", lambda _, kind, who: found.append((kind, tuple(who)))
        )
        assert said(board, lines[-1])["verdict"] == "ok"
    return found


def test_who_went_out_is_first_whatever_the_others_hold():
    begin = ("press 1", "press 2", "press 3", "tap 12-12 1")
    for house in ("puremco", "puremco plus-points", "classic"):
        board = SimulatedHub(configured(HOUSE=house, SET=None))
        out = ("turn 2", "hand 2 1", "tap 12-5 2", "tap 0-0 1", "hand 1 1", "press 1")
        found = celebrated(board, *begin, *out, "score 3 9")
        assert found == [(animations.ROUND, (2, 1, 3))], house
        assert board.inputs[-1]["phase"] == "engine"
    board = SimulatedHub(configured(HOUSE="puremco", SET=None))
    found = celebrated(board, *begin, "press E", "score 1 9", "score 2 0", "score 3 4")
    assert found == [(animations.ROUND, (2, 3, 1))], "nobody went out"


def test_who_went_out_is_first_also_where_it_has_counted_most():
    board = SimulatedHub(configured(HOUSE="puremco", SET=None))
    begin = ("press 1", "press 2", "tap 12-12 1", "turn 2", "hand 2 1", "tap 12-5 2")
    assert celebrated(board, *begin, "tap 9-9 2", "score 1 3", "press 2") == [
        (animations.ROUND, (2, 1))
    ]


def test_out_with_the_opening_tile_is_celebrated_too():
    board = SimulatedHub(configured(HOUSE="classic", SET=None))
    begin = ("press 1", "press 2", "press E", "hand 2 1")
    assert celebrated(board, *begin, "tap 12-12 2") == [(animations.OUT, (2,))]


def test_nobody_is_caught_when_the_round_is_over():
    board = SimulatedHub(configured(HOUSE="goliath", SET=None))
    for line in ("press 1", "press 2", "tap 12-12 1", "tap 12-5 1", "hand 1 2", "turn 1"):
        assert said(board, line)["verdict"] == "ok"
    for line in ("tap 5-0 1", "press 2", "press E"):
        assert said(board, line)["verdict"] == "ok"
    answer = said(board, "press M")
    assert (answer["verdict"], answer["by"], answer["did"]) == ("ok", None, "showed")


def test_the_winners_of_a_line_game():
    board = SimulatedHub(configured(HOUSE="block to-61", SET=None))
    begin = ("press 1", "press 2", "press 3", "tap 12-12 1", "press E", "score 1 2", "score 2 50")
    found = celebrated(board, *begin, "score 3 40")
    assert found == [(animations.MATCH, (1,))]
    assert (board.inputs[-1]["winner"], board.inputs[-1]["scores"]["1"]) == ([1], 86)
