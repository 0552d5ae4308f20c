# SPDX-License-Identifier: MIT
"""Tag the commit that is checked out with the version that CHANGELOG.md names first."""

import re
import subprocess
import sys
from pathlib import Path

from host_sim.flashing import UserError
from roundhouse import VERSION

ROOT = Path(__file__).resolve().parents[2]
UNRELEASED = "not released yet"  # stands beside the version until the day of its release


def newest(changes):
    """Return (version, what changed) of the first section of a changelog's text.

    Raises UserError where there is none, or where it is marked as UNRELEASED.
    """
    found = re.search(r"^## (\d+\.\d+\.\d+)(.*)\n((?:(?!## ).*\n?)*)", changes, re.M)
    if not found:
        raise UserError("CHANGELOG.md has no section for a version: `## 1.2.3`")
    version, marked, text = found.groups()
    if UNRELEASED in marked:
        raise UserError("CHANGELOG.md: %s is marked as %r; take that away" % (version, UNRELEASED))
    return version, text.strip()


def tag(root=ROOT, version=VERSION):
    """Make an annotated tag `v1.2.3`; return its name.

    Raises UserError where versions differ, something is not committed, or the tag exists.
    """

    def git(*words):
        return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True)

    named, text = newest((root / "CHANGELOG.md").read_text())
    if named != version:
        raise UserError("CHANGELOG.md names %s first, the firmware is %s" % (named, version))
    if git("status", "--porcelain").stdout:
        raise UserError("there are changes that are not committed")
    name = "v" + version
    done = git("tag", "--annotate", "--cleanup=verbatim", "-m", "%s\n\n%s" % (name, text), name)
    if done.returncode:
        raise UserError(done.stderr.strip())
    return name


if __name__ == "__main__":
    try:
        print("tagged %s; push it with: git push origin %s" % ((tag(),) * 2))
    except UserError as trouble:
        sys.exit(str(trouble))
