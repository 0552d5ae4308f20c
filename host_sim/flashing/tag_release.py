# SPDX-License-Identifier: MIT
"""Tag the checked-out commit with the newest version in CHANGELOG.md."""

import re
import subprocess
import sys
from pathlib import Path

from host_sim.flashing import CommandError
from roundhouse import VERSION

ROOT = Path(__file__).resolve().parents[2]
UNRELEASED = "not released yet"  # follows the version until its release


def newest_section(changelog: str) -> tuple[str, str]:
    """Return (version, text) of the first section in a changelog.

    Raises CommandError if there is no section, or if the first section is marked as UNRELEASED.
    """
    found = re.search(r"^## (\d+\.\d+\.\d+)(.*)\n((?:(?!## ).*\n?)*)", changelog, re.M)
    if not found:
        raise CommandError("CHANGELOG.md has no section for a version: `## 1.2.3`")
    version, marked, text = found.groups()
    if UNRELEASED in marked:
        raise CommandError("CHANGELOG.md: %s is marked as %r; remove that" % (version, UNRELEASED))
    return version, text.strip()


def tag(root: Path = ROOT, version: str = VERSION) -> str:
    """Make an annotated git tag such as `v1.2.3`, and return the tag's name.

    Raises CommandError if the changelog's version is not `version`, if a change is not committed,
    or if the tag exists.
    """

    def git(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True)

    named, text = newest_section((root / "CHANGELOG.md").read_text())
    if named != version:
        raise CommandError("CHANGELOG.md names %s first, the firmware is %s" % (named, version))
    if git("status", "--porcelain").stdout:
        raise CommandError("some changes are not committed: commit them first")
    name = "v" + version
    done = git("tag", "--annotate", "--cleanup=verbatim", "-m", "%s\n\n%s" % (name, text), name)
    if done.returncode:
        raise CommandError(done.stderr.strip())
    return name


if __name__ == "__main__":
    try:
        print("tagged %s; push it with: git push origin %s" % ((tag(),) * 2))
    except CommandError as error:
        sys.exit(str(error))
