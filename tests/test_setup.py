# SPDX-License-Identifier: MIT
"""Everything that is installed is locked, and a failing set-up is explained in one plain line."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from host_sim.board.pico import node
from host_sim.lab import benchmark_rounds

ROOT = Path(__file__).resolve().parent.parent
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
PINNED = re.compile(
    r"[a-z0-9][a-z0-9.-]*==[\w.+]+( ; [^\\]+)?( \\\n    --hash=sha256:[0-9a-f]{64})+"
)


def locked(path):
    """Return [(package, the lock's text about the package), ...]. A package may occur several
    times, for different versions of Python."""
    text = "".join(
        line for line in path.read_text().splitlines(True) if not line.lstrip().startswith("#")
    )
    return [(part.split("==")[0], part) for part in re.split(r"\n(?=\w)", text.strip())]


def asked(path):
    return [
        re.match(r"[\w-]+", line)[0] for line in path.read_text().splitlines() if line[0] != "#"
    ]


# ---- locks ----


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.stem)
def test_every_package_is_pinned_with_its_hashes(path):
    for name, said in locked(path):
        assert PINNED.fullmatch(said), name
    names = {name for name, _ in locked(path)}
    assert set(asked(path.with_suffix(".in"))) <= names, "make locks"
    assert not set(asked(ROOT / "requirements" / "excluded.in")) & names
    assert "://" not in path.read_text(), "where it comes from is not the lock's business"


def test_sets_agree():
    """A package that is in two locks has the same version in both."""
    versions = {}
    for path in LOCKS:
        for _, said in locked(path):
            name, _, rest = said.partition("==")
            version, _, marker = rest.partition("\n")[0].strip(" \\").partition(" ; ")
            versions.setdefault((name, marker), set()).add(version)
    assert not {name: found for name, found in versions.items() if len(found) > 1}


@pytest.mark.parametrize("folder", node.PACKAGES, ids=lambda folder: folder.parent.name)
def test_npms_packages_are_locked(folder):
    wanted = json.loads((folder / "package.json").read_text())["dependencies"]
    packages = json.loads((folder / "package-lock.json").read_text())["packages"]
    assert packages.pop("")["dependencies"] == wanted
    assert {"node_modules/" + name for name in wanted} <= set(packages)
    for package in packages.values():
        assert package["integrity"].startswith("sha512-")
        assert "resolved" not in package


# ---- make, where something lacks ----

# Stands in for Python, and is its own virtual environment and its uv: says what a bare machine's
# would.
PYTHON = """#!/bin/sh
case "$*" in
  *version_info*) [ $LACKS != age ] || { echo "Roundhouse needs Python 3.11" >&2; exit 1; } ;;
  *ensurepip*) [ $LACKS != venv ] ;;
  "-m venv .venv") mkdir -p .venv/bin && cp "$0" .venv/bin/python && cp "$0" .venv/bin/uv ;;
  "-m pip install"*)
    [ $LACKS != network ] || { echo "Temporary failure in name resolution" >&2; exit 1; }
    [ $LACKS != hash ] || { echo "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES" >&2; exit 1; } ;;
  "pip install"*)
    echo "Using Python 3.11" >&2; echo "Downloading one (5.1MiB)" >&2; echo " Downloaded one" >&2
    [ $LACKS != later ] || { echo "  cause: tcp connect error" >&2; exit 1; }
    [ $LACKS != match ] || { echo "error: Failed to download one" >&2; exit 1; }
    echo "Installed 1 package in 1ms" >&2; echo "Installed 3 packages in 5ms" >&2 ;;
  *) echo "ran $*" ;;
esac
"""


def make(tmp_path, lacks, target="run", python="./python"):
    shutil.copy(ROOT / "Makefile", tmp_path)
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements", dirs_exist_ok=True)
    (tmp_path / "python").write_text(PYTHON)
    (tmp_path / "python").chmod(0o755)
    return subprocess.run(
        ["make", target, "PYTHON=" + python],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "LACKS": lacks},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )


@pytest.mark.skipif(not shutil.which("make"), reason="there is no make")
@pytest.mark.parametrize(
    "target, lacks, said",
    [
        ("run", "python", "Roundhouse needs Python 3.11 or newer, and there is no nopython; set "),
        ("run", "age", "Roundhouse needs Python 3.11"),
        ("run", "venv", "Python lacks its venv module: apt install python3-venv (Debian, Ubuntu)"),
        ("run", "network", "setting up needs the network once: the packages could not be fetched"),
        ("run", "hash", "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES"),
        (".venv/tests", "later", "setting up needs the network once: the packages could not be"),
        (".venv/tests", "match", "error: Failed to download one"),
    ],
)
def test_what_hinders_a_set_up_is_one_line(tmp_path, target, lacks, said):
    done = make(tmp_path, lacks, target, "nopython" if lacks == "python" else "./python")
    assert done.returncode
    lines = (done.stdout + done.stderr).splitlines()
    progress = ("setting up .venv, once", "setting up what", "Downloading one", "make: ***")
    (line,) = [line for line in lines if not line.startswith(progress)]
    assert line.startswith(said)
    assert not (tmp_path / ".venv" / ("installed" if target == "run" else "tests")).exists()


@pytest.mark.skipif(not shutil.which("make"), reason="there is no make")
def test_a_set_up_shows_how_far_it_is_and_runs_the_demo(tmp_path):
    done = make(tmp_path, "nothing")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[1:] == ["ran -m host_sim demo"]
    again = make(tmp_path, "network")
    assert again.stdout == "ran -m host_sim demo\n", "what is there is not fetched again"
    done = make(tmp_path, "nothing", ".venv/tests")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[2:] == ["Downloading one (5.1MiB)", "Installed 3 packages"]


# ---- MicroPython's image ----

SAYS = """#!/bin/sh
case "${0##*/}" in
  debian-mirror.sh) [ "$MIRROR" ] || { echo "no Debian mirror in /etc/apt" >&2; exit 1; }
    echo "$MIRROR" ;;
  id) echo 1000 ;;
  apt-get) echo "0 upgraded, 59 newly installed, 0 to remove"
    echo "Need to get 639 MB of archives."
    echo "After this operation, 3,632 MB of additional disk space will be used." ;;
esac
"""


@pytest.mark.parametrize("mirror", ["", "http://deb.example/debian"])
def test_what_micropython_needs_comes_before_anything_is_fetched(tmp_path, mirror):
    """The build says what MicroPython needs before it fetches anything.

    mirror: the Debian mirror of the system, or "" for a system without one, such as Ubuntu
    """
    pico = ("host_sim/board/pico/build-firmware.sh", "host_sim/board/pico/neopixel.py")
    for path in (*pico, "hardware/debian-mirror.sh"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    (tmp_path / "bin").mkdir()
    stands_in = [tmp_path / "bin" / name for name in ("id", "apt-get", "dpkg-query")]
    for path in (*stands_in, tmp_path / "hardware" / "debian-mirror.sh"):
        path.write_text(SAYS)
        path.chmod(0o755)
    done = subprocess.run(
        [tmp_path / "host_sim" / "board" / "pico" / "build-firmware.sh", tmp_path / "out"],
        env={"PATH": "%s:%s" % (tmp_path / "bin", os.environ["PATH"]), "MIRROR": mirror},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    said = done.stdout + done.stderr
    assert "or --image FILE" in said and "make pico UF2=FILE" in said
    if mirror:
        assert "It needs, as root: apt install gcc-arm-none-eabi" in said
        assert "59 newly installed" in said and "639 MB" in said and "3,632 MB" in said
    else:
        assert said.startswith("MicroPython cannot be built here: no Debian mirror in /etc/apt")
    assert not list((tmp_path / "out").iterdir())


def test_the_build_of_micropython_stops_where_its_sources_are_others(tmp_path):
    script = (ROOT / "host_sim/board/pico/build-firmware.sh").read_text()
    change = re.search(r"^change\(\) \{.*?^\}", script, re.M | re.S)[0]
    changes = re.findall(r"^  change .*", script, re.M)
    (tmp_path / "here").write_text("WORDS 11\n")

    def run(words):
        command = "set -eu\n%s\n%s\necho went on" % (change, words)
        done = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True
        )
        return done.stdout, done.stderr

    assert run("change here '(WORDS )11' '\\140'") == ("went on\n", "")
    assert (tmp_path / "here").read_text() == "WORDS 40\n"
    assert run("change here '(WORDS )11' '\\140'") == ("", "here has no (WORDS )11\n")
    assert len(changes) == 3
    assert "PICO_STACK_SIZE=%#x" % benchmark_rounds.STACK_SIZE in script, "`make bench` reads it"


def test_a_copied_build_of_micropython_is_named_and_freezes_nothing(tmp_path):
    """Its files name the folder they were made in: it would freeze the modules of that folder."""
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "manifest.py").write_text('freeze("/elsewhere/tree/frozen", opt=3)\n')
    script = ROOT / "host_sim" / "board" / "pico" / "build-firmware.sh"
    done = subprocess.run(
        ["bash", script, tmp_path, tmp_path, tmp_path / "made.bin"], capture_output=True, text=True
    )
    said = "%s was built in another folder: run make micropython\n" % tmp_path.resolve()
    assert (done.returncode, done.stderr) == (1, said)
    assert not (tree / "frozen").exists()


def test_make_uses_nothing_that_only_gnu_tools_know():
    """The Makefile uses nothing that macOS's GNU make 3.81 and BSD tools lack."""
    text = (ROOT / "Makefile").read_text()
    assert not re.search(r"\bsed\b[^\n]*\\t|\bgrep -[a-zA-Z]*P|readlink -f|date -d|xargs -r", text)
    newer = r"\$\((file|let|intcmp|guile) |!=|::=|^define \w+ [:+]?=|\.ONESHELL|&:"
    assert not re.search(newer, text, re.M)
