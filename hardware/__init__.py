# SPDX-License-Identifier: MIT
"""The hub as things: pin map, circuit, board, what to buy."""
