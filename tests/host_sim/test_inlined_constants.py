# SPDX-License-Identifier: MIT
"""When a module is compiled, numbers replace the names of constants, and nothing else changes."""

import ast
import importlib
import shutil

import pytest

from host_sim import FIRMWARE
from host_sim.board.pico import build_firmware
from host_sim.board.pico.inlined_constants import inlined
from roundhouse import constants
from roundhouse.games import at

SOURCES = build_firmware.sources()
TOP = "from roundhouse import constants\nfrom roundhouse.constants import OK, VERDICTS, E\n"
TOP += "from roundhouse.games import at\nfrom roundhouse.constants import const\n"


@pytest.fixture
def firmware(tmp_path):
    """Return a copy of the firmware's folder that a test may change."""
    shutil.copytree(FIRMWARE, tmp_path / "firmware", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "firmware"


def made(firmware, text):
    path = firmware / "roundhouse" / "made.py"
    path.write_bytes(text.encode())
    return inlined(path, firmware).decode()


class Resolved(ast.NodeTransformer):
    """Replaces each name imported from `at` and `constants` by its number, and removes the
    imports and what only type checkers read."""

    def __init__(self):
        self.names = {}  # name in this module -> module or value

    def visit_ImportFrom(self, node):
        for alias in node.names:
            if alias.name in ("at", "constants"):
                module = importlib.import_module("%s.%s" % (node.module, alias.name))
                self.names[alias.name] = module
            elif node.module == "roundhouse.constants" or alias.name == "const":
                self.names[alias.name] = getattr(constants, alias.name)
        left = [alias for alias in node.names if alias.name not in self.names]
        return ast.ImportFrom(node.module, left, 0) if left else None

    def visit_If(self, node):
        if ast.unparse(node.test) == "TYPE_CHECKING":
            return None
        return self.generic_visit(node)

    def visit_Assign(self, node):
        if ast.unparse(node) == "TYPE_CHECKING = False":
            return None
        return self.generic_visit(node)

    def visit_Attribute(self, node):
        node = self.generic_visit(node)
        module = self.names.get(node.value.id) if isinstance(node.value, ast.Name) else None
        return _number(getattr(module, node.attr, None)) or node

    def visit_Name(self, node):
        return _number(self.names.get(node.id)) or node


def _number(value):
    return ast.parse(repr(value)).body[0].value if type(value) in (int, bytes) else None


def resolved(text):
    return Resolved().visit(ast.parse(text))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(FIRMWARE).as_posix())
def test_source_and_compiled_differ_in_constants_and_imports_alone(path):
    before, after = path.read_bytes(), inlined(path, FIRMWARE)
    trees = [resolved(text) for text in (before, after)]
    assert ast.dump(trees[0]) == ast.dump(trees[1])
    lines = [  # of statements
        [(node.lineno, type(node)) for node in ast.walk(tree) if _has_line(node)] for tree in trees
    ]
    assert lines[0] == lines[1]
    assert before.count(b"\n") == after.count(b"\n")


def _has_line(node):
    return isinstance(node, ast.stmt) and not isinstance(node, ast.ImportFrom)


def test_no_module_on_the_board_asks_for_a_module_of_numbers():
    for name, data in build_firmware.firmware().items():
        assert name.rpartition("/")[2] not in ("at.mpy", "fields.mpy")
        if name.endswith(".mpy"):
            assert b"games.at" not in data and b"train.at" not in data, name
    for name, source in build_firmware.frozen_sources().items():
        aliases = [n.name for n in ast.walk(ast.parse(source)) if isinstance(n, ast.alias)]
        parts = [n.attr for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Attribute)]
        assert not {"at", "fields"} & {*aliases}, name
        assert "at" not in parts, name  # as in games.at.TURN


def test_what_a_module_imports_is_still_there():
    """After inlining, a module still defines every name that another module imports from it."""
    files = {path: inlined(path, FIRMWARE) for path in SOURCES}
    names = {}
    for path, text in files.items():
        module = ".".join(path.relative_to(FIRMWARE).with_suffix("").parts)
        names[module] = {
            *(n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name)),
            *(n.name for n in ast.walk(ast.parse(text)) if hasattr(n, "name")),
        }
    for path, text in files.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and node.module in names:
                lost = {alias.name for alias in node.names} - names[node.module]
                assert lost == set(), path


def test_numbers_and_what_is_left_of_imports(firmware):
    text = TOP + 'é = "é", at.TURN, -at.SET ** 2, [at.ENDED_AT]  # at.TURN\n'
    text += "def at_end(x=constants.M, *, OK_=OK):\n    return x.at.TURN, VERDICTS[E], at.USES\n"
    text += "print(constants.VERDICTS, f(E=E))\n_N = const(3)\n"
    assert made(firmware, text) == (
        "from roundhouse import constants\nfrom roundhouse.constants import VERDICTS\n\n"
        "\n"
        'é = "é", %d, -0 ** 2, [(%d)]  # at.TURN\n'
        "def at_end(x=15, *, OK_=0):\n    return x.at.TURN, VERDICTS[0], %r\n"
        "print(constants.VERDICTS, f(E=0))\n_N = const(3)\n" % (at.TURN, at.ENDED_AT, at.USES)
    )


def test_an_import_keeps_its_lines(firmware):
    text = "from roundhouse.constants import (\n    OK,\n    VERDICTS,\n)  # these\nx = OK\n"
    kept = "from roundhouse.constants import VERDICTS\n\n\n  # these\nx = 0\n"
    assert made(firmware, text) == kept
    text = "from roundhouse import (\n    constants as c,\n)\n\nx = c.M\n"
    assert made(firmware, text) == "\n\n\n\nx = 15\n"


@pytest.mark.parametrize(
    "line, said",
    [
        ("s[at.TRUN]", "roundhouse.games.at has no TRUN"),
        ("s[at.ROOM]", "has no ROOM"),  # a game's
        ("constants.PLAYED", "roundhouse.constants has no PLAYED"),
        ("at.TURN = 3", "at.TURN is bound again"),
        ("at.TURN += 3", "at.TURN is bound again"),
        ("del at.TURN", "at.TURN is bound again"),
        ("constants.VERDICTS = ()", "constants.VERDICTS is bound again"),
        ("at = 3", "at is bound"),
        ("del at", "at is bound"),
        ("for at in (): pass", "at is bound"),
        ("(at := 3)", "at is bound"),
        ("[at for at in ()]", "at is bound"),
        ("def f(at): pass", "at is bound again"),
        ("f = lambda at: 0", "at is bound again"),
        ("def f(*at): pass", "at is bound again"),
        ("def at(): pass", "at is bound again"),
        ("class at: pass", "at is bound again"),
        ("def f():\n    global at", "at is bound again"),
        ("import at", "at is bound again"),
        ("import at.x", "at is bound again"),
        ("import x as at", "at is bound again"),
        ("from x import y as at", "at is bound again"),
        ("try: x\nexcept x as at: x", "at is bound again"),
        ("with x as at: x", "at is bound"),
        ("E = 3", "E is bound again"),
        ("def f(OK): pass", "OK is bound again"),
        ("from roundhouse.constants import NONE as E", "E is bound again"),
        ("from roundhouse.games.mexican_train import at", "at is bound again"),
        ("getattr(at, x)", "at is bound, or used without a name of its own"),
        ("x = constants", "constants is bound, or used without a name of its own"),
        ("f'{at.TURN}'", "at.TURN stands in an f-string"),
        ("f'{E}'", "E stands in an f-string"),
        ("_X = const(at.TURN + 1)", "at.TURN stands in const()"),
        ("_X = const(OK)", "OK stands in const()"),
        ("_X = 1 + const(2)", r"const\(\) stands elsewhere"),
        ("print(const(2))", r"const\(\) stands elsewhere"),
        ("from roundhouse.tiles import const", r"const\(\) comes from roundhouse.constants and"),
        ("x = (at\n.TURN)", "at.TURN stands over two lines"),
        ("from roundhouse.constants import *", r"roundhouse.constants has no \*"),
        ("from roundhouse.games.at import *", r"roundhouse.games.at has no \*"),
        ("from roundhouse.games.at import TRUN", "roundhouse.games.at has no TRUN"),
        ("import roundhouse.constants", "import it with `from`, at the top of the module"),
        ("import roundhouse.games.at as a", "import it with `from`, at the top"),
        ("def f():\n    from roundhouse.games import at", "at the top of the module"),
        ("try:\n    from roundhouse.constants import M\nfinally: x", "at the top of the module"),
    ],
)
def test_a_use_that_could_mean_something_else_is_refused(firmware, line, said):
    with pytest.raises(ValueError, match=r"^roundhouse/made.py:(5|6): .*" + said):
        made(firmware, TOP + line + "\n")


@pytest.mark.parametrize(
    "line",
    [
        *("LIMIT = 1 << 30", "LIMIT = 3\nLIMIT = 4", "LIMIT = True", "LIMIT = 1.5", "LIMIT = '3'"),
        "LIMIT = 3\ndef f():\n    global LIMIT\n    LIMIT = 4",
        "try:\n    LIMIT = 3\nexcept ValueError:\n    LIMIT = 4",
        "def LIMIT(): pass",
    ],
)
def test_other_values_stay_names(firmware, line):
    file = firmware / "roundhouse" / "constants.py"
    file.write_text(file.read_text() + line + "\n")
    text = "from roundhouse import constants\nfrom roundhouse.constants import LIMIT\n"
    text += "x = constants.LIMIT, LIMIT\n"
    assert made(firmware, text) == text


def test_what_uses_a_number_is_compiled_again(firmware, tmp_path, monkeypatch):
    """A module is compiled again if a field, an option word or a constant that it uses changes."""
    monkeypatch.setattr(build_firmware, "FIRMWARE", firmware)
    monkeypatch.setattr(build_firmware, "COMPILED", tmp_path / "mpy")
    before = build_firmware.firmware()
    for path, old, new, users in (
        ("games/at.py", "TURN = %d " % at.TURN, "TURN = 92 ", {"match", "between_rounds"}),
        ("games/mexican_train/at.py", "LOCK_YES = 0", "LOCK_YES = 1", {"mexican_train/play"}),
        ("constants.py", "\nFORMAT = 7", "\nFORMAT = 8", {"state_check"}),
    ):
        file = firmware / "roundhouse" / path
        text = file.read_text()
        assert text.count(old) == 1
        file.write_text(text.replace(old, new))
        after = build_firmware.firmware()
        changed = {name for name in after if after[name] != before[name]}
        assert changed >= {"roundhouse/games/%s.mpy" % name for name in users}
        assert "roundhouse/lamp_letters.mpy" not in changed
        file.write_text(text)
        assert build_firmware.firmware() == before


def test_a_file_that_is_up_to_date_is_not_compiled_again(monkeypatch):
    before = build_firmware.firmware()
    monkeypatch.setattr(build_firmware.subprocess, "run", None)
    assert build_firmware.firmware() == before
