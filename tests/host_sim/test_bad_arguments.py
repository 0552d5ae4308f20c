# SPDX-License-Identifier: MIT
"""A command names an unusable argument in one sentence, and exits with status 2."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from mistakes import mistakes

from host_sim.__main__ import main
from host_sim.app.views.disk_errors import NUMBERS
from host_sim.command_line import arguments

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = "tests/scripts/rules/G3-jassshop-on-the-double-only.table"
FULL = Path("/dev/full")

TABLE = mistakes("command")


@pytest.fixture
def named(tmp_path):
    (tmp_path / "FILE").write_text("a poem\n")
    (tmp_path / "BINARY").write_bytes(b"\xff\xfe\x00press")
    (tmp_path / "FOLDER").mkdir()
    (tmp_path / "EMPTY").touch()
    os.mkfifo(tmp_path / "PIPE")
    names = ("FILE", "BINARY", "FOLDER", "NONE", "EMPTY", "PIPE")
    words = {name: str(tmp_path / name) for name in names}
    return {**words, "BELOW": str(tmp_path / "FILE" / "x")}


def filled(line, named):
    """Return a line of TABLE as typed words, with paths for its placeholders."""
    done = []
    for word in line.split():
        first, slash, rest = word.partition("/")
        done.append(named.get(first, first) + slash + rest)
    return done


@pytest.fixture(autouse=True)
def patience():
    """A command that is valid after all would play, watch or serve for ever."""

    def give_up(*_):
        pytest.fail("it began")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def ends(argv):
    try:
        return main(argv)
    except SystemExit as ended:
        return ended.code


@pytest.mark.parametrize("line, words", TABLE, ids=[line for line, _ in TABLE])
def test_one_sentence_and_status_two(line, words, named, capsys, tmp_path):
    before = sorted(tmp_path.rglob("*"))
    assert ends(filled(line, named)) == 2
    err = capsys.readouterr().err
    assert words in err.splitlines()[-1], err
    assert "Traceback" not in err
    assert sorted(tmp_path.rglob("*")) == before, "nothing was begun"


def test_arguments_that_can_be_used(tmp_path):
    assert arguments.whole_number(1, 5)("5") == 5 and arguments.port("0") == 0
    assert arguments.hours("0.5") == 0.5
    assert arguments.slot("e") == "E" and arguments.slot("10") == "10"
    assert arguments.readable_file("-") == "-"
    new = str(tmp_path / "new")
    assert arguments.writable_file(new) == arguments.writable_folder(new) == new
    assert arguments.folder(new + "/a/b") == new + "/a/b"
    assert not Path(new).exists(), "only looked at"


@pytest.mark.parametrize("kind", ["readable_file", "writable_file", "folder", "writable_folder"])
def test_what_cannot_be_a_path(kind):
    for text in ("", "a\0b", "x" * 5000):
        with pytest.raises(arguments.argparse.ArgumentTypeError) as wrong:
            getattr(arguments, kind)(text)
        assert len(str(wrong.value)) < 400 and str(wrong.value).isprintable()


def test_an_error_without_a_file_says_nothing_about_its_name():
    """Only the system's words are printed, or what is true of any output: no file is known."""
    known = {errno.ENOENT: "the folder in which this runs was removed"}
    for number in NUMBERS["full"]:
        known[number] = "what is written: the device is full"
    for number in NUMBERS["too_many"]:
        known[number] = "what is written: too many files are open"
    for number in errno.errorcode:
        words = os.strerror(number)
        text = arguments.os_error_text(OSError(number, words))
        assert text.startswith(known.get(number, "the system says: " + words)), number


def test_an_error_of_our_own_keeps_its_words():
    assert arguments.os_error_text(OSError("plug it in")) == "plug it in"
    assert arguments.os_error_text(FileNotFoundError("no node: make it")) == "no node: make it"


def test_an_empty_name_is_said():
    with pytest.raises(arguments.argparse.ArgumentTypeError, match="^an empty name: there is no"):
        arguments.folder("")


def called(line, **more):
    return subprocess.run(
        [sys.executable, "-m", "host_sim", *line.split()],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        **more,
    )


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("line", ["houses", "tag 12-7", "script " + SCRIPT])
def test_output_to_a_full_device(line):
    with FULL.open("w") as full:
        done = called(line, stdout=full)
    assert done.returncode == 2
    assert "the device is full" in done.stderr and len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
def test_a_file_on_a_full_device(capsys):
    assert ends(["guide", "-o", str(FULL)]) == 2
    assert "the device is full" in capsys.readouterr().err


@pytest.mark.slow
def test_an_encoding_that_lacks_a_character():
    env = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    done = called("demo", stdout=subprocess.PIPE, encoding="latin-1", env=env)
    assert (done.returncode, done.stderr) == (0, "")
    assert "winner" in done.stdout or "points" in done.stdout


def test_a_pipe_that_is_closed():
    ours, pipe = os.pipe()
    os.close(ours)
    with os.fdopen(pipe, "w") as out:
        done = called("houses", stdout=out)
    assert (done.returncode, done.stderr) == (0, "")


def test_no_output_at_all():
    done = subprocess.run(
        "exec %s -m host_sim houses >&- 2>&-" % sys.executable, shell=True, cwd=ROOT
    )
    assert done.returncode == 0


def test_hardware(capsys):
    for words, said in (("housing --stations 99", "99"), ("castle", "castle")):
        done = subprocess.run(
            [sys.executable, "-m", "hardware", *words.split()],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 2 and said in done.stderr.splitlines()[-1]
