# SPDX-License-Identifier: MIT
"""The shelf of kept matches: listed, gone on with, exported, removed; the rest is left alone."""

import json

import pytest

from host_sim.hub import exported_match
from host_sim.people.kept_matches import Shelf
from host_sim.people.lesson import Lesson
from host_sim.people.match_mark import MARK


def begun(shelf, acts=8, **rules):
    sitting = shelf.new(**{"people": (), "set_": 6, "seats": (1, 2), **rules})
    for _ in range(acts):
        assert sitting.act()
    return sitting


def everything(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_matches_are_listed_newest_first(tmp_path):
    shelf = Shelf(tmp_path / "shelf")
    assert shelf.matches() == []
    first = begun(shelf, names={1: "Ana"}, seed=4)
    second = begun(shelf, house="classic", people=(), seed=5)
    assert len({first.folder, second.folder}) == 2
    for sitting, played in ((first, "2026-11-22T20:00:00"), (second, "2026-11-21T20:00:00")):
        kept = json.loads((sitting.folder / MARK).read_text())
        (sitting.folder / MARK).write_text(json.dumps({**kept, "played": played}))
    one, other = shelf.matches()
    assert (one.id, other.id) == (first.folder.name, second.folder.name)
    assert (one.names, one.house, one.set, one.seats) == ({1: "Ana"}, "puremco", 6, [1, 2])
    assert (one.round, one.phase, one.totals, one.winner) == (1, "play", {1: 0, 2: 0}, None)
    assert one.begun[:2] == "20" and "T" in one.begun


def test_a_match_is_gone_on_with(tmp_path):
    shelf = Shelf(tmp_path)
    sitting = begun(shelf)
    again = shelf.open(sitting.folder.name)
    assert again.hands == sitting.hands and again.act()
    with pytest.raises(KeyError):
        shelf.open("another")


def test_a_finished_match_tells_who_won(tmp_path):
    shelf = Shelf(tmp_path)
    sitting = begun(shelf, 0)
    while sitting.waits_for().kind != "over":
        if not sitting.act():
            sitting.end_match()
    (match,) = shelf.matches()
    assert match.phase == "finished" and match.winner and sum(match.totals.values())
    assert shelf.open(match.id).waits_for().kind == "over"


def test_an_export_changes_nothing(tmp_path):
    shelf = Shelf(tmp_path / "shelf")
    sitting = begun(shelf, 30)
    before = everything(tmp_path)
    said = shelf.export(sitting.folder.name)
    assert everything(tmp_path) == before
    assert exported_match.read("\n".join(said))[-1]["ends"] == sitting.line["ends"]
    assert sitting.act()


def test_a_match_is_removed_on_request(tmp_path):
    shelf = Shelf(tmp_path)
    first, second = begun(shelf), begun(shelf)
    (second.folder / (MARK + ".new")).write_text("half a")
    kept = everything(first.folder)
    assert shelf.remove(second.folder.name)
    assert not second.folder.exists()
    assert everything(first.folder) == kept
    with pytest.raises(KeyError):
        shelf.remove(second.folder.name)


@pytest.mark.parametrize("where", ["letter.txt", "journal/letter.txt", "journal/0.rhj", "more/x"])
def test_foreign_files_stay(tmp_path, where):
    shelf = Shelf(tmp_path)
    match = begun(shelf).folder
    (match / where).parent.mkdir(exist_ok=True)
    (match / where).write_text("mine")
    assert not shelf.remove(match.name)
    assert everything(match) == {match / where: b"mine"}
    assert shelf.matches() == [] and shelf.strange == [match.name]


@pytest.mark.parametrize("id_", ["", ".", "..", "../x", "/", "a/b"])
def test_nothing_outside_is_opened_or_removed(tmp_path, id_):
    shelf = Shelf(tmp_path / "x")
    begun(shelf)
    begun(Shelf(tmp_path))
    before = everything(tmp_path)
    for do in (shelf.open, shelf.export, shelf.remove):
        with pytest.raises(KeyError):
            do(id_)
    assert everything(tmp_path) == before


def test_junk_is_skipped_and_named(tmp_path):
    """And the match that an earlier version kept in the folder itself stays as it is."""
    shelf = Shelf(tmp_path)
    good = begun(shelf)
    for name, text in (("broken", "{"), ("other", '{"roundhouse": 3}'), ("list", "[]")):
        (tmp_path / name).mkdir()
        (tmp_path / name / MARK).write_text(text)
    (tmp_path / "empty").mkdir()
    (tmp_path / "sitting.json").write_text('{"seats": [1, 2]}')
    (tmp_path / "journal").mkdir()
    (tmp_path / "journal" / "00000001.rhj").write_bytes(b"RHJ")
    (tmp_path / "link").symlink_to(good.folder)
    Lesson(tmp_path / "lesson")
    before = everything(tmp_path)
    assert [match.id for match in shelf.matches()] == [good.folder.name]
    assert shelf.strange == ["broken", "empty", "link", "list", "other"]
    assert everything(tmp_path) == before
