# SPDX-License-Identifier: MIT
"""What the firmware may use: only modules that the board has, and no game by its name."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from roundhouse import games
from roundhouse.drivers.reader import CHIPS
from roundhouse.games.match import Match

ROOT = Path(__file__).resolve().parents[2]
FIRMWARE = sorted((ROOT / "firmware").glob("**/*.py"))
BOARD_HAS = {
    "binascii",
    "hashlib",
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
    """Yield what a file imports on the board: the names of modules, and of what is in them."""
    tree = ast.parse(path.read_text())
    for_checkers = [node for node in tree.body if isinstance(node, ast.If) and _is_flag(node.test)]
    skipped = {id(node) for block in for_checkers for node in ast.walk(block)}
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ("%s.%s" % (node.module, alias.name) for alias in node.names)


def _is_flag(test):
    return ast.unparse(test) == "TYPE_CHECKING"


def test_the_core_needs_nothing_but_its_folder():
    script = "import sys; sys.path[:0] = sys.argv[1:]; import roundhouse.games.match"
    subprocess.run([sys.executable, "-I", "-S", "-c", script, str(ROOT / "firmware")], check=True)


def test_the_core_is_small():
    assert len(Match().state) <= 512


def test_the_board_has_what_is_imported():
    for path in FIRMWARE:
        assert {name.split(".")[0] for name in imports(path)} <= BOARD_HAS, path


def test_what_is_loaded_by_name_is_listed_as_that():
    linted = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    by_name = next(c for c in linted["contracts"] if c["name"].endswith("loaded by name"))
    folders = ["roundhouse.games." + name for name in games.GAMES]
    chips = ["roundhouse.drivers." + name for name in CHIPS]
    assert sorted(by_name["protected_modules"]) == sorted(folders + chips)
    assert {*folders} <= {*linted["root_packages"]}
    for ignored in by_name.get("ignore_imports", []):  # a chip may derive from another one
        assert {*ignored.split(" -> ")} <= {*chips}, ignored


def test_a_driver_is_listed_as_a_chip_or_imported():
    found = [name + "." for path in FIRMWARE for name in imports(path)]
    for path in (PACKAGE / "drivers").glob("*.py"):
        name = "roundhouse.drivers.%s." % path.stem
        used = path.stem in (*CHIPS, "__init__") or any(one.startswith(name) for one in found)
        assert used, "%s: name it in CHIPS of drivers/reader.py" % path.name


def test_only_the_package_names_a_game():
    """Only the package `games` names a game. A game that another module loaded by its name would
    stay in memory."""
    for path in set(FIRMWARE) - {PACKAGE / "games" / "__init__.py"}:
        tree = ast.parse(path.read_text())
        strings = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)}
        assert not strings & {*games.GAMES}, path


def test_nothing_the_board_cannot_parse():
    for path in FIRMWARE:
        for node in ast.walk(ast.parse(path.read_text())):
            assert not isinstance(node, ast.Match | ast.AsyncFunctionDef), path
            if isinstance(node, ast.FunctionDef):
                assert not node.args.posonlyargs, path
        assert "=}" not in path.read_text(), path


def test_a_constant_stays_a_number():
    """An annotated name whose value is const(...) would stay a call on the board."""
    for path in FIRMWARE:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Call):
                assert not ast.unparse(node.value.func).endswith("const"), (path, node.lineno)


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


COUNTS = {10, 11, 12, 14, 15, 16}  # of seats, stations or slots, now or before format 7
SLOTS = ([0, 11], [0, 15], [1, 10], [1, 14])  # from the first to the last


def named_counts(node):
    """Yield (name, its value) of each assignment, keyword and default value in a node."""
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
        yield from zip(node.targets[0].elts, getattr(node.value, "elts", ()))
    elif isinstance(node, ast.Assign):
        yield node.targets[0], node.value
    elif isinstance(node, ast.AnnAssign):
        yield node.target, node.value
    elif isinstance(node, ast.keyword) and node.arg:
        yield ast.Name(node.arg), node.value
    elif isinstance(node, ast.arguments):
        by_place = node.posonlyargs + node.args
        yield from zip(by_place[len(by_place) - len(node.defaults) :], node.defaults)
        yield from zip(node.kwonlyargs, node.kw_defaults)


def counted_by_hand(path):
    """Yield (line, source) where a file writes a count of seats or slots as a number."""
    for node in ast.walk(ast.parse(path.read_text())):
        numbers = {n.value for n in ast.iter_child_nodes(node) if isinstance(n, ast.Constant)}
        numbers = {n for n in numbers if type(n) is int}
        said = ast.unparse(node).lower() if isinstance(node, ast.expr) else ""
        of_seats = any(word in said for word in ("seat", "slot", "station"))
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.keyword | ast.arguments):
            wrong = any(
                re.search("seat|slot|station", ast.unparse(name), re.I)
                and getattr(value, "value", None) in COUNTS
                for name, value in named_counts(node)
            )
        elif isinstance(node, ast.Call):
            given = [getattr(argument, "value", None) for argument in node.args]
            is_range = getattr(node.func, "id", "") == "range"
            wrong = numbers & {11, 12, 15, 16} if is_range and 1 in numbers else given in SLOTS
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.LShift):
            wrong = getattr(node.left, "value", 0) == 1 and numbers & {11, 12, 15}
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            wrong = of_seats and numbers & COUNTS
        else:
            wrong = isinstance(node, ast.Compare) and of_seats and numbers & COUNTS
        if wrong:
            yield getattr(node, "lineno", 0), ast.unparse(node)


def test_the_most_seats_and_the_count_of_slots_stand_once():
    files = {*FIRMWARE, *(ROOT / "host_sim").glob("**/*.py")}
    firmware = ROOT / "firmware"
    found = [
        (path.relative_to(ROOT).as_posix(), *where)
        for path in files - {firmware / "config.py", firmware / "roundhouse" / "constants.py"}
        for where in counted_by_hand(path)
    ]
    assert not found


def test_a_count_that_is_written_by_hand_is_found(tmp_path):
    file = tmp_path / "bad.py"
    lines = ("range(1, 11)", "1 << 11", "seat % 14 + 1", "0 < slot < 12", "stations > 10")
    more = (
        "integers(0, 11)",
        "f(stations=10)",
        "lambda stations=10: 0",
        "0; MOST_SEATS = 10",
        "0; seats, n = 14, 2",
    )
    for line in (*lines, *more):
        file.write_text("x = " + line)
        assert [*counted_by_hand(file)], line
    file.write_text("x = n % 10, seat < MOST_SEATS, range(12), 1 << 16, age > 12")
    assert not [*counted_by_hand(file)]
