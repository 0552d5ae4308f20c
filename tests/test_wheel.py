# SPDX-License-Identifier: MIT
"""The simulator as a package works without a checkout."""

import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.slow


def ran(folder, *words, **environment):
    """Run a program in a folder, and return what it prints."""
    done = subprocess.run(
        words, cwd=folder, env=os.environ | environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def git(folder, *words):
    return ran(folder, "git", *words).splitlines()


def pip(folder, *words):
    ran(
        folder,
        *(sys.executable, "-m", "pip", "--disable-pip-version-check", *words),
        PYTHONWARNINGS="error::UserWarning",  # as setuptools' warnings are
    )


def files(folder):
    """Return the names of all files in a checkout that git does not ignore."""
    names = git(folder, "ls-files", "-co", "--exclude-standard")
    return {name for name in names if (folder / name).is_file()}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """Return a copy of the checkout, with what an earlier build has left."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in files(ROOT):
        if name.startswith(("firmware/", "host_sim/", "requirements/")) or "/" not in name:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())
    git(folder, "init", "-q")
    git(folder, "add", ".")
    older = folder / "build/lib/host_sim/commands/older.py"
    older.parent.mkdir(parents=True)
    older.touch()
    return folder


@pytest.fixture(scope="module")
def wheel(checkout, tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    pip(checkout, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", folder, ".")
    (found,) = folder.glob("roundhouse-*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel):
    """Return a folder in which the package is installed; the packages that it needs come from
    .venv."""
    folder = wheel.parent / "installed"
    pip(wheel.parent, "install", "--no-deps", "--no-index", "--target", folder, wheel)
    return folder


def command(installed, home, *words):
    """Run the installed command `roundhouse` without a checkout; return the completed process."""
    environment = {
        "HOME": str(home),
        "PATH": os.defpath,
        "PYTHONPATH": os.pathsep.join((str(installed), sysconfig.get_path("purelib"))),
    }
    return subprocess.run(
        [sys.executable, installed / "bin" / "roundhouse", *words],
        cwd=home,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_one_package_is_installed(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (about,) = (archive.read(name).decode() for name in names if name.endswith("/METADATA"))
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"host_sim"}
    assert not [name for name in names if "node_modules" in name or name.endswith(".pyc")]
    locked = re.findall(
        r"^([\w.-]+==[\w.]+)", (ROOT / "requirements" / "run.txt").read_text(), re.M
    )
    assert set(re.findall(r"^Requires-Dist: ([\w.-]+==[\w.]+)", about, re.M)) == set(locked)


def test_a_checkouts_files_and_no_others_are_there(checkout, wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if name.startswith("host_sim/")}
    there = {re.sub("^firmware/", "host_sim/_firmware/", name) for name in files(checkout)}
    assert names == {name for name in there if name.startswith("host_sim/")}


def test_packing_leaves_nothing_to_commit(checkout, wheel):
    left = git(checkout, "ls-files", "-o", "--exclude-standard")
    assert not left, "`make tag` takes it for work"


def test_the_table_and_the_demo_need_no_checkout(installed, tmp_path):
    done = command(installed, tmp_path, "demo", "--rounds", "1")
    assert done.returncode == 0 and "winner: " in done.stdout, done.stdout + done.stderr
    assert "roundhouse COMMAND" in command(installed, tmp_path).stdout
    guide = command(installed, tmp_path, "guide", "--house", "classic", "-o", "guide.html")
    assert guide.returncode == 0 and (tmp_path / "guide.html").exists(), guide.stderr


def test_what_needs_a_checkout_says_so(installed, tmp_path):
    done = command(installed, tmp_path, "site")
    assert done.returncode and "a checkout of the project can set it up" in done.stderr
