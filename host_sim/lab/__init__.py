# SPDX-License-Identifier: MIT
"""Looks for faults and measures: soak tests (with a referee, with faults, with players' slips), a
fuzzer, benchmarks, and a comparison of the simulated hub with the emulated Pico."""
