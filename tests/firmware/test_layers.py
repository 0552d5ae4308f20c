# SPDX-License-Identifier: MIT
"""The firmware's layers, and what the board lacks."""

import ast
import graphlib
import subprocess
from pathlib import Path

from roundhouse import games
from roundhouse.drivers.reader import CHIPS
from roundhouse.games.match import Match

ROOT = Path(__file__).resolve().parents[2]
FIRMWARE = sorted((ROOT / "firmware").glob("**/*.py"))
BOARD_HAS = {
    "binascii",
    "config",
    "gc",
    "io",
    "json",
    "machine",
    "micropython",
    "neopixel",
    "os",
    "roundhouse",
    "rp2",
    "select",
    "struct",
    "sys",
    "time",
}
PACKAGE = ROOT / "firmware" / "roundhouse"


def imports(path):
    """Return the modules that a file imports; modules of the firmware as `roundhouse.x`."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.module in ("roundhouse", "roundhouse.games"):
                found.update(f"{node.module}.{alias.name}" for alias in node.names)
            else:
                found.add(node.module)
    return found


def of_package(path):
    """Return what a file imports from the package: modules and sub-packages, by their own
    names."""
    return {name.split(".")[1] for name in imports(path) if name.startswith("roundhouse.")}


def test_the_core_is_small():
    assert len(Match().state) <= 512


def test_the_board_has_what_is_imported():
    for path in FIRMWARE:
        assert {name.split(".")[0] for name in imports(path)} <= BOARD_HAS, path


def test_arrows_point_down():
    allowed = {
        "tiles": set(),
        "constants": set(),
        "lamp_letters": set(),
        "animations": {"lamp_letters"},
        "feedback": {"line_keys", "round_end_lights", "constants"},
        "round_end_lights": {"animations", "constants"},
        "lights": {"animations", "lamp_letters", "constants"},
        "journal": {"journal_undo", "constants"},  # this when it is asked for
        "journal_undo": {"journal", "constants"},
        "boards": set(),
        "power_supply": set(),
        "palettes": set(),
        "commands": {
            "console",
            "drivers",
            "games",
            "line_keys",
            "journal",
            "script_writer",
            "power_supply",
            "tiles",
            "tag_writer",
            "constants",
        },
        "script_writer": {"games", "journal", "line_keys", "tiles", "constants"},
        "line_keys": {"console", "games", "journal", "tiles", "constants"},
        "tag_writer": {"console", "drivers", "games", "tags", "constants"},
        "tag_diagnosis": {"console", "tags"},
        "tags": {"tag_charsets", "tiles"},
        "tag_charsets": set(),
        "config_check": {"crash", "first_config", "settings"},
        "first_config": {"default_config"},  # only in MicroPython's image
        "crash": {"console"},
        "settings": {"boards", "crash", "drivers", "games", "palettes", "tiles", "constants"},
        "console": {"tiles", "constants"},
        "selftest": {"console", "drivers", "power_supply", "tags", "constants"},
    }
    for name, below in allowed.items():
        assert of_package(PACKAGE / f"{name}.py") <= below, name
    above = {"hub", "hub_builder", "console"}
    beside = ("hub", "hub_builder", "boot", "selftest", "crash", "commands")
    beside += ("line_keys", "tag_writer", "tag_diagnosis")
    for path in PACKAGE.glob("**/*.py"):
        if path.stem not in beside:
            assert not of_package(path) & above, path


def drivers_of(path):
    """Return the drivers that a file imports, with any form of the import statement."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("roundhouse.drivers"):
            found.update(f"{node.module}.{alias.name}".split(".")[2] for alias in node.names)
    return found


def test_a_game_knows_nothing_above_it():
    """The match gets games and sheets from the package, which loads them by name."""
    allowed = {
        "__init__": set(),
        "slot_masks": set(),
        "fields": set(),
        "houses": {"slot_masks"},
        "saved_state": {"slot_masks", "state_check"},
        "state_check": {"slot_masks"},
        "match": {
            "houses",
            "slot_masks",
            "between_rounds",
            "corrections",
            "saved_state",
        },  # but masks when it runs
        "between_rounds": {"houses", "slot_masks"},
        "corrections": {"between_rounds", "houses", "slot_masks"},
        "mexican_train.play": {"slot_masks"},
        "mexican_train.rounds": {"slot_masks"},
        "line_games.play": {"slot_masks"},
        "line_games.rounds": {"line_games.play", "slot_masks"},
        **{game + what: set() for game in games.GAMES for what in (".sheets", ".fields")},
    }
    files = {
        path.relative_to(PACKAGE / "games").with_suffix("").as_posix().replace("/", "."): path
        for path in (PACKAGE / "games").glob("**/*.py")
    }
    assert sorted(files) == sorted(allowed)
    for name, path in files.items():
        got = {m.removeprefix("roundhouse.") for m in imports(path) if "roundhouse" in m}
        below = {"tiles", "constants", "games", "forget"} | {
            f"games.{other}" for other in allowed[name]
        }
        if "." in name:
            below -= {"games"}
        assert got <= below, path


def test_no_modules_import_one_another_in_a_circle():
    """Imports inside functions count too; modules loaded by name do not."""
    below = {}
    for path in FIRMWARE:
        name = path.relative_to(ROOT / "firmware").with_suffix("").as_posix().replace("/", ".")
        below[name.removesuffix(".__init__")] = imports(path)
    graphlib.TopologicalSorter(below).prepare()  # CycleError


def test_only_the_package_names_a_game():
    """Another module that imported a game's module would keep it in memory while another game is
    played."""
    for path in FIRMWARE:
        tree = ast.parse(path.read_text())
        named = {m.removeprefix("roundhouse.games.").partition(".")[0] for m in imports(path)}
        assert not named & {*games.GAMES} - {path.parent.name}, path
        if path.parent.name == "games" and path.stem == "__init__":
            continue
        strings = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)}
        assert not strings & {*games.GAMES}, path


def test_hub_and_lights_know_no_game():
    for name in ("hub", "lights", "console", "journal", "tags", "selftest", "power_supply"):
        got = imports(PACKAGE / f"{name}.py")
        assert not [m for m in got if m.startswith("roundhouse.games")], name


def test_only_the_board_chooses_a_chip():
    """Drivers import only drivers; the layers above know a reader chip only by its interface."""
    allowed = {
        "tag_access": {"reader", "iso14443"},
        "reader_recovery": {"reader"},
        "presence": {"reader", "iso14443", "tag_tracker", "reader_recovery", "schedule"},
        "tag_tracker": {"iso14443"},
        "iso14443": {"reader"},
        **dict.fromkeys(CHIPS, {"reader"}),
    }
    for path in PACKAGE.glob("**/*.py"):
        if path.parent.name == "drivers":
            assert drivers_of(path) <= allowed.get(path.stem, set()), path
            above = {name for name in imports(path) if name.startswith("roundhouse")}
            assert all(name.startswith("roundhouse.drivers") for name in above), path
        else:
            assert not drivers_of(path) & {*CHIPS}, path


def test_nothing_the_board_cannot_parse():
    for path in FIRMWARE:
        for node in ast.walk(ast.parse(path.read_text())):
            assert not isinstance(node, ast.Match | ast.AnnAssign | ast.AsyncFunctionDef), path
            if isinstance(node, ast.FunctionDef):
                assert node.returns is None and not node.args.posonlyargs, path
        assert "=}" not in path.read_text(), path


def test_every_source_names_its_licence():
    files = subprocess.run(
        ["git", "ls-files", "*.py", "*.mjs", "*.sh", "Makefile", ".ci/run"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    for name in files:
        head = (ROOT / name).read_text()[:200]
        assert "SPDX-License-Identifier: MIT" in head, name
