# SPDX-License-Identifier: MIT
"""Roundhouse, the firmware of the hub."""

import sys

VERSION = "1.1.0"


def forget(*names):
    """Give back the memory of some of its modules, where they have been imported."""
    for name in names:
        name = "roundhouse." + name
        if sys.modules.pop(name, None):
            package, _, name = name.rpartition(".")
            package = sys.modules.get(package)
            if hasattr(package, name):  # not where memory ran out in between
                delattr(package, name)
