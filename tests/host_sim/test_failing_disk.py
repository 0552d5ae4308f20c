# SPDX-License-Identifier: MIT
"""If a disk refuses to write, the match continues, and the page shows what is not saved."""

import errno
import io
import itertools
import os
import shutil

import pytest

from host_sim.app.page.app import App
from host_sim.app.page.rights import Rights
from host_sim.app.page.viewer_page import ViewerPage
from host_sim.app.server.text_output import StoryPrinter
from host_sim.app.session.durable_files import DurableFiles
from host_sim.app.session.match_session import MatchSession
from host_sim.app.session.match_store import MatchStore
from host_sim.app.views.i18n import LANGUAGES, Translator

CALLS = ("open", "write", "fsync", "replace", "makedirs", "unlink")
INPUTS = 9


class Disk:
    """A disk on which chosen writes into a folder fail.

    folder: the folder; calls of `os` that write into the folder or to a file descriptor are
        counted, and can fail
    refuses: a function (number, name) that returns whether a call fails. number: 1 for the first
        call; name: the called function, such as `fsync`
    """

    def __init__(self, monkeypatch, folder):
        self.folder = str(folder)
        self.calls = []
        self.errno = errno.ENOSPC
        self.refuses = lambda count, name: False
        for name in CALLS:
            monkeypatch.setattr(os, name, self._watched(name, getattr(os, name)))

    def _watched(self, name, real):
        def call(*args, **kwargs):
            if not isinstance(args[0], int) and not str(args[0]).startswith(self.folder):
                return real(*args, **kwargs)  # what another test left behind is cleaned up
            if name == "open" and not args[1] & os.O_WRONLY:
                return real(*args, **kwargs)  # it is only read
            self.calls.append(name)
            if self.refuses(len(self.calls), name):
                raise OSError(self.errno, os.strerror(self.errno), str(args[0]))
            return real(*args, **kwargs)

        return call

    def works(self):
        self.refuses = lambda count, name: False


@pytest.fixture
def disk(monkeypatch, tmp_path):
    return Disk(monkeypatch, tmp_path)


def begun(folder):
    return MatchSession(folder / "match", seats=(1, 2), people=(), house="puremco", set_=6, seed=5)


def play(session, inputs=INPUTS):
    """Play `inputs` inputs, with a take-back in the middle; return the table's state."""
    for number in range(inputs):
        if session.waits_for().kind == "round":
            session.next_round()
        assert session.act(), session.line
        assert session.line["verdict"] == "ok", session.line
        if number == inputs // 2:
            assert session.take_back()
    return bytes(session.board.hub.table.state)


def resumed(folder):
    session = MatchSession.resume(folder / "match")
    assert session is not None
    assert session.board.hub.journal.trouble == ""
    return session


@pytest.fixture
def whole(tmp_path, disk):
    """Return (names of a match's writing calls, state at its end)."""
    state = play(begun(tmp_path / "whole"))
    calls, disk.calls[:] = list(disk.calls), []
    return calls, state


def test_a_match_is_written_with_each_of_the_calls(whole):
    assert set(whole[0]) == {"open", "write", "fsync", "replace", "makedirs"}


@pytest.mark.parametrize("kind", [errno.ENOSPC, errno.EMFILE, errno.EACCES, errno.EIO])
def test_any_write_that_fails_once(tmp_path, disk, whole, kind):
    calls, state = whole
    disk.errno = kind
    for at in range(1, len(calls) + 1, 11 if kind == errno.ENOSPC else 43):
        disk.calls.clear()
        disk.refuses = lambda count, name, at=at: count == at
        session = begun(tmp_path / str(at))
        assert play(session) == state
        disk.works()
        session.close()
        assert session.files.trouble is None
        assert bytes(resumed(tmp_path / str(at)).board.hub.table.state) == state
        shutil.rmtree(tmp_path / str(at))


def test_any_write_that_fails_and_all_behind_it(tmp_path, disk, whole):
    calls, state = whole
    for at in range(1, len(calls) + 1, 13):
        disk.calls.clear()
        disk.refuses = lambda count, name, at=at: count >= at
        folder = tmp_path / str(at)
        session = begun(folder)
        assert play(session) == state
        assert session.files.trouble
        # what is on the disk is a match as it once stood, or none yet
        disk.works()
        copy = tmp_path / ("copy%d" % at)
        if (folder / "match").exists():
            shutil.copytree(folder, copy)
        earlier = MatchSession.resume(copy / "match")
        if earlier:
            stood = [line["input"] for line in earlier.past]
            assert stood == [line["input"] for line in session.past][: len(stood)] or len(
                stood
            ) > len(session.past)  # before the take-back
        # and there is room again: with the next write all of it is kept
        session.save()
        assert session.files.trouble is None
        assert bytes(resumed(folder).board.hub.table.state) == state


def test_writes_in_parts(tmp_path, monkeypatch):
    session = begun(tmp_path)
    play(session, 5)
    write = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda out, data: write(out, bytes(data)[:2]))
        state = play(session, 3)
    assert session.files.trouble is None
    assert bytes(resumed(tmp_path).board.hub.table.state) == state


def test_a_journal_that_cannot_be_read_is_not_taken_for_a_damaged_one(tmp_path, monkeypatch):
    play(begun(tmp_path))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.rhj")}

    def refuse(self, name):
        raise PermissionError(errno.EACCES, "", name)

    with monkeypatch.context() as patch:
        patch.setattr(DurableFiles, "_load", refuse)
        with pytest.raises(PermissionError):
            MatchSession.resume(tmp_path / "match")
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.rhj")} == before


# ---- on the page ----


def page_of(folder, owner=True, language="en"):
    app = App(store=MatchStore(folder), seed=3)
    app.start_match(house="puremco", set_=6, seats=(1, 2), people=(1,), names={1: "Ana", 2: "Bo"})
    return ViewerPage(app, Rights(owner=owner), language)


def texts(page):
    page.components()
    return [said.text for said in page.viewer.follower.sentences if said.kind == "health"]


def goes_on(page):
    """Let bots move until the person's turn, then follow the hint."""
    table = page.viewer.table
    for _ in range(60):
        waits = table.session.waits_for()
        if waits.kind == "person":
            break
        table._act()
    seat, past = page.viewer.seats.hand(), len(table.session.past)
    hint = table.player_view.hint(seat)
    if hint.tile:
        assert page.handle({"do": "drop %s %s" % (hint.tile, hint.slot)})
    else:
        assert page.handle({"do": "button"})
    assert len(table.session.past) == past + 1
    page.components()


def test_a_full_disk_is_said_once_and_again_when_there_is_room(tmp_path, disk):
    page = page_of(tmp_path)
    goes_on(page)
    assert texts(page) == []
    disk.refuses = lambda count, name: name in ("open", "write")
    for _ in range(3):
        goes_on(page)
    full = (
        "The disk is full: what is played now is not kept. Make room on it; the match goes on "
        "meanwhile."
    )
    assert texts(page) == [full]
    assert {"error": full} in page.viewer.take_messages()
    disk.works()
    for _ in range(3):
        goes_on(page)
    assert texts(page) == [full, "The whole match is kept again."]
    (kept,) = MatchStore(tmp_path).matches()
    past = MatchStore(tmp_path).open(kept.id).past
    assert [line["input"] for line in past] == [
        line["input"] for line in page.viewer.table.session.past
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_full_disk_is_said_at_the_terminal(tmp_path, disk, language):
    page, out = page_of(tmp_path), io.StringIO()
    printer = StoryPrinter(language, out, folder=tmp_path)
    goes_on(page)
    printer(page.viewer.app)
    disk.refuses = lambda count, name: name in ("open", "write")
    full, again = (Translator(language)("page." + key) for key in ("not_kept_full", "kept_again"))
    for _ in range(3):
        goes_on(page)
        printer(page.viewer.app)
    assert out.getvalue().splitlines().count(full) == 1
    disk.works()
    for _ in range(3):
        goes_on(page)
        printer(page.viewer.app)
    assert out.getvalue().splitlines().count(again) == 1


def older(folder, name):
    """Return a function that restores a file's present content and times."""
    path = folder / "match" / name
    data, about = path.read_bytes(), path.stat()

    def put_back():
        path.write_bytes(data)
        os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))

    return put_back


@pytest.mark.parametrize("what", ["put back", "emptied", "lengthened", "removed", "all removed"])
def test_what_another_program_does_to_a_match_that_is_played(tmp_path, what):
    """A change by another program is noticed before the next write, and the match is written
    again."""
    session = begun(tmp_path)
    play(session, 3)
    folder = tmp_path / "match"
    newest = max(folder.glob("journal/*.rhj"))
    put_back = older(tmp_path, newest.relative_to(folder))
    for _ in range(3):
        assert session.act()
    if what == "put back":
        put_back()
    elif what == "emptied":
        newest.write_bytes(b"")
    elif what == "lengthened":
        newest.write_bytes(newest.read_bytes() + b"more")
    elif what == "removed":
        newest.unlink()
    else:
        shutil.rmtree(folder)
    foreign = folder / "journal" / "letter.txt"
    foreign.parent.mkdir(parents=True, exist_ok=True)
    foreign.write_text("mine")
    assert session.act() or session.next_round()
    state = bytes(session.board.hub.table.state)
    assert session.files.trouble is None
    assert foreign.read_text() == "mine"
    again = resumed(tmp_path)
    assert bytes(again.board.hub.table.state) == state
    assert [line["input"] for line in again.past] == [line["input"] for line in session.past]


@pytest.mark.parametrize(
    ("number", "part"),
    [
        (errno.ENOSPC, "The disk is full"),
        (errno.EROFS, "cannot be written:"),
        (errno.EMFILE, "Too many files"),
        (errno.EIO, "Input/output error"),
    ],
)
def test_a_folder_that_cannot_be_written_at_the_start(tmp_path, disk, number, part):
    disk.errno = number
    folder = tmp_path / "nowhere"
    folder.touch()  # a file in the way: mkdir is not one of the watched calls
    disk.refuses = lambda count, name: True
    page = page_of(folder)
    for _ in range(3):
        goes_on(page)
    (said,) = texts(page)
    assert part in said
    disk.works()
    folder.unlink()
    goes_on(page)
    assert len(MatchStore(folder).matches()) == 1


def test_a_guest_does_not_read_where_the_matches_are(tmp_path, disk):
    disk.errno = errno.EACCES
    disk.refuses = lambda count, name: True
    owner = page_of(tmp_path)
    guest = ViewerPage(owner.viewer.app, Rights(owner=False), "de")
    assert str(tmp_path) in texts(owner)[0]
    assert str(tmp_path) not in texts(guest)[0] and tmp_path.name in texts(guest)[0]
    assert "Ordner" in texts(guest)[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_its_sentence_in_every_language(tmp_path, language):
    page = page_of(tmp_path, language=language)
    numbers = (errno.ENOSPC, errno.EACCES, errno.EMFILE, errno.EIO)
    said = {
        page.viewer.disk_error_text(OSError(number, os.strerror(number)), what)
        for number, what in itertools.product(numbers, ("disk", "not_kept"))
    }
    assert len(said) == 8


def test_what_a_click_wants_of_a_disk_that_refuses_is_a_sentence(tmp_path, monkeypatch):
    page = page_of(tmp_path)
    page.viewer.take_messages()
    (kept,) = page.viewer.app.store.matches()

    def refuse(*_):
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(page.viewer.app.store, "recorded", refuse)
    table = page.viewer.table
    assert page.handle({"do": "look-back " + kept.id})
    assert page.viewer.take_messages() == [
        {
            "error": "Too many files are open on this computer. Nothing has changed; close a "
            "program and try again."
        }
    ]
    assert page.viewer.table is table
    monkeypatch.setattr(os, "scandir", refuse)
    page.handle({"do": "open matches"})
    assert "Too many files are open" in page.components()["dialog"]
