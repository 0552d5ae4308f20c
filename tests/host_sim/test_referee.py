# SPDX-License-Identifier: MIT
"""The referee alone: its verdicts on positions from the rule sheets are right."""

import pytest

from host_sim.table.games.mexican_train.referee import Referee
from roundhouse import tags, tiles
from roundhouse.constants import E, M


def tile(text):
    meaning = tags.parse(tags.plain(text.encode()))
    return tiles.tile(meaning[1], meaning[2])


def position(house, trains, hands, turn=1, seats=3, doubles=(), fresh=(), boneyard=20):
    """Return a referee in mid-round with engine 12-12.

    trains: {slot: its tiles, such as "12-5 5-5"}
    hands: {seat: its tiles, such as "5-7 9-1"}
    """
    r = Referee(house, 12, range(1, seats + 1))
    r.press(E)
    r.deal(dict.fromkeys(r.seats, ()), [])
    r.tap(E if not r.from_hand() else 1, tile("12-12"), starter=1)
    for slot, laid in trains.items():
        for text in laid.split():
            r.turn, before = slot if slot in r.seats else 1, r.end(slot)
            r._lay(slot, tile(text))
            assert tiles.HIGH[tile(text)] in before or tiles.LOW[tile(text)] in before
            r.own = []
            r.owed = r.third = False
    r.doubles = list(doubles)
    r.turn, r.starter, r.fresh, r.last = turn, 1, set(fresh), None
    for seat in r.seats:
        held = frozenset(tile(text) for text in hands.get(seat, "").split())
        r.hands[seat], r.counts[seat] = held, max(len(held), 1)
    r.boneyard = boneyard
    r.stock = [t for t in range(tiles.size(12)) if t not in r.laid][:boneyard]
    return r


def moves(r):
    return {(slot, tiles.text(t)) for slot, t in r.moves()}


TRAINS = {1: "12-5", 2: "12-3", 3: "12-2", M: "12-9"}


def test_c6_a_train_without_marker_is_private():
    r = position("original", TRAINS, {1: "3-8 5-7 9-1"})
    assert moves(r) == {(1, "7-5"), (M, "9-1")}
    r.markers.add(2)
    assert (2, "8-3") in moves(r)


@pytest.mark.parametrize(
    "house, where",
    [("original", {1, M}), ("jassshop", {1}), ("quebec", {1, M}), ("puremco", {1, M})],
)
def test_g3_the_second_tile(house, where):
    r = position(house, TRAINS, {1: "5-5 9-1 5-2 1-1"})
    assert r.tap(1, tile("5-5")) == "ok"
    assert {slot for slot, _ in r.moves()} == where


def test_g4_two_doubles_and_a_third_tile():
    r = position("puremco", TRAINS, {1: "5-5 9-9 9-1 0-0"})
    r.tap(1, tile("5-5"))
    assert r.tap(M, tile("9-9")) == "ok"
    assert r.press(1) == "cover-it"
    assert moves(r) == {(M, "9-1")}
    r = position("original", TRAINS, {1: "5-5 9-9 9-1 0-0"})
    r.tap(1, tile("5-5"))
    assert r.tap(M, tile("9-9")) == "no-second-double"
    r.press(1)
    assert r.tap(M, tile("9-9")) == "ok", "drawn"


def test_g4_no_second_double_without_a_third_tile():
    r = position("puremco", TRAINS, {1: "5-5 9-9 1-0"})
    r.tap(1, tile("5-5"))
    assert (M, "9-9") not in moves(r)


def test_h2_a_double_closes_everything_else():
    trains = {**TRAINS, 2: "12-3 3-3"}
    r = position("puremco", trains, {1: "5-7 3-1"}, doubles=[2])
    assert moves(r) == {(2, "3-1")}
    r = position("jassshop no-lock", trains, {1: "5-7 3-1"}, doubles=[2])
    assert moves(r) == {(1, "7-5")}


def test_h5_a_drawn_double_elsewhere():
    trains = {**TRAINS, 2: "12-3 3-3"}
    for house, verdict in (("quebec", "ok"), ("original", "double-first")):
        r = position(house, trains, {1: "5-5 5-7"}, doubles=[2])
        assert r.tap(1, tile("5-5")) == "double-first"
        r.press(1)
        assert r.tap(1, tile("5-7")) == "double-first"
        assert r.tap(1, tile("5-5")) == verdict


def test_h8_a_number_that_is_used_up():
    for house, verdict in (("original", "ok"), ("puremco", "double-first")):
        r = position(house, {**TRAINS, 3: "12-2 2-2"}, {1: "9-1 3-1"}, doubles=[3])
        r.used[2] = 12
        assert r.tap(M, tile("9-1")) == "double-first"
        r.used[2] = 13
        assert r.tap(M, tile("9-1")) == verdict


def test_m33_an_empty_boneyard():
    for house, phase in (("quebec", "scoring"), ("original", "play")):
        r = position(house, TRAINS, {1: "5-7 5-6", 2: "1-1"}, boneyard=1)
        r.press(1)
        assert r.phase == "play", "the drawer's turn goes on"
        r.tap(1, tile("5-7"))
        assert r.phase == phase


def test_i2_caught_with_one_tile():
    r = position("goliath", TRAINS, {1: "5-7 5-6", 2: "3-1 3-4", 3: "2-2 2-4"})
    r.tap(1, tile("5-7"))
    r.tap(2, tile("3-1"))
    assert (r.press(3), r.counts[3]) == ("ok", 3), "a draw, it is seat 3's turn"
    assert (r.press(M), r.did, r.by) == ("ok", "caught", 2), "who forgot last comes first"
    assert (r.counts[2], len(r.hands[2]), r.forgot) == (2, 2, [1]), "seat 2 takes a tile"
    assert r.press(2) == "not-your-turn"
    r.tap(3, tile("2-4"), override=True)
    assert r.forgot == [1], "until its own next input"
    r.tap(1, tile("6-9"))
    assert r.forgot == [1], "which is an accepted one"
    r.press(1)
    assert r.forgot == []
    assert (r.press(M), r.did, r.by) == ("ok", "showed", None)


def test_i2_always_takes_nothing_from_a_boneyard_that_a_draw_has_emptied():
    for boneyard, fined in ((1, 1), (2, 2)):
        r = position("goliath penalty-always", TRAINS, {1: "5-7 5-6", 2: "9-8"}, boneyard=boneyard)
        r.tap(1, tile("5-7"))
        assert (r.press(2), r.did) == ("ok", "drew")
        assert (r.counts[2], r.counts[1], r.boneyard) == (2, fined, 0)


def test_g4_an_override_owes_no_third_tile_that_is_nowhere():
    r = position("puremco", {1: "12-5", M: "12-9"}, {1: "5-5 9-9 1-0 2-0"})
    r.tap(1, tile("5-5"))
    for number in (5, 9):
        r.used[number] = r.set + (number == 5)
    assert r.tap(M, tile("9-9"), override=True) == "ok"
    assert (r.third, r.press(1)) == (False, "ok")


def test_i2_always():
    r = position("goliath penalty-always", TRAINS, {1: "5-7 5-6", 2: "3-1 3-4", 3: "2-2 2-4"})
    r.tap(1, tile("5-7"))
    assert r.counts[1] == 1
    r.tap(2, tile("3-1"))
    assert (r.counts[1], len(r.hands[1]), r.did, r.by) == (2, 2, "laid", 2)
    r.press(2)
    r.press(3)
    assert r.counts[2] == 1, "the notice was in time"
    assert (r.press(M), r.did) == ("ok", "showed"), "nothing is left to catch"


@pytest.mark.parametrize(
    "out, hands, points",
    [
        (1, {2: 23, 3: 8, 4: 8}, {1: 39, 2: 0, 3: 0, 4: 0}),
        (None, {1: 5, 2: 19, 3: 12}, {1: 31, 2: 0, 3: 0, 4: 0}),
        (None, {1: 10, 2: 10, 3: 31, 4: 20}, {1: 25.5, 2: 25.5, 3: 0, 4: 0}),
    ],
)
def test_plus_points(out, hands, points):
    r = Referee("jassshop plus-points", 12, sorted({1, 2, 3, 4} if 4 in hands else {1, 2, 3}))
    r.counted = {seat: _of_pips(hands.get(seat, 0)) for seat in r.seats}
    r.out = out
    assert {seat: half / 2 for seat, half in r.round_points().items()} == {
        seat: points[seat] for seat in r.seats
    }


def _of_pips(pips):
    """Return different tiles whose pips add up to `pips`."""
    found = set()
    while pips:
        high = min(12, pips)
        low = min(12, pips - high)
        if tiles.tile(high, low) in found:
            high -= 1
        found.add(tiles.tile(high, low))
        pips -= high + low
    return found


def test_the_audit_sees_a_broken_chain_and_a_tile_that_is_there_twice():
    r = position("original", TRAINS, {})
    everything = set(range(tiles.size(12)))
    r.hands = {1: set(), 2: set(), 3: set()}
    r.stock = list(everything - r.laid)
    assert r.wrong_tiles() is None
    r.stock.append(tile("12-5"))
    assert "twice" in r.wrong_tiles()
    r.stock.remove(tile("12-5"))
    r.trains[1], r.trains[2] = (tile("12-5"), tile("3-12")), ()
    r.trains[3] += (0,)
    r.stock.remove(0)
    assert "not a chain" in r.wrong_tiles()


def test_a_copy_is_one():
    r = position("original", TRAINS, {1: "5-7 5-6"})
    before = r.clone()
    r.tap(1, tile("5-7"))
    assert before.trains[1] == (tile("12-5"),) and before.hands[1] == {tile("5-7"), tile("5-6")}
    assert before.state() != r.state()
