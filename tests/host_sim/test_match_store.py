# SPDX-License-Identifier: MIT
"""Saved matches are listed, continued, exported and removed; other files are left alone."""

import json

import pytest

from host_sim.hub import match_export
from host_sim.session.lesson import Lesson
from host_sim.session.match_metadata import METADATA
from host_sim.session.match_store import MatchStore


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


@pytest.mark.parametrize("id_", ["", ".", "..", "../x", "/", "a/b"])
def test_nothing_outside_is_opened_or_removed(tmp_path, id_):
    store = MatchStore(tmp_path / "x")
    begun(store)
    begun(MatchStore(tmp_path))
    before = everything(tmp_path)
    for do in (store.open, store.segments, store.remove):
        with pytest.raises(KeyError):
            do(id_)
    assert everything(tmp_path) == before


def test_junk_is_skipped_and_named(tmp_path):
    """A match that an earlier version saved in the folder itself stays as it is."""
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
