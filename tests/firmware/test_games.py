# SPDX-License-Identifier: MIT
"""The seam between a match and its game: who offers what, and whose bytes are whose."""

import doctest
import re
import sys

import pytest
from positions import begun, do, new

from host_sim.hub.mid_round import MidRound
from host_sim.people import honest
from host_sim.pico import compiled
from roundhouse import games, words
from roundhouse.games import between_rounds, corrections, houses, match, mexican_train

ROWS = houses.table(0)
SHARED = (match, between_rounds, corrections)
KIB = 1024


def own_names():
    """Return {name: number} of the game's constants that begin with a capital or an underscore."""
    names = vars(mexican_train).items()
    return {n: v for n, v in names if isinstance(v, int) and n.isupper() and not hasattr(match, n)}


def test_the_first_lines_of_a_match_are_a_session_that_runs():
    ran = doctest.testmod(match)
    assert ran.attempted >= 5 and not ran.failed


def test_the_options_stand_in_the_state_in_the_order_of_the_rows():
    for row, (option, _, values, _) in enumerate(ROWS):
        name = "_" + option.upper().replace("-", "_")
        assert getattr(mexican_train, name) == match.OPTIONS + row, option
        for word in values:
            value = getattr(mexican_train, f"{name}_{word.upper().replace('-', '_')}", None)
            assert value in (None, values.index(word)), (option, word)
    assert match.OPTIONS + len(ROWS) == match.PHASE


def test_every_named_value_is_a_word_of_the_sheets():
    known = {"_" + row[0].upper().replace("-", "_") for row in ROWS}
    known |= {f"_{row[0]}_{word}".upper().replace("-", "_") for row in ROWS for word in row[2]}
    others = {"_OWED", "_SECOND", "_THIRD", "_OWN", "LINE", "_WHOLE", "_LAP", "FRESH", "DOUBLES"}
    assert own_names().keys() - {"E", "M", "NONE", "OK"} - known == others


def test_a_game_keeps_to_the_bytes_that_are_left_to_it():
    own = own_names()
    rooms = (
        (match._OF_TURN, match.LAST, ("_OWED", "_OWN", "LINE", "_WHOLE")),
        (match._OF_ROUND, match.OPEN, ("_LAP", "FRESH")),
        (match._OF_SLOTS, match.HANDS, ("DOUBLES",)),
    )
    sizes = {"FRESH": 2, "DOUBLES": 12}
    for first, behind, names in rooms:
        taken = [own[name] + i for name in names for i in range(sizes.get(name, 1))]
        assert taken == list(range(first, behind)), names


def test_a_state_is_218_bytes_and_each_has_its_old_place():
    # a journal that a hub has kept must mean the same tomorrow
    assert match.SIZE == 218
    places = (match.PHASE, match.SEATS, match.NUMBER, match.TURN, match.OPEN, match.END)
    assert places == (25, 28, 92, 93, 107, 115)
    assert (match.HANDS, match.USED, match.LAID) == (151, 175, 194)


def test_a_game_offers_what_the_list_says_and_is_asked_for_nothing_else():
    listed = set(re.findall(r"^      (\w+)\(m", games.__doc__, re.M)) | {"CORRECTIONS"}
    asked = set()
    for module in SHARED:
        with open(module.__file__) as file:
            asked |= set(re.findall(r"\bgame\.(\w+)", file.read()))
    assert asked == listed - {"targets"}, "targets is what the game asks itself"
    assert all(hasattr(mexican_train, name) for name in listed)


def test_the_game_is_chosen_in_one_place():
    assert games.load("mexican-train") is mexican_train
    assert new().game is mexican_train
    for choose in (games.load, games.options):
        with pytest.raises(ValueError, match="go-fish"):
            choose("go-fish")


def test_rows_that_were_given_back_are_read_again():
    before = houses.table(0)
    games.give_back()
    assert "roundhouse.games.mexican_train_options" not in sys.modules
    assert not hasattr(games, "mexican_train_options")
    assert houses.table(0) == before
    assert do(new(), "house jassshop no-lock") == "ok"


def test_a_state_that_comes_back_brings_its_game(monkeypatch):
    t = new()
    asked = []
    monkeypatch.setattr(games, "load", lambda name: asked.append(name) or mexican_train)
    t.restore(bytes(t.state))
    do(t, "house quebec")
    assert asked == ["mexican-train"] * 2


def test_a_kind_that_no_table_knows_is_not_now(monkeypatch):
    t = begun()
    assert do(t, "marker 1") == "ok"
    monkeypatch.setattr(mexican_train, "CORRECTIONS", {})
    before = bytes(t.state)
    assert do(t, "marker 1") == "not-now"
    assert bytes(t.state) == before


def test_no_double_is_due_when_the_round_is_over():
    # the last tile covered a double, which is no longer there to be lifted
    for house in ("goliath lift", "original cover-on-double"):
        t = begun(house, trains="1:12-5", hands=2)
        do(t, "tap 5-5 1, tap 5-0 1")
        assert (t.phase, t.due, t.place(1)) == (words.SCORING, -1, 0), house


def test_compiled_a_game_and_what_all_share_stay_small():
    sizes = {
        name.split("/")[-1][:-4]: len(data)
        for name, data in compiled.firmware().items()
        if name.startswith("roundhouse/games/")
    }
    game = sum(sizes.pop(name) for name in sorted(sizes) if name.startswith("mexican_train"))
    assert game <= 10 * KIB
    assert game + sum(sizes.values()) <= 16 * KIB


def test_every_given_line_has_its_word():
    given = MidRound(4, 0, 12, [1, 2], words.STATIONS)
    for line in ("engine 12-12", "train 1 12-5", "marker 2", "turn 2", "fresh 1", "hand 1 7"):
        given.line(line.split())
    with pytest.raises(ValueError, match="no given tea"):
        given.line(["tea"])
    assert " ".join(given.GIVEN) == (
        "engine train marker double starter turn fresh hand boneyard round score"
    )


def test_what_honest_players_know_of_a_second_double():
    def may(house, drawn=False, own=1, is_last=False, third=False):
        options = honest.options_of(*houses.parse(house.split()))
        return honest.may_follow(options, drawn, own, is_last, lambda: third)

    assert [may("original"), may("original", drawn=True)] == [False, True]
    assert [may("puremco"), may("puremco", third=True)] == [False, True]
    assert not may("puremco", third=True, drawn=True)
    assert not may("puremco", third=True, own=2)
    assert may("puremco", is_last=True) and not may("quebec", is_last=True)
    assert not may("jassshop", drawn=True, third=True)
