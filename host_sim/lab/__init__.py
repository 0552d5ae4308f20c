# SPDX-License-Identifier: MIT
"""Checks of the hub: soak tests (with a referee, with faults, with players' slips), a fuzzer,
benchmarks, and a comparison of the simulated hub with the emulated Pico."""
