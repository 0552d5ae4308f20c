# SPDX-License-Identifier: MIT
"""Simulated hardware, at register and pin level; it knows neither firmware nor rules."""
