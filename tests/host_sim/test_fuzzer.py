# SPDX-License-Identifier: MIT
"""A short run of the fuzzer finds no fault, and the fuzzer finds planted faults."""

import ast

import pytest
from test_layers import PACKAGE

from host_sim.app.session import match_metadata
from host_sim.lab import fuzzer
from roundhouse import journal, settings, tags


@pytest.mark.parametrize("target", fuzzer.TARGETS)
def test_a_short_run(target):
    cases = {"lines": 400, "files": 80}.get(target, 1500)  # these take longer
    tried, story = fuzzer.attack(target, cases, 3)
    assert story is None
    assert tried >= 0.6 * cases


@pytest.mark.parametrize(
    "target, module, name, broken",
    [
        ("tag", tags, "_number", lambda word: int(word)),  # "+7", "1_0", Arabic digits
        ("tag", tags, "_find", lambda buf, n: 4),
        ("config", settings, "_number", lambda name, value, low, high: value + 1),
        ("journal", journal, "_NONSENSE", (KeyError,)),
        ("files", match_metadata, "BAD_CONTENT", ()),
    ],
)
def test_it_finds_what_is_broken(monkeypatch, target, module, name, broken):
    monkeypatch.setattr(module, name, broken)
    _, story = fuzzer.attack(target, 20_000, 5)  # it stops at the first
    assert story and story.startswith(target + ": ")


def test_no_line_can_run_code_or_touch_files():
    """The code that handles console lines has no eval, exec, import by name or open()."""
    names = ["console", "commands", "tag_writer", "hub"]
    names += ["games/" + name for name in ("houses", "match", "between_rounds", "corrections")]
    for name in names:
        tree = ast.parse((PACKAGE / (name + ".py")).read_text())
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        assert not used & {"eval", "exec", "compile", "__import__", "open", "getattr"}, name
        modules = {
            alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        }
        assert not modules & {"os", "sys", "io", "machine"}, name
