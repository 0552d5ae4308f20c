# SPDX-License-Identifier: MIT
"""The commands that README names, started as they are typed: which arguments they pass on."""

import json

import pytest

from host_sim import preflight
from host_sim.__main__ import main
from host_sim.checks import benchmark
from host_sim.commands import tags
from host_sim.flashing import usb_hub


@pytest.mark.parametrize(
    "words, typed, asked",
    [
        ([], "", ("write", 91, "E", False)),
        (["--set", "9", "--slot", "3"], "", ("write", 55, "3", False)),
        (["--cards"], "", ("write", None, "E", False)),
        (["--check"], "", ("check", 91)),
        (["--lock"], "permanently", ("write", 91, "E", True)),
        (["--lock"], "yes", None),
    ],
)
def test_tags(monkeypatch, capsys, words, typed, asked):
    done = []

    def writes(hub, wanted, slot, lock, kept):
        done.append(("write", len(wanted) if kept.name != "tags-cards.txt" else None, slot, lock))
        return 0

    def checks(hub, wanted, kept):
        done.append(("check", len(wanted)))
        return 0

    monkeypatch.setattr(usb_hub, "find_port", lambda port: port)
    monkeypatch.setattr(usb_hub, "HubConsole", lambda port: "hub at " + port)
    monkeypatch.setattr(tags, "write_set", writes)
    monkeypatch.setattr(tags, "check_set", checks)
    monkeypatch.setattr("builtins.input", lambda question: typed)
    assert main(["tags", "--port", "x", *words]) == 0
    assert done == ([asked] if asked else [])
    assert bool(asked) or "nothing was locked or written" in capsys.readouterr().out


def test_bench(monkeypatch, capsys):
    monkeypatch.setattr(benchmark, "measure", lambda: {"poll": 0.5})
    monkeypatch.setattr(preflight, "is_available", lambda thing: True)
    assert main(["bench", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"poll": 0.5}
