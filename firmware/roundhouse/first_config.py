# SPDX-License-Identifier: MIT
"""Supplies the default settings if a board has no config.py.

If the firmware is part of MicroPython's image, it also writes a config.py.
"""

import os

NEW = "config.new"  # renamed when complete, so that a power cut leaves no half config.py
WROTE = "config.py was missing; the hub wrote one, with the defaults"
NONE = "config.py is missing and cannot be written; the hub takes the defaults"
MISSING = "config.py is missing; the hub takes the defaults"
FOLDER = "config.py is a folder; remove it; the hub takes the defaults"
MISNAMED = "there is no config.py, but %s; rename it to config.py; the hub takes the defaults"


class Defaults:
    """A config that has no settings yet; settings.check then gives every setting its default."""


def write() -> "tuple[Defaults, str]":
    """Write a first config.py if the firmware is part of MicroPython's image and no other file
    could be meant. Return (a Defaults object, a remark that says whether config.py was
    written)."""
    try:
        names = os.listdir()
    except OSError:
        names = []
    if "config.py" in names:
        return Defaults(), FOLDER
    meant = [name for name in names if name.lower().startswith("config") and name != NEW]
    if meant:
        return Defaults(), MISNAMED % meant[0]
    try:
        from roundhouse.default_config import TEXT
    except ImportError:
        return Defaults(), MISSING
    try:
        with open(NEW, "w") as file:
            file.write(TEXT)
        os.rename(NEW, "config.py")
    except OSError:
        return Defaults(), NONE
    return Defaults(), WROTE
