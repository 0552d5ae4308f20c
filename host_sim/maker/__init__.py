# SPDX-License-Identifier: MIT
"""Flash a hub, talk to its console over USB, and make a release."""


class CommandError(Exception):
    """Raised for a failure that ends a command; the text names the fault and the remedy."""

    status = 1  # the exit status
