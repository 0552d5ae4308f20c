# SPDX-License-Identifier: MIT
"""The lesson on the whole hub: as planned, with odd actions, and with a pause at every step."""

import pytest

from host_sim.app.page.app import App
from host_sim.app.page.rights import Rights
from host_sim.app.page.viewer_page import ViewerPage
from host_sim.app.session.lesson import LEARNER, TOPICS, Lesson, Wanted, moves_of
from host_sim.app.session.match_store import MatchStore
from host_sim.app.session.player_view import PlayerView
from host_sim.app.views.i18n import LANGUAGES, TABLE, Translator
from host_sim.app.views.table_names import capitalized

SAY = Translator("en")


def do_wanted(lesson):
    """Do what the lesson asks for, and check that a person can do it."""
    session, wanted = lesson.session, lesson.wanted()
    if wanted.back:
        assert session.take_back()
    elif wanted.tile:
        assert wanted.tile in PlayerView(session).hand(LEARNER)
        assert wanted.slot in PlayerView(session).fits(LEARNER)[wanted.tile]
        assert session.lay(LEARNER, wanted.tile, wanted.slot), session.line
    else:
        assert PlayerView(session).button(LEARNER) == wanted.button
        assert session.press(LEARNER), session.line


def counts_agree(lesson):
    """Check that the hands agree with the hub's counts."""
    session = lesson.session
    counts = {str(seat): len(hand) for seat, hand in session.hands.items()}
    assert counts == session.line["hands"], session.line


def goes_on(lesson, odd=None, until=None):
    """Follow the lesson to its end, or to the step `until`. Return (texts, steps): the texts and
    the steps of the lesson, in the order in which they came.

    odd: a function that is called with the lesson before every action
    """
    texts, steps = [], []
    for _ in range(300):
        texts += [lesson.text(SAY)] if lesson.text(SAY) not in texts[-1:] else []
        steps += [lesson.step] if lesson.step not in steps[-1:] else []
        if lesson.done or (until and lesson.step >= until and lesson.wanted()):
            return texts, steps
        if lesson.session.waits_for().kind == "bot":
            assert lesson.wanted() is None
            assert lesson.session.act(), lesson.session.line
            assert lesson.session.line["verdict"] == "ok", lesson.session.line
        else:
            assert not lesson.session.act()
            if odd:
                odd(lesson)
            do_wanted(lesson)
        if lesson.topic == "round" and lesson.session.line["phase"] == "play":
            counts_agree(lesson)
    raise AssertionError("no end: %s" % lesson.session.line)


def test_eight_steps(tmp_path):
    lesson = Lesson(tmp_path)
    texts, steps = goes_on(lesson)
    assert steps == list(range(1, lesson.steps + 1)) == list(range(1, 9))
    keys = [key for key in TABLE["en"]["lesson"] if key.startswith("round_")]
    assert sorted(texts) == sorted(
        lesson.text.__self__ and SAY("lesson." + key, two="Bo", three="Zoe") for key in keys
    )
    assert lesson.session.line["phase"] == "scoring"


def test_what_a_step_is_about_is_on_the_table(tmp_path):
    lesson = Lesson(tmp_path)
    session = lesson.session
    seen = []

    def look(lesson):
        line, wanted = session.line, lesson.wanted()
        seen.append(lesson.step)
        if lesson.step == 1:
            assert line["engine"] == "9-9" and not line["ends"]
        elif wanted.button in ("draw", "pass"):
            assert (line["ends"]["1"], line["ends"]["M"]) == (2, 3)
            assert not PlayerView(session).fits(LEARNER)
            assert ("6-1" in PlayerView(session).hand(LEARNER)) == (lesson.step == 5)
        elif lesson.step == 6:
            assert {"1", "2"} <= set(line["open"]) and line["ends"]["2"] == 7
        elif wanted.tile == "6-6":
            assert "2" not in line["open"] and "1" in line["open"]
        elif wanted.tile == "6-1":
            assert line["doubles"] == ["1"] and "1" not in line["open"]
        elif wanted.button == "knock" or wanted.tile == "8-4":
            assert len(PlayerView(session).hand(LEARNER)) == 1
        elif lesson.step == 8:
            assert not line["doubles"] and len(PlayerView(session).hand(LEARNER)) == 2

    goes_on(lesson, look)
    assert set(seen) == set(range(1, 9))


def test_its_round_is_counted(tmp_path):
    lesson = Lesson(tmp_path)
    goes_on(lesson)
    while lesson.session.act():
        pass
    assert lesson.session.waits_for().kind == "round"
    assert lesson.session.line["scores"]["1"] == 0 < lesson.session.line["scores"]["2"]
    assert lesson.done


def test_the_learner_keeps_the_name_and_no_bot_has_it(tmp_path):
    store = MatchStore(tmp_path)
    lesson = store.lesson("round", "Zoé")
    assert lesson.session.names[LEARNER] == "Zoé" and "Zoe" not in lesson.session.names.values()
    lesson.session.close()
    assert store.lesson("round").session.names[LEARNER] == "Zoé", "resumed"
    lesson = store.lesson("round", "Bo")
    assert lesson.session.names[LEARNER] == "Bo" != lesson.session.names[2]
    assert len({*lesson.session.names.values()}) == 3


def every_odd_thing(lesson):
    """Do, and take back, everything that a learner could do except what the lesson asks for."""
    session, wanted = lesson.session, lesson.wanted()
    step = lesson.step
    odd = [
        ("lay", tile, slot)
        for tile, slots in PlayerView(session).fits(LEARNER).items()
        for slot in slots
    ]
    odd += [("lay", tile, "3") for tile in PlayerView(session).hand(LEARNER)[:1]]  # refused
    odd += [("override", tile, "2") for tile in PlayerView(session).hand(LEARNER)[:1]]
    odd += [
        ("press", None, LEARNER),
        ("press", None, 2),
        ("press", None, "E"),
        ("press", None, "M"),
    ]
    for what, tile, slot in odd:
        if tile and (tile, slot) == (wanted.tile, wanted.slot):
            continue
        if slot == LEARNER and wanted.button:
            continue
        before = len(session.past)
        if what == "press":
            session.press(slot)
        else:
            session.lay(LEARNER, tile, slot, override=what == "override")
        if len(session.past) == before:
            assert not lesson.astray and lesson.wanted() == wanted
            continue
        assert lesson.astray and lesson.wanted() == Wanted(back=True) and lesson.step == step
        assert lesson.text(SAY) == SAY("lesson.astray")
        assert not session.act()
        do_wanted(lesson)
        assert not lesson.astray and lesson.wanted() == wanted


@pytest.mark.slow
@pytest.mark.parametrize("topic", TOPICS)
def test_a_learner_who_does_odd_things(tmp_path, topic):
    lesson = Lesson(tmp_path, topic)
    goes_on(lesson, every_odd_thing if topic == "round" else None)
    assert lesson.done


def test_far_from_the_way_and_back(tmp_path):
    lesson = Lesson(tmp_path)
    goes_on(lesson, until=7)
    session = lesson.session
    assert session.lay(LEARNER, "6-6", "1") and not lesson.astray
    session.press(LEARNER)
    session.press(LEARNER)
    assert lesson.astray
    holds = 0
    while lesson.astray:
        do_wanted(lesson)
        holds += 1
    assert holds == 2
    # and further back than the lesson asks: the others move again
    while session.take_back():
        pass
    assert lesson.step == 1
    goes_on(lesson)


def test_left_and_gone_on_with_at_every_move(tmp_path):
    lesson = Lesson(tmp_path, seed=5)
    for _ in range(100):
        told = lesson.step, lesson.text(SAY), lesson.wanted(), lesson.session.hands
        lesson = Lesson(tmp_path)
        assert (lesson.step, lesson.text(SAY), lesson.wanted(), lesson.session.hands) == told
        assert lesson.session.seed == 5
        if lesson.done:
            return
        if lesson.wanted():
            do_wanted(lesson)
        else:
            assert lesson.session.act()
    raise AssertionError("no end")


def test_gone_on_with_beside_the_way(tmp_path):
    lesson = Lesson(tmp_path)
    assert lesson.session.lay(LEARNER, "9-3", "1")
    lesson = Lesson(tmp_path)
    assert lesson.astray and lesson.session.waits_for() == ("person", LEARNER)
    goes_on(lesson)


def test_the_forgotten_tap(tmp_path):
    lesson = Lesson(tmp_path, "forgotten", names={2: "Ida"})
    assert "Ida" in lesson.text(SAY) and lesson.step == 1
    texts, steps = goes_on(lesson)
    assert steps == [1, 2, 3] and len(texts) == 5
    session = lesson.session
    assert [(line["by"], line["input"]) for line in session.past] == [
        (1, "tap 9-5 1"),
        (2, "tap 9-4 M"),
    ]
    assert session.waits_for().kind == "over" and not session.act()


def test_the_forgotten_tap_was_booked_on_the_learner(tmp_path):
    lesson = Lesson(tmp_path, "forgotten")
    assert lesson.session.act()
    assert (lesson.session.line["by"], lesson.session.line["turn"]) == (1, 2)
    lesson = Lesson(tmp_path, "forgotten")
    assert lesson.wanted().back and lesson.step == 2
    do_wanted(lesson)
    lesson = Lesson(tmp_path, "forgotten")
    assert lesson.wanted() == Wanted("9-5", "1", None, False) and lesson.step == 3
    counts_agree(lesson)


@pytest.mark.parametrize("topic", TOPICS)
def test_texts_name_the_tile_and_are_short(tmp_path, topic):
    lesson = Lesson(tmp_path, topic)
    said = set()

    def read(lesson):
        wanted = lesson.wanted()
        for language in LANGUAGES:
            text = lesson.text(Translator(language))
            said.add(text)
            assert len(text) < 190 and max(map(len, text.split(". "))) < 100
            if wanted.tile:
                assert wanted.tile in text

    goes_on(lesson, read)
    assert len(said) >= 3 * 2


def test_moves_are_of_tiles_that_are_there():
    for topic, rows in TOPICS.items():
        held = " ".join([*rows.hands.values(), rows.drawn]).split()
        assert len(held) == len(set(held))
        assert {move.tile for move in moves_of(topic)} <= {None, *held}
        assert len({len(hand.split()) for hand in rows.hands.values()}) == 1


def test_who_acts_out_of_turn_stops_the_others(tmp_path):
    lesson = Lesson(tmp_path)
    do_wanted(lesson)
    session = lesson.session
    assert session.waits_for() == ("bot", 2)
    assert session.press("E") and session.line["did"] == "round-over"
    assert lesson.astray and not session.act() and lesson.wanted() == Wanted(back=True)
    do_wanted(lesson)
    assert session.waits_for() == ("bot", 2) and lesson.wanted() is None
    goes_on(lesson)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_learner_without_a_name_is_you_on_the_whole_page(language, tmp_path):
    app = App(store=MatchStore(tmp_path))
    app.start_lesson()
    page = ViewerPage(app, Rights(True, "own"), language)
    number, lesson = Translator(language)("story.player", number=LEARNER), app.table.lesson
    told = []

    def look(lesson):
        app.table.update()
        shown = "".join(page.components().values()).lower()
        assert number.lower() not in shown, lesson.step
        told.extend(sentence.text for sentence in page.viewer.follower.sentences)

    def odd(lesson):
        look(lesson)
        if lesson.wanted().tile:
            lesson.session.lay(LEARNER, lesson.wanted().tile, "E")  # is refused
            page.handle({"do": "drop %s E" % lesson.wanted().tile})
            look(lesson)

    goes_on(lesson, odd)
    while lesson.session.act():
        look(lesson)
    look(lesson)
    says = Translator(language)
    for key in ("drew", "passed", "knocked", "out", "marker_up", "marker_down"):
        text = capitalized(says("you." + key))
        assert any(text in sentence for sentence in told), text
