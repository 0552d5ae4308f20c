# SPDX-License-Identifier: MIT
"""Hub and referee agree in the soak test, and the soak test notices if they do not."""

import importlib
import itertools
import types

import pytest

from host_sim.__main__ import main
from host_sim.lab import hub_adapters, option_pairs, soak
from host_sim.lab.hub_adapters import BoardHub, CoreHub
from host_sim.lab.refereed_evening import Evening
from host_sim.table.games.line_games import sheets as line_sheets
from host_sim.table.games.mexican_train import referee
from roundhouse import constants
from roundhouse.constants import M
from roundhouse.games import between_rounds, fields, houses, match
from roundhouse.games.match import Match


def evening(house, seed, hub=CoreHub, set_=6, seats=3, rounds=8):
    return soak.play(soak.Planned(hub, house, set_, seats, 10, rounds, seed))


@pytest.mark.slow
def test_a_part_of_a_short_soak_agrees_and_leaves_no_option_idle(capsys, monkeypatch):
    pairs = soak.evenings_of_pairs(1, False)
    chosen = (*soak.evenings()[2 : -len(pairs) : 8], *pairs)
    monkeypatch.setattr(soak, "evenings", lambda seed, long: chosen)
    status = main(["soak"])
    out, err = capsys.readouterr()
    assert status == 0, err
    assert "0 disagreements" in out
    assert [line.split()[:2] for line in out.splitlines()[:-2]] == [
        [game, row[0]]
        for game, house in (("trains", "puremco"), ("lines", "classic"))
        for row in houses.options(houses.HOUSES.index(house))
        if row[2][0] != "-"  # a further number of the row before it
    ]


def test_chosen_evenings_agree():
    """Hub and referee agree in every sixtieth evening of the short soak test."""
    chosen = soak.evenings()[::60]
    assert len({evening.house for evening in chosen}) > 8
    for evening in chosen:
        assert soak.play(evening).story is None, evening


def test_every_two_values_of_two_options_meet_in_a_house():
    order = ("first-engine", "engines")  # in a row of their own: see below
    for values, found in (
        (referee.VALUES, option_pairs.trains()),
        (line_sheets.VALUES, option_pairs.lines()),
    ):
        rows = [row for _, row in found.values()]
        values = {option: words for option, words in values.items() if option not in order}
        assert all(row.keys() - set(order) == values.keys() for row in rows)
        for one, other in itertools.combinations(values, 2):
            met = {(row[one], row[other]) for row in rows}
            assert met == set(itertools.product(values[one], values[other])), (one, other)
        played = {evening.house for evening in soak.evenings()}
        assert found.keys() <= played


def test_the_order_of_engines_meets_every_engine_it_can_follow():
    rows = [row for _, row in option_pairs.trains().values()]
    met = {
        (row["engine"], row["first-engine"], row["engines"]) for row in rows if "engines" in row
    }
    order = (referee.VALUES[option] for option in ("first-engine", "engines"))
    assert met == set(itertools.product(("pulled", "in-hand"), *order))


def test_what_goes_wrong_between_two_options_is_noticed(monkeypatch):
    """A fault that needs both `first-turn: starter-own` and `not-begun: own` is found, though no
    rule sheet has both.

    The fault is made by FORMAT 2, in which one of the options switches the other off for the first
    turn.
    """
    older = types.SimpleNamespace(**{**vars(constants), "FORMAT": 2})
    monkeypatch.setattr(match, "constants", older)  # a module loaded meanwhile would keep it
    todo = [e for e in soak.evenings() if e.house in option_pairs.trains()]
    meet = {"first-turn": "starter-own", "not-begun": "own", "enforce": "all"}
    there = [e for e in todo if meet.items() <= option_pairs.trains()[e.house][1].items()]
    stories = [soak.play(evening).story for evening in there]
    assert any(story and "playable: the hub" in story for story in stories)
    other = next(e for e in todo if option_pairs.trains()[e.house][1]["not-begun"] == "any")
    assert soak.play(other).story is None


@pytest.mark.slow
def test_matches_of_the_line_games_agree(capsys):
    assert main(["soak", "--matches", "2"]) == 0
    out = capsys.readouterr().out
    assert "10 evenings" in out and "0 disagreements" in out


def test_an_idle_option_fails(monkeypatch, capsys):
    monkeypatch.setattr(
        soak,
        "evenings",
        lambda seed, long: [soak.Planned(CoreHub, "free", 6, 2, 10, 1, 1)],
    )
    assert main(["soak"]) == 1
    out, err = capsys.readouterr()
    assert "0 disagreements" in out
    assert "never decided anything: engine pulled, engine in-hand" in err


def of_games(name):
    """Return a module of roundhouse.games as it is loaded now."""
    return importlib.import_module("roundhouse.games." + name)


def passes(t, seat):
    of_games("mexican_train.play").end_turn(t)


def any_train(t):
    return t.slots


def one_too_many(t, seat, take=Match.take):
    take(t, seat)
    t.state[fields.BONEYARD] -= 1


def nobody_is_caught(t):
    return constants.OK


def unlocked(s):
    return -1


def never(*_):
    return False


def nothing(*_):
    return None


def nobodys(t, by, did):
    t.by, t.did = 0, did


def no_extra_turn(t, slot, tile):
    of_games("line_games.play").end_turn(t)


@pytest.mark.parametrize(
    "house, where, function, broken",
    [
        ("puremco", "mexican_train.play", "_pass", passes),  # no marker
        ("jassshop", "mexican_train.play", "_eligible", any_train),
        ("original", Match, "take", one_too_many),
        ("goliath", Match, "_catch", nobody_is_caught),
        ("goliath penalty-always", "mexican_train.play", "no_notice", nothing),
        ("quebec", "mexican_train.play", "_binding", unlocked),
        ("original lift", "mexican_train.play", "_lifted", lambda s, slot: False),
        ("puremco", "mexican_train.play", "_may_double", never),
        ("jassshop", "mexican_train.play", "_own_only", never),
        ("puremco", between_rounds, "_next", lambda t, by=0: constants.NOT_NOW),
        ("puremco", Match, "next_turn", nothing),
        ("puremco", Match, "note", nobodys),
        ("block", Match, "note", nobodys),
        ("classic", "line_games.play", "_decide", nothing),
        ("classic", "line_games.rounds", "settle", nothing),
        ("classic", "line_games.play", "playable", lambda m: m.begun),
        ("matador", "line_games.play", "_is_matador", never),
        ("matador", "line_games.play", "_total", lambda s: 6),
        ("matador", "line_games.play", "draw", nothing),
        ("tiddle-a-wink", "line_games.play", "after_tile", no_extra_turn),
        ("draw", "line_games.play", "sides", lambda m: []),
        ("block tie-each", "line_games.rounds", "settle", nothing),
    ],
)
def test_a_broken_core_is_noticed(monkeypatch, house, where, function, broken):
    if isinstance(where, str):
        where = of_games(where)
    monkeypatch.setattr(where, function, broken)
    stories = (evening(house, seed, seats=4).story for seed in range(16))
    assert "the hub" in next(filter(None, stories))


def test_a_playable_that_forgets_a_slot_is_noticed(monkeypatch):
    whole = Match.playable
    monkeypatch.setattr(Match, "playable", property(lambda t: whole.fget(t) & ~(1 << M)))
    assert "playable is wrong about M" in evening("puremco", 1).story


def test_a_state_that_is_not_taken_back_is_noticed(monkeypatch):
    back = hub_adapters.Journal.take_back

    def spoiled(journal):
        slot = back(journal)
        journal.table.state[fields.PASSED] ^= 1
        return slot

    monkeypatch.setattr(hub_adapters.Journal, "take_back", spoiled)
    assert "another state" in evening("puremco", 1).story


def test_the_story_says_every_input(monkeypatch):
    monkeypatch.setattr(of_games("mexican_train.play"), "_pass", passes)
    head, *lines, last = evening("puremco", 2).story.splitlines()
    assert head.startswith("puremco, set 6, seats [")
    said = {"tap", "press", "hold", "redo", "override", "draw"}
    assert {line.split()[0] for line in lines} <= said
    assert last.startswith("open: the hub [")


def test_a_tile_that_is_lost_is_noticed(monkeypatch):
    lay = referee.Referee._lay

    def lost(referee, slot, tile):
        lay(referee, slot, tile)
        referee.stock[:1] = []

    monkeypatch.setattr(referee.Referee, "_lay", lost)
    assert evening("puremco", 1).story.endswith("a tile is missing or there twice")


def test_through_the_whole_firmware():
    for seed in range(2):
        assert evening("jassshop", seed, BoardHub, rounds=1).story is None


class SmallBoard(CoreHub):
    """A board of five stations; a tap on another slot fails."""

    def tap(self, slot, tile, override=False):
        assert slot in (constants.E, 1, 2, 3, 4, 5, constants.slot_number("M")), slot
        return super().tap(slot, tile, override)


@pytest.mark.parametrize("house", ["cardinal", "goliath", "classic"])
def test_players_use_the_stations_that_the_board_has(house):
    hub = SmallBoard(house, 6, (1, 3, 5), 1, stations=5)
    Evening(hub, house, 6, (1, 3, 5), 1, mischief=0.5, stations=5).play(2)
    hub.close()
