# SPDX-License-Identifier: MIT
"""The page of each viewer, without a browser: who may do what, who sees which hand, and junk."""

import collections
import functools
import html
import html.parser
import json
import re
from pathlib import Path

import hub_actions
import pytest
import test_lesson
from hub_actions import quick_hub
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from page_browsers import ENGLISH

from host_sim.app.handouts import house_guide
from host_sim.app.page import (
    actions,
    dialogs,
    elements,
    new_match_form,
    seat_claims,
    shown_tables,
)
from host_sim.app.page.app import App
from host_sim.app.page.people_statistics import id_of
from host_sim.app.page.rights import Rights
from host_sim.app.page.shown_tables import LiveTable, ReplayedTable
from host_sim.app.page.viewer_page import ViewerPage
from host_sim.app.people import durations
from host_sim.app.people.house_options import HOUSES
from host_sim.app.people.people_statistics import key_of, people
from host_sim.app.session import match_metadata
from host_sim.app.session.match_session import MatchSession
from host_sim.app.session.match_store import MatchStore
from host_sim.app.session.player_view import PlayerView
from host_sim.app.views.i18n import LANGUAGES
from host_sim.board.hub import match_export
from host_sim.board.hub.simulated_hub import configured
from host_sim.table.games import house_info
from host_sim.table.streams import HubStream, Recording
from roundhouse import constants
from roundhouse.games import houses

DRAWN = {"d", "transform", "viewBox", "style", "points", "class", "x", "y"}  # no text in these
TILE = re.compile(r"(?<![\w.-])\d{1,2}-\d{1,2}(?![\w.-])")


class Parsed(html.parser.HTMLParser):
    """A parser that collects the contents of components.

    said: the texts and attribute values of the components
    sends: {attribute: the values that the browser may send back}
    """

    def __init__(self, components):
        super().__init__()
        self.said = []
        self.sends = collections.defaultdict(set)
        for name, text in components.items():
            if name != "lamps":
                self.feed(str(text))  # a plain str: Markup would escape what the parser appends

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if value and name not in DRAWN:
                self.said.append(value)
                self.sends[name].add(value)

    handle_startendtag = handle_starttag

    def handle_data(self, data):
        self.said.append(data)

    @property
    def tiles(self):
        return {tile for said in self.said for tile in TILE.findall(said)}


@functools.cache
def parsed(text):
    return Parsed({"": text})


def texts(shown):
    """Return the components of a page of the album, except `lamps`."""
    return [text for name, text in shown.components.items() if name != "lamps"]


def sent(shown, name):
    return {one for text in texts(shown) for one in parsed(text).sends.get(name, ())}


@pytest.fixture(scope="module", autouse=True)
def presses_one_upon_the_other():
    """Let the page count every press, even one that follows at once."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(shown_tables, "PRESS_S", 0)
        yield


def owner(app, language="en"):
    return ViewerPage(app, Rights(True, "own"), language)


def phone(app, seat=None, me="phone", name="Eva"):
    """Return a viewer in the room, who takes `seat`, if given, from a bot."""
    page = ViewerPage(app, Rights(False, me))
    if seat:
        assert page.handle({"do": "take-seat %d" % seat, "fields": {"name": name}})
    return page


def started_app(folder, house="puremco", set_=6, seats=(1, 2, 3), people=(1,), **more):
    app = App(store=MatchStore(folder), seed=1)
    names = {1: "Ana", 2: "Bo"}
    app.start_match(house=house, set_=set_, seats=seats, people=people, names=names, **more)
    return app


def bots_play(app):
    """Let bots play until the session waits for a person, or the round ends."""
    session = app.table.session
    while session.waits_for().kind in ("bot", "table"):
        app.table.apply(lambda session: session.act())
    return session.waits_for()


def moves(page):
    """Lay the first fitting tile of the viewer's hand, or press the button."""
    session, seat = page.viewer.table.session, page.viewer.seats.hand()
    fits = PlayerView(session).fits(seat)
    for tile, places in fits.items():
        return page.handle({"do": "drop %s %s" % (tile, places[0])})
    return page.handle({"do": "button"})


def plays(app, pages, look=lambda: None, most=400):
    """Let viewers and bots play until the round is over; return what the session waits for then.

    look: called before every move of a viewer
    """
    for _ in range(most):
        waits = bots_play(app)
        look()
        if waits.kind in ("round", "over"):
            return waits
        page = next(page for page in pages if waits.seat in page.viewer.seats.own())
        if page.viewer.seats.curtain():
            assert page.handle({"do": "curtain"})
        assert moves(page), waits
    raise AssertionError("the round does not end")


# ---- an album of everything the page shows ----

Shown = collections.namedtuple("Shown", "moment who language components")


class Album:
    """All pages that every kind of viewer sees, in every language."""

    def __init__(self):
        self.shown = []

    def look(self, moment, *pages):
        for page in pages:
            who = (
                "owner"
                if page.viewer.rights.owner
                else "seated"
                if page.viewer.seats.own()
                else "viewer"
            )
            for language in LANGUAGES:
                page.viewer.set_language(language)
                self.shown.append(Shown(moment, who, language, page.components()))

    def dialogs(self, moment, page):
        for name in dialogs.DIALOGS:
            words = name
            if name == "remove":
                others = (
                    [kept.id for kept in page.viewer.app.store.matches()]
                    if page.viewer.app.store
                    else []
                )
                words = "remove " + next(
                    (one for one in others if one != page.viewer.app.match_id), "x"
                )
            if name in ("own-sheet", "own-remove"):
                words = name + " club"
            if page.handle({"do": "open " + words}):
                self.look("%s, %s" % (moment, name), page)
                assert page.handle({"do": "close"}) or page.viewer.table.kind == "empty"


# fields of a form: a table's own sheet, which no words suffice for without `first-turn`
CLUB = {"title": "Club", "base": "puremco", "asked": "puremco", "typed-deal": "5 4"}


def of_a_match(album, folder):
    app = App(store=MatchStore(folder), seed=1)
    mine, other = owner(app), phone(app)
    album.look("no match", mine, other)
    assert mine.handle({"do": "open own"})
    assert mine.handle({"do": "own-keep", "fields": CLUB}) and mine.handle({"do": "open own"})
    for fields in ({**CLUB, "typed-deal": "99"}, CLUB):
        assert mine.handle({"do": "own-keep", "fields": fields})
        album.look("a sheet that cannot be kept", mine)
    assert mine.handle({"do": "open new"})
    assert mine.handle({"do": "choose", "fields": {"house": "jassshop", "here": "2"}})
    album.dialogs("no match", mine)
    for house in HOUSES:
        fields = {"house": house, "players": "2", "set": "6", "name1": "Ana"}
        assert mine.handle({"do": "open new"}) and mine.handle({"do": "start", "fields": fields})
        bots_play(app)
        mine.handle({"key": "ArrowRight"})
        mine.handle({"key": "h"})
        album.look(house, mine, other)
        for tile in (mine.viewer.chosen_tile, *app.table.player_view.hand(1)):
            for _ in range(2):
                mine.handle({"do": "drop %s 1" % tile})
                album.look(house + ", laid or refused", mine)
        for slot in ("M", "E"):
            mine.handle({"do": "slot " + slot})
            album.look(house + ", a slot is clicked", mine)
    app.start_match(house="puremco", set_=6, seats=(1, 2, 3, 4), people=(1, 2))
    app.room_url = "http://192.0.2.7:8000/"
    app.is_room_let_in = False
    app.open_outside("https://dominoes.example/")
    seated = phone(app, 3)
    for what in (("puremco", mine), ("seated", seated), ("looking on", other)):
        album.dialogs(*what)
    assert mine.handle({"do": "invite", "fields": {"seat": "4", "name": "Ana"}})
    album.look("invited", mine)
    assert mine.handle({"do": "close"})
    app.is_room_let_in = None
    third = phone(app, me="third")
    request = asked_for(app, third, 3, "third")
    album.look("a seat is asked for", mine, third)
    assert third.handle({"do": "prove-seat 3", "fields": {"code": "no"}})
    album.look("a wrong code", mine, third)
    assert mine.handle({"do": "refuse-seat %d" % request.number})
    for sign in range(len(seat_claims.SIGNS)):
        asked_for(app, phone(app, me=str(sign)), 3)
    album.look("every sign", mine)
    for request in app.table.seat_claims.requests():
        assert mine.handle({"do": "refuse-seat %d" % request.number})

    def look():
        album.look("in the round", mine, seated)

    app.is_room_let_in, app.present = True, frozenset(["own"])  # the phone is away
    plays(app, [mine, seated], look)
    app.is_room_let_in, app.present = None, frozenset()
    album.look("end of the round", mine, seated, other)
    album.dialogs("end of the round", mine)
    assert mine.handle({"do": "next"})
    bots_play(app)
    app.table.apply(lambda session: session.take_back())
    album.look("taken back", mine)
    while not app.table.session.end_match():
        app.table.apply(lambda session: session.take_back())
    app.table.update()
    assert app.table.state["phase"] == "finished"
    album.look("end of the match", mine, seated, other)
    assert mine.handle({"do": "look-back " + app.match_id})
    album.look("looked back", mine, seated, other)
    for way in ("round-on", "on", "back", "run", "start"):
        assert mine.handle({"do": "recording " + way})
        album.look("recording " + way, mine)
    app.site_url = "http://192.0.2.7/"  # anybody can open it: a link carries the match
    album.dialogs("tape", mine)
    return app.export()


def of_a_forgotten_knock(album, folder):
    """Add the page of three people at one screen, one of whom has forgotten to knock."""
    app = started_app(folder, "goliath", people=(1, 2, 3))
    page = owner(app)
    session = app.table.session
    for _ in range(400):
        waits = bots_play(app)
        if session.catchable() and page.viewer.seats.hand() not in (None, session.catchable()):
            break
        if waits.kind == "round":
            app.table.apply(lambda session: session.next_round())
        elif waits.kind == "knock":
            assert page.handle({"do": "wait"})
        elif page.viewer.seats.curtain():
            assert page.handle({"do": "curtain"})
        else:
            assert moves(page)
    album.look("a knock was forgotten", page)
    forgot = session.catchable()
    assert page.handle({"do": "catch"})
    assert (session.line["did"], session.line["by"]) == ("caught", forgot)
    assert not page.handle({"do": "catch"}), "once"


def of_open_hands(album, folder):
    app = started_app(folder, open_hands=True)
    mine, seated, other = owner(app), phone(app, 2, "two"), phone(app)
    bots_play(app)
    album.look("open hands", mine, seated, other)
    for what, page in (("puremco", mine), ("looking on", other)):
        album.dialogs(what + " with open hands", page)


def of_a_lesson(album, folder):
    app = App(store=MatchStore(folder), seed=1)
    page = owner(app)
    for topic in ("round", "forgotten"):
        assert page.handle({"do": "learn " + topic})
        for _ in range(100):
            album.look("lesson %d" % app.table.lesson.step, page)
            if app.table.lesson.done:
                break
            wanted = page.viewer.lesson_goal()
            if not wanted:
                app.table.apply(lambda session: session.act())
            elif wanted.tile:
                assert page.handle({"do": "drop %s %s" % (wanted.tile, wanted.slot)})
            else:
                assert page.handle({"do": "back" if wanted.back else "button"})
        album.look("lesson done", page)
        assert app.table.lesson.done


def of_a_hub(album, export, folder):
    source = HubStream()
    app = App(LiveTable(source, {"1": "Ana"}), MatchStore(folder))
    mine, other = owner(app), phone(app)
    album.look("no hub", mine, other)
    source.set_status("usb.none")
    app.step()
    album.dialogs("no hub", mine)
    for line in match_export.read(export):
        app.table.take(line)
    source.set_status("usb.here", port="COM3")
    album.look("a hub", mine, other)
    album.dialogs("a hub", mine)
    assert mine.handle({"do": "hub-test begin"}) and mine.handle({"do": "open hub-test"})
    album.look("a hub, hub-test", mine)
    assert mine.handle({"do": "close"})
    source.opened("COM3")
    source.received(b'{"stopped": "by Ctrl-C"}\n')
    app.step()
    album.look("stopped", mine, other)
    assert ENGLISH("no_hub.stopped") in html.unescape(phone(app).components()["table"])
    source.closed("COM3")
    app.step()
    album.look("lost", mine, other)


def test_rules_are_asked_before_the_hub_has_said_its_own(tmp_path):
    """The dialog of rules can be opened before `state` has named the hub's house."""
    source = HubStream()
    app = App(LiveTable(source, {}))
    source.set_status("usb.here", port="COM3")
    board = quick_hub(configured(SET=6))
    app.table.take(board.press("1"))
    mine = owner(app)
    assert mine.handle({"do": "open hub-rules"})
    assert 'value="matador"' in str(mine.components()["dialog"])
    app.table.take(board.command("state"))
    assert 'value="6" selected' in str(mine.components()["dialog"])


def connected_hub(tmp_path):
    """Return (stream, app, board, page of the owner) of a hub in its first round."""
    source = HubStream()
    app = App(LiveTable(source, {"1": "Ana"}), MatchStore(tmp_path))
    source.set_status("usb.here", port="COM3")
    board = quick_hub(configured())
    for line in (board.press("1"), board.press("2"), board.tap("12-12", "1")):
        app.table.take(line)
    return source, app, board, owner(app)


def test_a_guest_joins_a_hub_from_the_page(tmp_path):
    """A guest can join a hub from the page; points are sent only if they are a number."""
    source, app, board, mine = connected_hub(tmp_path)
    assert mine.handle({"do": "open hub-guest"})
    assert not mine.handle({"do": "hub-guest", "fields": {"seat": "2"}}), "it is taken"
    assert mine.handle({"do": "hub-guest", "fields": {"seat": "4", "points": "few"}})
    assert ENGLISH("real_hub.guest_points_how") in html.unescape(mine.components()["dialog"])
    assert source.take_output() == b""
    for seat, points, line in (("4", " 61 ", b"join 4 61\r\n"), ("5", "", b"join 5\r\n")):
        assert mine.handle({"do": "hub-guest", "fields": {"seat": seat, "points": points}})
        assert source.take_output() == line
        source.received(json.dumps(board.command(line.decode().strip())).encode() + b"\n")
        app.step()
        assert ENGLISH("real_hub.guest_joined") in html.unescape(mine.components()["dialog"])
    assert not phone(app).handle({"do": "hub-guest", "fields": {"seat": "4"}})


def test_the_lobby_says_when_the_tiles_do_not_suffice(tmp_path):
    app = App(LiveTable(HubStream(), {"1": "Ana"}), MatchStore(tmp_path))
    board = quick_hub(configured(HOUSE="puremco deal-30"))
    mine = owner(app)
    lines = [board.command("state")]
    for seats in range(1, 5):
        for line in [*lines, board.press(str(seats))]:
            app.table.take(line)
        lines = []
        said = html.unescape(mine.components()["turn"])
        assert (ENGLISH("page.phase_lobby_lacks") in said) == (seats == 4)
        assert (ENGLISH("page.phase_lobby_none_left") in said) == (seats == 3)
    assert app.table.model.lamps()["E"] == "l..."
    refused = (("12-12", "4", "too_few_tiles"), ("12-7", "4", "lobby_double"))
    for tile, slot, why in refused:
        app.table.take(board.tap(tile, slot))
        assert ENGLISH("refused." + why) in html.unescape(mine.components()["story"]), why


def test_a_total_is_put_right_from_the_page(tmp_path):
    """Between rounds; the table of all rounds has a row for it."""
    source, app, board, mine = connected_hub(tmp_path)
    assert mine.handle({"do": "open hub"})
    assert "open hub-total" not in str(mine.components()["dialog"]), "only between rounds"
    for line in (board.press("E"), board.command("score 1 90"), board.command("score 2 7")):
        app.table.take(line)
    assert "open hub-total" in str(mine.components()["dialog"])
    assert mine.handle({"do": "open hub-total"})
    for wrong in ("few", "-80", "32768", "", "0032767"):
        assert mine.handle({"do": "hub-total", "fields": {"seat": "1", "points": wrong}})
        assert ENGLISH("real_hub.total_points_how") in html.unescape(mine.components()["dialog"])
    assert not mine.handle({"do": "hub-total", "fields": {"seat": "3", "points": "1"}})
    assert source.take_output() == b""
    assert mine.handle({"do": "hub-total", "fields": {"seat": "1", "points": " 10"}})
    assert source.take_output() == b"total 1 10\r\n"
    source.received(json.dumps(board.command("total 1 10")).encode() + b"\n")
    app.step()
    assert ENGLISH("real_hub.total_done") in html.unescape(mine.components()["dialog"])
    assert app.table.model.state["scores"] == {"1": 10, "2": 7}
    assert mine.handle({"do": "open rounds"})
    dialog = html.unescape(str(mine.components()["dialog"]))
    assert ENGLISH("page.put_right") in dialog and "\u221280" in dialog and "90" in dialog
    app.table.take(board.command("undo"))
    assert ENGLISH("page.put_right") not in html.unescape(str(mine.components()["dialog"]))


def of_evenings(album, folder, other):
    """Add the pages with statistics to the album: the pages about one person with two names, and
    the pages about a hub's match."""
    app = App(store=MatchStore(folder))
    page = owner(app)
    for seed, name in enumerate(("Ana", "Anna")):
        app.start_match(
            house="block", set_=6, seats=(1, 2), people=(1,), names={1: name}, seed=seed
        )
        plays(app, [page])
    assert page.handle({"do": "evenings"})
    while app.evenings.left:
        album.look("reading the evenings", page)
        app.step()
    album.look("evenings", page)
    (person, *_) = people(app.evenings.results(), {})
    other_name = {"Ana": "Anna", "Anna": "Ana"}[person.name]
    words = {"do": "evenings-rename " + id_of(person.key), "fields": {"name": other_name}}
    assert page.handle({"do": "open evenings-person " + id_of(person.key)})
    assert page.handle(words)
    album.look("one person or two", page)
    assert page.handle({**words, "do": words["do"] + " really"})
    assert page.handle({"do": "open evenings-person " + id_of(key_of(other_name))})
    album.look("one person", page)
    assert page.handle({"do": "open evenings-forget-person " + id_of(key_of(other_name))})
    album.look("forget a person", page)
    export = match_export.replay_export(MatchStore(other).segments("hub"))[1]
    assert page.handle({"do": "evenings-add", "fields": {"text": export}})
    album.look("who sat where", page)
    assert page.handle({"do": "evenings-count", "fields": {}})
    assert page.handle({"do": "open evenings-forget"})
    album.look("forget what was added", page)


def a_match_of_a_hub(folder):
    """Save a match with a finished round in the sub-folder `hub`; return the folder."""
    session = MatchSession(folder / "hub", (1, 2), (), "puremco", 6, 3)
    while session.waits_for().kind != "round":
        assert session.act()
    session.close()
    return folder


@pytest.fixture(scope="module")
def album(tmp_path_factory):
    album = Album()
    export = of_a_match(album, tmp_path_factory.mktemp("match"))
    of_a_forgotten_knock(album, tmp_path_factory.mktemp("knock"))
    of_open_hands(album, tmp_path_factory.mktemp("open"))
    of_a_lesson(album, tmp_path_factory.mktemp("lesson"))
    of_a_hub(album, export, tmp_path_factory.getbasetemp() / "match0")
    hub = a_match_of_a_hub(tmp_path_factory.mktemp("hub"))
    of_evenings(album, tmp_path_factory.mktemp("evenings"), hub)
    return album.shown


@pytest.mark.slow
def test_nobody_reads_a_verdict_or_a_hole(album):
    verdicts = "|".join(word for word in constants.VERDICTS if "-" in word)
    never = re.compile(r"[{}]|\bNone\b|(?<!more: )\bpress [\dEM]\b|" + verdicts)
    first = {text: shown[:3] for shown in album[::-1] for text in texts(shown)}
    for text, where in first.items():
        for said in parsed(text).said:
            if said.startswith("FAMILY = "):  # lines for config.py
                continue
            assert not never.search(said), (where, said)


@pytest.mark.slow
def test_every_dialog_is_opened(album):
    moments = {shown.moment.rpartition(", ")[2] for shown in album}
    opened = set(dialogs.DIALOGS) - {"link"}  # there is none behind a server
    assert opened <= moments
    for name in opened:
        said = {language: set() for language in LANGUAGES}
        for shown in album:
            if shown.moment.endswith(", " + name):
                titles = re.findall("<h1>(.*?)</h1>", shown.components["dialog"])
                assert len(titles) == 1, shown[:3]
                said[shown.language] |= set(titles)
        assert all(said.values()) and not said["en"] & said["de"], said


@pytest.mark.slow
def test_every_action_is_offered_somewhere(album):
    offered = set()
    for shown in album:
        for name in ("data-do", "data-change", "data-file"):
            offered |= {words.split()[0] for words in sent(shown, name)}
        if sent(shown, "data-drag") and sent(shown, "data-drop"):
            offered.add("drop")
    typed = {sent.split()[0] for sent in (*actions.KEYS.values(), *actions.REPLAY_KEYS.values())}
    of_the_shell = {"room", "kept", "look-at-link", "no-voice", "not-copied", "falls-asleep"}
    of_the_browser = {"copy-link", "plug"}  # the site's own wire does these
    offered -= of_the_browser
    assert set(actions.ACTIONS) == offered | typed | of_the_shell, "and nothing else is offered"


@pytest.mark.slow
def test_nobody_is_offered_what_is_not_allowed(album):
    for shown in album:
        if shown.who != "owner":
            for words in sent(shown, "data-do") - {"close", "copy-link", "plug"}:
                who = actions.ACTIONS[words.split()[0]][1]
                # the table's places are there for everybody, and do nothing
                wanted = (actions.ALL, actions.SEATED) if shown.who == "seated" else (actions.ALL,)
                assert who in wanted or words.startswith("slot "), (shown[:3], words)


# ---- rights ----

# how each action is asked for, at a table of the seats 1 (here), 2 (a phone) and 3 (a bot)
ASKED = """
pick {tile}, step 1, main, slot 1, drop {tile} 1, override {tile} 1, button, draw, catch, back,
redo, rematch, real-round, volume, wait, hint, sort, curtain, next, end-match, choose, start,
carry-on {match}, look-back {match}, remove {other}, learn, look-at, look-at-link junk,
pace calm, leave-seat 1, names, own-choose, own-keep, own-play club, own-guide club,
own-card club, own-remove club really, evenings, evenings-rename x, evenings-separate x,
evenings-save, evenings-add, evenings-count, evenings-forget,
evenings-forget-person x, piece 1 1, hub-export, hub-rules,
hub-guest, hub-total, hub-test begin, hub-config read, hub-start, hub-write undo, save-cards,
recording on, open menu, close, sound, spoken turns, comfort text 125, no-voice, not-copied,
television, speak de, kept, room 900 900, save match, let-in yes, invite,
withdraw x, take-seat 1, ask-seat 1,
prove-seat 1,
hand-over 2, refuse-seat 2, play-here 2, bot-turn 2,
wait-for-phone, falls-asleep
"""  # from "open" on: what everybody may do, which changes nothing at the table
ASKED = {words.split()[0]: words for words in ASKED.strip().replace("\n", " ").split(", ")}


def all_of(app):
    """Return everything that a refused action must leave unchanged."""
    session = app.table.session
    return (
        *(app.table, app.pace, app.match_id, list(app.table.moments), dict(app.names)),
        app.is_room_let_in,
        *(
            set(session.people),
            {seat: set(PlayerView(session).hand(seat)) for seat in session.seats},
        ),
        *(dict(app.table.seat_claims.seats), [kept.id for kept in app.store.matches()]),
        *(session.waits_for(), session.strength),
    )


@pytest.fixture
def three(tmp_path):
    """Return (app, {who: their page}): seat 1 belongs to the owner, 2 to a phone, 3 to a bot."""
    app = started_app(tmp_path)
    first = app.match_id
    app.start_match(house="puremco", set_=6, seats=(1, 2, 3), people=(1,), names={1: "Ana"})
    pages = {"owner": owner(app), "seated": phone(app, 2, "two"), "viewer": phone(app)}
    pages["other"] = first
    while bots_play(app) != ("person", 1):
        assert moves(pages["seated"])
    return app, pages


def test_the_menu_is_in_groups(three):
    """Each action stands in one group, and a group without an action is not shown."""
    app, pages = three
    mine, others = menu_groups(pages["owner"]), menu_groups(pages["viewer"])
    titles = [ENGLISH("page.menu_" + group) for group in ("play", "look", "save", "settings")]
    play, _, _, settings = titles
    assert [*mine] == titles
    assert {"open comfort", "speak de"} <= {*mine[settings]}
    actions = [action for found in mine.values() for action in found]
    assert len(actions) == len({*actions}), actions
    assert others[play] == ["open seats"]
    assert pages["owner"].handle({"do": "look-back " + app.match_id})
    assert [*menu_groups(pages["viewer"])] == titles[1:]


def menu_groups(page):
    """Return {title: the actions of its buttons} of the menu."""
    assert page.handle({"do": "open menu"})
    _, *parts = page.components()["dialog"].split('class="menu-group"')
    return {
        re.search('aria-label="(.*?)"', part)[1]: re.findall('data-do="(.*?)"', part)
        for part in parts
    }


def asked(app, pages, word, seat=1):
    values = {
        "tile": app.table.player_view.hand(seat)[0],
        "match": app.match_id,
        "other": pages["other"],
    }
    return {"do": ASKED[word].format(**values), "fields": {"name": "Zoe", "text": "junk"}}


def test_a_replay_goes_only_where_it_has_a_line(tmp_path):
    app = started_app(tmp_path)
    bots_play(app)
    page = owner(app)
    assert page.handle({"do": "look-back " + app.match_id})
    for at in ("2", "", "x", "-1", "999", "9" * 5000):
        assert page.handle({"do": "recording at", "fields": {"at": at}})
        assert app.table.recording.at == 2


def test_the_table_of_actions_is_whole():
    assert set(ASKED) == set(actions.ACTIONS)


@pytest.mark.parametrize("who", ["viewer", "seated"])
def test_whoever_may_not_changes_nothing(three, who):
    app, pages = three
    app.is_room_let_in = False
    before = all_of(app)
    page = pages[who]
    for word, (_, allowed, _) in actions.ACTIONS.items():
        done = page.handle(asked(app, pages, word))
        assert all_of(app) == before, word
        if allowed == actions.OWNER or (who == "viewer" and allowed == actions.SEATED):
            assert not done, word
    for key in actions.KEYS:
        page.handle({"key": key})
        assert all_of(app) == before, key


def test_a_phone_acts_for_its_own_seat_only(three):
    app, pages = three
    seated, mine = pages["seated"], pages["owner"]
    assert (
        seated.viewer.seats.own() == {2}
        and mine.viewer.seats.own() == {1}
        and pages["viewer"].viewer.seats.own() == set()
    )
    assert moves(mine)
    while bots_play(app) != ("person", 2):
        assert moves(mine)
    before = all_of(app)
    for word in ("override", "button", "drop", "pick"):
        assert not mine.handle(asked(app, pages, word, seat=2)), "not the owner's to play"
        assert all_of(app) == before
    assert moves(seated)
    assert not seated.handle({"do": "take-seat 3", "fields": {}}), "one seat a phone"
    stranger = ViewerPage(app, Rights())
    assert not stranger.handle({"do": "take-seat 3", "fields": {"name": "Kim"}}), "without an id"
    assert not pages["viewer"].handle({"do": "leave-seat 2", "fields": {}})
    assert mine.handle({"do": "leave-seat 2", "fields": {}}) and seated.viewer.seats.own() == set()
    assert pages["viewer"].handle({"do": "take-seat 2", "fields": {"name": " Zoe \n "}})
    assert app.names["2"] == "Zoe"


def test_a_name_is_taken_once(three):
    app, pages = three
    viewer = pages["viewer"]
    assert viewer.handle({"do": "open seats"})
    for typed, taken, free in (("ana", "ana", "ana 2"), ("Eva", "Eva", "Eva 2")):
        assert viewer.handle({"do": "take-seat 3", "fields": {"name": typed}})
        assert viewer.viewer.seats.own() == set()
        shown = html.unescape(viewer.components()["dialog"])
        assert ENGLISH("page.name_taken", name=taken, free=free) in shown
        assert 'value="%s"' % free in shown
    assert viewer.handle({"do": "take-seat 3", "fields": {"name": "Ana 2"}})
    assert app.names == {"1": "Ana", "2": "Eva", "3": "Ana 2"}
    assert viewer.components()["dialog"] == ""


def test_two_people_in_a_form_have_two_names(tmp_path):
    app = App(store=MatchStore(tmp_path), seed=1)
    page = owner(app)
    fields = {"players": "3", "here": "2", "name1": "Ana", "name2": "Ana"}
    assert page.handle({"do": "start", "fields": fields}) and app.table.kind == "empty"
    shown = page.components()["dialog"]
    assert 'value="Ana 2"' in shown
    assert ENGLISH("page.name_taken", name="Ana", free="Ana 2") in shown
    assert page.handle({"do": "start", "fields": {**fields, "name2": "Ana 2"}})
    assert set(app.names.values()) >= {"Ana", "Ana 2"} and len(set(app.names.values())) == 3


def test_names_that_a_file_has_twice_are_told_apart(tmp_path):
    store = MatchStore(tmp_path)
    app = App(store=store, seed=1)
    app.start_match(seats=(1, 2, 3), people=(1, 2), names={1: "Ana", 2: "Ana", 3: "Bo"})
    assert app.names == {"1": "Ana", "2": "Ana 2", "3": "Bo"}


# ---- a seat on another phone ----


def asked_for(app, page, seat, me="phone"):
    """Let a page ask for a seat; return its Request."""
    assert page.handle({"do": "open seats"}) and page.handle({"do": "ask-seat %d" % seat})
    return app.table.seat_claims.request_of(me, seat)


def test_who_asks_for_a_seat_proves_it_by_the_code(three):
    app, pages = three
    claims, mine, other = app.table.seat_claims, pages["owner"], pages["viewer"]
    request = asked_for(app, other, 2)
    code = ENGLISH("page.asks_code", code=request.code)
    hand_over = "hand-over %d" % request.number
    assert code in mine.components()["table"]
    television = ViewerPage(app, Rights(True, "tv", television=True))
    shown = television.components()["table"]
    assert code in shown and "hand-over" not in shown
    guests = ViewerPage(app, Rights(False, "tv", television=True)).components()
    assert code not in Parsed(guests).said, "a guest could read the code there, and take the seat"
    assert mine.handle({"do": "open menu"})
    shown = mine.components()
    assert hand_over in shown["dialog"] and "hand-over" not in shown["table"]
    assert mine.handle({"do": "close"}) and hand_over in mine.components()["table"]
    assert other.handle({"do": "prove-seat 2", "fields": {"code": " " + request.code}})
    assert other.viewer.seats.own() == {2} and pages["seated"].viewer.seats.own() == set()
    assert other.components()["dialog"] == "" and claims.requests() == []
    again = app.store.open(app.match_id)
    assert again.metadata["phones"] == {"2": "phone"}
    again.close()


def test_a_sign_is_at_both_screens(three):
    app, pages = three
    mine, other, third = pages["owner"], pages["viewer"], phone(app, me="third")
    requests = asked_for(app, other, 2), asked_for(app, third, 2, "third")
    signs = [elements.request_sign(mine.viewer, request) for request in requests]
    table = mine.components()["table"]
    for page, sign, request in zip((other, third), signs, requests, strict=True):
        shown = html.unescape(page.components()["dialog"])
        assert ENGLISH("page.seat_code_how", sign=sign) in shown
        assert [other for other in signs if other in shown] == [sign]
        assert ENGLISH("page.hand_over", sign=sign) in table
        assert "hand-over %d" % request.number in table
    assert mine.handle({"do": "hand-over %d" % requests[1].number})
    assert third.viewer.seats.own() == {2} and other.viewer.seats.own() == set()
    assert not mine.handle({"do": "hand-over %d" % requests[0].number}), "it has ended"


def test_a_phone_waits_after_a_wrong_code(three, monkeypatch):
    app, pages = three
    claims, mine, other = app.table.seat_claims, pages["owner"], pages["viewer"]
    request = asked_for(app, other, 2)
    sign = elements.request_sign(mine.viewer, request)
    assert other.handle({"do": "prove-seat 2", "fields": {"code": "x" + request.code}})
    shown = html.unescape(other.components()["dialog"])
    assert ENGLISH("page.seat_code_wrong", sign=sign, minutes=2) in shown
    assert "prove-seat" not in shown
    assert other.handle({"do": "prove-seat 2", "fields": {"code": request.code}})
    assert other.viewer.seats.own() == set(), "it waits"
    now = shown_tables.time.monotonic()
    monkeypatch.setattr(shown_tables.time, "monotonic", lambda: now + seat_claims.WAITS_S[0])
    version = app.table.version
    app.table.step()
    assert app.table.version > version and "prove-seat 2" in other.components()["dialog"]
    for n in range(seat_claims.MOST_WRONG):
        assert claims.ask(2, str(n)) and not claims.prove(2, str(n), "no")
    shown = html.unescape(other.components()["dialog"])
    assert ENGLISH("page.seat_codes_rest", sign=sign) in shown and "prove-seat" not in shown
    assert ENGLISH("page.codes_rest") in mine.components()["table"]
    assert mine.handle({"do": "hand-over %d" % request.number})
    assert other.viewer.seats.own() == {2}, "the owner's click always works"


def test_the_owner_hands_a_seat_over_or_does_not(three):
    app, pages = three
    mine, other = pages["owner"], pages["viewer"]
    number = asked_for(app, other, 2).number
    assert "hand-over %d" % number in Parsed(mine.components()).sends["data-do"]
    assert mine.handle({"do": "refuse-seat %d" % number})
    assert not mine.handle({"do": "hand-over %d" % number})
    for words in ("ask-seat 2", "prove-seat 2", "ask-seat 1"):
        assert other.handle({"do": words, "fields": {"code": "1"}})
        assert ENGLISH("page.seat_ask_there") in html.unescape(other.components()["dialog"])
    third = phone(app, me="third")
    number = asked_for(app, third, 1, "third").number
    assert mine.handle({"do": "hand-over %d" % number})
    assert third.viewer.seats.own() == {1} and mine.viewer.seats.own() == set()
    assert third.components()["dialog"] == ""
    assert mine.handle({"do": "play-here 1"})
    assert mine.viewer.seats.own() == {1} and 1 in app.table.session.people


def test_a_phone_that_is_away_is_told(three):
    app, pages = three
    app.is_room_let_in = True
    app.present = frozenset(("own", "two"))
    away = ENGLISH("page.phone_away", name="Eva")
    mine = pages["owner"]
    assert mine.handle({"do": "open seats"}) and away not in html.unescape(
        mine.components()["dialog"]
    )
    app.present = frozenset(("own",))
    assert away in html.unescape(mine.components()["dialog"])
    while app.table.session.waits_for() != ("person", 2):
        assert moves(mine) or bots_play(app)
        bots_play(app)
    assert away in html.unescape(mine.components()["hand"])
    looks_on = pages["viewer"].components()
    assert (
        away in html.unescape(looks_on["turn"])
        and ENGLISH("page.looking_back") in looks_on["hand"]
    )
    television = ViewerPage(app, Rights(television=True)).components()
    assert away in html.unescape(television["turn"])
    assert ENGLISH("page.looking_back") not in television["hand"]


def test_what_the_screen_is_called_elsewhere(three):
    _, pages = three
    for who, key in (("owner", "page.seat_here"), ("viewer", "page.seat_screen")):
        assert pages[who].handle({"do": "open seats"})
        assert ENGLISH(key) in html.unescape(pages[who].components()["dialog"])


def test_a_second_tab_without_the_key_says_how_to_play(three):
    app, _ = three
    for rights, says in ((Rights(local=True), True), (Rights(), False)):
        shown = ViewerPage(app, rights).components()["hand"]
        assert (ENGLISH("page.looking_here") in shown) == says


def test_the_owner_is_offered_to_let_phones_in_until_they_may(three):
    app, pages = three
    page = pages["owner"]
    assert page.handle({"do": "open seats"})
    for let_in, url, offers in (
        *((None, "", False), (False, "", True)),
        *((True, "http://192.0.2.7:8000/", False), (True, "", True)),
    ):
        app.is_room_let_in, app.room_url = let_in, url
        assert ("open phones" in page.components()["dialog"]) == offers
    guest = pages["viewer"]
    assert guest.handle({"do": "open seats"})
    assert "open phones" not in guest.components()["dialog"]


def test_enter_says_which_key_where_a_tile_fits_several_places(three):
    app, pages = three
    page = pages["owner"]
    for _ in range(400):
        waits = bots_play(app)
        if waits == ("person", 1):
            fits = app.table.player_view.fits(1)
            several = [tile for tile, slots in fits.items() if len(slots) > 1]
            unfit = [tile for tile in app.table.player_view.hand(1) if tile not in fits]
            if several and unfit:
                break
        if waits.kind == "round":
            app.table.apply(lambda session: session.next_round())
        else:
            assert moves(page if waits.seat == 1 else pages["seated"])
    before = len(app.table.moments)
    for tile, says in ((several[0], "press 1 or "), (unfit[0], ENGLISH("page.does_not_fit"))):
        page.viewer.chosen_tile = tile
        assert page.handle({"key": "Enter"})
        assert says in html.unescape(page.components()["table"])
    page.viewer.chosen_tile = None
    assert page.handle({"key": "Enter"})
    assert ENGLISH("page.tap_no_tile") in html.unescape(page.components()["table"])
    assert len(app.table.moments) == before


def test_enter_asks_for_a_tap_where_a_place_has_no_key(tmp_path, monkeypatch):
    app = started_app(tmp_path, set_=15, seats=range(1, 13))
    assert bots_play(app) == ("person", 1)
    page = owner(app)
    tile = app.table.player_view.hand(1)[0]
    page.viewer.chosen_tile = tile
    for slots, says in (
        (["1", "10", "M"], "press 1, 0 or M"),
        (["1", "11"], ENGLISH("page.tap_several", tile=tile)),
    ):
        monkeypatch.setattr(PlayerView, "fits", lambda view, seat, slots=slots: {tile: slots})
        assert page.handle({"key": "Enter"})
        assert says in html.unescape(page.components()["table"])


@pytest.mark.parametrize("set_, most", [(6, 4), (12, 8), (15, 14), (18, 14)])
def test_the_form_offers_as_many_players_as_the_house_seats(set_, most):
    choice = new_match_form.Choice(ENGLISH, {"set": str(set_), "players": str(most), "here": "0"})
    assert [*choice.counts] == [*range(2, most + 1)] and choice.players == most
    assert len(set(choice.names().values())) == most, "each has a name of its own"


@pytest.mark.parametrize("house", ["matador", "classic", "tiddle-a-wink"])
def test_a_new_line_is_one_place_whatever_slot_begins_it(tmp_path, house):
    """The picture marks every slot where a new line may begin. Labels, answers and the Enter key
    name only one of these slots."""
    app = started_app(tmp_path, house, people=(1, 2))
    page, session = owner(app), app.table.session
    for _ in range(60):
        if bots_play(app).kind == "round":
            app.table.apply(lambda session: session.next_round())
            continue
        seat = session.waits_for().seat
        view, line = app.table.player_view, session.line
        empty = [slot for slot in line["playable"] if slot not in line["ends"]]
        begins = [tile for tile, slots in view.fits(seat).items() if {*slots} & {*empty}]
        if len(empty) > 1 and begins:
            break
        page.viewer.seats.at_screen = seat
        assert moves(page)
    tile = begins[0]
    assert len({*view.fits(seat)[tile]} & {*empty}) == 1 and view.places(seat, tile) >= {*empty}
    if view.fits(seat)[tile] == [str(seat)]:
        page.viewer.seats.at_screen, page.viewer.chosen_tile = seat, tile
        assert page.handle({"key": "Enter"}) and session.moments[-1].line["did"] == "laid"


def test_another_table_leaves_nothing_open(three):
    app, pages = three
    page = pages["viewer"]
    assert page.handle({"do": "open seats"})
    assert "take-seat" in page.components()["dialog"]
    assert pages["owner"].handle({"do": "look-back " + app.match_id})
    assert page.components()["dialog"] == ""


# ---- hands ----


def test_only_the_own_hand_is_sent(tmp_path):
    app = started_app(tmp_path)
    mine, other, idle = owner(app), phone(app, 2), phone(app, me="looks on")
    seen = {page: set() for page in (mine, other, idle)}

    def look():
        session = app.table.session
        if session.line["phase"] != "play":
            return  # after a round the hands are turned up
        laid = {tile for m in app.moments for tile in TILE.findall(m.line["input"])}
        laid |= {m.line["engine"] for m in app.moments if m.line["engine"]}
        for page, seats in ((mine, {1}), (other, {2}), (idle, set())):
            own = {tile for seat in seats for tile in PlayerView(session).hand(seat)}
            for words in ("open hands", "open seats", "open rounds", "close"):
                assert page.handle({"do": words}) is (words != "open hands")
                assert tiles_of(page) <= laid | own, words
            held = Parsed(page.components()).sends["data-drag"]
            assert held == own
            seen[page] |= held

    waits = plays(app, [mine, other], look)
    assert waits.kind == "round" and seen[mine] and seen[other] and not seen[idle]


def tiles_of(page):
    """Return all tiles that are sent to a browser: in components and in other messages."""
    others = [{**message, "show": None} for message in page.messages()]
    return Parsed(page.components()).tiles | set(TILE.findall(json.dumps(others)))


def test_everybody_sees_hands_that_lie_open(tmp_path):
    app = started_app(tmp_path, open_hands=True)
    mine, seated, idle = owner(app), phone(app, 2, "two"), phone(app, me="looks on")
    television = ViewerPage(app, Rights(False, "", television=True))
    sizes, eye = set(), 'aria-label="%s"' % ENGLISH("page.open_hand")

    def look():
        held = {tile for seat in (1, 2, 3) for tile in app.table.player_view.hand(seat)}
        for page in (mine, seated, idle):
            shown = page.components()
            assert shown["scores"].count(eye) == 3
            own = len(page.viewer.seats.own())
            if app.table.state["phase"] == "play":
                assert shown["hand"].count(eye) == own
            assert "open hands" in Parsed(shown).sends["data-do"]
            if not sizes:
                assert page.handle({"do": "open hands"})
            found = page.components()["dialog"]  # it stays open while tiles are laid
            assert Parsed({"": found}).tiles == held
        assert not television.handle({"do": "open hands"})
        if app.table.state["phase"] == "play":
            assert not tiles_of_hands(television)
        sizes.add(len(held))

    plays(app, [mine, seated], look)
    assert len(sizes) > 4


def tiles_of_hands(page):
    shown = page.components()
    return Parsed({name: shown[name] for name in ("hand", "scores", "dialog")}).tiles


@pytest.mark.parametrize("is_open", [True, False])
def test_open_hands_are_said_before_anybody_sits_down(tmp_path, is_open):
    app = started_app(tmp_path, people=(1, 2), **({"open_hands": True} if is_open else {}))
    bots_play(app)
    told, idle, mine = ENGLISH("page.all_see"), phone(app), owner(app)
    assert (told in html.unescape(idle.components()["hand"])) is is_open
    assert idle.handle({"do": "open seats"})
    assert (told in html.unescape(idle.components()["dialog"])) is is_open
    curtain = html.unescape(mine.components()["dialog"])
    assert mine.viewer.seats.curtain() and (told in curtain) is is_open
    assert (ENGLISH("page.curtain_others") in curtain) is not is_open
    assert ("open hands" in Parsed(idle.components()).sends["data-do"]) is is_open


@pytest.mark.parametrize("is_open", [True, False])
def test_nothing_opens_or_closes_the_hands_of_a_running_match(tmp_path, is_open):
    app = started_app(tmp_path)
    first = app.match_id
    for word in ASKED:
        more = {"open_hands": True} if is_open else {}
        app.start_match(house="puremco", set_=6, seats=(1, 2, 3), people=(1,), **more)
        bots_play(app)
        session = app.table.session
        for page in (owner(app), phone(app, 2, "two"), phone(app)):
            for fields in ({}, {"open": "on", "open_hands": "true"}):
                if app.table.kind == "play":
                    event = asked(app, {"other": first}, word)
                    page.handle({**event, "fields": {**event["fields"], **fields}})
                session.save()
                kept = match_metadata.load(session.folder).get("open_hands", False)
                assert session.hands_are_open is kept is is_open, word


def test_open_hands_are_chosen_at_the_start_and_kept(tmp_path):
    app = App(store=MatchStore(tmp_path), seed=1)
    mine = owner(app)
    fields = {"players": "2", "house": "block"}
    for ticked in ({}, {"open": "on"}):
        assert mine.handle({"do": "open new"})
        assert mine.handle({"do": "choose", "fields": {**fields, **ticked}})
        box = re.search('<input type="checkbox" name="open".*?>', mine.components()["dialog"])
        assert ("checked" in box[0]) is bool(ticked)
        assert mine.handle({"do": "start", "fields": {**fields, **ticked}})
        assert app.table.session.hands_are_open is bool(ticked)
    match = app.match_id
    app.rematch()
    assert app.match_id != match and app.table.session.hands_are_open
    assert mine.handle({"do": "open new"}) and mine.handle({"do": "start", "fields": {}})
    assert not app.table.session.hands_are_open, "off again"
    assert mine.handle({"do": "carry-on " + match}) and app.table.session.hands_are_open


def test_nobody_looks_into_the_hands_of_a_round_that_goes_on(tmp_path):
    app = started_app(tmp_path)
    mine, other = owner(app), phone(app, 2)
    plays(app, [mine, other])
    assert mine.handle({"do": "next"})
    bots_play(app)
    assert mine.handle({"do": "look-back " + app.match_id})
    table = app.table
    shown = {1: set(), 2: set()}
    for at in range(table.recording.last + 1):
        table.step_by(at - table.recording.at)
        counted = table.state["did"] in ("done", "round-over")
        if table.state["phase"] in ("play", "engine"):
            held = 'class="past"' in other.components()["hand"]
            shown[table.state["round"] - counted].add(held)
    assert True in shown[1] and shown[2] == {False}


def test_a_curtain_hides_the_hand_before_it_is_lifted(tmp_path):
    app = started_app(tmp_path, people=(1, 2))
    page = owner(app)
    curtains = []

    def look():
        components = page.components()
        heard = Parsed(components)
        if page.viewer.seats.curtain():
            assert (
                page.viewer.seat_name(page.viewer.seats.curtain()) in components["dialog"]
                and not heard.sends["data-drag"]
            )
            told = Parsed({"hand": re.sub(r"<h2.*?</h2>", "", components["hand"])}).said
            assert not "".join(told).strip(), "the curtain says it all"
            assert not page.handle({"key": "ArrowRight"}) or not page.viewer.chosen_tile
            curtains.append(page.viewer.seats.curtain())
        elif page.viewer.seats.hand():
            assert heard.sends["data-drag"] == set(
                app.table.player_view.hand(page.viewer.seats.hand())
            )

    plays(app, [page], look)
    assert {1, 2} <= set(curtains)


def test_menu_and_rules_are_in_front_of_a_curtain_that_still_hides_the_hands(tmp_path):
    app = started_app(tmp_path, people=(1, 2))
    page = owner(app)
    bots_play(app)
    assert page.viewer.seats.curtain()
    for name in ("menu", "legend"):
        assert "open " + name in Parsed(page.components()).sends["data-do"]
        assert page.handle({"do": "open " + name})
        shown = page.components()
        assert "curtain" not in Parsed(shown).sends["data-do"]
        assert not Parsed(shown).sends["data-drag"] and page.viewer.seats.hand() is None
        assert page.handle({"key": "Escape"})
        assert "curtain" in Parsed(page.components()).sends["data-do"]


def test_the_table_does_not_turn_while_several_people_share_a_screen(tmp_path):
    app = started_app(tmp_path, seats=(1, 2, 3, 4), people=(2, 3))
    page, seen = owner(app), set()
    plate = re.compile(r'<path class="plate" d="([^"]*)"')

    def look():
        seen.add((page.viewer.seats.hand(), tuple(plate.findall(page.components()["table"]))))

    for turn in range(1, 7):
        bots_play(app)
        look()
        if page.viewer.seats.curtain():
            assert page.handle({"do": "curtain", "at": 1e6 * turn})
        look()
        assert moves(page)
    hands, plates = zip(*seen)
    assert {None, 2, 3} <= set(hands) and len(set(plates)) == 1
    assert page.viewer.seats.bottom() == 2


@pytest.mark.parametrize("again", [{"do": "curtain"}, {"key": " "}, {"key": "Enter"}])
def test_a_press_that_ends_a_turn_does_not_lift_the_next_curtain(tmp_path, monkeypatch, again):
    monkeypatch.setattr(shown_tables, "PRESS_S", 0.5)
    app = started_app(tmp_path, "block", seats=(1, 2), people=(1, 2))
    page, at = owner(app), 1000
    for _ in range(8):
        bots_play(app)
        assert page.handle({"do": "curtain", "at": at})
        seat = page.viewer.seats.hand()
        fits = app.table.player_view.fits(seat)
        words = "drop %s %s" % next((t, s[0]) for t, s in fits.items()) if fits else "button"
        assert page.handle({"do": words, "at": at + 1000})
        if page.viewer.seats.curtain():
            page.handle({**again, "at": at + 1300})
            assert page.viewer.seats.curtain() and not Parsed(page.components()).sends["data-drag"]
        at += 3000


def test_a_press_that_ends_a_round_does_not_begin_the_next(tmp_path, monkeypatch):
    app = started_app(tmp_path, seats=(1, 2), people=(1, 2))
    page = owner(app)
    assert plays(app, [page]).kind == "round"
    monkeypatch.setattr(shown_tables, "PRESS_S", 0.5)
    page.viewer.clicks.event_s = 1
    page.viewer.clicks.act()
    for again in ({"do": "next"}, {"do": "end-match"}, {"key": "Enter"}, {"key": "n"}):
        assert not page.handle({**again, "at": 1300})
    assert ENGLISH("page.next_round") in page.components()["dialog"]
    assert (
        page.handle({"key": "Enter", "at": 1600}) and app.table.session.waits_for().kind != "round"
    )


def test_a_double_click_on_play_begins_one_match(tmp_path):
    store = MatchStore(tmp_path)
    page = owner(App(store=store, seed=1))
    assert page.handle({"do": "start", "fields": {}})
    assert not page.handle({"do": "start", "fields": {}}) and len(store.matches()) == 1
    assert page.handle({"do": "open new"}) and page.handle({"do": "start", "fields": {}})
    assert len(store.matches()) == 2


def test_a_double_click_on_a_refused_place_does_not_lay_there_anyway(tmp_path, monkeypatch):
    monkeypatch.setattr(shown_tables, "PRESS_S", 0.5)
    app = started_app(tmp_path)
    page, view = owner(app), app.table.player_view
    assert bots_play(app) == ("person", 1)
    page.viewer.chosen_tile = next(t for t in view.hand(1) if t not in view.fits(1))
    for at, offered in ((1000, False), (1300, False), (2000, True)):
        assert page.handle({"do": "slot 1", "at": at})
        assert ("override" in page.components()["table"]) == offered


# ---- junk ----

TEXT = st.text(max_size=8)
LIKELY = st.one_of(
    st.sampled_from(["6-6", "6-5", "1", "2", "3", "E", "M", "hand:end", "hand:6-6", "..", "0"]),
    st.sampled_from(["menu", "seats", "names", "remove", "new", "on", "svg", "\u00b2", "99999"]),
    TEXT,
)
SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"


@pytest.mark.parametrize("language", LANGUAGES)
def test_half_a_point_is_shown(language):
    story = SCRIPTS / "variants" / "plus-points-shared.table"
    source = HubStream()
    app = App(LiveTable(source))
    page = ViewerPage(app, Rights(owner=True), language)
    for line in hub_actions.played(story.read_text()).lines:
        source.received(json.dumps(line).encode() + b"\n")
        app.step()
        page.components()
    assert ">25.5<" in page.components()["scores"]
    page.handle({"do": "open rounds"})
    assert "25.5" in page.components()["dialog"]


DONE = st.one_of(
    st.builds(
        lambda word, more: " ".join([word, *more]),
        st.sampled_from(sorted(set(actions.ACTIONS) - {"learn", "start"})),
        st.lists(LIKELY, max_size=3),
    ),
    TEXT,
)
FIELDS = st.one_of(
    st.dictionaries(
        st.sampled_from(["name", "house", "players", "set", "here", "text", "name1", "asked"])
        | TEXT,
        LIKELY | TEXT | st.integers() | st.none(),
        max_size=4,
    ),
    TEXT,
)
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
EVENTS = st.one_of(
    ANY,
    st.fixed_dictionaries({"do": DONE | ANY}, optional={"fields": FIELDS | ANY}),
    st.fixed_dictionaries({"key": st.sampled_from(sorted(actions.KEYS)) | TEXT | ANY}),
)
IN_ITS_OWN_TIME = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.mark.parametrize("kind", ["play", "replay", "watch", "empty"])
def test_junk_does_nothing_and_breaks_nothing(tmp_path, kind):
    app = started_app(tmp_path)
    bots_play(app)
    if kind == "replay":
        app.replay_match(app.match_id)
    elif kind == "watch":
        app = App(LiveTable(HubStream()))
    elif kind == "empty":
        app = App(store=app.store)

    def names():
        return sorted(path.name for path in tmp_path.iterdir() if path.name != "evenings.json")

    kept = names()

    @IN_ITS_OWN_TIME
    @given(st.lists(EVENTS, max_size=4))
    def junk(events):
        page, mine = phone(app), owner(app)
        lines = list(app.moments)
        for event in events:
            page.handle(event)
            page.components()
        assert page.viewer.seats.own() or app.moments == lines
        for event in events:
            mine.handle(event)
            mine.components()
            page.components()
        for seat in page.viewer.seats.own():
            assert page.handle({"do": "leave-seat %d" % seat})

    junk()
    assert names() == kept


@IN_ITS_OWN_TIME
@given(
    fields=st.dictionaries(
        st.sampled_from(
            sorted(
                ["house", "players", "set", "here", "strength", "asked", "name1", "rule-no-lock"]
            )
        ),
        LIKELY | st.sampled_from(HOUSES),
    )
)
def test_a_form_that_nobody_filled_in_is_a_match_all_the_same(fields):
    page = owner(App(store=MatchStore("nowhere")))
    assert page.handle({"do": "choose", "fields": fields})
    assert page.components()["dialog"]
    chosen = new_match_form.settings(page.viewer, fields)
    assert set(chosen["people"]) <= set(chosen["seats"]) and len(chosen["seats"]) > 1


# ---- actions ----


def test_take_back_says_what_and_does_it(three):
    app, pages = three
    mine, seated = pages["owner"], pages["seated"]
    tile = app.table.player_view.hand(1)[0]
    fits = app.table.player_view.fits(1)
    tile, places = next(iter(fits.items())) if fits else (None, None)
    assert tile, "the seed deals one that fits"
    assert mine.handle({"do": "drop %s %s" % (tile, places[0])})
    while bots_play(app) != ("person", 1):
        assert moves(seated)
    assert tile not in app.table.player_view.hand(1)
    back = re.search(r'data-do="back"[^>]*>(.*?)</button>', mine.components()["hand"])
    assert tile in back[1]
    laid = len(app.table.session.past)
    assert mine.handle({"key": "u"}) and len(app.table.session.past) == laid, "it asks first"
    title = re.search("<h1>(.*?)</h1>", mine.components()["dialog"])[1]
    assert re.fullmatch(r"Take back %s and \d+ more moves?\?" % tile, title)
    assert mine.handle({"do": "close"}) and len(app.table.session.past) == laid
    assert mine.handle({"do": "back"}) and mine.handle({"do": "back sure"})
    assert tile in app.table.player_view.hand(1) and app.table.session.waits_for().seat == 1
    assert "Put back " + tile in mine.components()["hand"]
    assert seated.handle({"key": "r"}) and len(app.table.session.past) == laid
    assert not mine.handle({"key": "r"}) and "Put back" not in mine.components()["hand"]


def test_a_hint_chooses_a_tile_and_says_why(three):
    app, pages = three
    assert pages["owner"].handle({"do": "hint"})
    hint = app.table.player_view.hint(1)
    assert pages["owner"].viewer.chosen_tile == hint.tile
    said = hint.text(pages["owner"].viewer.story.words)
    assert said in html.unescape(pages["owner"].components()["hand"])


def refused_move(session):
    """Return (tile of seat 1, slot where it does not fit)."""
    return next(
        (tile, where)
        for tile in PlayerView(session).hand(1)
        for where in ("1", "2", "3")
        if where not in PlayerView(session).fits(1).get(tile, ())
    )


def test_a_refusal_is_said_aloud_once(three):
    app, pages = three
    mine, seated = pages["owner"], pages["seated"]
    for page in (mine, seated):
        assert page.handle({"do": "spoken everything"})
        page.messages()
    assert mine.handle({"do": "drop %s %s" % refused_move(app.table.session)})
    said = [
        [message["say"]["text"] for message in page.messages() if "say" in message]
        for page in (mine, seated, mine)
    ]
    assert said[0] == said[1] and "does not fit" in said[0][0] and not said[2]


def test_a_refusal_is_told_once_until_the_next_input(three):
    app, pages = three
    tile, where = refused_move(app.table.session)

    def told():
        return pages["seated"].components()["story"].count("refused")

    for _ in range(3):
        app.table.apply(lambda session: session.lay(1, tile, where))
        assert told() == 1
    assert pages["owner"].handle({"do": "button"})
    app.table.apply(lambda session: session.lay(1, tile, where))
    assert told() == 2


def test_the_code_is_large_until_all_people_but_one_have_phones(tmp_path):
    app = started_app(tmp_path, seats=(1, 2, 3, 4), people=(1, 2, 3))
    app.room_url = "http://192.0.2.17:8000/"
    television = ViewerPage(app, Rights(television=True))
    claims = app.table.seat_claims

    def is_large():
        return "small" not in television.components()["join"]

    assert is_large()
    claims.claim(3, "phone")
    app.table.refresh_names()
    assert is_large()
    claims.claim(2, "other phone")
    app.table.refresh_names()
    assert not is_large(), "a person at the owner's screen and a bot do not scan it"


def test_a_television_shows_a_result_until_the_next_round(tmp_path):
    app = started_app(tmp_path, people=())
    television = ViewerPage(app, Rights(television=True))
    assert bots_play(app).kind == "round"
    assert "beside" in television.components()["dialog"]
    app.table.apply(lambda session: session.next_round())
    while app.table.session.line["phase"] != "play":
        app.table.apply(lambda session: session.act())
    assert television.components()["dialog"] == ""


def test_a_refused_tile_is_laid_all_the_same(three):
    app, pages = three
    mine = pages["owner"]
    session = app.table.session
    tile, where = refused_move(session)
    mine.handle({"do": "pick " + tile})
    for _ in range(2):  # the second refusal offers it
        assert "override" not in "".join(mine.components().values())
        assert mine.handle({"key": where}) and tile in PlayerView(session).hand(1)
    offered = Parsed(mine.components()).sends["data-do"] & {"override %s %s" % (tile, where)}
    assert offered and mine.handle({"do": offered.pop()})
    assert tile not in PlayerView(session).hand(1)


def played_to_a_knock(app):
    """Play as two people until one of them may knock; return (page of the person who may knock,
    page of the second person)."""
    mine, seated = owner(app), phone(app, 2)
    for _ in range(300):
        waits = bots_play(app)
        pages = (mine, seated) if waits.seat == 1 else (seated, mine)
        if waits.kind == "knock":
            return pages
        assert waits.kind == "person" and moves(pages[0])
    raise AssertionError("no seat may knock")


def test_only_who_may_knock_says_that_nobody_does(tmp_path):
    app = started_app(tmp_path)
    page, other = played_to_a_knock(app)
    waits = app.table.session.waits_for()
    assert not other.handle({"do": "wait"}) and app.table.session.waits_for() == waits
    assert page.handle({"do": "wait"}) and app.table.session.waits_for() != waits


@pytest.mark.parametrize("house", ["puremco", "block", "free"])
def test_a_pass_while_a_tile_fits_is_pressed_twice(tmp_path, monkeypatch, house):
    """The first press of pass, also after a take-back, shows which tile fits; the second
    passes."""
    monkeypatch.setattr(shown_tables, "PRESS_S", 0.5)
    app = started_app(tmp_path, house, people=(1,))
    mine, view = owner(app), app.table.player_view
    assert bots_play(app) == ("person", 1)
    if house == "puremco":
        assert view.button(1) == "draw" and mine.handle({"do": "button", "at": 1000})
    assert view.button(1) == "pass"
    (tile, (slot, *_)), past = next(iter(view.fits(1).items())), len(app.table.session.past)
    for at in (2000, 2300):  # a double click
        mine.handle({"do": "button", "at": at})
        assert len(app.table.session.past) == past
    said = html.unescape(mine.components()["table"])
    place = mine.viewer.story.words.train_of(slot, 1)
    assert ENGLISH("page.still_fits", tile=tile, place=place) in said
    assert ENGLISH("page.pass_anyway") in said
    assert mine.handle({"do": "button", "at": 3000})
    assert app.table.session.past[past]["did"] == "passed"
    assert mine.handle({"do": "back", "at": 4000})
    assert mine.handle({"do": "button", "at": 5000}) and len(app.table.session.past) == past


def test_a_double_click_on_no_knock_is_one_press(tmp_path, monkeypatch):
    app = started_app(tmp_path)
    page, _ = played_to_a_knock(app)
    monkeypatch.setattr(shown_tables, "PRESS_S", 0.5)
    past = len(app.table.session.past)
    assert page.handle({"do": "wait", "at": 9e12})
    assert not page.handle({"do": "button", "at": 9e12 + 300})
    page.handle({"do": "back sure", "at": 9e12 + 600})
    assert len(app.table.session.past) == past, "pressed within 0.5 s of another press"


def test_a_skipped_knock_is_a_visible_change(three):
    app, _ = three
    before = app.state_key
    app.table.apply(lambda session: session.skip_knock())
    assert app.state_key != before


def test_bots_alone_wait_for_the_owner_between_rounds(tmp_path):
    app = started_app(tmp_path, people=())
    mine, page = owner(app), phone(app)
    assert bots_play(app).kind == "round"
    assert "next" in Parsed(mine.components()).sends["data-do"]
    assert "next" not in Parsed(page.components()).sends["data-do"]
    assert not page.handle({"key": "n"}) or app.table.session.waits_for().kind == "round"
    assert mine.handle({"key": "Enter"}) and app.table.session.waits_for().kind != "round"


def title(page):
    """Return the heading of the open dialog, or None."""
    found = re.search("<h1>(.*?)</h1>", page.components()["dialog"])
    return found and html.unescape(found[1])


def button_text(page, action, component="hand"):
    found = re.search(r'data-do="%s"[^>]*>(.*?)</button>' % action, page.components()[component])
    return found and html.unescape(found[1])


def blocked_round(folder):
    """Return (app, the owner's page) after the first round of `block`, which was blocked."""
    app = started_app(folder, "block")
    mine = owner(app)
    assert plays(app, [mine]).kind == "round"
    assert app.table.state["round"] == 2, "the hub counts on"
    return app, mine


def test_a_blocked_round_is_announced_by_its_own_number_and_enter_begins_the_next(tmp_path):
    app, mine = blocked_round(tmp_path)
    assert title(mine) == ENGLISH("page.round_over", number=1)
    assert mine.handle({"key": "Enter"}) and app.table.session.waits_for().kind != "round"


def test_the_result_is_shown_again_after_a_take_back(tmp_path):
    app = started_app(tmp_path, "block", people=(1,))
    mine, seated = owner(app), phone(app, 2)
    assert plays(app, [mine, seated]).kind == "round"
    result = title(mine)
    for page in (mine, seated):
        assert title(page) == result and page.handle({"do": "close"}) and not title(page)
    assert mine.handle({"do": "back sure"})
    assert app.table.session.waits_for().kind != "round" and not title(mine)
    assert mine.handle({"do": "redo"})
    assert app.table.session.waits_for().kind == "round"
    assert [title(page) for page in (mine, seated)] == [result] * 2


def test_take_back_over_the_end_of_a_round_names_the_round(tmp_path):
    app, mine = blocked_round(tmp_path)
    into = ENGLISH("page.back_round", number=1)
    asked = ENGLISH("page.back_ask_round", number=1, what="|").partition("|")[0]
    assert mine.handle({"do": "close"}) and button_text(mine, "back") == into
    assert mine.handle({"do": "back"}) and title(mine).startswith(asked)
    assert mine.handle({"do": "close"}) and mine.handle({"do": "next"})
    assert bots_play(app) == ("person", 1) and button_text(mine, "back") == into
    assert moves(mine)
    bots_play(app)
    assert button_text(mine, "back") != into


@pytest.mark.parametrize("house", ["puremco", "goliath", "free", "classic"])
def test_a_match_is_ended_between_two_rounds(tmp_path, house):
    app = started_app(tmp_path, house, seats=(1, 2), people=(1,))
    mine, looking = owner(app), phone(app)
    session = app.table.session
    while session.waits_for().kind != "round":
        session.stand_up(1)
        assert bots_play(app).kind in ("round", "person")
    session.sit_down(1)
    app.table.refresh_names()
    end = ENGLISH("page.end_match")
    assert button_text(mine, "open end-match", "dialog") == end
    assert mine.handle({"do": "open end-match"}) and title(mine) == ENGLISH("page.end_match_ask")
    assert button_text(mine, "next", "dialog"), "the other way on"
    asked = mine.components()["dialog"]
    assert mine.handle({"do": "close"}) and mine.handle({"do": "close"}) and not title(mine)
    assert button_text(mine, "open end-match") == end
    assert not looking.handle({"do": "open end-match"}) and not looking.handle({"do": "end-match"})
    best = [rank.seat for rank in app.table.sheet.ranks() if rank.place == 1]
    assert mine.handle({"do": "end-match"}) and session.waits_for().kind == "over"
    assert app.table.state["winner"] == best
    names = ENGLISH.joined("page.and", [mine.viewer.seat_name(seat) for seat in best])
    key = "would_win_together" if len(best) > 1 else "would_win"
    assert ENGLISH("page." + key, name=names) in html.unescape(asked)
    assert ENGLISH("page.round_short") + " 1" in mine.components()["dialog"], "no second round"
    assert ENGLISH("page.phase_finished") in mine.components()["turn"]
    assert mine.viewer.model is app.table.model.last_round, "the table stays to be looked at"
    assert not mine.handle({"do": "end-match"})


def test_a_match_is_not_ended_within_a_round(three):
    app, pages = three
    mine = pages["owner"]
    assert not mine.handle({"do": "open end-match"}) and not mine.handle({"do": "end-match"})
    assert app.table.session.waits_for() == ("person", 1)


def test_who_has_no_seat_is_asked_before_a_move_of_another_is_taken_back(tmp_path):
    app = App(store=MatchStore(tmp_path), seed=1)
    app.start_match(house="puremco", set_=6, seats=(1, 2), people=(), names={})
    mine = owner(app)
    for _ in range(4):
        app.table.apply(lambda session: session.act())
    past = len(app.table.session.past)
    assert mine.handle({"key": "u"}) and len(app.table.session.past) == past
    assert "back sure" in mine.components()["dialog"]
    assert mine.handle({"do": "back sure"}) and len(app.table.session.past) < past


@pytest.mark.parametrize("house, full", [("puremco", 7), ("goliath", None), ("free", None)])
def test_the_number_of_rounds_is_asked(tmp_path, house, full):
    """The form offers the numbers from 1 to the house's count of rounds. For a house without such
    a count, it offers 1 to 19 and "no limit"."""
    app = App(store=MatchStore(tmp_path), seed=1)
    mine = owner(app)
    fields = {"house": house, "set": "6", "players": "2", "here": "0"}
    assert mine.handle({"do": "open new"})
    offered = lengths(mine, {**fields, "rounds": ""})
    numbers = [int(value) for value in offered if value.isdecimal()]
    assert numbers == list(range(1, full or 20)), "all of them is the answer that changes nothing"
    usual = ENGLISH("page.all_rounds", count=full) if full else ENGLISH("page.rounds_free")
    assert offered[""].startswith(usual)
    for rounds, words in ((2, house + " rounds-2"), (99, house), ("", house)):
        mine.handle({"do": "open new"})
        assert mine.handle({"do": "start", "fields": {**fields, "rounds": str(rounds)}})
        assert app.table.session.house == words
    mine.handle({"do": "open new"})
    assert mine.handle({"do": "start", "fields": {**fields, "rounds": "1"}})
    assert bots_play(app).kind == "over" and app.table.state["round"] == 1


LASTS = {  # seconds of a round -> (rounds of an evening, what all 13 rounds take)
    600: (6, "2¼ hours"),  # 67 minutes are about an hour
    1000: (4, "3½ hours"),
    2025: (2, "7¼ hours"),
    2100: (0, "7½ hours"),  # two rounds are more than an hour
}


@pytest.mark.parametrize("seconds", LASTS)
def test_an_evening_has_as_many_rounds_as_fit_an_hour(tmp_path, monkeypatch, seconds):
    """Where only one round fits, "an evening" is not offered beside "one round"."""
    monkeypatch.setattr(durations, "round_s", lambda *_: seconds)
    app = App(store=MatchStore(tmp_path), seed=1)
    mine = owner(app)
    assert mine.handle({"do": "open new"})
    rounds, whole = LASTS[seconds]
    offered = lengths(mine, {})
    assert offered[""] == ENGLISH(
        "page.takes", what=ENGLISH("page.all_rounds", count=13), time=whole
    )
    assert ("evening" in offered) == bool(rounds)
    heading = title(mine)
    assert heading.startswith(ENGLISH("page.players_count", count=4))
    evening = ENGLISH("page.an_evening")
    assert heading.endswith(evening if rounds else offered["1"])
    assert mine.handle({"do": "start", "fields": {"rounds": "evening"}})
    assert app.table.session.house == "puremco rounds-%d" % (rounds or 1)


def test_an_evening_is_not_longer_than_the_match(tmp_path, monkeypatch):
    monkeypatch.setattr(durations, "round_s", lambda *_: 500)
    mine = owner(App(store=MatchStore(tmp_path), seed=1))
    assert mine.handle({"do": "open new"})
    assert "evening" in lengths(mine, {"set": "9"})
    offered = lengths(mine, {"set": "6"})  # 7 rounds of 500 s
    assert "evening" not in offered and title(mine).endswith(offered[""])


@pytest.mark.parametrize(
    "seconds, text",
    [(60, "15 minutes"), (1700, "30 minutes"), (3500, "an hour"), (4600, "1¼ hours")]
    + [(7200, "2 hours"), (9400, "2½ hours")],
)
def test_times_are_told_in_quarters_of_an_hour(seconds, text):
    assert new_match_form.time_text(ENGLISH, seconds) == text


def lengths(page, fields):
    """Fill in the form's `fields`; return the answers that it offers to "How long?", {value:
    text}."""
    assert page.handle({"do": "choose", "fields": fields})
    found = re.findall(
        r'name="rounds" value="(\w*)"[^>]*><span>(.*?)</span>', page.components()["dialog"]
    )
    return {value: html.unescape(text) for value, text in found}


def answers(page, name, fields):
    """Fill in the form's `fields`; return the answers that the form offers to the question `name`,
    [(value, selected, text), ...], or None if the form does not ask this question."""
    assert page.handle({"do": "choose", "fields": fields})
    found = re.search('<select name="%s">(.*?)</select>' % name, page.components()["dialog"])
    return found and re.findall(r'<option value="(\d*)"( selected)?>(.*?)</option>', found[1])


def test_the_first_engine_is_asked(tmp_path):
    app = App(store=MatchStore(tmp_path), seed=1)
    mine = owner(app)
    fields = {"house": "puremco", "set": "6", "players": "2", "here": "0"}
    assert mine.handle({"do": "open new"})
    own, *others = answers(mine, "first", fields)
    assert own == ("", " selected", "6-6")
    assert others == [(str(n), "", "%d-%d" % (n, n)) for n in range(5, -1, -1)]
    low = {**fields, "first": "1"}
    assert ("1", " selected", "1-1") in answers(mine, "first", low)
    assert [*lengths(mine, low)] == ["1", ""], "1-1 and 0-0"
    upward = {**fields, "asked": "puremco", "rule-upward": "on"}
    assert answers(mine, "first", upward)[0] == ("", " selected", "0-0")
    assert [*lengths(mine, {**upward, "first": "4"})] == ["1", "", "2"], "4-4, 5-5 and 6-6"
    assert mine.handle({"do": "start", "fields": {**fields, "first": "99"}})
    assert app.table.session.house == "puremco"
    assert mine.handle({"do": "open new"}) and mine.handle({"do": "start", "fields": low})
    assert app.table.session.house == "puremco first-1"


def test_a_line_game_of_some_rounds_offers_its_end(tmp_path, monkeypatch):
    """The core plays a line game until a player has the points. The page offers to stop earlier,
    and again after one more round, and in the rematch."""
    monkeypatch.setattr(durations, "round_s", lambda *_: 2100)
    app = App(store=MatchStore(tmp_path), seed=1)
    mine = owner(app)
    assert mine.handle({"do": "open new"})
    fields = {"house": "draw", "set": "6", "players": "2", "here": "0", "rounds": "1"}
    assert lengths(mine, fields)[""].startswith(ENGLISH("page.until_points", points="100"))
    assert mine.handle({"do": "start", "fields": fields})
    assert app.table.session.house == "draw" and bots_play(app).kind == "round"
    assert button_text(mine, "end-match", "dialog") == ENGLISH("page.evening_over")
    assert button_text(mine, "next", "dialog") == ENGLISH("page.one_more_round")
    assert mine.handle({"do": "next"}) and bots_play(app).kind == "round"
    app = App(store=MatchStore(tmp_path), seed=1)
    assert app.continue_match()
    mine = owner(app)
    assert button_text(mine, "end-match", "dialog")
    assert mine.handle({"key": "Enter"}) and app.table.state["phase"] == "finished"
    assert mine.handle({"do": "rematch"}) and bots_play(app).kind == "round"
    assert button_text(mine, "end-match", "dialog")


@pytest.mark.parametrize(
    "topic, words", [("round", "next"), ("round", "real-round"), ("forgotten", "real-round")]
)
def test_a_real_round_after_a_lesson_is_a_first_round(tmp_path, topic, words):
    app = App(store=MatchStore(tmp_path), seed=1)
    mine = owner(app)
    assert mine.handle({"do": "open new"})
    assert mine.handle({"do": "choose", "fields": {"name1": "Zoé"}})
    assert mine.handle({"do": "learn " + topic})
    test_lesson.goes_on(app.table.lesson)
    bots_play(app)
    was = app.table.session.names
    assert mine.handle({"do": words})
    session = app.table.session
    assert not app.table.lesson and session.names == was and was[1] == "Zoé"
    assert session.people == {1} and bots_play(app).kind == "person"
    assert session.line["round"] == 1 and len(session.standing) < 9


def test_who_has_typed_no_name_is_called_you(tmp_path):
    """Nobody else is, and neither is one of two people at a screen."""
    app = App(store=MatchStore(tmp_path), seed=1)
    mine = owner(app)

    def named(page):
        return re.findall('class="name">(.*?)<', page.components()["scores"])

    for here, names in ((1, ["you", "Bo"]), (2, ["player 1", "player 2"])):
        assert mine.handle({"do": "open new"})
        fields = {"house": "draw", "players": "2", "here": str(here)}
        assert mine.handle({"do": "start", "fields": fields})
        assert sorted(named(mine)) == sorted(names)
        assert "you" not in named(phone(app)) and 1 not in app.table.session.names


def test_bots_have_no_name_of_a_person(tmp_path):
    app = App(store=MatchStore(tmp_path), seed=1)
    mine = owner(app)
    assert mine.handle({"do": "open new"})
    fields = {"players": "4", "here": "2", "name1": "ZOÉ", "name2": "kim"}
    assert mine.handle({"do": "start", "fields": fields})
    session = app.table.session
    assert session.names == {1: "ZOÉ", 2: "kim", 3: "Leo", 4: "Mia"}
    assert phone(app).handle({"do": "take-seat 3", "fields": {"name": "Mía"}})
    assert session.names[3] == "Mía" and session.names[4] not in ("Mia", "Leo")


@pytest.mark.parametrize("house", ["goliath", "classic", "matador"])
def test_where_no_engine_is_prescribed_none_is_asked(tmp_path, house):
    mine = owner(App(store=MatchStore(tmp_path)))
    assert mine.handle({"do": "open new"})
    assert answers(mine, "first", {"house": house}) is None


@pytest.mark.parametrize(
    "house, set_, says",
    [("original", 9, True), ("quebec", 9, True), ("quebec", 12, False), ("puremco", 9, False)]
    + [("classic", 6, False), ("matador", 9, False)],
)
def test_the_tiles_that_a_fast_game_puts_aside_are_named(tmp_path, house, set_, says):
    page = owner(App(store=MatchStore(tmp_path)))
    assert page.handle({"do": "choose", "fields": {"house": house, "set": str(set_)}})
    shown = page.components()["dialog"]
    assert (ENGLISH("page.put_aside", more=10) in shown) == says
    assert ("put aside every tile" in house_guide.page(house, 12)) == (
        house in ("original", "quebec")
    )
    assert ("first put aside" in house_guide.page(house, set_)) == says


def test_line_games_do_not_ask_for_the_number_of_rounds(tmp_path):
    mine = owner(App(store=MatchStore(tmp_path)))
    for house in HOUSES:
        trains = house_info.game(houses.HOUSES.index(house)) == "mexican-train"
        assert ("2" in lengths(mine, {"house": house})) == trains, house


def test_a_second_tap_lets_a_tile_go(three, monkeypatch):
    """A second tap on the tile, or a tap beside the places for it, deselects the tile. A double
    tap counts as one tap."""
    app, pages = three
    mine, session = pages["owner"], app.table.session
    monkeypatch.setattr(shown_tables, "PRESS_S", 0.5)
    past = len(session.past)
    view = app.table.player_view
    for tile in view.hand(1):
        assert mine.handle({"do": "pick " + tile, "at": 1000})
        assert not mine.handle({"do": "pick " + tile, "at": 1300})
        assert mine.viewer.chosen_tile == tile
        assert mine.handle({"do": "pick " + tile, "at": 2000}) and not mine.viewer.chosen_tile
        assert mine.handle({"do": "pick " + tile, "at": 3000})
        assert mine.handle({"do": "close"}) and not mine.viewer.chosen_tile
    assert len(session.past) == past, "nothing is laid"


def test_keys_sort_and_choose(three):
    app, pages = three
    mine = pages["owner"]
    assert mine.handle({"key": "ArrowUp"}) or mine.handle({"key": "ArrowDown"})
    hand = app.table.player_view.hand(1)
    assert mine.handle({"key": "ArrowRight"}) and mine.viewer.chosen_tile == hand[0]
    assert mine.handle({"key": "ArrowLeft"}) and mine.viewer.chosen_tile == hand[-1]
    assert mine.handle({"do": "drop %s hand:%s" % (hand[-1], hand[0])})
    assert app.table.player_view.hand(1) == [hand[-1], *hand[:-1]]
    assert mine.handle({"key": "Escape"}) and mine.viewer.chosen_tile is None
    assert mine.handle({"key": "?"}) and mine.viewer.dialog.words == ["legend"]
    assert mine.handle({"key": "Escape"}) and mine.viewer.dialog.words is None


def test_delete_asks_first_and_only_what_is_not_played(three):
    app, pages = three
    mine, other = pages["owner"], pages["other"]
    mine.handle({"do": "open matches"})
    sends = Parsed(mine.components()).sends["data-do"]
    assert "open remove " + other in sends and not any(do.startswith("remove") for do in sends)
    assert "open remove " + app.match_id not in sends
    assert not mine.handle({"do": "remove " + app.match_id})
    strange = app.store.folder / other / "diary.txt"
    strange.write_text("mine")
    mine.handle({"do": "open remove " + other})
    assert app.find_match(other), "it only asks"
    assert mine.handle({"do": "remove " + other}) and not app.find_match(other)
    assert strange.read_text() == "mine"


def test_an_export_is_looked_at(three):
    app, pages = three
    mine = pages["owner"]
    text = app.export()
    assert (
        mine.handle({"do": "look-at", "fields": {"text": "a poem"}}) and mine.viewer.dialog.error
    )
    assert app.table.kind == "play"
    assert mine.handle({"do": "look-at", "fields": {"text": text}}) and app.table.kind == "replay"
    assert isinstance(app.table, ReplayedTable) and isinstance(app.table.recording, Recording)


@pytest.mark.slow
def test_every_match_has_other_tiles(tmp_path):
    """Two matches have different tiles, unless they are given the same seed."""
    dealt = []
    for seed in (None, None, 7, 7):
        app = App(store=MatchStore(tmp_path), seed=seed)
        app.start_match(house="block", set_=9, seats=(1, 2), people=(1, 2))
        bots_play(app)
        dealt.append(sorted(app.table.player_view.hand(1) + app.table.player_view.hand(2)))
    assert dealt[0] != dealt[1] and dealt[2] == dealt[3]


# ---- a table's own sheet ----


def dialog(page):
    return str(page.components()["dialog"])


def test_a_sheet_is_made_kept_and_played_by(tmp_path):
    app = App(store=MatchStore(tmp_path), seed=1)
    page = owner(app)
    assert 'data-do="open own"' in dialog(page) and page.handle({"do": "open own"})
    assert page.handle({"do": "own-choose", "fields": {**CLUB, "answer-lock": "no"}})
    shown = dialog(page)
    assert (
        "An open double stops nobody</li>" in shown
        and "5 tiles with 2 players, 4 with more</li>" in shown
    )
    assert 'value="no" checked' in shown and 'value="5 4"' in shown
    assert page.handle({"do": "own-choose", "fields": {**CLUB, "typed-rounds": "many"}})
    assert "a number from 1 to 19" in dialog(page)
    fields = {**CLUB, "answer-lock": "no"}
    assert page.handle({"do": "own-keep", "fields": fields})
    shown = dialog(page)
    assert "house puremco deal-5-4 no-lock" in shown and "own-card" not in shown
    lines = '"club": ("puremco", {"deal": "5 4", "lock": "no"})'
    assert lines in html.unescape(Parsed({"": shown}).sends["data-copy"].pop())
    assert page.handle({"do": "own-guide club"})
    file = next(message["file"] for message in page.messages() if "file" in message)
    assert file["name"] == "roundhouse-club.html" and "<h1>Mexican Train</h1>" in file["text"]
    assert page.handle({"do": "own-play club"})
    assert 'value="club" checked' in dialog(page)
    assert page.handle({"do": "start", "fields": {"house": "club", "set": "6", "players": "3"}})
    assert app.table.session.house == "club" and app.table.session.options["lock"] == "no"
    assert page.handle({"do": "open matches"}) and "Your sheet: club" in dialog(page)
    assert page.handle({"do": "own-remove club"}) and "Delete the sheet Club?" in dialog(page)
    assert list(app.own_sheets.sheets()) == ["club"]
    assert page.handle({"do": "own-remove club really"}) and not app.own_sheets.sheets()
    assert not page.handle({"do": "own-play club"})
    app.close()
    assert App(store=MatchStore(tmp_path)).continue_match(), "it keeps its rules"


def test_a_name_that_is_taken_asks(tmp_path):
    app = App(store=MatchStore(tmp_path), seed=1)
    page = owner(app)
    assert page.handle({"do": "own-keep", "fields": CLUB})
    other = {**CLUB, "typed-deal": "7"}
    assert page.handle({"do": "open own"}) and page.handle({"do": "own-keep", "fields": other})
    assert "Replace it?" in dialog(page) and 'value="7"' in dialog(page)
    assert app.own_sheets.sheets()["club"].options == {"deal": "5 4"}
    assert page.handle({"do": "own-keep replace aunt", "fields": other}), "another name is asked"
    assert app.own_sheets.sheets()["club"].options == {"deal": "5 4"}
    assert page.handle({"do": "own-keep replace club", "fields": other})
    assert app.own_sheets.sheets()["club"].options == {"deal": "7"}


def test_a_card_is_written_if_it_is_short_enough(tmp_path):
    source = HubStream()
    app = App(LiveTable(source, {}), MatchStore(tmp_path))
    source.set_status("usb.here", port="COM3")
    board = quick_hub(configured())
    app.table.take(board.command("state"))
    page = owner(app)
    assert page.handle({"do": "own-keep", "fields": CLUB})
    assert 'data-do="own-card club"' in dialog(page) and page.handle({"do": "own-card club"})
    assert source.take_output() == b"write house puremco deal-5-4 E\r\n"
    assert page.handle({"do": "open hub-rules"}) and 'value="club"' in dialog(page)
    assert page.handle({"do": "hub-rules", "fields": {"house": "club", "set": "9"}})
    assert source.take_output() == b"house puremco deal-5-4\r\nset 9\r\n"
    fields = {**CLUB, "answer-first-turn": "own"}
    assert page.handle({"do": "own-keep replace club", "fields": fields})
    assert page.handle({"do": "own-card club"})
    assert source.take_output() == b"write house puremco name=club deal=5-4 first-turn=own E\r\n"
