# SPDX-License-Identifier: MIT
"""The rules core, point by point. The same file runs on the MicroPython VM."""

from positions import begun, do, new, skip, slots, tile

from roundhouse import constants, report, tiles
from roundhouse.games import fields, houses


def ends(t):
    return {n: t.end(n) for n in range(1, 12) if t.begun >> n & 1}


def doubles(t):
    out = []
    while t.double(len(out)) >= 0:
        out.append(t.double(len(out)))
    return out


def set_option(t, name, word):
    """What a family's house can say, and no variant word."""
    row, place = houses.setting(0, name, word)
    t.state[fields.OPTIONS + row] = place


# ---- lobby, engine ----


def test_a_new_table_is_an_empty_lobby():
    t = new()
    assert t.phase == constants.LOBBY
    assert (t.round, t.turn, t.joined, t.playable, t.open_mask, t.opening) == (0, 0, 0, 0, 0, 255)
    assert len(t.state) == fields.OPTIONS + sum(fields.USES["mexican_train"])


def test_clear_leaves_nothing_behind():
    t = begun(trains="1:12-5 5-5, M:12-9")
    t.apply(constants.FORGET)
    assert t.state == new().state


def test_chance_picks_the_starter():
    for chance in range(6):
        t = new()
        do(t, "press 2, press 5, press 9")
        t.tap(constants.E, tiles.double(12), chance)
        assert t.turn == (2, 5, 9)[chance % 3]


def test_an_engine_from_a_hand_wants_the_station():
    for house, double in (("jassshop", "12-12"), ("goliath", "11-11")):
        t = new(house)
        do(t, "press 1, press 2")
        assert do(t, "tap %s E" % double) == "not-now"
        assert do(t, "tap %s 2" % double) == "ok"
        assert (t.turn, t.hand(1), t.hand(2)) == (2, 15, 14)
        assert t.boneyard == 61


def test_goliath_seats_ten():
    # M17: its header says 2-10; nine and ten take 8 tiles of the double twelve
    for set_, seats, hand in ((12, 8, 8), (12, 9, 8), (12, 10, 8), (15, 9, 12), (15, 10, 10)):
        t = new("goliath", set_)
        for seat in range(1, seats + 1):
            assert do(t, "press %d" % seat) == "ok"
        assert do(t, "press E") == "ok"
        assert (t.hand(1), t.hand(seats)) == (hand, hand)
        assert t.boneyard == tiles.size(set_) - seats * hand


def test_the_invitation_is_where_the_house_takes_the_engine():
    for house, e_takes_it in (
        ("puremco", True),
        ("original", True),
        ("quebec", True),
        ("jassshop", False),
        ("jassshop laid-out", True),
        ("goliath", False),
        ("free", True),
    ):
        t = new(house)
        do(t, "press 2")
        assert t.wants == 0, "one is no table"
        do(t, "press 5")
        wanted = 1 if e_takes_it else 1 << 2 | 1 << 5
        assert t.wants == wanted, house
        before = bytes(t.state)
        for slot in (constants.E, 2, 5):
            t.restore(before)
            if wanted >> slot & 1:
                assert t.tap(slot, tile("12-12")) == constants.OK, (house, slot)
                assert t.wants == 0
        t.restore(before)
        if not e_takes_it:
            assert do(t, "tap 12-12 E") == "not-now"
        do(t, "press E")
        assert t.wants == wanted, house
        do(t, "tap 12-12 5, press E")
        assert (t.phase, t.wants) == (constants.SCORING, 0)


def test_drawing_for_the_engine():
    # N09: nobody has 12-12; seat 1 draws, seat 2 draws it
    t = new("jassshop")
    do(t, "press 1, press 2, press 3, press 4, press E")
    assert (t.phase, t.boneyard) == (constants.ENGINE, 31)
    do(t, "press 1, press 2, tap 12-12 2")
    assert [t.hand(n) for n in (1, 2, 3, 4)] == [16, 15, 15, 15]
    assert (t.boneyard, t.turn) == (29, 2)


def test_rules_are_chosen_in_the_lobby():
    t = new()
    assert do(t, "house quebec no-lock") == "ok"
    assert report.house(t) == "quebec no-lock"
    assert (dict(report.options(t))["first-turn"], dict(report.options(t))["lock"]) == (
        "starter-own",
        "no",
    )
    assert do(t, "set 15") == "ok"
    assert t.set == 15
    t.apply(constants.FORGET)
    assert (report.house(t), t.set) == ("quebec no-lock", 15), "the rules stay"
    assert dict(report.options(t))["lock"] == "no"


def test_only_houses_that_draw_for_the_engine_draw():
    for house in ("puremco", "original", "quebec", "goliath", "jassshop laid-out"):
        t = new(house)
        do(t, "press 1, press 2, press E")
        assert do(t, "press 1") == "not-now", house


def test_the_highest_double_of_the_hands():
    # N10: 11-11 becomes the engine, 12-12 stays an ordinary double
    t = new("goliath")
    do(t, "press 1, press 2, press 3, tap 11-11 2")
    assert (t.opening, t.set) == (tile("11-11"), 12)
    assert do(t, "tap 11-3 2") == "ok"
    assert do(t, "tap 15-15 1") == "not-in-set"


def test_free_rounds_end_on_e():
    t = new("goliath")
    do(t, "press 1, press 2")
    for number in (3, 12, 3, 0):
        assert do(t, "tap %d-%d 1, press E, press E" % (number, number)) == "ok"
    assert t.phase == constants.ENGINE
    do(t, "press E")
    assert t.phase == constants.FINISHED


def test_every_double_has_its_round():
    # N12, N14
    for set_ in tiles.SETS:
        t = new("puremco", set_)
        do(t, "press 1, press 2")
        for number in range(set_, -1, -1):
            assert do(t, "tap %d-%d E" % (number, number)) == "ok"
            assert t.round == set_ - number + 1
            do(t, "press E, press E")
        assert t.phase == constants.FINISHED


# ---- first turns ----


def test_first_turn_of_each_house():
    for house, first, other in (
        ("puremco", "1 M", "2 M"),
        ("original", "1 M", "2 M"),
        ("quebec", "1", "2 M"),  # M37: the starter alone
        ("jassshop", "1", "2"),
        ("goliath", "1", "2"),
    ):
        t = new(house)
        do(t, "press 1, press 2, tap 12-12 1")
        assert slots(t.playable) == first, house
        do(t, "tap 12-5 1")
        assert slots(t.playable) == other, house


def test_own_first_ends_with_the_own_train():
    t = begun("jassshop", trains="1:12-5")
    assert slots(t.playable) == "1 M"
    do(t, "turn 2")
    assert slots(t.playable) == "2"
    assert do(t, "tap 12-3 M") == "own-first"
    do(t, "tap 12-3 2")
    do(t, "turn 2")
    assert slots(t.playable) == "2 M"


def test_nobody_is_shut_out_when_the_engines_number_is_used_up():
    # N32: all twelve other tiles of the number lie; seat 3 could never begin
    t = begun(
        "jassshop",
        trains="1:12-0 0-1 1-12 12-2 2-3 3-12 12-4 4-5 5-12 12-6 6-7 7-12, "
        "2:12-8 8-9 9-12 12-10 10-11 11-12",
    )
    do(t, "turn 3")
    assert slots(t.playable) == "3 M"


def test_a_whole_first_train():
    # N29, M11
    t = new("jassshop whole-first-train")
    do(t, "press 1, press 2, tap 12-12 1, tap 12-5 1, tap 5-5 1, tap 5-8 1, tap 8-0 1")
    assert (t.turn, t.hand(1)) == (1, 10)
    assert do(t, "tap 12-4 M") == "own-first"
    boneyard = t.boneyard
    assert do(t, "press 1") == "ok"
    assert (t.turn, t.boneyard, t.open_mask) == (2, boneyard, 0)
    do(t, "tap 12-3 2, press 2")
    do(t, "tap 0-7 1")
    assert t.turn == 2, "one tile from the second turn on"


def test_a_whole_first_train_still_covers_its_double():
    t = new("puremco whole-first-train")
    do(t, "press 1, press 2, tap 12-12 1, tap 12-5 1, tap 5-5 1")
    boneyard = t.boneyard
    do(t, "press 1")
    assert (t.turn, t.boneyard) == (1, boneyard - 1)
    do(t, "press 1")
    assert (t.turn, slots(t.open_mask)) == (2, "1")


def test_a_whole_first_train_with_two_doubles():
    t = new("puremco whole-first-train")
    do(t, "press 1, press 2, tap 12-12 1, tap 12-5 1, tap 5-5 1, tap 5-8 1, tap 8-8 1")
    assert (doubles(t), slots(t.playable), t.due) == ([1], "1 M", -1)
    do(t, "tap 8-0 1")
    assert (doubles(t), slots(t.playable), t.turn) == ([], "1", 1)


def test_a_turn_given_in_a_whole_first_train_is_no_first_train():
    # M11: what seat 1 had begun ends with its turn
    t = new("puremco whole-first-train")
    do(t, "press 1, press 2, tap 12-12 1, tap 12-5 1")
    assert slots(t.playable) == "1"
    do(t, "turn 2")
    assert (t.turn, slots(t.playable)) == (2, "2 M")


def test_a_double_that_was_covered_is_no_more_of_this_turn():
    # M11, V4: of seat 2's two doubles one is covered; seat 1's is of another turn
    t = new("puremco no-lock whole-first-train")
    do(t, "press 1, press 2, tap 12-12 1, tap 12-5 1, tap 5-5 1, press 1, press 1, marker 1")
    do(t, "tap 12-4 2, tap 4-4 2, tap 4-1 2, tap 1-1 2")
    assert (t.turn, doubles(t)) == (2, [1, 2])
    assert slots(t.playable) == "2 M"


# ---- bonus tracks ----


def test_bonus_tracks_never_outnumber_begun_own_tracks():
    t = begun("goliath", trains="1:12-5, 2:12-6")
    assert slots(t.playable) == "1 4 5 6 7 8 9 10 M"
    assert do(t, "tap 12-9 7") == "ok"
    do(t, "turn 1")
    assert do(t, "tap 12-8 M") == "ok"
    assert slots(t.open_mask) == "7 M"
    do(t, "turn 1")
    assert slots(t.playable) == "1 7 M"
    assert do(t, "tap 12-0 5") == "closed"


def test_elsewhere_there_is_one_mexican_train():
    t = begun(trains="1:12-5, 2:12-6")
    assert do(t, "tap 12-9 7") == "closed"


# ---- markers ----


def test_what_takes_a_marker_off():
    for house, owner_there, other_there, owner_elsewhere in (
        ("puremco", "M", "1 M", "1 M"),
        ("puremco one-foreign-tile", "M", "M", "1 M"),
        ("puremco free-after-any-play", "M", "1 M", "M"),
    ):
        for seat, line, left in (
            (1, "tap 5-0 1", owner_there),
            (2, "tap 5-1 1", other_there),
            (1, "tap 9-1 M", owner_elsewhere),
        ):
            t = begun(house, trains="1:12-5, 2:12-6, 3:12-7, M:12-9")
            do(t, "marker 1, turn %d" % seat)
            assert do(t, line) == "ok"
            assert slots(t.open_mask) == left, (house, line)


def passed(t):
    do(t, "boneyard 30, press %d, press %d" % (t.turn, t.turn))
    return slots(t.open_mask)


def test_a_pass_puts_the_marker_up():
    assert passed(begun(trains="1:12-5")) == "1"
    assert passed(begun()) == "1", "also where the train is not begun (C4)"
    assert passed(begun("goliath")) == "", "not in goliath's opening (M15)"
    assert passed(begun("goliath", trains="1:12-5")) == "1"


def locked(house):
    """Seat 1 left 5-5 open on its train; seat 2 is to move and has not begun."""
    t = begun(house, trains="1:12-5")
    do(t, "tap 5-5 1, press 1, press 1")
    assert t.turn == 2
    return t


def test_a_marker_under_a_lock():
    for house, left in (
        ("puremco", "1 2"),
        ("puremco no-marker-when-locked", "1"),
        ("jassshop no-marker-when-locked", "1"),
        ("goliath", "1 2"),
        ("quebec", "1 2"),
    ):
        assert passed(locked(house)) == left, house


def test_a_marker_under_a_lock_on_the_own_train():
    # V3: 002 wants none "wenn er nicht an seinem Zug anlegen durfte"; there it was allowed
    for house in ("puremco", "puremco no-marker-when-locked one-foreign-tile"):
        t = begun(house, seats=2, trains="1:12-5, 2:12-6")
        do(t, "boneyard 30, tap 5-5 1, press 1, press 1, marker 1")
        assert (t.turn, slots(t.open_mask), t.due) == (2, "", 1)
        do(t, "press 2, press 2")
        assert slots(t.open_mask) == ("2" if house == "puremco" else ""), house
        if t.open_mask:
            do(t, "marker 2")
        do(t, "press 1, press 1")
        assert slots(t.open_mask) == "1", house


# ---- doubles ----


def test_where_the_second_tile_may_go():
    for house, may in (
        ("puremco", "1 2 M"),
        ("puremco cover-on-double", "1"),
        ("original", "1 2 M"),
        ("jassshop", "1"),
        ("goliath", "1"),
    ):
        t = begun(house, trains="1:12-5, 2:12-6")
        do(t, "marker 2, tap 5-5 1")
        assert slots(t.playable) == may, house
        verdict = do(t, "tap 6-0 2")
        assert verdict == ("ok" if "2" in may else "cover-it"), house


def test_the_second_tile_on_the_double_or_an_open_train():
    # M4, 001 in French
    for house, may in (("quebec", "1 2 M"), ("quebec open-second-tile", "1 2")):
        t = begun(house, trains="1:12-5, 2:12-6, 3:12-7")
        do(t, "marker 2, tap 5-5 1")
        assert slots(t.playable) == may, house
        assert do(t, "tap 12-0 M") == ("ok" if "M" in may else "closed"), house
    t = begun("quebec open-second-tile", trains="1:12-5, M:12-9")
    do(t, "tap 5-5 1")
    assert slots(t.playable) == "1 M", "begun it is open"
    t = begun("quebec open-second-tile", trains="1:12-5, 3:12-7, M:12-9")
    do(t, "turn 3, tap 9-9 M")
    assert slots(t.playable) == "M", "the own train is not, without a marker"


def test_a_second_double_from_the_hand():
    for house, verdict in (
        ("puremco", "ok"),
        ("original", "no-second-double"),
        ("quebec", "no-second-double"),
        ("jassshop", "cover-it"),
        ("goliath", "cover-it"),
    ):
        t = begun(house, trains="1:12-5, 2:12-6, M:12-9")
        do(t, "tap 5-5 1")
        assert do(t, "tap 9-9 M") == verdict, house


def test_a_drawn_second_double():
    for house, verdict in (
        ("puremco", "no-second-double"),
        ("original", "ok"),
        ("quebec", "ok"),
    ):
        t = begun(house, trains="1:12-5, M:12-9, 2:12-6")
        do(t, "tap 5-5 1, press 1")
        assert do(t, "tap 9-9 M") == verdict, house


def test_drawn_doubles_go_on_without_limit():
    # 000 G5, M7, M28: any of the own doubles may be covered
    t = begun("original", trains="1:12-5, M:12-9, 2:12-6")
    do(t, "marker 2, tap 5-5 1, press 1, tap 9-9 M, press 1, tap 6-6 2, press 1")
    assert doubles(t) == [1, 11, 2]
    assert slots(t.playable) == "1 2 M"
    assert do(t, "tap 9-0 M") == "ok"
    assert (t.turn, doubles(t), slots(t.playable)) == (2, [1, 2], "1")
    assert do(t, "tap 6-1 2") == "double-first"
    assert do(t, "tap 5-0 1") == "ok"
    assert (t.turn, slots(t.playable)) == (3, "2")


def test_two_doubles_as_the_last_two():
    for house, verdict in (
        ("puremco", "ok"),
        ("original", "ok"),
        ("quebec", "no-second-double"),
    ):
        t = begun(house, trains="1:12-5, M:12-9", hands=2)
        do(t, "tap 5-5 1")
        assert do(t, "tap 9-9 M") == verdict, house
        assert (t.phase == constants.SCORING) == (verdict == "ok")


def test_the_third_tile():
    t = begun(trains="1:12-5, M:12-9, 2:12-6")
    do(t, "marker 2, tap 5-5 1, tap 9-9 M")
    assert slots(t.playable) == "1 M"
    for line in ("tap 6-1 2", "press 1", "draw 1"):
        assert do(t, line) == "cover-it"
    do(t, "tap 5-2 1")
    assert (t.turn, doubles(t), t.due) == (2, [11], 11)


def used_up(t, *numbers):
    """Pretend that every tile of these numbers lies but their doubles."""
    for number in numbers:
        t.state[fields.USED + number] = t.set


def test_no_second_double_without_a_third_tile():
    # G4: where both numbers are used up no tile outside the table could follow
    for house in ("puremco", "puremco lift"):
        for fives, nines, verdict in (
            (True, True, "no-second-double"),
            (True, False, "ok"),
            (False, True, "ok"),
        ):
            t = begun(house, trains="1:12-5, M:12-9, 2:12-6")
            used_up(t, *([5] if fives else []) + ([9] if nines else []))
            do(t, "tap 5-5 1")
            before = bytes(t.state)
            assert slots(t.playable) == ("1" if fives and nines else "1 M")
            assert do(t, "tap 9-9 M") == verdict, (house, fives, nines)
            if verdict != "ok":
                assert bytes(t.state) == before
                do(t, "boneyard 9, press 1, press 1")
                assert t.turn == 2, "somebody can still go on"
        t = begun(house, trains="1:12-5, M:12-9, 2:12-6", hands=2)
        used_up(t, 5, 9)
        do(t, "tap 5-5 1")
        assert do(t, "tap 9-9 M") == "ok", "G9: as the last two tiles"
        assert t.phase == constants.SCORING


def test_an_override_never_owes_a_third_tile_that_is_nowhere():
    for nines, press in ((True, "ok"), (False, "cover-it")):
        t = begun(trains="1:12-5, M:12-9, 2:12-6")
        used_up(t, *[5, 9] if nines else [5])
        do(t, "tap 5-5 1, override 9-9 M")
        assert do(t, "press 1") == press


def test_a_double_as_the_last_tile():
    for house in ("puremco", "original", "quebec", "jassshop", "goliath"):
        t = begun(house, trains="1:12-5", hands=1)
        do(t, "tap 5-5 1")
        assert (t.phase, t.out) == (constants.SCORING, 1), house


def lap(t):
    """M9: one lap to cover a last double."""
    do(t, "hand 1 1, tap 5-5 1")
    return t


def test_one_lap_to_cover_a_last_double():
    t = lap(begun("puremco last-double-lap", trains="1:12-5"))
    assert (t.phase, t.turn, slots(t.playable)) == (constants.PLAY, 2, "1")
    do(t, "press 2, press 2, press 3, press 3")
    assert (t.phase, t.out) == (constants.SCORING, 1), "nobody could"
    t = lap(begun("puremco last-double-lap", trains="1:12-5"))
    do(t, "press 2, press 2, tap 5-0 1")
    assert (t.phase, t.out) == (constants.SCORING, 1), "somebody did"
    t = lap(begun("puremco no-lock last-double-lap", trains="1:12-5, M:12-9"))
    do(t, "hand 2 1, tap 9-9 M")
    assert (t.phase, t.out) == (constants.SCORING, 1), "another last double gives no second lap"


def test_the_lock_and_its_end():
    t = locked("puremco")
    assert (slots(t.playable), t.due, t.place(1)) == ("1", 1, 1)
    assert do(t, "tap 12-4 2") == "double-first"
    assert do(t, "tap 12-4 M") == "double-first"
    assert do(t, "tap 5-2 1") == "ok"
    assert (t.turn, doubles(t), t.due) == (3, [], -1)


def test_without_the_lock_a_double_binds_nobody():
    t = locked("puremco no-lock")
    assert (doubles(t), t.due) == ([1], -1)
    assert do(t, "tap 12-4 M") == "ok"
    assert doubles(t) == [1]


def test_a_double_whose_number_is_used_up():
    for house, lifted in (("original", True), ("puremco", False), ("puremco lift", True)):
        t = begun(
            house, seats=2, set_=6, engine="6-6", trains="1:6-5 5-0 0-1 1-5 5-2 2-3 3-5 5-4 4-6"
        )
        # 5 is on 6-5 5-0 1-5 5-2 3-5 5-4, and on 5-5, which an override puts at the end
        do(t, "override 5-5 1, press 1, press 1")
        assert t.turn == 2 and doubles(t) == [1], house
        assert (t.due == -1) == lifted, house
        assert (do(t, "tap 6-0 2") == "ok") == lifted, house


def test_a_drawn_double_elsewhere():
    # 001, M2: after a draw under a lock, a double goes on any train that would be open
    t = locked("quebec")
    do(t, "boneyard 30")
    assert slots(t.playable) == "1"
    do(t, "override 12-9 M, turn 2, press 2")
    assert slots(t.playable) == "1 M", "no double begins a train"
    assert do(t, "tap 9-1 M") == "double-first"
    assert do(t, "tap 9-9 M") == "ok"
    assert (t.turn, doubles(t), slots(t.playable)) == (2, [1, 11], "1")
    assert do(t, "tap 9-1 M") == "double-first"
    do(t, "press 2")
    assert slots(t.playable) == "1", "drawing included, and M has its double"
    do(t, "tap 5-0 1")
    assert (t.turn, doubles(t), slots(t.playable)) == (3, [11], "M")


# ---- drawing, passing, the end of a round ----


def test_an_empty_boneyard_ends_quebecs_round():
    t = begun("quebec", trains="1:12-5")
    do(t, "boneyard 1, press 1")
    assert t.phase == constants.PLAY, "M33: after the turn"
    do(t, "press 1")
    assert (t.phase, t.out) == (constants.SCORING, 0)


def test_blocked():
    t = begun(trains="1:12-5, 2:12-6")
    do(t, "boneyard 0, press 1, press 2")
    assert t.phase == constants.PLAY
    do(t, "press 3")
    assert (t.phase, t.out) == (constants.SCORING, 0)


def test_a_tile_starts_the_passes_anew():
    t = begun(trains="1:12-5, 2:12-6")
    do(t, "boneyard 0, press 1, press 2, tap 12-0 3, press 1, press 2")
    assert t.phase == constants.PLAY
    do(t, "press 3")
    assert t.phase == constants.SCORING


def test_a_forced_draw():
    t = begun(trains="1:12-5")
    do(t, "boneyard 0")
    assert do(t, "draw 2") == "not-your-turn"
    assert do(t, "draw 1") == "ok"
    assert (t.turn, t.hand(1), t.boneyard, t.drawn) == (1, 16, 0, 1)


def one_left(house="goliath", seats=3, boneyard=30):
    """Seat 1 laid its last tile but one and gave no notice; seat 2 is to move."""
    t = begun(house, seats=seats, trains="1:12-5, 2:12-6, 3:12-7", hands=9)
    do(t, "boneyard %d, hand 1 2, tap 5-0 1" % boneyard)
    assert (t.turn, t.hand(1)) == (2, 1)
    return t


def test_the_penalty_for_a_forgotten_notice():
    # N19, N20: a press of M is "caught!", from the next seat's first input on
    t = one_left()
    assert do(t, "press M") == "not-now", "seat 2 has not moved yet"
    assert do(t, "tap 9-9 M") != "ok"
    assert do(t, "press M") == "not-now", "a refused input is none"
    do(t, "press 2")
    for seat in (1, 3):
        assert do(t, "press %d" % seat) == "not-your-turn"
    assert t.to_catch == 1 << 1
    assert do(t, "press M") == "ok"
    assert (t.by, t.did, t.turn, t.drawn) == (1, "caught", 2, 1)
    assert (t.hand(1), t.boneyard) == (2, 28)
    assert do(t, "press M") == "not-now", "once"
    t = one_left(boneyard=0)
    do(t, "tap 6-1 2")
    assert (do(t, "press M"), t.hand(1)) == ("ok", 1), "no tile to take"
    assert do(t, "press M") == "not-now"


def test_with_two_players_somebody_is_caught_as_well():
    t = one_left(seats=2)
    do(t, "tap 6-1 2")
    assert t.turn == 1
    assert (do(t, "press M"), t.hand(1)) == ("ok", 2)


def test_the_seat_that_forgot_last_is_caught_first():
    t = begun("goliath", trains="1:12-5, 2:12-6, 3:12-7", hands=9)
    do(t, "hand 1 2, hand 2 2, tap 5-0 1, tap 6-0 2, press 3")
    assert t.to_catch == 6
    do(t, "press M")
    assert (t.by, t.hand(1), t.hand(2)) == (2, 1, 2)
    do(t, "press M")
    assert (t.by, t.hand(1), t.hand(2)) == (1, 2, 2)


def test_nobody_is_caught_where_the_house_has_no_penalty():
    for house in ("puremco", "original", "quebec", "jassshop", "free"):
        t = begun(house, trains="1:12-5, 2:12-6", hands=2)
        do(t, "tap 5-0 1, press 1, press 2")
        assert (t.to_catch, do(t, "press M")) == (0, "not-now"), house


def test_a_notice_in_time():
    t = one_left()
    do(t, "press 1, press 2")
    assert do(t, "press M") == "not-now"


def test_a_forgotten_notice_is_safe_after_the_own_input():
    t = one_left()
    do(t, "tap 6-0 2, tap 7-0 3")
    assert (t.turn, t.to_catch) == (1, 2), "until the forgetful seat's own next input"
    before = bytes(t.state)
    assert (do(t, "press M"), t.hand(1)) == ("ok", 2)
    t.restore(before)
    assert do(t, "tap 9-9 M") != "ok"
    assert t.to_catch == 2, "a refused one is none"
    do(t, "press 1")
    assert (t.to_catch, do(t, "press M")) == (0, "not-now")


def test_caught_is_an_input_that_ends_no_time_for_a_notice():
    t = one_left()
    do(t, "hand 2 2, tap 6-0 2")
    do(t, "press M")
    assert (t.by, t.hand(1)) == (1, 2)
    assert (do(t, "press 2"), t.did) == ("ok", "knocked")


def test_a_penalty_always():
    t = one_left("goliath penalty-always")
    assert do(t, "tap 9-9 M") != "ok"
    assert (t.hand(1), t.fined) == (1, 0)
    before = bytes(t.state)
    assert do(t, "tap 6-0 2") == "ok"
    assert (t.by, t.did, t.fined) == (2, "laid", 1)
    assert (t.hand(1), t.boneyard, t.to_catch) == (2, 29, 0)
    assert do(t, "press M") == "not-now", "nothing is left to catch"
    do(t, "press 3")
    assert (t.hand(1), t.fined) == (2, 0), "once"
    t.restore(before)
    assert (t.hand(1), t.boneyard) == (1, 30)
    do(t, "press 1, press 2")
    assert (t.hand(1), t.fined, t.boneyard) == (1, 0, 29), "a notice in time"
    t = one_left("puremco penalty-always", boneyard=0)
    do(t, "press 2")
    assert (t.hand(1), t.fined) == (1, 0), "nothing from an empty boneyard"


# ---- "that was my last tile" ----


def test_that_was_my_last_tile_is_asked_twice_while_more_are_counted():
    t = begun(trains="1:12-5, 2:12-6", hands=9)
    do(t, "tap 5-0 1")
    assert (do(t, "press 1"), t.did) == ("ok", "knocked")
    before = bytes(t.state)
    assert do(t, "press 1") == "not-now"
    assert (bytes(t.state), t.phase) == (before, constants.PLAY)
    assert do(t, "press 1") == "ok"
    assert (t.phase, t.out, t.by, t.did, t.hand(1)) == (constants.SCORING, 1, 1, "out", 0)


def test_that_was_my_last_tile_is_asked_once_where_one_is_counted():
    t = begun(trains="1:12-5, 2:12-6", hands=2)
    do(t, "tap 5-0 1, press 1")
    assert (do(t, "press 1"), t.did, t.out) == ("ok", "out", 1)


def test_that_was_my_last_tile_is_asked_anew_after_any_accepted_input():
    for between in ("hand 3 4", "boneyard 9", "join 7", "leave 8", "score 1 3"):
        t = begun(trains="1:12-5, 2:12-6", hands=9)
        do(t, "join 8, tap 5-0 1, press 1")
        assert do(t, "press 1") == "not-now"
        accepted = do(t, between) == "ok"
        assert accepted == (between != "score 1 3")
        assert do(t, "press 1") == ("not-now" if accepted else "ok"), between
        if accepted:
            assert do(t, "press 1") == "ok"
    t = one_left()
    do(t, "press 2, hand 2 9, tap 6-0 2, press 2")
    assert (do(t, "press 2"), t.to_catch) == ("not-now", 2)
    do(t, "press M")
    assert do(t, "press 2") == "not-now", "caught is an input as well"
    assert do(t, "press 2") == "ok"
    t = begun(trains="1:12-5, 2:12-6", hands=9)
    do(t, "tap 5-0 1, press 1")
    assert do(t, "press 1") == "not-now"
    t.restore(bytes(t.state))
    assert do(t, "press 1") == "not-now", "a power cut"


def test_that_was_my_last_tile_repeated_from_the_journal_needs_no_second_press():
    t = begun(trains="1:12-5, 2:12-6", hands=9)
    do(t, "tap 5-0 1, press 1")
    assert t.apply(constants.PRESS, 1, 0, True) == constants.OK
    assert (t.phase, t.out) == (constants.SCORING, 1)


def test_who_was_asked_in_play_is_asked_again_when_counting():
    t = begun(trains="1:12-5, 2:12-6", hands=9)
    do(t, "tap 5-0 1, press 1")
    assert do(t, "press 1") == "not-now"
    do(t, "press E")
    assert (do(t, "press 1"), do(t, "press 1")) == ("not-now", "ok")


def test_a_draw_of_the_last_tile_leaves_none_for_a_fine():
    for line in ("press 2", "draw 2"):
        t = one_left("puremco penalty-always", boneyard=1)
        do(t, line)
        assert (t.hand(2), t.hand(1), t.fined, t.boneyard) == (10, 1, 0, 0), line
        t = one_left("puremco penalty-always", boneyard=2)
        do(t, line)
        assert (t.hand(2), t.hand(1), t.fined, t.boneyard) == (10, 2, 1, 0), line


def test_a_hand_becomes_empty_by_laying_alone():
    # `hand N 0`, then the engine from that seat, would make -1 tile
    t = new("jassshop")
    do(t, "press 1, press 2, press 3, press E")
    assert do(t, "hand 1 0") == "not-now"
    assert (do(t, "tap 12-12 1"), t.hand(1)) == ("ok", 14)
    assert do(t, "hand 1 0") == "not-now"
    do(t, "press E")
    assert (do(t, "hand 1 0"), t.hand(1)) == ("ok", 0)


def test_nothing_is_enforced_in_free():
    t = begun("free", trains="1:12-5")
    for line in ("tap 9-8 7", "tap 8-8 7", "tap 3-1 M", "tap 3-3 2"):
        assert do(t, line) == "ok"
        assert t.turn == 1, "the turn moves on a press"
    assert do(t, "tap 12-5 2") == "on-table"
    assert do(t, "tap 15-1 2") == "not-in-set"
    assert do(t, "tap 4-1 E") == "not-now"
    do(t, "press 1")
    assert t.turn == 2
    do(t, "press 3")
    assert t.turn == 3


# ---- scoring ----


def scored(house, hands, out=0):
    """Play a round's end: hands as lists of tiles; return the totals, as numbers."""
    t = begun(house, seats=len(hands), trains="1:12-5")
    if out:
        do(t, "turn %d, hand %d 1, override 12-3 M" % (out, out))
    else:
        do(t, "press E")
    for seat, held in enumerate(hands, 1):
        do(t, "hand %d %d" % (seat, len(held)))
        for text in held:
            assert do(t, "tap %s %d" % (text, seat)) == "ok"
        if seat != out:
            assert do(t, "press %d" % seat) == "ok"
    assert t.phase == constants.ENGINE
    return [t.total(seat) / 2 for seat in range(1, len(hands) + 1)]


def test_points():
    # N21, N22
    assert scored("puremco", (["5-7", "9-9", "0-0"], [], ["8-0"]), out=2) == [30, 0, 8]
    assert scored("puremco blank-25", (["0-0"], ["1-0"])) == [25, 1]
    assert scored("puremco blank-50", (["0-0"], ["1-0"])) == [50, 1]


def test_plus_points():
    # N24: 23 + 8 + 8; N25: the own five are not subtracted; N26: 51 shared
    hands = ([], ["11-12"], ["8-0"], ["6-2"])
    assert scored("jassshop plus-points", hands, out=1) == [39, 0, 0, 0]
    assert scored("jassshop plus-points", (["4-1"], ["10-9"], ["6-6"])) == [31, 0, 0]
    hands = (["9-1"], ["8-2"], ["12-11", "8-0"], ["11-9"])
    assert scored("jassshop plus-points", hands) == [25.5, 25.5, 0, 0]


def test_who_wins():
    # 9 pips against 4, seven times: the lowest total wins, or who won the others' pips
    for house, totals in (("puremco", (63, 28)), ("puremco plus-points", (0, 63))):
        t = new(house, 6)
        do(t, "press 1, press 2")
        for number in range(6, -1, -1):
            do(t, "tap %d-%d E, press E, score 1 9, score 2 4" % (number, number))
        assert t.phase == constants.FINISHED
        assert (t.total(1) // 2, t.total(2) // 2) == totals
        assert slots(t.winners) == "2"


# ---- take-back is restore; corrections ----


def test_restore_brings_everything_back():
    t = begun(trains="1:12-5, M:12-9")
    before = bytes(t.state)
    asked = (t.playable, t.turn, t.due)
    do(t, "tap 5-5 1, press 1")
    t.restore(before)
    assert (t.playable, t.turn, t.due) == asked
    assert bytes(t.state) == before


def test_leaving_and_joining():
    t = begun(seats=4, trains="1:12-5, 2:12-6")
    assert do(t, "leave 1") == "ok"
    assert (t.turn, slots(t.open_mask), t.hand(1)) == (2, "1", 0)
    assert do(t, "tap 5-0 1") == "ok", "its train is everybody's"
    assert do(t, "join 1") == "ok"
    assert do(t, "turn 1") == "not-now", "from the next round on"
    do(t, "press E, press E")
    assert slots(t.joined) == "1 2 3 4"


def test_who_joins_late_sits_in_the_lobby_behind_the_match():
    t = new("goliath")
    do(t, "press 1, press 2, tap 12-12 1, join 4, press E, press E")
    assert slots(t.joined) == "1 2 4", "the next round"
    do(t, "join 3, press E")
    assert (t.phase, slots(t.joined)) == (constants.FINISHED, "1 2 4")
    do(t, "press E")
    assert (t.phase, slots(t.joined)) == (constants.LOBBY, "1 2 3 4")


def test_who_comes_back_while_the_others_count_has_no_points():
    t = begun(seats=3)
    do(t, "press E, tap 6-3 3, leave 3, join 3")
    assert (t.points(3), t.total(3)) == (0, 0)
    do(t, "press E")
    assert slots(t.joined) == "1 2 3"
    do(t, "score 3 5")
    assert t.total(3) // 2 == 5, "what was counted before is no part of it"


def test_corrections_in_their_phase():
    t = new()
    for line in ("hand 1 3", "boneyard 3", "turn 1", "marker 1", "score 1 3", "draw 1"):
        assert do(t, line) == "not-now", line
    t = begun()
    for line in ("set 9", "house quebec", "hand 7 3", "turn 7", "marker 7", "hand 1 0"):
        assert do(t, line) == "not-now", line
    assert do(t, "hand 1 3") == "ok"
    assert t.hand(1) == 3


def test_a_turn_corrected_is_a_turn_anew():
    t = begun(trains="1:12-5")
    do(t, "tap 5-5 1, turn 3")
    assert (t.turn, slots(t.playable), t.drawn) == (3, "1", 0)


def test_a_turn_corrected_ends_the_time_for_a_notice():
    t = one_left()
    do(t, "turn 3")
    assert do(t, "press 1") == "not-your-turn"
    do(t, "press 3")
    assert t.to_catch == 0


def test_points_typed_in():
    t = begun(seats=2)
    do(t, "press E, score 1 12")
    assert t.phase == constants.SCORING
    do(t, "score 2 3")
    assert (t.phase, t.total(1) // 2, t.total(2) // 2) == (constants.ENGINE, 12, 3)
    do(t, "score 1 2")
    assert t.total(1) // 2 == 2


def test_a_hundred_forced_draws_are_no_exception():
    t = begun()
    for _ in range(300):
        assert do(t, "draw 1") == "ok"
    assert t.hand(1) == 255


def test_helpers_leave_no_trace():
    t = begun(trains="1:12-5")
    before = (t.boneyard, t.hand(1), t.open_mask)
    skip(t)
    do(t, "turn 1")
    assert (t.boneyard, t.hand(1), t.open_mask) == before
    assert tile("5-12") == tiles.tile(12, 5)


# ---- what only a long soak would meet ----


def test_bonus_tracks_are_for_who_has_begun():
    # D2: where no own train can be begun any more (N32), a bonus track cannot be begun either
    t = begun("goliath", trains="1:12-5, 2:12-3", seats=3)
    t.state[fields.USED + 12] = 13
    do(t, "turn 3")
    assert slots(t.playable) == "3"
    do(t, "turn 1")
    assert slots(t.playable) == "1 4 5 6 7 8 9 10 M"


def test_beside_a_lifted_double_the_second_tile_goes_on_the_own_train_too():
    # G3, H8: no tile of the double's number is left, so it need not be covered
    for house in ("puremco cover-on-double lift", "jassshop lift"):
        t = begun(house, trains="1:12-5, 2:12-6", seats=3)
        t.state[fields.USED + 9] = 13
        do(t, "override 9-9 M")
        assert (t.turn, slots(t.playable)) == (1, "1"), house


def test_a_mark_for_failing_under_the_own_double_in_the_opening():
    # M15: goliath puts no marker before the own train is begun, but one under an open double
    for lay, marked in (("turn 2", ""), ("turn 2, override 9-9 4", "2 4")):
        t = begun("goliath", trains="1:12-5", seats=3)
        do(t, lay)
        do(t, "press 2, press 2")
        assert slots(t.open_mask) == marked


def test_two_doubles_last_where_a_third_tile_is_wanted():
    # G9 with G4: without last-two the second double of puremco is not the last tile
    for last_two, verdict in (("yes", "ok"), ("no", "no-second-double")):
        t = begun("puremco", trains="1:12-5, M:12-9", hands=2)
        set_option(t, "last-two", last_two)
        do(t, "tap 5-5 1")
        assert do(t, "tap 9-9 M") == verdict


def test_a_lap_for_a_last_double():
    # M9: out is who laid it, whoever covers it, and with whatever tile
    def lapped():
        t = begun("jassshop last-double-lap", trains="1:12-5", seats=3)
        do(t, "hand 1 1, tap 5-5 1")
        assert (t.phase, t.turn) == (constants.PLAY, 2)
        return t

    t = lapped()
    do(t, "tap 5-4 1")
    assert (t.phase, t.out) == (constants.SCORING, 1)
    t = lapped()
    do(t, "hand 2 1, tap 5-4 1")
    assert (t.phase, t.out) == (constants.SCORING, 1), "though seat 2 has no tile either"
    t = lapped()
    do(t, "press 2, press 2, press 3, press 3")
    assert (t.phase, t.out) == (constants.SCORING, 1), "after the lap"
    t = lapped()
    do(t, "press E")
    assert (t.phase, t.out) == (constants.SCORING, 1)


def test_a_sequence_of_engines_has_an_end():
    # B3, B4: laid out, goliath's engines go down, and after 0-0 there is none
    t = new("goliath laid-out", 6)
    do(t, "press 1, press 2")
    for number in range(6, -1, -1):
        do(t, "tap %d-%d 1, press E, press E" % (number, number))
    assert t.phase == constants.FINISHED


def test_the_second_double_may_be_the_last_of_its_number():
    # playable: a train whose last free tile is a double that may not follow takes nothing
    t = begun("quebec", trains="1:12-5, M:12-9", hands=5)
    t.state[fields.USED + 9] = 12  # all but 9-9
    do(t, "tap 5-5 1")
    assert slots(t.playable) == "1"
    assert do(t, "tap 9-9 M") == "no-second-double"
    do(t, "press 1")
    assert slots(t.playable) == "1 M", "drawn"


def test_a_whole_first_train_with_a_double():
    # M11, G3: the second tile goes where the house allows; elsewhere it ends the turn
    t = new("original whole-first-train")
    do(t, "press 1, press 2, tap 12-12 1, tap 12-5 1, tap 5-5 1")
    assert (slots(t.playable), do(t, "tap 12-4 2")) == ("1 M", "closed")
    do(t, "tap 5-7 1")
    assert (slots(t.playable), do(t, "tap 12-4 M")) == ("1", "own-first")
    do(t, "tap 7-7 1, tap 12-4 M")
    assert t.turn == 2


def test_free_counts_to_the_end():
    t = new("free")
    do(t, "press 1, press 2, tap 12-12 1, hand 1 2, draw 1")
    assert (t.hand(1), t.drawn) == (3, 0), "the next press moves the turn, drawn or not"
    do(t, "tap 1-1 5, tap 2-3 7, tap 4-4 2")
    assert (t.phase, t.out) == (constants.SCORING, 1)


def test_free_with_a_lock_shows_what_is_due_from_the_next_turn_on():
    # a family's house may have both: what is enforced, and which double the lights show
    t = begun("free", trains="1:12-5")
    set_option(t, "lock", "yes")
    do(t, "tap 5-5 1")
    assert t.due == -1
    do(t, "press 1")
    assert (t.turn, t.due) == (2, 1)


def test_the_oldest_of_many_open_doubles_binds():
    # H6: by overrides there are more of them than the rules let happen
    t = begun(seats=5, trains="1:12-5, 2:12-6, 3:12-7, 4:12-8, 5:12-9")
    for seat in range(1, 6):
        do(t, "override %d-%d %d, press %d, press %d" % (seat + 4, seat + 4, seat, seat, seat))
        assert doubles(t) == list(range(1, seat + 1))
        assert (t.due, slots(t.playable)) == (1, "1")


def test_a_match_of_many_rounds_counts_beyond_two_bytes():
    t = begun(seats=2)
    for points in (255, 256, 65535, 65536, 70001, 200000):
        t.set_total(1, points)
        assert t.total(1) == points


def test_only_a_seat_that_plays_has_points_to_correct():
    t = begun(seats=2)
    do(t, "press E, press E")
    assert (do(t, "score 1 3"), do(t, "score 7 3")) == ("ok", "not-now")
    assert t.total(7) == 0


def test_an_empty_lobby_has_no_match_to_forget():
    t = new()
    assert t.apply(constants.FORGET) == constants.NOT_NOW
    do(t, "press 1")
    assert t.apply(constants.FORGET) == constants.OK
    assert t.joined == 0


def test_a_train_whose_seat_leaves_is_open_at_once():
    t = begun(seats=3, trains="1:12-5, 2:12-6, 3:12-7")
    assert slots(t.playable) == "1 M"
    do(t, "leave 3")
    assert slots(t.playable) == "1 3 M"
    do(t, "join 3")
    assert slots(t.playable) == "1 3 M"


def test_a_first_turn_is_each_seats_own():
    # C1: seat 3 had none yet, seat 1 had its own
    t = new("jassshop")
    do(t, "press 1, press 2, press 3, tap 12-12 1, tap 12-5 1, turn 1")
    assert slots(t.playable) == "1 M"
    do(t, "turn 3")
    assert slots(t.playable) == "3"
