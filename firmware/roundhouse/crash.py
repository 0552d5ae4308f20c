# SPDX-License-Identifier: MIT
"""A crash, told: on the console, in crash.txt and as a red lamp; loaded only then."""

import io
import sys

from roundhouse import console

FILE = "crash.txt"  # the last exception that came out of the hub


def trace(error):
    """Return an exception's traceback as text."""
    out = io.StringIO()
    sys.print_exception(error, out)
    return out.getvalue()


def report(error, lamp, pin):
    """Tell of an exception; lamp(pin, rgb) lights the first pixel.

    Raises MemoryError; the file is then as it was.
    """
    text = "%s: %s" % (type(error).__name__, error)
    print()  # the hub's last line may be half out
    print(console.error(text + "; the hub starts again, %s has where it happened" % FILE))
    lamp(pin, (60, 0, 0))
    text = trace(error)[-480:]
    try:
        with open(FILE, "w") as file:
            file.write(text)
    except OSError:
        pass  # the flash is what failed
