# SPDX-License-Identifier: MIT
"""config.py, loaded and checked at power-up; what a hub does when it is wrong, and what it tells
of a crash."""

import io
import sys
import time

LIGHTS = 28  # the strip's pin where config.py does not tell
FIRST = (12, 8, 4)  # the first light


def load(lamp):
    """Return (config, None), or (None, what is wrong with config.py); light the first pixel.

    lamp(pin, rgb) lights it.
    """
    try:
        import config
    except (Exception, SystemExit) as error:  # whatever a maker can write there
        lamp(LIGHTS, FIRST)
        return None, place(trace(error), error) + "; correct it and reset"
    try:
        lamp(config.PINS.get("lights", LIGHTS), FIRST)
    except Exception:  # what is wrong with it is said below
        lamp(LIGHTS, FIRST)
    from roundhouse import settings

    try:
        settings.check(config)
    except settings.BadConfig as error:
        return None, str(error)
    return config, None


def place(text, error):
    """Return "config.py, line 12: SyntaxError: ..." from a traceback and its exception."""
    where = ""
    for line in text.split("\n"):
        if 'File "config.py", line ' in line:
            where = ", line " + line.split("line ")[1].split(",")[0]
    if isinstance(error, SystemExit):
        return "config.py%s: sys.exit() would end the hub; take it out" % where
    return "config.py%s: %s: %s" % (where, type(error).__name__, error)


def blink(text, lamp):
    """Say what is wrong, and blink red, again and again; never return."""
    from roundhouse import console

    text = "".join([letter if " " <= letter <= "~" else "?" for letter in text])
    while True:
        print(console.error(text))
        for _ in range(4):
            lamp(LIGHTS, (40, 0, 0))
            time.sleep_ms(300)
            lamp(LIGHTS, (0, 0, 0))
            time.sleep_ms(700)


def trace(error):
    """Return an exception's traceback as text."""
    out = io.StringIO()
    sys.print_exception(error, out)
    return out.getvalue()


def report(error, lamp, pin):
    """Tell of an exception; lamp(pin, rgb) lights the first pixel.

    Raises MemoryError; the file is then as it was.
    """
    from roundhouse import console

    text = "%s: %s" % (type(error).__name__, error)
    print()  # the hub's last line may be half out
    print(console.error(text + "; the hub starts again, crash.txt has where it happened"))
    lamp(pin, (60, 0, 0))
    text = trace(error)[-480:]
    try:
        with open("crash.txt", "w") as file:
            file.write(text)
    except OSError:
        pass  # the flash is what failed
