# SPDX-License-Identifier: MIT
"""What a file's tests take is counted in processor time, and named where it is too much."""

import collections
import time
import types

import cpu_seconds
from cpu_seconds import ProcessorSeconds


def run(plugin, name, work):
    """Let the plugin see a test of a file that does some work."""
    steps = plugin.pytest_runtest_protocol(types.SimpleNamespace(nodeid=name + "::test"))
    next(steps)
    work()
    try:
        steps.send(True)
    except StopIteration as stop:
        assert stop.value is True


def work(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_a_file_is_charged_for_processor_time_alone():
    plugin = ProcessorSeconds(types.SimpleNamespace())
    run(plugin, "waits.py", lambda: time.sleep(0.3))
    run(plugin, "works.py", lambda: work(0.3))
    assert plugin.seconds["works.py"] > 0.2 > plugin.seconds["waits.py"]


def test_workers_are_added_up():
    plugin = ProcessorSeconds(types.SimpleNamespace())
    for _ in range(2):
        output = {"processor_seconds": {"a.py": 20.0}}
        plugin.pytest_testnodedown(types.SimpleNamespace(workeroutput=output))
    plugin.pytest_testnodedown(types.SimpleNamespace())  # one that died has nothing to say
    assert plugin.seconds == collections.Counter({"a.py": 40.0})
    assert cpu_seconds.over(plugin.seconds) == ["a.py: 40 s"]
