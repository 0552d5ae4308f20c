# SPDX-License-Identifier: MIT
"""The interface between a match and its game: what each module of the game offers, and which
bytes of the state belong to the game."""

import doctest
import re
import sys

import pytest
from positions import begun, do, new, opened

from host_sim.board.hub.position_setup import PositionSetup
from host_sim.board.pico import build_firmware
from host_sim.table.games import tile_rules
from roundhouse import constants, games, journal, lights, line_keys, position, tags
from roundhouse.games import between_rounds, corrections, houses, match
from roundhouse.games.line_games import play as lines
from roundhouse.games.line_games import rounds as lines_rounds
from roundhouse.games.mexican_train import play as mexican_train
from roundhouse.games.mexican_train import rounds as mexican_train_rounds

ROUNDS_OF = {mexican_train: mexican_train_rounds, lines: lines_rounds}
GAMES = tuple(ROUNDS_OF)
SHARED = (match, between_rounds, corrections, position)
KIB = 1024
CLASSIC = houses.HOUSES.index("classic")
FIELDS = {game + ".fields" for game in games.GAMES}  # no board loads them
PARTS = ("play", "rounds", "sheets")  # the modules of a game on the board


@pytest.mark.parametrize(
    "module", (houses, journal, lights, match, tags), ids=lambda m: m.__name__
)
def test_a_modules_docstring_has_a_session_that_runs(module):
    ran = doctest.testmod(module)
    assert ran.attempted >= 4 and not ran.failed


def test_a_target_is_worth_what_its_word_says():
    row = next(row for row in houses.options(CLASSIC) if row[0] == "target")
    assert tuple(int(word) for word in row[2]) == lines_rounds._TARGETS


def test_a_game_offers_what_the_list_says_and_is_asked_for_nothing_else():
    in_play, between = games.__doc__.split("\n    rounds\n")
    for listed, asks, modules in (
        (in_play, "game", GAMES),
        (between, "rounds", tuple(ROUNDS_OF.values())),
    ):
        listed = set(re.findall(r"^      (\w+)\(m", listed, re.M))
        listed |= {"CORRECTIONS", "HANDS_COUNT"} if asks == "game" else set()
        asked = set()
        for module in SHARED:
            with open(module.__file__) as file:
                asked |= set(re.findall(r"\b%s\.(\w+)" % asks, file.read()))
        assert asked == listed
        for module in modules:
            assert [name for name in listed if not hasattr(module, name)] == []
            path = module.__name__
            own = {n for n, f in vars(module).items() if getattr(f, "__module__", 0) == path}
            assert {n for n in own if n[0] != "_"} - listed <= {"targets"}, module


def test_every_row_of_the_list_of_sheets_is_there():
    listed = games.__doc__.split("\n    sheets\n")[1].split("\n    fields\n")[0]
    listed = re.findall(r"^      ([A-Z]+) +", listed, re.M)
    assert " ".join(listed) == "HOUSES GAMES SETS SEATS HANDS OPTIONS VARIANTS MEANINGLESS"
    for number in range(len(games.GAMES)):
        sheets = games.sheets(number)
        assert [name for name in vars(sheets) if name.isupper() and name[0] != "_"] == listed
        assert len(sheets.GAMES) == len(sheets.HOUSES)
        assert set(sheets.SETS) | set(sheets.HANDS) <= set(sheets.HOUSES) == set(sheets.SEATS)


def test_the_game_is_chosen_by_its_place():
    assert games.GAMES[:2] == ("mexican_train", "line_games"), "the match keeps the place"
    assert [games.play(number) for number in (0, 1)] == [mexican_train, lines]
    assert new().game is mexican_train
    assert new("block").game is lines
    for house in houses.HOUSES:
        table = new(house)
        name = "mexican-train" if table.game is mexican_train else house
        assert line_keys.game(table) == name, house


@pytest.fixture
def modules():
    """Return the loaded modules of `games` as {name: module}, restored after the test."""
    kept = {n: m for n, m in sys.modules.items() if n.startswith("roundhouse.games.")}
    yield kept
    sys.modules.update(kept)
    for name, module in kept.items():
        package, _, name = name.rpartition(".")
        setattr(sys.modules[package], name, module)


def gone_of(modules):
    """Return the names of those `modules` that are not loaded now, except for the names in
    FIELDS and for the modules of any third game."""
    gone = {name.partition("games.")[2] for name in modules if name not in sys.modules} - FIELDS
    return {name for name in gone if name.partition(".")[0] not in games.GAMES[2:]}


def test_what_was_given_back_is_read_again(modules):
    before = houses.options(0), houses.options(CLASSIC)
    t = new("matador")
    assert modules.setdefault("roundhouse.games.saved_state", t.saved_state)
    games.free_unused(t)
    read = {"state_check"}  # there only after a segment was read
    gone = gone_of(modules) - read
    trains = {"mexican_train", *("mexican_train." + part for part in PARTS)}
    between = {
        "houses",
        "corrections",
        "saved_state",
        "line_games",
        "line_games.sheets",
        *trains,
    }
    assert gone == between
    assert not hasattr(games, "mexican_train") and not hasattr(games, "line_games")
    assert do(t, "press 1, press 2, tap 9-9 1, tap 9-1 3, hand 2 3") == "ok"
    games.free_unused(t)
    gone = gone_of(modules) - read
    assert gone == between | {"between_rounds", "line_games.rounds"}, "in play"
    assert (games.play(1), t.hand(2), dict(line_keys.options(t))["join"]) == (lines, 3, "sum")
    assert do(t, "press E, house puremco, press E") == "ok"
    games.free_unused(new())
    assert "roundhouse.games.line_games" not in sys.modules
    assert "roundhouse.games.line_games.play" not in sys.modules
    assert "roundhouse.games.mexican_train.play" in sys.modules
    t.restore(bytes(t.state))
    assert t.game.__name__ == "roundhouse.games.line_games.play"
    assert (houses.options(0), houses.options(CLASSIC)) == before


def rules_of(t):
    return t.game, line_keys.game(t), line_keys.house(t), t.set, t.options


def test_a_house_input_changes_the_game_and_a_state_brings_its_own():
    t = new()
    states, rules = [bytes(t.state)], [rules_of(t)]
    for house in ("matador first-double", "jassshop no-lock", "tiddle-a-wink", "puremco"):
        assert do(t, "house " + house) == "ok"
        states.append(bytes(t.state))
        rules.append(rules_of(t))
    assert [(rule[0], rule[3]) for rule in rules] == [
        (mexican_train, 12),
        (lines, 9),
        (mexican_train, 9),
        (lines, 9),
        (mexican_train, 9),
    ], "X2: matador has its own set, and the others leave what there is"
    assert [rule[2] for rule in rules[1:]] == [
        "matador first-double",
        "jassshop no-lock",
        "tiddle-a-wink",
        "puremco",
    ]
    for state, rule in list(zip(states, rules))[::-1] + list(zip(states, rules)):
        t.restore(state)
        assert rules_of(t) == rule
        assert bytes(t.state) == state


def test_a_new_game_leaves_nothing_of_the_old_one_behind():
    for first, second in (("quebec lift", "matador"), ("matador ten", "free"), ("draw", "block")):
        t = new()
        do(t, "house %s, house %s" % (first, second))
        if second == "free":
            do(t, "set 12")
        other = new(second, 12 if second == "free" else None)
        assert t.state == other.state, (first, second)


def test_a_match_does_not_change_its_rules_with_the_family():
    houses.set_family({"grandma": ("jassshop", {"lock": "no"})})
    try:
        t = new("grandma")
        before = rules_of(t)
        houses.set_family({"aunt": ("goliath", {}), "grandma": ("quebec", {})})
        assert rules_of(t) == before
        assert between_rounds.max_seats(t, 12) == 10
        again = new("puremco")
        again.restore(bytes(t.state))
        assert rules_of(again) == before
        houses.set_family({})
        assert (line_keys.house(again), dict(line_keys.options(again))["lock"]) == (
            "grandma",
            "no",
        )
    finally:
        houses.set_family({})


def test_a_set_of_ones_own_or_none():
    assert (match.Match(CLASSIC + 1).set, match.Match(CLASSIC + 1, 0, 12).set) == (9, 12)
    assert (match.Match(4).set, match.Match(4, 0, 9).set) == (12, 9)


@pytest.mark.parametrize("house", ["puremco", "classic"])
def test_a_kind_that_no_table_knows_is_not_now(monkeypatch, house):
    t = begun(house) if house == "puremco" else opened(house)
    assert do(t, "marker 1") == ("ok" if house == "puremco" else "not-now")
    monkeypatch.setattr(mexican_train, "CORRECTIONS", {})
    before = bytes(t.state)
    assert do(t, "marker 1") == "not-now"
    assert bytes(t.state) == before


def test_no_double_is_due_when_the_round_is_over():
    # the last tile covered a double, which is no longer there to be lifted
    for house in ("goliath lift", "original cover-on-double"):
        t = begun(house, trains="1:12-5", hands=2)
        do(t, "tap 5-5 1, tap 5-0 1")
        assert (t.phase, t.due, t.rank(1)) == (constants.SCORING, -1, 0), house


@pytest.mark.parametrize("game", games.GAMES)
def test_compiled_a_game_and_what_all_share_stay_small(game):
    sizes = {
        name.split("/games/")[1][:-4].replace("/", "."): len(data)
        for name, data in build_firmware.firmware().items()
        if name.startswith("roundhouse/games/")
    }
    own = {name: [sizes.pop("%s.%s" % (name, part)) for part in PARTS] for name in games.GAMES}
    assert sum(own[game]) <= 10 * KIB
    # these and the sheets are given back after every input; saved_state after a segment is begun,
    # state_check after one is read
    names = ("houses", "corrections", "saved_state", "state_check")
    seldom = [sizes.pop(name) for name in names]
    assert max(seldom) <= 4 * KIB
    assert sum(own[game][:2]) + sum(sizes.values()) <= 14 * KIB, "between rounds; less in play"


def test_every_given_line_has_its_word():
    given = PositionSetup(4, 0, 12, [1, 2], constants.STATIONS)
    for line in ("engine 12-12", "train 1 12-5", "marker 2", "turn 2", "fresh 1", "hand 1 7"):
        given.add(line.split())
    with pytest.raises(ValueError, match="no given tea"):
        given.add(["tea"])
    assert " ".join(given.GIVEN) == (
        "engine train marker double starter turn fresh waiting hand boneyard round score "
        "points away reading coming owing passes passed last knocked forgot lap lap-of"
    )


def test_what_honest_players_know_of_a_second_double():
    def may(house, drawn=False, own=1, is_last=False, third=False):
        options = tile_rules.options_of(*houses.parse(house.split()))
        return tile_rules.may_follow(options, drawn, own, is_last, lambda: third)

    assert [may("original"), may("original", drawn=True)] == [False, True]
    assert [may("puremco"), may("puremco", third=True)] == [False, True]
    assert not may("puremco", third=True, drawn=True)
    assert not may("puremco", third=True, own=2)
    assert may("puremco", is_last=True) and not may("quebec", is_last=True)
    assert not may("jassshop", drawn=True, third=True)
