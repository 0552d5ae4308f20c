# SPDX-License-Identifier: MIT
"""What a command is given and cannot use: one sentence that names it, and status 2."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from host_sim import arguments
from host_sim.__main__ import found, main

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = "tests/scripts/rules/G3-jassshop-on-the-double-only.table"
FULL = Path("/dev/full")

# FILE, FOLDER and NONE stand for a file, a folder, and what is not there; BELOW for a name below
# the file. The words stand in the sentence.
TABLE = [
    ("play --folder FILE", "name another folder"),
    ("play --folder BELOW", "name another folder"),
    ("play --at 99999", "0 to 65535"),
    ("play --at -1", "0 to 65535"),
    ("play --seed -1", "0 or more"),
    ("play --house monopoly", "monopoly"),
    ("play --set 7", "7"),
    ("play --lang xx", "xx"),
    ("type --journal FILE", "name another folder"),
    ("type --journal BELOW", "name another folder"),
    ("type --house monopoly", "monopoly"),
    ("site FILE", "name another folder"),
    ("site BELOW", "name another folder"),
    ("release FILE", "name another folder"),
    ("release BELOW", "name another folder"),
    ("uf2 NONE/x", "there is no folder"),
    ("uf2 FOLDER", "is a folder"),
    ("uf2 BELOW", "name another folder"),
    ("guide -o NONE/x", "there is no folder"),
    ("guide -o FOLDER", "is a folder"),
    ("guide -o BELOW", "name another folder"),
    ("guide --language xx", "xx"),
    ("guide --house monopoly", "monopoly"),
    ("picture -o NONE/x.svg", "there is no folder"),
    ("picture -o FOLDER", "is a folder"),
    ("picture -o x.jpg", ".svg or .png"),
    ("picture NONE", "no such file"),
    ("picture FOLDER", "is a folder"),
    ("picture BINARY -o FOLDER/x.svg", "BINARY"),
    ("emulate NONE", "no such file"),
    ("emulate FOLDER", "is a folder"),
    ("emulate --wiring none", "none"),
    ("script NONE", "no such file"),
    ("script FOLDER", "is a folder"),
    ("script BELOW", "a file of that name"),
    ("script BINARY", "BINARY"),
    ("script --on moon FILE", "moon"),
    ("replay NONE --no-browser", "NONE"),
    ("replay FOLDER --no-browser", "FOLDER"),
    ("replay FILE --no-browser", "FILE"),
    ("replay FILE --at 99999", "0 to 65535"),
    ("position NONE", "no such file"),
    ("position FOLDER", "is a folder"),
    ("position BINARY", "BINARY"),
    ("position FILE", "FILE"),
    ("export NONE/x", "there is no folder"),
    ("export FOLDER", "is a folder"),
    ("fuzz --cases -5", "1 or more"),
    ("fuzz --cases 0", "1 or more"),
    ("fuzz --cases many", "whole number"),
    ("fuzz --seed -1", "0 or more"),
    ("soak --hours -1", "above 0"),
    ("soak --hours 0", "above 0"),
    ("soak --hours nan", "above 0"),
    ("soak --hours inf", "above 0"),
    ("soak --hours long", "above 0"),
    ("soak --matches 0", "1 or more"),
    ("soak --matches -1", "1 or more"),
    ("soak --slips 0", "1 or more"),
    ("soak --seed 1.5", "whole number"),
    ("demo --rounds -1", "1 or more"),
    ("demo --rounds 0", "1 or more"),
    ("demo --players 1", "2 to 10"),
    ("demo --players 11", "2 to 10"),
    ("demo --house monopoly", "monopoly"),
    ("selfplay --games -3", "1 or more"),
    ("selfplay --games 0", "1 or more"),
    ("selfplay --players 0", "2 to 10"),
    ("selfplay --house free", "free"),
    ("tags --slot 11", "one of E 1 2"),
    ("tags --set 7", "7"),
    ("watch --names 11=Ana --plain", "1 to 10"),
    ("watch --at 99999", "0 to 65535"),
    ("houses monopoly", "monopoly"),
    ("bench --rows", "--rows"),
    ("pico --rows", "--rows"),
    ("flash --rows", "--rows"),
    ("selftest --rows", "--rows"),
    ("tag", "text"),
    ("checkers", "checkers"),
]


@pytest.fixture
def named(tmp_path):
    """What stands for the words of TABLE."""
    (tmp_path / "FILE").write_text("a poem\n")
    (tmp_path / "BINARY").write_bytes(b"\xff\xfe\x00press")
    (tmp_path / "FOLDER").mkdir()
    words = {name: str(tmp_path / name) for name in ("FILE", "BINARY", "FOLDER", "NONE")}
    return {**words, "BELOW": str(tmp_path / "FILE" / "x")}


def filled(line, named):
    """Return a line of TABLE as it is typed."""
    done = []
    for word in line.split():
        first, slash, rest = word.partition("/")
        done.append(named.get(first, first) + slash + rest)
    return done


def ends(argv):
    """Return the status with which a command ends."""
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


def test_the_table_has_every_command():
    tried = {line.split()[0] for line, _ in TABLE}
    assert set(found()) <= tried


def test_arguments_that_can_be_used(tmp_path):
    assert arguments.whole(1, 5)("5") == 5 and arguments.port("0") == 0
    assert arguments.hours("0.5") == 0.5
    assert arguments.slot("e") == "E" and arguments.slot("10") == "10"
    assert arguments.read_file("-") == "-"
    new = str(tmp_path / "new")
    assert arguments.written_file(new) == arguments.written_folder(new) == new
    assert arguments.folder(new + "/a/b") == new + "/a/b"
    assert not Path(new).exists(), "only looked at"


@pytest.mark.parametrize("kind", ["read_file", "written_file", "folder", "written_folder"])
def test_what_cannot_be_a_path(kind):
    for text in ("", "a\0b", "x" * 5000):
        with pytest.raises(arguments.argparse.ArgumentTypeError) as wrong:
            getattr(arguments, kind)(text)
        assert len(str(wrong.value)) < 400 and str(wrong.value).isprintable()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EMFILE, 5])
def test_what_goes_wrong_later(number, monkeypatch, capsys):
    def run(args):
        raise OSError(number, os.strerror(number), "hub.svg")

    monkeypatch.setattr(found()["houses"], "run", run)
    assert main(["houses"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("houses: hub.svg: ") and len(err.splitlines()) == 1


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
