# SPDX-License-Identifier: MIT
"""The commands: how they are listed, how they end, and which arguments they pass on."""

import ast
import errno
import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from host_sim import FIRMWARE, commands
from host_sim.__main__ import command_modules, main
from host_sim.command_line import command, preflight
from host_sim.commands import tags
from host_sim.lab import benchmark
from host_sim.maker import CommandError, usb_hub


@pytest.mark.parametrize("name", command_modules())
def test_a_command_has_what_it_must(name):
    module = command_modules()[name]
    assert module.GROUP in command.GROUPS
    assert module.HELP and "\n" not in module.HELP and len(module.HELP) < 70
    assert module.__doc__
    assert callable(module.options) and callable(module.needs) and callable(module.run)


def test_the_list_has_every_command_in_its_group(capsys):
    assert main([]) == 0
    head, *groups = capsys.readouterr().out.partition("\noptions:")[0].split("\n\n")
    assert head.startswith("usage: .venv/bin/python -m host_sim COMMAND")
    listed = {}
    for text in groups:
        heading, *lines = text.strip().splitlines()
        listed[heading.partition(":")[0]] = {line.split()[0] for line in lines}
    assert list(listed) == list(command.GROUPS) == ["play", "look", "make", "check"]
    modules = command_modules()
    for group, names in listed.items():
        assert names == {name for name in modules if group == modules[name].GROUP}


def test_the_folder_has_no_names_but_commands():
    assert len(ast.parse(Path(commands.__file__).read_text()).body) == 1, "its docstring"


# names of what the commands' modules use
FREE = {"greet", "tiles", "os", "arguments", "command"} - {*command_modules()}


@pytest.mark.parametrize("name", sorted(FREE))
def test_a_new_file_is_a_new_command(name, tmp_path, monkeypatch, capsys):
    (tmp_path / (name + ".py")).write_text(
        'GROUP = "look"\nHELP = "say hello"\n'
        'def options(parser):\n    parser.add_argument("who")\n'
        "def needs(args):\n    return ()\n"
        'def run(args):\n    print("hello", args.who)\n    return 3\n'
    )
    monkeypatch.setattr(commands, "__path__", [*commands.__path__, str(tmp_path)])
    importlib.invalidate_caches()
    try:
        assert main([name, "Ana"]) == 3
        assert capsys.readouterr().out == "hello Ana\n"
        main([])
        assert "  %-10ssay hello\n" % name in capsys.readouterr().out
        assert main(["houses"]) == 0
    finally:
        del sys.modules["host_sim.commands." + name]
        delattr(commands, name)


def test_the_list_is_quick():
    """Commands import only light modules at their start, so their list is quick."""
    for path in (*Path(commands.__file__).parent.glob("*.py"), Path(command.__file__)):
        tree = ast.parse(path.read_text())
        top = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        for node in top:
            names = {alias.name for alias in node.names}
            if isinstance(node, ast.ImportFrom):
                names = {"%s.%s" % (node.module, name) for name in names}
            names = {
                name for name in names if not name.startswith("host_sim.command_line.preflight.")
            }
            light = {
                "host_sim.command_line.command",
                "host_sim.command_line.arguments",
                "host_sim.command_line.progress.Progress",
                "host_sim.maker.CommandError",
                "host_sim.app.views.languages.LANGUAGES",
                "roundhouse.tiles",
                "roundhouse.boards",
                "roundhouse.constants",
            }
            assert names <= light or all(
                "." not in name or name.partition(".")[0] in sys.stdlib_module_names
                for name in names
            )


def test_a_command_loads_the_checks_itself():
    script = "import sys, host_sim.__main__ as m; m.command_modules(); print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", script], cwd=FIRMWARE.parent)
    assert b"host_sim.commands.soak" in loaded and b"host_sim.lab" not in loaded


def broken(monkeypatch, error):
    def run(args):
        raise error

    monkeypatch.setattr(command_modules()["houses"], "run", run)
    return main(["houses"])


def test_how_a_command_ends(monkeypatch, capsys):
    assert broken(monkeypatch, CommandError("plug it in")) == 1
    assert capsys.readouterr().err == "plug it in\n"
    assert broken(monkeypatch, KeyboardInterrupt()) == 130
    assert broken(monkeypatch, BrokenPipeError()) == 0
    with pytest.raises(SystemExit) as ended:
        broken(monkeypatch, ValueError("no house monopoly"))
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith("error: no house monopoly\n")
    for number in (errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EMFILE, errno.EIO):
        assert broken(monkeypatch, OSError(number, os.strerror(number), "hub.svg")) == 2
        err = capsys.readouterr().err
        assert err.startswith("houses: hub.svg: ") and len(err.splitlines()) == 1


# ---- which arguments a command passes on ----


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
