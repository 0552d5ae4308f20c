# SPDX-License-Identifier: MIT
"""An emulated Pico: the firmware on the real MicroPython, the simulator's chips on its pins."""
