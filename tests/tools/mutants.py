# SPDX-License-Identifier: MIT
"""Mutation testing of the firmware, `make mutate`: which changes does no test notice?

A seed chooses places in the firmware, and one change for each: another number, another comparison,
a negated condition, a statement left out. cosmic-ray makes the changes.

After a change inside a function, the tests that execute the function, as recorded by
pytest-testmon, run until one fails. After a change outside functions, all tests run. If no test
fails, a test is missing, and the mutant is printed with file, line and change.

Not counted are mutants that compile to the same code, or are in equal_mutants.txt with the reason
why no test can notice them. Everything happens in a copy, build/mutants.
"""

import argparse
import ast
import itertools
import os
import random
import resource
import shutil
import subprocess
import sys
import types
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import parso
from cosmic_ray.ast import ast_nodes
from cosmic_ray.operators.provider import OperatorProvider

ROOT = Path(__file__).resolve().parents[2]
COPY = ROOT / "build" / "mutants"
RECORD = ROOT / "build" / "mutants.testmon"
SOURCES = "firmware/roundhouse"
EQUAL = Path(__file__).with_name("equal_mutants.txt")
TESTS = [
    "tests/firmware",
    *("tests/host_sim/test_%s.py" % name for name in ("position", "preflight", "scripts")),
    "tests/host_sim/test_simulated_hub.py",
]
IN_PARALLEL = ("-n", "auto", "--dist", "loadfile")
GOAL = 95  # of 100
MEMORY = 4 << 30  # bytes; a mutant may allocate without end
TEST_S = 300  # a test that runs for longer ends badly

Place = tuple[int, int]  # line, column
Change = tuple[str, int, int]  # operator, number of the node, which of its changes
Mutant = tuple[str, int, str, str, str]  # see `mutants`


class LeaveOut:
    """Leaves out a statement of a function: an assignment or a call."""

    def mutation_positions(self, node: Any) -> Iterator[tuple[Place, Place]]:
        kinds = ("expr_stmt", "atom_expr")
        called = node.type == "simple_stmt" and node.children[0].type in kinds
        if called and parso.tree.search_ancestor(node, "funcdef"):
            yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        prefix = node.get_first_leaf().prefix
        node.children[0] = parso.python.tree.Keyword("pass", node.start_pos, prefix)
        return node


def operators() -> dict[str, Any]:
    """Return {name: operator} of all operators that take no arguments."""
    known = OperatorProvider()
    found = {name: known[name]() for name in sorted(known) if not known[name].arguments()}
    return {**found, "LeaveOut": LeaveOut()}


# A session of cosmic-ray would try every change of every module, which takes weeks.
OPERATORS = operators()


def places(source: str) -> dict[Place, list[Change]]:
    """Return {(line, column): [change, ...]} for the text of a module. Each change is an argument
    for `changed`."""
    found: dict[Place, list[Change]] = {}
    for number, node in enumerate(ast_nodes(parso.parse(source))):
        for name, operator in OPERATORS.items():
            for index, (start, _) in enumerate(operator.mutation_positions(node)):
                found.setdefault(start, []).append((name, number, index))
    return found


def changed(source: str, change: Change) -> str:
    name, number, index = change
    tree = parso.parse(source)
    node = list(ast_nodes(tree))[number]
    siblings = node.parent.children if node.parent else [node]
    at = [child is node for child in siblings].index(True)
    siblings[at : at + 1] = [new for new in [OPERATORS[name].mutate(node, index)] if new]
    return tree.get_code()


class ForTheBoard(ast.NodeTransformer):
    """Leaves out what only type checkers read."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(node.arg, lineno=node.lineno, col_offset=node.col_offset)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        new = ast.Assign([node.target], node.value) if node.value else ast.Pass()
        return ast.copy_location(new, node)

    def visit_If(self, node: ast.If) -> ast.stmt:
        if ast.unparse(node.test) == "TYPE_CHECKING":
            return ast.copy_location(ast.Pass(), node)
        self.generic_visit(node)
        return node


def compiled(source: str) -> tuple[object, ...] | None:
    """Return what a module's text compiles to, without line numbers, types, docstrings and
    asserts; None if it does not compile."""

    def bare(code: types.CodeType) -> tuple[object, ...]:
        inside = [bare(c) if isinstance(c, types.CodeType) else repr(c) for c in code.co_consts]
        return code.co_code, inside, code.co_names, code.co_varnames, code.co_exceptiontable

    try:
        tree = ForTheBoard().visit(ast.parse(source))
        return bare(compile(tree, "", "exec", optimize=2))
    except (SyntaxError, ValueError):
        return None


def mutants(only: Sequence[str], seed: int) -> Iterator[Mutant]:
    """Yield (file, line number, line before, line after, mutated text) for at most one mutant per
    place, in a random order.

    only: parts of the paths of the files to mutate
    """
    draw = random.Random(seed)
    equal = [line.rpartition("  # ")[0] for line in EQUAL.read_text().splitlines()]
    drawn = []
    for path in sorted((ROOT / SOURCES).glob("**/*.py")):
        if any(part in str(path) for part in only):
            source = path.read_text()
            drawn += [(path, source, ways) for _, ways in sorted(places(source).items())]
    draw.shuffle(drawn)
    for path, source, ways in drawn:
        text = changed(source, draw.choice(ways))
        if compiled(text) not in (None, compiled(source)):
            lines = enumerate(zip(source.splitlines(), text.splitlines()), 1)
            number, (old, new) = next((at, two) for at, two in lines if two[0] != two[1])
            name, old, new = str(path.relative_to(ROOT)), old.strip(), new.strip()
            if "%s: %s -> %s" % (name, old, new) not in equal:
                yield name, number, old, new, text


def stale(lines: Iterable[str]) -> list[str]:
    """Return the lines of equal_mutants.txt that lack a reason, or whose line of firmware has
    gone."""
    found = []
    for line in lines:
        change, _, why = line.rpartition("  # ")
        path, _, change = change.partition(": ")
        before, _, after = change.partition(" -> ")
        file = ROOT / path
        if not (after and why and file.is_file() and before in file.read_text()):
            found.append(line)
    return found


def copy_tree() -> None:
    """Copy all sources to build/mutants."""
    shutil.rmtree(COPY, ignore_errors=True)
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.check_output(listed, cwd=ROOT, text=True).splitlines():
        if (ROOT / name).is_file():
            (COPY / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, COPY / name)
    (COPY / ".venv").symlink_to(ROOT / ".venv")


def pytest(*options: str, selected: bool = True) -> tuple[int, str]:
    """Run all tests, or with `selected` only the tests of changed functions. Return (pytest's
    status, its output)."""
    # No compiled modules: two mutants within a second would be taken for the same.
    env = {**os.environ, "TESTMON_DATAFILE": str(RECORD), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-m", "not slow", "--hypothesis-seed=0"]
    command += ["--testmon", "--testmon-forceselect"] if selected else ["-p", "no:testmon"]
    command += ["-p", "no:cacheprovider", *options, *TESTS]
    ended = subprocess.run(
        command,
        cwd=COPY,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return ended.returncode, ended.stdout


def in_function(source: str, number: int) -> bool:
    """Return whether a line of a module, counted from 1, is part of a function."""
    functions = (ast.FunctionDef, ast.Lambda)
    found = [node for node in ast.walk(ast.parse(source)) if isinstance(node, functions)]
    return any(node.lineno <= number <= (node.end_lineno or 0) for node in found)


def noticed(mutant: Mutant) -> bool:
    name, number, _, _, text = mutant
    source = (COPY / name).read_text()
    (COPY / name).write_text(text)
    options = ["-x", "-o", "faulthandler_timeout=%d" % TEST_S]
    if in_function(source, number):
        status, output = pytest(*options, "--testmon-nocollect", "-p", "no:xdist")
    else:  # testmon does not know which tests use it
        status, output = pytest(*options, *IN_PARALLEL, selected=False)
    (COPY / name).write_text(source)
    if status == 4 and "ImportError while loading conftest" not in output:  # of pytest's usage
        raise SystemExit(output)
    return status not in (0, 5)  # 5: no test executes it


def main() -> bool:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--number", type=int, default=100, help="mutants to try")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="parts of paths: games; or hub.py,tags.py")
    args = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for line in stale(EQUAL.read_text().splitlines()):
        print("no longer there, take it out of %s: %s" % (EQUAL.name, line))
    copy_tree()
    RECORD.unlink(missing_ok=True)  # of an older tree: it would leave out tests
    status, output = pytest(*IN_PARALLEL)
    if status not in (0, 5):
        raise SystemExit(output + "these fail without any change")
    tried = unnoticed = 0
    for mutant in itertools.islice(mutants(args.only.split(","), args.seed), args.number):
        tried += 1
        if not noticed(mutant):
            unnoticed += 1
            print("%s:%d\n  - %s\n  + %s" % mutant[:4], flush=True)
        elif sys.stderr.isatty():
            print("%d of %d\r" % (tried, args.number), end="", file=sys.stderr)
    print("noticed %d of %d, seed %d" % (tried - unnoticed, tried, args.seed))
    return 100 * (tried - unnoticed) < GOAL * tried


if __name__ == "__main__":
    sys.exit(main())
