# SPDX-License-Identifier: MIT
"""What judges the hub: referee, soak, faults, fuzzer, performance, agreement with the Pico."""
