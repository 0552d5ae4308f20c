# SPDX-License-Identifier: MIT
"""The address of the mirror of Debian's packages is read from every form of apt's sources."""

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "hardware" / "debian-mirror.sh"
HERE = "http://mirror.example/debian"


@pytest.mark.parametrize(
    "file, text, found",
    [
        ("sources.list.d/debian.sources", "Types: deb\nURIs: %s\nSuites: trixie\n", True),
        ("sources.list", "# deb http://no.example/debian x\ndeb %s bookworm main\n", True),
        ("sources.list", "deb [arch=arm64 signed-by=/k.gpg] %s bookworm main\n", True),
        ("sources.list.d/ubuntu.sources", "URIs: http://other.example/ubuntu\n", False),
        ("sources.list", "", False),
    ],
)
def test_the_mirror_is_found_or_one_line_says_why_not(tmp_path, file, text, found):
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text % HERE if "%s" in text else text)
    done = subprocess.run([SCRIPT, tmp_path], capture_output=True, text=True)
    assert done.stdout == (HERE + "\n" if found else "")
    assert (done.returncode == 0) == found
    assert found or "needs Debian's own packages" in done.stderr
    assert len(done.stderr.splitlines()) == (not found)
