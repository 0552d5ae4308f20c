# SPDX-License-Identifier: MIT
"""Worker processes, which end when their parent ends."""

import concurrent.futures
import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Collection, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any

from host_sim.command_line import exit_signals
from host_sim.command_line.progress import Progress

PATIENCE = 5.0  # seconds for an executor to shut down


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
            if ending.is_alive():  # the signal came just when this process had taken its lock
                exit_signals.stuck.append(executor)
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
    before = signal.pthread_sigmask(signal.SIG_BLOCK, exit_signals.SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_worker() -> None:
    """Make a worker process ignore Ctrl-C and end when its parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, exit_signals.SIGNALS)
    end_with_parent()


def end_with_parent() -> None:
    """End this process, which multiprocessing started, as soon as its parent has ended."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
