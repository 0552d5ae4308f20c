# SPDX-License-Identifier: MIT
"""Everything that is installed is locked, and a failing set-up is explained in one plain line."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from host_sim.pico import node

ROOT = Path(__file__).resolve().parent.parent
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
PINNED = re.compile(
    r"[a-z0-9][a-z0-9.-]*==[\w.+]+( ; [^\\]+)?( \\\n    --hash=sha256:[0-9a-f]{64})+"
)


def locked(path):
    """Return [(package, the lock's text about it), ...]. A package may occur several times, with a
    version for each version of Python."""
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
    """A package in two locks has the same version in both. Otherwise installing from the second
    lock would replace the version that the first one installed."""
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

# Stands in for Python, and is its own virtual environment: says what a bare machine's would.
PYTHON = """#!/bin/sh
case "$*" in
  *version_info*) [ $LACKS != age ] || { echo "Roundhouse needs Python 3.11" >&2; exit 1; } ;;
  *ensurepip*) [ $LACKS != venv ] ;;
  "-m venv .venv") mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
  *"pip install"*)
    echo "Collecting one==1.0"; echo "  Downloading one-1.0.whl (5 kB)"
    [ $LACKS != network ] || { echo "Temporary failure in name resolution" >&2; exit 1; }
    [ $LACKS != hash ] || { echo "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES" >&2; exit 1; }
    echo "Installing collected packages: one" ;;
  *) echo "ran $*" ;;
esac
"""


def make(tmp_path, lacks, python="./python"):
    shutil.copy(ROOT / "Makefile", tmp_path)
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements", dirs_exist_ok=True)
    (tmp_path / "python").write_text(PYTHON)
    (tmp_path / "python").chmod(0o755)
    return subprocess.run(
        ["make", "run", "PYTHON=" + python],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "LACKS": lacks},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )


@pytest.mark.skipif(not shutil.which("make"), reason="there is no make")
@pytest.mark.parametrize(
    "lacks, said",
    [
        ("python", "Roundhouse needs Python 3.11 or newer, and there is no nopython; set PYTHON="),
        ("age", "Roundhouse needs Python 3.11"),
        ("venv", "Python lacks its venv module: apt install python3-venv (Debian, Ubuntu)"),
        ("network", "setting up needs the network once: the packages could not be fetched"),
        ("hash", "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES"),
    ],
)
def test_what_hinders_a_set_up_is_one_line(tmp_path, lacks, said):
    done = make(tmp_path, lacks, "nopython" if lacks == "python" else "./python")
    assert done.returncode
    lines = (done.stdout + done.stderr).splitlines()
    progress = ("setting up .venv, once", "Downloading one", "make: ***")
    (line,) = [line for line in lines if not line.startswith(progress)]
    assert line.startswith(said)
    assert not (tmp_path / ".venv" / "installed").exists()


@pytest.mark.skipif(not shutil.which("make"), reason="there is no make")
def test_a_set_up_shows_how_far_it_is_and_runs_the_demo(tmp_path):
    done = make(tmp_path, "nothing")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[1:] == [
        "Downloading one-1.0.whl (5 kB)",
        "Installing collected packages",
        "ran -m host_sim demo",
    ]
    again = make(tmp_path, "network")
    assert again.stdout == "ran -m host_sim demo\n", "what is there is not fetched again"


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
    """The cases are Ubuntu, and a bare Debian without root's rights."""
    pico = ("host_sim/pico/build-firmware.sh", "host_sim/pico/neopixel.py")
    for path in (*pico, "hardware/debian-mirror.sh"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    (tmp_path / "bin").mkdir()
    stands_in = [tmp_path / "bin" / name for name in ("id", "apt-get", "dpkg-query")]
    for path in (*stands_in, tmp_path / "hardware" / "debian-mirror.sh"):
        path.write_text(SAYS)
        path.chmod(0o755)
    done = subprocess.run(
        [tmp_path / "host_sim" / "pico" / "build-firmware.sh", tmp_path / "out"],
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


def test_make_uses_nothing_that_only_gnu_tools_know():
    """macOS has GNU make 3.81, and the BSD versions of sed, grep and date."""
    text = (ROOT / "Makefile").read_text()
    assert not re.search(r"\bsed\b[^\n]*\\t|\bgrep -[a-zA-Z]*P|readlink -f|date -d|xargs -r", text)
    newer = r"\$\((file|let|intcmp|guile) |!=|::=|^define \w+ [:+]?=|\.ONESHELL|&:"
    assert not re.search(newer, text, re.M)
