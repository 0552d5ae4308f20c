# SPDX-License-Identifier: MIT
"""Gives a board that has no config.py the defaults; from MicroPython's image, also a file."""

import os

NEW = "config.new"  # renamed when it is whole, so that a power cut leaves no half config.py
WROTE = "config.py was missing; the hub wrote one, with the defaults"
NONE = "config.py is missing and cannot be written; the hub takes the defaults"
MISSING = "config.py is missing; the hub takes the defaults"


class Defaults:
    """A config that has no settings yet; settings.check then gives every setting its default."""


def write():
    """Write a first config.py to the board, if this is MicroPython's image. Return (a config with
    all defaults, a remark to report: whether the file was written)."""
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
