# SPDX-License-Identifier: MIT
"""The folders of host_sim: what each may import; and that each command has one file."""

import ast
import importlib
import sys
from pathlib import Path

import pytest

from host_sim import commands
from host_sim.__main__ import command_modules, main
from host_sim.games import KINDS
from roundhouse import games as firmware_games

ROOT = Path(__file__).resolve().parents[2]
SIMULATOR = ROOT / "host_sim"

# A room, and the rooms it may import, from the top down: an arrow only ever points down.
ROOMS = {
    "commands": {
        *(
            "site",
            "server",
            "page",
            "checks",
            "session",
            "players",
            "flashing",
            "pico",
            "hub",
            "views",
        ),
        *("table", "games", "chips"),
    },
    "server": {"page", "session", "flashing", "hub", "views", "table"},
    "site": {"page", "session", "hub", "views", "table"},
    "checks": {"page", "session", "players", "pico", "hub", "views", "table", "games", "chips"},
    "page": {"session", "players", "hub", "views", "table", "games"},
    "session": {"players", "hub", "views", "table", "games"},
    "players": {"hub", "table", "games"},
    "flashing": {"pico"},
    "pico": {"hub", "chips"},
    "hub": {"chips"},
    "views": {"table", "games"},
    "table": {"games"},
    "games": set(),
    "chips": set(),
}
# All that a view may know of the firmware: its version, words and colours, no rules.
VOCABULARY = {"VERSION", "constants", "lamp_letters", "palettes", "tiles"}
GAMES = {*KINDS}


def sources(*apps):
    return [path for app in apps for path in sorted((ROOT / app).glob("**/*.py"))]


def imports(path):
    """Return what a file imports anywhere in it; for `from a import b` both `a` and `a.b`."""
    got = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            got.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "%s: an import says the whole way" % path
            got.add(node.module)
            got.update("%s.%s" % (node.module, alias.name) for alias in node.names)
    return got


def of_firmware(path):
    """Return what a file imports from the firmware: `roundhouse.x` and `config`."""
    got = {name for name in imports(path) if name.split(".")[0] in ("roundhouse", "config")}
    return {".".join(name.split(".")[:2]) for name in got} - {"roundhouse"}


def test_every_folder_is_a_room():
    folders = {path.parent.name for path in SIMULATOR.glob("*/*.py")}
    assert folders == set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_arrows_point_down(room):
    for path in sorted((SIMULATOR / room).glob("**/*.py")):
        got = {name.split(".")[1] for name in imports(path) if name.startswith("host_sim.")}
        got &= set(ROOMS)
        assert got <= ROOMS[room] | {room}, path


def test_the_picture_of_the_rooms_has_no_arrow_up():
    order = list(ROOMS)
    for room, below in ROOMS.items():
        assert all(order.index(other) > order.index(room) for other in below), room


def test_chips_know_no_firmware():
    for path in sources("host_sim/chips"):
        assert not of_firmware(path), path


def test_views_know_no_rules():
    """Nor do views know a game by its folder; they ask host_sim.games what the folder declares."""
    allowed = {"roundhouse." + name for name in VOCABULARY}
    for path in [
        *sources("host_sim/views", "host_sim/table"),
        SIMULATOR / "hub" / "lamp_reader.py",
    ]:
        assert of_firmware(path) <= allowed, path
        below = {name for name in imports(path) if name.startswith("host_sim.games.")}
        assert not {name.split(".")[2] for name in below} & GAMES, path


def test_a_game_has_its_folder_in_both():
    for game in GAMES:
        assert (ROOT / "firmware" / "roundhouse" / "games" / game).is_dir(), game
        for part in ("__init__", "bot", "guide", "referee", "soak_players"):
            assert (SIMULATOR / "games" / game / (part + ".py")).is_file(), (game, part)


def test_a_game_knows_no_other():
    for game in GAMES:
        for path in sources("host_sim/games/" + game):
            others = {"host_sim.games." + other for other in GAMES - {game}}
            assert not {".".join(name.split(".")[:3]) for name in imports(path)} & others, path


def test_what_games_declare_is_what_the_firmware_has():
    assert sorted(KINDS) == sorted(firmware_games.GAMES)
    for folder, kind in KINDS.items():
        sheets = firmware_games.sheets(firmware_games.GAMES.index(folder))
        assert sorted({*sheets.GAMES}) == sorted(kind.NAMES)
        assert sorted(sheets.HOUSES) == sorted(kind.HOUSES + kind.LAST)
        assert {*kind.MEASURED} == {*kind.NAMES} and {*kind.MEASURED.values()} <= {*sheets.HOUSES}


# ---- commands ----


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
    for path in sources("host_sim/commands"):
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
