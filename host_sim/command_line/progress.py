# SPDX-License-Identifier: MIT
"""Shows the progress of a long command on standard error: as a bar on a terminal, otherwise as
occasional lines."""

import sys
import time
from typing import Any, TextIO

try:
    from tqdm import tqdm
except ImportError:  # nothing is installed: lines then
    tqdm = None

EVERY_S = 10


class Progress:
    """A context manager that shows progress. Call `to` with the number of units done so far.

    unit: the name of the units, in the plural
    out: the stream to write to, standard error by default
    """

    def __init__(self, what: str, unit: str, total: float, out: TextIO | None = None) -> None:
        self.what = what
        self.unit = unit
        self.total = total
        self.out = out or sys.stderr
        self.done: float = 0
        self._began = self._told = time.monotonic()
        self._bar: Any = None

    def __enter__(self) -> "Progress":
        if tqdm and self.out.isatty():
            tqdm.monitor_interval = 0  # its thread would be there when workers are forked
            form = "{l_bar}{bar}| {n:.10g} of {total:.10g} {unit}, {remaining} left"
            self._bar = tqdm(
                desc=self.what,
                total=self.total,
                unit=self.unit,
                file=self.out,
                bar_format=form,
                leave=False,
                dynamic_ncols=True,
            )
        else:
            self._say("begun")
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def to(self, done: float, *_: object) -> None:
        """Set the progress to `done` units."""
        step, self.done = done - self.done, done
        if self._bar is not None:
            self._bar.update(step)
            return
        now = time.monotonic()
        if now - self._told >= EVERY_S:
            self._told = now
            self._say(left(now - self._began, done, self.total))

    def more(self, step: float = 1) -> None:
        self.to(self.done + step)

    def say(self, text: str) -> None:
        """Print a line of text above the bar."""
        if self._bar is not None:
            self._bar.clear()
        print(text, file=self.out, flush=True)
        if self._bar is not None:
            self._bar.refresh()

    def _say(self, rest: str) -> None:
        line = "%s: %s of %s %s, %s" % (
            self.what,
            number(self.done),
            number(self.total),
            self.unit,
            rest,
        )
        print(line, file=self.out, flush=True)


def remark(text: str) -> None:
    """Print a line on standard error, above any bar."""
    (tqdm.write if tqdm else print)(text, file=sys.stderr)


def left(took: float, done: float, total: float) -> str:
    """Return the estimated remaining time as text. took: the seconds so far."""
    if not done:
        return "no end in sight yet"
    seconds = max(0, took * (total - done) / done)
    if seconds < 90:
        return "about %d s left" % seconds
    if seconds < 5400:
        return "about %d min left" % round(seconds / 60)
    return "about %.1f h left" % (seconds / 3600)


def number(value: float) -> str:
    """Return a number as text, with one decimal unless the number is whole."""
    return "%d" % value if value == int(value) else "%.1f" % value
