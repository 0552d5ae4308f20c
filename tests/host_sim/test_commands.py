# SPDX-License-Identifier: MIT
"""The commands: one file each, listed in groups, quick to list; and how each ends."""

import ast
import importlib
import sys
from pathlib import Path

import pytest

from host_sim import commands
from host_sim.__main__ import command_modules, main


@pytest.mark.parametrize("name", command_modules())
def test_a_command_has_what_it_must(name):
    module = command_modules()[name]
    assert module.GROUP in commands.GROUPS
    assert module.HELP and "\n" not in module.HELP and len(module.HELP) < 70
    assert module.__doc__
    assert callable(module.options) and callable(module.needs) and callable(module.run)


def test_the_list_has_every_command_in_its_group(capsys):
    assert main([]) == 0
    head, *groups = capsys.readouterr().out.partition("\noptions:")[0].split("\n\n")
    assert head.startswith("usage: python -m host_sim COMMAND")
    listed = {}
    for text in groups:
        heading, *lines = text.strip().splitlines()
        listed[heading.partition(":")[0]] = {line.split()[0] for line in lines}
    assert list(listed) == list(commands.GROUPS) == ["play", "look", "make", "check"]
    modules = command_modules()
    for group, names in listed.items():
        assert names == {name for name in modules if group == modules[name].GROUP}


def test_a_new_file_is_a_new_command(tmp_path, monkeypatch, capsys):
    (tmp_path / "greet.py").write_text(
        'GROUP = "look"\nHELP = "say hello"\n'
        'def options(parser):\n    parser.add_argument("who")\n'
        "def needs(args):\n    return ()\n"
        'def run(args):\n    print("hello", args.who)\n    return 3\n'
    )
    monkeypatch.setattr(commands, "__path__", [*commands.__path__, str(tmp_path)])
    importlib.invalidate_caches()
    assert main(["greet", "Ana"]) == 3
    assert capsys.readouterr().out == "hello Ana\n"
    main([])
    assert "  greet     say hello\n" in capsys.readouterr().out


def test_the_list_is_quick():
    """A command imports what it needs only when it runs."""
    for path in Path(commands.__file__).parent.glob("*.py"):
        tree = ast.parse(path.read_text())
        top = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        for node in top:
            names = {alias.name for alias in node.names}
            if isinstance(node, ast.ImportFrom):
                names = {"%s.%s" % (node.module, name) for name in names}
            names = {name for name in names if not name.startswith("host_sim.preflight.")}
            light = {
                "host_sim.commands",
                "host_sim.arguments",
                "host_sim.checks.progress.Progress",
                "host_sim.flashing.CommandError",
                "host_sim.views.languages.LANGUAGES",
                "roundhouse.tiles",
                "roundhouse.constants",
            }
            assert names <= light or all(
                "." not in name or name.partition(".")[0] in sys.stdlib_module_names
                for name in names
            )


def broken(monkeypatch, error):
    def run(args):
        raise error

    monkeypatch.setattr(command_modules()["houses"], "run", run)
    return main(["houses"])


def test_how_a_command_ends(monkeypatch, capsys):
    from host_sim.flashing import CommandError

    assert broken(monkeypatch, CommandError("plug it in")) == 1
    assert capsys.readouterr().err == "plug it in\n"
    assert broken(monkeypatch, KeyboardInterrupt()) == 130
    assert broken(monkeypatch, BrokenPipeError()) == 0
    with pytest.raises(SystemExit) as ended:
        broken(monkeypatch, ValueError("no house monopoly"))
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith("error: no house monopoly\n")
