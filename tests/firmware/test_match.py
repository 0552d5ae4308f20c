# SPDX-License-Identifier: MIT
"""The rules core, one rule point after another. The tests also run on the MicroPython VM."""

from positions import begun, check, do, examples, new, skip

from roundhouse import constants, tiles
from roundhouse.games import fields

EXAMPLES = examples(__file__)


def test_example(title, lines):
    check(title, lines)


def test_a_state_has_room_for_every_game():
    assert len(new().state) == fields.OPTIONS + sum(fields.USES["mexican_train"]) - fields.ENDED_AT


def test_chance_picks_the_starter():
    for chance in range(6):
        t = new()
        do(t, "press 2, press 5, press 9")
        t.tap(constants.E, tiles.double(12), chance)
        assert t.turn == (2, 5, 9)[chance % 3]


def test_that_was_my_last_tile_repeated_from_the_journal_needs_no_second_press():
    t = begun(trains="1:12-5, 2:12-6", hands=9)
    do(t, "tap 5-0 1, press 1")
    assert t.apply(constants.PRESS, 1, 0, True) == constants.OK
    assert (t.phase, t.out) == (constants.SCORING, 1)


def test_a_match_of_many_rounds_counts_beyond_two_bytes():
    t = begun(seats=2)
    for points in (255, 256, 65535, 65536, 70001, 200000):
        t.set_total(1, points)
        assert t.total(1) == points


def test_a_hundred_forced_draws_are_no_exception():
    t = begun()
    for _ in range(300):
        assert do(t, "draw 1") == "ok"
    assert t.hand(1) == 254


def test_helpers_leave_no_trace():
    t = begun(trains="1:12-5")
    before = (t.boneyard, t.hand(1), t.open_mask)
    skip(t)
    do(t, "turn 1")
    assert (t.boneyard, t.hand(1), t.open_mask) == before
