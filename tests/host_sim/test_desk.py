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

from host_sim.hub import exported_match, table_script
from host_sim.hub.simulated_hub import SimulatedHub, configured
from host_sim.page import deeds, dialogs
from host_sim.page.desk import Desk, Rights
from host_sim.page.hall import Hall
from host_sim.page.shown_table import ReplayedTable, WatchedTable
from host_sim.people.house_questions import ORDER
from host_sim.people.kept_matches import Shelf
from host_sim.views.line_sources import HubSource, Tape
from host_sim.views.speech import LANGUAGES
from roundhouse import words

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


def owner(hall, language="en"):
    return Desk(hall, Rights(True, "own"), language)


def phone(hall, seat=None, me="phone", name="Eva"):
    """A viewer of the room; seat: it takes it from a bot."""
    desk = Desk(hall, Rights(False, me))
    if seat:
        assert desk.take({"do": "take-seat %d" % seat, "fields": {"name": name}})
    return desk


def begun(folder, house="puremco", set_=6, seats=(1, 2, 3), people=(1,)):
    hall = Hall(shelf=Shelf(folder), seed=1)
    hall.begin(house=house, set_=set_, seats=seats, people=people, names={1: "Ana", 2: "Bo"})
    return hall


def bots_play(hall):
    """Until somebody is waited for; a knock is somebody's too."""
    sitting = hall.table.sitting
    while sitting.waits_for().kind in ("bot", "table"):
        hall.table.does(lambda sitting: sitting.act())
    return sitting.waits_for()


def moves(desk):
    """Whoever is at the desk does the first thing that can be done."""
    sitting, seat = desk.table.sitting, desk.seat()
    fits = sitting.fits(seat)
    for tile, places in fits.items():
        return desk.take({"do": "lay %s %s" % (tile, places[0])})
    return desk.take({"do": "button"})


def plays(hall, desks, look=lambda: None, most=400):
    """The desks play the round to its end."""
    for _ in range(most):
        waits = bots_play(hall)
        look()
        if waits.kind in ("round", "over"):
            return waits
        desk = next(desk for desk in desks if waits.seat in desk.seats())
        if desk.behind():
            assert desk.take({"do": "curtain"})
        assert moves(desk), waits
    raise AssertionError("the round does not end")


# ---- an album of everything the page shows ----

Shown = collections.namedtuple("Shown", "moment who language pieces")


class Album:
    """Looks at a hall through the eyes of everybody, in every language."""

    def __init__(self):
        self.shown = []

    def look(self, moment, *desks):
        for desk in desks:
            who = "owner" if desk.rights.owner else "seated" if desk.seats() else "viewer"
            for language in LANGUAGES:
                desk.speak(language)
                self.shown.append(Shown(moment, who, language, desk.pieces()))

    def dialogs(self, moment, desk):
        for name in dialogs.OPENED:
            words = name
            if name == "remove":
                others = [kept.id for kept in desk.hall.shelf.matches()] if desk.hall.shelf else []
                words = "remove " + next((one for one in others if one != desk.hall.match), "x")
            if desk.take({"do": "open " + words}):
                self.look("%s, %s" % (moment, name), desk)
                assert desk.take({"do": "close"}) or desk.table.kind == "empty"


def of_a_match(album, folder):
    hall = Hall(shelf=Shelf(folder), seed=1)
    mine, other = owner(hall), phone(hall)
    album.look("no match", mine, other)
    assert mine.take({"do": "choose", "fields": {"house": "jassshop", "here": "2"}})
    album.dialogs("no match", mine)
    for house in ORDER:
        fields = {"house": house, "players": "2", "set": "6", "name1": "Ana"}
        assert mine.take({"do": "start", "fields": fields}) or mine.take({"do": "open new"})
        bots_play(hall)
        mine.take({"key": "ArrowRight"})
        mine.take({"key": "h"})
        album.look(house, mine, other)
        mine.take({"do": "lay %s 1" % mine.chosen})
        album.look(house + ", laid or refused", mine)
    hall.begin(house="puremco", set_=6, seats=(1, 2, 3, 4), people=(1, 2))
    hall.address = "http://192.0.2.7:8000/"
    seated = phone(hall, 3)
    for what in (("puremco", mine), ("seated", seated), ("looking on", other)):
        album.dialogs(*what)

    def look():
        album.look("in the round", mine, seated)

    plays(hall, [mine, seated], look)
    album.look("end of the round", mine, seated, other)
    album.dialogs("end of the round", mine)
    assert mine.take({"do": "next"})
    bots_play(hall)
    hall.table.does(lambda sitting: sitting.take_back())
    album.look("taken back", mine)
    hall.table.does(lambda sitting: sitting.end_match())
    album.look("end of the match", mine, seated, other)
    assert mine.take({"do": "look-back " + hall.match})
    album.look("looked back", mine, seated, other)
    for way in ("round-on", "on", "back", "run"):
        assert mine.take({"do": "tape " + way})
        album.look("tape " + way, mine)
    hall.home = "http://192.0.2.7/"  # anybody can open it: a link carries the match
    album.dialogs("tape", mine)
    return hall.export()


def of_a_forgotten_knock(album, folder):
    """Three people at one screen, and nobody knocks until somebody can be caught."""
    hall = begun(folder, "goliath", people=(1, 2, 3))
    desk = owner(hall)
    sitting = hall.table.sitting
    for _ in range(400):
        waits = bots_play(hall)
        if sitting.catches() and desk.seat() not in (None, sitting.catches()):
            break
        if waits.kind == "round":
            hall.table.does(lambda sitting: sitting.next_round())
        elif waits.kind == "knock":
            assert desk.take({"do": "wait"})
        elif desk.behind():
            assert desk.take({"do": "curtain"})
        else:
            assert moves(desk)
    album.look("a knock was forgotten", desk)
    forgot = sitting.catches()
    assert desk.take({"do": "catch"})
    assert (sitting.line["did"], sitting.line["by"]) == ("caught", forgot)
    assert not desk.take({"do": "catch"}), "once"


def of_a_lesson(album, folder):
    hall = Hall(shelf=Shelf(folder), seed=1)
    desk = owner(hall)
    for topic in ("round", "forgotten"):
        assert desk.take({"do": "learn " + topic})
        for _ in range(100):
            album.look("lesson %d" % hall.table.lesson.step, desk)
            if hall.table.lesson.done:
                break
            wanted = desk.wanted()
            if not wanted:
                hall.table.does(lambda sitting: sitting.act())
            elif wanted.tile:
                assert desk.take({"do": "lay %s %s" % (wanted.tile, wanted.slot)})
            else:
                assert desk.take({"do": "back" if wanted.back else "button"})
        album.look("lesson done", desk)
        assert hall.table.lesson.done


def of_a_hub(album, export):
    source = HubSource()
    hall = Hall(WatchedTable(source, {"1": "Ana"}))
    mine, other = owner(hall), phone(hall)
    album.look("no hub", mine, other)
    source.stands("usb.none")
    hall.step()
    album.dialogs("no hub", mine)
    for line in exported_match.read(export):
        hall.table.hear(line)
    source.stands("usb.here", port="COM3")
    album.look("a hub", mine, other)
    album.dialogs("a hub", mine)
    assert mine.take({"do": "hub-test begin"}) and mine.take({"do": "open hub-test"})
    album.look("a hub, hub-test", mine)
    assert mine.take({"do": "close"})
    source.closed("COM3")
    hall.step()
    album.look("lost", mine, other)


def test_rules_are_asked_before_the_hub_has_said_its_own(tmp_path):
    """A hub that is plugged in at a press: only the answer to `state` names a house."""
    source = HubSource()
    hall = Hall(WatchedTable(source, {}))
    source.stands("usb.here", port="COM3")
    board = SimulatedHub(configured(SET=6))
    hall.table.hear(board.press("1"))
    mine = owner(hall)
    assert mine.take({"do": "open hub-rules"})
    assert 'value="matador"' in str(mine.pieces()["dialog"])
    hall.table.hear(board.say("state"))
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
    verdicts = "|".join(word for word in words.VERDICTS if "-" in word)
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
def test_every_deed_is_offered_somewhere(album):
    offered = set()
    for shown in album:
        sends = Heard(shown.pieces).sends
        for name in ("data-do", "data-change", "data-file"):
            offered |= {sent.split()[0] for sent in sends[name]}
        if sends["data-drag"] and sends["data-drop"]:
            offered.add("drop")
    typed = {sent.split()[0] for sent in (*deeds.KEYS.values(), *deeds.REPLAY_KEYS.values())}
    of_the_shell = {"room", "kept", "look-at-link"}
    of_the_browser = {"copy-link", "plug"}  # the site's own wire does these
    offered -= of_the_browser
    assert set(deeds.DEEDS) == offered | typed | of_the_shell, "and none that is not a deed"


@pytest.mark.slow
def test_nobody_is_offered_what_is_not_allowed(album):
    for shown in album:
        if shown.who != "owner":
            for sent in Heard(shown.pieces).sends["data-do"] - {"close", "copy-link", "plug"}:
                who = deeds.DEEDS[sent.split()[0]][1]
                # the table's places are there for everybody, and do nothing
                wanted = (deeds.ALL, deeds.SEATED) if shown.who == "seated" else (deeds.ALL,)
                assert who in wanted or sent.startswith("slot "), (shown[:3], sent)


# ---- rights ----

# what each deed would be asked for, at a table of the seats 1 (here), 2 (a phone) and 3 (a bot)
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


def all_of(hall):
    """Everything that must stay as it is."""
    sitting = hall.table.sitting
    return (
        *(hall.table, hall.pace, hall.match, list(hall.table.lines), dict(hall.names)),
        *(set(sitting.people), {seat: set(sitting.hand(seat)) for seat in sitting.seats}),
        *(dict(hall.table.phones.seats), [kept.id for kept in hall.shelf.matches()]),
        *(sitting.waits_for(), sitting.strength),
    )


@pytest.fixture
def three(tmp_path):
    """(hall, {who: their desk}): seat 1 is the owner's, 2 a phone's, 3 a bot's."""
    hall = begun(tmp_path)
    first = hall.match
    hall.begin(house="puremco", set_=6, seats=(1, 2, 3), people=(1,), names={1: "Ana"})
    desks = {"owner": owner(hall), "seated": phone(hall, 2, "two"), "viewer": phone(hall)}
    desks["other"] = first
    while bots_play(hall) != ("person", 1):
        assert moves(desks["seated"])
    return hall, desks


def asked(hall, desks, word, seat=1):
    told = {"tile": hall.table.sitting.hand(seat)[0], "match": hall.match, "other": desks["other"]}
    return {"do": ASKED[word].format(**told), "fields": {"name": "Zoe", "text": "junk"}}


def test_the_table_of_deeds_is_whole():
    assert set(ASKED) == set(deeds.DEEDS)


@pytest.mark.parametrize("who", ["viewer", "seated"])
def test_whoever_may_not_changes_nothing(three, who):
    hall, desks = three
    before = all_of(hall)
    desk = desks[who]
    for word, (_, allowed, _) in deeds.DEEDS.items():
        done = desk.take(asked(hall, desks, word))
        assert all_of(hall) == before, word
        if allowed == deeds.OWNER or (who == "viewer" and allowed == deeds.SEATED):
            assert not done, word
    for key in deeds.KEYS:
        desk.take({"key": key})
        assert all_of(hall) == before, key


def test_a_phone_acts_for_its_own_seat_only(three):
    hall, desks = three
    seated, mine = desks["seated"], desks["owner"]
    assert seated.seats() == {2} and mine.seats() == {1} and desks["viewer"].seats() == set()
    assert moves(mine)
    while bots_play(hall) != ("person", 2):
        assert moves(mine)
    before = all_of(hall)
    for word in ("lay", "override", "button", "drop", "pick"):
        assert not mine.take(asked(hall, desks, word, seat=2)), "not the owner's to play"
        assert all_of(hall) == before
    assert moves(seated)
    assert not seated.take({"do": "take-seat 3", "fields": {}}), "one seat a phone"
    assert not desks["viewer"].take({"do": "leave-seat 2", "fields": {}})
    assert mine.take({"do": "leave-seat 2", "fields": {}}) and seated.seats() == set()
    assert desks["viewer"].take({"do": "take-seat 2", "fields": {"name": " Zoe \n "}})
    assert hall.names["2"] == "Zoe"


def test_a_viewer_without_an_id_takes_no_seat(three):
    hall, _ = three
    assert not Desk(hall, Rights()).take({"do": "take-seat 3", "fields": {"name": "Eva"}})


def test_another_table_leaves_nothing_open(three):
    hall, desks = three
    viewer = desks["viewer"]
    assert viewer.take({"do": "open seats"})
    assert "take-seat" in viewer.pieces()["dialog"]
    assert desks["owner"].take({"do": "look-back " + hall.match})
    assert viewer.pieces()["dialog"] == ""


# ---- hands ----


def test_only_the_own_hand_is_sent(tmp_path):
    hall = begun(tmp_path)
    mine, other, viewer = owner(hall), phone(hall, 2), phone(hall, me="looks on")
    seen = {desk: set() for desk in (mine, other, viewer)}

    def look():
        sitting = hall.table.sitting
        laid = {tile for line in hall.lines for tile in TILE.findall(line["input"])}
        laid |= {line["engine"] for line in hall.lines if line["engine"]}
        for desk, seats in ((mine, {1}), (other, {2}), (viewer, set())):
            own = {tile for seat in seats for tile in sitting.hand(seat)}
            heard = Heard(desk.pieces())
            assert heard.tiles <= laid | own
            held = heard.sends["data-drag"]
            assert held == own
            seen[desk] |= held

    waits = plays(hall, [mine, other], look)
    assert waits.kind == "round" and seen[mine] and seen[other] and not seen[viewer]


def test_nobody_looks_into_the_hands_of_a_round_that_goes_on(tmp_path):
    hall = begun(tmp_path)
    mine, other = owner(hall), phone(hall, 2)
    plays(hall, [mine, other])
    assert mine.take({"do": "next"})
    bots_play(hall)
    assert mine.take({"do": "look-back " + hall.match})
    table = hall.table
    shown = {1: set(), 2: set()}
    for at in range(table.tape.last + 1):
        table.step_by(at - table.tape.at)
        counted = table.state["did"] in ("done", "round-over")
        if table.state["phase"] in ("play", "engine"):
            held = 'class="past"' in other.pieces()["hand"]
            shown[table.state["round"] - counted].add(held)
    assert True in shown[1] and shown[2] == {False}


def test_a_curtain_hides_the_hand_before_it_is_lifted(tmp_path):
    hall = begun(tmp_path, people=(1, 2))
    desk = owner(hall)
    curtains = []

    def look():
        pieces = desk.pieces()
        heard = Heard(pieces)
        if desk.behind():
            assert desk.name(desk.behind()) in pieces["dialog"] and not heard.sends["data-drag"]
            assert not desk.take({"key": "ArrowRight"}) or not desk.chosen
            curtains.append(desk.behind())
        elif desk.seat():
            assert heard.sends["data-drag"] == set(hall.table.sitting.hand(desk.seat()))

    plays(hall, [desk], look)
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
    hall = Hall(WatchedTable(source))
    desk = Desk(hall, Rights(owner=True), language)
    for line in script.board.lines:
        source.heard(json.dumps(line).encode() + b"\n")
        hall.step()
        desk.pieces()
    assert ">25.5<" in desk.pieces()["scores"]
    desk.take({"do": "open rounds"})
    assert "25.5" in desk.pieces()["dialog"]


DONE = st.one_of(
    st.builds(
        lambda word, more: " ".join([word, *more]),
        st.sampled_from(sorted(set(deeds.DEEDS) - {"learn", "start"})),
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
    st.fixed_dictionaries({"key": st.sampled_from(sorted(deeds.KEYS)) | TEXT | ANY}),
)
IN_ITS_OWN_TIME = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.mark.parametrize("kind", ["play", "replay", "watch", "empty"])
def test_junk_does_nothing_and_breaks_nothing(tmp_path, kind):
    hall = begun(tmp_path)
    bots_play(hall)
    if kind == "replay":
        hall.look_back(hall.match)
    elif kind == "watch":
        hall = Hall(WatchedTable(HubSource()))
    elif kind == "empty":
        hall.leave()
    kept = sorted(path.name for path in tmp_path.iterdir())

    @IN_ITS_OWN_TIME
    @given(st.lists(EVENTS, max_size=4))
    def junk(events):
        viewer, mine = phone(hall), owner(hall)
        lines = list(hall.lines)
        for event in events:
            viewer.take(event)
            viewer.pieces()
        assert viewer.seats() or hall.lines == lines
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

    desk = owner(Hall(shelf=Shelf("nowhere")))
    assert desk.take({"do": "choose", "fields": fields})
    assert desk.pieces()["dialog"]
    chosen = new_match.wanted(desk, fields)
    assert set(chosen["people"]) <= set(chosen["seats"]) and len(chosen["seats"]) > 1


# ---- deeds ----


def test_take_back_says_what_and_does_it(three):
    hall, desks = three
    mine, seated = desks["owner"], desks["seated"]
    tile = hall.table.sitting.hand(1)[0]
    fits = hall.table.sitting.fits(1)
    tile, places = next(iter(fits.items())) if fits else (None, None)
    assert tile, "the seed deals one that fits"
    assert mine.take({"do": "lay %s %s" % (tile, places[0])})
    while bots_play(hall) != ("person", 1):
        assert moves(seated)
    assert tile not in hall.table.sitting.hand(1)
    back = re.search(r'data-do="back"[^>]*>(.*?)</button>', mine.pieces()["hand"])
    assert tile in back[1]
    assert mine.take({"key": "u"})
    assert tile in hall.table.sitting.hand(1) and hall.table.sitting.waits_for().seat == 1


def test_a_refused_tile_is_laid_all_the_same(three):
    hall, desks = three
    mine = desks["owner"]
    sitting = hall.table.sitting
    tile, where = next(
        (tile, where)
        for tile in sitting.hand(1)
        for where in ("1", "2", "3")
        if where not in sitting.fits(1).get(tile, ())
    )
    assert "override" not in mine.pieces()["hand"]
    mine.take({"do": "pick " + tile})
    assert mine.take({"key": where}) and tile in sitting.hand(1)
    offered = Heard(mine.pieces()).sends["data-do"] & {"override %s %s" % (tile, where)}
    assert offered and mine.take({"do": offered.pop()})
    assert tile not in sitting.hand(1)


def test_only_who_may_knock_says_that_nobody_does(tmp_path):
    hall = begun(tmp_path)
    mine, seated = owner(hall), phone(hall, 2)
    for _ in range(300):
        waits = bots_play(hall)
        desk = mine if waits.seat == 1 else seated
        if waits.kind == "knock":
            break
        assert waits.kind == "person" and moves(desk)
    other = seated if desk is mine else mine
    assert not other.take({"do": "wait"}) and hall.table.sitting.waits_for() == waits
    assert desk.take({"do": "wait"}) and hall.table.sitting.waits_for() != waits


def test_bots_alone_wait_for_the_owner_between_rounds(tmp_path):
    hall = begun(tmp_path, people=())
    mine, viewer = owner(hall), phone(hall)
    assert bots_play(hall).kind == "round"
    assert "next" in Heard(mine.pieces()).sends["data-do"]
    assert "next" not in Heard(viewer.pieces()).sends["data-do"]
    assert not viewer.take({"key": "n"}) or hall.table.sitting.waits_for().kind == "round"
    assert mine.take({"key": "Enter"}) and hall.table.sitting.waits_for().kind != "round"


def test_keys_sort_and_choose(three):
    hall, desks = three
    mine = desks["owner"]
    assert mine.take({"key": "ArrowUp"}) or mine.take({"key": "ArrowDown"})
    hand = hall.table.sitting.hand(1)
    assert mine.take({"key": "ArrowRight"}) and mine.chosen == hand[0]
    assert mine.take({"key": "ArrowLeft"}) and mine.chosen == hand[-1]
    assert mine.take({"do": "drop %s hand:%s" % (hand[-1], hand[0])})
    assert hall.table.sitting.hand(1) == [hand[-1], *hand[:-1]]
    assert mine.take({"key": "Escape"}) and mine.chosen is None
    assert mine.take({"key": "?"}) and mine.dialog == ["legend"]
    assert mine.take({"key": "Escape"}) and mine.dialog is None


def test_delete_asks_first_and_only_what_is_not_played(three):
    hall, desks = three
    mine, other = desks["owner"], desks["other"]
    mine.take({"do": "open matches"})
    sends = Heard(mine.pieces()).sends["data-do"]
    assert "open remove " + other in sends and not any(do.startswith("remove") for do in sends)
    assert "open remove " + hall.match not in sends
    assert not mine.take({"do": "remove " + hall.match})
    strange = hall.shelf.folder / other / "diary.txt"
    strange.write_text("mine")
    mine.take({"do": "open remove " + other})
    assert hall.kept(other), "it only asks"
    assert mine.take({"do": "remove " + other}) and not hall.kept(other)
    assert strange.read_text() == "mine"


def test_an_export_is_looked_at(three):
    hall, desks = three
    mine = desks["owner"]
    text = hall.export()
    assert mine.take({"do": "look-at", "fields": {"text": "a poem"}}) and mine.error
    assert hall.table.kind == "play"
    assert mine.take({"do": "look-at", "fields": {"text": text}}) and hall.table.kind == "replay"
    assert isinstance(hall.table, ReplayedTable) and isinstance(hall.table.tape, Tape)


@pytest.mark.slow
def test_every_match_has_other_tiles(tmp_path):
    """Unless a seed is asked for."""
    dealt = []
    for seed in (None, None, 7, 7):
        hall = Hall(shelf=Shelf(tmp_path), seed=seed)
        hall.begin(house="block", set_=9, seats=(1, 2), people=(1, 2))
        bots_play(hall)
        dealt.append(sorted(hall.table.sitting.hand(1) + hall.table.sitting.hand(2)))
    assert dealt[0] != dealt[1] and dealt[2] == dealt[3]
