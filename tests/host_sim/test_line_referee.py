# SPDX-License-Identifier: MIT
"""The referee of the line games alone: every rule and every reading, on small tables."""

from pathlib import Path

import pytest
from line_scripts import LineScript, Wrong, tile

from host_sim.games.line_games import sheets as line_sheets
from host_sim.games.line_games.lines import is_matador
from host_sim.games.line_games.referee import Referee as LineReferee
from roundhouse import tiles
from roundhouse.constants import E, M

FOLDER = Path(__file__).parents[1] / "scripts" / "games"


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.glob("*.table")))
def test_the_scripts_hold_for_the_referee(name):
    LineScript().run((FOLDER / name).read_text(), name)


def test_a_script_that_does_not_hold_is_noticed():
    with pytest.raises(Wrong, match="story:3: expect turn 3: it is 1"):
        LineScript().run("players 3\ngiven engine 12-12\nexpect turn 3", "story")


def story(text):
    """Carry out script lines and return the referee they lead to."""
    script = LineScript()
    script.run(text, "story")
    return script.referee


def table(house, lines="", **given):
    """A table in mid-round: `12-12; 1 12-5 5-7; 2 12-3`, the opening tile first."""
    opening, *rest = [part.strip() for part in lines.split(";")]
    said = ["house " + house, "players %d" % given.pop("players", 3), "given engine " + opening]
    said += ["given train " + line for line in rest]
    said += ["given %s %s" % pair for pair in given.items()]
    return story("\n".join([*said, "expect phase play"]))


def tap(r, text, slot, **how):
    return r.tap(slot, tile(text), **how)


def fits(r, slot):
    """Return the texts of the tiles that go on at a slot."""
    return {
        tiles.text(t)
        for t in range(tiles.size(r.set))
        if t not in r.laid and r.why_not(slot, t) == "ok"
    }


# ---- the rules that all share ----


def test_1_turns_go_up_and_around():
    r = table("classic", "12-12", players=4, turn=4)
    assert (tap(r, "12-1", 4), r.turn) == ("ok", 1)


@pytest.mark.parametrize("house", line_sheets.HOUSES)
def test_2_the_deal(house):
    r = LineReferee(house, 9, (1, 2, 3))
    r.press(E)
    view = r.view()
    size = view["hands"]["1"]
    assert (view["phase"], view["did"], view["by"], view["round"]) == ("engine", "dealt", None, 1)
    assert view["boneyard"] == 55 - 3 * size and view["engine"] is None and view["ends"] == {}


def test_3_the_highest_double_opens_and_is_the_turn_of_its_holder():
    r = LineReferee("classic", 12, (1, 2, 3))
    r.press(E)
    r.deal({1: [tile("12-11")], 2: [tile("3-3")], 3: [tile("8-8"), tile("1-0")]}, [])
    assert r.highest() == (3, tile("8-8"))
    assert tap(r, "8-8", 3) == "ok"
    view = r.view()
    assert (view["engine"], view["turn"], view["by"], view["did"]) == ("8-8", 1, 3, "opened")
    assert view["hands"] == {"1": 9, "2": 9, "3": 8}


@pytest.mark.parametrize("slot", [E, 5, M])
def test_3_the_opening_tile_is_laid_on_a_seats_station(slot):
    for press in ([], [E]):
        r = LineReferee("classic", 12, (1, 2, 3))
        assert [r.press(button) for button in press] == ["ok"] * len(press)
        assert tap(r, "12-12", slot) == "not-now"


def test_3_a_single_tile_opens_nothing():
    r = LineReferee("classic", 12, (1, 2))
    assert tap(r, "12-11", 1) == "not-now"
    r.press(E)
    assert tap(r, "12-11", 1) == "not-an-engine"
    assert tap(r, "13-13", 1) == "not-in-set"
    assert r.press(1) == "not-now"


def test_3_one_seat_alone_begins_nothing():
    r = LineReferee("classic", 12, (1,))
    assert (tap(r, "12-12", 1), r.press(E)) == ("not-now", "not-now")


def test_4_one_tile_a_turn():
    r = table("classic", "12-12; 1 12-5")
    assert tap(r, "5-5", 1) == "ok"
    assert (r.turn, r.by, r.did) == (2, 1, "laid")


def test_5_a_place_is_used_up():
    r = table("classic two-ends", "12-12; 1 12-5")
    assert r.view()["sides"] == {"12": 1}
    assert tap(r, "12-6", 2) == "ok"
    assert tap(r, "12-7", 3) == "closed"
    assert r.view()["sides"] == {} and r.view()["playable"] == ["1", "2"]


def test_6_draw_until_a_tile_fits_then_pass():
    r = table("classic", "12-12; 1 12-5", boneyard=2)
    for boneyard in (1, 0):
        assert r.press(1) == "ok"
        assert (r.boneyard, r.turn, r.drawn, r.by, r.did) == (boneyard, 1, True, 1, "drew")
    assert r.counts[1] == 11
    assert r.press(1) == "ok"
    assert (r.turn, r.drawn, r.by, r.did) == (2, False, 1, "passed")


def test_6_with_e_held_it_is_a_draw_whatever_the_counter_says():
    r = table("tiddle-a-wink", "12-12; 1 12-5", boneyard=0)
    assert r.draw(1) == "ok"
    assert (r.counts[1], r.boneyard, r.turn, r.did) == (6, 0, 1, "drew")
    assert (r.draw(2), r.draw(9)) == ("not-your-turn", "not-now")


def test_7_the_duty_to_play_is_trusted():
    r = table("classic", "12-12; 1 12-5")
    r.deal({1: [tile("5-4")], 2: [], 3: []}, [])
    assert (1, tile("5-4")) in r.moves()
    assert r.press(1) == "ok" and r.did == "drew"


def test_8_out_at_once_with_a_double_too():
    for house in ("classic", "tiddle-a-wink"):
        r = table(house, "12-12; 1 12-5", hand="1 1")
        assert tap(r, "5-5", 1) == "ok"
        assert (r.phase, r.out, r.turn) == ("scoring", 1, None)
        view = r.view()
        assert (view["open"], view["playable"], view["sides"]) == ([], [], {})


def test_9_blocked_by_as_many_passes_as_seats():
    r = table("classic", "12-12; 1 12-5", boneyard=0)
    assert [r.press(seat) for seat in (1, 2)] == ["ok", "ok"]
    assert tap(r, "5-4", 1) == "ok", "a laid tile starts anew"
    assert [r.press(seat) for seat in (1, 2)] == ["ok", "ok"] and r.phase == "play"
    assert r.press(3) == "ok" and (r.phase, r.out, r.did) == ("scoring", None, "passed")


def scored(r, left):
    """Tap {seat: "5-4 3-1"} and press done; return the scores."""
    for seat, texts in left.items():
        for text in texts.split():
            assert tap(r, text, seat) == "ok"
            assert (r.by, r.did) == (seat, "counted")
    for seat in left:
        while seat not in r.done and r.phase == "scoring":
            r.press(seat)
    return {int(seat): points for seat, points in r.view()["scores"].items()}


def test_10_the_sheets_example():
    """5, 19 and 12 are left: 14 and 7."""
    r = table("classic", "12-12")
    r.press(E)
    assert scored(r, {1: "3-2", 2: "10-9", 3: "7-5"}) == {1: 21, 2: 0, 3: 0}
    assert (r.phase, r.round, r.did) == ("engine", 2, "done")


def test_10_who_went_out_gets_all_that_is_left():
    r = table("classic", "12-12", hand="1 1")
    tap(r, "12-1", 1)
    assert scored(r, {2: "10-9", 3: "0-0"}) == {1: 19, 2: 0, 3: 0}


def test_11_the_match_ends_at_the_target():
    for house, target in (("classic", 100), ("matador to-61", 61), ("classic to-150", 150)):
        for points, phase in ((target, "finished"), (target - 1, "engine")):
            r = table(house, "9-9", score="1=%d" % (points - 15))
            r.press(E)
            assert scored(r, {1: "0-0", 2: "8-7", 3: "9-0"})[1] == points + 9
            assert r.phase == "finished"
            r = table(house, "9-9", score="1=%d" % (points - 24))
            r.press(E)
            assert scored(r, {1: "0-0", 2: "8-7", 3: "9-0"})[1] == points
            assert r.phase == phase and r.winners == ([1] if phase == "finished" else [])


def test_11_shared_places():
    r = table("classic", "12-12", score="1=120 2=90 3=120", hand="2 1")
    tap(r, "12-1", 1)
    r.turn = 2
    tap(r, "12-2", 2)
    assert scored(r, {1: "11-0", 3: "12-7"}) == {1: 120, 2: 120, 3: 120}
    assert r.view()["winner"] == [1, 2, 3]
    assert tap(r, "12-12", 1) == "not-now" and r.press(9) == "not-now"
    assert r.press(2) == "ok" and (r.phase, r.by, r.did) == ("lobby", 2, "cleared")
    assert r.view()["scores"] == {"1": 0, "2": 0, "3": 0}


# ---- Classic ----


def test_c1_four_places_at_the_opening_double():
    assert table("classic", "12-12").view()["sides"] == {"12": 4}
    assert table("classic two-ends", "12-12").view()["sides"] == {"12": 2}
    assert table("classic one-end", "12-12").view()["sides"] == {"12": 1}


def test_c13_every_double_has_four_sides():
    r = table("classic", "12-12; 1 12-5 5-5")
    assert r.view()["sides"] == {"12": 3, "5": 2} and r.view()["ends"] == {"1": 5}
    assert table("classic first-double", "12-12; 1 12-5 5-5").view()["sides"] == {"12": 3}


def test_c2_equal_numbers():
    r = table("classic", "11-11")
    assert tap(r, "5-3", 2) == "no-match"
    assert fits(r, 2) == {"11-%d" % n for n in range(11)} | {"12-11"}


def test_c3_hands_and_seats():
    for set_, seats, hand in ((6, 4, 5), (9, 6, 7), (12, 7, 9)):
        r = LineReferee("classic", set_, range(1, seats + 1))
        assert r.hand_size() == hand
        assert r.press(10) == "not-now", "no more may join"


def test_c5_any_end():
    r = table("classic", "12-12; 1 12-5; 2 12-6", turn=2)
    for text, slot in (("5-1", 1), ("6-2", 2), ("12-3", M)):
        assert tap(r.clone(), text, slot) == "ok"


def test_c6_blocked_only_with_an_empty_boneyard():
    r = table("classic", "12-12", boneyard=1)
    r.press(1)
    assert r.did == "drew"
    for seat in (1, 2, 3):
        r.press(seat)
    assert r.phase == "scoring"
    r = table("classic", "12-12", boneyard=1)
    assert r.press(E) == "ok" and (r.phase, r.did, r.by) == ("scoring", "round-over", None)


def test_c7_x5_the_difference_to_each_other_seat():
    r = table("matador", "9-9")
    r.press(E)
    assert scored(r, {1: "4-1", 2: "6-5", 3: "8-3"}) == {1: 12, 2: 0, 3: 0}


def test_c9_a_pass_loses_this_turn():
    r = table("block", "12-12")
    r.press(1)
    r.press(2)
    assert tap(r, "12-1", 3) == "ok" and r.turn == 1


def test_c14_no_tile_stays_in_the_boneyard():
    r = table("classic", "12-12", boneyard=1, players=2)
    assert r.press(1) == "ok" and (r.did, r.boneyard) == ("drew", 0)


def test_c15_two_may_play_anything():
    for house in line_sheets.HOUSES:
        r = LineReferee(house, None, (1, 2))
        assert r.press(E) == "ok"


def test_c16_the_sets_15_and_18():
    for set_ in (15, 18):
        r = LineReferee("classic", set_, range(1, 8))
        assert r.hand_size() == 9 and r.press(8) == "not-now"


def tie(house, left):
    r = table(house, "12-12", players=len(left))
    r.press(E)
    return list(scored(r, dict(enumerate(left, 1))).values())


def test_t1_several_lowest_hands():
    left, three = ["4-1", "3-2", "7-5"], ["4-1", "3-2", "5-0", "6-6"]
    assert tie("classic", left) == [0, 0, 0]
    assert tie("classic tie-shared", left) == [3.5, 3.5, 0]
    assert tie("classic tie-each", left) == [7, 7, 0]
    assert tie("classic tie-shared", three) == [2, 2, 2, 0], "7 among three, down to halves"


def test_t1_out_is_no_tie():
    r = table("classic", "12-12", hand="1 1", players=2)
    tap(r, "12-1", 1)
    assert scored(r, {2: "0-0"}) == {1: 0, 2: 0} and r.did == "done"


def test_t2_a_match_ends_only_after_a_round():
    r = table("classic", "12-12", score="1=200")
    assert tap(r, "12-1", 1) == "ok" and r.phase == "play"
    r = LineReferee("classic", 12, (1, 2))
    r.press(E)
    assert r.press(E) == "ok" and (r.phase, r.did) == ("finished", "match-over"), "or with E"


def test_t3_the_highest_double_opens_every_round():
    r = table("classic", "12-12")
    r.press(E)
    scored(r, {1: "3-2", 2: "10-9", 3: "7-5"})
    assert tap(r, "5-5", 3) == "ok" and (r.turn, r.round) == (1, 2)


def test_t4_the_double_blank():
    for house, points in (("classic", 0), ("classic blank-25", 25), ("classic blank-50", 50)):
        r = table(house, "12-12", hand="1 1", players=2)
        tap(r, "12-1", 1)
        assert scored(r, {2: "0-0"})[1] == points


def test_t5_the_notice_and_that_was_my_last_tile():
    r = table("classic", "12-12", hand="1 2")
    tap(r, "12-1", 1)
    assert r.press(3) == "not-your-turn"
    assert r.press(1) == "ok" and (r.by, r.did, r.phase) == (1, "knocked", "play")
    assert r.press(1) == "ok" and (r.by, r.did, r.phase) == (1, "out", "scoring")
    assert r.counts[1] == 0 and r.out == 1


def test_t5_with_more_tiles_counted_one_more_press_is_wanted():
    r = table("classic", "12-12", hand="1 3")
    tap(r, "12-1", 1)
    assert [r.press(1) for _ in range(2)] == ["ok", "not-now"]
    assert r.view()["did"] is None and r.press(M) == "ok", "M asks nobody anew"
    assert r.press(1) == "ok" and r.phase == "scoring"


def test_t5_the_next_input_ends_the_time_for_it():
    r = table("classic", "12-12", hand="1 2")
    tap(r, "12-1", 1)
    r.press(1)
    r.press(2)
    assert r.press(1) == "not-your-turn"


# ---- Matador ----


def test_x1_six_players():
    assert LineReferee("matador", 9, range(1, 7)).hand_size() == 7
    assert LineReferee("matador five-each", 9, range(1, 7)).hand_size() == 5
    assert LineReferee("matador", 9, range(1, 8)).hand_size() == 5


def test_x2_the_double_nine_and_what_adds_up():
    assert LineReferee("matador").set == 9 and LineReferee("classic").set == 12
    for set_, total in ((6, 7), (9, 10), (12, 13)):
        r = LineReferee("matador", set_, (1, 2))
        matadors = [t for t in range(tiles.size(set_)) if is_matador(t, total)]
        assert len(matadors) == total // 2 + 1
        assert r.lines.joins(tile("2-1"), total - 1) == (2,)
        assert r.lines.joins(tile("2-1"), total - 2) == (1,)


def test_x2_the_six_matadors_of_the_sheet():
    matadors = {"9-1", "8-2", "7-3", "6-4", "5-5", "0-0"}
    assert {tiles.text(t) for t in range(55) if is_matador(t, 10)} == matadors
    r = table("matador", "9-9; 1 1-0")
    assert fits(r, 1) == matadors, "a blank end takes Matadors alone"


def test_x2_ten_with_another_set():
    r = story("house matador ten\nset 12\nplayers 3\npress E\ntap 10-10 1")
    assert r.turn == 2 and fits(r, 5) >= {"10-0", "6-4", "0-0"} and "10-3" not in fits(r, 5)
    tap(r, "12-0", 5)
    assert fits(r, 5) == {"9-1", "8-2", "7-3", "6-4", "5-5", "0-0"}, "12 takes Matadors alone"
    tap(r, "6-4", 5)
    tap(r, "6-0", 5)
    assert r.lines.ends(5) == [0]
    assert fits(r, 5) == {"9-1", "8-2", "7-3", "5-5", "0-0"}, "a blank too, no 10 takes it"


def test_x7_without_a_double_the_highest_tile_opens():
    r = LineReferee("matador", 9, (1, 2))
    r.press(E)
    r.deal({1: [tile("8-6"), tile("9-4")], 2: [tile("9-5")]}, [])
    assert r.highest() == (2, tile("9-5")), "equal sums: the higher half"
    assert tap(r, "9-5", 2) == "ok" and r.turn == 1
    assert r.view()["engine"] == "9-5" and r.view()["sides"] == {"9": 1, "5": 1}


def test_x7_classic_mixes_again():
    r = LineReferee("classic", 9, (1, 2))
    r.press(E)
    r.deal({1: [tile("8-6")], 2: [tile("9-5")]}, [])
    assert r.highest() is None


def test_x8_any_tile_of_that_seat_is_accepted():
    r = LineReferee("matador", 9, (1, 2))
    assert tap(r, "9-6", 1) == "not-now", "a single tile waits for the deal"
    r.press(E)
    assert tap(r, "9-6", 1) == "ok"


def test_x9_two_ends_and_doubles_endwise():
    r = table("matador", "9-9; 1 1-2")
    tap(r, "8-8", 1)
    assert r.view()["sides"] == {"9": 1} and r.view()["ends"] == {"1": 8}
    assert table("matador every-double", "9-9; 1 1-2 8-8").view()["sides"] == {"9": 3, "8": 2}
    assert table("matador first-double", "9-9").view()["sides"] == {"9": 4}


def test_x10_a_matador_leaves_either_number_open():
    r = table("matador", "9-9; 1 1-4")
    tap(r, "7-3", 1)
    assert r.view()["ends"] == {"1": [7, 3]}
    assert fits(r, 1) == fits(table("matador", "9-9; 1 1-4 7-3"), 1)
    assert "7-6" in fits(r, 1) and "3-0" in fits(r, 1) and "2-0" not in fits(r, 1)
    tap(r, "3-0", 1)
    assert r.view()["ends"] == {"1": 0}
    for text, end in (("5-5", 5), ("0-0", 0)):
        r = table("matador", "9-9; 1 1-4")
        tap(r, text, 1)
        assert r.view()["ends"] == {"1": end}


def test_x10_who_sees_the_table_goes_by_how_it_lies():
    r = table("matador", "9-9; 1 1-4")
    r.deal({1: [], 2: [tile("7-0"), tile("3-0"), tile("2-0")], 3: []}, [])
    tap(r, "7-3", 1, lie=(None, 3))
    assert [tiles.text(t) for slot, t in r.moves() if slot == 1] == ["7-0"]
    assert tap(r, "3-0", 1) == "ok", "the hub cannot know"


def test_x11_drawing_with_a_matador_in_hand_is_trusted():
    r = table("matador", "9-9", boneyard=5)
    r.deal({1: [tile("0-0")], 2: [], 3: []}, [])
    assert r.moves() and r.press(1) == "ok" and r.did == "drew"


def test_x12_at_most_eight():
    r = LineReferee("matador", 9, range(1, 9))
    assert r.hand_size() == 5 and r.press(9) == "not-now"
    assert [LineReferee("matador", 6, range(1, n + 1)).hand_size() for n in (2, 3, 4)] == [7, 6, 5]


def test_the_beginning_of_a_line_is_told_by_the_next_tile():
    r = story("house matador\nplayers 3\npress E\ntap 9-6 2\ntap 4-1 1")
    assert r.view()["ends"] == {"1": [4, 1]} and r.view()["sides"] == {"9": 1, "6": 1}
    later = r.clone()
    tap(later, "6-3", 1)
    assert later.view()["ends"] == {"1": 3} and later.view()["sides"] == {"6": 1}, "4 lay on the 6"
    tap(r, "9-6", 1)
    assert r.view()["sides"] == {"9": 1, "6": 1}, "never known"
    tap(r, "1-0", 7)
    assert r.view()["sides"] == {} and r.lines.sides == [6]


# ---- Tiddle-a-Wink ----


def test_w1_two_ends():
    assert table("tiddle-a-wink", "12-12").view()["sides"] == {"12": 2}
    assert table("tiddle-a-wink", "12-12; 1 12-5 5-5").view()["sides"] == {"12": 1}
    assert table("tiddle-a-wink every-double", "12-12").view()["sides"] == {"12": 4}


def test_w2_equal_numbers():
    assert tap(table("tiddle-a-wink", "12-12"), "11-1", 1) == "no-match"


def test_w3_a_further_turn_is_played_or_passed():
    r = table("tiddle-a-wink", "12-12; 1 12-5", hand="1 4")
    tap(r, "5-5", 1)
    assert r.turn == 1 and r.last is None, "a press is no notice"
    r.press(1)
    assert (r.turn, r.did, r.passes) == (2, "passed", 1)


def test_w3_the_opening_double_too():
    r = LineReferee("tiddle-a-wink", 12, (1, 2, 3))
    assert tap(r, "12-12", 2) == "ok" and (r.turn, r.did) == (2, "opened")


def test_w4_no_drawing():
    r = table("tiddle-a-wink", "12-12")
    r.press(1)
    assert (r.did, r.boneyard, r.counts[1]) == ("passed", 75, 5)
    r = table("classic no-draw", "12-12")
    r.press(1)
    assert r.did == "passed"


def test_w5_the_last_tile_a_double():
    r = table("tiddle-a-wink", "12-12; 1 12-5", hand="2 1", turn=2)
    assert tap(r, "5-5", 1) == "ok" and (r.phase, r.out) == ("scoring", 2)


def test_w6_seats_and_sets():
    for set_, seats in ((6, 5), (9, 10), (12, 10)):
        assert line_sheets.most_seats("tiddle-a-wink", set_) == seats
        assert LineReferee("tiddle-a-wink", set_, range(1, seats + 1)).press(E) == "ok"


def test_w7_g_is_a_press():
    r = table("tiddle-a-wink", "12-12")
    assert r.press(1) == "ok" and r.turn == 2


def test_w8_five_tiles_with_every_set():
    assert {LineReferee("tiddle-a-wink", s, (1, 2)).hand_size() for s in (6, 9, 12, 18)} == {5}


# ---- taps, exactly ----


def test_the_first_word_that_applies():
    r = table("classic two-ends", "12-12; 1 12-5; 2 12-6")
    assert tap(r, "13-13", E) == "not-now"
    assert tap(r, "13-13", 3) == "not-in-set"
    assert tap(r, "12-12", 3) == "on-table"
    assert tap(r, "7-7", 3) == "closed"
    assert tap(r, "7-7", 1) == "no-match"
    assert r.view()["by"] is None and r.view()["did"] is None


def test_a_line_begins_on_any_empty_slot_as_long_as_there_is_one():
    r = LineReferee("classic", 12, (1, 2), stations=4)
    tap(r, "12-12", 1)
    for text, slot in (("12-1", 4), ("12-2", M), ("12-3", 3), ("12-12", 2)):
        tap(r, text, slot)
    assert r.view()["playable"] == ["1", "2", "3", "4", "M"] and r.view()["sides"] == {"12": 1}
    assert [tap(r, "3-3", 3), tap(r, "3-4", 1), tap(r, "3-5", 2)] == ["ok"] * 3
    assert r.lines.room == 1 and r.view()["sides"] == {}, "every slot has a line"


def test_override_begins_a_line_without_room():
    r = table("classic two-ends", "12-12; 1 12-5; 2 12-6")
    assert tap(r, "9-3", 4, override=True) == "ok"
    assert r.view()["ends"]["4"] == [9, 3] and (r.lines.room, r.turn, r.did) == (0, 2, "laid")
    assert tap(r, "3-1", 4) == "ok" and r.view()["ends"]["4"] == 1
    for text, slot, word in (
        ("13-0", 4, "not-in-set"),
        ("9-3", 4, "on-table"),
        ("9-2", E, "not-now"),
    ):
        assert tap(r, text, slot, override=True) == word


def test_override_that_fits_is_as_without():
    one, other = table("classic", "12-12; 1 12-5"), table("classic", "12-12; 1 12-5")
    tap(one, "5-5", 1)
    tap(other, "5-5", 1, override=True)
    assert one.view() == other.view()


def test_scoring_done_with_tiles_missing():
    r = table("classic", "12-12", hand="1 1", players=2)
    tap(r, "12-1", 1)
    tap(r, "8-8", 2)
    assert r.press(1) == "not-now", "who went out is done"
    assert r.press(2) == "not-now" and r.press(2) == "ok"
    assert r.totals == {1: 32, 2: 0}


def test_scoring_a_tap_reopens():
    r = table("classic", "12-12", hand="2 1")
    r.press(E)
    assert tap(r, "8-7", 2) == "ok" and r.press(2) == "ok" and 2 in r.done
    assert tap(r, "8-6", 2) == "ok" and 2 not in r.done
    assert [tap(r, "8-5", 9), tap(r, "8-5", E), tap(r, "8-6", 1)] == [
        "not-now",
        "not-now",
        "on-table",
    ]
    assert r.press(E) == "ok" and r.did == "round-over"


def test_the_lobby():
    r = LineReferee("classic", 6, (1, 2, 3))
    assert r.press(7) == "ok" and (r.by, r.did) == (7, "joined")
    assert r.press(8) == "not-now", "double six is for four"
    assert r.press(2) == "ok" and (r.by, r.did) == (2, "left")
    assert r.view()["hands"] == {"1": 0, "3": 0, "7": 0}
    assert tap(r, "5-5", 2) == "not-now" and tap(r, "5-5", 7) == "ok"
    assert r.turn == 1


def test_nothing_fits_any_more():
    r = table("classic two-ends", "0-0; 1 0-1; 2 0-2", players=2)
    assert not r.dead()
    r.laid |= {t for t in range(91) if {1, 2} & {tiles.HIGH[t], tiles.LOW[t]}}
    assert r.dead()
