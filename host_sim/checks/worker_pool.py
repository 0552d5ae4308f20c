# SPDX-License-Identifier: MIT
"""Processes that end when they are told to, and workers that end with who started them."""

import concurrent.futures
import contextlib
import multiprocessing
import os
import select
import signal
import sys
import threading

from host_sim.checks.progress import Progress

SIGNALS = (signal.SIGINT, signal.SIGTERM)
INTERRUPTED, TERMINATED = 130, 143  # the statuses that shells have for these


class Terminated(KeyboardInterrupt):
    """SIGTERM: what runs ends as by Ctrl-C, with another status."""


def ended_by_signals(main):
    """Carry out `main` as this process's program; return its exit status, 130 for Ctrl-C and 143
    for SIGTERM, also where `main` ends quietly by that."""
    told = []

    def terminate(*_):
        if not told:  # what ends already is left alone
            told.append(True)
            raise Terminated

    signal.signal(signal.SIGTERM, terminate)
    try:
        status = main()
    except KeyboardInterrupt:
        status = INTERRUPTED
    if status == INTERRUPTED and sys.stderr.isatty():
        print(file=sys.stderr)  # below what the terminal shows of Ctrl-C, or a bar
    return TERMINATED if told else status


@contextlib.contextmanager
def pool(workers=None):
    """A ProcessPoolExecutor with so many workers, as many as there are processors if None.

    Where its context is left by an error, Ctrl-C or SIGTERM, the workers are ended at once, and
    what waits is not begun. Where this process is killed they end by themselves.
    """
    executor = concurrent.futures.ProcessPoolExecutor(
        workers or os.cpu_count(), initializer=_begin
    )
    try:
        with _later():  # they are started here, and must not meet a signal before `_begin`
            executor.submit(int)
        yield executor
    except BaseException:
        with _cancelled_quietly():
            for child in multiprocessing.active_children():
                child.kill()
            executor.shutdown(cancel_futures=True)
        raise
    executor.shutdown()


@contextlib.contextmanager
def _cancelled_quietly():
    """The executor's own thread gives work that was cancelled the news that its worker has ended,
    which Python up to 3.12 answers with a traceback: it is left out."""
    before = threading.excepthook

    def hook(args):
        if not issubclass(args.exc_type, concurrent.futures.InvalidStateError):
            before(args)

    threading.excepthook = hook
    try:
        yield
    finally:
        threading.excepthook = before


def follow(what, futures):
    """Show how many of some futures, the measurements of a command `what`, are done, until all
    are. Raises what the first raises that fails."""
    with Progress(what, "measurements", len(futures)) as progress:
        for future in concurrent.futures.as_completed(futures):
            future.result()
            progress.more()


@contextlib.contextmanager
def _later():
    """Signals that end the process come later; children start with them held back too."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin():
    """The start of a worker: Ctrl-C is its parent's business, and without a parent it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    end_with_parent()


def end_with_reader(pipe):
    """End this process, which was forked, as soon as the pipe that it writes to has no reader;
    Ctrl-C and SIGTERM end it without a word. Only where there is `poll`."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    watched = select.poll()
    watched.register(pipe, 0)  # errors alone

    def wait():
        watched.poll()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def end_with_parent():
    """End this process, a child of multiprocessing's, as soon as its parent has ended."""
    parent = multiprocessing.parent_process()

    def wait():
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
