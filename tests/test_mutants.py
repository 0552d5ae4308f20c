# SPDX-License-Identifier: MIT
"""What `make mutate` changes, what it counts, and that it says what no test sees."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("cosmic_ray", reason="cosmic-ray is not installed: `make test` does it")

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


def test_a_test_that_is_missing_is_said(monkeypatch, capsys):
    mutant = next(mutants.mutants([mutants.SOURCES / "games" / "masks.py"], 1))
    monkeypatch.setattr(mutants, "mutants", lambda paths, seed: iter([mutant] * 20))
    monkeypatch.setattr(sys, "argv", ["mutants.py"])
    answers = iter(["test_it"] * 19 + [""])
    monkeypatch.setattr(mutants, "seen", lambda mutant, reach, sound: next(answers))
    assert not mutants.main()
    said = capsys.readouterr().out
    assert said.startswith(str(mutant) + "\nseen 19 of 20, seed 1, ")
    answers = iter(["test_it"] * 18 + ["", ""])
    assert mutants.main(), "fewer than 95 of 100"


def test_mutants_of_a_small_module_are_seen():
    command = [sys.executable, str(Path(mutants.__file__)), "--only", "masks", "--number", "3"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.stdout.startswith("seen 3 of 3, seed 1, "), ended.stdout + ended.stderr
    assert not ended.returncode
