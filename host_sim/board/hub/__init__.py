# SPDX-License-Identifier: MIT
"""The simulated hub: the firmware with simulated chips, buttons and lamps, and the table scripts
that operate it."""
