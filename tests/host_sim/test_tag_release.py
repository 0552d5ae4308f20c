# SPDX-License-Identifier: MIT
"""`make tag` tags a clean commit, once, with the newest version in the changelog."""

import pytest

from host_sim.maker import CommandError, release_folder, tag_release
from roundhouse import VERSION

PROJECT = '[project]\nname = "x"\n\n[project.urls]\nHomepage = "https://example.com/x"\n'
CHANGES = "# Changes\n\n## 1.2.3\n\nFor players:\n\n- A lamp.\n\n## 1.2.2\n\n- Older.\n"


def git(folder, *words):
    author = ("-c", "user.name=A", "-c", "user.email=a@example.com")
    return release_folder.git(folder, *author, *words).strip()


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv("GIT_%s_NAME" % who, "A")
        monkeypatch.setenv("GIT_%s_EMAIL" % who, "a@example.com")
    git(tmp_path, "init", "-q")
    (tmp_path / "CHANGELOG.md").write_text(CHANGES)
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "all: Begin.")
    return tmp_path


def test_the_newest_version_is_tagged_with_its_changes(checkout):
    assert tag_release.tag(checkout, "1.2.3") == "v1.2.3"
    assert git(checkout, "rev-parse", "v1.2.3^{commit}") == git(checkout, "rev-parse", "HEAD")
    text = git(checkout, "tag", "-l", "--format=%(contents)", "v1.2.3")
    assert text.startswith("v1.2.3") and text.endswith("- A lamp.") and "Older" not in text


@pytest.mark.parametrize(
    "change, version, why",
    [
        (lambda text: text, "1.2.4", "names 1.2.3 first, the firmware is 1.2.4"),
        (lambda text: text.replace("1.2.3", "1.2.3, not released yet"), "1.2.3", "is marked as"),
        (lambda text: "# Changes\n", "1.2.3", "no section for a version"),
        (lambda text: text + "\n- More.\n", "1.2.3", "not committed"),
    ],
)
def test_what_is_in_the_way_is_named(checkout, change, version, why):
    (checkout / "CHANGELOG.md").write_text(change(CHANGES))
    with pytest.raises(CommandError, match=why):
        tag_release.tag(checkout, version)
    assert not git(checkout, "tag")


def test_the_changelog_names_the_firmwares_version():
    named, _, text = tag_release.newest_section((tag_release.ROOT / "CHANGELOG.md").read_text())
    assert named == VERSION and "For makers:" in text


def test_a_version_is_tagged_once(checkout):
    tag_release.tag(checkout, "1.2.3")
    with pytest.raises(CommandError, match="already exists"):
        tag_release.tag(checkout, "1.2.3")


def test_a_checkout_of_another_user_is_tagged_if_git_may_work_there(checkout, monkeypatch):
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(CommandError, match=r"(?s)dubious ownership.*--add safe\.directory"):
        tag_release.tag(checkout, "1.2.3")
    assert release_folder.describe_source(checkout) == "a checkout whose commit git does not tell"
    git(checkout, "config", "--global", "--add", "safe.directory", str(checkout))
    assert tag_release.tag(checkout, "1.2.3") == "v1.2.3"
    assert release_folder.describe_source(checkout).startswith("commit ")


def test_all_that_is_missing_is_said_at_once(checkout):
    (checkout / "CHANGELOG.md").write_text(CHANGES.replace("1.2.3", "1.2.3 (not released yet)"))
    (checkout / "pyproject.toml").write_text('[project]\nname = "x"\n')
    with pytest.raises(CommandError) as error:
        tag_release.tag(checkout, "1.2.4")
    said = str(error.value).splitlines()
    assert len(said) == 4 and "[project.urls]" in said[2]
