# SPDX-License-Identifier: MIT
"""Changes of the firmware in one place, and whether a test sees them: `make mutate`.

A sample of places is drawn by a seed, and at each of them one change is made: another number,
another comparison, a condition turned round, a statement left out. For every such mutant the tests
that come to its place run until the first that goes red: those of its module, the other tests of
the firmware, those of the simulated hub, the table scripts. A mutant that stays unseen is printed
with file, line and change: a test is missing. The tests of `make test` are asked first; one that
only a slow test sees is printed too.

Not counted is what changes nothing: a mutant that compiles to the same code, or one of
`equal_mutants.txt`, of which somebody has seen why no test can see it.
"""

import argparse
import itertools
import os
import random
import resource
import signal
import sys
import tempfile
import time
import types
from pathlib import Path

# Only what no mutant is part of: each is tested in a process that forks off here.
import hypothesis.strategies  # noqa: F401
import parso
import pytest
from cosmic_ray.ast import ast_nodes
from cosmic_ray.operators.provider import OperatorProvider
from coverage_map import Reach, replace_code, run_quietly

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from host_sim import arguments  # noqa: E402
from host_sim.checks import worker_pool  # noqa: E402
from host_sim.checks.progress import Progress  # noqa: E402

SOURCES = ROOT / "firmware" / "roundhouse"
TESTS = ROOT / "tests" / "firmware"
EQUAL = ROOT / "tests" / "equal_mutants.txt"

GOAL = 95  # of 100
# A test does not end that uses so many times its seconds of processor, and these.
TIMES = 10
TEST_S = 5
COLLECTING_S = 60
STANDING_S = 600  # nor one that waits for so long
MEMORY = 4 << 30  # bytes; a mutant may fill it without end

# By the folder of a module, the tests that see most of what is wrong there; those with the
# module's name come before them.
FIRST = {
    "games": ("match", "line_games", "houses", "games", "input_outcomes", "history"),
    "drivers": (
        "reader_contract",
        "mfrc522",
        "buttons",
        "strip",
        "expanders",
        "sound",
        "reader_faults",
    ),
    "roundhouse": (
        "tags",
        "lights",
        "lamps",
        "animations",
        "console",
        "settings",
        "input_outcomes",
    )
    + ("history", "sound", "tag_writer", "selftest", "journal_damage", "rules_kept", "supply"),
}
WHOLE_HUB = ("position", "simulated_hub")  # in tests/host_sim
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
    """Return lists of files of tests for a module, the likeliest first."""
    names = [test.stem[5:] for test in sorted(TESTS.glob("test_*.py"))]
    names.sort(key=lambda name: SLOW.index(name) if name in SLOW else -1)
    games = "games" in path.parts  # of which stories tell more than the tests of drivers
    first = [name for name in names if name == path.stem]
    first += [name for name in FIRST["games" if games else path.parent.name] if name not in first]
    named = [TESTS / ("test_%s.py" % name) for name in first]
    others = [TESTS / ("test_%s.py" % name) for name in names if name not in first]
    others += [ROOT / "tests" / "host_sim" / ("test_%s.py" % name) for name in WHOLE_HUB]
    scripts = [ROOT / "tests" / "host_sim" / "test_scripts.py"]
    return [named, scripts, others] if games else [named, others, scripts]


class _Judge:
    """Runs the tests asked for, in their order, and writes the name of the first that goes red to
    a pipe. One that does not end ends the process."""

    def __init__(self, order, without, pipe):
        self.order = order
        self.without = without
        self.pipe = pipe

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        found = {item.nodeid: item for item in items}
        # What nobody knows is made of what the mutant changed.
        new = found.keys() - self.order.keys() - self.without
        items[:] = [found[name] for name in [*self.order, *sorted(new)] if name in found]

    def pytest_runtest_logstart(self, nodeid):
        # Its own time, which other processes do not take: a busy machine makes nothing red.
        signal.setitimer(signal.ITIMER_VIRTUAL, TEST_S + TIMES * self.order.get(nodeid, TEST_S))
        signal.alarm(STANDING_S)

    def pytest_runtest_logreport(self, report):
        if report.failed:
            os.write(self.pipe, report.nodeid.encode())

    pytest_collectreport = pytest_runtest_logreport


def red(order, without, slow, mutant=None):
    """Run tests, the slow ones or the others, with a mutant in the place of its module; return the
    first that is red, "?" where they came to no end, or "" for none. order: {test: seconds};
    without: tests to leave out."""
    ours, pipe = os.pipe()
    with tempfile.TemporaryDirectory() as folder:
        child = os.fork()
        if not child:
            os.close(ours)
            worker_pool.end_with_reader(pipe)
            judge = _Judge(order, without, pipe)
            os._exit(_run(judge, slow, mutant, folder + "/tests"))
        os.close(pipe)
        try:
            with os.fdopen(ours) as said:
                name = said.read()
        except BaseException:
            os.kill(child, signal.SIGKILL)
            raise
        finally:
            status = os.waitpid(child, 0)[1]
    return name or ("?" if status else "")


def _run(judge, slow, mutant, temporary):
    """Run tests in this process, of which nothing is left; return its status."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.setitimer(signal.ITIMER_VIRTUAL, COLLECTING_S)
    if mutant:
        code = compile(mutant.text, str(mutant.path), "exec")
        replace_code(lambda path: code if path == mutant.path else None)
    files = dict.fromkeys(name.partition("::")[0] for name in judge.order)
    status = run_quietly(files, slow, judge, temporary)
    return 0 if status == pytest.ExitCode.NO_TESTS_COLLECTED else int(status)


def seen(mutant, reach, sound):
    """Return a test that sees a mutant, or "", and whether it is a slow one: those are asked last.
    sound: tests that are green without a mutant."""
    for slow, files in itertools.product((False, True), stages(mutant.path)):
        order, without = reach.to(mutant.path, mutant.lines[0], files, slow)
        test = order and red(order, without, slow, mutant)
        if test and test != "?" and test not in sound:
            if red({test: COLLECTING_S}, (order.keys() | without) - {test}, slow):
                raise SystemExit("%s is red without any change" % test)
            sound.add(test)
        if test:
            return test, slow
    return "", False


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--number", type=arguments.count, default=100, help="mutants to try")
    parser.add_argument("--seed", type=arguments.seed, default=1)
    parser.add_argument(
        "--only", default="", help="of modules in whose path is: games; or hub.py,tags.py"
    )
    args = parser.parse_args()
    words = args.only.split(",")
    paths = [path for path in SOURCES.glob("**/*.py") if any(word in str(path) for word in words)]
    started, tried, unseen, late = time.monotonic(), 0, 0, 0
    reach, sound = Reach(), set()
    with Progress("mutate", "mutants", args.number) as progress:
        for mutant in itertools.islice(mutants(paths, args.seed), args.number):
            tried += 1
            test, slow = seen(mutant, reach, sound)
            late += slow
            if not test:
                unseen += 1
                print(mutant, flush=True)
            elif slow:
                print("%s\n  seen by `make check` alone: %s" % (mutant, test), flush=True)
            else:  # for who waits
                where = "%s:%d" % (mutant.path.name, mutant.lines[0])
                progress.say("%3d %s, seen by %s" % (tried, where, test))
            progress.to(tried)
    took = time.monotonic() - started
    told = (tried - unseen, tried, late, args.seed, took)
    print("seen %d of %d, %d by slow tests alone, seed %d, %d s" % told)
    return 100 * (tried - unseen) < GOAL * tried


if __name__ == "__main__":
    sys.exit(worker_pool.ended_by_signals(main))
