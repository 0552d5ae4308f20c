# SPDX-License-Identifier: MIT
"""Loads config.py at power-up and checks it."""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


LIGHTS = 28  # the strip's pin where config.py does not set it
FIRST = (12, 8, 4)  # the first light


def load(lamp: "Callable[[int, tuple[int, int, int]], object]") -> "tuple[Any, str | None]":
    """Load and check config.py. Return (config, None), or (None, error text).

    Without a config.py the hub uses the defaults; first_config.py can then write a config.py.

    lamp: a function lamp(pin, rgb) that lights the first pixel.
    """
    remark = ""
    try:
        import config
    except (Exception, SystemExit) as error:  # a maker can write anything there
        lamp(LIGHTS, FIRST)
        if _is_file("config.py"):
            from roundhouse import crash

            return None, crash.place(error) + "; correct it and reset"
        from roundhouse import first_config

        config, remark = first_config.write()  # type: ignore[assignment]
    else:
        # a file of zeros is read without an error
        if not [name for name in config.__dict__ if name[0] != "_"]:
            from roundhouse import crash

            odd = crash.encoding()
            if odd:
                return None, "config.py: %s; correct it and reset" % odd
    try:
        lamp(config.PINS.get("lights", LIGHTS), FIRST)
    except Exception:  # settings.check reports the reason below
        lamp(LIGHTS, FIRST)
    from roundhouse import settings

    try:
        settings.check(config)
    except Exception as error:  # with a text that is not UTF-8, not even a message can be made
        from roundhouse import crash

        odd = crash.encoding()  # then the first setting has a name that cannot be seen
        if odd or not isinstance(error, settings.BadConfig):
            return None, crash.place(error)
        return None, str(error)
    if remark:
        config.REMARK = remark  # type: ignore[attr-defined]
    return config, None


def _is_file(path: str) -> bool:
    try:
        return not os.stat(path)[0] & 0x4000
    except OSError:
        return False
