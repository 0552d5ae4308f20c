# SPDX-License-Identifier: MIT
"""Only one program at a time can write to a folder of matches."""

import errno
import io
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from host_sim.__main__ import main
from host_sim.app.page.app import App
from host_sim.app.server import launcher
from host_sim.app.server.launcher import PageLauncher
from host_sim.app.session import folder_lock, match_metadata, match_store
from host_sim.app.session.match_store import MatchStore

ROOT = Path(__file__).resolve().parents[2]
HOLD = """
import sys, time
from host_sim.app.session import folder_lock
writer = folder_lock.acquire(sys.argv[1])
writer.write_address("http://127.0.0.1:8000/#key=1")
print("held", flush=True)
time.sleep(60)
"""


@pytest.fixture
def other(tmp_path):
    """Run another program that holds the folder's lock."""
    program = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": "%s%s%s" % (ROOT, os.pathsep, ROOT / "firmware")},
    )
    assert program.stdout.readline() == b"held\n"
    yield program
    program.kill()
    program.wait()


def test_a_second_one_is_told_where_the_first_is_until_it_is_killed(tmp_path, other, capsys):
    with pytest.raises(folder_lock.FolderTaken) as taken:
        folder_lock.acquire(tmp_path)
    assert taken.value.address == "http://127.0.0.1:8000/#key=1"
    assert main(["play", "--folder", str(tmp_path), "--no-browser", "--lang", "en"]) == 0
    said = capsys.readouterr().out
    assert said.count("\n") == 1 and "in one place at a time" in said and "#key=1" in said
    assert main(["type", "--journal", str(tmp_path)]) == 2
    assert "another program plays this match" in capsys.readouterr().err
    assert not list(tmp_path.glob("*.rhj")), "nothing was written"
    other.send_signal(signal.SIGKILL)
    other.wait()
    folder_lock.acquire(tmp_path).release()


def test_its_address_is_for_its_owner_alone(tmp_path):
    writer = folder_lock.acquire(tmp_path)
    (tmp_path / folder_lock.ADDRESS).write_text("older, and readable")
    writer.write_address("http://127.0.0.1/#key=1")
    assert stat.S_IMODE((tmp_path / folder_lock.ADDRESS).stat().st_mode) == 0o600
    writer.release()
    assert not (tmp_path / folder_lock.ADDRESS).exists()


def test_a_folder_that_cannot_be_locked_is_played_without(tmp_path, monkeypatch):
    import filelock

    for error in (PermissionError, NotImplementedError, OSError):

        def refuse(self, *_, error=error):
            raise error

        monkeypatch.setattr(filelock.FileLock, "acquire", refuse)
        writer = folder_lock.acquire(tmp_path)
        writer.write_address("x")
        writer.release()
        assert not (tmp_path / folder_lock.ADDRESS).exists()


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP, errno.EINVAL])
def test_a_folder_that_cannot_be_locked_is_said(tmp_path, monkeypatch, capsys, number):
    """Each command says so if a folder cannot be locked, as on some network drives."""
    import fcntl

    def refuse(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", refuse)
    monkeypatch.setattr(PageLauncher, "serve", lambda *_, **__: 0)
    writer = folder_lock.acquire(tmp_path)
    assert writer.trouble
    writer.release()
    assert main(["play", "--folder", str(tmp_path), "--no-browser", "--lang", "en"]) == 0
    said = capsys.readouterr().out
    assert said.count("cannot be locked") == 1 and str(tmp_path) in said
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    assert main(["type", "--journal", str(tmp_path)]) == 0
    assert capsys.readouterr().out.count("cannot be locked") == 1


def test_a_lock_file_that_somebody_deletes_lets_no_second_one_in(tmp_path, other):
    (tmp_path / folder_lock.LOCK).unlink()
    with pytest.raises(folder_lock.FolderTaken) as taken:
        folder_lock.acquire(tmp_path)
    assert taken.value.address == "http://127.0.0.1:8000/#key=1"
    other.kill()
    other.wait()
    folder_lock.acquire(tmp_path).release()
    folder_lock.acquire(tmp_path).release()


def test_an_address_that_is_none_is_not_printed(tmp_path):
    for text in ("\x1b[2Jhttp://x/", "file:///etc/passwd", "http://x/\u202e", "", "x" * 2000):
        (tmp_path / folder_lock.ADDRESS).write_text(text)
        assert folder_lock.address_in(tmp_path) == ""
    (tmp_path / folder_lock.ADDRESS).unlink()
    os.mkfifo(tmp_path / folder_lock.ADDRESS)
    assert folder_lock.address_in(tmp_path) == ""


def test_one_that_has_just_started_tells_its_address_a_moment_later(tmp_path, capsys, monkeypatch):
    first = folder_lock.acquire(tmp_path)
    asked = ["", "", "http://127.0.0.1:8123/#key=7"]
    monkeypatch.setattr(folder_lock, "address_in", lambda folder: asked.pop(0))
    assert main(["play", "--folder", str(tmp_path), "--no-browser", "--lang", "en"]) == 0
    assert "http://127.0.0.1:8123/#key=7" in capsys.readouterr().out
    monkeypatch.setattr(folder_lock, "address_in", lambda folder: "")
    monkeypatch.setattr(launcher, "START_S", 0.1)
    assert main(["play", "--folder", str(tmp_path), "--no-browser", "--lang", "en"]) == 0
    said = capsys.readouterr().out
    assert "has no page" in said and "?" not in said
    first.release()


@pytest.mark.parametrize("inside", ["journal", "", "link"])
def test_typing_keeps_out_of_a_match_that_is_played(tmp_path, capsys, inside):
    app = App(store=MatchStore(tmp_path), seed=1)
    app.start_match(house="puremco", set_=6, seats=(1, 2), people=(1,), names={1: "Ana"})
    match = tmp_path / app.match_id
    (match / "link").symlink_to(match / "journal")
    before = {path: path.read_bytes() for path in match.glob("*/*.rhj")}
    assert main(["type", "--journal", str(match / inside)]) == 2
    assert "belongs to a match" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in match.glob("*/*.rhj")} == before
    app.close()


def test_a_port_that_is_taken_begins_no_match(tmp_path, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        args = ["play", "--folder", str(tmp_path), "--no-browser", "--lang", "en"]
        assert main([*args, "--house", "puremco", "--at", str(port)]) != 0
    assert "Port %d is in use" % port in capsys.readouterr().err
    assert MatchStore(tmp_path).matches() == []


def test_the_seed_is_readable_by_its_owner_alone(tmp_path):
    app = App(store=MatchStore(tmp_path), seed=1)
    app.start_match(house="puremco", set_=6, seats=(1, 2), people=(1,), names={1: "Ana"})
    (mark,) = tmp_path.glob("*/" + match_metadata.METADATA)
    assert stat.S_IMODE(mark.stat().st_mode) == 0o600
    assert stat.S_IMODE(mark.parent.stat().st_mode) == 0o700
    app.close()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(time, "tzset"), reason="no time zones to set")
def test_the_newest_match_goes_on_whatever_the_time_zone(tmp_path, monkeypatch):
    ids = []
    for zone in ("Pacific/Auckland", "America/Los_Angeles"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        app = App(store=MatchStore(tmp_path), seed=1)
        app.start_match(house="puremco", set_=6, seats=(1, 2), people=(1,), names={1: "Ana"})
        ids.append(app.match_id)
        app.close()
        kept = json.loads((tmp_path / app.match_id / match_metadata.METADATA).read_text())
        assert kept["played"].endswith("+00:00")
        time.sleep(1.1)
    assert [kept.id for kept in MatchStore(tmp_path).matches()] == ids[::-1]
    mark = tmp_path / ids[0] / match_metadata.METADATA
    older = {**json.loads(mark.read_text()), "played": "2000-01-01T23:00:00+12:00"}
    mark.write_text(json.dumps(older))  # as an older version wrote it
    newer = tmp_path / ids[1] / match_metadata.METADATA
    other_zone = {**json.loads(newer.read_text()), "played": "2000-01-01T12:00:00-08:00"}
    newer.write_text(json.dumps(other_zone))
    assert [kept.id for kept in MatchStore(tmp_path).matches()] == ids[::-1], "by the moment"
    assert match_store._timestamp("yesterday") == 0


def test_the_port_is_kept_for_the_next_program(tmp_path):
    lock = folder_lock.acquire(tmp_path)
    assert lock.last_port() is None
    lock.keep_port(8003)
    lock.release()
    lock = folder_lock.acquire(tmp_path)
    assert lock.last_port() == 8003
    for junk in (b"", b"x", b"-1", b"99999", b"8" * 5000, b"\xff"):
        (tmp_path / folder_lock.PORT).write_bytes(junk)
        assert lock.last_port() is None, junk
    lock.release()
    assert MatchStore(tmp_path).matches() == [] and not MatchStore(tmp_path).unreadable
