# SPDX-License-Identifier: MIT
"""The version is defined in one place, every copy agrees with it, and the hub prints it."""

import re
import tomllib
from pathlib import Path

from hub_actions import quick_hub

import roundhouse

ROOT = Path(__file__).resolve().parents[2]


def test_it_is_a_version():
    assert re.fullmatch(r"\d+\.\d+\.\d+", roundhouse.VERSION)


def test_the_project_reads_it():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert "version" not in project["project"] and "version" in project["project"]["dynamic"]
    tool = project["tool"]["setuptools"]
    module, _, name = tool["dynamic"]["version"]["attr"].rpartition(".")
    assert (ROOT / module.replace(".", "/")).samefile(Path(roundhouse.__file__).parent)
    assert getattr(roundhouse, name) == roundhouse.VERSION


def test_the_hub_says_it_last_and_only_at_power_up():
    board = quick_hub()
    board.press("1")
    board.command("state")
    board.command("house quebec")
    board.unplug()
    said = [list(line) for line in board.inputs if "version" in line]
    assert [line["input"] for line in board.inputs if "version" in line] == ["power-up"] * 2
    assert all(keys[-1] == "version" for keys in said)
    assert board.inputs[0]["version"] == roundhouse.VERSION
