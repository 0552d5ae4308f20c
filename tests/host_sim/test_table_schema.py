# SPDX-License-Identifier: MIT
"""A view accepts any line: unknown words are named, and known words are shown."""

import contextlib
import copy
import json
import random
from typing import get_type_hints

import pytest
from hub_actions import quick_hub, quick_script
from test_scripts import FOLDER

from host_sim.app.page import sounds, viewer_page
from host_sim.app.page.app import App
from host_sim.app.page.hub_client import HubClient
from host_sim.app.page.rights import Rights
from host_sim.app.page.shown_tables import LiveTable
from host_sim.app.page.viewer_page import ViewerPage
from host_sim.app.players.bot_match import BotMatch
from host_sim.app.views import story
from host_sim.app.views.i18n import LANGUAGES, Translator
from host_sim.board.hub import table_script
from host_sim.board.hub.simulated_hub import SimulatedHub, configured
from host_sim.lab import mutated_lines
from host_sim.table import inputs, safety_net, schema
from host_sim.table.console_line import ConsoleLine
from host_sim.table.model import TableModel
from host_sim.table.schema import known
from host_sim.table.streams import HubStream


class Typed:
    def send(self, line):
        pass


@pytest.fixture(scope="module")
def match():
    board = quick_hub(configured(SET=6))
    BotMatch(board, (1, 3, 4), "puremco", 6, 3, slips=0.1).play(2)
    board.command("state")
    board.command("what is this")
    return board


@pytest.fixture
def line(match):
    """Return the line of a laid tile, with the keys for the rules."""
    about = {"game": "mexican-train", "house": "puremco", "set": 6, "trains": {"1": ["6-5"]}}
    laid = next(line for line in match.inputs if line["did"] == "laid")
    return {**copy.deepcopy(laid), **about}


def told(*lines, language="en"):
    teller, table = story.Story(Translator(language), {"1": "Ana"}), TableModel()
    for one in lines:
        said = teller.sentences(table.take(one))
    return " ".join(one.text for one in said)


def test_what_a_hub_says_is_taken_as_it_is(match):
    lines = [line for line in match.lines if "help" not in line]
    for board_line in [*lines, *mutated_lines.recorded()]:
        assert known(board_line) == board_line
    for other in ({"slot": "4", "reader": "fault"}, {"segment": 3, "data": "0"}, {"dropped": 2}):
        assert known(other) == other


def test_every_key_that_a_hub_says_stands_in_the_table(match):
    lines = [*match.lines, *mutated_lines.recorded(), *mutated_lines.OTHERS]
    assert {key for line in lines for key in line} <= {*get_type_hints(ConsoleLine)}


def test_each_kind_of_line_without_an_input_is_fuzzed():
    for kind in schema.OTHERS:
        others = (key for other in schema.OTHERS if other != kind for key in other)
        own = kind.keys() - {*others}
        assert [line for line in mutated_lines.OTHERS if own <= line.keys()], kind


@pytest.mark.parametrize("text", ["house", "set", "tap house E", "tap set E"])
def test_rules_that_are_not_named_are_not_told(line, text):
    bent = {key: value for key, value in line.items() if key != "house"}
    bent = {**bent, "input": text, "did": "showed", "by": None}
    assert told(known(bent)) == ""


@pytest.mark.parametrize("verdict", ["ok", "closed"])
def test_a_line_that_does_not_tell_what_was_done_is_named(line, verdict):
    bent = {key: value for key, value in line.items() if key not in ("did", "by")}
    taken = known({**bent, "verdict": verdict})
    assert (taken["did"], taken["by"], taken["unknown"]) == (None, None, [line["input"]])
    assert line["input"] in told(taken)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_line_of_two_kinds_is_a_line_of_one(line, language):
    kinds = (*mutated_lines.OTHERS, line, {"unknown": 5}, {"input": "tap"}, {"slot": 7})
    for first in kinds:
        for second in kinds:
            for left_out in (None, *second):
                rest = {key: value for key, value in second.items() if key != left_out}
                for bent in ({**first, **rest}, {**rest, **first}):
                    taken = known(json.loads(json.dumps(bent)))
                    client = HubClient(Typed())
                    client.send("tap 12-5 3", "real_hub.saved")
                    if taken:
                        assert known(taken) == taken or "unknown" in taken
                        told(taken, language=language)
                        client.receive(taken)
                        client.begin_test(("4",))
                        client.receive(taken)


def test_the_kind_of_a_bent_line():
    bent = {"error": "x", "reader": "ok", "unknown": 5}
    assert known(bent) == {"error": "x"}
    assert known({"segment": 1, "data": "00", "button": "ok", "slot": "4"})["button"] == "ok"
    assert known({"segment": 1, "data": "00", "reader": "ok"}) == {"segment": 1, "data": "00"}


def test_what_a_self_test_says_is_taken_as_it_is():
    board = SimulatedHub()
    board.fault("2")
    said = len(board.lines)
    board.port.type("selftest")
    board.run(2000)
    board.press("3")
    board.put("12-7", "M")
    board.run(1000)
    lines = board.lines[said:]
    parts = {part for line in lines for part in ("reader", "button", "tag") if part in line}
    assert parts == {"reader", "button", "tag"}
    assert [known(line) for line in lines] == lines
    teller, table = story.Story(Translator("en"), {}), TableModel()
    told = [said.text for line in lines for said in teller.sentences(table.take(line))]
    assert len([text for text in told if "reader" in text.lower()]) == 1, told  # the one at 2


def test_what_is_no_line_of_a_hub_is_left_out(line):
    for key in schema.INPUT:
        assert known({k: v for k, v in line.items() if k != key}) is None, key
        assert known({**line, key: 7.5}) is None, key
    for junk in (None, 5, [], "input", {}, {"input": "x"}, {"slot": 4}, {"error": 5}, True):
        assert known(junk) is None, junk
    assert known({"slot": "15", "reader": "ok"}) is None


@pytest.mark.parametrize(
    "change, unknown",
    [
        ({"verdict": "too-late"}, "verdict too-late"),
        ({"phase": "paused"}, "phase paused"),
        ({"did": "swapped"}, "did swapped"),
        ({"game": "chess"}, "game chess"),
        ({"engine": "19-19"}, "engine 19-19"),
        ({"turn": 9}, "turn 9"),
        ({"set": 7}, "set 7"),
        ({"input": "tap 12-5"}, "tap 12-5"),
        ({"input": "press 11"}, "press 11"),
        ({"input": "tap 2-m 2"}, "tap 2-m 2"),
        ({"by": None}, "tap"),
        ({"lamps": "t..g"}, "lamps t..g"),
        ({"house": "a;b"}, "house a;b"),
    ],
)
def test_an_unknown_word_is_named_and_the_rest_is_shown(line, change, unknown):
    taken = known({**line, **change})
    assert any(word.startswith(unknown) for word in taken["unknown"]), taken["unknown"]
    assert taken["scores"] == line["scores"] and taken["boneyard"] == line["boneyard"]
    for language, part in (("en", "does not know"), ("de", "nicht kennt"), ("fr", "connaît pas")):
        assert part in told(line, taken, language=language)
    assert unknown in told(line, taken)


@pytest.mark.parametrize(
    "change, kept, unknown",
    [
        ({"why": "text", "text": "12=7"}, {"why": "text", "text": "12=7"}, None),
        ({"why": "torn", "text": "12=7"}, {"why": "torn"}, None),
        ({"why": "text"}, {}, None),
        (
            {"why": "text", "text": "x", "wrong": "no\x1b"},
            {"why": "text", "text": "x", "wrong": "no"},
            None,
        ),
        ({"why": "torn", "wrong": "no x"}, {"why": "torn"}, None),
        ({"why": "text", "text": "\x1b\x07"}, {}, None),
        ({"why": "wet"}, {}, "why wet"),
        ({"why": 5, "text": 5}, {}, None),
        ({"why": "two", "verdict": "closed"}, {}, None),
    ],
)
def test_the_reason_why_a_tag_is_not_read(line, change, kept, unknown):
    bent = {**line, "input": "tap ? 3", "verdict": "unreadable", "by": None, "did": None, **change}
    taken = known(bent)
    assert {key: taken[key] for key in ("why", "text", "wrong") if key in taken} == kept
    assert taken.get("unknown") == (unknown and [unknown])
    assert told(line, taken)


def test_a_refusal_without_its_reason(line):
    taken = known({**line, "verdict": "double-first", "by": None, "did": None, "doubles": []})
    assert "for a reason that this page does not know" in told(line, taken)


def test_what_is_out_of_range_is_brought_into_it(line):
    bent = {
        **line,
        "scores": {**line["scores"], "1": 0.5, "2": 10**400, "3": 1e308, "4": "x", "15": 3},
        "hands": {"1": -4, "3": 10**30, "15": 7},
        "open": ["1", "1", "15", 5],
        "ends": {"1": 19, "3": [5, 4], "4": [1, 2, 3], "M": True},
        "trains": {"1": ["6-5", "19-1", "x"], "99": ["1-1"], "3": "no"},
        "wind": {"from": ["west"]},
        "version": "newest",
    }
    taken = known(bent)
    most = schema.MOST
    assert taken["scores"] == {"1": 0.5, "2": most, "3": most, "4": 0}
    assert taken["hands"] == {"1": 0, "3": 255}
    assert taken["open"] == ["1"] and taken["ends"] == {"3": [5, 4]}
    assert taken["trains"] == {"1": ["6-5"]}
    assert "wind" not in taken and "version" not in taken and "seat 15" in taken["unknown"]


def test_a_newer_and_an_older_hub_are_told(match):
    first = match.inputs[0]
    assert first["version"] == story.VERSION and "version" not in told(known(first))
    newer, older = (known({**first, "version": text}) for text in ("99.0.0", "0.9.0"))
    assert "The hub has version 99.0.0, newer than this page" in told(newer)
    assert "update the hub with make flash" in told(older)


def test_a_hub_that_says_it_has_an_unknown_fault(match):
    assert known({"slot": "4", "reader": "humming"}) == {"unknown": ["reader humming"]}
    assert "reader humming" in told(known({"slot": "4", "reader": "humming"}))


def test_a_watched_page_goes_on_after_a_bent_line(match):
    """The watched page shows its picture, in every language, after a line with an unknown word."""
    source = HubStream()
    app = App(LiveTable(source, {"1": "Ana"}))
    pages = [ViewerPage(app, Rights(True, "own"), language) for language in LANGUAGES]
    good = match.inputs[-1]
    for bent in ({**good, "verdict": "too-late"}, {**good, "phase": "paused"}, good):
        source.received(json.dumps(bent).encode() + b"\n")
        app.step()
        for page in pages:
            assert "<svg" in "".join(map(str, page.components().values()))
    assert app.table.state == good


def test_bent_lines_through_every_view(monkeypatch):
    """Mutated console lines cause no error in any view; a part of `make fuzz`."""
    monkeypatch.setattr(mutated_lines, "PAGE_EVERY", 40)
    draw = random.Random(8)
    for _ in range(1200):
        mutated_lines.check_views(mutated_lines.mutate(draw, b""))


@pytest.mark.parametrize("broken", ["_points", "is_tile"])
def test_a_check_that_is_missing_is_found(monkeypatch, broken):
    monkeypatch.setattr(schema, broken, lambda value: value)
    draw = random.Random(8)
    with pytest.raises((AssertionError, TypeError, ValueError, KeyError, AttributeError)):
        for _ in range(6000):
            mutated_lines.check_views(mutated_lines.mutate(draw, b""))


def test_each_did_and_its_gesture_is_said_by_a_hub_and_no_other():
    """inputs.GESTURES is exactly what the hubs of all scripts say."""
    said = set()
    for path in FOLDER.glob("**/*.table"):
        script = quick_script()
        with contextlib.suppress(table_script.ExpectationFailed):
            script.run(path.read_text(), path.name)
        for line in script.board.lines if script.board else ():
            if line.get("did") in inputs.GESTURES:
                made = inputs.parse(line["input"])
                assert inputs.fits(line["did"], made), line
                said.add((line["did"], made.word, inputs.place(made)))
    rows = {
        (did, word, where)
        for did, words in inputs.GESTURES.items()
        for word, places in words.items()
        for where in places
    }
    assert said == rows


@pytest.mark.parametrize("did", inputs.GESTURES)
@pytest.mark.parametrize("text", ["engine 9-9", "tap 12-5 E", "press M", "score 3 5", "undo"])
def test_an_input_that_does_not_go_with_its_did_is_named(line, did, text):
    if inputs.fits(did, inputs.parse(text)):
        return
    strange = {**line, "did": did, "input": text, "by": 3}
    found = known(strange)
    assert found["did"] is None and text in found["unknown"]
    for language in LANGUAGES:
        assert text in told(line, found, language=language)


# ---- what a view raises ----


def raising(moment, *more):
    raise RuntimeError("planted")


@pytest.fixture
def shown_page(match):
    """Return (source, app, page) of a hub in play."""
    source = HubStream()
    app = App(LiveTable(source, {"1": "Ana"}))
    page = ViewerPage(app, Rights(True, "own"), "en")
    receive(source, app, match.inputs[-1])
    page.messages()
    return source, app, page


def receive(source, app, line):
    source.received(json.dumps(line).encode() + b"\n")
    app.step()


@pytest.mark.parametrize(
    "owner, name", [(story.Story, "_input"), (sounds, "tune"), (TableModel, "_lay")]
)
def test_a_line_that_raises_costs_its_own_sentence(
    shown_page, match, owner, name, monkeypatch, capsys
):
    source, app, page = shown_page
    lines = (line for line in match.inputs if line["did"] == "laid")
    with monkeypatch.context() as patched:
        patched.setattr(owner, name, raising)
        while not safety_net.caught:
            receive(source, app, next(lines))
            page.messages()
        assert "planted" in capsys.readouterr().err
        bad, error = safety_net.caught[0]
        assert bad["input"] and str(error) == "planted"
        if owner is not sounds:
            assert bad["input"] in page.viewer.follower.sentences[-1].text
        new = ViewerPage(app, Rights(False, "phone"), "de")
        assert "<svg" in new.components()["table"]
    receive(source, app, match.inputs[-1])
    assert app.table.state == match.inputs[-1]
    capsys.readouterr()
    safety_net.forget()


def test_a_component_that_raises_stays_as_it_was(shown_page, match, monkeypatch, capsys):
    source, app, page = shown_page
    before = page.components()
    broken = viewer_page.COMPONENTS["scores"]._replace(draw=raising)
    monkeypatch.setitem(viewer_page.COMPONENTS, "scores", broken)
    receive(source, app, {**match.inputs[-1], "round": 7})
    sent = page.messages()
    assert {"error": Translator("en")("server.broke")} in sent
    assert page.components()["scores"] == before["scores"]
    assert page.components()["head"] != before["head"]
    assert not [message for message in page.messages() if "error" in message], "said once"
    assert capsys.readouterr().err.count(safety_net.TITLE) == 1, "printed once"
    safety_net.forget()


def test_the_fuzz_counts_what_the_net_catches(monkeypatch, capsys):
    monkeypatch.setattr(story.Story, "_input", raising)
    draw = random.Random(8)
    with pytest.raises(RuntimeError, match="planted"):
        for _ in range(300):
            mutated_lines.check_views(mutated_lines.mutate(draw, b""))


def test_numbers_that_nobody_counts_are_taken_as_they_are():
    board = quick_hub(configured(SET=6, HOUSE="puremco deal-any"))
    BotMatch(board, (1, 3), "puremco deal-any", 6, 3).play(1)
    uncounted = [line for line in board.inputs if line["boneyard"] is None]
    assert uncounted and all(known(line) == line for line in board.inputs)
    assert all(set(line["hands"].values()) == {None} for line in uncounted)
    assert known({**uncounted[-1], "boneyard": "many"}) is None
