# SPDX-License-Identifier: MIT
"""The MicroPython VM for tests: the official WebAssembly build, run by node, in two versions.

    PYTHONPATH=. python tests/vm.py test_tiles test_tags run test modules on the VM

The firmware and the tests are in the VM at their paths in the repository. Modules that only this
build has (functools, itertools, datetime ...) are hidden. What differs from the board:

- Garbage is collected only while no Python code runs; a script that would fill the heap must
  yield.
- The heap grows as needed.
- A call's frame is never on the heap; on the board, a large one is.
- A float has 64 bits; on the board, it has 32.
- If Python runs out of stack, the older version ends with a WebAssembly error.
- The number of an OSError from a file is not that of `errno` (ENOENT is 44).
"""

import base64
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import PIPE
from typing import NamedTuple

from host_sim.board.pico.node import node

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "tests" / "micropython"
TESTS = ROOT / "tests" / "firmware"  # they lie beside the helpers in the VM
INSTALLED = ROOT / ".venv" / "micropython"
NAMED, NEWEST = VERSIONS = ("named", "newest")  # in package.json: the oldest that will do first
TIMEOUT = 120  # seconds; a VM that ran out of its stack may hang instead of stopping

Files = Mapping[str, Path | bytes]  # path in the VM -> content

PRELUDE = 'import sys\nsys.path[:] = ["/firmware", "/tests", "/tests/micropython"]\n'


class Failed(AssertionError):
    """Raised, with all output, if Python on the VM ended with an exception."""


class Memory(NamedTuple):
    """Bytes of heap: `allocated` in total, with garbage, and `kept` after a collection.

    `allocated` is exact; a stale pointer can keep an object or two of garbage in `kept`.
    """

    allocated: int
    kept: int


def package(version: str) -> Path:
    return INSTALLED / "node_modules" / version


def is_installed() -> bool:
    return all(package(version).is_dir() for version in VERSIONS)


def run_vm(
    modules: Sequence[str] = (),
    files: Files | None = None,
    script: str | Path = "",
    timeout: float = TIMEOUT,
    version: str = NEWEST,
) -> str:
    """Run test modules or a script in a new VM; return what the VM printed. Raises Failed with
    this output.

    files: {path in the VM: a Path on the host, or bytes}; relative paths start at the VM's root,
        the working directory
    script: the text or Path of a script. If the script has a generator function `main`, this is
        run to its end; each `yield` lets the VM collect garbage.
    timeout: the seconds from the VM's start to the script's end
    """
    __tracebackhide__ = True
    code = script.read_text() if isinstance(script, Path) else script
    if modules:
        code += f"\nimport runner\ndef main():\n    yield from runner.tests({list(modules)!r})\n"
    sources = [*ROOT.glob("tests/*.py"), *HERE.glob("*.py"), *ROOT.glob("firmware/**/*.py")]
    tree: dict[str, Path | bytes] = {
        f"/{path.relative_to(ROOT).as_posix()}": path for path in sources
    }
    beside = [*TESTS.glob("*.py"), *TESTS.glob("*.positions")]
    tree |= {f"/tests/{path.name}": path for path in beside}
    tree["/tests/host_sim/table/games/house_info.py"] = (
        ROOT / "host_sim/table/games/house_info.py"
    )  # tests ask it
    tree |= {f"/{path.lstrip('/')}": content for path, content in (files or {}).items()}
    job = {
        "vm": str(package(version) / "micropython.mjs"),
        "files": {path: base64.b64encode(_content(at)).decode() for path, at in tree.items()},
        "script": PRELUDE + code,
    }
    command = [node(), HERE / "run.mjs"]
    with tempfile.TemporaryFile() as given:
        given.write(json.dumps(job).encode())
        given.seek(0)
        ran = subprocess.Popen(command, stdin=given, stdout=PIPE, stderr=PIPE)
    assert ran.stderr
    ran.stderr.readline()  # the VM is there
    try:
        output, error = ran.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        ran.kill()
        output, _ = ran.communicate()
        raise Failed(f"{output.decode()}\nno end after {timeout} s") from None
    if ran.returncode:
        raise Failed(f"{output.decode()}{error.decode()}")
    return output.decode()


def run_python(files: Files | None = None, script: str | Path = "") -> str:
    """Run a script on CPython in a directory with only `files`; return its output."""
    code = script.read_text() if isinstance(script, Path) else script
    code += "\nif 'main' in globals():\n    for _ in main():\n        pass\n"
    with tempfile.TemporaryDirectory() as root:
        for path, content in (files or {}).items():
            place = Path(root, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(_content(content))
        paths = os.pathsep.join((str(ROOT / "firmware"), str(ROOT / "tests"), str(TESTS)))
        return subprocess.run(
            [sys.executable, "-c", code],
            cwd=root,
            env=os.environ | {"PYTHONPATH": paths},
            stdout=subprocess.PIPE,
            text=True,
            timeout=TIMEOUT,
            check=True,
        ).stdout


def measure(
    work: str, setup: str = "", warm_up: int = 1, times: int = 1, files: Files | None = None
) -> Memory:
    """Measure the heap that the statement `work` takes.

    setup: statements to run once, before all runs of `work`
    warm_up: the number of runs before the measurement begins; 0 to measure an import
    times: the number of runs to measure
    files: as for `run_vm`
    """
    body = "\n".join(f"    {line}" for line in work.splitlines())
    script = f"""
import gc
{setup}
def work():
{body}
def main():
    for _ in range({warm_up}):
        work()
    gc.collect()
    yield
    before = gc.mem_alloc()
    for _ in range({times}):
        work()
    allocated = gc.mem_alloc() - before
    gc.collect()
    yield
    print("heap", allocated, gc.mem_alloc() - before)
"""
    last = run_vm(script=script, files=files).splitlines()[-1].split()
    return Memory(allocated=int(last[1]), kept=int(last[2]))


def _content(content: Path | bytes) -> bytes:
    return content.read_bytes() if isinstance(content, Path) else content


if __name__ == "__main__":
    try:
        print(run_vm(sys.argv[1:]), end="")
    except Failed as failed:
        raise SystemExit(str(failed)) from None
