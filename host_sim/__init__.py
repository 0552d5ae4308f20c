# SPDX-License-Identifier: MIT
"""The simulated board: chips, tags, pins and time, for CPython."""
