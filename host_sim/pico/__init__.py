# SPDX-License-Identifier: MIT
"""An emulated Pico, which runs the firmware on real MicroPython. The simulator's chips are
connected to its pins."""
