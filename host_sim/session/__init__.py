# SPDX-License-Identifier: MIT
"""The players at the table, bots and people, and the tiles they hold."""
