# SPDX-License-Identifier: MIT
"""Checks of the hub: soak tests, a fuzzer, benchmarks, and a comparison of the simulated hub with
the emulated Pico.

There are three soak tests. In the first, a referee checks the hub. In the second, faults happen as
well. In the third, players make slips.
"""
