# SPDX-License-Identifier: MIT
"""People and bots at one simulated hub: whose turn it is, hands, take-backs, and a killed
program."""

import json
import os
import random

import pytest
from core_session import CoreSession

from host_sim.app.players.dealt_hands import parse_tile
from host_sim.app.session import match_metadata
from host_sim.app.session.match_metadata import METADATA
from host_sim.app.session.match_session import MatchSession, Undo
from host_sim.app.session.player_view import PlayerView
from host_sim.app.views.i18n import LANGUAGES, Translator
from host_sim.app.views.table_names import TableNames
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
    *(("cardinal deal-9-8 first-3", 9), ("jassshop upward rounds-2", 9), ("goliath deal-5", 9)),
    *(("puremco deal-any", 9), ("goliath deal-any", 6), ("free deal-any", 6)),
]


def do_one(session, forgets=False):
    """Do what the session is waiting for; a person follows the hint."""
    waiting = session.waits_for()
    if waiting.kind == "round":
        session.next_round()
    elif waiting.kind == "knock":
        if forgets:
            session.skip_knock()
        else:
            assert PlayerView(session).button(waiting.seat) == "knock"
            assert session.press(waiting.seat)
    elif waiting.kind == "person":
        follow(session, waiting.seat)
    else:
        assert session.act(), session.line
        assert session.line["verdict"] == "ok", session.line
    agrees(session)


def follow(session, seat):
    """Make the person's move that the hint suggests, which the hub must accept."""
    hint = PlayerView(session).hint(seat)
    words = [TableNames(Translator(language), {}) for language in LANGUAGES]
    assert all(hint.text(one) for one in words)
    if hint.tile:
        assert hint.slot in PlayerView(session).fits(seat)[hint.tile]
        assert session.lay(seat, hint.tile, hint.slot), session.line
    else:
        assert hint.why == PlayerView(session).button(seat)
        assert session.press("E" if hint.why == "over" else seat), session.line


def agrees(session):
    """Check that the hands agree with the hub, and that every tile is in one place."""
    line = session.line
    if line["phase"] != "play":
        return
    counts = {str(seat): len(hand) for seat, hand in session.hands.items()}
    if line["boneyard"] is None:  # the hub counts none
        assert line["hands"] == dict.fromkeys(counts)
    else:
        assert counts == line["hands"], line
        assert len(session.round_tiles().stock) == line["boneyard"]
    assert set(session.own_doubles(line["turn"])) <= set(line["doubles"])
    state = session.board.hub.table
    held = [tile for hand in session.hands.values() for tile in hand] + session.round_tiles().stock
    lie = [tile for tile in range(tiles.size(session.set)) if state.is_laid(tile)]
    assert sorted(held + lie) == list(range(tiles.size(session.set)))


def plays(session, rounds=1, **how):
    """Play until the given number of rounds is counted, or the match is over."""
    for _ in range(5000):
        waiting = session.waits_for()
        if waiting.kind == "over" or (waiting.kind == "round" and session.line["round"] > rounds):
            return session
        do_one(session, **how)
    raise AssertionError("no end: %s" % session.line)


def until(session, reached):
    for _ in range(5000):
        if reached(session):
            return session
        do_one(session)
    raise AssertionError("never: %s" % session.line)


# ---- every table ----


PEOPLE = [(1, 3), (2,), (1, 2, 3, 4), ()]


@pytest.mark.parametrize("number", range(len(TABLES)), ids=[house for house, _ in TABLES])
def test_every_table_plays(number):
    """A round of every house can be played to its end. People play at all seats, some seats or no
    seats; bots play at the remaining seats.

    For chips and flash, see `test_demo.py`.
    """
    house, set_ = TABLES[number]
    seats = dict.fromkeys((1, 2, 3, 4), "good")
    session = CoreSession(seats, house, set_, number, PEOPLE[number % 4])
    plays(session)
    assert set(session.line["scores"]) == {"1", "2", "3", "4"}
    assert session.waits_for().kind in ("round", "over")


@pytest.mark.slow
@pytest.mark.parametrize("house, set_", TABLES)
def test_many_seeds_on_the_core(house, set_):
    for seed in range(2):
        CoreSession(dict.fromkeys((1, 2, 5, 9), "good"), house, set_, seed).play(3)


@pytest.mark.slow
def test_a_match_ends(tmp_path):
    """A match with a double-six set ends after seven rounds, and stays ended after a resume."""
    session = MatchSession(tmp_path, (2, 7), (), "puremco", 6, strength="easy")
    plays(session, rounds=99)
    assert session.waits_for().kind == "over"
    assert session.line["round"] == 7 and session.line["winner"]
    assert (
        not session.act()
        and PlayerView(session).button(2) is None
        and PlayerView(session).hint(2) is None
    )
    again = MatchSession.resume(tmp_path)
    assert again.waits_for().kind == "over" and again.line["scores"] == session.line["scores"]


def test_a_match_is_ended_between_rounds(tmp_path):
    session = plays(MatchSession(tmp_path, house="goliath", set_=6))
    assert not MatchSession(tmp_path / "other").end_match()
    left = {seat: list(hand) for seat, hand in session.hands.items()}
    assert session.end_match() and session.waits_for().kind == "over"
    assert session.round_shown() == 1 and session.shows_last_round()
    assert session.hands == left, "the tiles of the round stay to be looked at"


# ---- who is waited for ----


def test_nobody_else_acts_in_a_persons_turn(tmp_path):
    session = until(MatchSession(tmp_path, seed=5), lambda s: s.waits_for() == ("person", 1))
    lines = len(session.board.lines)
    assert not session.act()
    assert len(session.board.lines) == lines
    assert not PlayerView(session).fits(2)  # out of turn


def test_the_next_round_waits_and_shows_what_is_left(tmp_path):
    session = MatchSession(tmp_path, (1, 2), (1,), set_=6)
    until(session, lambda s: s.line["phase"] == "scoring")
    hands = {seat: list(hand) for seat, hand in session.hands.items()}
    taps = 0
    while session.waits_for().kind == "table":
        left = sum(len(session.uncounted(seat)) for seat in (1, 2))
        assert session.act()
        taps += session.line["did"] == "counted"
        assert sum(len(session.uncounted(seat)) for seat in (1, 2)) <= left
    assert taps == sum(map(len, hands.values()))
    assert session.waits_for() == ("round", None) and session.hands == hands
    assert not session.act()
    again = MatchSession.resume(tmp_path)
    assert again.waits_for() == ("round", None) and again.hands == hands
    session.next_round()
    assert session.waits_for() == ("table", None)
    assert {len(hand) for hand in session.hands.values()} == set(session.line["hands"].values())
    assert session.hands != hands


def one_left(tmp_path, house, people=(1,)):
    session = MatchSession(tmp_path, (1, 2, 3), people, house, 6, seed=3, strength="easy")
    return until(session, lambda s: s.waits_for().kind == "knock")


def test_a_knock_is_waited_for(tmp_path):
    session = one_left(tmp_path, "goliath")
    assert session.waits_for() == ("knock", 1) and len(PlayerView(session).hand(1)) == 1
    assert not session.act()
    assert session.press(1) and session.line["did"] == "knocked"
    # a second press would be "that was my last tile"
    assert PlayerView(session).button(1) is None and not session.press(1)
    assert session.line["did"] == "knocked"
    assert session.waits_for().kind == "bot"


def test_who_does_not_knock_is_caught_by_bots(tmp_path):
    session = one_left(tmp_path, "goliath")
    session.strength = "good"
    session.skip_knock()
    assert session.catchable() is None
    assert session.act()  # the next seat's first input
    assert session.catchable() == 1
    assert session.act()
    assert (session.line["did"], session.line["by"]) == ("caught", 1)
    assert len(PlayerView(session).hand(1)) == 2 and session.catchable() is None
    agrees(session)


def test_a_forgotten_knock_costs_nothing_in_most_houses(tmp_path):
    session = one_left(tmp_path, "puremco")
    session.skip_knock()
    assert session.act() and session.catchable() is None


@pytest.mark.slow
@pytest.mark.parametrize("house", ["goliath penalty-always", "puremco"])
def test_forgetful_people_play_on(tmp_path, house):
    plays(MatchSession(tmp_path, (1, 2, 3), (1, 3), house, 6, seed=8), rounds=2, forgets=True)


def test_bots_knock(tmp_path):
    session = MatchSession(tmp_path, (1, 2, 3), (), "goliath", 6)
    plays(session, rounds=3)
    assert "knocked" in {line["did"] for line in session.past}


# ---- session and standing ----


def test_a_bot_plays_on_for_who_gets_up(tmp_path):
    session = until(
        MatchSession(tmp_path, names={1: "Ana"}), lambda s: s.waits_for().kind == "person"
    )
    hand = PlayerView(session).hand(1)
    session.stand_up(1)
    assert session.waits_for() == ("bot", 1) and PlayerView(session).hand(1) == hand
    session.sit_down(2, "Zoe")
    until(session, lambda s: s.waits_for().kind == "person")
    assert session.waits_for() == ("person", 2)
    again = MatchSession.resume(tmp_path)
    assert again.people == {2} and again.names == {1: "Ana", 2: "Zoe"}
    with pytest.raises(ValueError):
        session.sit_down(9)


def test_a_folder_has_one_match(tmp_path):
    MatchSession(tmp_path)
    with pytest.raises(ValueError):
        MatchSession(tmp_path)
    assert MatchSession.resume(tmp_path / "none") is None


# ---- hands ----


def test_a_hand_keeps_its_order(tmp_path):
    session = until(MatchSession(tmp_path, seed=2), lambda s: s.waits_for().kind == "person")
    PlayerView(session).sort(1, "number")
    hand = PlayerView(session).hand(1)
    assert hand == sorted(hand, key=lambda text: [-int(n) for n in text.split("-")])
    moved = hand[-1]
    PlayerView(session).move(1, moved, 0)
    assert PlayerView(session).hand(1) == [moved, *hand[:-1]]
    assert PlayerView(MatchSession.resume(tmp_path)).hand(1) == [moved, *hand[:-1]]
    session.press(1)  # a draw
    assert PlayerView(session).hand(1)[:-1] == [moved, *hand[:-1]]
    with pytest.raises(ValueError):
        PlayerView(session).move(1, "0-0" if "0-0" not in hand else "1-0", 0)
    with pytest.raises(ValueError):
        PlayerView(session).sort(1, "colour")


def test_by_train_begins_with_the_longest_train(tmp_path):
    session = until(MatchSession(tmp_path, seed=4), lambda s: s.waits_for().kind == "person")
    PlayerView(session).sort(1, "train")
    hand = PlayerView(session).hand(1)
    end = int(session.line["engine"].split("-")[0])
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


def test_what_fits_comes_first_and_a_line_game_has_no_longest_train(tmp_path):
    session = until(
        MatchSession(tmp_path, house="draw", set_=6, seed=4),
        lambda s: s.waits_for().kind == "person",
    )
    view = PlayerView(session)
    fitting = set(view.fits(1))
    assert fitting and view.orders(1) == ["number", "fits"] and view.train(1) == []
    view.sort(1, "number")
    view.sort(1, "fits")
    assert set(view.hand(1)[: len(fitting)]) == fitting


def test_a_tile_of_somebody_else_is_not_laid(tmp_path):
    session = until(MatchSession(tmp_path), lambda s: s.waits_for().kind == "person")
    with pytest.raises(ValueError):
        session.lay(1, PlayerView(session).hand(2)[0], "1")


def test_a_line_may_begin_at_any_empty_station(tmp_path):
    session = MatchSession(tmp_path, (1, 2), (1, 2), "classic", 6)
    until(session, lambda s: s.waits_for().kind == "person" and PlayerView(s).fits(s.line["turn"]))
    seat, view = session.line["turn"], PlayerView(session)
    tile, slots = next(iter(view.fits(seat).items()))
    assert slots == [str(seat)] and view.places(seat, tile) == set(session.line["playable"])


# ---- the button ----


def test_what_the_button_means(tmp_path):
    session = until(MatchSession(tmp_path), lambda s: s.waits_for().kind == "person")
    assert PlayerView(session).button(1) == "draw" and PlayerView(session).button(2) is None
    session.press(1)
    assert session.line["drawn"] and PlayerView(session).button(1) == "pass"


def test_a_third_tile_is_owed(tmp_path):
    """A seat that has laid two doubles in a turn must lay a third tile. Until then, a press of its
    button is refused."""
    session = MatchSession(tmp_path, (1, 2), (), "puremco", 6, seed=20, strength="easy")
    while len(session.own_doubles(session.line["turn"])) < 2:
        assert session.waits_for().kind != "round"
        session.act()
    seat = session.line["turn"]
    assert PlayerView(session).button(seat) is None
    assert not session.press(seat) and session.line["verdict"] == "cover-it"


def test_a_whole_first_train_is_done_with_a_press(tmp_path):
    session = MatchSession(tmp_path, (1, 2), (1, 2), "puremco whole-first-train", 9, seed=1)
    until(
        session,
        lambda s: (
            s.waits_for().kind == "person" and PlayerView(s).button(s.line["turn"]) == "done"
        ),
    )
    seat, turn = session.line["turn"], session.line["turn"]
    assert session.press(seat) and session.line["did"] == "passed"
    assert session.line["turn"] != turn and not session.line["open"]


def test_block_passes_and_draw_draws(tmp_path):
    for house, word in (("block", "pass"), ("draw", "draw")):
        session = MatchSession(tmp_path / house, (1, 2), (1, 2), house, 6)
        until(session, lambda s: s.waits_for().kind == "person")
        assert PlayerView(session).button(session.line["turn"]) == word


def test_where_nothing_is_enforced(tmp_path):
    session = MatchSession(tmp_path, (1, 2), (1, 2), "free", 6)
    until(session, lambda s: s.waits_for().kind == "person")
    seat = session.line["turn"]
    assert PlayerView(session).button(seat) == "pass"
    count = len(PlayerView(session).hand(seat))
    assert session.draw(seat) and session.line["did"] == "drew"
    assert len(PlayerView(session).hand(seat)) == count + 1
    agrees(session)
    assert session.lay(seat, PlayerView(session).hand(seat)[0], "M")
    assert PlayerView(session).button(seat) == "done"


# ---- taking back ----


def test_taking_back_says_what(tmp_path):
    session = MatchSession(tmp_path, (1, 2), (1, 2))
    until(session, lambda s: s.waits_for().kind == "person" and PlayerView(s).fits(s.line["turn"]))
    seat = session.line["turn"]
    hand = PlayerView(session).hand(seat)
    tile, (slot, *_) = next(iter(PlayerView(session).fits(seat).items()))
    session.lay(seat, tile, slot)
    assert session.next_undo() == session.next_undo(seat) == Undo(seat, "laid", tile, slot, 0, 1)
    assert session.take_back()
    assert PlayerView(session).hand(seat) == hand and session.line["turn"] == seat
    assert session.next_redo() == Undo(seat, "laid", tile, slot, 0, 1)
    assert session.put_back() and session.next_undo().tile == tile
    assert not session.put_back()
    session.take_back()
    session.press(seat)
    assert session.next_undo() == Undo(seat, "drew", None, str(seat), 0, 1)
    assert not session.put_back()


def test_a_person_takes_the_own_move_back_with_those_of_bots(tmp_path):
    session = until(MatchSession(tmp_path, seed=4), lambda s: s.waits_for().kind == "person")
    hands, line = session.hands, session.line
    first = PlayerView(session).hint(1)
    follow(session, 1)
    until(session, lambda s: s.waits_for().kind == "person")
    told = session.line["hands"], session.line["ends"]
    undo = session.next_undo(own=1)
    assert undo.tile == first.tile and undo.more >= 2 and undo.asks
    assert session.next_undo().seat != 1
    assert session.take_back(own=1)
    assert session.hands == hands and session.line["ends"] == line["ends"]
    assert session.put_back()
    assert (session.line["hands"], session.line["ends"]) == told


@pytest.mark.slow
def test_nothing_before_the_first_deal_is_taken_back(tmp_path):
    session = MatchSession(tmp_path)
    assert session.next_undo() is None and not session.take_back() and not session.take_back(own=1)
    session.act()
    assert session.next_undo().did == "opened"
    assert session.take_back() and session.hands == {}
    assert session.line["phase"] == "lobby"
    assert not session.take_back()
    plays(session)


@pytest.mark.slow
@pytest.mark.parametrize("house, set_", [("puremco", 6), ("jassshop", 6), ("classic", 6)])
def test_back_into_the_round_before_after_a_resume(tmp_path, house, set_):
    """After a resume, each undo and each redo restores the hands as they were at that point of the
    match."""
    session = MatchSession(tmp_path, (1, 2), (), house, set_)
    seen = []

    def note():
        seen.append((session.hands, len(session.past), session.line["hands"]))

    note()
    while session.line["round"] < 2 or session.line["phase"] != "play":
        do_one(session)
        if session.waits_for().kind != "round":
            note()
    again = MatchSession.resume(tmp_path)
    assert again.past and again.hands == session.hands
    by_inputs = {inputs: (hands, told) for hands, inputs, told in seen}
    while again.take_back():
        known = by_inputs.get(len(again.past))
        if known and again.waits_for().kind != "round":
            assert (again.hands, again.line["hands"]) == known
    assert not again.past and again.line["phase"] == "lobby"
    while again.put_back():
        pass
    assert again.hands == session.hands and len(again.past) == len(session.past)
    assert again.line["scores"] == session.line["scores"]
    plays(again, rounds=2)


def test_the_same_bots_move_again_after_a_take_back(tmp_path):
    session = MatchSession(tmp_path, (1, 2, 3), (), strength="easy", seed=6)
    for _ in range(20):
        session.act()
    inputs = [line["input"] for line in session.past]
    for _ in range(10):
        session.take_back()
    for _ in range(10):
        session.act()
    assert [line["input"] for line in session.past] == inputs


# ---- killed at any moment ----


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def copied(folder, to):
    """Copy a folder, by calls that the test does not watch. Return the folder `to`."""
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        copy = to / path.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    return to


def slow_writing(monkeypatch, keep):
    """Split each write in two; call keep() before each change of the disk, and between the
    halves."""

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
    """A match that is killed during any write can be continued, and its hands and table match the
    inputs."""
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
        truth[len(session.past)] = session.hands, session.line["ends"]

    with monkeypatch.context() as patched:
        slow_writing(patched, keep)
        session = MatchSession(home, (1, 2), (1,), "puremco", 6, seed=9)
        note()
        while session.line["round"] < 2 or session.line["phase"] != "play":
            do_one(session)
            note()
    assert len(copies) > 150
    # the first thirty, and then every sixth
    for copy in copies[:30] + copies[30::6]:
        again = MatchSession.resume(copy)
        assert (again is None) == (not (copy / METADATA).exists())  # not begun yet
        if again:
            agrees(again)
            if again.waits_for().kind not in ("round", "table"):
                assert (again.hands, again.line["ends"]) == truth[len(again.past)]
            do_one(again)
    plays(MatchSession.resume(copies[-1]), rounds=2)


@pytest.mark.parametrize("spoil", ["cut", "damaged"])
def test_a_segment_that_cannot_be_read(tmp_path, spoil):
    """After a segment is damaged, the hands match the state from which the hub continues."""
    session = MatchSession(tmp_path, (1, 2), (), "puremco", 9, seed=1)
    truth = {}
    while len(session.past) < 20:
        session.act()
        truth[len(session.past)] = session.hands
    newest = max((tmp_path / "journal").glob("*.rhj"))
    data = newest.read_bytes()
    if spoil == "cut":
        newest.with_name("%08d.rhj" % (int(newest.stem) + 1)).write_bytes(data[:100])
    else:
        newest.write_bytes(data[:-12] + b"\xff" * 12)
    again = MatchSession.resume(tmp_path)
    assert len(again.past) == (20 if spoil == "cut" else 17)
    assert again.hands == truth[len(again.past)]
    agrees(again)
    assert again.act()


def test_the_hubs_power_is_cut(tmp_path):
    session = MatchSession(tmp_path, (1, 2), (1,), set_=6)
    chance = random.Random(2)
    while session.line["round"] < 2:
        do_one(session)
        if chance.random() < 0.3:
            session.board.unplug()
            agrees(session)


@pytest.mark.parametrize(
    "key, value",
    [
        *(("format", 2), ("house", "monopoly"), ("set", 7), ("seats", [1]), ("people", [5])),
        *(("strength", "wise"), ("names", []), ("seed", "x"), ("order", 3), ("told", 1)),
        *(("roundhouse", "lesson"), ("seats", 4), ("begun", None), ("open_hands", "no")),
    ],
)
def test_a_broken_mark_is_no_match(tmp_path, key, value):
    MatchSession(tmp_path)
    kept = json.loads((tmp_path / METADATA).read_text())
    (tmp_path / METADATA).write_text(json.dumps({**kept, key: value}))
    before = files_of(tmp_path)
    assert MatchSession.resume(tmp_path) is None
    assert files_of(tmp_path) == before


def test_the_story_is_there_after_a_resume(tmp_path):
    session = MatchSession(tmp_path, (1, 2), (1,), set_=6)
    until(session, lambda s: s.line["round"] == 2)
    told = [(line["by"], line["did"]) for line in session.past]
    again = MatchSession.resume(tmp_path)
    assert [(line["by"], line["did"]) for line in again.past] == told
    story = [line["did"] for line in again.board.lines if "did" in line]
    assert [did for did in story if did not in ("showed", "chose", "joined")] == [
        did for _, did in told
    ]
    assert again.board.lines[-1]["input"] == "power-up"


def test_an_export_is_what_the_hub_answers(tmp_path):
    from host_sim.board.hub import match_export

    session = until(
        MatchSession(tmp_path / "m", (1, 2), (1,), set_=6), lambda s: s.line["round"] == 2
    )
    text = session.export()
    assert match_export.read(text)[-1]["scores"] == session.line["scores"]
    count = len(session.board.lines)
    session.board.command("export")
    *segments, last = [json.loads(line) for line in text.splitlines()]
    answer = session.board.lines[count:]
    assert [*segments, {**last, "lamps": answer[-1]["lamps"]}] == answer


def test_words_of_the_module():
    assert match_metadata.utc_time()[10] == "T" and parse_tile("12-5") == tiles.tile(12, 5)
