# SPDX-License-Identifier: MIT
"""The simulated hub: chips, buttons and lamps around the firmware, driven by table scripts."""
