# SPDX-License-Identifier: MIT
"""CircuitPython's `board`, empty: the simulated board hands its pins over itself."""
