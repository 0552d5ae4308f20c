# SPDX-License-Identifier: MIT
"""Changes of the firmware in one place, and whether a test sees them: `make mutate`.

A sample of places is drawn by a seed, and at each of them one change is made: another number,
another comparison, a condition turned round, a statement left out. For every such mutant tests run
until the first that goes red: those of its module, the other tests of the firmware, the table
scripts. A mutant that stays unseen is printed with file, line and change: a test is missing.

Not counted is what changes nothing: a mutant that compiles to the same code, or one of
`equal_mutants.txt`, of which somebody has seen why no test can see it.
"""

import argparse
import importlib.machinery
import os
import random
import resource
import sys
import time
import types
from pathlib import Path

# Only what no mutant is part of: each is tested in a process that forks off here.
import hypothesis.strategies  # noqa: F401
import parso
import pytest
from cosmic_ray.ast import ast_nodes
from cosmic_ray.operators.provider import OperatorProvider

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "firmware" / "roundhouse"
TESTS = ROOT / "tests" / "firmware"
EQUAL = ROOT / "tests" / "equal_mutants.txt"

GOAL = 95  # of 100
TEST_S = 60  # a test that takes longer does not end
MEMORY = 4 << 30  # bytes; a mutant may fill it without end

# By the folder of a module, the tests that see most of what is wrong there; those with the
# module's name come before them.
FIRST = {
    "games": ("match", "lines", "houses", "games", "did", "history"),
    "drivers": ("reader_contract", "mfrc522", "buttons", "strip", "expanders", "reader_faults"),
    "roundhouse": ("tags", "lights", "lamps", "history", "journal_damage", "rules_kept", "did"),
}
SLOW = ("reader_faults", "tags_fuzz", "light_and_power")  # come last


class LeaveOut:
    """Leaves a statement of a function out: an assignment or a call."""

    def mutation_positions(self, node):
        kinds = ("expr_stmt", "atom_expr")
        said = node.type == "simple_stmt" and node.children[0].type in kinds
        if said and parso.tree.search_ancestor(node, "funcdef"):
            yield node.start_pos, node.end_pos

    def mutate(self, node, index):
        prefix = node.get_first_leaf().prefix
        node.children[0] = parso.python.tree.Keyword("pass", node.start_pos, prefix)
        return node


def operators():
    """Return the ways to change a place, by their names; all of them decide by the place alone."""
    known = OperatorProvider()
    found = {name: known[name]() for name in sorted(known) if not known[name].arguments()}
    return {**found, "LeaveOut": LeaveOut()}


OPERATORS = operators()


def places(source):
    """Return {(line, column): [change, ...]} of a module's text; a change is for `changed`."""
    found = {}
    for number, node in enumerate(ast_nodes(parso.parse(source))):
        for name, operator in OPERATORS.items():
            for index, (start, _) in enumerate(operator.mutation_positions(node)):
                found.setdefault(start, []).append((name, number, index))
    return found


def changed(source, change):
    """Return a module's text with one change."""
    name, number, index = change
    tree = parso.parse(source)
    node = list(ast_nodes(tree))[number]
    siblings = node.parent.children if node.parent else [node]
    at = [child is node for child in siblings].index(True)
    siblings[at : at + 1] = [new for new in [OPERATORS[name].mutate(node, index)] if new]
    return tree.get_code()


def compiled(source):
    """Return what a module's text compiles to, without its lines, docstrings and asserts; None
    where it does not."""

    def bare(code):
        inside = [bare(c) if isinstance(c, types.CodeType) else repr(c) for c in code.co_consts]
        return code.co_code, inside, code.co_names, code.co_varnames, code.co_exceptiontable

    try:
        return bare(compile(source, "", "exec", optimize=2))
    except (SyntaxError, ValueError):
        return None


class Mutant:
    """One change of a module. path: the module's; lines: its number, as it was, as it is."""

    def __init__(self, path, source, text):
        self.path = path
        self.text = text
        old, new = source.splitlines(), text.splitlines()
        at = [a == b for a, b in zip(old, new)].index(False)
        self.lines = at + 1, old[at].strip(), new[at].strip()

    @property
    def known(self):
        """What stands in `equal_mutants.txt` where it changes nothing."""
        path = self.path.relative_to(ROOT)
        return "%s: %s -> %s" % (path, *self.lines[1:])

    def __str__(self):
        line, old, new = self.lines
        return "%s:%d\n  - %s\n  + %s" % (self.path.relative_to(ROOT), line, old, new)


def mutants(paths, seed):
    """Yield the mutants of modules that change something, in an order drawn by the seed: a place
    comes once."""
    draw = random.Random(seed)
    equal = [line.rpartition("  # ")[0] for line in EQUAL.read_text().splitlines()]
    drawn = []
    for path in sorted(paths):
        source = path.read_text()
        drawn += [(path, source, ways) for _, ways in sorted(places(source).items())]
    draw.shuffle(drawn)
    for path, source, ways in drawn:
        text = changed(source, draw.choice(ways))
        if compiled(text) not in (None, compiled(source)):
            mutant = Mutant(path, source, text)
            if mutant.known not in equal:
                yield mutant


def stages(path):
    """Return lists of tests for a module, the likeliest first."""
    names = [test.stem[5:] for test in sorted(TESTS.glob("test_*.py"))]
    names.sort(key=lambda name: SLOW.index(name) if name in SLOW else -1)
    first = [name for name in names if name == path.stem]
    first += [name for name in FIRST[path.parent.name] if name not in first]
    named = [str(TESTS / ("test_%s.py" % name)) for name in first]
    others = [str(TESTS / ("test_%s.py" % name)) for name in names if name not in first]
    scripts = [str(ROOT / "tests" / "host_sim" / "test_scripts.py")]
    games = path.parent.name == "games"  # of which stories tell more than the tests of drivers
    return [named, scripts, others] if games else [named, others, scripts]


class _Watch:
    """Writes the name of the first test that goes red to a pipe."""

    def __init__(self, pipe):
        self.pipe = pipe

    def pytest_runtest_logreport(self, report):
        if report.failed:
            os.write(self.pipe, report.nodeid.encode())

    pytest_collectreport = pytest_runtest_logreport


def red(tests, mutant=None):
    """Run tests, with a mutant in the place of its module; return the first that is red, "?" where
    they came to no end, or "" for none."""
    ours, pipe = os.pipe()
    child = os.fork()
    if not child:
        os.close(ours)
        _test(tests, mutant, pipe)
    os.close(pipe)
    with os.fdopen(ours) as said:
        name = said.read()
    status = os.waitpid(child, 0)[1]
    return name or ("?" if status else "")


def _test(tests, mutant, pipe):
    """Run tests in this process, of which nothing is left."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.chdir(ROOT)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for said in (1, 2):
        os.dup2(nowhere, said)
    sys.dont_write_bytecode = True
    if mutant:
        get_code = importlib.machinery.SourceFileLoader.get_code

        def code_of(loader, name):
            if Path(loader.path).resolve() != mutant.path:
                return get_code(loader, name)
            return compile(mutant.text, loader.path, "exec")

        importlib.machinery.SourceFileLoader.get_code = code_of
    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=0"]
    options += ["-o", "faulthandler_timeout=%d" % TEST_S]
    os._exit(pytest.main([*options, *tests], plugins=[_Watch(pipe)]))


def seen(mutant, sound):
    """Return the test that sees a mutant, or "". sound: tests that are green without one."""
    for tests in stages(mutant.path):
        test = red(tests, mutant)
        if test and test != "?" and test not in sound:
            if red([test]):
                raise SystemExit("%s is red without any change" % test)
            sound.add(test)
        if test:
            return test
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--number", type=int, default=100, help="mutants to try")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--only", default="", help="of modules in whose path is: games; or hub.py,tags.py"
    )
    args = parser.parse_args()
    words = args.only.split(",")
    paths = [path for path in SOURCES.glob("**/*.py") if any(word in str(path) for word in words)]
    started, sound, tried, unseen = time.monotonic(), set(), 0, 0
    for mutant in mutants(paths, args.seed):
        if tried == args.number:
            break
        tried += 1
        test = seen(mutant, sound)
        if not test:
            unseen += 1
            print(mutant, flush=True)
        else:  # for who waits
            where = "%s:%d" % (mutant.path.name, mutant.lines[0])
            print("%3d %s, seen by %s" % (tried, where, test), file=sys.stderr, flush=True)
    took = time.monotonic() - started
    print("seen %d of %d, seed %d, %d s" % (tried - unseen, tried, args.seed, took))
    return 100 * (tried - unseen) < GOAL * tried


if __name__ == "__main__":
    sys.exit(main())
