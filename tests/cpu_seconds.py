# SPDX-License-Identifier: MIT
"""A pytest plugin: how many seconds of processor time the tests of each file take.

A run of `make test` keeps them in build/test-seconds.json; `make check` then names each file that
takes more than its share of the three minutes.
"""

import collections
import json
import time
from pathlib import Path

import pytest

FILE = Path(__file__).resolve().parents[1] / "build" / "test-seconds.json"
SHARE_S = 36  # a tenth of what two processors have in three minutes


def processor_s():
    """Return the seconds of processor time of this process and of its children that have ended;
    of this process alone where the system does not count the others."""
    try:
        import resource
    except ImportError:  # Windows
        return time.process_time()
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(kind) for kind in kinds]
    return sum(one.ru_utime + one.ru_stime for one in used)


def over(seconds):
    """Return lines that name the files over their share, the longest first."""
    named = sorted(seconds.items(), key=lambda item: -item[1])
    return ["%s: %.0f s" % (name, s) for name, s in named if s > SHARE_S]


class ProcessorSeconds:
    """The plugin, in each worker and in the process that collects from them."""

    def __init__(self, config):
        self.config = config
        self.seconds = collections.Counter()  # file -> seconds
        self.collecting = hasattr(config, "workerinput")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        began = processor_s()
        try:
            return (yield)
        finally:
            name = item.nodeid.partition("::")[0]
            self.seconds[name] += processor_s() - began

    def pytest_sessionfinish(self):
        if self.collecting:
            self.config.workeroutput["processor_seconds"] = dict(self.seconds)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node):
        self.seconds.update(getattr(node, "workeroutput", {}).get("processor_seconds", {}))

    def pytest_terminal_summary(self, terminalreporter):
        chosen = self.config.option.markexpr
        whole = self.config.args_source != self.config.ArgsSource.ARGS
        if chosen == "not slow" and whole:
            FILE.parent.mkdir(exist_ok=True)
            FILE.write_text(json.dumps({k: round(v, 1) for k, v in self.seconds.items()}))
        elif chosen == "slow" and FILE.exists():
            named = over(json.loads(FILE.read_text()))
            if named:
                terminalreporter.section("over its share of `make test`: %d s" % SHARE_S)
                terminalreporter.write_line("\n".join(named))
