# SPDX-License-Identifier: MIT
"""Requests to a real hub over its console, and the handling of its answers."""

import json

import pytest
from hub_actions import quick_hub

from host_sim.app.page import match_link, printable_cards
from host_sim.app.page.hub_client import ERRORS, HubClient
from host_sim.app.views.i18n import LANGUAGES, Translator
from host_sim.board.hub import match_export
from host_sim.board.hub.simulated_hub import configured
from roundhouse import tag_writer, tags
from roundhouse.constants import SEATS


class Typed:
    def __init__(self):
        self.lines = []

    def send(self, line):
        self.lines.append(line)


@pytest.fixture
def client():
    return HubClient(Typed())


def line(said, verdict="ok"):
    return {"input": said, "verdict": verdict}


def test_two_lines_are_one_answer(client):
    client.send("house puremco", "real_hub.chosen")
    client.send("set 9", "real_hub.chosen")
    assert not client.receive(line("press 3"))
    assert not client.receive(line("house puremco")) and client.answer[0] == "real_hub.waits"
    assert not client.receive(line("set 9")) and client.answer[0] == "real_hub.chosen"


def test_what_is_refused_is_not_overruled_by_what_comes_behind(client):
    client.send("house puremco", "real_hub.chosen")
    client.send("set 9", "real_hub.chosen")
    client.receive(line("house puremco", "not-now"))
    client.receive(line("set 9"))
    assert client.answer[0] == "real_hub.not_now"


def test_every_trouble_is_one_the_hub_tells_and_has_a_sentence(client):
    told = [*tag_writer.ERRORS.values(), "this hub has no slot 11"]
    for part, key in ERRORS.items():
        assert any(part in one for one in told), part
        client.send("write undo E", "real_hub.written")
        assert client.receive({"error": "slot E: %s" % next(one for one in told if part in one)})
        assert client.answer[0] == "real_hub." + key
        for language in LANGUAGES:
            assert Translator(language)(client.answer[0])
    client.send("write undo E", "real_hub.written")
    client.receive({"error": "something new"})
    assert client.answer[0] == "real_hub.did_not"


def test_errors_that_nobody_asked_for_are_the_storys(client):
    assert not client.receive({"error": "segment 3 is damaged; its inputs are lost"})
    assert client.answer is None


def test_an_export_is_whole_or_not_saved(client):
    board = quick_hub(configured(SET=6))
    for seat in "12":
        board.press(seat)
    board.tap("6-6", "1")
    first = len(board.lines)
    board.command("export")
    board.run(1000)
    saved = []
    client.export(saved.append)
    *before, last = board.lines[first:]
    assert all(client.receive(one) for one in before) and not saved
    client.disconnect()
    assert client.answer[0] == "real_hub.was_lost"
    client.receive(last)
    assert not saved
    client.export(saved.append)
    for one in board.lines[first:]:
        client.receive(one)
    assert match_export.read(saved[0])[-1]["input"] == "tap 6-6 1"


def test_a_self_test_that_somebody_began_at_the_hub_is_shown_too(client):
    assert client.receive({"selftest": "begin"}) and client.is_testing
    assert client.receive({"slot": "4", "reader": "0x92"}) and client.receive(
        {"slot": "4", "tag": "12-7"}
    )
    assert client.results == {"4": {"reader": "ok", "button": "", "tag": "ok"}}
    for junk in (7, "4", [["4"], {}], None):
        client.receive({"selftest": "end", "readers": junk})
    assert not client.is_testing
    client.receive({"selftest": "end", "readers": ["4", "5"]})
    assert client.results["4"]["reader"] == "fault"
    assert client.receive({"slot": "9", "tag": "x"}), "a tag is no story"


def test_the_sheet_of_cards_has_every_card_and_the_hub_knows_their_texts():
    for language in LANGUAGES:
        rows = printable_cards.cards(Translator(language))
        sheet = printable_cards.html(Translator(language))
        for text, what in rows:
            assert tags.parse(tags.plain(text.encode())) and what and "<b>%s</b>" % text in sheet
        assert len({text for text, _ in rows}) == len(rows) == 37
        assert {"seat %d" % seat for seat in SEATS} <= {text for text, _ in rows}
    words = {tags.parse(tags.plain(text.encode()))[0] for text, _ in rows}
    assert words == {
        *("seat", "undo", "override", "next", "totals", "scores", "quiet", "house", "set")
    }


def test_a_link_carries_a_match_and_nothing_else():
    text = json.dumps({"segment": 1, "data": "00"})
    names = {"3": " Zoë \n", "14": "Uma", "15": "Nobody"}
    assert match_link.unpack(match_link.pack(text, names)) == (text, {"3": "Zoë", "14": "Uma"})
    bomb = match_link.pack("x" * 3_000_000, {})
    for junk in ("", "x", bomb, match_link.pack(7, {}), match_link.pack(text, {"x": "y"})):
        with pytest.raises(match_export.NoExport):
            match_link.unpack(junk)
