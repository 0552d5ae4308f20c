# SPDX-License-Identifier: MIT
"""Ends programs cleanly on signals, with the exit statuses that shells report for them."""

import os
import signal
import sys
from collections.abc import Callable

SIGNALS = (signal.SIGINT, signal.SIGTERM)
INTERRUPTED, TERMINATED = 130, 143

# what does not shut down, such as an executor: Python would wait for its thread without end
stuck: list[object] = []


class Terminated(KeyboardInterrupt):
    """Raised when SIGTERM arrives. It ends a program as Ctrl-C does, with another exit status."""


def ended_by_signals(main: Callable[[], int]) -> int:
    """Run `main` as the main program of this process. Return the exit status of `main`, or 130
    after Ctrl-C. After SIGTERM, return 143 even if `main` handles the signal.

    If something is `stuck`, end the process at once.
    """
    terminated: list[bool] = []

    def terminate(*_: object) -> None:
        if not terminated:  # else it is ending already
            terminated.append(True)
            raise Terminated

    signal.signal(signal.SIGTERM, terminate)
    try:
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        status = main()
    except KeyboardInterrupt:
        status = INTERRUPTED
    if status == INTERRUPTED and sys.stderr.isatty():
        print(file=sys.stderr)  # after the terminal's ^C, or a progress bar
    status = TERMINATED if terminated else status
    if stuck:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return status
