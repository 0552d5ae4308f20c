# SPDX-License-Identifier: MIT
"""The folder for somebody without this checkout."""

import hashlib

import pytest

from host_sim import needs
from host_sim.__main__ import main
from roundhouse import VERSION


@pytest.mark.skipif(not needs.is_there("pyodide"), reason="no Python for the browser: make site")
def test_everything_is_there_and_is_what_its_checksum_says(tmp_path, capsys):
    folder = tmp_path / "release"
    for _ in range(2):  # made again, in place of the one before
        assert main(["release", str(folder)]) == 0
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    wanted = ("site/index.html", "roundhouse.uf2", "players.html", "players.de.html", "GUIDE.md")
    assert set(wanted) <= names
    listed = dict(
        reversed(line.split("  ", 1)) for line in (folder / "SHA256SUMS").read_text().splitlines()
    )
    assert set(listed) == names - {"SHA256SUMS"}
    for name, checksum in listed.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == checksum, name
    assert VERSION in (folder / "START.txt").read_text()
    assert "files" in capsys.readouterr().out


@pytest.mark.skipif(not needs.is_there("pyodide"), reason="no Python for the browser: make site")
def test_nothing_of_somebody_elses_is_taken_away(tmp_path, capsys):
    folder = tmp_path / "release"
    assert main(["release", str(folder)]) == 0
    letter = folder / "site" / "letter.txt"
    letter.write_text("mine")
    assert main(["release", str(folder)]) == 1
    assert "has something else in it" in capsys.readouterr().err
    assert letter.read_text() == "mine"
    assert not (folder / "site" / "index.html").exists(), "what was ours is gone"
