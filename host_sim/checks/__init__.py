# SPDX-License-Identifier: MIT
"""Checks of the hub: soak tests with a referee, faults or players' slips, a fuzzer, a benchmark,
and a comparison of the simulated hub with the emulated Pico."""
