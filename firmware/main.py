# SPDX-License-Identifier: MIT
"""What MicroPython runs at power-up. It compiles this file at every start, so the program is in
roundhouse/boot.py, which is on the board compiled."""

from roundhouse.boot import main

main()
