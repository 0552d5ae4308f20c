# SPDX-License-Identifier: MIT
"""Runs a host_sim command in a process forked from one that has imported all commands, to save
time."""

import multiprocessing
import os
import pkgutil
import signal
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection

from host_sim import commands

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    [
        *("host_sim.__main__", "host_sim.app.page.viewer_page", "host_sim.app.server.launcher"),
        *("host_sim.app.server.web_server", "host_sim.app.server.text_output"),
        "host_sim.app.session.folder_lock",
        *("host_sim.commands." + one.name for one in pkgutil.iter_modules(commands.__path__)),
    ]
)


def run(words: Sequence[str], environment: Mapping[str, str], output: Connection) -> None:
    """Run a command, and send what it prints to a pipe."""
    os.environ.clear()
    os.environ.update(environment)
    for number in (1, 2):
        os.dup2(output.fileno(), number)
    output.close()
    sys.stdout, sys.stderr = (open(number, "w", buffering=1, closefd=False) for number in (1, 2))
    sys.argv[1:] = words
    from host_sim.__main__ import run_as_program

    sys.exit(run_as_program())


class ForkedProgram:
    """A command that runs until `interrupt` or `kill`; `lines` has what it prints."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        output, theirs = FORKS.Pipe(duplex=False)
        self._process = FORKS.Process(target=run, args=(words, environment, theirs), daemon=True)
        self._process.start()
        theirs.close()
        self.lines = open(os.dup(output.fileno()), errors="replace")
        output.close()

    @property
    def pid(self) -> int:
        assert self._process.pid
        return self._process.pid

    def is_alive(self) -> bool:
        return self._process.is_alive()

    def kill(self) -> None:
        """Kill the process, as a power cut would."""
        self._process.kill()
        self._process.join()
        self.lines.close()

    def interrupt(self) -> str:
        """Press Ctrl-C, wait for the end, and return the output not yet read."""
        os.kill(self.pid, signal.SIGINT)
        self._process.join(60)
        assert not self.is_alive(), "it does not end"
        with self.lines:
            return self.lines.read()
