# SPDX-License-Identifier: MIT
"""Saved matches are listed, continued, exported and removed; other files are left alone."""

import errno
import itertools
import json
import os
import shutil
import signal

import pytest

from host_sim.app.page.app import App
from host_sim.app.page.rights import Rights
from host_sim.app.page.viewer_page import ViewerPage
from host_sim.app.server.launcher import PageLauncher
from host_sim.app.session import match_metadata
from host_sim.app.session.lesson import Lesson
from host_sim.app.session.match_metadata import METADATA
from host_sim.app.session.match_session import MatchSession
from host_sim.app.session.match_store import MatchStore
from host_sim.app.views.i18n import LANGUAGES, Translator
from host_sim.board.hub import match_export
from host_sim.commands import play
from host_sim.table.player_names import printable


def begun(store, acts=8, **rules):
    session = store.new(**{"people": (), "set_": 6, "seats": (1, 2), **rules})
    for _ in range(acts):
        assert session.act()
    return session


def everything(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_matches_are_listed_newest_first(tmp_path):
    store = MatchStore(tmp_path / "shelf")
    assert store.matches() == []
    first = begun(store, names={1: "Ana"}, seed=4)
    second = begun(store, house="classic", people=(), seed=5)
    assert len({first.folder, second.folder}) == 2
    for session, played in ((first, "2026-11-22T20:00:00"), (second, "2026-11-21T20:00:00")):
        kept = json.loads((session.folder / METADATA).read_text())
        (session.folder / METADATA).write_text(json.dumps({**kept, "played": played}))
    one, other = store.matches()
    assert (one.id, other.id) == (first.folder.name, second.folder.name)
    assert (one.names, one.house, one.set, one.seats) == ({1: "Ana"}, "puremco", 6, [1, 2])
    assert (one.round, one.phase, one.totals, one.winner) == (1, "play", {1: 0, 2: 0}, None)
    assert one.begun[:2] == "20" and "T" in one.begun


def test_a_match_is_gone_on_with(tmp_path):
    store = MatchStore(tmp_path)
    session = begun(store)
    again = store.open(session.folder.name)
    assert again.hands == session.hands and again.act()
    with pytest.raises(KeyError):
        store.open("another")


def test_a_finished_match_tells_who_won(tmp_path):
    store = MatchStore(tmp_path)
    session = begun(store, 0)
    while session.waits_for().kind != "over":
        if not session.act():
            session.end_match()
    (match,) = store.matches()
    assert match.phase == "finished" and match.winner and sum(match.totals.values())
    assert store.open(match.id).waits_for().kind == "over"


def test_looking_back_reads_no_other_match(tmp_path, monkeypatch):
    store = MatchStore(tmp_path)
    ids = [begun(store, seed=seed).folder.name for seed in range(3)]
    loaded = []
    read = match_metadata.load
    monkeypatch.setattr(
        match_metadata, "load", lambda path, *kind: loaded.append(path.name) or read(path, *kind)
    )
    app = App(store=store, seed=1)
    app.replay_match(ids[1])
    assert app.table.kind == "replay" and loaded == [ids[1]]


def test_an_export_changes_nothing(tmp_path):
    store = MatchStore(tmp_path / "shelf")
    session = begun(store, 30)
    before = everything(tmp_path)
    lines, text = match_export.replay_export(store.segments(session.folder.name))
    assert everything(tmp_path) == before
    assert lines[-1]["ends"] == session.line["ends"] and match_export.read(text) == lines
    assert session.act()


def test_a_match_is_removed_on_request(tmp_path):
    store = MatchStore(tmp_path)
    first, second = begun(store), begun(store)
    (second.folder / (METADATA + ".new")).write_text("half a")
    kept = everything(first.folder)
    assert store.remove(second.folder.name)
    assert not second.folder.exists()
    assert everything(first.folder) == kept
    with pytest.raises(KeyError):
        store.remove(second.folder.name)


@pytest.mark.parametrize("where", ["letter.txt", "journal/letter.txt", "journal/0.rhj", "more/x"])
def test_foreign_files_stay(tmp_path, where):
    store = MatchStore(tmp_path)
    match = begun(store).folder
    (match / where).parent.mkdir(exist_ok=True)
    (match / where).write_text("mine")
    assert not store.remove(match.name)
    assert everything(match) == {match / where: b"mine"}
    assert store.matches() == [] and store.strange == [match.name]


class TooLong(Exception):
    """Raised by a test's time limit of 20 s."""


@pytest.fixture
def no_hang():
    def alarm(*_):
        raise TooLong

    before = signal.signal(signal.SIGALRM, alarm)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def bent(folder, **changes):
    shutil.copytree(folder.parent / "good", folder)
    metadata = json.loads((folder / METADATA).read_text())
    (folder / METADATA).write_text(json.dumps({**metadata, **changes}))


STRANGE = {
    "loop": lambda folder: folder.symlink_to(folder),
    "phones": lambda folder: bent(folder, phones={"x": "y"}),
    "phone lists": lambda folder: bent(folder, phones=[["1", "y"]]),
    "numbers": lambda folder: bent(folder, seats=[1, float("inf")]),
    "orders": lambda folder: bent(folder, order={"round": 1, "1": 5}),
    "scores": lambda folder: bent(
        folder, told={"scores": {"1": "x"}, "round": 1, "phase": "play", "winner": None}
    ),
    "winner": lambda folder: bent(
        folder, told={"scores": {"1": 1}, "round": 1, "phase": "finished", "winner": 7}
    ),
    "played": lambda folder: bent(folder, played="\u202e2026"),
    "brackets": lambda folder: (folder.mkdir(), (folder / METADATA).write_text("[" * 100_000)),
    "pipe": lambda folder: (folder.mkdir(), os.mkfifo(folder / METADATA)),
    "folder": lambda folder: (folder / METADATA).mkdir(parents=True),
    "\x1b[2J\u202etxt": lambda folder: (folder.mkdir(), (folder / METADATA).write_text("{")),
}


@pytest.mark.parametrize("name, language", [*zip(STRANGE, itertools.cycle(LANGUAGES))])
def test_one_strange_folder_hides_no_match(tmp_path, name, language, no_hang, capsys):
    first = MatchStore(tmp_path)
    begun(first).folder.rename(tmp_path / "good")
    odd = "odd-" + name
    STRANGE[name](tmp_path / odd)
    store = MatchStore(tmp_path)
    assert [match.id for match in store.matches()] == ["good"]
    ((shown, reason),) = store.unreadable
    assert store.strange == [odd] and shown == printable(odd)
    app = App(store=MatchStore(tmp_path), seed=1)
    play.carry_on(app, PageLauncher(language))
    said = capsys.readouterr().out
    assert shown in said and Translator(language)("page.why_" + reason) in said
    assert "\x1b" not in said and "\u202e" not in said
    assert app.match_id == "good"
    for owner in (True, False):
        page = ViewerPage(app, Rights(owner, "me"), language)
        page.handle({"do": "open matches"})
        html = json.dumps(page.messages(), ensure_ascii=False)
        assert (shown in html) == owner
    app.close()


def test_a_folder_that_may_not_be_entered_is_named(tmp_path, monkeypatch):
    store = MatchStore(tmp_path)
    good = begun(store)
    (tmp_path / "closed").mkdir()
    lstat, open_ = os.lstat, os.open

    def refused(real):
        def call(path, *args, **how):
            if "closed/" in str(path):
                raise PermissionError(errno.EACCES, "", str(path))
            return real(path, *args, **how)

        return call

    monkeypatch.setattr(os, "lstat", refused(lstat))
    monkeypatch.setattr(os, "open", refused(open_))
    assert [match.id for match in store.matches()] == [good.folder.name]
    assert store.unreadable == [("closed", "disk")]


def test_a_match_that_cannot_be_carried_on_leaves_the_list(tmp_path, monkeypatch):
    """The next one is continued, and the owner learns which match it was."""
    store = MatchStore(tmp_path)
    begun(store).folder.rename(tmp_path / "good")
    bent(tmp_path / "bad", played="2100-01-01T00:00:00+00:00")
    begin = MatchSession._begin

    def broken(session, metadata):
        if session.folder.name == "bad":
            raise AttributeError("planted")
        begin(session, metadata)

    monkeypatch.setattr(MatchSession, "_begin", broken)
    app = App(store=store, seed=1)
    page = ViewerPage(app, Rights(True, "me"))
    page.handle({"do": "open matches"})
    assert {match.id for match in store.matches()} == {"good", "bad"}
    assert page.handle({"do": "carry-on bad"})
    (error,) = [message["error"] for message in page.messages() if "error" in message]
    assert "bad (it cannot be carried on)" in error
    assert [match.id for match in store.matches()] == ["good"]
    assert app.continue_match() and app.match_id == "good"
    app.close()


@pytest.mark.parametrize(
    "changes, reason",
    [
        ({"format": 2}, "newer"),
        ({"format": "1"}, "damaged"),
        ({"house": "x", "family": {"x": ["puremco", {"deal": 5}]}}, "rules"),
        ({"house": "nowhere"}, "rules"),
        ({"seats": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}, "rules"),
        ({"seats": [1]}, "damaged"),
        ({"open_hands": 1}, "damaged"),
    ],
)
def test_the_reason_is_known(tmp_path, changes, reason):
    store = MatchStore(tmp_path)
    begun(store).folder.rename(tmp_path / "good")
    bent(tmp_path / "bent", **changes)
    assert [match.id for match in store.matches()] == ["good"]
    assert store.unreadable == [("bent", reason)]


def test_a_match_with_any_other_value_is_strange_or_can_be_played(tmp_path, no_hang):
    store = MatchStore(tmp_path)
    begun(store).folder.rename(tmp_path / "good")
    metadata = json.loads((tmp_path / "good" / METADATA).read_text())
    values = [None, True, -1, 0, 7, 0.5, float("inf"), "", "x", [], [1], [[]], {}, {"x": "y"}]
    values += [{"1": None}, {"1": "x"}, {"1": 1e400}, ["a"], "\x1b", {"round": "x"}, 10**400]
    for key in (*metadata, "phones", "family", "open_hands"):
        for value in (*values, {**metadata["told"], "scores": {"1": [1]}}):
            bent(tmp_path / "bent", **{key: value})
            ids = {match.id for match in store.matches()}
            assert ids in ({"good"}, {"good", "bent"})
            if "bent" in ids:
                app = App(store=store, seed=1)
                app.continue_match("bent")
                page = ViewerPage(app, Rights(True, "me"), "en")
                page.messages()
                page.handle({"do": "open matches"})
                page.messages()
                app.close()
            shutil.rmtree(tmp_path / "bent")


@pytest.mark.parametrize("id_", ["", ".", "..", "../x", "/", "a/b"])
def test_nothing_outside_is_opened_or_removed(tmp_path, id_):
    store = MatchStore(tmp_path / "x")
    begun(store)
    begun(MatchStore(tmp_path))
    before = everything(tmp_path)
    for do in (store.open, store.segments, store.recorded, store.remove):
        with pytest.raises(KeyError):
            do(id_)
    assert everything(tmp_path) == before


def test_junk_is_skipped_and_named(tmp_path):
    """Junk in the folder, and a match that an earlier version saved there, are named and left
    alone."""
    store = MatchStore(tmp_path)
    good = begun(store)
    for name, text in (("broken", "{"), ("other", '{"roundhouse": 3}'), ("list", "[]")):
        (tmp_path / name).mkdir()
        (tmp_path / name / METADATA).write_text(text)
    (tmp_path / "empty").mkdir()
    (tmp_path / "sitting.json").write_text('{"seats": [1, 2]}')
    (tmp_path / "journal").mkdir()
    (tmp_path / "journal" / "00000001.rhj").write_bytes(b"RHJ")
    (tmp_path / "link").symlink_to(good.folder)
    Lesson(tmp_path / "lesson")
    before = everything(tmp_path)
    assert [match.id for match in store.matches()] == [good.folder.name]
    assert store.strange == ["broken", "empty", "link", "list", "other"]
    assert everything(tmp_path) == before
