# SPDX-License-Identifier: MIT
"""What happened at a table, from the hub's console lines, and what a game is."""
