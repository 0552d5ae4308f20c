# SPDX-License-Identifier: MIT
"""Older firmware that is put back onto a hub names the files of today's and keeps them."""

import io
import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from test_journal_on_flash import FOLDER
from test_rules_kept import InMemory

from roundhouse import constants

ROOT = Path(__file__).resolve().parents[2]
OLDER = "37e3eb1c"  # the last commit that wrote format 6
PLAYS = """
import json, sys
from roundhouse import constants
from roundhouse.drivers import files
from roundhouse.games.match import Match
from roundhouse.journal import Journal
table = Match()
journal = Journal(files, sys.argv[1], table)
resumed = journal.resume()
trouble = journal.trouble
for _ in range(8):  # older matches of its own are removed meanwhile
    for kind, slot in ((constants.PRESS, 1), (constants.PRESS, 2), (constants.FORGET, 0)):
        assert not table.apply(kind, slot, 0)
        journal.record(kind, slot, 0, kind == constants.FORGET)
    while journal.prepare():
        pass
print(json.dumps([resumed, trouble]))
"""


@pytest.fixture
def older(tmp_path):
    """Return the folder of the older firmware."""
    asked = subprocess.run(
        ["git", "-C", str(ROOT), "archive", OLDER, "firmware"], capture_output=True
    )
    if asked.returncode:
        pytest.skip("the history is not here")
    with tarfile.open(fileobj=io.BytesIO(asked.stdout)) as archive:
        archive.extractall(tmp_path)
    return tmp_path / "firmware"


def test_it_names_them_and_keeps_them(older, tmp_path):
    k = InMemory()
    k.begin()
    k.passes(60)
    folder = tmp_path / "journal"
    folder.mkdir()
    before = {path[len(FOLDER) + 1 :]: data for path, data in k.flash.files.items()}
    for name, data in before.items():
        (folder / name).write_bytes(data)
    argv = [sys.executable, "-c", PLAYS, str(folder)]
    ran = subprocess.run(argv, env={"PYTHONPATH": str(older)}, capture_output=True, check=True)
    resumed, trouble = json.loads(ran.stdout)
    assert resumed == -1 and trouble.endswith(
        "is of a newer firmware; a new match begins beside it"
    )
    assert {name: (folder / name).read_bytes() for name in before} == before
    files = {FOLDER + "/" + path.name: path.read_bytes() for path in folder.iterdir()}
    k = InMemory(type(k.flash)(files))
    assert not k.journal.trouble and k.do(constants.PRESS, 1) == constants.OK
