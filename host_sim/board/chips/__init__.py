# SPDX-License-Identifier: MIT
"""Simulated hardware, at register and pin level. It knows neither the firmware nor the rules."""
