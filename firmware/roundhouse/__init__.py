# SPDX-License-Identifier: MIT
"""Roundhouse, the firmware of the hub."""

import sys

VERSION = "1.1.0"
# Whether it is part of MicroPython's image, where a path is a string.
FROZEN = __path__ == ".frozen/roundhouse"  # type: ignore[comparison-overlap]


def forget(*names: str) -> None:
    """Unload modules of the package. names: their names inside the package, such as
    `drivers.files`."""
    for name in names:
        name = "roundhouse." + name
        if sys.modules.pop(name, None):
            package, _, name = name.rpartition(".")
            package = sys.modules.get(package)  # type: ignore[assignment]
            if hasattr(package, name):  # False if memory ran out during the import
                delattr(package, name)
