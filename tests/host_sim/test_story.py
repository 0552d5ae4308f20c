# SPDX-License-Identifier: MIT
"""The story of a table: sentences for people, made from a hub's lines."""

import doctest
import json

import hub_actions
import pytest
from hub_actions import quick_hub
from positions import examples
from record_exports import FOLDER, SEATS
from story_checks import NAMES, wrong

from host_sim.app.views import story
from host_sim.app.views.i18n import LANGUAGES, TABLE, Translator
from host_sim.app.views.story import DIDS, KINDS, Story
from host_sim.board.chips.ntag import NTAG213, BusTicket
from host_sim.board.hub import match_export, table_script
from host_sim.board.hub.simulated_hub import uid
from host_sim.table.games import house_info
from host_sim.table.model import TableModel
from roundhouse import constants
from roundhouse.games import houses


class Teller:
    """A story with its table; it takes console lines and returns sentences."""

    def __init__(self, language="en", names=NAMES):
        self.table = TableModel()
        self.story = Story(Translator(language), names)

    def line(self, line):
        return self.story.sentences(self.table.take(line))


def told(script, names=None, language="en", since=None):
    """Return [Sentence, ...] for a table script, or only for what follows the input `since`."""
    board = hub_actions.played(script)
    teller = Teller(language, NAMES if names is None else names)
    found = []
    for line in board.lines:
        said = teller.line(line)
        found = [] if since and line.get("input") == since else found + said
    return found


def texts(script, **how):
    return [said.text.replace("\u2019", "'") for said in told(script, **how)]


EXAMPLES = examples(__file__, ".told")


def test_example(title, lines):
    """The story of an example has the listed sentences, each after its input."""
    script, teller = table_script.Script(make_board=quick_hub), Teller()
    count, new, begun = 0, [], False
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == ">":
            if not begun and rest in new:
                del new[: new.index(rest)]
            assert new[:1] == [rest], (title, line, new)
            begun = new.pop(0)
        elif word in ("language", "names"):
            teller = Teller(rest) if word == "language" else Teller(names={})
        else:
            assert not (begun and new), (title, line, new)
            script.run_line(line.split(), line)
            lines_ = script.board.lines if script.board else []
            new = [said.text for one in lines_[count:] for said in teller.line(one)]
            new = [text.replace("\u2019", "'") for text in new]
            count = len(lines_)
    assert begun and not new, (title, new)


def test_the_example_of_the_module_runs():
    assert doctest.testmod(story).failed == 0


IN_PLAY = """
house puremco
players 3
given engine 12-12
given train 1 12-5
given train 2 12-6
given turn 1
"""


def test_a_round_its_counting_and_the_next():
    script = IN_PLAY + "given hand 1 1\ntap 5-1 1\ntap 6-4 2\npress 2\nwait 1s\npress 2\n"
    script += "score 3 7\nhold E\nsay undo\nsay redo\nsay redo\n"
    said = told(script.replace("score", "say score"), since="power-up")
    assert [(one.text.replace("\u2019", "'"), one.kind, one.seat) for one in said] == [
        ("Ana laid 5-1 on their own train.", "laid", 1),
        ("Ana is out! The round is over.", "out", 1),
        ("Now everybody counts the tiles they still hold.", "round", None),
        ("Bo counts 6-4.", "counted", 2),
        (
            "Not now, Bo: by the count you held 15 tiles. If you have tapped all you have, "
            "say it once more.",
            "refused",
            2,
        ),
        ("Bo has counted.", "done", 2),
        ("Zoe has counted: 7 points.", "done", 3),
        ("Points of round 1: 0 for Ana, 10 for Bo, 7 for Zoe.", "round", None),
        ("Round 2: take 15 tiles each.", "dealt", None),
        ("Taken back: Zoe has counted: 7 points.", "took-back", None),
        ("Taken back: Bo has counted.", "took-back", None),
        ("It counts again: Bo has counted.", "put-back", None),
        ("It counts again: Zoe has counted: 7 points.", "put-back", None),
    ]


def test_rules_are_told_with_their_sheet_and_never_by_their_id():
    teller = Story(Translator("en"), {})
    for house, name in enumerate(houses.HOUSES):
        plain = teller.house_words(name)
        sheet = plain.split(":")[0]
        assert len(plain) > 60 and len(sheet) < 60, plain
        for word in house_info.variant_words(house):
            with_it = teller.house_words("%s %s" % (name, word))
            assert with_it.startswith(plain + "; ")
            assert "-" not in word or word not in with_it
    assert {*houses.HOUSES} == set(TABLE["en"]["houses"])
    assert teller.house_words("club no-lock").startswith(
        "your own rules, called \u201cclub\u201d; "
    )


def test_every_did_has_its_teller_and_every_verdict_its_reason():
    for verdict in constants.VERDICTS[1:]:
        assert any(row.startswith(verdict) for row in TABLE["en"]["refused"]), verdict
    assert {kind for kind, _ in DIDS.values()} | {"refused", "health", "note"} == set(KINDS)


def test_health_and_trouble():
    teller = Teller(names={})
    for line, said in (
        ({"slot": "4", "reader": "fault"}, "The reader at station 4 does not work."),
        ({"slot": "M", "button": "stuck"}, "The button on the Mexican Train is stuck."),
        ({"slot": "M", "button": "ok"}, "The button on the Mexican Train works again."),
        (
            {"slot": "E", "button": "loose"},
            "Nearly all buttons seem to be pressed at once: one of their wires is loose. "
            "The hub ignores buttons for now; cards still work.",
        ),
        ({"slot": "E", "button": "ok"}, "The buttons work again."),
        ({"slot": "E", "button": "ok"}, "The button in the middle works again."),
        ({"slot": "4", "reader": "ok"}, "The reader at station 4 works again."),
        ({"error": "segment 3 is damaged"}, "Some of what the hub had kept cannot be read."),
        ({"dropped": 3}, "Some of what the hub said was lost."),
    ):
        assert [one.text for one in teller.line(line)] == [said]
    assert teller.line({"slot": "4", "reader": "reset"}) == []
    slow = teller.line({"slot": "4", "reader": "slow"})
    assert slow[0].text.endswith("only when asked more slowly; now all are.")
    assert teller.line({"stopped": "by Ctrl-C"})[0].text.startswith("The hub has stopped")
    assert "lamps are dimmer" in teller.line({"warning": "VSYS is 4.2 V"})[0].text
    assert teller.line({"segment": 1, "data": "00"}) == teller.line({"help": []}) == []


def test_a_late_comer_is_told_what_can_be_told():
    board = quick_hub()
    for seat in ("1", "2"):
        board.press(seat)
    board.tap("12-12", "1")
    board.tap("12-5", "1")
    teller = Teller()
    assert teller.line(board.command("state")) == []
    assert teller.line(board.hold("2"))[0].text == "Bo takes back: the last move."
    assert teller.line(board.tap("12-5", "1"))[0].text == "Ana laid 12-5 on their own train."


def test_what_was_missed_is_not_taken_back_by_name():
    board = quick_hub()
    teller = Teller()
    for seat in ("1", "2", "3"):
        teller.line(board.press(seat))
    board.press("4")  # the cable was out
    teller.line(board.command("state"))
    assert teller.line(board.command("undo"))[0].text == "Taken back: the last move."


@pytest.mark.parametrize("house", houses.HOUSES)
def test_a_round_of_each_house_and_its_export_tell_the_same_story(house):
    path = FOLDER / (house + ".jsonl")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines = lines[: next(at for at, line in enumerate(lines) if "segment" in line)]
    assert len(lines) > 15
    replayed = match_export.read(path.read_text())
    assert wrong(lines) == wrong(replayed) == []
    acts = "opened laid drew passed out counted done round match dealt"
    stories = []
    for told_lines in (lines, replayed):
        teller = Teller()
        stories.append(
            [
                said
                for line in told_lines
                for said in teller.line(line)
                if said.kind in acts.split()
            ]
        )
    assert stories[0] == stories[1]
    assert {"opened", "laid", "round", "counted", "match"} <= {said.kind for said in stories[0]}
    assert {said.seat for said in stories[0]} == {None, *SEATS}


def test_a_story_that_is_wrong_is_seen(monkeypatch):
    lines = hub_actions.played(IN_PLAY + "tap 5-1 1\ntap 6-5 M\npress 3\n").lines
    assert wrong(lines) == []
    for row, text in (
        ("story.laid_own", "Zoe laid {tile}."),
        ("story.laid_own", "{name} laid {tile} at station 1."),
        ("story.laid_own", "{name} pressed."),
        ("refused.not-your-turn", "not-your-turn."),
        ("refused.not-your-turn", "it is not your turn."),
    ):
        section, name = row.split(".")
        with monkeypatch.context() as patched:
            for language in LANGUAGES:
                sentences = TABLE[language].get(section, {})
                patched.setitem(TABLE[language], section, {**sentences, name: text})
            assert wrong(lines), text


@pytest.mark.parametrize(
    "tag, said",
    [
        ("12=7", "says \u201c12=7\u201d. That is no tile and no card"),
        (NTAG213(uid("blank")), "is empty"),
        (BusTicket(uid("bus")), "Take an NTAG213"),
    ],
)
def test_why_a_tag_is_not_read(tag, said):
    board = quick_hub()
    board.press("1")
    line = board.tap(tag, "M")
    (sentence,) = Teller().line(line)
    assert sentence.text.startswith("The tag ") and said in sentence.text
    for key in ("why", "text"):
        line.pop(key, None)
    (sentence,) = Teller().line(line)
    assert "says nothing: hold one tile" in sentence.text, "of a hub that does not say why"


def test_no_deal_is_asked_for_where_none_was_seen_nor_in_a_line_game():
    mid_round = IN_PLAY + "given hand 1 1\ntap 12-4 1\noverride 5-1 1\ntap 9-3 1\n"
    lines = "house block\nset 6\nplayers 2\ngiven engine 6-6\ngiven hand 1 1\ngiven turn 1\n"
    lines += "tap 6-5 1\ntap 4-3 1\n"
    for script in (mid_round, lines):
        said = texts(script)
        assert not any("Put it in" in text for text in said)
        assert any("still holds a tile" in text for text in said), said
