# SPDX-License-Identifier: MIT
"""The line games, point by point: Classic, Matador, Tiddle-a-Wink, Draw, Block.

The same file runs on the MicroPython VM.
"""

from positions import do, new, opened, slots, tile

from host_sim.games import house_info
from roundhouse import constants
from roundhouse.games import fields, houses

STATIONS = "1 2 3 4 5 6 7 8 9 10 M"
GAMES = ("classic", "matador", "tiddle-a-wink", "draw", "block")


def ends(t):
    """Return {slot: end}, or (one end, the other) while it is undecided."""
    found = {}
    for n in range(1, 12):
        if t.begun >> n & 1:
            two = (t.end(n), t.second_end(n))
            found[n] = two if two[1] != constants.NONE else two[0]
    return found


def places(t):
    return dict(t.sides)


def lay(t, train, slot):
    """Lay tiles one after the other on a slot, whosever turn it is; the last verdict."""
    verdict = None
    for text in train.split():
        verdict = do(t, "tap %s %s" % (text, slot))
        assert verdict == "ok", (text, slot, verdict, ends(t))
    return verdict


# ---- the deal, the seats, the opening tile ----


def test_seats_at_most_and_never_fewer_than_two():
    # C15, C16, X12, W6
    for house, set_, most in (
        ("classic", 6, 4),
        ("classic", 9, 6),
        ("classic", 12, 7),
        ("classic", 18, 7),
        ("matador", 6, 4),
        ("matador", 9, 8),
        ("tiddle-a-wink", 6, 5),
        ("tiddle-a-wink", 9, 10),
        ("draw", 9, 6),
        ("block", 6, 4),
    ):
        t = new(house, set_)
        do(t, "press 1")
        assert do(t, "press E") == "not-now"
        assert do(t, "tap 3-3 1") == "not-now", "one is no table"
        for seat in range(2, most + 1):
            assert do(t, "press %d" % seat) == "ok", (house, set_)
        if most < 10:
            assert do(t, "press %d" % (most + 1)) == "not-now", (house, set_)
        assert do(t, "press E") == "ok"


def test_the_whole_set_is_dealt_from():
    # 2.1: nothing is laid out before; X1 five-each; W8
    for house, set_, seats, hand, boneyard in (
        ("classic", 12, 4, 9, 55),
        ("classic", 9, 2, 7, 41),
        ("classic five-each", 9, 2, 5, 45),
        ("matador", 9, 6, 7, 13),
        ("matador five-each", 9, 6, 5, 25),
        ("matador", 9, 7, 5, 20),
        ("matador", 6, 2, 7, 14),
        ("matador", 6, 4, 5, 8),
        ("tiddle-a-wink", 12, 10, 5, 41),
        ("tiddle-a-wink", 9, 10, 5, 5),
        ("block", 6, 4, 5, 8),
    ):
        t = new(house, set_)
        for seat in range(1, seats + 1):
            do(t, "press %d" % seat)
        do(t, "press E")
        assert (t.hand(1), t.hand(seats), t.boneyard) == (hand, hand, boneyard), (house, seats)


def test_a_matador_wants_the_double_nine():
    # X2; another set may be chosen afterwards
    t = new("puremco")
    do(t, "house matador")
    assert t.set == 9
    do(t, "set 12")
    assert t.set == 12
    t = new("puremco")
    do(t, "house classic")
    assert t.set == 12


def test_the_highest_double_on_its_holders_own_station():
    # 5.2: the hub cannot see that it is the highest one
    for house in GAMES:
        t = new(house, 9)
        do(t, "press 2, press 5")
        for slot in ("E", "M", "7"):
            assert do(t, "tap 8-8 %s" % slot) == "not-now", (house, slot)
        assert do(t, "tap 9-6 2") == "not-now", "a single tile waits for the deal"
        assert do(t, "tap 12-12 2") == "not-in-set", "and the double does not choose the set"
        assert slots(t.wants) == "2 5"
        dealt = house_info.hand_size(houses.HOUSES.index(house), 9, 2)
        assert do(t, "tap 8-8 5") == "ok"
        assert (t.phase, t.round, t.opening) == (constants.PLAY, 1, tile("8-8"))
        assert (t.by, t.did) == (5, "opened")
        assert t.turn == (5 if house == "tiddle-a-wink" else 2), "its layer has had the turn"
        assert (t.hand(5), t.hand(2)) == (dealt - 1, dealt)


def test_after_the_deal_a_single_tile_opens_a_matador_alone():
    # X7, X8
    for house in GAMES:
        t = new(house, 9)
        do(t, "press 1, press 2, press E")
        assert slots(t.wants) == "1 2"
        for slot in ("E", "M", "3"):
            assert do(t, "tap 9-6 %s" % slot) == "not-now"
        verdict = do(t, "tap 9-6 1")
        assert verdict == ("ok" if house == "matador" else "not-an-engine"), house
        if house == "matador":
            assert (t.opening, places(t)) == (tile("9-6"), {9: 1, 6: 1})


def test_nobody_draws_for_the_opening_tile():
    for house in GAMES:
        t = new(house)
        do(t, "press 1, press 2, press E")
        assert do(t, "press 1") == "not-now"
        assert do(t, "press E") == "ok"
        assert t.phase == constants.FINISHED


def test_every_round_begins_with_a_double_again():
    # T3: no double is asked for, and the same may open twice
    t = opened("classic", "6-6", 2, 9)
    do(t, "press E, press E")
    assert (t.phase, t.round, t.opening) == (constants.ENGINE, 2, constants.NONE)
    assert (t.hand(1), t.boneyard) == (7, 41)
    assert do(t, "tap 6-6 2") == "ok"


def test_opening_with_the_last_tile():
    for house in ("classic", "tiddle-a-wink"):
        t = new(house, 9)
        do(t, "press 1, press 2, press E, hand 2 1")
        assert do(t, "tap 4-4 2") == "ok"
        assert (t.phase, t.out, t.by, t.did) == (constants.SCORING, 2, 2, "opened"), house


# ---- places ----


def test_places_of_the_opening_tile():
    # C1, X9, W1
    for house, of_a_double, of_a_single in (
        ("classic", 4, None),
        ("matador", 2, {9: 1, 6: 1}),
        ("tiddle-a-wink", 2, None),
        ("draw", 2, None),
        ("block", 2, None),
        ("classic first-double", 4, None),
        ("classic two-ends", 2, None),
        ("tiddle-a-wink one-end", 1, None),
        ("draw every-double", 4, None),
        ("matador every-double", 4, {9: 1, 6: 1}),
        ("matador one-end", 1, {9: 1}),
    ):
        t = opened(house, "5-5", set_=9)
        assert places(t) == {5: of_a_double}, house
        assert t.state[fields.ROOM] == of_a_double
        if of_a_single:
            t = opened(house, "9-6", set_=9)
            assert places(t) == of_a_single, house
            assert t.state[fields.ROOM] == len(of_a_single)


def test_a_double_on_a_lines_end_gives_two_more_places():
    # C13
    for house, after in (
        ("classic", {12: 3, 6: 2}),
        ("classic first-double", {12: 3}),
        ("classic two-ends", {12: 1}),
    ):
        t = opened(house, "12-12")
        lay(t, "12-6 6-6", "1")
        assert (places(t), ends(t)) == (after, {1: 6}), "it goes on behind itself"
        lay(t, "6-3", "1")
        assert (places(t), ends(t)) == (after, {1: 3})
        assert do(t, "tap 6-2 2") == ("ok" if house == "classic" else "no-match"), house


def test_a_place_is_used_up_by_the_line_that_begins_there():
    t = opened("classic", "12-12")
    for n, slot in enumerate(("1", "M", "10", "7")):
        assert places(t) == {12: 4 - n}
        assert slots(t.playable) == STATIONS
        lay(t, "12-%d" % n, slot)
    assert (places(t), slots(t.playable)) == ({}, "1 7 10 M")
    assert slots(t.open_mask) == "1 7 10 M"
    assert do(t, "tap 12-9 2") == "closed", "room is 0"
    assert do(t, "tap 0-9 1") == "ok", "a begun line is everybody's"


def test_a_double_never_begins_a_line_of_its_own_number():
    # 2.2: its number has places only when it lies already
    t = opened("classic", "12-12")
    assert do(t, "tap 9-9 3") == "no-match"
    lay(t, "12-9", "1")
    assert do(t, "tap 9-9 3") == "no-match"
    lay(t, "9-9", "1")
    assert do(t, "tap 9-4 3") == "ok"


def test_with_a_line_on_every_slot_none_may_begin():
    t = opened("classic", "12-12")
    t.slots = 1 << 1 | 1 << 2 | 1 << 11
    lay(t, "12-9", "1")
    lay(t, "12-8", "2")
    assert (slots(t.playable), places(t)) == ("1 2 M", {12: 2})
    assert do(t, "tap 12-7 3") == "closed", "the board has no such slot"
    lay(t, "12-7", "M")
    assert (slots(t.playable), places(t)) == ("1 2 M", {}), "room or not"
    assert do(t, "tap 12-6 3") == "closed"
    assert do(t, "tap 7-6 M") == "ok"


def test_outside_play_there_are_no_places():
    t = opened("classic", "12-12")
    lay(t, "12-5", "1")
    do(t, "press E")
    assert (t.sides, t.playable, t.open_mask, t.wants) == ([], 0, 0, 0)
    assert ends(t) == {1: 5}, "the tiles still lie"
    do(t, "press E")
    assert (t.sides, ends(t)) == ([], {})


# ---- which tile joins ----


def test_equal_numbers_join():
    # C2, W2
    for house in ("classic", "tiddle-a-wink", "draw", "block"):
        t = opened(house, "12-12")
        assert do(t, "tap 9-1 1") == "no-match"
        lay(t, "12-5", "1")
        assert do(t, "tap 7-8 1") == "no-match"
        lay(t, "5-7 7-7 7-0 0-0 0-1", "1")
        assert ends(t) == {1: 1}


def test_halves_that_touch_make_ten():
    # X2: 9-9 wants a 1, 8-8 joins a 2 and asks for a 2
    t = opened("matador", "9-9")
    assert do(t, "tap 9-2 2") == "no-match"
    lay(t, "1-4", "2")
    assert do(t, "tap 4-2 2") == "no-match"
    lay(t, "6-8 2-2 8-3", "2")
    assert ends(t) == {2: 3}
    t = opened("matador", "9-6")
    lay(t, "1-3", "1")
    lay(t, "4-3", "2")
    assert (ends(t), places(t)) == ({1: 3, 2: 3}, {})
    assert do(t, "tap 1-2 3") == "closed"


def test_the_total_is_the_sets_highest_number_and_one():
    # X2: with the double six 7, with the double twelve 13
    for set_, fits, fits_not in ((6, "4-2", "5-1"), (12, "10-2", "7-2"), (18, "16-2", "15-2")):
        t = opened("matador", "3-3", set_=set_)
        assert do(t, "tap %s 1" % fits_not) == "no-match", set_
        assert do(t, "tap %s 1" % fits) == "ok", set_
        assert ends(t) == {1: 2}


def test_the_matadors_of_each_set():
    for house, set_, all_ in (
        ("matador", 9, ["0-0", "5-5", "6-4", "7-3", "8-2", "9-1"]),
        ("matador", 6, ["0-0", "4-3", "5-2", "6-1"]),
        ("matador", 12, ["0-0", "7-6", "8-5", "9-4", "10-3", "11-2", "12-1"]),
        ("matador ten", 12, ["0-0", "5-5", "6-4", "7-3", "8-2", "9-1"]),
        ("matador ten", 6, ["0-0", "5-5", "6-4"]),
    ):
        t = opened(house, "4-4", set_=set_)
        do(t, "override 3-0 1")
        t.state[fields.END + 1], t.state[fields.END2 + 1] = 0, constants.NONE  # a blank end
        found = []
        for high in range(set_ + 1):
            for low in range(high + 1):
                text = "%d-%d" % (high, low)
                if slots(t.fits(tile(text))) == "1":
                    found.append(text)
        assert found == all_, (house, set_)
    for house in ("classic", "tiddle-a-wink", "draw", "block"):
        t = opened(house, "4-4")
        assert do(t, "tap 0-0 1") == "no-match", house


def test_a_blank_end_takes_matadors_alone():
    # L129
    for set_, last, takes, refuses in (
        (9, "1-0", "8-2 0-0 5-5 9-1", "9-0 5-0 7-2"),
        (12, "4-0", "12-1 7-6 0-0", "12-0 8-2 9-1"),
        (6, "4-0", "6-1 4-3 0-0", "6-0 5-1"),
    ):
        t = opened("matador", {9: "9-9", 12: "9-9", 6: "3-3"}[set_], set_=set_)
        assert lay(t, last, "1") == "ok"
        assert ends(t) == {1: 0}
        before = bytes(t.state)
        for text in refuses.split():
            assert do(t, "tap %s 1" % text) == "no-match", (set_, text)
        for text in takes.split():
            assert do(t, "tap %s 1" % text) == "ok", (set_, text)
            t.restore(before)


def test_a_matador_goes_anywhere_either_way_round():
    # X10: both numbers are the end until the next tile decides
    t = opened("matador", "9-6")
    lay(t, "1-3", "1")
    lay(t, "8-2", "1")
    assert ends(t) == {1: (8, 2)}
    assert do(t, "tap 9-3 1") == "no-match"
    before = bytes(t.state)
    lay(t, "2-5", "1")
    assert ends(t) == {1: 5}
    t.restore(before)
    assert ends(t) == {1: (8, 2)}, "taken back"
    lay(t, "8-7", "1")
    assert ends(t) == {1: 7}
    t.restore(before)
    lay(t, "7-3", "1")
    assert ends(t) == {1: (7, 3)}, "a Matador on a Matador"
    lay(t, "5-5", "1")
    assert ends(t) == {1: 5}
    lay(t, "0-0", "1")
    assert ends(t) == {1: 0}


def test_ten_with_any_set():
    # X2: a 10 takes a blank, a blank Matadors alone, 11 and 12 too, 10-0 is none
    t = opened("matador ten", "10-10", set_=12)
    assert do(t, "tap 10-4 1") == "no-match"
    assert do(t, "tap 3-1 1") == "no-match", "not 13"
    lay(t, "10-0", "1")
    assert ends(t) == {1: 10}
    lay(t, "0-3", "1")
    lay(t, "7-0", "1")
    assert ends(t) == {1: 0}
    for text in ("10-1", "10-2", "12-1", "9-3"):
        assert do(t, "tap %s 1" % text) == "no-match", text
    lay(t, "9-1", "1")
    for number in (11, 12):
        t = opened("matador ten", "9-9", set_=12)
        lay(t, "1-%d" % number, "1")
        assert do(t, "tap 2-1 1") == "no-match"
        assert do(t, "tap 0-2 1") == "no-match"
        assert do(t, "tap 6-4 1") == "ok", "a Matador alone"


# ---- undecided beginnings ----


def two_numbers():
    """Places of two numbers are free: 12 and 6."""
    t = opened("classic", "12-12")
    lay(t, "12-5 5-6 6-6", "1")
    assert (places(t), t.state[fields.ROOM]) == ({12: 3, 6: 2}, 5)
    return t


def test_a_tile_that_may_begin_at_either_number():
    t = two_numbers()
    lay(t, "12-6", "3")
    assert (ends(t)[3], places(t)) == ((12, 6), {12: 3, 6: 2}), "which one is not known yet"
    assert t.state[fields.ROOM] == 4, "but that one is taken is"
    before = bytes(t.state)
    lay(t, "12-4", "3")
    assert (ends(t)[3], places(t)) == (4, {12: 3, 6: 1}), "the second tile tells"
    t.restore(before)
    lay(t, "6-4", "3")
    assert (ends(t)[3], places(t)) == (4, {12: 2, 6: 2})
    lay(t, "4-9", "3")
    assert places(t) == {12: 2, 6: 2}, "told once"
    t.restore(before)
    do(t, "override 9-8 3")
    assert (ends(t)[3], places(t)) == ((9, 8), {12: 3, 6: 2}), "never known"
    lay(t, "9-4", "3")
    assert places(t) == {12: 3, 6: 2}
    assert t.state[fields.ROOM] == 4


def test_a_beginning_is_decided_line_by_line():
    t = two_numbers()
    lay(t, "12-6", "3")
    lay(t, "12-0", "4")
    assert places(t) == {12: 2, 6: 2}
    lay(t, "0-6", "4")
    assert (places(t), t.state[fields.ROOM]) == ({12: 2, 6: 2}, 3)
    lay(t, "6-9", "3")
    assert places(t) == {12: 1, 6: 2}


def test_an_undecided_beginning_never_goes_below_none():
    t = opened("classic", "12-12")
    lay(t, "12-5 5-6 6-6", "1")
    lay(t, "12-6", "2")
    for n, slot in enumerate("345"):
        lay(t, "12-%d" % n, slot)
    assert places(t) == {6: 2}
    lay(t, "6-9", "2")
    assert (places(t), t.state[fields.ROOM]) == ({6: 2}, 1)


def test_a_matador_that_begins_a_line():
    # of which number is known only where there is one
    t = opened("matador", "9-9")
    lay(t, "8-2", "1")
    assert (ends(t), places(t), t.state[fields.ROOM]) == ({1: (8, 2)}, {9: 1}, 1)
    t = opened("matador", "9-6")
    lay(t, "8-2", "1")
    assert (ends(t), places(t)) == ({1: (8, 2)}, {9: 1, 6: 1})
    assert t.state[fields.ROOM] == 1
    lay(t, "2-3", "1")
    assert places(t) == {9: 1, 6: 1}, "the next tile does not tell either"
    lay(t, "4-2", "2")
    assert (places(t), slots(t.playable)) == ({}, "1 2")
    assert do(t, "tap 9-0 3") == "closed"


def test_a_tile_by_sum_that_may_begin_at_either_number():
    t = opened("matador", "9-6")
    lay(t, "4-1", "1")
    assert (ends(t), places(t)) == ({1: (4, 1)}, {9: 1, 6: 1})
    lay(t, "9-7", "1")  # so 1 was free, and 4 touched the 6
    assert (ends(t), places(t)) == ({1: 7}, {9: 1})


def test_a_double_that_begins_a_line_by_sum():
    t = opened("matador", "9-6")
    lay(t, "4-4", "1")
    assert (ends(t), places(t)) == ({1: 4}, {9: 1}), "both its halves want the same number"


# ---- overrides ----


def test_an_override_where_nothing_fits_leaves_both_numbers():
    t = opened("classic", "12-12")
    lay(t, "12-5", "1")
    assert do(t, "tap 9-8 1") == "no-match"
    assert do(t, "override 9-8 1") == "ok"
    assert ends(t) == {1: (9, 8)}
    assert do(t, "tap 8-3 1") == "ok"
    assert ends(t) == {1: 3}
    assert do(t, "override 7-7 1") == "ok"
    assert (ends(t), places(t)) == ({1: 7}, {12: 3, 7: 2}), "all else follows"


def test_an_override_that_fits_is_as_a_tap():
    one, other = two_numbers(), two_numbers()
    for text, slot in (("12-6", 3), ("12-4", 3), ("6-0", 4), ("4-4", 3)):
        assert do(one, "tap %s %d" % (text, slot)) == "ok"
        assert do(other, "override %s %d" % (text, slot)) == "ok"
        assert one.state == other.state, text


def test_an_override_begins_a_line_on_a_full_table():
    t = opened("tiddle-a-wink", "9-9", 2)
    lay(t, "9-1", "1")
    lay(t, "9-2", "2")
    assert (t.state[fields.ROOM], slots(t.playable)) == (0, "1 2")
    assert do(t, "tap 9-3 5") == "closed"
    assert do(t, "override 9-3 5") == "ok"
    assert (ends(t)[5], t.state[fields.ROOM]) == ((9, 3), 0), "which stays 0"
    assert slots(t.playable) == "1 2 5"
    assert do(t, "override 5-4 M") == "ok"
    assert (ends(t)[11], t.state[fields.ROOM]) == ((5, 4), 0)


def test_an_override_beside_the_places_takes_room():
    t = opened("classic", "12-12")
    do(t, "override 5-4 3")
    assert (ends(t), places(t), t.state[fields.ROOM]) == ({3: (5, 4)}, {12: 4}, 3)


def test_what_an_override_cannot():
    t = opened("classic", "6-6", 2, 6)
    lay(t, "6-1", "1")
    for line, said in (
        ("override 6-1 2", "on-table"),
        ("override 6-6 2", "on-table"),
        ("override 9-1 2", "not-in-set"),
        ("override 5-1 E", "not-now"),
        ("tap 5-1 E", "not-now"),
        ("tap 9-1 1", "not-in-set"),
        ("tap 6-1 1", "on-table"),
    ):
        assert do(t, line) == said, line


# ---- turns ----


def test_one_tile_a_turn_and_a_double_earns_nothing():
    # one tile a turn; in Tiddle-a-Wink it earns another turn of any kind (W3)
    for house in GAMES:
        t = opened(house, "5-5", set_=9)
        first = 1 if house == "tiddle-a-wink" else 2
        assert t.turn == first, house
        lay(t, "5-0" if house != "matador" else "5-1", "1")
        assert t.turn == first + 1, house
        assert lay(t, "0-0" if house != "matador" else "9-9", "1")
        assert t.turn == (2 if house == "tiddle-a-wink" else 1), house


def test_further_doubles_and_the_pass_that_gives_up_a_turn():
    t = opened("tiddle-a-wink", "12-12", 3)
    assert (t.turn, t.by, t.did) == (1, 1, "opened")
    lay(t, "12-5 5-5", "1")
    assert t.turn == 2, "5-5 was seat 2's"
    lay(t, "5-7", "1")
    lay(t, "7-7", "1")
    assert t.turn == 3
    assert do(t, "press 3") == "ok"
    assert (t.turn, t.by, t.did) == (1, 3, "passed")
    lay(t, "7-8 8-8", "1")
    assert t.turn == 2
    lay(t, "8-12", "1")
    assert t.turn == 3


def test_out_with_a_double_is_out():
    # W5
    for house in GAMES:
        t = opened(house, "5-5", set_=9)
        do(t, "turn 2, hand 2 1")
        assert lay(t, "6-5", "1")
        assert (t.phase, t.out, t.did) == (constants.SCORING, 2, "laid"), house
        t = opened(house, "5-5", set_=9)
        lay(t, "5-1", "1")
        do(t, "turn 3, hand 3 1")
        assert do(t, "tap %s 1" % ("9-9" if house == "matador" else "1-1")) == "ok", house
        assert (t.phase, t.out) == (constants.SCORING, 3), house


def test_drawing_until_a_tile_fits():
    # 2.1, W4
    for house in ("classic", "matador", "draw"):
        t = opened(house, "9-9", 2, 9)
        do(t, "boneyard 3")
        for left in (2, 1, 0):
            assert do(t, "press 2") == "ok"
            assert (t.turn, t.by, t.did) == (2, 2, "drew")
            assert (t.boneyard, t.drawn) == (left, 1)
        assert do(t, "press 2") == "ok"
        assert (t.turn, t.did, t.drawn) == (1, "passed", 0), "with an empty boneyard"
        do(t, "boneyard 1, press 1")
        lay(t, "9-2" if house != "matador" else "1-4", "1")
        assert (t.turn, t.drawn) == (2, 0)


def test_where_nobody_draws_a_press_passes_at_once():
    # W4
    for house in ("tiddle-a-wink", "block", "classic no-draw"):
        t = opened(house, "9-9", 3, 9)
        seat, boneyard = t.turn, t.boneyard
        assert do(t, "press %d" % seat) == "ok"
        assert (t.turn, t.boneyard) == (seat + 1, boneyard), house
        assert (t.by, t.did) == (seat, "passed")


def test_a_draw_with_e_held_whatever_the_house_says():
    for house in GAMES:
        t = opened(house, "9-9", 3, 9)
        seat = t.turn
        hand = t.hand(seat)
        do(t, "boneyard 0")
        assert do(t, "draw %d" % (seat % 3 + 1)) == "not-your-turn"
        assert do(t, "draw %d" % seat) == "ok"
        assert (t.turn, t.hand(seat), t.boneyard, t.drawn) == (seat, hand + 1, 0, 1)
        assert (t.by, t.did) == (seat, "drew")


def test_presses_of_others():
    # T5: the seat that laid last gives notice; nobody is fined
    for house in GAMES:
        t = opened(house, "5-5", set_=9)
        do(t, "turn 2")
        lay(t, "5-2", "1")
        assert (do(t, "press 1"), do(t, "press 8")) == ("not-your-turn", "not-now")
        assert (do(t, "press 2"), t.by, t.did) == ("ok", 2, "knocked")
        assert do(t, "press 2") == "not-now", "more than one is counted"
        assert (do(t, "press 2"), t.out, t.did) == ("ok", 2, "out")
        t = opened(house, "5-5", set_=9)
        do(t, "turn 2, hand 2 2")
        lay(t, "5-2", "1")
        do(t, "press 3")
        assert (t.to_catch, do(t, "press M"), t.hand(2), t.fined) == (0, "not-now", 1, 0)


def test_the_opener_may_knock():
    t = opened("classic", "5-5", set_=9)
    assert (t.turn, do(t, "press 1"), t.did) == (2, "ok", "knocked")
    t = opened("tiddle-a-wink", "5-5", set_=9)
    assert (t.turn, do(t, "press 1"), t.did) == (1, "ok", "passed")


# ---- the end of a round ----


def test_blocked_when_all_pass_in_a_row():
    # C6
    t = opened("classic", "12-12", 3)
    do(t, "boneyard 0, press 2, press 3")
    assert t.phase == constants.PLAY
    lay(t, "12-5", "1")
    do(t, "press 2, press 3, boneyard 1, press 1")
    assert (t.did, t.phase) == ("drew", constants.PLAY)
    do(t, "press 1")
    assert (t.did, t.by, t.phase, t.out) == ("passed", 1, constants.SCORING, 0)


def test_the_pass_after_the_last_draw_counts():
    t = opened("draw", "9-9", 2, 9)
    do(t, "boneyard 1, press 2, press 2, press 1")
    assert (t.phase, t.out) == (constants.SCORING, 0)


def test_giving_up_a_further_turn_is_a_pass():
    # with two seats "double, pass, pass" blocks
    t = opened("tiddle-a-wink", "12-12", 2)
    lay(t, "12-5", "1")
    lay(t, "5-5", "1")
    assert t.turn == 2
    do(t, "press 2")
    assert t.phase == constants.PLAY
    do(t, "press 1")
    assert (t.phase, t.out) == (constants.SCORING, 0)


def test_e_ends_the_round():
    t = opened("block", "9-9", 3, 9)
    assert (do(t, "press E"), t.phase, t.by, t.did) == ("ok", constants.SCORING, 0, "round-over")


# ---- points ----


def scored(house, held, out=0, set_=12):
    """Count a round's hands, pips by seat; return the totals."""
    t = opened(house, "0-0", len(held), set_)
    if out:
        do(t, "turn %d, hand %d 1, override 1-0 1" % (out, out))
        assert t.out == out
    else:
        do(t, "press E")
    for seat, pips in enumerate(held, 1):
        if seat != out:
            do(t, "score %d %d" % (seat, pips))
    return [t.total(seat) / 2 for seat in range(1, len(held) + 1)]


def test_the_winner_gains_the_difference_to_each_other():
    # C7, X5: the sheet's example: 14 + 7 = 21
    for house in GAMES:
        assert scored(house, (5, 19, 12)) == [21, 0, 0], house
        assert scored(house, (0, 19, 12), out=1) == [31, 0, 0]
        assert scored(house, (3, 19, 0, 12), out=3) == [0, 0, 34, 0]


def test_several_lowest_hands():
    # T1
    held = (10, 12, 10, 15)
    assert scored("classic", held) == [0, 0, 0, 0]
    assert scored("classic tie-shared", held) == [3.5, 0, 3.5, 0]
    assert scored("classic tie-each", held) == [7, 0, 7, 0]
    assert scored("tiddle-a-wink tie-shared", (10, 10, 10, 20)) == [10 / 3 // 0.5 / 2] * 3 + [0]
    for tie in ("", " tie-shared", " tie-each"):
        assert scored("block" + tie, (7, 7)) == [0, 0], "nobody holds more"
        assert scored("block" + tie, (7, 9)) == [2, 0]
        assert scored("block" + tie, (0, 7, 0), out=1) == [7, 0, 0], "out is out"


def test_pips_of_the_double_blank():
    # T4
    for house, points in (("classic", 0), ("matador blank-25", 25), ("block blank-50", 50)):
        t = opened(house, "1-1", 2, 9)
        do(t, "press E, tap 0-0 2, tap 6-1 2, press 1, press 1, press 2, press 2")
        assert t.total(1) / 2 == points + 7, house
        assert t.did == "done"


def test_who_went_out_gains_whatever_is_tapped_on_its_station():
    # the winner's pips are 0 when it is out
    t = opened("classic", "12-12", 2)
    do(t, "hand 2 1, tap 12-0 1")
    assert t.out == 2
    do(t, "tap 9-9 2, tap 1-0 1, press 1, press 1, press 2, press 2")
    assert (t.phase, t.total(1), t.total(2)) == (constants.ENGINE, 0, 2)


def test_targets():
    # T2: after a round's points are added; highest total wins, places are shared
    for house, target in (
        ("classic", 100),
        ("matador", 100),
        ("tiddle-a-wink", 200),
        ("draw", 100),
        ("block", 100),
        ("classic to-61", 61),
        ("tiddle-a-wink to-100", 100),
        ("classic to-150", 150),
        ("block to-200", 200),
    ):
        for points, phase in ((target - 1, constants.ENGINE), (target, constants.FINISHED)):
            t = opened(house, "0-0", 3, 9)
            do(t, "press E, score 1 0, score 2 %d, score 3 0" % points)
            assert t.total(2) == 0
            t = opened(house, "0-0", 2, 9)
            do(t, "press E, score 1 %d, score 2 0" % points)
            assert (t.phase, t.total(2)) == (phase, 2 * points), (house, points)
            assert slots(t.winners) == ("2" if phase == constants.FINISHED else "")
            assert t.plus_points


def test_a_corrected_score_counts_when_the_next_round_ends():
    t = opened("classic", "0-0", 2, 9)
    do(t, "press E, score 1 0, score 2 7, score 1 120")
    assert (t.phase, t.total(1) // 2) == (constants.ENGINE, 120)
    do(t, "tap 0-0 1, press E, score 1 5, score 2 5")
    assert (t.phase, slots(t.winners)) == (constants.FINISHED, "1")


def test_e_in_engine_ends_the_match():
    t = opened("matador", "0-0", 3)
    do(t, "press E, press E, press E")
    assert (t.phase, slots(t.winners)) == (constants.FINISHED, "1 2 3")


# ---- corrections ----


def test_leaving_leaves_no_marker():
    t = opened("classic", "12-12", 3)
    assert do(t, "leave 2") == "ok"
    assert (t.turn, t.open_mask, t.hand(2)) == (3, 0, 0)
    assert do(t, "marker 1") == "not-now"
    assert do(t, "turn 1, hand 1 4, boneyard 3, join 7") == "ok"
    assert (t.turn, t.hand(1), t.boneyard) == (1, 4, 3)
    assert do(t, "tap 12-9 2") == "ok", "an empty station takes a line as any slot"


def test_a_turn_corrected_is_a_turn_anew():
    t = opened("classic", "12-12", 3)
    do(t, "press 2, turn 3")
    assert (t.turn, t.drawn) == (3, 0)


# ---- what the lights ask ----


def test_lines_that_would_take_a_tile():
    t = opened("classic", "12-12")
    lay(t, "12-5", "1")
    lay(t, "12-7", "M")
    assert slots(t.fits(tile("5-7"))) == "1 M"
    assert slots(t.fits(tile("5-3"))) == "1"
    assert slots(t.fits(tile("12-3"))) == "", "a place is no line"
    do(t, "press E")
    assert t.fits(tile("5-7")) == 0, "in play alone"
    t = opened("matador", "9-9")
    lay(t, "1-3", "1")
    assert (slots(t.fits(tile("7-0"))), slots(t.fits(tile("8-2")))) == ("1", "1")
    assert slots(t.fits(tile("3-0"))) == ""


def test_no_double_is_ever_due():
    t = opened("classic", "12-12")
    lay(t, "12-5 5-5", "1")
    assert (t.due, t.double(0), t.place(1)) == (-1, -1, 0)


def test_nothing_fits_any_more():
    # the double six: every tile with a 0 and every one with a 6 lies, and the line ends in them
    t = opened("block", "6-6", 2, 6)
    do(t, "hand 1 20, hand 2 20")
    lay(t, "6-0 0-1 1-6 6-2 2-0 0-3 3-6 6-4 4-0 0-0 0-5", "1")
    assert t.wants == 0, "a 5 is out, and 6-6 has another place"
    lay(t, "6-5", "2")
    assert (ends(t), t.wants) == ({1: 5, 2: 5}, 0)
    for text in ("5-1", "1-2", "2-5", "5-3", "3-1", "1-4", "4-2", "2-3", "3-4"):
        do(t, "override %s %d" % (text, 1))
    assert t.phase == constants.PLAY
    # what is out: 5-5 5-4 4-4 3-3 2-2 1-1
    for text in ("4-5", "5-5"):
        assert t.wants == 0, text
        do(t, "override %s 1" % text)
    assert ends(t)[1] == 5 and ends(t)[2] == 5
    assert t.wants == 1 << constants.E, "every 5 lies"
    assert do(t, "press E") == "ok"
    assert t.wants == 0


def test_while_a_matador_is_out_something_fits():
    t = opened("matador", "9-9", 2)
    do(t, "hand 1 60, hand 2 60")
    lay(t, "1-0", "1")
    t.state[fields.ROOM] = 0
    for text in ("0-0", "9-1", "8-2", "7-3", "6-4", "5-5"):
        assert (ends(t), t.wants) == ({1: 0}, 0), "a Matador goes on a blank end"
        t.lie(tile(text))
    assert t.wants == 1 << constants.E
    t.state[fields.ROOM] = 1
    assert t.wants == 0, "a 1 begins a line at 9-9"


def test_a_blank_makes_ten_and_no_matador():
    t = opened("matador ten", "12-12", 2, 12)
    t.state[fields.ROOM] = 0
    for text in ("0-0", "9-1", "8-2", "7-3", "6-4", "5-5"):
        assert t.wants == 0
        t.lie(tile(text))
    assert t.wants == 1 << constants.E, "10-0 is out: neither does it join 12"
