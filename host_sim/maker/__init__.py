# SPDX-License-Identifier: MIT
"""Flashes a hub, talks to its console over USB, and makes a release."""


class CommandError(Exception):
    """Raised for a failure that ends a command; the text names the fault and the remedy."""

    status = 1  # the exit status
