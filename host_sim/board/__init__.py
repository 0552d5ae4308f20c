# SPDX-License-Identifier: MIT
"""The simulated hub: its chips, its firmware at work, and the emulated Pico."""
