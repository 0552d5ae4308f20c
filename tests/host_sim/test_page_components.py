# SPDX-License-Identifier: MIT
"""Each component of the page is drawn again when something changes that it depends on."""

import json
import time

import htpy as h
import pytest
from hub_actions import quick_hub
from test_viewer_page import ASKED, asked, bots_play, moves, owner, phone, started_app

from host_sim.app.page import actions, shown_tables
from host_sim.app.page.app import App
from host_sim.app.page.rights import Rights
from host_sim.app.page.shown_tables import LiveTable
from host_sim.app.page.viewer_page import COMPONENTS, ViewerPage
from host_sim.app.session.match_store import MatchStore
from host_sim.board.hub.simulated_hub import configured
from host_sim.table.streams import HubStream


@pytest.fixture(autouse=True)
def presses_one_upon_the_other(monkeypatch):
    monkeypatch.setattr(shown_tables, "PRESS_S", 0)


def check(pages, after):
    """Check that no component of a page differs from the same component drawn now."""
    for page in pages:
        shown = page.components()
        for name, component in COMPONENTS.items():
            drawn = str(h.fragment[component.draw(page.viewer)])
            assert shown[name] == drawn, "%s is stale after %s" % (name, after)


def television(app):
    return ViewerPage(app, Rights(False, "", television=True))


def test_after_every_action_nothing_is_stale(tmp_path):
    app = started_app(tmp_path)
    first = app.match_id
    app.room_url = "http://192.0.2.7:8000/"
    for word in ASKED:
        app.start_match(house="puremco", set_=6, seats=(1, 2, 3), people=(1,))
        bots_play(app)
        people = [owner(app), phone(app), television(app)]
        event = asked(app, {"other": first}, word)
        check(people, "the start")
        for page in people:
            page.handle(event)
            check(people, word)
            page.handle({"do": "close"})
            check(people, word + " and close")


def test_after_every_key_of_a_whole_match_nothing_is_stale(tmp_path):
    """Two people at one screen and one with a phone play, with every key and in two languages."""
    app = started_app(tmp_path, "goliath", seats=(1, 2, 3), people=(1, 2))
    mine, seated = owner(app), phone(app, 3, "two")
    people = [mine, seated, television(app)]
    keys = [*actions.KEYS, *actions.REPLAY_KEYS, "Escape"]
    for turn in range(36):
        waits = bots_play(app)
        check(people, "the bots")
        page = seated if waits.seat == 3 else mine
        for event in (
            {"do": "curtain"},
            {"key": keys[turn % len(keys)]},
            {"do": "speak " + ("en", "de")[turn // 3 % 2]},
            {"do": "hint"},
            {"do": "hint"},  # hides it, and the chosen tile stays
            {"do": "step 1"},
            {"do": "main"},
            {"do": "slot 2"},
            {"do": "wait"},
        ):
            page.handle(event)
            check(people, event)
        if page.viewer.seats.is_on_turn():
            moves(page)
        elif app.table.session.waits_for().kind == "round":
            assert mine.handle({"do": "next"})
        check(people, "a move")


def test_what_changes_outside_a_page_is_not_stale(tmp_path, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    app = started_app(tmp_path)
    mine, seated, third = owner(app), phone(app, 2, "two"), phone(app, me="three")
    people = [mine, seated, third, television(app)]
    while bots_play(app) != ("person", 2):
        moves(mine)
    check(people, "the start")
    app.present = frozenset(["own"])
    check(people, "a phone went away")
    app.is_room_let_in = True
    check(people, "the room was let in")
    app.present = frozenset(["own", "two"])
    check(people, "a phone came back")
    app.room_url = "http://192.0.2.7:8000/"
    check(people, "the room has an address")
    for others in ("three", "four"):
        asks = phone(app, me=others)
        for wrong in ("none", "no", "not"):
            assert asks.handle({"do": "ask-seat 2"})
            check(people, "a request")
            asks.handle({"do": "prove-seat 2", "fields": {"code": wrong}})
            check(people, "a wrong code")
            now[0] += 100
            check(people, "some time")
    now[0] += 10000
    check(people, "the end of every request")
    app.step()
    check(people, "a step")
    mine.viewer.set_television(True)
    check(people, "another view")


def test_an_open_dialog_shows_what_is_on_the_disk_now(tmp_path):
    app = started_app(tmp_path)
    first = app.match_id
    app.start_match(house="puremco", set_=6, seats=(1, 2), people=(1,))
    mine = owner(app)
    assert mine.handle({"do": "open matches"})
    assert 'look-back %s"' % first in mine.components()["dialog"]
    app.store.remove(first)
    check([mine], "a match was deleted")
    assert 'look-back %s"' % first not in mine.components()["dialog"]


def test_what_a_real_hub_says_is_not_stale(tmp_path):
    source = HubStream()
    app = App(LiveTable(source), MatchStore(tmp_path))
    people = [owner(app), phone(app), television(app)]
    board = quick_hub(configured(SET=6))
    lines = [board.command("state"), board.press("1"), board.press("2"), board.tap("6-6", "1")]
    check(people, "no hub")
    for status in ("usb.none", "usb.looking", "usb.stopped", "usb.lost"):
        source.set_status(status, port="COM3")
        check(people, status)
    source.opened("COM3")
    for line in lines:
        source.received(json.dumps(line).encode() + b"\n")
        app.step()
        check(people, line["input"])
    assert people[0].handle({"do": "open hub-config"})
    for word in ("read", "leave"):
        assert people[0].handle({"do": "hub-config " + word})
        check(people, word)
    source.closed("COM3")
    check(people, "the hub is gone")
