# SPDX-License-Identifier: MIT
"""Ends programs cleanly on signals, and ends worker processes when their parent ends."""

import concurrent.futures
import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any

from host_sim.progress import Progress

SIGNALS = (signal.SIGINT, signal.SIGTERM)
INTERRUPTED, TERMINATED = 130, 143  # exit statuses that shells report for these signals
PATIENCE = 5.0  # seconds for an executor to shut down

# executors that do not shut down: a signal came just when this process had taken their lock
_stuck: list[ProcessPoolExecutor] = []


class Terminated(KeyboardInterrupt):
    """Raised when SIGTERM arrives. It ends a program as Ctrl-C does, with another exit status."""


def ended_by_signals(main: Callable[[], int]) -> int:
    """Run `main` as the main program of this process. Return the exit status of `main`, or 130
    after Ctrl-C. After SIGTERM, return 143 even if `main` handles the signal.

    If an executor of a `pool` does not shut down, end the process at once.
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
    if _stuck:  # whose thread Python would wait for without end
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return status


@contextlib.contextmanager
def pool(workers: int | None = None) -> Iterator[ProcessPoolExecutor]:
    """Return a context manager whose value is a ProcessPoolExecutor. workers: the count of worker
    processes, or None for one per processor.

    If an error or a signal ends the context, the workers are killed at once and waiting work is
    cancelled. If this process is killed, the workers end by themselves.

    Raises OSError if the system has no semaphores, which worker processes need.
    """
    try:
        executor = concurrent.futures.ProcessPoolExecutor(
            workers or os.cpu_count(), initializer=_start_worker
        )
    except OSError as error:
        why = "no semaphores for worker processes; is /dev/shm mounted?"
        raise OSError(error.errno, why) from None
    try:
        with _signals_blocked():  # workers start here; no signal may reach them too early
            executor.submit(int)
        yield executor
    except BaseException:
        with _cancelled_quietly():
            for child in multiprocessing.active_children():
                child.kill()
            ending = threading.Thread(
                target=executor.shutdown, kwargs={"cancel_futures": True}, daemon=True
            )
            ending.start()
            ending.join(PATIENCE)
            if ending.is_alive():
                _stuck.append(executor)
        raise
    executor.shutdown()


@contextlib.contextmanager
def _cancelled_quietly() -> Iterator[None]:
    """Hide a traceback that Python up to 3.12 prints. The executor's thread raises
    InvalidStateError if a worker ends after the worker's task was cancelled."""
    before = threading.excepthook

    def hook(args: threading.ExceptHookArgs) -> None:
        if not issubclass(args.exc_type, concurrent.futures.InvalidStateError):
            before(args)

    threading.excepthook = hook
    try:
        yield
    finally:
        threading.excepthook = before


def follow(command: str, futures: Collection[Future[Any]]) -> None:
    """Show progress until all futures of a command are done. Raise their first error."""
    with Progress(command, "measurements", len(futures)) as progress:
        for future in concurrent.futures.as_completed(futures):
            future.result()
            progress.more()


@contextlib.contextmanager
def _signals_blocked() -> Iterator[None]:
    """Block the signals that end the process, in this process and in child processes started
    inside the `with` block."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_worker() -> None:
    """Make a worker process ignore Ctrl-C and end when its parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    end_with_parent()


def end_with_parent() -> None:
    """End this process, which multiprocessing started, as soon as its parent has ended."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
