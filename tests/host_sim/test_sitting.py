# SPDX-License-Identifier: MIT
"""People and bots at one simulated hub: who is waited for, hands, take-back, and being killed."""

import json
import os
import random

import pytest
from core_sitting import CoreSitting

from host_sim.people import match_mark
from host_sim.people.match_mark import MARK
from host_sim.people.sitting import Sitting
from host_sim.people.who_holds import number
from host_sim.views.speech import LANGUAGES, Speech
from roundhouse import tiles

# every game, and the variants that change what a turn is; with its smallest usual set
TABLES = [
    *(
        ("puremco", 9),
        ("original", 9),
        ("quebec", 9),
        ("jassshop", 9),
        ("goliath", 9),
        ("free", 6),
    ),
    *(("classic", 6), ("matador", 9), ("tiddle-a-wink", 9), ("draw", 6), ("block", 6)),
    *(("puremco whole-first-train", 9), ("goliath penalty-always last-double-lap", 9)),
]


def do_one(sitting, forgets=False):
    """Whatever is waited for; a person does what the hint says. forgets: to knock."""
    waiting = sitting.waits_for()
    if waiting.kind == "round":
        sitting.next_round()
    elif waiting.kind == "knock":
        if forgets:
            sitting.no_knock()
        else:
            assert sitting.button(waiting.seat) == "knock"
            assert sitting.presses(waiting.seat)
    elif waiting.kind == "person":
        follow(sitting, waiting.seat)
    else:
        assert sitting.act(), sitting.line
        assert sitting.line["verdict"] == "ok", sitting.line
    agrees(sitting)


def follow(sitting, seat):
    """A person does what the hint says: it is never refused."""
    hint = sitting.hint(seat)
    assert all(hint.text(Speech(language)) for language in LANGUAGES)
    if hint.tile:
        assert hint.slot in sitting.fits(seat)[hint.tile]
        assert sitting.lays(seat, hint.tile, hint.slot), sitting.line
    else:
        assert hint.why == sitting.button(seat)
        assert sitting.presses("E" if hint.why == "over" else seat), sitting.line


def agrees(sitting):
    """The hands are what the hub has counted, and every tile is in one place."""
    line = sitting.line
    if line["phase"] != "play":
        return
    counts = {str(seat): len(hand) for seat, hand in sitting.hands.items()}
    assert counts == line["hands"], line
    assert len(sitting._known().stock) == line["boneyard"]
    assert set(sitting._moves.own_doubles(line["turn"])) <= set(line["doubles"])
    state = sitting.board.hub.table
    held = [tile for hand in sitting.hands.values() for tile in hand] + sitting._known().stock
    lie = [tile for tile in range(tiles.size(sitting.set)) if state.laid(tile)]
    assert sorted(held + lie) == list(range(tiles.size(sitting.set)))


def plays(sitting, rounds=1, **how):
    """Play until so many rounds are counted, or the match is over."""
    for _ in range(5000):
        waiting = sitting.waits_for()
        if waiting.kind == "over" or (waiting.kind == "round" and sitting.line["round"] > rounds):
            return sitting
        do_one(sitting, **how)
    raise AssertionError("no end: %s" % sitting.line)


def until(sitting, reached):
    for _ in range(5000):
        if reached(sitting):
            return sitting
        do_one(sitting)
    raise AssertionError("never: %s" % sitting.line)


# ---- every table ----


PEOPLE = [(1, 3), (2,), (1, 2, 3, 4), ()]


@pytest.mark.parametrize("number", range(len(TABLES)), ids=[house for house, _ in TABLES])
def test_every_table_plays(tmp_path, number):
    """Whoever sits there: people at some seats, at all of them, or at none."""
    house, set_ = TABLES[number]
    sitting = Sitting(tmp_path, (1, 2, 3, 4), PEOPLE[number % 4], house, set_, seed=number)
    plays(sitting)
    assert set(sitting.line["scores"]) == {"1", "2", "3", "4"}
    assert sitting.waits_for().kind in ("round", "over")


@pytest.mark.slow
@pytest.mark.parametrize("house, set_", TABLES)
def test_many_seeds_on_the_core(house, set_):
    for seed in range(6):
        CoreSitting(dict.fromkeys((1, 2, 5, 9), "good"), house, set_, seed).play(3)


@pytest.mark.slow
def test_a_match_ends(tmp_path):
    """All seven rounds of a set of six."""
    sitting = Sitting(tmp_path, (2, 7), (), "puremco", 6, strength="easy")
    plays(sitting, rounds=99)
    assert sitting.waits_for().kind == "over"
    assert sitting.line["round"] == 7 and sitting.line["winner"]
    assert not sitting.act() and sitting.button(2) is None and sitting.hint(2) is None
    again = Sitting.resume(tmp_path)
    assert again.waits_for().kind == "over" and again.line["scores"] == sitting.line["scores"]


def test_a_match_is_ended_between_rounds(tmp_path):
    sitting = plays(Sitting(tmp_path, house="goliath", set_=6))
    assert not Sitting(tmp_path / "other").end_match()
    assert sitting.end_match() and sitting.waits_for().kind == "over"


# ---- who is waited for ----


def test_nobody_else_acts_in_a_persons_turn(tmp_path):
    sitting = until(Sitting(tmp_path, seed=5), lambda s: s.waits_for() == ("person", 1))
    lines = len(sitting.board.lines)
    assert not sitting.act()
    assert len(sitting.board.lines) == lines
    assert not sitting.fits(2)  # out of turn


def test_the_next_round_waits_and_shows_what_is_left(tmp_path):
    sitting = Sitting(tmp_path, (1, 2), (1,), set_=6)
    until(sitting, lambda s: s.line["phase"] == "scoring")
    hands = {seat: list(hand) for seat, hand in sitting.hands.items()}
    taps = 0
    while sitting.waits_for().kind == "table":
        left = sum(len(sitting.left(seat)) for seat in (1, 2))
        assert sitting.act()
        taps += sitting.line["did"] == "counted"
        assert sum(len(sitting.left(seat)) for seat in (1, 2)) <= left
    assert taps == sum(map(len, hands.values()))
    assert sitting.waits_for() == ("round", None) and sitting.hands == hands
    assert not sitting.act()
    again = Sitting.resume(tmp_path)
    assert again.waits_for() == ("round", None) and again.hands == hands
    sitting.next_round()
    assert sitting.waits_for() == ("table", None)
    assert {len(hand) for hand in sitting.hands.values()} == set(sitting.line["hands"].values())
    assert sitting.hands != hands


def one_left(tmp_path, house, people=(1,)):
    """A person has laid the last tile but one."""
    sitting = Sitting(tmp_path, (1, 2, 3), people, house, 6, seed=3, strength="easy")
    return until(sitting, lambda s: s.waits_for().kind == "knock")


def test_a_knock_is_waited_for(tmp_path):
    sitting = one_left(tmp_path, "goliath")
    assert sitting.waits_for() == ("knock", 1) and len(sitting.hand(1)) == 1
    assert not sitting.act()
    assert sitting.presses(1) and sitting.line["did"] == "knocked"
    # a second press would be "that was my last tile"
    assert sitting.button(1) is None and not sitting.presses(1)
    assert sitting.line["did"] == "knocked"
    assert sitting.waits_for().kind == "bot"


def test_who_does_not_knock_is_caught_by_bots(tmp_path):
    sitting = one_left(tmp_path, "goliath")
    sitting.strength = "good"
    sitting.no_knock()
    assert sitting.catches() is None
    assert sitting.act()  # the next seat's first input
    assert sitting.catches() == 1
    assert sitting.act()
    assert (sitting.line["did"], sitting.line["by"]) == ("caught", 1)
    assert len(sitting.hand(1)) == 2 and sitting.catches() is None
    agrees(sitting)


def test_a_forgotten_knock_costs_nothing_in_most_houses(tmp_path):
    sitting = one_left(tmp_path, "puremco")
    sitting.no_knock()
    assert sitting.act() and sitting.catches() is None


@pytest.mark.slow
@pytest.mark.parametrize("house", ["goliath", "goliath penalty-always", "puremco"])
def test_forgetful_people_play_on(tmp_path, house):
    plays(Sitting(tmp_path, (1, 2, 3), (1, 3), house, 6, seed=8), rounds=2, forgets=True)


def test_bots_knock(tmp_path):
    sitting = Sitting(tmp_path, (1, 2, 3), (), "goliath", 6)
    plays(sitting, rounds=3)
    assert "knocked" in {line["did"] for line in sitting.past}


# ---- sitting and standing ----


def test_a_bot_plays_on_for_who_gets_up(tmp_path):
    sitting = until(Sitting(tmp_path, names={1: "Ana"}), lambda s: s.waits_for().kind == "person")
    hand = sitting.hand(1)
    sitting.stand(1)
    assert sitting.waits_for() == ("bot", 1) and sitting.hand(1) == hand
    sitting.sit(2, "Zoe")
    until(sitting, lambda s: s.waits_for().kind == "person")
    assert sitting.waits_for() == ("person", 2)
    again = Sitting.resume(tmp_path)
    assert again.people == {2} and again.names == {1: "Ana", 2: "Zoe"}
    with pytest.raises(ValueError):
        sitting.sit(9)


def test_a_folder_has_one_match(tmp_path):
    Sitting(tmp_path)
    with pytest.raises(ValueError):
        Sitting(tmp_path)
    assert Sitting.resume(tmp_path / "none") is None


# ---- hands ----


def test_a_hand_keeps_its_order(tmp_path):
    sitting = until(Sitting(tmp_path, seed=2), lambda s: s.waits_for().kind == "person")
    sitting.sort(1, "by number")
    hand = sitting.hand(1)
    assert hand == sorted(hand, key=lambda text: [-int(n) for n in text.split("-")])
    moved = hand[-1]
    sitting.move(1, moved, 0)
    assert sitting.hand(1) == [moved, *hand[:-1]]
    assert Sitting.resume(tmp_path).hand(1) == [moved, *hand[:-1]]
    sitting.presses(1)  # a draw
    assert sitting.hand(1)[:-1] == [moved, *hand[:-1]]
    with pytest.raises(ValueError):
        sitting.move(1, "0-0" if "0-0" not in hand else "1-0", 0)
    with pytest.raises(ValueError):
        sitting.sort(1, "by colour")


def test_by_what_follows_begins_with_the_longest_train(tmp_path):
    sitting = until(Sitting(tmp_path, seed=4), lambda s: s.waits_for().kind == "person")
    sitting.sort(1, "by what follows")
    hand = sitting.hand(1)
    end = int(sitting.line["engine"].split("-")[0])
    length = 0
    for text in hand:
        halves = [int(n) for n in text.split("-")]
        if end not in halves:
            break
        halves.remove(end)
        end = halves[0]
        length += 1
    assert length >= 4, hand
    rest = hand[length:]
    assert rest == sorted(rest, key=lambda text: [-int(n) for n in text.split("-")])


def test_a_tile_of_somebody_else_is_not_laid(tmp_path):
    sitting = until(Sitting(tmp_path), lambda s: s.waits_for().kind == "person")
    with pytest.raises(ValueError):
        sitting.lays(1, sitting.hand(2)[0], "1")


def test_a_line_may_begin_at_any_empty_station(tmp_path):
    sitting = Sitting(tmp_path, (1, 2), (1, 2), "classic", 6)
    until(sitting, lambda s: s.waits_for().kind == "person" and s.fits(s.line["turn"]))
    seat = sitting.line["turn"]
    slots = next(iter(sitting.fits(seat).values()))
    assert slots[0] == str(seat) and set(slots) == set(sitting.line["playable"])


# ---- the button ----


def test_what_the_button_means(tmp_path):
    sitting = until(Sitting(tmp_path), lambda s: s.waits_for().kind == "person")
    assert sitting.button(1) == "draw" and sitting.button(2) is None
    sitting.presses(1)
    assert sitting.line["drawn"] and sitting.button(1) == "pass"


def test_a_third_tile_is_owed(tmp_path):
    """Two doubles in a turn: then a press has no meaning. Easy bots lay two in this match."""
    sitting = Sitting(tmp_path, (1, 2), (), "puremco", 6, seed=20, strength="easy")
    while len(sitting._moves.own_doubles(sitting.line["turn"])) < 2:
        assert sitting.waits_for().kind != "round"
        sitting.act()
    seat = sitting.line["turn"]
    assert sitting.button(seat) is None
    assert not sitting.presses(seat) and sitting.line["verdict"] == "cover-it"


def test_a_whole_first_train_is_done_with_a_press(tmp_path):
    sitting = Sitting(tmp_path, (1, 2), (1, 2), "puremco whole-first-train", 9, seed=1)
    until(sitting, lambda s: s.waits_for().kind == "person" and s.button(s.line["turn"]) == "done")
    seat, turn = sitting.line["turn"], sitting.line["turn"]
    assert sitting.presses(seat) and sitting.line["did"] == "passed"
    assert sitting.line["turn"] != turn and not sitting.line["open"]


def test_block_passes_and_draw_draws(tmp_path):
    for house, word in (("block", "pass"), ("draw", "draw")):
        sitting = Sitting(tmp_path / house, (1, 2), (1, 2), house, 6)
        until(sitting, lambda s: s.waits_for().kind == "person")
        assert sitting.button(sitting.line["turn"]) == word


def test_where_nothing_is_enforced(tmp_path):
    sitting = Sitting(tmp_path, (1, 2), (1, 2), "free", 6)
    until(sitting, lambda s: s.waits_for().kind == "person")
    seat = sitting.line["turn"]
    assert sitting.button(seat) == "pass"
    count = len(sitting.hand(seat))
    assert sitting.draws(seat) and sitting.line["did"] == "drew"
    assert len(sitting.hand(seat)) == count + 1
    agrees(sitting)
    assert sitting.lays(seat, sitting.hand(seat)[0], "M")
    assert sitting.button(seat) == "done"


# ---- taking back ----


def test_taking_back_says_what(tmp_path):
    sitting = Sitting(tmp_path, (1, 2), (1, 2))
    until(sitting, lambda s: s.waits_for().kind == "person" and s.fits(s.line["turn"]))
    seat = sitting.line["turn"]
    hand = sitting.hand(seat)
    tile, (slot, *_) = next(iter(sitting.fits(seat).items()))
    sitting.lays(seat, tile, slot)
    assert sitting.undoes() == sitting.undoes(seat) == (seat, "laid", tile, slot)
    assert sitting.take_back()
    assert sitting.hand(seat) == hand and sitting.line["turn"] == seat
    assert sitting.put_back() and sitting.undoes().tile == tile
    assert not sitting.put_back()
    sitting.take_back()
    sitting.presses(seat)
    assert sitting.undoes() == (seat, "drew", None, str(seat))
    assert not sitting.put_back()


def test_a_person_takes_the_own_move_back_with_those_of_bots(tmp_path):
    sitting = until(Sitting(tmp_path, seed=4), lambda s: s.waits_for().kind == "person")
    hands, line = sitting.hands, sitting.line
    first = sitting.hint(1)
    follow(sitting, 1)
    until(sitting, lambda s: s.waits_for().kind == "person")
    told = sitting.line["hands"], sitting.line["ends"]
    assert sitting.undoes(own=1).tile == first.tile
    assert sitting.undoes().seat != 1
    assert sitting.take_back(own=1)
    assert sitting.hands == hands and sitting.line["ends"] == line["ends"]
    assert sitting.put_back()
    assert (sitting.line["hands"], sitting.line["ends"]) == told


@pytest.mark.slow
def test_nothing_before_the_first_deal_is_taken_back(tmp_path):
    sitting = Sitting(tmp_path)
    assert sitting.undoes() is None and not sitting.take_back() and not sitting.take_back(own=1)
    sitting.act()
    assert sitting.undoes().did == "opened"
    assert sitting.take_back() and sitting.hands == {}
    assert sitting.line["phase"] == "lobby"
    assert not sitting.take_back()
    plays(sitting)


@pytest.mark.slow
@pytest.mark.parametrize("house, set_", [("puremco", 6), ("jassshop", 6), ("classic", 6)])
def test_back_into_the_round_before_after_a_resume(tmp_path, house, set_):
    """All hands come back one by one, and all of them again with redo."""
    sitting = Sitting(tmp_path, (1, 2), (), house, set_)
    seen = []

    def note():
        seen.append((sitting.hands, len(sitting.past), sitting.line["hands"]))

    note()
    while sitting.line["round"] < 2 or sitting.line["phase"] != "play":
        do_one(sitting)
        if sitting.waits_for().kind != "round":
            note()
    again = Sitting.resume(tmp_path)
    assert again.past and again.hands == sitting.hands
    by_inputs = {inputs: (hands, told) for hands, inputs, told in seen}
    while again.take_back():
        known = by_inputs.get(len(again.past))
        if known and again.waits_for().kind != "round":
            assert (again.hands, again.line["hands"]) == known
    assert not again.past and again.line["phase"] == "lobby"
    while again.put_back():
        pass
    assert again.hands == sitting.hands and len(again.past) == len(sitting.past)
    assert again.line["scores"] == sitting.line["scores"]
    plays(again, rounds=2)


def test_the_same_bots_move_again_after_a_take_back(tmp_path):
    sitting = Sitting(tmp_path, (1, 2, 3), (), strength="easy", seed=6)
    for _ in range(20):
        sitting.act()
    inputs = [line["input"] for line in sitting.past]
    for _ in range(10):
        sitting.take_back()
    for _ in range(10):
        sitting.act()
    assert [line["input"] for line in sitting.past] == inputs


# ---- killed at any moment ----


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def copied(folder, to):
    """Copy a folder; shutil's own way uses calls that are watched."""
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        copy = to / path.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    return to


def slow_writing(monkeypatch, keep):
    """Let the operating system write in halves; keep() is called before and behind each call that
    changes the disk."""

    def watched(name):
        real = getattr(os, name)

        def call(*args, **kwargs):
            keep()
            if name == "write":
                data = bytes(args[1])
                half = len(data) // 2
                real(args[0], data[:half])
                keep()
                return half + real(args[0], data[half:])
            return real(*args, **kwargs)

        monkeypatch.setattr(os, name, call)

    for name in ("open", "write", "replace", "unlink"):
        watched(name)


def test_killed_between_any_two_writes(tmp_path, monkeypatch):
    """The folder as it is before, in the middle of and after every writing, over a whole round:
    what is gone on with has the hands and the table of the inputs it knows, and plays on."""
    home = tmp_path / "home"
    copies = []  # folders as a kill would leave them, those that differ
    seen = set()
    truth = {}  # inputs -> (hands, the trains' ends)

    def keep():
        found = str(files_of(home))
        if home.exists() and found not in seen:
            seen.add(found)
            copies.append(copied(home, tmp_path / ("copy%d" % len(copies))))

    def note():
        truth[len(sitting.past)] = sitting.hands, sitting.line["ends"]

    with monkeypatch.context() as patched:
        slow_writing(patched, keep)
        sitting = Sitting(home, (1, 2), (1,), "puremco", 6, seed=9)
        note()
        while sitting.line["round"] < 2 or sitting.line["phase"] != "play":
            do_one(sitting)
            note()
    assert len(copies) > 150
    # all of sitting down, and then every so often
    for copy in copies[:30] + copies[30::3]:
        again = Sitting.resume(copy)
        assert (again is None) == (not (copy / MARK).exists())  # that is not begun yet
        if again:
            agrees(again)
            if again.waits_for().kind not in ("round", "table"):
                assert (again.hands, again.line["ends"]) == truth[len(again.past)]
            do_one(again)
    plays(Sitting.resume(copies[-1]), rounds=2)


@pytest.mark.parametrize("spoil", ["cut", "damaged"])
def test_a_segment_that_cannot_be_read(tmp_path, spoil):
    """A segment that was cut while it was begun, for a take-back; inputs that the flash lost: the
    hands are those of what the hub goes on from."""
    sitting = Sitting(tmp_path, (1, 2), (), "puremco", 9, seed=1)
    truth = {}
    while len(sitting.past) < 20:
        sitting.act()
        truth[len(sitting.past)] = sitting.hands
    newest = max((tmp_path / "journal").glob("*.rhj"))
    data = newest.read_bytes()
    if spoil == "cut":
        newest.with_name("%08d.rhj" % (int(newest.stem) + 1)).write_bytes(data[:100])
    else:
        newest.write_bytes(data[:-12] + b"\xff" * 12)
    again = Sitting.resume(tmp_path)
    assert len(again.past) == (20 if spoil == "cut" else 17)
    assert again.hands == truth[len(again.past)]
    agrees(again)
    assert again.act()


def test_the_hubs_power_is_cut(tmp_path):
    sitting = Sitting(tmp_path, (1, 2), (1,), set_=6)
    chance = random.Random(2)
    while sitting.line["round"] < 2:
        do_one(sitting)
        if chance.random() < 0.3:
            sitting.board.unplug()
            agrees(sitting)


@pytest.mark.parametrize(
    "key, value",
    [
        *(("format", 2), ("house", "monopoly"), ("set", 7), ("seats", [1]), ("people", [5])),
        *(("strength", "wise"), ("names", []), ("seed", "x"), ("order", 3), ("told", 1)),
        *(("roundhouse", "lesson"), ("seats", 4), ("begun", None)),
    ],
)
def test_a_broken_mark_is_no_match(tmp_path, key, value):
    Sitting(tmp_path)
    kept = json.loads((tmp_path / MARK).read_text())
    (tmp_path / MARK).write_text(json.dumps({**kept, key: value}))
    before = files_of(tmp_path)
    assert Sitting.resume(tmp_path) is None
    assert files_of(tmp_path) == before


def test_the_story_is_there_after_a_resume(tmp_path):
    sitting = Sitting(tmp_path, (1, 2), (1,), set_=6)
    until(sitting, lambda s: s.line["round"] == 2)
    told = [(line["by"], line["did"]) for line in sitting.past]
    again = Sitting.resume(tmp_path)
    assert [(line["by"], line["did"]) for line in again.past] == told
    story = [line["did"] for line in again.board.lines if "did" in line]
    assert [did for did in story if did not in ("showed", "chose", "joined")] == [
        did for _, did in told
    ]
    assert again.board.lines[-1]["input"] == "power-up"


def test_an_export_is_the_hubs_own(tmp_path):
    from host_sim.hub import exported_match

    sitting = until(Sitting(tmp_path / "m", (1, 2), (1,), set_=6), lambda s: s.line["round"] == 2)
    count = len(sitting.board.lines)
    said = sitting.export()
    assert len(sitting.board.lines) == count
    assert exported_match.read("\n".join(said))[-1]["scores"] == sitting.line["scores"]
    assert json.loads(said[-1])["did"] == "showed"


def test_words_of_the_module():
    assert match_mark.utc_time()[10] == "T" and number("12-5") == tiles.tile(12, 5)
