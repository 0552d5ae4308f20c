# SPDX-License-Identifier: MIT
"""The files that the program keeps beside the matches: strange ones do no harm, damaged ones
stay."""

import json
import os
import signal

import pytest

from host_sim.app.page.app import App
from host_sim.app.people import kept_file
from host_sim.app.people.name_store import NameStore
from host_sim.app.people.own_sheets import OwnSheet, OwnSheets
from host_sim.app.server.addresses import owner_key
from host_sim.app.session.match_store import MatchStore

SHEET = OwnSheet("Ours", "puremco", {"first-turn": "own"})


def names(folder):
    store = NameStore(folder)
    store.save({**store.names, "1": "Ana"})
    return NameStore(folder).names


def sheets(folder):
    store = OwnSheets(folder)
    store.keep(SHEET)
    return store.sheets()


def evenings(folder):
    kept = App(store=MatchStore(folder)).evenings
    kept.rename("bo", "Bob")
    return App(store=MatchStore(folder)).evenings.known_names() or kept.aliases


KEPT = {
    "names.json": names,
    "own-sheets.json": sheets,
    "evenings.json": evenings,
    "page-key.txt": owner_key,
}


@pytest.fixture
def no_hang():
    def hangs(*_):
        raise AssertionError("it waits for a pipe")

    before = signal.signal(signal.SIGALRM, hangs)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("name", KEPT)
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: os.symlink(path, path)])
def test_what_is_no_file_stops_nothing_and_stays(tmp_path, name, make, no_hang):
    make(tmp_path / name)
    if name == "own-sheets.json":  # the page says why a sheet cannot be kept
        assert OwnSheets(tmp_path).sheets() == {}
        with pytest.raises(OSError):
            KEPT[name](tmp_path)
    else:
        assert KEPT[name](tmp_path)
    assert [path.name for path in tmp_path.iterdir()][:1] or os.path.lexists(tmp_path / name)


@pytest.mark.parametrize("name", ["names.json", "own-sheets.json", "evenings.json"])
def test_no_damaged_file_is_written_over_another(tmp_path, name):
    for content in (b"{half", b"\xff\xfe", b"[" * 100_000):
        (tmp_path / name).write_bytes(content)
        assert KEPT[name](tmp_path)
        json.loads((tmp_path / name).read_text())
    aside = sorted(path for path in tmp_path.iterdir() if ".damaged" in path.name)
    assert [path.read_bytes() for path in aside] == [b"{half", b"\xff\xfe", b"[" * 100_000]


def test_a_file_is_written_at_once_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "one.json"
    kept_file.write_json(path, {"a": "\ud800 \u00e9"})
    assert kept_file.read_json(path) == {"a": "\ud800 \u00e9"}

    def full(*_):
        raise OSError(28, "full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError):
        kept_file.write_json(path, {"a": 2})
    assert kept_file.read_json(path) == {"a": "\ud800 \u00e9"}
