# SPDX-License-Identifier: MIT
"""Which tests come to which place of the firmware: a mutant is judged by these alone.

A place is a block of statements: those of a module, a function, a branch. Each test runs once, in
a process of its own, with a mark at the beginning of every block; a test that does not come to a
block even so cannot see what is changed in it. What was found is kept in build/ until one of the
files changes that it was found with.
"""

import ast
import builtins
import hashlib
import importlib.machinery
import json
import os
import re
import signal
import sys
import tempfile
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

ROOT = Path(__file__).resolve().parents[1]
FIRMWARE = ROOT / "firmware"
KEPT = ROOT / "build" / "reach"


class Blocks:
    """The blocks of the firmware's modules, by number."""

    def __init__(self):
        self.count = 0
        self._marked, self._blocks, self._text = {}, {}, {}
        self._modules = set()  # the blocks of modules
        for path in sorted((FIRMWARE / "roundhouse").glob("**/*.py")):
            source = path.read_text()
            tree = ast.parse(source)
            self._text[path] = source.splitlines()
            self._blocks[path] = [0] * len(self._text[path])
            self._modules.add(self.count)
            self._mark(tree.body, self._blocks[path], 1, len(self._text[path]))
            self._marked[path] = ast.fix_missing_locations(tree)

    def _mark(self, body, blocks, first, last):
        """Begin a list of statements, lines first to last, with a mark, and all within it."""
        number = self.count
        self.count += 1
        blocks[first - 1 : last] = [number] * (last + 1 - first)
        for statement in body:
            self._inside(statement, blocks)
        said = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
        body.insert(said, ast.parse("ran__[%d] = 1" % number).body[0])

    def _inside(self, node, blocks):
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(node, name, None)
            if not isinstance(inner, list) or not inner:
                continue
            if isinstance(inner[0], ast.stmt) and not isinstance(node, ast.ClassDef):
                self._mark(inner, blocks, inner[0].lineno, inner[-1].end_lineno)
            else:
                for child in inner:
                    self._inside(child, blocks)

    def of(self, path, line):
        """Return the block of a line of a module; the first line is 1."""
        return self._blocks[path][line - 1]

    def readers(self, path, line):
        """Return the blocks, as a number, that read what a line outside of functions assigns."""
        names = [
            target.id
            for node in ast.walk(self._marked[path])
            if isinstance(node, ast.Assign) and node.lineno <= line <= node.end_lineno
            for target in node.targets
            if isinstance(target, ast.Name)
        ]
        read = re.compile(r"\b(%s)\b" % "|".join(names or ["-"]))
        blocks = {
            block
            for path, text in self._text.items()
            for line, block in zip(text, self._blocks[path])
            if block not in self._modules and read.search(line)
        }
        return sum(1 << block for block in blocks)

    def code(self, path):
        """Return a module's code with its marks, None for what is no module of the firmware."""
        tree = self._marked.get(path)
        return tree and compile(tree, str(path), "exec")


def replace_code(code_of):
    """Let imports take the code that `code_of` has for a resolved path, where it has one."""
    get_code = importlib.machinery.SourceFileLoader.get_code

    def code(loader, name):
        return code_of(Path(loader.path).resolve()) or get_code(loader, name)

    sys.dont_write_bytecode = True
    importlib.machinery.SourceFileLoader.get_code = code


def run_quietly(tests, slow, plugin, temporary):
    """Run tests in this process, which says nothing: those marked slow, or the others. Return
    pytest's status."""
    os.chdir(ROOT)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for said in (1, 2):
        os.dup2(nowhere, said)
    # Its faulthandler waits, where a test goes red, for a thread that a fork leaves behind.
    without = ["-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:faulthandler"]
    options = ["-x", "-q", *without, "--hypothesis-seed=0", "-m", "slow" if slow else "not slow"]
    return pytest.main([*options, "--basetemp", temporary, *tests], plugins=[plugin])


class _Alone:
    """Runs each test in a process of its own; keeps {test: [seconds, blocks as a number]}."""

    def __init__(self, blocks):
        self.ran = builtins.ran__ = bytearray(blocks.count)
        self.found = {}
        self.parent = os.getppid()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item):
        if os.getppid() != self.parent:  # it was killed
            os._exit(1)
        ours, pipe = os.pipe()
        child = os.fork()
        if not child:
            from host_sim.checks import worker_pool

            os.close(ours)
            worker_pool.end_with_reader(pipe)
            runtestprotocol(item, nextitem=None, log=False)
            os.write(pipe, self.ran)
            os._exit(0)
        os.close(pipe)
        with os.fdopen(ours, "rb") as said:
            ran = said.read()
        used = os.wait4(child, 0)[2]
        number = sum(1 << i for i, here in enumerate(ran) if here)
        self.found[item.nodeid] = [round(used.ru_utime + used.ru_stime, 3), "%x" % number]
        return True


def _found(test, slow, blocks):
    """Run the slow tests of a file, or the others; return {test: [seconds, blocks in
    hexadecimal]}."""
    ours, pipe = os.pipe()
    child = os.fork()
    if not child:
        os.close(ours)
        alone = _Alone(blocks)
        replace_code(blocks.code)
        with tempfile.TemporaryDirectory() as folder:
            run_quietly([str(test)], slow, alone, folder + "/tests")
        with os.fdopen(pipe, "w") as said:
            json.dump(alone.found, said)
        os._exit(0)
    os.close(pipe)
    try:
        with os.fdopen(ours) as said:
            found = json.load(said)
    except BaseException:
        os.kill(child, signal.SIGKILL)
        raise
    finally:
        os.waitpid(child, 0)
    if not found and not slow:
        raise SystemExit("no test of %s runs; try pytest on it" % test)
    return found


class Reach:
    """What the tests come to, file by file, as it is asked for."""

    def __init__(self):
        self.blocks = Blocks()
        self._known = {}
        files = {*FIRMWARE.glob("**/*.py"), *(ROOT / "host_sim").glob("**/*.py")}
        tests = ROOT / "tests"
        files |= {path for path in tests.glob("**/*") if not path.name.startswith("test_")}
        files.remove(tests / "mutants.py")
        self._around = hashlib.sha256()
        for path in sorted(path for path in files if path.is_file()):
            if path.suffix in (".py", ".table"):
                self._around.update(str(path).encode() + path.read_bytes())

    def to(self, path, line, files, slow):
        """Return {test: seconds} of those of some files of tests that come to a line of a module,
        and the names of the others. What reads a constant comes first, then what is quick.
        slow: of the tests marked so alone; else of the others."""
        block, readers = self.blocks.of(path, line), self.blocks.readers(path, line)
        known = {name: told for test in files for name, told in self._of(test, slow).items()}
        there = [name for name in known if known[name][1] >> block & 1]
        there.sort(key=lambda name: (not known[name][1] & readers, known[name][0]))
        return {name: known[name][0] for name in there}, known.keys() - set(there)

    def _of(self, test, slow):
        """As `_found`, with the blocks as a number; what is kept already is not run again."""
        if (test, slow) not in self._known:
            key = self._around.copy()
            key.update(test.read_bytes())
            kept = KEPT / ("%s%s.json" % (test.stem, ".slow" if slow else ""))
            told = json.loads(kept.read_text()) if kept.exists() else {}
            if told.get("key") != key.hexdigest():
                told = {"key": key.hexdigest(), "found": _found(test, slow, self.blocks)}
                KEPT.mkdir(parents=True, exist_ok=True)
                kept.write_text(json.dumps(told))
            self._known[test, slow] = {
                name: (seconds, int(ran, 16)) for name, (seconds, ran) in told["found"].items()
            }
        return self._known[test, slow]
