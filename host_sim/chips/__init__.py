# SPDX-License-Identifier: MIT
"""Simulated hardware, at register and pin level. These modules depend neither on the firmware nor
on the rules."""
