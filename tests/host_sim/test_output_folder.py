# SPDX-License-Identifier: MIT
"""Commands that fill a folder never lose files in it that others wrote, even if a run is
interrupted."""

import hashlib
import os
import shutil
from pathlib import Path

import pytest

from host_sim.__main__ import main
from host_sim.app.site import build_site
from host_sim.command_line.output_folder import LIST, InTheWay, filled
from host_sim.maker import release_folder

FIRST = {"index.html": "one", "old/a.txt": "gone next time", "pyodide/x": "same"}
SECOND = {"index.html": "two", "new/b.txt": "new", "pyodide/x": "same"}
THEIRS = {"thesis.txt": "years of work", "old/mine.txt": "mine", ".git/HEAD": "ref"}


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def fill(folder, files, **more):
    with filled(folder, **more) as made:
        write(made, files)


def inside(folder):
    """Return {name: text} for the files in a folder, except for the command's list of its
    files."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    found = {path.relative_to(folder).as_posix(): path.read_text() for path in paths}
    return {name: text for name, text in found.items() if not name.startswith(LIST)}


def test_only_what_was_made_is_replaced(tmp_path):
    folder = tmp_path / "site"
    write(folder, THEIRS)
    fill(folder, FIRST)
    assert inside(folder) == {**THEIRS, **FIRST}
    fill(folder, SECOND)
    assert inside(folder) == {**THEIRS, **SECOND}
    (folder / "old/mine.txt").unlink()
    fill(folder, FIRST)
    fill(folder, SECOND)
    assert not (folder / "old").exists(), "a folder that is empty now goes too"


@pytest.mark.parametrize(
    "there, why",
    [
        ({"index.html": "theirs"}, "index.html was not made by this command: move it away"),
        ({"old": "a file where a folder is needed"}, "old is a file: move it away"),
        ({"index.html/x": "a folder where a file is needed"}, "was not made by this command"),
    ],
)
def test_what_stands_in_the_way_is_named_and_stays(tmp_path, there, why):
    write(tmp_path, {**there, **THEIRS} if "old" not in there else there)
    before = inside(tmp_path)
    with pytest.raises(InTheWay, match=why):
        fill(tmp_path, FIRST)
    assert inside(tmp_path) == before
    assert not (tmp_path / LIST).exists()


def test_what_was_changed_since_is_not_replaced(tmp_path):
    fill(tmp_path, FIRST)
    (tmp_path / "index.html").write_text("edited by hand")
    with pytest.raises(InTheWay, match="index.html was changed after it was made"):
        fill(tmp_path, SECOND)
    assert inside(tmp_path) == {**FIRST, "index.html": "edited by hand"}
    (tmp_path / "index.html").unlink()
    (tmp_path / "old/a.txt").write_text("edited, too")
    fill(tmp_path, SECOND)
    assert inside(tmp_path) == {**SECOND, "old/a.txt": "edited, too"}


def test_a_link_is_not_followed(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "old").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InTheWay, match="old is a link"):
        fill(folder, FIRST)
    (folder / "old").unlink()
    (folder / "index.html").symlink_to(tmp_path / "nowhere")
    with pytest.raises(InTheWay, match="index.html was not made"):
        fill(folder, FIRST)
    assert not any((tmp_path / "elsewhere").iterdir())


def test_a_file_where_the_folder_is_to_be(tmp_path):
    (tmp_path / "site").write_text("x")
    with pytest.raises(InTheWay, match="site is a file: name a folder"):
        fill(tmp_path / "site", FIRST)


def test_a_list_that_somebody_bent_leads_nowhere_else(tmp_path):
    folder = tmp_path / "site"
    fill(folder, FIRST)
    write(tmp_path, {"precious.txt": "x"})
    checksum = hashlib.sha256(b"x").hexdigest()
    text = "%s  ../precious.txt\n%s  %s/precious.txt\nhello\n" % (checksum, checksum, tmp_path)
    (folder / LIST).write_text((folder / LIST).read_text() + text)
    fill(folder, SECOND)
    assert (tmp_path / "precious.txt").read_text() == "x"
    assert inside(folder) == SECOND


class Cut(Exception):
    """Raised to simulate a power cut."""


def cut_at(monkeypatch, count):
    """Let `count` changes of files and folders succeed, and raise Cut at every later change."""
    left = [count]

    def counted(change):
        def run(*args, **more):
            left[0] -= 1
            if left[0] < 0:
                raise Cut
            return change(*args, **more)

        return run

    monkeypatch.setattr(os, "replace", counted(os.replace))
    monkeypatch.setattr(shutil, "copyfile", counted(shutil.copyfile))
    for name in ("mkdir", "unlink", "rmdir"):
        monkeypatch.setattr(Path, name, counted(getattr(Path, name)))


@pytest.mark.parametrize("first", [None, FIRST])
def test_a_run_cut_off_anywhere_is_taken_up_by_the_next(tmp_path, first):
    for count in range(60):
        folder = tmp_path / str(count)
        write(folder, THEIRS)
        if first:
            fill(folder, first)
        with pytest.MonkeyPatch.context() as patch:
            try:
                with filled(folder) as made:
                    write(made, SECOND)
                    cut_at(patch, count)
            except Cut:
                over = False
            else:
                over = True
        found = inside(folder)
        assert {name: found[name] for name in THEIRS} == THEIRS, count
        fill(folder, FIRST)
        assert inside(folder) == {**THEIRS, **FIRST}, count
        if over:
            break
    assert over and count > 10


def test_what_ends_while_it_is_made_changes_nothing(tmp_path):
    fill(tmp_path / "site", FIRST)
    with pytest.raises(KeyboardInterrupt), filled(tmp_path / "site") as made:
        write(made, SECOND)
        raise KeyboardInterrupt
    assert inside(tmp_path / "site") == FIRST
    assert not made.exists()


# ---- folders of version 1.0.0, which kept no such list ----


def test_an_older_site_is_replaced_and_a_foreign_build_js_is_not(tmp_path):
    site = tmp_path / "site"
    write(site, {"build.js": build_site.ASSIGNMENT + '{"files": ["build.js", "index.html"]};\n'})
    write(site, {"index.html": "older", **THEIRS})
    fill(site, FIRST, adopted=build_site.listed(site))
    assert inside(site) == {**THEIRS, **FIRST}
    for text in ("x", "", build_site.ASSIGNMENT + "{}", build_site.ASSIGNMENT + '{"files": 3}'):
        write(tmp_path, {"build.js": text, "thesis.txt": "y"})
        assert build_site.listed(tmp_path) == {}


def test_an_older_release_is_replaced_where_it_is_as_it_was(tmp_path):
    write(tmp_path, {"START.txt": "start", "index.html": "older", **THEIRS})
    sums = {name: hashlib.sha256(text.encode()) for name, text in inside(tmp_path).items()}
    lines = ["%s  %s\n" % (sums[name].hexdigest(), name) for name in ("START.txt", "index.html")]
    write(tmp_path, {"SHA256SUMS": "".join(lines)})
    fill(tmp_path, FIRST, adopted=release_folder.listed_files(tmp_path))
    assert inside(tmp_path) == {**THEIRS, **FIRST}
    write(tmp_path / "other", {"SHA256SUMS": lines[1]})
    assert release_folder.listed_files(tmp_path / "other") == {}, "of another program"


# ---- the player's guide ----


def test_a_guide_without_a_name_goes_to_build(tmp_path, monkeypatch, capsys):
    write(tmp_path, {"hardware/players.html": "as it was committed"})
    monkeypatch.chdir(tmp_path)
    for words, name in (
        ([], "players.html"),
        (["--house", "matador ten", "--language", "de"], "players-matador-ten.de.html"),
        (["--house", "block", "--set", "9", "--language", "fr"], "players-block-9.fr.html"),
    ):
        assert main(["guide", *words]) == 0
        assert capsys.readouterr().out == "build/%s: two pages to print\n" % name
        assert "<html" in (tmp_path / "build" / name).read_text()
    assert (tmp_path / "hardware/players.html").read_text() == "as it was committed"
