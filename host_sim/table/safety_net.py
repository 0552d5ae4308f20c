# SPDX-License-Identifier: MIT
"""Catches what one console line makes a view raise, so that the line costs its own sentence and
the page goes on. Every error is counted, kept with its line, and printed once for the owner."""

import contextlib
import json
import sys
import traceback
from collections.abc import Iterator, Mapping

TITLE = "the page left something out because of an error; the hub's newest line:"
LONGEST = 2000  # characters of a line that are printed
MOST = 100  # errors that are kept

caught: list[tuple[Mapping[str, object], Exception]] = []  # (line, error), the first MOST
_printed: set[str] = set()


def keep(error: Exception, line: Mapping[str, object]) -> None:
    """Count and keep an error, and print it unless an error at the same place was printed."""
    if len(caught) < MOST:
        caught.append((line, error))
    place = "%s %s" % (type(error).__name__, traceback.extract_tb(error.__traceback__)[-1:])
    if place not in _printed:
        _printed.add(place)
        print(TITLE, json.dumps(line)[:LONGEST], file=sys.stderr)
        traceback.print_exception(error)


@contextlib.contextmanager
def under(line: Mapping[str, object]) -> Iterator[None]:
    """Keep any error that the `with` block raises because of a console line."""
    try:
        yield
    except Exception as error:
        keep(error, line)


def forget() -> None:
    caught.clear()
    _printed.clear()


def raise_caught() -> None:
    """Raise the first error that was caught, and forget all of them."""
    if caught:
        line, error = caught[0]
        forget()
        error.add_note("the line: %s" % json.dumps(line)[:LONGEST])
        raise error
