# SPDX-License-Identifier: MIT
"""The file that MicroPython runs at power-up. It is compiled at every start, so it is short: it
only calls roundhouse/boot.py. Modules frozen into MicroPython's image take precedence over files
on the board, which may be of an older version."""

import sys

sys.path.insert(0, ".frozen")

from roundhouse.boot import main  # noqa: E402

main()
