# SPDX-License-Identifier: MIT
"""Tag the checked-out commit with the newest version in CHANGELOG.md."""

import re
import sys
from pathlib import Path

from host_sim.maker import CommandError, release_folder
from roundhouse import VERSION

ROOT = Path(__file__).resolve().parents[2]
UNRELEASED = "not released yet"  # follows the version until its release


def newest_section(changelog: str) -> tuple[str, str, str]:
    """Return (version, the rest of the heading, text) for the newest version in a changelog. All
    three are "" if the changelog has no version."""
    found = re.search(r"^## (\d+\.\d+\.\d+)(.*)\n((?:(?!## ).*\n?)*)", changelog, re.M)
    return (found[1], found[2], found[3].strip()) if found else ("", "", "")


def lacking(root: Path, version: str) -> list[str]:
    """Return the reasons why a checkout cannot be tagged as a version, as a list of texts; [] if
    the checkout can be tagged."""
    named, marked, _ = newest_section((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    found = []
    if not named:
        found.append("CHANGELOG.md has no section for a version: `## 1.2.3`")
    elif named != version:
        found.append("CHANGELOG.md names %s first, the firmware is %s" % (named, version))
    if UNRELEASED in marked:
        found.append("CHANGELOG.md: %s is marked as %r; remove that" % (named, UNRELEASED))
    if not release_folder.address(root):
        found.append(
            "pyproject.toml does not say where the project is: [project.urls] with "
            'Homepage = "https://..."'
        )
    if release_folder.git(root, "status", "--porcelain"):
        found.append("some changes are not committed: commit them first")
    return found


def tag(root: Path = ROOT, version: str = VERSION) -> str:
    """Make an annotated git tag such as `v1.2.3`, and return the tag's name.

    Raises CommandError with everything that `lacking` returns, or with git's reason: for example,
    the tag exists.
    """
    if found := lacking(root, version):
        raise CommandError("\n".join(found))
    _, _, text = newest_section((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    name = "v" + version
    words = ("--annotate", "--cleanup=verbatim", "-m", "%s\n\n%s" % (name, text))
    release_folder.git(root, "tag", *words, name)
    return name


if __name__ == "__main__":
    try:
        print("tagged %s; push it with: git push origin %s" % ((tag(),) * 2))
    except CommandError as error:
        sys.exit(str(error))
