# SPDX-License-Identifier: MIT
"""A command either writes its output file completely or leaves the old file unchanged."""

import os

import pytest

from host_sim.__main__ import main
from host_sim.board.pico import build_firmware
from host_sim.command_line import command


def test_a_file_that_is_there_stays_when_the_disk_is_full(tmp_path, monkeypatch):
    file = tmp_path / "players.html"
    file.write_text("old")

    def full(file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        command.write_file(file, "new")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"players.html": "old"}


def test_who_may_read_it_is_as_it_was(tmp_path):
    old, new, link = tmp_path / "old", tmp_path / "new", tmp_path / "link"
    old.write_text("old")
    old.chmod(0o640)
    link.symlink_to(old)
    before = os.umask(0o022)
    try:
        command.write_file(link, "née")
        command.write_file(new, b"new")
    finally:
        os.umask(before)
    assert link.is_symlink() and old.read_text(encoding="utf-8") == "née"
    assert (old.stat().st_mode & 0o777, new.stat().st_mode & 0o777) == (0o640, 0o644)


def test_a_device_is_written_to(tmp_path):
    command.write_file("/dev/null", "x")
    assert not os.path.isfile("/dev/null")


@pytest.mark.parametrize("words", ["guide --out", "picture", "uf2"])
def test_every_command_that_makes_a_file_writes_it_so(words, tmp_path, monkeypatch):
    to = tmp_path / ("made.svg" if words == "picture" else "made")
    written = []
    monkeypatch.setattr(command, "write_file", lambda path, data: written.append(str(path)))
    monkeypatch.setattr(build_firmware, "can_freeze", lambda: False)  # to compile it takes long
    monkeypatch.setattr(build_firmware, "firmware", dict)
    assert main([*words.split(), *(["--out"] if words == "picture" else []), str(to)]) == 0
    assert written == [str(to)] and not to.exists()
