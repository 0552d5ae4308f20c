# SPDX-License-Identifier: MIT
"""The maker's tools: a real hub's flash and console, over USB."""


class UserError(Exception):
    """Something a maker can put right; the text says how."""
