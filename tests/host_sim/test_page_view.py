# SPDX-License-Identifier: MIT
"""The page of each viewer, without a browser: who may do what, who sees which hand, junk."""

import collections
import html.parser
import json
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from host_sim.hub import match_export, table_script
from host_sim.hub.simulated_hub import SimulatedHub, configured
from host_sim.page import actions, dialogs
from host_sim.page.app_state import AppState
from host_sim.page.page_view import PageView, Rights
from host_sim.page.table_models import ReplayedTable, WatchedTable
from host_sim.session.house_options import ORDER
from host_sim.session.match_store import MatchStore
from host_sim.views.i18n import LANGUAGES
from host_sim.views.line_streams import HubSource, Recording
from roundhouse import constants

DRAWN = {"d", "transform", "viewBox", "style", "points", "class", "x", "y"}  # no text in these
TILE = re.compile(r"(?<![\w.-])\d{1,2}-\d{1,2}(?![\w.-])")


class Heard(html.parser.HTMLParser):
    """What a piece says to people and to the shell: texts, and attributes by their name."""

    def __init__(self, pieces):
        super().__init__()
        self.said = []
        self.sends = collections.defaultdict(set)
        for name, piece in pieces.items():
            if name != "lamps":
                self.feed(str(piece))  # a parser adds to it, and Markup escapes what is added

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


def owner(app, language="en"):
    return PageView(app, Rights(True, "own"), language)


def phone(app, seat=None, me="phone", name="Eva"):
    """A viewer of the room; seat: it takes it from a bot."""
    view = PageView(app, Rights(False, me))
    if seat:
        assert view.take({"do": "take-seat %d" % seat, "fields": {"name": name}})
    return view


def begun(folder, house="puremco", set_=6, seats=(1, 2, 3), people=(1,)):
    app = AppState(store=MatchStore(folder), seed=1)
    app.begin(house=house, set_=set_, seats=seats, people=people, names={1: "Ana", 2: "Bo"})
    return app


def bots_play(app):
    """Until somebody is waited for; a knock is somebody's too."""
    session = app.table.session
    while session.waits_for().kind in ("bot", "table"):
        app.table.does(lambda session: session.act())
    return session.waits_for()


def moves(view):
    """Whoever is at the view does the first thing that can be done."""
    session, seat = view.table.session, view.seat()
    fits = session.fits(seat)
    for tile, places in fits.items():
        return view.take({"do": "lay %s %s" % (tile, places[0])})
    return view.take({"do": "button"})


def plays(app, views, look=lambda: None, most=400):
    """The views play the round to its end."""
    for _ in range(most):
        waits = bots_play(app)
        look()
        if waits.kind in ("round", "over"):
            return waits
        view = next(view for view in views if waits.seat in view.seats())
        if view.behind():
            assert view.take({"do": "curtain"})
        assert moves(view), waits
    raise AssertionError("the round does not end")


# ---- an album of everything the page shows ----

Shown = collections.namedtuple("Shown", "moment who language pieces")


class Album:
    """Looks at an app through the eyes of everybody, in every language."""

    def __init__(self):
        self.shown = []

    def look(self, moment, *views):
        for view in views:
            who = "owner" if view.rights.owner else "seated" if view.seats() else "viewer"
            for language in LANGUAGES:
                view.speak(language)
                self.shown.append(Shown(moment, who, language, view.pieces()))

    def dialogs(self, moment, view):
        for name in dialogs.OPENED:
            words = name
            if name == "remove":
                others = [kept.id for kept in view.app.store.matches()] if view.app.store else []
                words = "remove " + next((one for one in others if one != view.app.match), "x")
            if view.take({"do": "open " + words}):
                self.look("%s, %s" % (moment, name), view)
                assert view.take({"do": "close"}) or view.table.kind == "empty"


def of_a_match(album, folder):
    app = AppState(store=MatchStore(folder), seed=1)
    mine, other = owner(app), phone(app)
    album.look("no match", mine, other)
    assert mine.take({"do": "choose", "fields": {"house": "jassshop", "here": "2"}})
    album.dialogs("no match", mine)
    for house in ORDER:
        fields = {"house": house, "players": "2", "set": "6", "name1": "Ana"}
        assert mine.take({"do": "start", "fields": fields}) or mine.take({"do": "open new"})
        bots_play(app)
        mine.take({"key": "ArrowRight"})
        mine.take({"key": "h"})
        album.look(house, mine, other)
        mine.take({"do": "lay %s 1" % mine.chosen})
        album.look(house + ", laid or refused", mine)
    app.begin(house="puremco", set_=6, seats=(1, 2, 3, 4), people=(1, 2))
    app.address = "http://192.0.2.7:8000/"
    seated = phone(app, 3)
    for what in (("puremco", mine), ("seated", seated), ("looking on", other)):
        album.dialogs(*what)

    def look():
        album.look("in the round", mine, seated)

    plays(app, [mine, seated], look)
    album.look("end of the round", mine, seated, other)
    album.dialogs("end of the round", mine)
    assert mine.take({"do": "next"})
    bots_play(app)
    app.table.does(lambda session: session.take_back())
    album.look("taken back", mine)
    app.table.does(lambda session: session.end_match())
    album.look("end of the match", mine, seated, other)
    assert mine.take({"do": "look-back " + app.match})
    album.look("looked back", mine, seated, other)
    for way in ("round-on", "on", "back", "run"):
        assert mine.take({"do": "tape " + way})
        album.look("tape " + way, mine)
    app.home = "http://192.0.2.7/"  # anybody can open it: a link carries the match
    album.dialogs("tape", mine)
    return app.export()


def of_a_forgotten_knock(album, folder):
    """Three people at one screen, and nobody knocks until somebody can be caught."""
    app = begun(folder, "goliath", people=(1, 2, 3))
    view = owner(app)
    session = app.table.session
    for _ in range(400):
        waits = bots_play(app)
        if session.catches() and view.seat() not in (None, session.catches()):
            break
        if waits.kind == "round":
            app.table.does(lambda session: session.next_round())
        elif waits.kind == "knock":
            assert view.take({"do": "wait"})
        elif view.behind():
            assert view.take({"do": "curtain"})
        else:
            assert moves(view)
    album.look("a knock was forgotten", view)
    forgot = session.catches()
    assert view.take({"do": "catch"})
    assert (session.line["did"], session.line["by"]) == ("caught", forgot)
    assert not view.take({"do": "catch"}), "once"


def of_a_lesson(album, folder):
    app = AppState(store=MatchStore(folder), seed=1)
    view = owner(app)
    for topic in ("round", "forgotten"):
        assert view.take({"do": "learn " + topic})
        for _ in range(100):
            album.look("lesson %d" % app.table.lesson.step, view)
            if app.table.lesson.done:
                break
            wanted = view.wanted()
            if not wanted:
                app.table.does(lambda session: session.act())
            elif wanted.tile:
                assert view.take({"do": "lay %s %s" % (wanted.tile, wanted.slot)})
            else:
                assert view.take({"do": "back" if wanted.back else "button"})
        album.look("lesson done", view)
        assert app.table.lesson.done


def of_a_hub(album, export):
    source = HubSource()
    app = AppState(WatchedTable(source, {"1": "Ana"}))
    mine, other = owner(app), phone(app)
    album.look("no hub", mine, other)
    source.stands("usb.none")
    app.step()
    album.dialogs("no hub", mine)
    for line in match_export.read(export):
        app.table.hear(line)
    source.stands("usb.here", port="COM3")
    album.look("a hub", mine, other)
    album.dialogs("a hub", mine)
    assert mine.take({"do": "hub-test begin"}) and mine.take({"do": "open hub-test"})
    album.look("a hub, hub-test", mine)
    assert mine.take({"do": "close"})
    source.closed("COM3")
    app.step()
    album.look("lost", mine, other)


def test_rules_are_asked_before_the_hub_has_said_its_own(tmp_path):
    """A hub that is plugged in at a press: only the answer to `state` names a house."""
    source = HubSource()
    app = AppState(WatchedTable(source, {}))
    source.stands("usb.here", port="COM3")
    board = SimulatedHub(configured(SET=6))
    app.table.hear(board.press("1"))
    mine = owner(app)
    assert mine.take({"do": "open hub-rules"})
    assert 'value="matador"' in str(mine.pieces()["dialog"])
    app.table.hear(board.say("state"))
    assert 'value="6" selected' in str(mine.pieces()["dialog"])


@pytest.fixture(scope="module")
def album(tmp_path_factory):
    album = Album()
    export = of_a_match(album, tmp_path_factory.mktemp("match"))
    of_a_forgotten_knock(album, tmp_path_factory.mktemp("knock"))
    of_a_lesson(album, tmp_path_factory.mktemp("lesson"))
    of_a_hub(album, export)
    return album.shown


@pytest.mark.slow
def test_nobody_reads_a_verdict_or_a_hole(album):
    verdicts = "|".join(word for word in constants.VERDICTS if "-" in word)
    never = re.compile(r"[{}]|\bNone\b|\bpress [\dEM]\b|" + verdicts)
    for shown in album:
        for said in Heard(shown.pieces).said:
            assert not never.search(said), (shown[:3], said)


@pytest.mark.slow
def test_every_dialog_is_opened(album):
    moments = {shown.moment.rpartition(", ")[2] for shown in album}
    opened = set(dialogs.OPENED) - {"link"}  # there is none behind a server
    assert opened <= moments
    for name in opened:
        said = {language: set() for language in LANGUAGES}
        for shown in album:
            if shown.moment.endswith(", " + name):
                titles = re.findall("<h1>(.*?)</h1>", shown.pieces["dialog"])
                assert len(titles) == 1, shown[:3]
                said[shown.language] |= set(titles)
        assert all(said.values()) and not said["en"] & said["de"], said


@pytest.mark.slow
def test_every_action_is_offered_somewhere(album):
    offered = set()
    for shown in album:
        sends = Heard(shown.pieces).sends
        for name in ("data-do", "data-change", "data-file"):
            offered |= {sent.split()[0] for sent in sends[name]}
        if sends["data-drag"] and sends["data-drop"]:
            offered.add("drop")
    typed = {sent.split()[0] for sent in (*actions.KEYS.values(), *actions.REPLAY_KEYS.values())}
    of_the_shell = {"room", "kept", "look-at-link"}
    of_the_browser = {"copy-link", "plug"}  # the site's own wire does these
    offered -= of_the_browser
    assert set(actions.ACTIONS) == offered | typed | of_the_shell, "and none that is not a deed"


@pytest.mark.slow
def test_nobody_is_offered_what_is_not_allowed(album):
    for shown in album:
        if shown.who != "owner":
            for sent in Heard(shown.pieces).sends["data-do"] - {"close", "copy-link", "plug"}:
                who = actions.ACTIONS[sent.split()[0]][1]
                # the table's places are there for everybody, and do nothing
                wanted = (actions.ALL, actions.SEATED) if shown.who == "seated" else (actions.ALL,)
                assert who in wanted or sent.startswith("slot "), (shown[:3], sent)


# ---- rights ----

# what each action would be asked for, at a table of the seats 1 (here), 2 (a phone) and 3 (a bot)
ASKED = {
    "pick": "pick {tile}",
    "step": "step 1",
    "main": "main",
    "slot": "slot 1",
    "drop": "drop {tile} 1",
    "lay": "lay {tile} 1",
    "override": "override {tile} 1",
    "button": "button",
    "draw": "draw",
    "catch": "catch",
    "back": "back",
    "wait": "wait",
    "hint": "hint",
    "sort": "sort",
    "curtain": "curtain",
    "next": "next",
    "choose": "choose",
    "start": "start",
    "carry-on": "carry-on {match}",
    "look-back": "look-back {match}",
    "remove": "remove {other}",
    "learn": "learn",
    "look-at": "look-at",
    "look-at-link": "look-at-link junk",
    "pace": "pace calm",
    "leave-seat": "leave-seat 1",
    "names": "names",
    "hub-export": "hub-export",
    "hub-rules": "hub-rules",
    "hub-test": "hub-test begin",
    "hub-write": "hub-write undo",
    "save-cards": "save-cards",
    "tape": "tape on",
    # of those that everybody may do it changes nothing at the table
    "open": "open menu",
    "close": "close",
    "sound": "sound",
    "speak": "speak de",
    "kept": "kept",
    "room": "room 900 900",
    "save": "save match",
    "take-seat": "take-seat 1",
}


def all_of(app):
    """Everything that must stay as it is."""
    session = app.table.session
    return (
        *(app.table, app.pace, app.match, list(app.table.lines), dict(app.names)),
        *(set(session.people), {seat: set(session.hand(seat)) for seat in session.seats}),
        *(dict(app.table.seat_claims.seats), [kept.id for kept in app.store.matches()]),
        *(session.waits_for(), session.strength),
    )


@pytest.fixture
def three(tmp_path):
    """(app, {who: their view}): seat 1 is the owner's, 2 a phone's, 3 a bot's."""
    app = begun(tmp_path)
    first = app.match
    app.begin(house="puremco", set_=6, seats=(1, 2, 3), people=(1,), names={1: "Ana"})
    views = {"owner": owner(app), "seated": phone(app, 2, "two"), "viewer": phone(app)}
    views["other"] = first
    while bots_play(app) != ("person", 1):
        assert moves(views["seated"])
    return app, views


def asked(app, views, word, seat=1):
    told = {"tile": app.table.session.hand(seat)[0], "match": app.match, "other": views["other"]}
    return {"do": ASKED[word].format(**told), "fields": {"name": "Zoe", "text": "junk"}}


def test_the_table_of_actions_is_whole():
    assert set(ASKED) == set(actions.ACTIONS)


@pytest.mark.parametrize("who", ["viewer", "seated"])
def test_whoever_may_not_changes_nothing(three, who):
    app, views = three
    before = all_of(app)
    view = views[who]
    for word, (_, allowed, _) in actions.ACTIONS.items():
        done = view.take(asked(app, views, word))
        assert all_of(app) == before, word
        if allowed == actions.OWNER or (who == "viewer" and allowed == actions.SEATED):
            assert not done, word
    for key in actions.KEYS:
        view.take({"key": key})
        assert all_of(app) == before, key


def test_a_phone_acts_for_its_own_seat_only(three):
    app, views = three
    seated, mine = views["seated"], views["owner"]
    assert seated.seats() == {2} and mine.seats() == {1} and views["viewer"].seats() == set()
    assert moves(mine)
    while bots_play(app) != ("person", 2):
        assert moves(mine)
    before = all_of(app)
    for word in ("lay", "override", "button", "drop", "pick"):
        assert not mine.take(asked(app, views, word, seat=2)), "not the owner's to play"
        assert all_of(app) == before
    assert moves(seated)
    assert not seated.take({"do": "take-seat 3", "fields": {}}), "one seat a phone"
    assert not views["viewer"].take({"do": "leave-seat 2", "fields": {}})
    assert mine.take({"do": "leave-seat 2", "fields": {}}) and seated.seats() == set()
    assert views["viewer"].take({"do": "take-seat 2", "fields": {"name": " Zoe \n "}})
    assert app.names["2"] == "Zoe"


def test_a_viewer_without_an_id_takes_no_seat(three):
    app, _ = three
    assert not PageView(app, Rights()).take({"do": "take-seat 3", "fields": {"name": "Eva"}})


def test_another_table_leaves_nothing_open(three):
    app, views = three
    viewer = views["viewer"]
    assert viewer.take({"do": "open seats"})
    assert "take-seat" in viewer.pieces()["dialog"]
    assert views["owner"].take({"do": "look-back " + app.match})
    assert viewer.pieces()["dialog"] == ""


# ---- hands ----


def test_only_the_own_hand_is_sent(tmp_path):
    app = begun(tmp_path)
    mine, other, viewer = owner(app), phone(app, 2), phone(app, me="looks on")
    seen = {view: set() for view in (mine, other, viewer)}

    def look():
        session = app.table.session
        laid = {tile for line in app.lines for tile in TILE.findall(line["input"])}
        laid |= {line["engine"] for line in app.lines if line["engine"]}
        for view, seats in ((mine, {1}), (other, {2}), (viewer, set())):
            own = {tile for seat in seats for tile in session.hand(seat)}
            heard = Heard(view.pieces())
            assert heard.tiles <= laid | own
            held = heard.sends["data-drag"]
            assert held == own
            seen[view] |= held

    waits = plays(app, [mine, other], look)
    assert waits.kind == "round" and seen[mine] and seen[other] and not seen[viewer]


def test_nobody_looks_into_the_hands_of_a_round_that_goes_on(tmp_path):
    app = begun(tmp_path)
    mine, other = owner(app), phone(app, 2)
    plays(app, [mine, other])
    assert mine.take({"do": "next"})
    bots_play(app)
    assert mine.take({"do": "look-back " + app.match})
    table = app.table
    shown = {1: set(), 2: set()}
    for at in range(table.tape.last + 1):
        table.step_by(at - table.tape.at)
        counted = table.state["did"] in ("done", "round-over")
        if table.state["phase"] in ("play", "engine"):
            held = 'class="past"' in other.pieces()["hand"]
            shown[table.state["round"] - counted].add(held)
    assert True in shown[1] and shown[2] == {False}


def test_a_curtain_hides_the_hand_before_it_is_lifted(tmp_path):
    app = begun(tmp_path, people=(1, 2))
    view = owner(app)
    curtains = []

    def look():
        pieces = view.pieces()
        heard = Heard(pieces)
        if view.behind():
            assert view.name(view.behind()) in pieces["dialog"] and not heard.sends["data-drag"]
            assert not view.take({"key": "ArrowRight"}) or not view.chosen
            curtains.append(view.behind())
        elif view.seat():
            assert heard.sends["data-drag"] == set(app.table.session.hand(view.seat()))

    plays(app, [view], look)
    assert {1, 2} <= set(curtains)


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
    script = table_script.Script()
    script.run(story.read_text())
    source = HubSource()
    app = AppState(WatchedTable(source))
    view = PageView(app, Rights(owner=True), language)
    for line in script.board.lines:
        source.heard(json.dumps(line).encode() + b"\n")
        app.step()
        view.pieces()
    assert ">25.5<" in view.pieces()["scores"]
    view.take({"do": "open rounds"})
    assert "25.5" in view.pieces()["dialog"]


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
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.mark.parametrize("kind", ["play", "replay", "watch", "empty"])
def test_junk_does_nothing_and_breaks_nothing(tmp_path, kind):
    app = begun(tmp_path)
    bots_play(app)
    if kind == "replay":
        app.look_back(app.match)
    elif kind == "watch":
        app = AppState(WatchedTable(HubSource()))
    elif kind == "empty":
        app.leave()
    kept = sorted(path.name for path in tmp_path.iterdir())

    @IN_ITS_OWN_TIME
    @given(st.lists(EVENTS, max_size=4))
    def junk(events):
        viewer, mine = phone(app), owner(app)
        lines = list(app.lines)
        for event in events:
            viewer.take(event)
            viewer.pieces()
        assert viewer.seats() or app.lines == lines
        for event in events:
            mine.take(event)
            mine.pieces()
            viewer.pieces()
        for seat in viewer.seats():
            assert viewer.take({"do": "leave-seat %d" % seat})

    junk()
    assert sorted(path.name for path in tmp_path.iterdir()) == kept


@IN_ITS_OWN_TIME
@given(
    fields=st.dictionaries(
        st.sampled_from(
            sorted(
                ["house", "players", "set", "here", "strength", "asked", "name1", "rule-no-lock"]
            )
        ),
        LIKELY | st.sampled_from(ORDER),
    )
)
def test_a_form_that_nobody_filled_in_is_a_match_all_the_same(fields):
    from host_sim.page import new_match

    view = owner(AppState(store=MatchStore("nowhere")))
    assert view.take({"do": "choose", "fields": fields})
    assert view.pieces()["dialog"]
    chosen = new_match.wanted(view, fields)
    assert set(chosen["people"]) <= set(chosen["seats"]) and len(chosen["seats"]) > 1


# ---- actions ----


def test_take_back_says_what_and_does_it(three):
    app, views = three
    mine, seated = views["owner"], views["seated"]
    tile = app.table.session.hand(1)[0]
    fits = app.table.session.fits(1)
    tile, places = next(iter(fits.items())) if fits else (None, None)
    assert tile, "the seed deals one that fits"
    assert mine.take({"do": "lay %s %s" % (tile, places[0])})
    while bots_play(app) != ("person", 1):
        assert moves(seated)
    assert tile not in app.table.session.hand(1)
    back = re.search(r'data-do="back"[^>]*>(.*?)</button>', mine.pieces()["hand"])
    assert tile in back[1]
    assert mine.take({"key": "u"})
    assert tile in app.table.session.hand(1) and app.table.session.waits_for().seat == 1


def test_a_refused_tile_is_laid_all_the_same(three):
    app, views = three
    mine = views["owner"]
    session = app.table.session
    tile, where = next(
        (tile, where)
        for tile in session.hand(1)
        for where in ("1", "2", "3")
        if where not in session.fits(1).get(tile, ())
    )
    assert "override" not in mine.pieces()["hand"]
    mine.take({"do": "pick " + tile})
    assert mine.take({"key": where}) and tile in session.hand(1)
    offered = Heard(mine.pieces()).sends["data-do"] & {"override %s %s" % (tile, where)}
    assert offered and mine.take({"do": offered.pop()})
    assert tile not in session.hand(1)


def test_only_who_may_knock_says_that_nobody_does(tmp_path):
    app = begun(tmp_path)
    mine, seated = owner(app), phone(app, 2)
    for _ in range(300):
        waits = bots_play(app)
        view = mine if waits.seat == 1 else seated
        if waits.kind == "knock":
            break
        assert waits.kind == "person" and moves(view)
    other = seated if view is mine else mine
    assert not other.take({"do": "wait"}) and app.table.session.waits_for() == waits
    assert view.take({"do": "wait"}) and app.table.session.waits_for() != waits


def test_bots_alone_wait_for_the_owner_between_rounds(tmp_path):
    app = begun(tmp_path, people=())
    mine, viewer = owner(app), phone(app)
    assert bots_play(app).kind == "round"
    assert "next" in Heard(mine.pieces()).sends["data-do"]
    assert "next" not in Heard(viewer.pieces()).sends["data-do"]
    assert not viewer.take({"key": "n"}) or app.table.session.waits_for().kind == "round"
    assert mine.take({"key": "Enter"}) and app.table.session.waits_for().kind != "round"


def test_keys_sort_and_choose(three):
    app, views = three
    mine = views["owner"]
    assert mine.take({"key": "ArrowUp"}) or mine.take({"key": "ArrowDown"})
    hand = app.table.session.hand(1)
    assert mine.take({"key": "ArrowRight"}) and mine.chosen == hand[0]
    assert mine.take({"key": "ArrowLeft"}) and mine.chosen == hand[-1]
    assert mine.take({"do": "drop %s hand:%s" % (hand[-1], hand[0])})
    assert app.table.session.hand(1) == [hand[-1], *hand[:-1]]
    assert mine.take({"key": "Escape"}) and mine.chosen is None
    assert mine.take({"key": "?"}) and mine.dialog == ["legend"]
    assert mine.take({"key": "Escape"}) and mine.dialog is None


def test_delete_asks_first_and_only_what_is_not_played(three):
    app, views = three
    mine, other = views["owner"], views["other"]
    mine.take({"do": "open matches"})
    sends = Heard(mine.pieces()).sends["data-do"]
    assert "open remove " + other in sends and not any(do.startswith("remove") for do in sends)
    assert "open remove " + app.match not in sends
    assert not mine.take({"do": "remove " + app.match})
    strange = app.store.folder / other / "diary.txt"
    strange.write_text("mine")
    mine.take({"do": "open remove " + other})
    assert app.kept(other), "it only asks"
    assert mine.take({"do": "remove " + other}) and not app.kept(other)
    assert strange.read_text() == "mine"


def test_an_export_is_looked_at(three):
    app, views = three
    mine = views["owner"]
    text = app.export()
    assert mine.take({"do": "look-at", "fields": {"text": "a poem"}}) and mine.error
    assert app.table.kind == "play"
    assert mine.take({"do": "look-at", "fields": {"text": text}}) and app.table.kind == "replay"
    assert isinstance(app.table, ReplayedTable) and isinstance(app.table.tape, Recording)


@pytest.mark.slow
def test_every_match_has_other_tiles(tmp_path):
    """Unless a seed is asked for."""
    dealt = []
    for seed in (None, None, 7, 7):
        app = AppState(store=MatchStore(tmp_path), seed=seed)
        app.begin(house="block", set_=9, seats=(1, 2), people=(1, 2))
        bots_play(app)
        dealt.append(sorted(app.table.session.hand(1) + app.table.session.hand(2)))
    assert dealt[0] != dealt[1] and dealt[2] == dealt[3]
