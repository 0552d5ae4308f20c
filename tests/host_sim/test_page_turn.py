# SPDX-License-Identifier: MIT
"""The line that says whose turn it is: seen whole on every screen, and heard once."""

import html
import re

import pytest
from hub_actions import quick_hub
from page_browsers import ENGLISH, PLACE, TELEVISION, Visitor, first_turn, needs_browser, visiting
from test_viewer_page import asked_for, bots_play, moves, owner, phone, refused_move, started_app

from host_sim.app.page.app import App
from host_sim.app.page.rights import Rights
from host_sim.app.page.shown_tables import LiveTable
from host_sim.app.page.viewer_page import ViewerPage
from host_sim.app.session.match_store import MatchStore
from host_sim.app.views.i18n import LANGUAGES
from host_sim.board.hub.simulated_hub import configured
from host_sim.table.player_names import LONGEST
from host_sim.table.streams import HubStream

NAMES = {1: "Bartholomäus der Alt", 2: "Großmutter Friederik", 3: "Mamie Jeanne-Thérèse"}
SCREENS = ((320, 568), (360, 640), (390, 844), (844, 390), (640, 400), (768, 1024), (1280, 800))


# ---- heard, and in the title ----


def test_a_screen_reader_hears_once_that_ones_turn_begins(tmp_path):
    app = started_app(tmp_path)
    mine, looking = owner(app), phone(app)
    own = ENGLISH("page.your_turn", name="Ana") + "."
    for _ in range(3):
        assert bots_play(app) == ("person", 1)
        assert mine.components()["live"].count(own) == 1
        assert own not in looking.components()["live"]
        assert mine.handle({"do": "slot 2"})  # without a tile
        assert own not in mine.components()["live"], "it has begun before"
        assert mine.handle({"do": "drop %s %s" % refused_move(app.table.session)})
        assert own not in mine.components()["live"], "it has begun before"
        assert moves(mine) and own not in mine.components()["live"]
        if app.table.session.waits_for() == ("person", 1):  # it has drawn
            assert moves(mine)


def test_a_turn_that_begins_again_before_the_page_is_drawn_is_heard(tmp_path):
    app = started_app(tmp_path)
    mine = owner(app)
    own = ENGLISH("page.your_turn", name="Ana") + "."
    for _ in range(3):
        assert bots_play(app) == ("person", 1)
        assert mine.components()["live"].count(own) == 1
        assert moves(mine)  # and the others, before the next message


def test_a_turn_is_heard_when_the_curtain_is_lifted(tmp_path):
    app = started_app(tmp_path, people=(1, 2))
    mine = owner(app)
    for turn in range(1, 5):
        seat = bots_play(app).seat
        own = ENGLISH("page.your_turn", name=app.names[str(seat)]) + "."
        if mine.viewer.seats.curtain():
            assert own not in mine.components()["live"]
            assert mine.handle({"do": "curtain", "at": 1e6 * turn})
        assert mine.components()["live"].count(own) == 1
        assert moves(mine) and own not in mine.components()["live"]


def test_the_title_says_what_the_line_says(tmp_path):
    app = App(store=MatchStore(tmp_path), seed=1)
    assert owner(app).components()["title"] == "Roundhouse"
    app = started_app(tmp_path)
    mine, looking = owner(app), phone(app)
    assert bots_play(app) == ("person", 1)
    for page, key in ((mine, "your_turn"), (looking, "turn_of")):
        says = ENGLISH("page." + key, name="Ana")
        shown = page.components()
        assert html.unescape(shown["title"]) == says + " · Roundhouse"
        assert says in html.unescape(shown["turn"])


# ---- a phone that is away, and one that vibrates ----


@pytest.fixture
def away(tmp_path):
    """Return (app, owner's page, watcher's page) at the turn of seat 2, whose phone is away."""
    app = started_app(tmp_path)
    mine, looking = owner(app), phone(app)
    phone(app, 2, "two")
    app.is_room_let_in, app.present = True, frozenset(["own"])
    while bots_play(app) != ("person", 2):
        assert moves(mine)
    return app, mine, looking


def offered(page):
    return set(
        re.findall('data-do="(wait-for-phone|play-here 2|bot-turn 2)"', page.components()["table"])
    )


def test_while_a_phone_is_away_the_owner_may_go_on_and_all_may_wait(away):
    app, mine, looking = away
    assert offered(mine) == {"wait-for-phone", "play-here 2", "bot-turn 2"}
    assert offered(looking) == {"wait-for-phone"}
    assert offered(ViewerPage(app, Rights(television=True))) == set()
    assert looking.handle({"do": "wait-for-phone"})
    assert offered(looking) == set() and offered(mine), "each for themselves"
    assert not looking.handle({"do": "bot-turn 2"})
    assert mine.handle({"do": "bot-turn 2"})
    assert offered(mine) == set()
    while bots_play(app) != ("person", 2):
        assert moves(mine)
        looking.components()
    assert offered(looking) == {"wait-for-phone"}, "asked again at the next turn"
    app.present = frozenset(["own", "two"])
    assert offered(mine) == set()
    assert not mine.handle({"do": "bot-turn 2"}) and not looking.handle({"do": "wait-for-phone"})


def test_the_computer_plays_one_turn_and_the_seat_stays_the_persons(away):
    app, mine, _ = away
    session = app.table.session
    for turn in range(1, 6):
        before = len(session.past)
        assert mine.handle({"do": "bot-turn 2", "at": 1e6 * turn})
        done = session.past[before:]
        assert done and {line["by"] for line in done} == {2}
        assert session.line["turn"] != 2 or session.line["phase"] != "play"
        assert session.people == {1, 2} and session.metadata["people"] == [1, 2]
        assert app.table.seat_claims.seats == {2: "two"}
        waits = bots_play(app)
        while waits.kind in ("person", "knock") and waits.seat == 1:
            assert moves(mine) if waits.kind == "person" else mine.handle({"do": "wait"})
            waits = bots_play(app)
        if waits != ("person", 2):
            break


def vibrations(page):
    return [message["vibrate"] for message in page.messages() if "vibrate" in message]


def test_a_phone_vibrates_once_at_its_own_turn_unless_its_sound_is_off(tmp_path):
    app = started_app(tmp_path)
    mine, looking = owner(app), phone(app)
    vibrations(mine), vibrations(looking)
    for muted in (False, True, False):
        mine.viewer.sound.muted = muted
        while bots_play(app) != ("person", 1):
            pass
        assert len(vibrations(mine)) == (0 if muted else 1)
        assert mine.handle({"do": "step 1"}) and vibrations(mine) == vibrations(looking) == []
        while app.table.session.waits_for() == ("person", 1):
            assert moves(mine)


# ---- seen ----


def a_match(folder):
    app = App(store=MatchStore(folder), seed=1)
    settings = {"house": "puremco rounds-1", "set_": 6, "seats": (1, 2, 3), "people": (1,)}
    app.start_match(**settings, names=NAMES)
    return app


def lines_of_the_turn(folder, language):
    """Return the line's HTML at each kind of moment, {moment: HTML}."""
    found = {}
    app = a_match(folder)
    mine, looking = owner(app, language), ViewerPage(app, Rights(), language)
    assert bots_play(app) == ("person", 1)
    found["own turn"] = mine.components()["turn"]
    found["another's turn"] = looking.components()["turn"]
    app.is_room_let_in = True
    asks = phone(app)
    number = asked_for(app, asks, 1).number
    assert mine.handle({"do": "hand-over %d" % number})
    found["a phone is away"] = looking.components()["turn"]
    app.present = frozenset(["phone"])
    while bots_play(app).kind not in ("round", "over"):
        assert moves(asks)
    found["over"] = looking.components()["turn"]
    source = HubStream()
    app = App(LiveTable(source, {}), MatchStore(folder))
    board, looking = (
        quick_hub(configured(HOUSE="puremco deal-30")),
        ViewerPage(app, Rights(), language),
    )
    app.table.take(board.command("state"))
    for seats in range(5):
        found["the lobby with %d" % seats] = looking.components()["turn"]
        app.table.take(board.press(str(seats + 1)))
    source.opened("COM3")
    source.received(b'{"stopped": "by Ctrl-C"}\n')
    app.step()
    found["a hub that has stopped"] = looking.components()["turn"]
    return found


# Shows a line; returns its place and what is wrong with it.
SHOWN = """line => {
  const turn = document.getElementById("turn");
  turn.innerHTML = line;
  const box = turn.getBoundingClientRect();
  const words = document.createRange();
  words.selectNodeContents(turn.querySelector("span, .note:not(:has(span))"));
  const buttons = [...document.querySelectorAll("#head nav button")]
    .map((one) => one.getBoundingClientRect());
  const wrong = [];
  for (const { left, right, top, bottom } of words.getClientRects()) {
    if (left < 0 || right > innerWidth || top < box.top - 1 || bottom > box.bottom + 1)
      wrong.push(["out of the line", left, right, top, bottom]);
    if (buttons.some((one) =>
      right > one.left && left < one.right && bottom > one.top && top < one.bottom))
      wrong.push(["under a button", left, right, top, bottom]);
  }
  if (turn.scrollWidth > turn.clientWidth || turn.scrollHeight > turn.clientHeight)
    wrong.push(["cut", turn.scrollWidth, turn.scrollHeight]);
  const below = ["#table", "aside"].map((one) => document.querySelector(one))
    .map((one) => one.getBoundingClientRect().top);
  return { wrong, place: [box.x, box.y, box.width, box.bottom, Math.min(...below)] };
}"""


@pytest.mark.slow
@needs_browser
def test_the_whole_sentence_is_seen_on_every_screen_and_nothing_moves(browser, tmp_path):
    assert {len(name) for name in NAMES.values()} == {LONGEST}
    lines = {
        "%s: %s" % (language, moment): line
        for language in LANGUAGES
        for moment, line in lines_of_the_turn(tmp_path / language, language).items()
    }
    assert len({re.sub("<[^>]*>", "", line) for line in lines.values()}) >= 3 * 8
    with visiting(browser, tmp_path / "page", first_turn, host=True) as visitor:
        visitor.wait(".tile-button")
        television = Visitor(browser, TELEVISION).open(visitor.address.replace("/#", "/?tv#"))
        television.wait(".tv #turn p")
        seen = [(visitor, screen) for screen in SCREENS] + [(television, TELEVISION)]
        for shown, (width, height) in seen:
            shown.page.set_viewport_size({"width": width, "height": height})
            places = set()
            for moment, line in lines.items():
                found = shown.page.evaluate(SHOWN, line)
                assert found["wrong"] == [], (moment, width, height)
                places.add(tuple(found["place"]))
            ((x, y, wide, bottom, below),) = places
            assert (x, wide, bottom) == (0, width, below) and y < height / 8, (width, height)
        television.check()


@pytest.mark.slow
@needs_browser
def test_it_stays_in_sight_and_in_the_title_but_is_not_read_twice(browser, tmp_path):
    with visiting(browser, tmp_path, first_turn) as visitor:
        page = visitor.page
        page.set_viewport_size({"width": 320, "height": 480})
        visitor.wait(".tile-button")
        own = ENGLISH("page.your_turn", name="Ana")
        assert page.title() == own + " · Roundhouse"
        assert page.evaluate("() => { scrollTo(0, 9999); return scrollY; }") > 0
        at_top = "() => document.elementFromPoint(160, 20).closest('#turn')?.textContent"
        assert page.evaluate(at_top) == own
        live = "() => document.querySelector('#turn').closest('[aria-live], [role]')"
        assert page.evaluate(live) is None
        assert page.locator("#turn :is([aria-live], [role])").count() == 0
        visitor.changes(lambda: visitor.do(".tile-button.fits"))
        visitor.do(PLACE)
        page.wait_for_function("was => document.title !== was", arg=own + " · Roundhouse")
