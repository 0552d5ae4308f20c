# SPDX-License-Identifier: MIT
"""Everything of a folder of matches as one file: saved, and added elsewhere without a loss."""

import base64
import io
import itertools
import json
import os
import shutil
import zipfile

import pytest
from test_people_statistics import finished, match, read_all

from host_sim.__main__ import main
from host_sim.app.page.app import App
from host_sim.app.page.rights import Rights
from host_sim.app.page.viewer_page import ViewerPage
from host_sim.app.people.name_store import NameStore
from host_sim.app.people.own_sheets import OwnSheet, OwnSheets
from host_sim.app.people.people_statistics import Evenings
from host_sim.app.session import backup, folder_lock
from host_sim.app.session.match_metadata import METADATA
from host_sim.app.session.match_store import MatchStore
from host_sim.app.views.i18n import LANGUAGES, Translator

ENGLISH = Translator("en")
GRANDMA = OwnSheet("Grandma's", "puremco", {"rounds": "6"})


def everything(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def taken_in(data, folder):
    store = MatchStore(folder)
    files = backup.read(data)
    return backup.take_in(files, store, Evenings(store), OwnSheets(folder))


def zipped(files):
    """Return a zip file of {name: content}."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def unzipped(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with a finished match, a match in progress, a lesson, added evenings, an own sheet
    and names."""
    folder = tmp_path_factory.mktemp("made")
    store = MatchStore(folder)
    finished(store, names={1: "Ana", 2: "Bo"}, seed=1)
    session = store.new(set_=6, seats=(1, 2), people=(), seed=2)
    for _ in range(8):
        assert session.act()
    session.close()
    store.lesson("round", "Zoe").session.close()
    Evenings(store).add([match(["Ana", "Zoe"], marks=("far",))], {"anna": "Ana"})
    OwnSheets(folder).keep(GRANDMA)
    NameStore(folder).save({"3": "Zoe"})
    return folder


@pytest.fixture
def home(made, tmp_path):
    return shutil.copytree(made, tmp_path / "home")


def test_all_of_it_comes_to_another_computer(home, tmp_path):
    there = tmp_path / "there"
    saved = backup.save(home)
    assert (saved.matches, saved.left_out) == (2, [])
    taken = taken_in(saved.data, there)
    assert taken == (2, 0, 1, 1, True, [])
    matches = {name: data for name, data in everything(home).items() if "/" in name}
    assert {name: data for name, data in everything(there).items() if "/" in name} == matches
    assert MatchStore(there).matches() == MatchStore(home).matches()
    assert OwnSheets(there).sheets() == {GRANDMA.name: GRANDMA}
    assert NameStore(there).names == {"3": "Zoe"}
    here, away = (read_all(Evenings(MatchStore(folder))) for folder in (home, there))
    assert away.results() == here.results() and away.aliases == here.aliases == {"anna": "Ana"}
    assert MatchStore(there).lesson("round").session.names[1] == "Zoe"
    session = next(m for m in MatchStore(there).matches() if m.phase == "play")
    assert MatchStore(there).open(session.id).act()


def test_a_second_time_changes_nothing(home, tmp_path):
    there = tmp_path / "there"
    data = backup.save(home).data
    taken_in(data, there)
    before = everything(there)
    assert taken_in(data, there) == (0, 2, 0, 0, False, [])
    assert everything(there) == before
    assert taken_in(data, home) == (0, 2, 0, 0, False, [])


def test_the_same_folder_makes_the_same_file(home):
    data = backup.save(home).data
    assert backup.save(home).data == data
    assert [*unzipped(data)][:3] == ["evenings.json", "own-sheets.json", "names.json"]


def test_nothing_else_of_the_folder_is_saved(home, tmp_path):
    before = backup.save(home).data
    first = sorted(path for path in home.iterdir() if (path / METADATA).exists())[0]
    (tmp_path / "secret").write_text("of another")
    for path in (home / "photo.jpg", first / "notes.txt", first / "journal" / "00000009.old"):
        path.write_text("of the user")
    (home / ".writer").write_text("http://127.0.0.1/#key")
    (home / "key").write_text("k" * 32)
    (first / "journal" / "99999999.rhj").symlink_to(tmp_path / "secret")
    (home / "linked").symlink_to(first)
    strange = home / "strange"
    strange.mkdir()
    (strange / METADATA).symlink_to(tmp_path / "secret")
    assert backup.save(home).data == before


def test_what_cannot_be_read_is_named_and_the_rest_is_saved(home):
    folder = home / "torn"
    folder.mkdir()
    (folder / METADATA).write_text("{")
    saved = backup.save(home)
    assert (saved.matches, saved.left_out) == (2, [("torn", "damaged")])
    assert not [name for name in unzipped(saved.data) if "torn" in name]


def test_a_match_of_the_same_name_gets_a_free_one(home, tmp_path):
    there = tmp_path / "there"
    data = backup.save(home).data
    first = MatchStore(home).matches()[0]
    (there / first.id).mkdir(parents=True)
    (there / first.id / "mine.txt").write_text("stays")
    assert taken_in(data, there).matches == 2
    assert (there / first.id / "mine.txt").read_text() == "stays"
    assert not (there / first.id / METADATA).exists()
    assert MatchStore(there).find(first.id + "-2").played == first.played
    assert taken_in(data, there)[:2] == (0, 2), "it is known by another name too"


def test_a_match_that_went_on_here_stays_as_it_is(home, tmp_path):
    data = backup.save(home).data
    store = MatchStore(home)
    id_ = next(kept.id for kept in store.matches() if kept.phase == "play")
    session = store.open(id_)
    assert session.act()
    session.close()
    before = everything(home / id_)
    assert taken_in(data, home).known == 2
    assert everything(home / id_) == before


def test_an_own_sheet_of_the_same_name_is_not_overwritten(home, tmp_path):
    there = tmp_path / "there"
    mine = GRANDMA._replace(options={"rounds": "4"})
    OwnSheets(there).keep(mine)
    data = backup.save(home).data
    assert taken_in(data, there).sheets == 1
    theirs = GRANDMA._replace(title="grandma-s 2")
    assert OwnSheets(there).sheets() == {mine.name: mine, theirs.name: theirs}
    assert taken_in(data, there).sheets == 0


def test_sheets_that_no_hub_plays_or_that_do_not_fit_are_named(tmp_path):
    for number in range(10):
        OwnSheets(tmp_path).keep(GRANDMA._replace(title="sheet %d" % number))
    sheets = {"new": GRANDMA._replace(title="New")._asdict(), "odd": {"title": "odd"}}
    taken = taken_in(zipped({"own-sheets.json": json.dumps(sheets)}), tmp_path)
    assert (taken.sheets, taken.left_out) == (0, [("New", "full"), ("odd", "rules")])


def test_names_are_taken_only_where_there_are_none(home, tmp_path):
    NameStore(tmp_path).save({"1": "Eva"})
    assert not taken_in(backup.save(home).data, tmp_path).names
    assert NameStore(tmp_path).names == {"1": "Eva"}


# ---- a file of a stranger ----


@pytest.mark.parametrize("data", [b"", b"a poem", zipped({}), zipped({"photo.jpg": b"x"})])
def test_another_file_is_refused(data):
    with pytest.raises(backup.NoBackup):
        backup.read(data)


def test_a_file_that_is_too_long_is_refused(monkeypatch, home):
    data = backup.save(home).data
    monkeypatch.setattr(backup, "LARGEST", len(data) - 1)
    with pytest.raises(backup.NoBackup):
        backup.read(data)


@pytest.mark.parametrize(
    "place", ["../out", "/etc", "a/b", "..", ".", "C:\\x", "a\\b", "journal/../..", "é", "a\n"]
)
def test_no_path_leads_out_of_the_folder(home, tmp_path, place):
    files = unzipped(backup.save(home).data)
    first = next(name for name in files if name.endswith(METADATA)).split("/")[0]
    moved = {
        place + name.removeprefix(first): data
        for name, data in files.items()
        if name.startswith(first + "/")
    }
    there = tmp_path / "deep" / "there"
    there.mkdir(parents=True)
    try:
        taken_in(zipped({**moved, "names.json": b"{}"}), there)
    except backup.NoBackup:
        pass
    inside = {path.name for path in there.iterdir()}
    assert all(name[0] not in "./" and "\\" not in name and name.isascii() for name in inside)
    assert {path.name for path in tmp_path.iterdir()} == {"home", "deep"}
    assert {path.name for path in (tmp_path / "deep").iterdir()} == {"there"}


def test_files_that_this_program_does_not_write_are_not_unpacked(home, tmp_path):
    files = unzipped(backup.save(home).data)
    first = next(name for name in files if name.endswith(METADATA)).split("/")[0]
    others = ("run.sh", first + "/run.sh", first + "/journal/run.sh", first + "/journal/x/1.rhj")
    there = tmp_path / "there"
    taken_in(zipped({**files, **dict.fromkeys(others, b"echo")}), there)
    assert "run.sh" not in " ".join(everything(there)) and not list(there.rglob("x"))


def test_a_file_that_unpacks_without_end_is_not_read(home, monkeypatch, tmp_path):
    files = unzipped(backup.save(home).data)
    bomb = b"0" * (backup.LONGEST["rhj"] + 1)
    name = next(name for name in files if name.endswith(".rhj"))
    taken = taken_in(zipped({**files, name: bomb}), tmp_path / "one")
    assert (taken.matches, taken.left_out) == (1, [(name.split("/")[0], "damaged")])
    monkeypatch.setattr(backup, "LARGEST_INSIDE", 2000)  # no more than that is in memory
    contents = backup.read(zipped(files)).values()
    assert sum(len(content or b"") for content in contents) <= 2000 and None in contents


@pytest.mark.parametrize(
    "change, reason",
    [
        (lambda kept: "{", "damaged"),
        (lambda kept: json.dumps({**kept, "seats": [1]}), "damaged"),
        (lambda kept: json.dumps({**kept, "format": 99}), "newer"),
        (lambda kept: json.dumps({**kept, "house": "monopoly"}), "rules"),
        (lambda kept: json.dumps({**kept, "roundhouse": "lesson", "topic": "?"}), "damaged"),
    ],
)
def test_a_match_that_cannot_be_read_is_named_and_the_others_come(home, tmp_path, change, reason):
    files = unzipped(backup.save(home).data)
    name = next(name for name in files if name.endswith(METADATA))
    files[name] = change(json.loads(files[name])).encode()
    taken = taken_in(zipped(files), tmp_path / "there")
    assert (taken.matches, taken.left_out) == (1, [(name.split("/")[0], reason)])


def test_a_journal_that_no_hub_reads_is_damage(home, tmp_path):
    files = unzipped(backup.save(home).data)
    place = next(name for name in files if name.endswith(METADATA)).split("/")[0]
    files = {
        name: b"junk" if name.startswith(place + "/") and name.endswith("rhj") else data
        for name, data in files.items()
    }
    assert taken_in(zipped(files), tmp_path / "there").left_out == [(place, "damaged")]


@pytest.mark.parametrize("name", ["evenings.json", "own-sheets.json", "names.json"])
@pytest.mark.parametrize("text", [b"{", b"[]", b"\xff", b"[" * 100_000, b"1"])
def test_a_damaged_file_beside_the_matches_is_named_and_the_matches_come(
    home, tmp_path, name, text
):
    files = {**unzipped(backup.save(home).data), name: text}
    taken = taken_in(zipped(files), tmp_path / "there")
    assert (taken.matches, taken.left_out) == (2, [(name, "damaged")])


def test_any_byte_may_be_wrong(home, tmp_path):
    data = backup.save(home).data
    for n, at in enumerate(range(0, len(data), 37)):
        bent = data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]
        try:
            taken_in(bent, tmp_path / str(n))
        except backup.NoBackup:
            pass


def test_if_the_disk_is_full_no_match_was_added(home, tmp_path, monkeypatch):
    data, left = backup.save(home).data, itertools.count(6, -1)
    real = os.fsync

    def fsync(file):
        if next(left) < 0:
            raise OSError(28, "No space left on device")
        real(file)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(OSError):
        taken_in(data, tmp_path / "there")
    assert not everything(tmp_path / "there") and not [*(tmp_path / "there").iterdir()]


# ---- on the page ----


@pytest.fixture
def page(tmp_path):
    return ViewerPage(App(store=MatchStore(tmp_path / "there")), Rights(owner=True))


def send(page, data, size=1000):
    """Send a file in pieces; return the sentence in the dialog after each piece."""
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    said = []
    for number, piece in enumerate(pieces, 1):
        text = base64.b64encode(piece).decode()
        what = "piece %d %d" % (number, len(pieces))
        assert page.handle({"do": what, "fields": {"text": text}})
        said.append(page.viewer.dialog.error)
        assert said[-1] in page.components()["dialog"]
        if said[-1].endswith("has been read."):
            assert page.messages()[-1] == {"piece": number + 1}
    return said


def test_the_page_saves_and_takes_in_what_the_commands_do(home, page):
    away = ViewerPage(App(store=MatchStore(home)), Rights(owner=True))
    assert away.handle({"do": "open menu"})
    assert 'data-do="save all"' in away.components()["dialog"]
    assert 'data-do="open take-in"' in away.components()["dialog"]
    assert away.handle({"do": "save all"})
    file = next(message["file"] for message in away.messages() if "file" in message)
    data = base64.b64decode(file["text"])
    assert file["bytes"] and file["name"] == "roundhouse.zip" and data == backup.save(home).data
    *half, last = send(page, data)
    assert half[0].endswith("% has been read.") and last.startswith("Taken in: 2 matches, ")
    matches = MatchStore(home).matches()
    assert page.viewer.app.store.matches() == matches
    assert read_all(page.viewer.app.evenings).known_names() == ["Ana", "Bo", "Zoe"]
    assert send(page, data)[-1] == "Nothing new was taken in. 2 matches were here already."


def test_a_file_in_pieces_that_cannot_be_one_is_refused(home, page):
    no_file = ENGLISH("backup.no_file")
    assert send(page, b"a poem") == [no_file]
    for words, text in (
        ("piece 2 3", "QUJD"),  # the first has not arrived
        ("piece 1 1", "no base64"),
        ("piece 1 1", ""),
    ):
        assert page.handle({"do": words, "fields": {"text": text}})
        assert page.viewer.dialog.error == no_file
    assert page.handle({"do": "piece 1 0"})
    assert page.viewer.dialog.error == ENGLISH("backup.too_large", count=50)
    for words in ("piece", "piece 1", "piece x 1", "piece 1 2001"):
        assert not page.handle({"do": words, "fields": {"text": "QUJD"}})
    assert page.viewer.app.store.matches() == []


def test_pieces_are_not_gathered_without_end(page, monkeypatch):
    monkeypatch.setattr(backup, "LARGEST", 1000)
    said = send(page, bytes(5000))
    assert said[1] == ENGLISH("backup.no_file") and page.viewer.dialog.pieces == []


def test_only_the_owner_saves_and_takes_in(home):
    guest = ViewerPage(App(store=MatchStore(home)), Rights(False, "phone"))
    for words in ("save all", "open take-in", "piece 1 1"):
        assert not guest.handle({"do": words, "fields": {"text": ""}})
    guest.handle({"do": "open menu"})
    assert "take-in" not in guest.components()["dialog"]
    assert "save all" not in guest.components()["dialog"]


# ---- in words, and as commands ----


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_answer_says_all_of_it(language):
    left_out = [("torn", why) for why in ("damaged", "newer", "rules", "disk", "full")]
    taken = backup.TakenIn(12, 2, 3, 4, True, left_out)
    said = backup.taken_text(Translator(language), taken)
    assert "None" not in said and all(number in said for number in ("12", "2", "3", "4", "torn"))


def test_from_one_computer_to_another_by_commands(home, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    file, there = str(tmp_path / "all.zip"), str(tmp_path / "there")
    assert main(["backup", file, "--folder", str(home)]) == 0
    assert main(["restore", file, "--folder", there]) == 0
    assert main(["restore", file, "--folder", there]) == 0
    saved, taken, again = capsys.readouterr().out.splitlines()
    assert saved == "Saved: 2 matches, and the evenings, own sheets and names."
    assert taken.startswith("Taken in: 2 matches, 1 own sheet, ")
    assert again == "Nothing new was taken in. 2 matches were here already."


def test_a_folder_that_is_played_is_left_alone(home, tmp_path, capsys):
    file = tmp_path / "all.zip"
    file.write_bytes(backup.save(home).data)
    lock = folder_lock.acquire(home)
    try:
        for name in ("backup", "restore"):
            assert main([name, str(file), "--folder", str(home)]) == 2
            assert "`play` has these matches open" in capsys.readouterr().err
    finally:
        lock.release()
