# SPDX-License-Identifier: MIT
"""Which seat made an input and what that seat did: `by` and `did`, in the match and in console
lines."""

import pytest
from hub_actions import act, quick_hub
from positions import do, new

from host_sim.board.chips import fake_flash
from host_sim.board.hub.simulated_hub import configured
from roundhouse import VERSION, animations, round_end_lights
from roundhouse.games import houses

KEYS = ["input", "verdict", "n", "by", "did", "phase", "round", "engine", "turn", "drawn", "open"]
KEYS += ["doubles", "playable", "ends", "hands", "boneyard", "scores", "winner", "lamps"]
OF_A_LINE_GAME = [*KEYS[:14], "sides", *KEYS[14:]]
RULES = ["game", "house", "set"]

# Consecutive inputs, each with the seat that made it and what it did. None: it is refused.
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


@pytest.mark.parametrize("house, story", [("puremco", TRAINS), ("classic", LINES)])
def test_the_lines_say_the_same(house, story):
    board = quick_hub(configured(HOUSE=house, SET=None))
    keys = KEYS if house == "puremco" else OF_A_LINE_GAME
    for line, expected in inputs_of(story):
        if line == "forget" or line.startswith("draw"):
            continue
        answer = act(board, line)
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


def test_a_press_of_m_shows_the_totals_in_every_phase_and_is_no_input(monkeypatch):
    board = quick_hub(configured(HOUSE="puremco", SET=None))
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
            assert act(board, line)["verdict"] == "ok"
        state, phase = bytes(board.hub.table.state), board.inputs[-1]["phase"]
        phases.append(phase)
        counted.clear()
        for line in ("press M", "tap totals 3"):
            answer = act(board, line)
            assert (answer["verdict"], answer["by"], answer["did"]) == ("ok", None, "showed")
            assert bytes(board.hub.table.state) == state
        totals = answer["scores"].items()
        assert counted == [(int(seat), points) for seat, points in totals] * 2
        assert act(board, "undo")["did"] == "took-back"
        assert bytes(board.hub.table.state) != state, "of the input before"
        assert lamp(board, slot, 3) == "w"
        assert act(board, "redo")["phase"] == phase
    assert phases == ["lobby", "engine", "play", "scoring", "engine", "finished"]


def test_a_fined_seats_turn_lamp_flashes():
    board = quick_hub(configured(HOUSE="goliath penalty-always", SET=None))
    first = ("press 1", "press 2", "press 3", "tap 12-12 2", "tap 12-3 2", "turn 1", "tap 12-5 1")
    for line in (*first, "hand 1 2", "turn 1", "tap 5-0 1", "tap 3-4 2"):
        assert act(board, line)["verdict"] == "ok"
    assert lamp(board, "1", 0) == "f"


# ---- the keys behind the lamps ----


def test_power_up_says_game_house_set_and_version():
    board = quick_hub(configured(HOUSE="matador ten", SET=None))
    line = board.inputs[0]
    assert list(line) == [*OF_A_LINE_GAME, *RULES, "version"]
    assert (line["input"], line["by"], line["did"]) == ("power-up", None, "showed")
    assert [line[key] for key in RULES] == ["matador", "matador ten", 9]
    assert line["version"] == VERSION


def test_power_up_says_where_config_has_another_house_than_the_match():
    flash = fake_flash.Flash()
    board = quick_hub(configured(HOUSE="puremco", SET=None), storage=flash)
    answer = board.command("house tiddle-a-wink one-end")
    assert list(answer) == [*OF_A_LINE_GAME, *RULES, "rules"]
    assert list(answer["rules"]) == [
        row[0] for row in houses.options(houses.HOUSES.index("matador"))
    ]
    board.command("set 9")
    board.unplug()
    line = board.inputs[-1]
    assert list(line) == [*OF_A_LINE_GAME, *RULES, "config", "version"]
    assert [line[key] for key in (*RULES, "config")] == [
        "tiddle-a-wink",
        "tiddle-a-wink one-end",
        9,
        "puremco",
    ]
    state = board.command("state")
    assert list(state) == [*OF_A_LINE_GAME, *RULES, "trains", "config", "vsys"]
    board.command("house puremco")
    assert list(board.command("state")) == [*KEYS, *RULES, "trains", "vsys"]


def test_state_and_export_carry_the_lines():
    board = quick_hub(configured(HOUSE="classic", SET=None))
    for line in ("press 1", "press 2", "tap 12-12 1", "tap 12-5 3", "tap 5-5 3", "tap 12-6 M"):
        act(board, line)
    state = board.command("state")
    assert list(state) == [*OF_A_LINE_GAME, *RULES, "trains", "vsys"]
    assert state["trains"] == {"3": ["12-5", "5-5"], "M": ["12-6"]}
    assert state["sides"] == {"12": 2, "5": 2}
    board.command("export")
    board.run(2000)
    assert list(board.inputs[-1]) == list(state)[:-1], "but what the supply gives now"
    assert board.inputs[-1]["trains"] == state["trains"]


def test_what_is_left_over_is_no_tile_of_a_train():
    board = quick_hub(configured(HOUSE="puremco", SET=None))
    for line in ("press 1", "press 2", "tap 12-12 1", "tap 12-5 1", "tap 12-4 M", "press E"):
        act(board, line)
    before = board.command("state")["trains"]
    assert before == {"1": ["12-5"], "M": ["12-4"]}
    for line in ("tap 6-3 1", "tap 8-8 1", "tap 9-2 2"):
        assert act(board, line)["did"] == "counted"
    assert board.command("state")["trains"] == before


def lamp(board, slot, k, line=None):
    lamps = (line or board.inputs[-1])["lamps"]
    return lamps[4 * board.place(slot) + k]


# ---- what has ended ----


def celebrated(board, *lines):
    """Carry out script lines; return the last one's celebrations, [(kind, seats), ...]."""
    found = []
    for line in lines[:-1]:
        assert act(board, line)["verdict"] == "ok", line
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            round_end_lights, "celebrate", lambda _, kind, who: found.append((kind, tuple(who)))
        )
        assert act(board, lines[-1])["verdict"] == "ok"
    return found


BEGIN = ("press 1", "press 2", "press 3", "tap 12-12 1")
OUT = ("turn 2", "hand 2 1", "tap 12-5 2")
EMPTIED = (*BEGIN, *OUT, "tap 0-0 1", "hand 1 1", "press 1", "score 3 9")


@pytest.mark.parametrize(
    "house, lines, celebration",
    [
        *((house, EMPTIED, [(animations.ROUND, (2, 1, 3))]) for house in ("puremco", "classic")),
        ("puremco plus-points", EMPTIED, [(animations.ROUND, (2, 1, 3))]),
        (
            "puremco",  # no seat went out
            (*BEGIN, "press E", "score 1 9", "score 2 0", "score 3 4"),
            [(animations.ROUND, (2, 3, 1))],
        ),
        (
            "puremco",  # seat 2 is out, and has counted most
            (*BEGIN, "leave 3", *OUT, "hand 1 9", "tap 9-9 2", "score 1 3", "press 2"),
            [(animations.ROUND, (2, 1))],
        ),
        ("puremco", (*BEGIN, *OUT, "tap 9-9 2"), []),  # the round goes on
        (
            "classic",  # out with the opening tile
            ("press 1", "press 2", "press E", "hand 2 1", "tap 12-12 2"),
            [(animations.OUT, (2,))],
        ),
        (
            "block to-61",
            (*BEGIN, "press E", "score 1 2", "score 2 50", "score 3 40"),
            [(animations.MATCH, (1,))],
        ),
    ],
)
def test_who_is_celebrated(house, lines, celebration):
    board = quick_hub(configured(HOUSE=house, SET=None))
    assert celebrated(board, *lines) == celebration
    if house == "block to-61":
        assert (board.inputs[-1]["winner"], board.inputs[-1]["scores"]["1"]) == ([1], 86)
