# SPDX-License-Identifier: MIT
"""Puts numbers in place of names before a module is compiled for the board.

MicroPython keeps names such as `at.TURN` and `constants.PLAY` in memory, and looks them up at
every use. Numbers save this memory and time, so `s[at.TURN]` is compiled as `s[91]`.

MicroPython does the same with what a module itself defines by `NAME = const(...)`. Imports that
are not needed after these changes, and blocks for type checkers alone, are left out. Line numbers
stay the same.
"""

import ast
import functools
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

Number = int | bytes  # bytes: numbers by game
Known = dict[str, dict[str, Number | None]]  # module -> name -> number; None: stays a name
TABLES = ("constants.py", "games/at.py", "games/*/at.py")  # what a later one imports is earlier
SMALL = 1 << 30  # a larger int is an object on the board
CONST = ("roundhouse.constants", "roundhouse.drivers")  # where const() comes from
FLAG = "TYPE_CHECKING"  # of a block for type checkers, which no board needs
NAMED = ("name", "asname", "arg", "rest")  # attributes of nodes with a name that they bind


def inlined(path: Path, firmware: Path) -> bytes:
    """Return the source of the module at `path`, in the folder `firmware`, with the names replaced
    by numbers.

    Raises ValueError, as `path:line: reason`, in these cases:

    - A name of `at` or `constants` is missing, bound again, assigned or deleted.
    - A name of `at` or `constants` is in an f-string or in const().
    - A name of `at` or `constants` is not imported at the top of the module.
    - `at` or `constants` is used without a name after it.
    - const() is used, but not as `NAME = const(...)`.
    - const() comes from a module that is not in CONST.
    """
    package = firmware / "roundhouse"
    tables = [at for name in TABLES for at in sorted(package.glob(name))]
    names = [".".join(table.relative_to(firmware).with_suffix("").parts) for table in tables]
    texts = [table.read_text("utf-8") for table in tables]
    shown = path.relative_to(firmware).as_posix()
    return _inlined(shown, path.read_text("utf-8"), tuple(zip(names, texts, strict=True)))


@functools.lru_cache(maxsize=256)  # each emulated hub asks for all modules again
def _inlined(shown: str, source: str, tables: tuple[tuple[str, str], ...]) -> bytes:
    lines = source.encode().splitlines(keepends=True)
    edits = _Module(shown, ast.parse(source), _known(tables)).edits
    edits.sort(key=lambda edit: (edit[0].lineno, edit[0].col_offset))
    for node, new in reversed(edits):
        first, last = node.lineno - 1, (node.end_lineno or 0) - 1
        head, tail = lines[first][: node.col_offset], lines[last][node.end_col_offset :]
        lines[first : last + 1] = [head + new.encode() + b"\n" * (last - first) + tail]
    return b"".join(lines)


@functools.lru_cache(maxsize=2)
def _known(tables: tuple[tuple[str, str], ...]) -> Known:
    """Return {module: {name: value}} of the names that modules define. The value is an int or
    bytes; None if the name is not replaced.

    tables: (name, text) of each module; a module must come after the modules that it imports
    """
    known: Known = {}
    for module, text in tables:
        tree = ast.parse(text)
        values: dict[str, Any] = {}
        known[module] = {}
        for node in [node for node in tree.body if isinstance(node, ast.ImportFrom)]:
            known[module].update(known[node.module or ""])  # import *
            tree.body.remove(node)
        exec(compile(tree, module, "exec"), values)
        bound = Counter(n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and _binds(n))
        for name, value in values.items():
            small = isinstance(value, bytes) or type(value) is int and abs(value) < SMALL
            known[module][name] = value if small and bound[name] == 1 else None
    return known


def _binds(node: ast.Name | ast.Attribute) -> bool:
    return not isinstance(node.ctx, ast.Load)


class _Module(ast.NodeVisitor):
    """A visitor that finds what to change in a module.

    edits: [(node, new text), ...]
    """

    def __init__(self, shown: str, tree: ast.Module, known: Known) -> None:
        self.edits: list[tuple[ast.expr | ast.stmt, str]] = []
        self._shown, self._known = shown, known
        self._modules: dict[str, str] = {}  # name in this module -> `at` or `constants`, dotted
        self._numbers: dict[str, Number] = {}  # name in this module -> number
        self._needed: set[str] = set()  # names in _modules that are still needed
        self._where = ""  # the place of the visited node, if no number is allowed there
        self._imports: list[ast.ImportFrom] = []
        for node in ast.walk(tree):
            if self._is_import(node):
                if node not in tree.body or not isinstance(node, ast.ImportFrom):
                    self._refuse(node, "import it with `from`, at the top of the module")
                self._note(node)
        self.visit(tree)
        for node in self._imports:
            self._import_rest(node)

    def _refuse(self, node: ast.AST, reason: str) -> NoReturn:
        raise ValueError("%s:%d: %s" % (self._shown, getattr(node, "lineno", 0), reason))

    def _is_import(self, node: ast.AST) -> bool:
        """Return whether a statement imports a known module, or a name from a known module."""
        if isinstance(node, ast.ImportFrom):
            whole = ["%s.%s" % (node.module, alias.name) for alias in node.names]
            if any(alias.name == "const" for alias in node.names):
                return node.module != "micropython"
            return not {node.module, *whole}.isdisjoint(self._known)
        return isinstance(node, ast.Import) and any(a.name in self._known for a in node.names)

    def _note(self, node: ast.ImportFrom) -> None:
        """Record the names that an import statement defines."""
        self._imports.append(node)
        for alias in node.names:
            name, whole = alias.asname or alias.name, "%s.%s" % (node.module, alias.name)
            self._check_unbound(node, name)
            if name == "const" and node.module not in CONST:
                self._refuse(node, "const() comes from %s alone" % " and ".join(CONST))
            if whole in self._known:
                self._modules[name] = whole
            elif node.module in self._known:
                number = self._number(node, node.module, alias.name)
                if number is not None:
                    self._numbers[name] = number

    def _number(self, node: ast.AST, module: str, name: str) -> Number | None:
        if name not in self._known[module]:
            self._refuse(node, "%s has no %s" % (module, name))
        return self._known[module][name]

    def _check_unbound(self, node: ast.AST, name: str) -> None:
        if name in self._modules or name in self._numbers:
            self._refuse(node, "%s is bound again" % name)

    def _import_rest(self, node: ast.ImportFrom) -> None:
        """Shorten an import statement to the names that are still used, or remove it."""
        gone = {"const"} | self._numbers.keys() | self._modules.keys() - self._needed
        rest = [alias for alias in node.names if (alias.asname or alias.name) not in gone]
        if len(rest) < len(node.names):
            new = ast.unparse(ast.ImportFrom(node.module, rest, node.level)) if rest else ""
            self.edits.append((node, new))

    def _replace(self, node: ast.Name | ast.Attribute, number: Number) -> None:
        if _binds(node):
            self._refuse(node, "%s is bound again" % ast.unparse(node))
        if self._where or node.lineno != node.end_lineno:
            where = self._where or "over two lines"
            self._refuse(node, "%s stands %s" % (ast.unparse(node), where))
        negative = isinstance(number, int) and number < 0
        self.edits.append((node, ("(%r)" if negative else "%r") % number))

    def visit_If(self, node: ast.If) -> None:
        """Leave out what only type checkers read."""
        if ast.unparse(node.test) == FLAG:
            self.edits.append((node, ""))
        else:
            self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if ast.unparse(node) == FLAG + " = False":
            self.edits.append((node, ""))
        elif isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "const":
            self._visit_in("in const()", (*node.targets, *node.value.args))
        else:
            self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        name = node.value.id if isinstance(node.value, ast.Name) else ""
        if name not in self._modules:
            return self.generic_visit(node)
        number = self._number(node, self._modules[name], node.attr)
        if number is not None:
            return self._replace(node, number)
        if _binds(node):
            self._refuse(node, "%s is bound again" % ast.unparse(node))
        self._needed.add(name)
        return None

    def visit_Name(self, node: ast.Name) -> None:
        if node.id == "const":
            self._refuse(node, "const() stands elsewhere than in `NAME = const(...)`")
        if node.id in self._modules:
            self._refuse(node, "%s is bound, or used without a name of its own" % node.id)
        if node.id in self._numbers:
            self._replace(node, self._numbers[node.id])

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Refuse names in an f-string, because Python does not report their positions there."""
        self._visit_in("in an f-string", ast.iter_child_nodes(node))

    def _visit_in(self, where: str, nodes: Iterable[ast.AST]) -> None:
        before, self._where = self._where, where
        for node in nodes:
            self.visit(node)
        self._where = before

    def generic_visit(self, node: ast.AST) -> None:
        """Refuse a statement that binds one of the names, unless it is an import of known modules
        or names."""
        if node in self._imports:
            return
        names = [getattr(node, field, None) for field in NAMED]
        if isinstance(node, ast.Global | ast.Nonlocal):
            names = [*node.names]
        for name in names if not isinstance(node, ast.keyword) else ():
            if isinstance(name, str):
                self._check_unbound(node, name.partition(".")[0])
        super().generic_visit(node)
