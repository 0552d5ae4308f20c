# SPDX-License-Identifier: MIT
"""CircuitPython's `board`, empty, because the simulated board passes its pins directly."""
