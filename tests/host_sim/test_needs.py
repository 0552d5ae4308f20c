# SPDX-License-Identifier: MIT
"""What a command needs is looked for before it begins."""

import importlib.util

import pytest

from host_sim import __main__


@pytest.mark.parametrize("command", ["fuzz", "emulate", "bench"])
def test_what_lacks_is_one_line_before_anything_begins(command, monkeypatch, capsys):
    module = __main__.found()[command]
    assert __main__.lacking(module) == []
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(module, "run", lambda args: 1 / 0)
    assert __main__.main([command]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line == "%s needs %s: `make tests` sets it up" % (command, module.NEEDS[0])
