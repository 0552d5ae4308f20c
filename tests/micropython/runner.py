# SPDX-License-Identifier: MIT
"""Runs test modules inside the MicroPython VM, and prints a line per test.

A module's `HOST_ONLY` has the tests that need CPython: a tuple of names, or True for all.
"""

import io
import sys


def tests(modules):
    """Run every `test_*` function of the named modules. Yields after each test; raises at the end
    if any failed."""
    failed = []
    for name in modules:
        try:
            module = __import__(name)
            found = [test for test in sorted(dir(module)) if test.startswith("test_")]
            assert found, "no tests in " + name
        except BaseException as error:
            failed.append(name)
            print_failure(name, error)
            continue
        host_only = getattr(module, "HOST_ONLY", ())
        for test in found:
            label = name + "." + test
            if host_only is True or test in host_only:
                print("skip", label)
                continue
            try:
                for case in module.EXAMPLES if test == "test_example" else [()]:
                    getattr(module, test)(*case)
                    yield
                print("ok", label)
            except BaseException as error:
                failed.append(label)
                print_failure(label, error)
            yield
    if failed:
        raise AssertionError("failed on MicroPython: " + ", ".join(failed))


def print_failure(label, error):
    """Print a traceback with source lines, which MicroPython leaves out."""
    print("FAIL", label)
    trace = io.StringIO()
    sys.print_exception(error, trace)
    for line in trace.getvalue().split("\n"):
        print(line)
        if line.startswith('  File "'):
            place = line.split('"')
            print("   ", source_line(place[1], int(place[2].split(",")[1].split()[1])))


def source_line(path, number):
    try:
        with open(path) as file:
            return file.readlines()[number - 1].strip()
    except (OSError, IndexError):
        return "?"
