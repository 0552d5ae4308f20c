# SPDX-License-Identifier: MIT
"""An emulated Pico, which runs the firmware on real MicroPython, with the simulator's chips on its
pins."""
