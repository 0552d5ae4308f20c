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

from host_sim.maker import release_folder

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Return the package, built from all files that git does not ignore."""
    folder = tmp_path_factory.mktemp("wheel")
    files = release_folder.git(ROOT, "ls-files", "-co", "--exclude-standard").splitlines()
    for name in files:
        packed = name.startswith(("firmware/", "host_sim/", "requirements/")) or "/" not in name
        if packed and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())
    pip(folder, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", "out", ".")
    (found,) = (folder / "out").glob("roundhouse-*.whl")
    return found


def pip(folder, *words):
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", *words],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


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


def test_every_file_of_a_checkout_is_there(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    files = release_folder.git(ROOT, "ls-files", "host_sim", "firmware").splitlines()
    wanted = {name.replace("firmware/", "host_sim/_firmware/", 1) for name in files}
    documents = {name for name in wanted if name.endswith((".md", ".svg"))}
    assert wanted - documents <= names


def test_the_table_and_the_demo_need_no_checkout(installed, tmp_path):
    done = command(installed, tmp_path, "demo", "--rounds", "1")
    assert done.returncode == 0 and "winner: " in done.stdout, done.stdout + done.stderr
    assert "roundhouse COMMAND" in command(installed, tmp_path).stdout
    guide = command(installed, tmp_path, "guide", "--house", "classic", "-o", "guide.html")
    assert guide.returncode == 0 and (tmp_path / "guide.html").exists(), guide.stderr


def test_what_needs_a_checkout_says_so(installed, tmp_path):
    done = command(installed, tmp_path, "site")
    assert done.returncode and "a checkout of the project can set it up" in done.stderr
