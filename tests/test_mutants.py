# SPDX-License-Identifier: MIT
"""What `make mutate` changes, what it counts, and that it says what no test sees."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("cosmic_ray", reason="cosmic-ray is not installed: `make test` does it")

import coverage_map  # noqa: E402
import mutants  # noqa: E402

MODULE = '''"""Count 3."""

def count(a):
    """Return 4."""
    a = a + 1
    # 5
    return a
'''


def test_what_is_changed():
    lines = set()
    for ways in mutants.places(MODULE).values():
        for way in ways:
            old, new = MODULE.splitlines(), mutants.changed(MODULE, way).splitlines()
            assert [a == b for a, b in zip(old, new)].count(False) == 1
            lines.update(line.replace(" ", "") for line in set(new) - set(old))
    assert {"pass", "a=a-1", "a=a+2", "a=a+0"} <= lines
    assert not [line for line in lines if "Count" in line or "Return" in line or "#" in line]


def test_what_changes_nothing_is_not_counted():
    before = mutants.compiled(MODULE)
    assert mutants.compiled(MODULE.replace("Return 4", "Return 5").replace("# 5", "# 6")) == before
    assert mutants.compiled(MODULE.replace("# 5", "assert a, 'none'")) == before
    assert mutants.compiled(MODULE.replace("+", "-")) != before
    assert mutants.compiled(MODULE.replace("=", "= =")) is None


def drawn(seed):
    paths = [mutants.SOURCES / "games" / "masks.py"]
    return [str(mutant) for mutant in mutants.mutants(paths, seed)]


@pytest.mark.slow
def test_a_seed_draws_the_same_again():
    assert drawn(3) == drawn(3)
    assert drawn(3) != drawn(4)
    assert len(set(drawn(3))) == len(drawn(3)) > 30


def test_what_is_known_to_change_nothing_is_still_there():
    for line in mutants.EQUAL.read_text().splitlines():
        change, _, why = line.rpartition("  # ")
        path, _, change = change.partition(": ")
        before, _, after = change.partition(" -> ")
        assert before in (mutants.ROOT / path).read_text(), line
        assert after and why, line


TESTS = """
import pytest
from roundhouse.games import masks

def test_that_comes_there():
    assert masks.bits(5) == 2

def test_that_is_red():
    assert masks.bits(5) == 3

def test_that_does_not():
    pass

@pytest.mark.slow
def test_that_is_slow():
    masks.bits(7)
"""

ASKED = """
import pathlib, sys
import coverage_map
coverage_map.KEPT = pathlib.Path(sys.argv[1]).parent / "kept"
masks = coverage_map.FIRMWARE / "roundhouse" / "games" / "masks.py"
first = 1 + masks.read_text().splitlines().index("def bits(mask):")
for line in (first, first + 2):
    for known in (coverage_map.Reach(), coverage_map.Reach()):
        for slow in (False, True):
            there, others = known.to(masks, line, [pathlib.Path(sys.argv[1])], slow)
            names = [*sorted(there), "::", *sorted(others)]
            print(*[name.partition("::test_that_")[2] for name in names])
"""


@pytest.mark.slow
def test_who_comes_to_a_line(tmp_path):
    """A function's line is its own tests', a module's all those that load it; what was found is
    kept. A test that is red comes there, too."""
    file = tmp_path / "test_them.py"
    file.write_text(TESTS)
    paths = ":".join(str(mutants.ROOT / name) for name in ("firmware", "tests"))
    command = [sys.executable, "-c", ASKED, str(file)]
    asked = subprocess.run(command, env={"PYTHONPATH": paths}, capture_output=True, text=True)
    three = ["comes_there does_not is_red ", "is_slow "]
    two = ["comes_there is_red  does_not", "is_slow "]
    assert asked.stdout.splitlines() == three * 2 + two * 2, asked.stderr
    kept = (tmp_path / "kept" / "test_them.json").read_text()
    file.write_text(TESTS.replace("pass", "masks.bits(1)"))
    again = subprocess.run(command, env={"PYTHONPATH": paths}, capture_output=True, text=True)
    assert again.stdout.splitlines() == three * 4
    assert kept != (tmp_path / "kept" / "test_them.json").read_text()


@pytest.mark.slow
def test_a_test_that_is_missing_is_said(monkeypatch, capsys):
    mutant = next(mutants.mutants([mutants.SOURCES / "games" / "masks.py"], 1))
    monkeypatch.setattr(mutants, "mutants", lambda paths, seed: iter([mutant] * 20))
    monkeypatch.setattr(sys, "argv", ["mutants.py"])
    answers = iter([("test_it", False)] * 18 + [("test_slowly", True), ("", False)])
    monkeypatch.setattr(mutants, "seen", lambda mutant, reach, sound: next(answers))
    assert not mutants.main()
    said = capsys.readouterr().out
    late = "%s\n  seen by `make check` alone: test_slowly\n" % mutant
    assert said.startswith("%s%s\nseen 19 of 20, 1 by slow tests alone, seed 1, " % (late, mutant))
    answers = iter([("test_it", False)] * 18 + [("", False)] * 2)
    assert mutants.main(), "fewer than 95 of 100"


@pytest.mark.slow
def test_mutants_of_a_small_module_are_seen():
    command = [sys.executable, str(Path(mutants.__file__)), "--only", "masks", "--number", "3"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.stdout.startswith("seen 3 of 3, 0 by slow tests alone, seed 1, "), (
        ended.stdout + ended.stderr
    )
    assert not ended.returncode


@pytest.mark.slow
def test_a_file_of_which_no_test_runs_is_named(tmp_path):
    (tmp_path / "test_none.py").write_text("")
    with pytest.raises(SystemExit, match="no test of .*test_none.py runs"):
        coverage_map._found(tmp_path / "test_none.py", False, coverage_map.Blocks())
