# SPDX-License-Identifier: MIT
"""`make mutate` prints each mutant that no test notices, and counts the others."""

import sys

import pytest

pytest.importorskip("cosmic_ray", reason="cosmic-ray is not installed: `make test` does it")
pytest.importorskip("testmon", reason="pytest-testmon is not installed: `make test` does it")

import mutants  # noqa: E402

MASKS = "firmware/roundhouse/games/slot_masks.py"


def test_a_mutant_that_is_not_noticed_is_printed(monkeypatch, capsys):
    mutant = next(mutants.mutants([MASKS], 1))
    monkeypatch.setattr(mutants, "mutants", lambda only, seed: iter([mutant] * 20))
    monkeypatch.setattr(mutants, "copy_tree", lambda: None)
    monkeypatch.setattr(mutants, "pytest", lambda *_: (0, ""))
    monkeypatch.setattr(mutants.resource, "setrlimit", lambda *_: None)
    monkeypatch.setattr(sys, "argv", ["mutants.py"])
    for missed in (1, 2):
        answers = iter([True] * (20 - missed) + [False] * missed)
        monkeypatch.setattr(mutants, "noticed", lambda mutant, answers=answers: next(answers))
        assert mutants.main() == (missed == 2), "less than 95 of 100"
        out = capsys.readouterr().out
        assert out.startswith("%s:%d\n  - %s\n  + %s\n" % mutant[:4])
        assert out.endswith("noticed %d of 20, seed 1\n" % (20 - missed))


@pytest.mark.slow
def test_a_change_of_a_function_is_noticed_by_the_tests_that_execute_it(tmp_path, monkeypatch):
    monkeypatch.setattr(mutants, "COPY", tmp_path / "copy")
    monkeypatch.setattr(mutants, "RECORD", tmp_path / "record")
    monkeypatch.setattr(mutants, "TESTS", ["tests/firmware/test_houses.py"])
    mutants.copy_tree()
    assert mutants.pytest()[0] == 0
    assert " passed" not in mutants.pytest("--testmon-nocollect")[1], "nothing has changed"
    source = (mutants.ROOT / MASKS).read_text()
    number = 1 + source[: source.index('count("1")')].count("\n")
    for change, noticed in (('count("0")', True), ('count("1") + 0', False)):
        text = source.replace('count("1")', change)
        assert mutants.noticed((MASKS, number, "", "", text)) == noticed
    sheets = "firmware/roundhouse/games/mexican_train/sheets.py"
    text = (mutants.ROOT / sheets).read_text()
    number = 1 + text[: text.index("(16, 15, 14, 12")].count("\n")
    text = text.replace("(16, 15, 14, 12", "(16, 15, 14, 13")
    assert mutants.noticed((sheets, number, "", "", text)), "a table"
    assert mutants.noticed((MASKS, 1, "", "", "1 >> ()\n" + source)), "conftest cannot be loaded"
