# SPDX-License-Identifier: MIT
"""A folder of matches that one command has for itself."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from host_sim.app.session import folder_lock
from host_sim.command_line import arguments


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock a folder of matches during a `with` block. Raises UnusableArgument if another program
    plays them."""
    try:
        lock = folder_lock.acquire(folder)
    except folder_lock.FolderTaken:
        raise arguments.UnusableArgument(
            "%s: `play` has these matches open; end it, or use the menu of its page" % folder
        ) from None
    try:
        yield
    finally:
        lock.release()
