# SPDX-License-Identifier: MIT
"""Worker processes, which end when their parent ends; or one thread on a system without them."""

import concurrent.futures
import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Collection, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

from host_sim.command_line import exit_signals, progress
from host_sim.command_line.progress import Progress
from host_sim.maker import CommandError

PATIENCE = 5.0  # seconds for an executor to shut down
NO_PROCESSES = "worker processes need semaphores: mount a writable /dev/shm (%s)"
ONE_THREAD = NO_PROCESSES + "; without, one process does all the work, which takes longer"


@contextlib.contextmanager
def pool(workers: int | None = None) -> Iterator[Executor]:
    """Return a context manager whose value is an executor with worker processes.

    workers: the count of worker processes, or None for one per processor; a system that has no
        semaphores, which they need, then gets one thread, and standard error a remark

    If an error or a signal ends the context, the workers are killed at once and waiting work is
    cancelled. If this process is killed, the workers end by themselves.

    Raises CommandError if the system has no semaphores for a given count of processes.
    """
    executor = _executor(workers)
    has_processes = not isinstance(executor, ThreadPoolExecutor)
    try:
        if has_processes:
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
            ending.join(PATIENCE if has_processes else 0)
            if ending.is_alive():  # a thread at work, or the signal came while a lock was taken
                exit_signals.stuck.append(executor)
        raise
    executor.shutdown()


def _executor(workers: int | None) -> Executor:
    try:
        return concurrent.futures.ProcessPoolExecutor(
            workers or os.cpu_count(), initializer=_start_worker
        )
    except (ImportError, NotImplementedError, OSError) as error:
        why = getattr(error, "strerror", None) or error
        if workers:
            raise CommandError(NO_PROCESSES % why) from None
        progress.remark(ONE_THREAD % why)
        return ThreadPoolExecutor(1)


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
