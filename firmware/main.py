# SPDX-License-Identifier: MIT
"""The file that MicroPython runs at power-up. It is compiled at every start, so it only calls
roundhouse/boot.py. Modules frozen into MicroPython's image come first, even if files of an older
version are on the board."""

import sys

sys.path.insert(0, ".frozen")

from roundhouse.boot import main  # noqa: E402

main()
